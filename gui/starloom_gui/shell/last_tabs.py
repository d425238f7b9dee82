"""The plans that were open when the last console ended, opened again in the same order."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom_gui.documents.files import located
from starloom_gui.event_loop import BackgroundTasks
from starloom_gui.event_loop.background import in_background
from starloom_gui.settings import OpenPlan
from starloom_gui.text.words import fill
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence

    from starloom_gui.documents.document import Document
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.settings import Settings
    from starloom_gui.shell.opening import Opening
    from starloom_gui.workspace.restoring import Restoring


class LastTabs(QObject):
    """Reopens the plans of the last session, and stores which plans are open. Nothing is executed by that.

    To be used where the loop runs.

    Args:
        documents: what is open.
        settings: what is remembered.
        opening: opens files.
        restoring: offers plans that were not saved; None: nothing of these is kept.
        asked: returns once nothing else is asked, so that one question comes after the other.
        report: is told which files are gone.
        parent: of the object.
    """

    def __init__(
        self,
        documents: OpenDocuments,
        settings: Settings,
        opening: Opening,
        restoring: Restoring | None,
        asked: Callable[[], Awaitable[None]],
        report: Callable[[ErrorMessage], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._documents, self._settings, self._opening = documents, settings, opening
        self._restoring, self._asked, self._report = restoring, asked, report
        self.background_tasks = BackgroundTasks("console: open what was open")

    def begin(self, files: Sequence[str] = ()) -> None:
        """Open these files, what was open behind them, and offer what was not saved; returns at once."""
        self.background_tasks.begin(self._open(files))

    def cancel(self) -> None:
        """Stop opening plans; the stored list stays."""
        self.background_tasks.cancel()

    async def settled(self) -> None:
        """Return once all of it is open and the user has answered."""
        await self.background_tasks.settled()

    async def _open(self, files: Sequence[str]) -> None:
        last = self._settings.open_plans
        paths = [one.path for one in last if one.path]
        gone, named = await in_background(_gone, paths), await in_background(_located, files)
        still = [path for path in paths if path not in gone]
        self._opening.open_all(files)  # first: while the others are read, keys such as Start mean these
        self._opening.open_all([path for path in still if path not in named], is_behind=True)
        await self._opening.settled()
        self._say_gone([path for path in paths if path in gone])
        opened = [document for path in still if (document := self._documents.at(Path(path))) is not None]
        is_chosen = bool(files) or self._documents.front is not (opened[0] if opened else None)
        self._arrange(last, keeps_front=is_chosen)
        if self._restoring is not None:
            await self._asked()
            before, front = self._documents.documents, self._documents.front
            self._restoring.offer()
            await self._restoring.settled()
            if self._documents.documents != before:
                self._arrange(last, keeps_front=bool(files))
                if files and front is not None:
                    self._documents.turn_to(front.key)
        self._documents.changed.connect(self._remember)
        self._remember()

    def _say_gone(self, paths: Sequence[str]) -> None:
        if paths:
            said = fill(self.tr("No longer there, and so not opened again: %1"), ", ".join(paths))
            self._report(ErrorMessage("", said, is_notice=True))

    def _arrange(self, last: Sequence[OpenPlan], *, keeps_front: bool) -> None:
        """Restore the order of the tabs and, unless `keeps_front`, the tab in front."""
        known = {(_path_of(one), one.title if one.path is None else ""): one.key for one in self._documents.documents}
        keys = [known.get((one.path, "" if one.path else one.title)) for one in last]
        self._documents.arrange([key for key in keys if key is not None])
        front = next((key for key, one in zip(keys, last, strict=True) if one.is_front), None)
        if front is not None and not keeps_front:
            self._documents.turn_to(front)

    def _remember(self) -> None:
        front = self._documents.front
        plans = tuple(
            OpenPlan(_path_of(one), "" if one.path else one.title, is_front=one is front)
            for one in self._documents.documents
        )
        if plans != self._settings.open_plans:
            self._settings.open_plans = plans


def _path_of(document: Document) -> str:
    return str(document.path) if document.path is not None else ""


def _gone(paths: Iterable[str]) -> frozenset[str]:
    return frozenset(path for path in paths if not Path(path).is_file())


def _located(files: Iterable[str]) -> frozenset[str]:
    return frozenset(str(located(Path(file))) for file in files)
