"""The last runs of plans as their journals have them: read once in a process of its own, and shared by all views."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

import msgspec
from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from starloom.decodable import decodable
from starloom.errors import StarloomError
from starloom.model.status import RunState
from starloom.reporting.digests_child import MOST, DigestsRequest, command_line
from starloom.reporting.run_digest import RunDigest
from starloom_gui.event_loop import BackgroundTasks
from starloom_gui.text.engine_words import why_not

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Collection, Sequence

    from starloom_gui.gateway.run_archive import RunArchive

__all__ = ["MOST", "PlanReading", "PlanRuns"]
_FETCHED: Final = 0.9
"""Share of the work that bringing the runs is, where they are on another machine."""
_GOING: Final = frozenset(str(state) for state in RunState if not state.has_ended)
_decode: Final = msgspec.json.Decoder(decodable(RunDigest)).decode


class Ended(Protocol):
    """What came of a process."""

    @property
    def code(self) -> int:
        """Its exit code."""

    @property
    def said(self) -> str:
        """What it says is wrong."""


class CarryOut(Protocol):
    """Runs a command in a process, see `shell.child.carried_out`."""

    async def __call__(
        self, command: Sequence[str], tell: Callable[[str, int], None], take: Callable[[bytes], None]
    ) -> Ended:
        """Return what came of it."""


@dataclass(slots=True)
class PlanReading:
    """How far reading the runs of a plan is.

    Attributes:
        columns: those that were read, in any order.
        found: how many there are by now.
        share: of all there is to be done, 0 to 1, that is done.
        is_over: whether nothing is being read any more.
        is_whole: whether all of it was read.
        trouble: why not; empty: it was, or nobody wanted it any more.
    """

    columns: list[RunDigest] = field(default_factory=list)
    found: int = 0
    share: float = 0.0
    is_over: bool = False
    is_whole: bool = False
    trouble: str = ""


class _Columns:
    """The columns of a reading while that goes on: those of before until they were read again.

    Args:
        reading: has them.
        gone: the ids of runs of which there are none, whatever is read.
    """

    def __init__(self, reading: PlanReading, gone: Collection[str]) -> None:
        self._reading, self._gone = reading, gone
        self._seen: set[str] = set()

    def put(self, column: RunDigest) -> None:
        """Take over a column that was read."""
        if column.run_id in self._gone:
            return
        self._seen.add(column.run_id)
        known = {one.run_id: one for one in self._reading.columns} | {column.run_id: column}
        self._reading.columns = list(known.values())

    def drop_others(self) -> None:
        """Drop those that were not read, if all was: their journals have gone."""
        if self._reading.is_whole:
            self._reading.columns = [one for one in self._reading.columns if one.run_id in self._seen]


class PlanRuns(QObject):
    """Reads and keeps the last runs of plans. To be used where the loop runs.

    Args:
        archive: the runs; None: there are none.
        carry_out: runs a command in a process.
        parent: of the object.

    Signals:
        changed(str): more is known of the runs of the plan of this name.
        forgotten(object): the runs of these ids are no more.
    """

    changed = Signal(str)
    forgotten = Signal(object)

    def __init__(
        self,
        archive: RunArchive | None = None,
        carry_out: CarryOut | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._archive, self._carry_out = archive, carry_out
        self._readings: dict[str, PlanReading] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._gone: set[str] = set()
        self.background_tasks = BackgroundTasks("console: runs of a plan")

    @property
    def missing(self) -> str:
        """Why there are none, as a sentence; empty: they can be read."""
        return "" if self._archive is None else self._archive.missing

    def of(self, plan: str) -> PlanReading | None:
        """What is known of the runs of a plan; None: nobody has asked yet."""
        return self._readings.get(plan)

    def look_again(self, plan: str, here: Collection[str]) -> None:
        """Read the runs of a plan again if some, but for those of these ids, had not ended when they were read."""
        reading = self._readings.get(plan)
        read = reading.columns if reading is not None and reading.is_over else ()
        if any(one.state in _GOING and one.run_id not in here for one in read):
            self.ask(plan, again=True)

    def ask(self, plan: str, *, again: bool = False) -> None:
        """Read the runs of a plan, unless that was done or goes on.

        Args:
            plan: its name.
            again: read them though they were read.
        """
        reading = self._readings.get(plan)
        if self._archive is None or self._archive.missing or self._carry_out is None:
            return
        if reading is not None and (not reading.is_over or not again):
            return
        kept = [] if reading is None else reading.columns
        self._readings[plan] = PlanReading(kept)
        self.changed.emit(plan)
        task = self.background_tasks.begin(self._read(plan, self._archive, self._carry_out))
        self._tasks[plan] = task
        task.add_done_callback(lambda _: self._end(plan))

    def forget(self, run_ids: Collection[str]) -> None:
        """Drop runs whose journals were put into the trash, also from what is being read."""
        self._gone.update(run_ids)
        self.forgotten.emit(frozenset(run_ids))
        for plan, reading in self._readings.items():
            reading.columns = [column for column in reading.columns if column.run_id not in self._gone]
            self.changed.emit(plan)

    def read_again(self) -> None:
        """Read the runs of all plans again that were asked for, as journals are back."""
        self._gone.clear()
        for plan in list(self._readings):
            self.ask(plan, again=True)

    def _end(self, plan: str) -> None:
        self._readings[plan].is_over = True
        self._tasks.pop(plan, None)
        self.changed.emit(plan)

    def cancel(self, plan: str) -> None:
        """Read no more runs of a plan; those that were read are kept."""
        if (task := self._tasks.get(plan)) is not None:
            task.cancel()

    async def settled(self) -> None:
        """Return once nothing is being read."""
        await self.background_tasks.settled()

    async def close(self) -> None:
        """Read nothing any more, whoever asks; returns once no process is left."""
        self._carry_out = None  # a view that is still shown may ask
        self.background_tasks.cancel()
        await self.settled()

    # ---- reading

    async def _read(self, plan: str, archive: RunArchive, carry_out: CarryOut) -> None:
        reading = self._readings[plan]
        columns = _Columns(reading, self._gone)
        states: dict[str, str] = {}
        """Of runs that go on elsewhere, which their copies do not tell."""
        share_before = 0.0

        def put(column: RunDigest) -> None:
            columns.put(column)
            self.changed.emit(plan)

        def take(line: bytes) -> None:
            column = _decode(line)
            put(replace(column, state=states.get(column.run_id, column.state)))

        def tell(found: str, percent: int) -> None:
            count = int(found) if found.isdigit() else 0
            reading.found = max(reading.found, count)
            reading.share = share_before + (1.0 - share_before) * percent / 100
            self.changed.emit(plan)

        def tell_fetched(found: int, share: float) -> None:
            reading.found, reading.share = found, _FETCHED * share
            self.changed.emit(plan)

        try:
            fetched = await archive.fetch_runs_of(plan, MOST, tell_fetched)
            share_before = 0.0 if fetched is None else _FETCHED
            for one in fetched or ():
                if one.state == "unreadable":
                    folder, since, trouble = str(one.folder), one.updated, one.trouble
                    put(RunDigest(run_id=one.run_id, folder=folder, state=one.state, since=since, trouble=trouble))
                else:
                    states[one.run_id] = one.state
            ended = await carry_out(command_line(DigestsRequest(str(archive.directory), plan)), tell, take)
            reading.is_whole = not ended.code
            columns.drop_others()
            reading.trouble = "" if reading.is_whole else ended.said or str(ended.code)
        except OSError as error:
            reading.trouble = error.strerror or str(error)
        except StarloomError as error:
            reading.trouble = why_not(error)
        except (ValueError, msgspec.MsgspecError) as error:  # what it says is none of ours
            reading.trouble = str(error)
