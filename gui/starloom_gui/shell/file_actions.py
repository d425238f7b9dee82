"""The controllers that open, save, restore and close plans and runs, and offer what an earlier program left."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

from starloom.journal.typed_file import TypedText
from starloom_gui.documents.unsaved import UnsavedPlans, unsaved_path
from starloom_gui.shell.assumed import AssumedNotice
from starloom_gui.shell.exporting import Exporting
from starloom_gui.shell.file_changes import FileChanges
from starloom_gui.shell.importing import Importing
from starloom_gui.shell.last_tabs import LastTabs
from starloom_gui.shell.leaving import Leaving
from starloom_gui.shell.left_runs import LeftRuns
from starloom_gui.shell.opening import FileDrops, Opening
from starloom_gui.shell.plan_actions import PlanActions
from starloom_gui.shell.resuming import Resuming
from starloom_gui.shell.saving import Saving
from starloom_gui.shell.without_tab import WithoutTab
from starloom_gui.shell.written import WrittenStrip
from starloom_gui.text.words import fill, translate
from starloom_gui.widgets.loading import LoadingStrip
from starloom_gui.widgets.message_bar import ErrorMessage
from starloom_gui.workspace.autosave import Autosave
from starloom_gui.workspace.plan_typed import PlanTyped
from starloom_gui.workspace.restoring import Restoring

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Sequence
    from pathlib import Path
    from typing import Any

    from starloom.journal.records import RunRecord
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.gateway.run_archive import RunArchive
    from starloom_gui.settings import Settings
    from starloom_gui.shell.main_window import MainWindow
    from starloom_gui.shell.unfinished_runs import EngineRuns
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.widgets.message_bar import MessageBar
    from starloom_gui.workspace.unset import Unset


class _Asking(Protocol):
    """The protocol of an object that asks the user a question."""

    def cancel(self) -> None:
        """Cancel the question."""

    async def settled(self) -> None:
        """Return once no question is open."""


class FileActions:
    """Creates and connects the controllers. To be used where the loop runs.

    Args:
        documents: what is open.
        settings: what is remembered.
        look: the colours.
        window: the window.
        strip: says what went wrong.
        runs: knows and cancels runs.
        resume: goes on with interrupted runs, and returns what came of each.
        show: shows a run of the journals, and returns once it is shown.
        settle_fields: takes over what is typed in fields of the tabs of these keys; false: it was refused.
        unset: gives what is typed in the tabs of these keys and neither set nor added.
        archive: the runs that the engine has kept.
        folder_of: gives the folder of a run of the engine; None: it cannot be had on this machine.
        journals: the directory of journals on this machine.

    Attributes:
        loading: says what is being opened.
        opening, saving, plan_verbs, leaving, resuming, exporting: each with its own verbs.
        changes: tells of files that other programs have changed.
        last_tabs: opens what was open when the last console ended.
        left_runs: shows what has ended in the background since.
        without_tab: says of runs that go on that they do, though their tabs were closed.
    """

    def __init__(
        self,
        documents: OpenDocuments,
        settings: Settings,
        look: Appearance,
        window: MainWindow,
        strip: MessageBar,
        runs: EngineRuns,
        resume: Callable[[Sequence[RunRecord]], Awaitable[Sequence[object]]],
        show: Callable[[RunRecord], Coroutine[Any, Any, None]],
        settle_fields: Callable[..., bool],
        unset: Callable[..., Sequence[Unset]],
        archive: RunArchive,
        folder_of: Callable[[str], Path | None],
        journals: Path,
    ) -> None:
        say, settle, ground = strip.show_trouble, strip.settle, window.ground
        self.loading = LoadingStrip(window.centralWidget() or window, look)
        taking_in = Importing(journals, self.loading, say, settle, show, window).take_in
        self.opening = Opening(documents, settings, self.loading, say, look, window, settled=settle, take_in=taking_in)
        self.changes = FileChanges(documents, self.opening.ask_reload, strip, window)
        AssumedNotice(documents, strip, window)
        self.saving = Saving(documents, settings, say, settle, look, window, settle_fields)
        self.saving.reload_asked.connect(self.opening.reload)
        self.plan_verbs = PlanActions(documents, settings, say, look, window, journals)
        self.leaving = Leaving(documents, self.saving, runs, look, window, settle_fields, unset)
        self.without_tab = WithoutTab(documents, runs.runs, strip, window)
        self.leaving.run_left.connect(self.without_tab.tell)
        self.left_runs = LeftRuns(journals, settings, show, say, documents.names.of, window)
        self.leaving.handed_over.connect(self.left_runs.note)
        self.resuming = Resuming(journals, settings, resume, say, look, window, documents.names.of)
        written = WrittenStrip(ground, look)
        shown = LoadingStrip(ground, look), written, say, settle
        self.exporting = Exporting(archive, folder_of, *shown, settings, look, window)
        documents.turned.connect(lambda front: written.turn(front.key if front is not None else ""))
        self._autosave = _autosave(documents, say)
        self._typed = PlanTyped(unsaved_path(), partial(_typed, documents, unset), say, window)
        self._restoring = Restoring(self._autosave, say, look, window) if self._autosave is not None else None
        self.last_tabs = LastTabs(
            documents, settings, self.opening, self._restoring, self.resuming.settled, say, window
        )
        window.header.tabs.close_asked.connect(self.leaving.close_tab)
        window.file_asked.connect(self.opening.open)
        FileDrops(window).dropped.connect(self.opening.open_all)
        self.opening.opened.connect(lambda _: window.show_recent())
        window.close_asked.connect(self.leaving.leave)
        if self._autosave is not None:
            self.leaving.agreed.connect(self._autosave.give_up)

    def begin(self, files: Sequence[str] = ()) -> None:
        """Offer runs that were interrupted, open what was open, these files in front, and offer what was not saved."""
        self.resuming.offer()
        self.last_tabs.begin(files)
        self.left_runs.tell()
        if self._autosave is not None:
            self._typed.begin()

    async def close(self) -> None:
        """Close all questions, and release what is held."""
        parts: list[_Asking] = [self.last_tabs, self.opening, self.saving, self.plan_verbs, self.leaving, self.resuming]
        parts += [self.exporting, self.changes, self.left_runs]
        if self._restoring is not None:
            parts.append(self._restoring)
        for part in parts:
            part.cancel()
            await part.settled()
        self._typed.close()
        if self._autosave is not None:
            await self._autosave.close()


def _typed(documents: OpenDocuments, unset: Callable[..., Sequence[Unset]]) -> list[TypedText]:
    """What is typed in the open plans and not set, each with the plan's title."""
    found = ((one, text) for one in documents.documents for text in unset(one.key))
    return [TypedText(f"{one.title}: {text.words}", text.text) for one, text in found]


def _autosave(documents: OpenDocuments, say: Callable[[ErrorMessage], None]) -> Autosave | None:
    """Make the autosave of unsaved plans; None, with a message: files cannot be written."""
    try:
        return Autosave(documents, UnsavedPlans(unsaved_path()), say, parent=documents)
    except OSError as error:
        what = translate("Autosave", "Unsaved plans would be lost in a crash")
        why = fill(translate("Autosave", "%1 cannot be written: %2. Save them yourself."), unsaved_path(), error)
        say(ErrorMessage(what, why))
        return None
