"""Chooses the baseline of the run in front: a list of the stored runs, and reading one of them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject

from starloom.errors import StarloomError
from starloom_gui.diff.baseline_run import BaselineRun
from starloom_gui.event_loop import BackgroundTasks
from starloom_gui.history.compare_dialog import CompareDialog
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text import wall_clock
from starloom_gui.text.engine_words import why_not
from starloom_gui.text.words import fill
from starloom_gui.widgets.message_bar import ErrorMessage
from starloom_gui.workspace.recorded import RecordedRun, read_to_its_end

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QWidget

    from starloom.journal.records import RunRecord
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.gateway.run_archive import RunArchive
    from starloom_gui.panels.compared_run import Compared
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.widgets.actions import Actions
    from starloom_gui.widgets.loading import LoadingStrip
    from starloom_gui.workspace.document_view import DocumentView

BATCH: Final = 25
"""Runs that are read before they are offered."""
VERB: Final = "compare"
OFF: Final = "compare_off"
_SHOWING: Final = ("timeline", "tasks")
"""The panes in which it can be seen at once that there is something to compare with."""


class Chooser(QObject):
    """Carries out the actions that compare runs. To be used where the loop runs.

    Args:
        archive: the earlier runs.
        appearance: the colours of the dialog.
        window: what it stands over; it owns this.
        loading: says what is being read, once that takes a while.
        report: is told what cannot be read.
        front: gives the view in front; None: there is none.
        turn: turns to a pane.
        name_of: gives what a run is called, by its id and the name of its plan.

    Attributes:
        dialog: where a run is chosen; None: it is not open.
    """

    def __init__(
        self,
        archive: RunArchive,
        appearance: Appearance,
        window: QWidget,
        loading: LoadingStrip,
        report: Callable[[ErrorMessage], None],
        front: Callable[[], DocumentView | None],
        turn: Callable[[str], None],
        name_of: Callable[[str, str], str],
    ) -> None:
        super().__init__(window)
        self._archive, self._appearance, self._window = archive, appearance, window
        self._loading, self._report, self._front, self._turn = loading, report, front, turn
        self._name_of = name_of
        self.background_tasks = BackgroundTasks("console: compare")
        self._listing: asyncio.Task[None] | None = None
        self._reading: asyncio.Task[None] | None = None
        self._chosen: WeakKeyDictionary[DocumentView, RunRecord] = WeakKeyDictionary()
        """What was chosen last for each view."""
        self._outdated: set[str] = set()
        """The baselines whose runs have changed since they were read, by id."""
        self._refreshing: asyncio.Task[None] | None = None
        self.dialog: CompareDialog | None = None
        loading.cancel_asked.connect(self.cancel)

    # ---- what is possible

    def allow(self, actions: Actions) -> None:
        """Update which actions are possible."""
        view, compared = self._front(), self._compared()
        none = Verdict(False, self.tr("Nothing is open.") if view is None else self.tr("No run is in front."))
        missing = Verdict(not self._archive.missing, self._archive.missing)
        actions.allow(VERB, missing if compared is not None else none)
        alone = Verdict(False, self.tr("The run is not compared with another one."))
        is_on = compared is not None and compared.earlier is not None
        actions.allow(OFF, none if compared is None else Verdict(True) if is_on else alone)

    def _compared(self) -> Compared | None:
        view = self._front()
        return view.compared if view is not None and view.source.run_id else None

    # ---- the verbs

    def toggle(self) -> None:
        """Stop comparing, or ask for a baseline."""
        compared = self._compared()
        if compared is not None and compared.earlier is not None:
            compared.compare(None)
        else:
            self.choose()

    def stop(self) -> None:
        """Show the run in front alone again."""
        compared = self._compared()
        if compared is not None:
            compared.compare(None)

    def choose(self) -> None:
        """Ask which run to compare the one in front with."""
        view = self._front()
        run = view.reader.facts() if view is not None and self._compared() is not None else None
        if view is None or run is None or self.dialog is not None:
            return
        if missing := self._archive.missing:
            self._report(ErrorMessage("", missing, is_notice=True, of_tab=True))
            return
        dialog = self.dialog = CompareDialog(
            self._appearance, self._archive, run.name, self._window, name_of=self._name_of
        )
        dialog.chosen.connect(lambda chosen: self._begin(view, chosen))
        dialog.finished.connect(self._closed)
        dialog.open()
        self._listing = self.background_tasks.begin(self._list(run.run_id, run.wall_time))

    def cancel(self) -> None:
        """Drop a baseline that is not read yet, also one that is read again."""
        for task in (self._reading, self._refreshing):
            if task is not None:
                task.cancel()

    async def settled(self) -> None:
        """Return once nothing is being read."""
        await self.background_tasks.settled()

    def close(self) -> None:
        """Stop reading."""
        self.background_tasks.cancel()

    # ---- the list

    async def _list(self, but: str, before: float) -> None:
        """Offer the runs that are not later than one, of this id and made at this moment, in seconds since 1970."""

        def is_earlier(run: RunRecord) -> bool:
            return run.run_id != but and run.created <= before

        found: list[RunRecord] = []
        try:
            folders = await self._archive.folders()
            for begin in range(0, len(folders), BATCH):
                found += await self._archive.records(folders[begin : begin + BATCH])
                self._offer([run for run in found if is_earlier(run)], (len(found), len(folders)))
        except StarloomError as error:
            self._report(ErrorMessage("", why_not(error)))
        self._offer([run for run in found if is_earlier(run)], None)

    def _offer(self, found: Sequence[RunRecord], reading: tuple[int, int] | None) -> None:
        if self.dialog is not None:
            self.dialog.show_runs(found, reading)

    def _closed(self, _result: int) -> None:
        self.dialog = None
        if self._listing is not None:
            self._listing.cancel()

    # ---- reading one

    def _begin(self, view: DocumentView, chosen: RunRecord) -> None:
        if self._reading is not None:
            self._reading.cancel()
        self._reading = self.background_tasks.begin(self._read(view, chosen))
        self._reading.add_done_callback(self._ended)

    async def _read(self, view: DocumentView, chosen: RunRecord) -> None:
        name = self._name_of(chosen.run_id, chosen.name)
        refused = fill(self.tr("Not compared with “%1”"), name)
        try:
            found = await read_to_its_end(self._archive, chosen.folder, name, self._loading)
        except StarloomError as error:
            self._report(ErrorMessage(refused, why_not(error), of_tab=True))
            return
        found.recording.close()
        if found.ended.folded.run.run_started_at is None:
            self._report(ErrorMessage(refused, self.tr("It was never started."), of_tab=True))
            return
        if found.recording.trouble:
            what = fill(self.tr("“%1” is compared up to where its journal is damaged"), name)
            self._report(ErrorMessage(what, found.recording.trouble, of_tab=True))
        earlier = self._baseline(view, chosen, found)
        view.compared.compare(earlier)
        self._chosen[view] = chosen
        is_seen = view is self._front() and view.compared.earlier is earlier
        if is_seen and not any(map(view.views.is_visible, _SHOWING)):
            self._turn(_SHOWING[0])

    def _baseline(self, view: DocumentView, chosen: RunRecord, found: RecordedRun) -> BaselineRun:
        output = partial(self._archive.output, chosen.folder)
        return BaselineRun(found.ended.folded.run, found.ended.at, self._title(view, chosen), output)

    def _title(self, view: DocumentView, chosen: RunRecord) -> str:
        """The title of a baseline: its date if it is of the same plan, else its name, too."""
        made = wall_clock.marked(f"{wall_clock.shown(chosen.created):%Y-%m-%d %H:%M}")
        run = view.reader.facts()
        is_same = run is not None and run.name == chosen.name
        return made if is_same else fill(self.tr("%1, %2"), self._name_of(chosen.run_id, chosen.name), made)

    def _ended(self, task: asyncio.Task[None]) -> None:
        if task is self._reading:
            self._reading = None
        if self._reading is None:
            self._loading.end()

    # ---- reading it again

    def on_changes(self, changes: Changes) -> None:
        """Read a baseline again as its run starts, is reopened or ends."""
        if (changes.run or changes.everything) and any(map(partial(self._is_of, changes.run_id), self._chosen)):
            self._outdated.add(changes.run_id)
            if self._refreshing is None or self._refreshing.done():
                self._refreshing = self.background_tasks.begin(self._refresh())
                self._refreshing.add_done_callback(self._ended)

    @staticmethod
    def _is_of(run_id: str, view: DocumentView) -> bool:
        """Whether a view is compared with a run."""
        earlier = view.compared.earlier
        return earlier is not None and earlier.run.run_id == run_id

    async def _refresh(self) -> None:
        while self._outdated:
            run_id = self._outdated.pop()
            for view, chosen in list(self._chosen.items()):
                if not self._is_of(run_id, view):
                    continue
                try:
                    found = await read_to_its_end(
                        self._archive, chosen.folder, self._name_of(run_id, chosen.name), self._loading
                    )
                except StarloomError:
                    continue  # what was read before is still true of that moment, and the run's own tab tells of it
                found.recording.close()
                if self._is_of(run_id, view):
                    view.compared.compare(self._baseline(view, chosen, found))
