"""Reading a run now or at a moment of its journal. Panes read through it and need not know which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from starloom_gui.gateway.changes import Changes
from starloom_gui.time_travel.log import PastLog, ShownLog

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from starloom.journal.recording import Recording
    from starloom.scheduling.read.line import InLine
    from starloom.scheduling.read.run_view import RunView
    from starloom.scheduling.read.why import Reason
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.gateway.run_reader import RunReader
    from starloom_gui.time_travel.moment_reader import MomentReader


class TimeTravelReader(QObject):
    """A `RunReader` of a run at present, or at the shown moment of its past.

    Args:
        run_id: of the run.
        present: reads it as it is now; None: only its journal tells of it.
        parent: of the object.

    Attributes:
        run_id: of the run.
        past: the moment that is shown; None: the present is.
        log: the events up to then.

    Signals:
        moved(Changes): another moment is shown, or the present again; everything is to be read anew.
        passed(Changes): time has passed at which nothing happened.
    """

    moved = Signal(object)
    passed = Signal(object)

    def __init__(self, run_id: str, present: RunReader | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.run_id, self._present = run_id, present
        self.past: MomentReader | None = None
        self.log = ShownLog(present.log if present is not None else None)
        self._past_log: PastLog | None = None

    # ---- what is shown

    @property
    def is_past(self) -> bool:
        """Whether the shown moment is read-only."""
        return self.past is not None or self._present is None

    @property
    def has_present(self) -> bool:
        """Whether there is a present to go back to."""
        return self._present is not None

    def show_past(self, recording: Recording, past: MomentReader) -> None:
        """Show a moment."""
        if self._past_log is None:
            self._past_log = PastLog(recording)
        before = self._past_log.end
        self._past_log.go_to(past.position)
        self.log.show(self._past_log, is_back=self._past_log.end < before)
        self.past = past
        self.moved.emit(Changes(run_id=self.run_id, everything=True, log=True))

    def pass_time(self, at: float) -> None:
        """Show the same facts at a later or earlier time."""
        if self.past is not None:
            self.past.at = at
            self.passed.emit(Changes(run_id=self.run_id, second=True))

    def show_present(self) -> None:
        """Show the present state of the run."""
        if self._present is not None and self.past is not None:
            self.past = None
            self.log.show(self._present.log)
            self.moved.emit(Changes(run_id=self.run_id, everything=True, log=True))

    @property
    def _shown(self) -> MomentReader | RunReader:
        shown = self.past or self._present
        assert shown is not None, "a recording is shown at a moment before anything reads it"
        return shown

    # ---- reading

    def facts(self) -> RunFacts | None:
        """The facts of the run; None: nothing is shown yet."""
        shown = self.past or self._present
        return shown.facts() if shown is not None else None

    def view(self) -> RunView | None:
        """The run; None: nothing is shown yet."""
        shown = self.past or self._present
        return shown.view() if shown is not None else None

    def now(self) -> float:
        """The time that is shown, on the run's clock."""
        shown = self.past or self._present
        return shown.now() if shown is not None else 0.0

    def present_time(self) -> float | None:
        """The present time; None: there is no present, or the run has ended in it."""
        run = self._present.facts() if self._present is not None else None
        return None if self._present is None or run is None or run.state.has_ended else self._present.now()

    def present_seq(self) -> int:
        """The number of the last event of the run as it is now; 0: there is no present."""
        run = self._present.facts() if self._present is not None else None
        return run.seq if run is not None else 0

    def fleet(self) -> FleetFacts:
        """The facts of the fleet; at a moment, as the run's own journal tells of it."""
        return self._shown.fleet()

    def runs(self) -> Sequence[RunFacts]:
        """The facts of all runs; at a moment, of this one alone."""
        return self._shown.runs()

    def run(self, run_id: str) -> RunFacts | None:
        """The facts of a run; None: there is none."""
        return self._shown.run(run_id)

    def in_line(self, most: int) -> tuple[list[InLine], int]:
        """The first so many of the ready queue, and how many stand in it."""
        return self._shown.in_line(most)

    def wall(self, at: float) -> float:
        """Seconds since 1970 of a time on the run's clock."""
        return self._shown.wall(at)

    def why(self, run_id: str, task_id: str) -> tuple[Reason, ...]:
        """The reasons why a task does not run; none of one that is only staged."""
        return self._shown.why(run_id, task_id)

    def fenced(self, among: Iterable[int] | None = None) -> frozenset[int]:
        """The ready tasks, or those among some, that do not start because agents, or people, are asked."""
        return self._shown.fenced(among)
