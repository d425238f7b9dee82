"""Saves documents into their file or another one, atomically, and reports what a format cannot hold."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from starloom.errors import PlanError
from starloom.formats import FORMATS
from starloom.formats.files import format_of, named_after
from starloom.formats.losses import TITLES
from starloom.model.plan import UNNAMED
from starloom_gui.canvas.note_field import end_writing
from starloom_gui.documents.document import stamp_of
from starloom_gui.documents.files import ENDINGS, comments_in, is_kept, left_out, located, write
from starloom_gui.documents.would_run import digest_of
from starloom_gui.event_loop import BackgroundTasks
from starloom_gui.settings import RecentFile
from starloom_gui.text.engine_words import why_not
from starloom_gui.text.plan_losses import loss_words
from starloom_gui.text.words import fill
from starloom_gui.widgets.choosing import chosen, dialog_to_write
from starloom_gui.widgets.message_bar import ErrorMessage
from starloom_gui.widgets.question import Choice, ChoiceDialog, answer_to

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtWidgets import QFileDialog, QWidget

    from starloom.model.plan import Plan
    from starloom_gui.documents.document import Document
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.settings import Settings
    from starloom_gui.theme.appearance import Appearance

_log = logging.getLogger(__name__)
SAVE, OVERWRITE, ELSEWHERE, RELOAD = "save", "overwrite", "elsewhere", "reload"


class Saving(QObject):
    """Writes documents into files. Whatever goes wrong, the document stays open, dirty and whole.

    To be used where the loop runs.

    Args:
        documents: what is open.
        settings: what recent files are remembered in.
        report: is told what was not saved.
        settle: is told what was said not to be saved, once the document is.
        appearance: the colours of dialogs.
        window: what dialogs stand over; it owns this.
        settle_fields: takes over what is typed in fields of the plan of a key; false: it was refused.

    Signals:
        reload_asked(Path): the file of an open document is to be read again instead of being written.
        saved_plan(str): the plan of a key was saved, with all of it.
    """

    reload_asked = Signal(object)
    saved_plan = Signal(str)

    def __init__(
        self,
        documents: OpenDocuments,
        settings: Settings,
        report: Callable[[ErrorMessage], None],
        settle: Callable[[str], None],
        appearance: Appearance,
        window: QWidget,
        settle_fields: Callable[[str], bool] = lambda _: True,
    ) -> None:
        super().__init__(window)
        self._settle_fields = settle_fields
        self._documents, self._settings, self._report, self._settle = documents, settings, report, settle
        self._unsaved: dict[str, str] = {}
        """What was last said of a document that was not saved."""
        self._appearance, self._window = appearance, window
        self.background_tasks = BackgroundTasks("console: save a plan")

    # ---- asked for by the user

    def save(self, key: str) -> None:
        """Save a document into its file, or ask for one; returns at once."""
        end_writing(self._window)
        if self._settle_fields(key):
            self.background_tasks.begin(self.saved(key))

    def save_as(self, key: str) -> None:
        """Save a document into another file; returns at once."""
        end_writing(self._window)
        if self._settle_fields(key):
            self.background_tasks.begin(self.saved_as(key))

    def cancel(self) -> None:
        """Close the open question; a file that is being written is written to its end."""
        self.background_tasks.cancel()

    async def settled(self) -> None:
        """Return once no document is being saved."""
        await self.background_tasks.settled()

    # ---- doing it

    async def saved(self, key: str) -> bool:
        """Save a document into its file, or ask for one; returns whether the file holds all of it."""
        document = self._documents.document(key)
        if document is None:
            return False
        if document.path is None:
            return await self.saved_as(key)
        now = await asyncio.to_thread(stamp_of, document.path)
        if now is not None and now != document.stamp:
            title = fill(self.tr("Overwrite %1?"), document.path.name)
            sentence = self.tr(
                "It has changed on disk since it was opened. Saving would undo those changes, reloading yours."
            )
            reload = Choice(RELOAD, self.tr("Reload"))
            answer = await self._ask_overwrite(title, sentence, self.tr("Overwrite"), reload)
            if answer == RELOAD:
                self.reload_asked.emit(document.path)
            if answer != OVERWRITE:
                return False
        return await self._write(key, document.path, document.format)

    async def saved_as(self, key: str) -> bool:
        """Ask for a file and save a document there; returns whether the document's file now holds all of it."""
        document = self._documents.document(key)
        path = await chosen(self._file_dialog(document)) if document is not None else None
        if document is None or path is None:
            return False
        if path != document.path and await asyncio.to_thread(stamp_of, path) is not None:
            name = path.name
            title = fill(self.tr("Replace %1?"), name)
            sentence = self.tr("There is a file %1 already; what is in it would be lost.")
            if self._documents.at(await asyncio.to_thread(located, path)) is not None:
                sentence = self.tr("%1 is open in another tab. That stays open, without a file and not saved.")
            if await self._ask_overwrite(title, fill(sentence, name), self.tr("Replace")) != OVERWRITE:
                return False
        return await self._write(key, path, None)

    async def _write(self, key: str, path: Path, format: str | None) -> bool:  # noqa: A002 - the word people use
        document = self._documents.document(key)
        if document is None:
            return False
        try:
            path = await asyncio.to_thread(located, path)
            known = format_of(path, format)
            lost = await asyncio.to_thread(left_out, document.plan, path, known)
            if lost and not await self._is_loss_wanted(path, known, lost):
                return False
            if path == document.path and (count := await asyncio.to_thread(comments_in, path, known)):
                answer = await self._ask_about_comments(path, count)
                if answer != OVERWRITE:
                    return answer == ELSEWHERE and await self.saved_as(key)
            plan = _named(document, path)
            stamp = await asyncio.to_thread(write, plan, path, known, document.keyed)
        except PlanError as error:
            self._fail(key, path, why_not(error))
            return False
        except Exception as error:  # noqa: BLE001 - the border to what writes files: whoever asked is told
            _log.exception("%s was to be saved", path)
            self._fail(key, path, fill(self.tr("%1: %2. This is a defect."), type(error).__name__, error))
            return False
        if not is_kept(lost, known):
            return False
        before = document.plan if plan is not document.plan else None
        self._remember(path, plan)  # before its runs are known by this file
        self._documents.note_saved(key, plan, path, known, stamp, before)
        if document.is_seen and (digest := await asyncio.to_thread(digest_of, plan)):
            self._settings.note_looked_at(digest)  # it is known when it is opened again
        self._settings.note_saved()
        self._withdraw(key)
        self.saved_plan.emit(key)
        return True

    def _fail(self, key: str, path: Path, reason: str) -> None:
        what = fill(self.tr("%1 was not saved"), path.name)
        kept = fill(self.tr("%1 The plan is still open, and no file was changed."), reason)
        self._withdraw(key)
        self._unsaved[key] = what
        document = self._documents.document(key)
        if document is not None and document.path == path and not document.is_dirty:
            self._documents.note_stamp(key, None)  # nothing holds the plan now but what is open
        self._report(ErrorMessage(what, kept, self.tr("Save as…"), lambda: self.save_as(key)))

    def _withdraw(self, key: str) -> None:
        """Remove the message that a document was not saved."""
        if (what := self._unsaved.pop(key, None)) is not None:
            self._settle(what)

    def _remember(self, path: Path, plan: Plan) -> None:
        known = next((one for one in self._settings.recent if one.path == str(path)), RecentFile(path=str(path)))
        self._settings.remember(replace(known, tasks=len(plan.tasks), at=time.time(), name=plan.name))

    # ---- what is asked

    async def _ask_overwrite(self, title: str, sentence: str, verb: str, *others: Choice) -> str:
        """Ask whether a file may be overwritten; returns the key of the choice, empty for none."""
        choices = [
            Choice(OVERWRITE, verb, is_apart=True),
            *others,
            Choice("", self.tr("Cancel"), is_default=True),
        ]
        return await answer_to(ChoiceDialog(self._appearance, title, sentence, choices, parent=self._window))

    async def _ask_about_comments(self, path: Path, count: int) -> str:
        """Whether the comments that somebody wrote into a file may be lost, or another file is to be named."""
        sentence = self.tr(
            "%n line(s) of it have comments. The plan does not hold them, and saving writes the file anew.",
            "",
            count,
        )
        question = ChoiceDialog(
            self._appearance,
            fill(self.tr("Save %1 without its comments?"), path.name),
            sentence,
            [
                Choice(OVERWRITE, self.tr("Save without"), is_apart=True),
                Choice("", self.tr("Cancel")),
                Choice(ELSEWHERE, self.tr("Save as…"), is_default=True),
            ],
            parent=self._window,
        )
        return await answer_to(question)

    async def _is_loss_wanted(self, path: Path, format: str, lost: list[str]) -> bool:  # noqa: A002
        sentence = fill(
            self.tr("%1\n\n%2 will be a copy; the plan stays open as it is, not saved."),
            "\n".join(map(loss_words, lost)),
            path.name,
        )
        question = ChoiceDialog(
            self._appearance,
            fill(self.tr("Save a copy as %1?"), TITLES[format]),
            sentence,
            [Choice("", self.tr("Cancel")), Choice(SAVE, self.tr("Save copy"), is_default=True)],
            parent=self._window,
        )
        return await answer_to(question) == SAVE

    def _file_dialog(self, document: Document) -> QFileDialog:
        filters = {fill("%1 (%2)", TITLES[name], " ".join(ENDINGS[name])): _suffix(name) for name in FORMATS}
        dialog = dialog_to_write(self._window, fill(self.tr("Save “%1” as"), document.title), filters)
        dialog.setDefaultSuffix(_suffix("yaml"))
        if document.path is not None:
            dialog.setDirectory(str(document.path.parent))
        dialog.selectFile(document.path.name if document.path is not None else document.title + ".yaml")
        return dialog


def _named(document: Document, path: Path) -> Plan:
    """The plan to be written: under the name of its file, where nobody has given it one."""
    plan = document.plan
    has_none = plan.name in (UNNAMED, document.stand_in)
    return named_after(plan.named(UNNAMED), path) if has_none else plan


def _suffix(format: str) -> str:  # noqa: A002
    return ENDINGS[format][0].removeprefix("*.")
