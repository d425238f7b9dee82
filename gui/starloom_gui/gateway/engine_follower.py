"""Following an engine in another program: its facts as they are here, and its events as they come.

While the connection is lost what was known stays, and the server is looked for.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections import OrderedDict
from contextlib import aclosing
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from starloom.errors import StarloomError
from starloom.events import ConstellationModified, RunCreated, Snapshot
from starloom.orchestration.bus import EventBus
from starloom.scheduling.read.why import why
from starloom.server.socket_path import ServerError
from starloom_gui.text.engine_words import why_not

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from starloom.events import Event
    from starloom.scheduling.fork import Fork
    from starloom.scheduling.read.why import Reason
    from starloom.scheduling.scheduler import Scheduler
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom.server.following import EngineFollowing
    from starloom.server.listings import Person

_log = logging.getLogger(__name__)
_REMEMBERED: Final = 1_000
"""Edits whose inverses are kept for whoever has made them."""


class EngineFollower(QObject):
    """Follows an engine: see `Engine` for the facts it tells.

    Args:
        where: the machine, for sentences.
        has_left: says whether no server is there; False: one is, or nobody knows.

    Attributes:
        where: likewise.
        has_left: likewise.
        bus: publishes the events.
        lost_since: when the connection was lost, in seconds on the engine's clock; None: it is there.
        is_silent: whether it is there, and the server answers nothing, so that it counts as lost.
        trouble: why it is not followed any more, for good; empty: it is.
        people: those who are connected to the server.

    Signals:
        link_changed(): the connection is lost, or there again.
        run_begun(str, str): a run lives there that was not there before; and who began it, empty where that is not
            known.
        people_changed(tuple): others are connected to the server than before, each a `Person`.
    """

    link_changed = Signal()
    run_begun = Signal(str, str)
    people_changed = Signal(object)

    def __init__(self, where: str, has_left: Callable[[], bool] = lambda: False) -> None:
        super().__init__()
        self.where, self.has_left = where, has_left
        self.bus = EventBus(self._snapshots)
        self.lost_since: float | None = None
        self.is_silent = False
        self._there_since = -math.inf
        """When the connection was there again, in seconds on the loop's clock."""
        self.trouble = ""
        self._following: EngineFollowing
        self._runs: Mapping[str, RunFacts] | None = None
        self._known: frozenset[str] = frozenset()
        """The ids of the runs before the last turns."""
        self._edits: OrderedDict[tuple[str, int], ConstellationModified] = OrderedDict()
        self.people: tuple[Person, ...] = ()
        self._news = asyncio.Condition()
        self._task: asyncio.Task[None] | None = None

    # ---- life

    async def begin(self, following: EngineFollowing) -> None:
        """Follow, and return once all that lives is known.

        Raises:
            StarloomError: it cannot be followed.
        """
        self._following = following
        begun: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._task = asyncio.get_running_loop().create_task(self._follow(begun), name="console: follow an engine")
        await begun

    async def close(self) -> None:
        """Follow no more; closing twice is allowed."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self.bus.close()

    async def _follow(self, begun: asyncio.Future[None]) -> None:
        try:
            async with aclosing(self._following.turns()) as turns:
                async for events in turns:
                    self._take(events)
                    if not begun.done():
                        begun.set_result(None)
                    async with self._news:
                        self._news.notify_all()
        except StarloomError as error:
            if not begun.done():
                begun.set_exception(error)
                return
            _log.warning("The engine at %s is followed no more: %s", self.where, error)
            self.trouble = why_not(error)
            self.note_lost()

    def note_lost(self) -> None:
        """Note that the connection is lost."""
        was_silent, self.is_silent = self.is_silent, False
        if self.lost_since is None:
            self.lost_since = self.now()
        elif not was_silent:
            return
        self.link_changed.emit()

    def note_silent(self, since: float) -> None:
        """Note that the server answers nothing, as its program stands still or is too busy.

        Args:
            since: since when, in seconds on the loop's clock. What was asked before the connection was there again
                may have to be asked anew, and says nothing of it.
        """
        if self.lost_since is None and since >= self._there_since:
            self.is_silent, self.lost_since = True, self.now()
            self.link_changed.emit()

    def note_answered(self) -> None:
        """Note that the server answers; one that was silent does so again."""
        if self.is_silent:
            self._be_back()

    def _be_back(self) -> None:
        self.lost_since, self.is_silent = None, False
        self._there_since = asyncio.get_running_loop().time()
        self.bus.publish(self._snapshots(missed=1))  # what was sent may be a state rather than its events
        self.link_changed.emit()

    def _take(self, events: list[Event]) -> None:
        self._runs = None
        for event in events:
            if type(event) is ConstellationModified:
                self._edits[event.run_id, event.revision] = event
                if len(self._edits) > _REMEMBERED:
                    self._edits.popitem(last=False)
        self.bus.publish(events)
        if self.lost_since is not None:
            self._be_back()
        elif skipped := self._following.replica.take_skipped():
            self.bus.publish(self._snapshots(skipped, missed=1))
        known, self._known = self._known, frozenset(self.run_ids)
        if begun := self._known - known:
            origins = {event.run_id: event.origin for event in events if type(event) is RunCreated}
            for run_id in [run_id for run_id in self.live if run_id in begun]:
                self.run_begun.emit(run_id, origins.get(run_id, ""))
        if self._following.people != self.people:
            self.people = self._following.people
            self.people_changed.emit(self.people)

    def _snapshots(self, among: Collection[str] = (), missed: int = 0) -> list[Snapshot]:
        runs = [run for run_id, run in self.runs.items() if not among or run_id in among]
        return [Snapshot(run.seq, self.now(), run.run_id, missed, None) for run in runs]

    # ---- waiting

    async def caught_up(self) -> None:
        """Return once all turns until now are here, or cannot be, as the connection is lost."""
        try:
            await self._following.caught_up()
        except ServerError as error:
            _log.debug("what was done is not here yet: %s", error)

    async def known(self, run_id: str) -> None:
        """Return once there is a run of this id."""
        async with self._news:
            await self._news.wait_for(lambda: run_id in self.run_ids)

    async def fork(self, run_id: str) -> Fork:
        """A copy of the state with a run, for foresight, with what the server tells for that.

        Raises:
            KeyError: there is no such run.
        """
        self._check(run_id)
        try:
            await self._following.ask_hints(run_id)
            async with self._news:
                await self._news.wait_for(lambda: self._following.knows_durations(run_id))
        except ServerError as error:
            _log.debug("foreseen without hints: %s", error)
        self._check(run_id)
        return self._following.replica.fork(run_id, self._last_heard())

    def _check(self, run_id: str) -> None:
        if run_id not in self.run_ids:
            raise KeyError(run_id)

    # ---- facts

    @property
    def runs(self) -> Mapping[str, RunFacts]:
        """The facts of the runs that live, or have ended while they were followed, by id; the oldest first."""
        if self._runs is None:
            self._runs = self._following.replica.runs
        return self._runs

    @property
    def scheduler(self) -> Scheduler:
        """The state of its scheduler, put together of what was sent."""
        return self._following.replica.scheduler

    @property
    def run_ids(self) -> Sequence[str]:
        """The ids of `runs`."""
        return self._following.replica.run_ids

    @property
    def live(self) -> Iterable[str]:
        """The ids of those that have not ended."""
        return [run_id for run_id, run in self.runs.items() if not run.state.has_ended]

    @property
    def fleet_facts(self) -> FleetFacts:
        """The facts of its fleet."""
        return self._following.replica.fleet

    def facts(self, run_id: str) -> RunFacts | None:
        """The facts of a run; None: there is none of this id."""
        return self.runs.get(run_id)

    def made_edit(self, run_id: str, revision: int) -> ConstellationModified | None:
        """The edit that has led to a revision; None: it is not known any more."""
        return self._edits.get((run_id, revision))

    def now(self) -> float:
        """Seconds on its clock."""
        return self._following.now()

    def _last_heard(self) -> float:
        """Seconds on its clock up to which it is heard of: what comes later is foreseen, and explained, from there."""
        return self.now() if self.lost_since is None else self.lost_since

    def why(self, run_id: str, task_id: str) -> tuple[Reason, ...]:
        """The reasons why a task does not run, the blocking ones first; none of an unknown task or run."""
        scheduler = self.scheduler
        index = scheduler.runs.get(run_id)
        number = None if index is None else index.run.graph.place.get(task_id)
        if index is None or number is None:
            return ()
        scheduler.now = max(scheduler.now, self._last_heard())
        return why(scheduler, index, number)

    def forget(self, run_id: str) -> None:
        """Drop a run that has ended."""
        self._following.replica.forget(run_id)
        self._runs, self._known = None, self._known - {run_id}
