"""The model of the timeline as numbers: lanes, bars and projection, updated from the facts of a run. No Qt here.

It holds no truth: one that was kept up for hours equals one that was made from the facts just now.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from starloom_gui.text.words import straight
from starloom_gui.timeline.baseline_bars import BaselineBars, moments_after
from starloom_gui.timeline.collect import all_bars, bars_of
from starloom_gui.timeline.other_clock import OtherClock
from starloom_gui.timeline.staged_bars import mark_moved
from starloom_gui.viewmodel.lane_bars import NEVER, BarKey, LaneBars
from starloom_gui.viewmodel.lanes import Lane, Slot, lanes_of
from starloom_gui.viewmodel.projected import projected_bars
from starloom_gui.viewmodel.wall_time import WallTime

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from starloom.foresight.projection import Projection
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.diff.baseline_run import BaselineRun
    from starloom_gui.viewmodel.lane_bars import Bar

_NO_BARS: Final = LaneBars()


class TimelineModel:
    """Lanes and bars of one run, with those of other runs on the same fleet among them.

    Attributes:
        runs: the facts that are read: the run that is shown, then the others.
        lanes: what rows there are, from the top.
        projection: what is foreseen, as last given; None: nothing is known.
        decided: task and attempt of those that decided the finish; none before the run has ended.
        staged: what would be foreseen if the staged edits were committed; None: nothing is staged.
        earlier: the run it is compared with; None: there is none.
        quiet: by number, since when running tasks have printed nothing for long, in seconds since 1970.

    Args:
        run: the run that is shown; only read.
        others: the other runs of its fleet; only read.
    """

    def __init__(self, run: RunFacts, others: Sequence[RunFacts] = ()) -> None:
        self.runs = [run, *others]
        self.projection: Projection | None = None
        self.decided: frozenset[tuple[int, int]] = frozenset()
        self.quiet: Mapping[int, float] = {}
        self.staged: Projection | None = None
        self._after: RunFacts | None = None
        self.earlier: BaselineRun | None = None
        self._ghosts: BaselineBars | None = None
        self.lanes: tuple[Lane, ...] = ()
        self._rows: dict[Slot, int] = {}
        self._foreseen: dict[Slot, LaneBars] = {}
        self._staged: dict[Slot, LaneBars] = {}
        self.rebuild()

    @property
    def run(self) -> RunFacts:
        """The run that is shown."""
        return self.runs[0]

    @property
    def is_planned(self) -> bool:
        """Whether it is a plan that was not started, so that no wall time is known."""
        return self.run.run_started_at is None and not any(wall for _, wall in self.run.sessions)

    # ---- keeping up

    def rebuild(self) -> None:
        """Rebuild all bars, as after a lag or a resumption."""
        self._has_begun = self.run.run_started_at is not None
        self._bars = all_bars(self.runs if self._has_begun else [self.run])  # before it, others' times are not its own
        self._seen: object = None
        self._sessions = [len(run.sessions) for run in self.runs]
        self.wall = WallTime(self.run.sessions, is_relative=self.is_planned)
        if self._ghosts is not None and self._ghosts.fits(self.run):
            self._lay_out_ghosts()
        else:
            self._raise_ghosts()
        self._line_up()

    def set_others(self, others: Sequence[RunFacts]) -> None:
        """Show the bars of these other runs."""
        self.runs[1:] = others
        self.rebuild()

    def turn_to(self, run: RunFacts, others: Sequence[RunFacts]) -> None:
        """Show the same run by other facts, as of another moment."""
        self.runs = [run, *others]
        self.rebuild()

    def update(self, numbers: Iterable[int] = (), run_id: str | None = None) -> None:
        """Read these tasks again, and the lanes.

        Args:
            numbers: the tasks that may have changed since the last time.
            run_id: whose they are; None: of the run that is shown.

        Raises:
            KeyError: no such run is shown.
        """
        index = self._index_of(run_id)
        run = self.runs[index]
        is_resumed = [len(one.sessions) for one in self.runs] != self._sessions  # every earlier time was moved
        if is_resumed or self._has_begun != (self.run.run_started_at is not None):
            self.rebuild()
            return
        if index and not self._has_begun:
            return
        if self.earlier is not None and not index and (self._ghosts is None or not self._ghosts.fits(run)):
            self._raise_ghosts()
        ghosts = self._ghosts if not index else None
        clock = OtherClock(run.sessions if index else (), self.run.sessions)
        for number in numbers:
            slot = None
            for slot, own in bars_of(run, index, number):
                bar = clock.bar(own)
                if bar is None:
                    continue
                lane = self._bars.get(slot)
                if lane is None:
                    lane = self._bars[slot] = LaneBars()
                lane.put(bar)
            if ghosts is not None and slot is not None:
                ghosts.move(number, slot)
        self._line_up()

    def decided_by(self, bar: Bar) -> bool:
        """Whether an attempt of the run that is shown is one of those that decided its finish."""
        return not bar.run and (bar.number, bar.attempt) in self.decided

    def project(self, projection: Projection | None, bars: Mapping[Slot, LaneBars] | None = None) -> None:
        """Show a projection; to be called once a second at most.

        Args:
            projection: None: nothing is known.
            bars: what `projected_bars` made of it, if that was done in a thread.
        """
        self.projection = projection
        self._foreseen = self._made(projection, bars)
        mark_moved(self._foreseen, self._staged)
        self._lay_out_ghosts()
        self._line_up()

    def stage(
        self,
        projection: Projection | None,
        bars: Mapping[Slot, LaneBars] | None = None,
        after: RunFacts | None = None,
    ) -> None:
        """Show the projection with the staged edits committed.

        Args:
            projection: None: nothing is staged, or nothing is known.
            bars: what `projected_bars` made of it and of `after`, if that was done in a thread.
            after: the facts of the run with the edits applied; tasks that would be added are named by them.
        """
        self.staged, self._after = projection, after
        self._staged = self._made(projection, bars, after)
        mark_moved(self._foreseen, self._staged)
        self._lay_out_ghosts()
        self._line_up()

    def compare(self, earlier: BaselineRun | None) -> None:
        """Show the bars of an earlier run as a baseline; None: hide them."""
        self.earlier = earlier
        self._raise_ghosts()

    def _raise_ghosts(self) -> None:
        """Rebuild the ghosts; before the run has started there are none, as their start is unknown."""
        earlier, has_begun = self.earlier, self.run.run_started_at is not None
        self._ghosts = BaselineBars(earlier, self.run) if earlier is not None and has_begun else None
        self._lay_out_ghosts()

    def _lay_out_ghosts(self) -> None:
        if self._ghosts is not None:
            self._ghosts.lay_out(self._bars, self._staged if self.staged is not None else self._foreseen)

    def _made(
        self,
        projection: Projection | None,
        bars: Mapping[Slot, LaneBars] | None,
        after: RunFacts | None = None,
    ) -> dict[Slot, LaneBars]:
        if bars is not None:
            return dict(bars)
        return projected_bars(projection, after or self.run) if projection is not None else {}

    def _line_up(self) -> None:
        """Create a lane for each slot; computed only where there may be a new one."""
        slots = tuple((name, device.offered) for name, device in self.run.fleet.devices.items())
        seen = (slots, len(self._bars), id(self._foreseen), id(self._staged))
        if seen != self._seen:
            self._seen = seen
            used = [slot for slot, lane in self._bars.items() if self._is_used(slot, lane)]
            self.lanes = lanes_of(self.run.fleet, [*used, *self._foreseen, *self._staged])
            self._rows = {(lane.device_id, lane.slot): row for row, lane in enumerate(self.lanes)}

    def _is_used(self, slot: Slot, lane: LaneBars) -> bool:
        """Whether a slot has a lane: the run has used it, its device has it, or an attempt still runs in it."""
        if lane.stretch(0) is not None:
            return True
        device = self.run.fleet.devices.get(slot[0])
        if device is None:
            return False
        return device.offered is None or slot[1] < device.offered or lane.has_open

    def _index_of(self, run_id: str | None) -> int:
        if run_id is None:
            return 0
        for index, run in enumerate(self.runs):
            if run.run_id == run_id:
                return index
        raise KeyError(run_id)

    # ---- reading

    def bars(self, row: int) -> LaneBars:
        """The bars of attempts in a row; for reading only."""
        lane = self.lanes[row]
        return self._bars.get((lane.device_id, lane.slot), _NO_BARS)

    def foreseen(self, row: int, *, staged: bool = False) -> LaneBars:
        """The projected bars in a row; for reading only."""
        lane = self.lanes[row]
        return (self._staged if staged else self._foreseen).get((lane.device_id, lane.slot), _NO_BARS)

    def ahead(self, row: int) -> LaneBars:
        """The projected bars in a row as users see them: with the staged edits, where there are any."""
        return self.foreseen(row, staged=self.staged is not None)

    def ghosts(self, row: int) -> LaneBars:
        """The baseline bars in a row; for reading only."""
        lane = self.lanes[row]
        return self._ghosts.lane((lane.device_id, lane.slot)) if self._ghosts is not None else _NO_BARS

    @property
    def finish_then(self) -> float | None:
        """The finish of the run it is compared with, had both begun at once; None: unknown."""
        return self._last_then() if self.earlier is not None and self.earlier.has_ended else None

    def _last_then(self) -> float | None:
        """When the last would happen that is known of that run."""
        if self.earlier is None or self.run.run_started_at is None:
            return None
        return float(moments_after(np.array([self.earlier.took]), self.run)[0])

    @property
    def outlook(self) -> Projection | None:
        """The projection as users see it: with the staged edits, where there are any."""
        return self.staged if self.staged is not None else self.projection

    def row_of(self, slot: Slot) -> int | None:
        """The row of a slot."""
        return self._rows.get(slot)

    def bars_of(self, number: int) -> list[tuple[int, Bar]]:
        """Row and bar of each attempt of a task of the run that is shown, oldest first."""
        if number >= len(self.run.status):  # it would only be added
            return []
        found = ((self._rows.get(slot), bar) for slot, bar in bars_of(self.run, 0, number))
        return [(row, bar) for row, bar in found if row is not None]

    def name_of(self, key: BarKey) -> str:
        """The name of a bar; that of another run has the name of its run, one of a staged task a plus sign."""
        run = self.runs[key.run]
        if key.run:
            return run.name or run.run_id
        is_new = key.number >= len(run.graph.tasks)
        graph = self._after.graph if is_new and self._after is not None else run.graph
        if key.number >= len(graph.tasks):  # it was staged a moment ago
            return ""
        name = straight(graph.names.title(key.number))
        return f"+ {name}" if is_new else name

    def id_of(self, number: int) -> str:
        """The id of a task of the run that is shown, also of one that would only be added; empty: it has gone."""
        for run in (self.run, self._after):
            if run is not None and number < len(run.graph.ids):
                return run.graph.ids[number]
        return ""

    @property
    def is_empty(self) -> bool:
        """Whether no bar is there to be shown: of a run that waits for its start nobody knows when any would be."""
        waits = self.run.run_started_at is None and not self.is_planned
        return not any(lane.size for lane in self._bars.values()) and (waits or not self.is_foreseen)

    @property
    def is_foreseen(self) -> bool:
        """Whether the start of any task is foreseen."""
        return any(lane.size for lane in self._foreseen.values())

    def extent(self, now: float) -> tuple[float, float] | None:
        """The time from the first start to the last end of the shown run, known or projected; None: it has not started.

        Args:
            now: what runs has come that far.
        """
        lanes = (*self._bars.values(), *self._foreseen.values(), *self._staged.values())
        own = [found for lane in lanes if (found := lane.stretch(0)) is not None]
        if not own:
            begun, ended = self.run.run_started_at, self.run.run_ended_at
            return (begun, ended) if begun is not None and ended is not None else None
        last = max(_finite(end, now) for _, end in own)
        foreseen = self.outlook.end if self.outlook is not None and not self.run.state.has_ended else None
        last = max(last, foreseen or last, self._last_then() or last)
        return min(start for start, _ in own), last


def _finite(at: float, now: float) -> float:
    return now if at == NEVER else at
