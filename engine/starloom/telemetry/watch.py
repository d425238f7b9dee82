"""The instrumentation of one engine: attaches the measuring parts, and detaches them again."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Self, cast

from starloom.errors import CommandRefused
from starloom.journal.base import Journal, NullJournal
from starloom.telemetry.lag import LagProbe
from starloom.telemetry.reading import Reading
from starloom.telemetry.tally import Tally
from starloom.telemetry.timed_journal import TimedJournal

if TYPE_CHECKING:
    from types import TracebackType

    from starloom.events import Event
    from starloom.orchestration.orchestrator import Orchestrator


class EngineWatch:
    """Measures an open engine from its creation until `close`; an engine without one pays nothing.

    It is an observer of events, a timer while something happens, and a stop-watch around the journal if one is kept.
    Nothing wakes up while the engine is idle.

    Args:
        orchestrator: the engine; must be open.

    Raises:
        CommandRefused: the engine is not open.
    """

    def __init__(self, orchestrator: Orchestrator) -> None:
        pump = getattr(orchestrator, "pump", None)
        if pump is None:
            raise CommandRefused("not_open", "The engine to watch is not open.", "Open it first, e.g. `async with`.")
        self._orchestrator = orchestrator
        self._tally = Tally()
        self._probe = LagProbe(asyncio.get_running_loop())
        self._journal: TimedJournal | None = None
        if type(pump.journal) is not NullJournal:  # its heirs do keep something
            self._journal = TimedJournal(pump.journal)
            pump.journal = cast("Journal", self._journal)  # it passes on what it does not time
        self._subscription = orchestrator.events.subscribe(self._tell, *self._tally.kinds)

    def _tell(self, event: Event) -> None:
        self._tally.tell(event)
        self._probe.arm()

    async def reading(self) -> Reading:
        """The engine's metrics, with all events that were committed before the call."""
        await self._probe.measure()
        if not self._subscription.closed:
            await self._orchestrator.events.caught_up()
        halted = self._orchestrator.halted
        return Reading(
            scheduler=self._orchestrator.counters(),
            task_endings=dict(self._tally.endings),
            retries=self._tally.retries,
            queue_wait=self._tally.waits.reading(),
            loop_lag=self._probe.lags.reading(),
            journal=self._journal.reading() if self._journal is not None else None,
            halted=str(halted) if halted is not None else None,
            events_missed=self._subscription.missed,
        )

    def close(self) -> None:
        """Stop measuring and detach all parts; closing twice is no error."""
        self._subscription.close()
        self._probe.close()
        pump = self._orchestrator.pump
        if self._journal is not None and pump.journal is cast("Journal", self._journal):
            pump.journal = self._journal.inside

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
