"""Actions on the runs of the directory of journals: read, open, resume, export, import and delete."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QFileDialog

from starloom.errors import StarloomError
from starloom.journal import tidying
from starloom.journal.bundle import ENDING
from starloom.journal.records import size_of
from starloom.model.status import ENDED_STATES
from starloom_gui.event_loop import BackgroundTasks, async_slot
from starloom_gui.event_loop.background import in_background
from starloom_gui.history.dialog import HistoryDialog
from starloom_gui.history.grid_dialog import GridDialog
from starloom_gui.history.tidy_dialog import TidyDialog
from starloom_gui.text.engine_words import why_not
from starloom_gui.text.words import fill, size
from starloom_gui.widgets.choosing import chosen
from starloom_gui.widgets.file_dialog import FileDialog
from starloom_gui.widgets.question import Choice, ChoiceDialog, answer_to
from starloom_gui.widgets.rows import ListRow, RowList

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Sequence
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from starloom.journal.records import RunRecord
    from starloom_gui.gateway.plan_runs import PlanRuns
    from starloom_gui.gateway.run_archive import RunArchive
    from starloom_gui.panels.grid.table import GridSpot
    from starloom_gui.theme.appearance import Appearance

DO: Final = "do"
FOLLOWING: Final = 2000
"""Milliseconds until runs that go on are read again."""
BATCH: Final = 25
"""Runs that are read before they are shown."""


class RemovedRunPlurals(QObject):
    """Counts of runs that are deleted."""

    def delete(self, count: int) -> str:
        """The question before runs are deleted."""
        return self.tr("Put %n run(s) into the trash?", "", count)

    def empty(self, count: int) -> str:
        """The question before the trash is emptied."""
        return self.tr("Remove %n run(s) for good?", "", count)


@dataclass(frozen=True, slots=True)
class Doing:
    """The protocol of what opens, resumes and compares chosen runs.

    Attributes:
        show: shows a run.
        resume: goes on with an interrupted one.
        reopen: reopens one that has ended.
        let_go: closes a run, and has the engine forget it if it ended here, as it is about to be moved.
        export: writes the run in a folder, by its name; dialogs stand over a widget; calls back once it begins; says
            why it does not, if so.
        open_file: takes in the run in a file, and shows it.
        show_at: shows a run at one of its tasks.
        compare: shows a run and asks what to compare it with.
        plan_runs: reads the last runs of plans.
    """

    show: Callable[[RunRecord], None]
    resume: Callable[[RunRecord], None]
    reopen: Callable[[RunRecord], None]
    let_go: Callable[[RunRecord], Awaitable[None]]
    export: Callable[[Path, str, QWidget, Callable[[], object]], str]
    open_file: Callable[[Path], None]
    show_at: Callable[[GridSpot], None]
    compare: Callable[[GridSpot], None]
    plan_runs: PlanRuns


class RunHistory(QObject):
    """Opens the history dialog and carries out its actions. To be used where the loop runs.

    Args:
        archive: the runs.
        appearance: the colours of dialogs.
        window: what dialogs stand over; it owns this.
        does: what the rest of the console does with runs.
        name_of: what a run is called on the screen, by its id and the name of its plan.
    """

    def __init__(
        self,
        archive: RunArchive,
        appearance: Appearance,
        window: QWidget,
        does: Doing,
        name_of: Callable[[str, str], str] = lambda _, name: name,
    ) -> None:
        super().__init__(window)
        self._name_of = name_of
        self._archive, self._appearance, self._window, self._does = archive, appearance, window, does
        self.background_tasks = BackgroundTasks("console: history")
        self._reading: asyncio.Task[None] | None = None
        self._found: list[RunRecord] = []
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(FOLLOWING)
        self._again.timeout.connect(self._read_going)
        self._plans: dict[Path, str] = {}
        self.dialog: HistoryDialog | None = None

    def show(self) -> HistoryDialog:
        """Open the dialog and read all runs again."""
        if self.dialog is not None:
            return self.dialog
        dialog = self.dialog = HistoryDialog(self._appearance, self._archive, self._window)
        dialog.open_asked.connect(self._open)
        dialog.resume_asked.connect(self._go_on)
        dialog.export_asked.connect(self._export)
        dialog.import_asked.connect(self._import)
        dialog.grid_asked.connect(self._show_grid)
        dialog.delete_asked.connect(self._delete)
        dialog.tidy_asked.connect(self._tidy)
        dialog.restore_asked.connect(self._restore)
        dialog.empty_asked.connect(self._empty)
        dialog.finished.connect(self._closed)
        dialog.open()
        self._read()
        return dialog

    async def settled(self) -> None:
        """Return once all reading and all actions have ended."""
        await self.background_tasks.settled()

    def close(self) -> None:
        """Stop reading and acting."""
        self._again.stop()
        self.background_tasks.cancel()

    def _closed(self, _result: int) -> None:
        self.dialog = None
        self._again.stop()
        if self._reading is not None:
            self._reading.cancel()

    # ---- reading

    def _read(self) -> None:
        self._again.stop()
        if self._reading is not None:
            self._reading.cancel()
        self._reading = self.background_tasks.begin(self._read_all())

    def _read_going(self) -> None:
        """Read the runs again that go on, in whichever program."""
        self._reading = self.background_tasks.begin(self._follow())

    async def _follow(self) -> None:
        going = [run.folder for run in self._found if run.held_by is not None]
        try:
            fresh = {run.folder: run for run in await self._archive.records(going, whole=True)}
        except StarloomError as error:
            self._tell_unread(error)
            return
        self._show([fresh.get(run.folder, run) for run in self._found], None)

    async def _read_all(self) -> None:
        found: list[RunRecord] = []
        try:
            folders = await self._archive.folders()
            for begin in range(0, len(folders), BATCH):
                found += await self._archive.records(folders[begin : begin + BATCH], whole=True)
                self._show(found, len(folders))
        except StarloomError as error:
            self._show(found, None)
            self._tell_unread(error)
            return
        self._show(found, None)
        trash = await in_background(tidying.trashed, self._archive.directory)
        if self.dialog is not None:
            self.dialog.show_trash(len(trash))

    def _tell_unread(self, error: StarloomError) -> None:
        if self.dialog is not None:
            self.dialog.show_trouble(why_not(error))

    def _show(self, found: Sequence[RunRecord], of: int | None) -> None:
        for run in found:  # what they are called then is no longer what their plan is called
            self._plans.setdefault(run.folder, run.name)
        self._found = [replace(run, name=self._name_of(run.run_id, run.name)) for run in found]
        if self.dialog is None:
            return
        self.dialog.show_runs(self._found, of)
        if of is None and any(run.held_by is not None for run in found):
            self._again.start()

    # ---- one run

    def _open(self, run: RunRecord) -> None:
        self._end()
        self._does.show(run)

    def _go_on(self, run: RunRecord) -> None:
        self._end()
        (self._does.reopen if run.state in ENDED_STATES else self._does.resume)(run)

    def _export(self, run: RunRecord) -> None:
        if self.dialog is not None:
            reason = self._does.export(run.folder, run.name or run.run_id, self.dialog, self._end)
            self.dialog.show_trouble(reason)

    @async_slot()
    async def _import(self) -> None:
        if self.dialog is None:
            return
        dialog = FileDialog(self.dialog, self.tr("Import a run"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([fill(self.tr("Runs (%1)"), f"*{ENDING}"), self.tr("All files (*)")])
        path = await chosen(dialog)
        if path is not None:
            self._end()
            self._does.open_file(path)

    def _show_grid(self, run: RunRecord) -> None:
        plan, store = self._plans.get(run.folder, ""), self._does.plan_runs
        grid = GridDialog(plan, run.run_id, store, self._appearance, self._name_of, self.dialog)
        for chosen_there, act in ((grid.chosen, self._does.show_at), (grid.compare_chosen, self._does.compare)):
            chosen_there.connect(self._end)
            chosen_there.connect(act)
        grid.open()

    def _end(self) -> None:
        if self.dialog is not None:
            self.dialog.accept()

    # ---- doing without

    @async_slot(list)
    async def _delete(self, runs: Sequence[RunRecord]) -> None:
        if self.dialog is None or not runs:
            return
        sentence = self.tr("Nothing is lost: until the trash is emptied, all of it can be had back.")
        lines = [ListRow("", run.name or run.run_id, (run.run_id,)) for run in runs]
        words = RemovedRunPlurals().delete(len(runs))
        choices = [Choice("", self.tr("Cancel")), Choice(DO, self.tr("Put into the trash"), is_default=True)]
        rows = RowList(self._appearance, lines, words)
        question = ChoiceDialog(self._appearance, words, sentence, choices, rows, self.dialog)
        if await answer_to(question) == DO:
            await self._discard(runs)

    def _tidy(self) -> None:
        if self.dialog is not None:
            dialog = TidyDialog(self._appearance, self._found, self.dialog)
            dialog.agreed.connect(self._discard_agreed)
            dialog.open()

    @async_slot(list)
    async def _discard_agreed(self, runs: Sequence[RunRecord]) -> None:
        await self._discard(runs)

    async def _discard(self, runs: Sequence[RunRecord]) -> None:
        gone: set[Path] = set()
        for run in runs:
            await self._does.let_go(run)
            if not await self._tried(asyncio.to_thread(tidying.discard, run.folder)):
                break
            gone.add(run.folder)
        # only now: a reading may have ended between two of them, and found what was there when it began
        self._found = [one for one in self._found if one.folder not in gone]
        self._does.plan_runs.forget([run.run_id for run in runs if run.folder in gone])
        await self._show_what_is_left()

    @async_slot()
    async def _restore(self) -> None:
        lying = await in_background(tidying.trashed, self._archive.directory)
        folders = [tidying.place_of(path) for path in lying]
        at = next((at for at, folder in enumerate(folders) if not folder.exists()), 0)  # one that is there again stays
        if lying and await self._tried(asyncio.to_thread(tidying.put_back, lying[at])):
            folder = folders[at]
            back = await self._archive.records([folder], whole=True)
            self._found = [*(one for one in self._found if one.folder != folder), *back]
            self._does.plan_runs.read_again()
        await self._show_what_is_left()

    @async_slot()
    async def _empty(self) -> None:
        lying = await in_background(tidying.trashed, self._archive.directory)
        if self.dialog is None or not lying:
            return
        freed = await in_background(_size_of_all, lying)
        sentence = fill(self.tr("This frees %1 and cannot be undone."), size(freed))
        choices = [Choice("", self.tr("Cancel"), is_default=True), Choice(DO, self.tr("Remove for good"))]
        words = RemovedRunPlurals().empty(len(lying))
        rows = RowList(self._appearance, [ListRow("", path.name) for path in lying], words)
        question = ChoiceDialog(self._appearance, words, sentence, choices, rows, self.dialog)
        if await answer_to(question) == DO:
            await self._tried(asyncio.to_thread(tidying.empty, lying))
        await self._show_what_is_left()

    async def _show_what_is_left(self) -> None:
        if self._reading is not None and not self._reading.done():
            self._read()  # what goes on being read is of before; asked with nothing awaited since the change
            return
        self._show(self._found, None)
        lying = await in_background(tidying.trashed, self._archive.directory)
        if self.dialog is not None:
            self.dialog.show_trash(len(lying))

    async def _tried(self, doing: Coroutine[Any, Any, object]) -> bool:
        """Whether it was done; if not, the dialog says why."""
        try:
            await doing
        except StarloomError as error:
            if self.dialog is not None:
                self.dialog.show_trouble(why_not(error))
            return False
        if self.dialog is not None:
            self.dialog.show_trouble("")
        return True


def _size_of_all(folders: Sequence[Path]) -> int:
    return sum(size_of(folder) for folder in folders)
