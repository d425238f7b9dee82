"""The shutdown of an engine: waiting until its runs have ended, unless it halts meanwhile."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Any, Final, Literal

from starloom.events import (
    QuestionAsked,
    RunEnded,
    RunPaused,
    RunStalled,
    TaskCancelled,
    TaskCompleted,
    TaskFailed,
    TaskSkipped,
    TaskStuck,
)
from starloom.scheduling.commands import CloseAdmission

if TYPE_CHECKING:
    from collections.abc import Awaitable, Coroutine, Mapping

    from starloom.events import Event
    from starloom.orchestration.bus import EventBus
    from starloom.orchestration.dispatcher import Dispatcher
    from starloom.orchestration.pump import Pump
    from starloom.orchestration.run import Run

ShutdownMode = Literal["drain", "cancel_pending", "now", "leave"]

_SIGNS_OF_REST: Final = (
    RunEnded,
    RunStalled,
    RunPaused,
    QuestionAsked,
    TaskStuck,
    TaskCompleted,
    TaskFailed,
    TaskCancelled,
    TaskSkipped,
)


async def first_of(*awaitables: Awaitable[Any]) -> None:
    """Return when one of them is done; the others are cancelled and have ended by then."""
    futures = [asyncio.ensure_future(one) for one in awaitables]
    try:
        await asyncio.wait(futures, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for future in futures:
            future.cancel()
        await asyncio.gather(*futures, return_exceptions=True)


async def unless_halted(doing: Coroutine[Any, Any, None], pump: Pump, halting: asyncio.Event) -> None:
    """Await a coroutine; cancel it if the engine halts meanwhile.

    Args:
        doing: what is done.
        pump: of the engine.
        halting: set when it halts.

    Raises:
        JournalError: it did.
    """
    await first_of(task := asyncio.ensure_future(doing), halting.wait())
    if pump.halted is not None:
        raise pump.halted
    task.result()


async def end_runs(
    mode: ShutdownMode,
    pump: Pump,
    runs: Mapping[str, Run],
    dispatcher: Dispatcher,
    events: EventBus,
    halting: asyncio.Event,
) -> None:
    """Accept no new runs; return when every run has ended or cannot go on by itself, or when the engine halts.

    Draining must wait neither for a task that is held nor for an attempt that cannot be stopped.

    Args:
        mode: see `Orchestrator.shutdown`.
        pump: of the engine.
        runs: the handles by run id.
        dispatcher: of the engine, which counts what runs.
        events: tell when to look again.
        halting: set when the engine halts.
    """
    if pump.halted is not None:
        return
    await pump.ask(CloseAdmission(cancel_queued=mode != "drain", cancel_running=mode == "now", origin="shutdown"))
    news = asyncio.Event()

    def note(_event: Event) -> None:
        news.set()

    with events.subscribe(note, *_SIGNS_OF_REST, max_pending=sys.maxsize):
        while pump.halted is None:
            live = [runs[run_id] for run_id in pump.scheduler.live if run_id in runs]
            if not _is_waited_for(mode, live, dispatcher.alive, dispatcher.stuck):
                return
            news.clear()
            await first_of(news.wait(), halting.wait())


def _is_waited_for(mode: ShutdownMode, live: list[Run], alive: int, stuck: int) -> bool:
    if stuck and alive <= stuck and not any(any(map(run.facts.pauses, run.facts.backoff)) for run in live):
        return False
    if mode == "now":
        return bool(live and alive)
    return any(not _rests(run) for run in live)


def _rests(run: Run) -> bool:
    """Whether no task of the run goes on or will start by itself; one that waits for a person's answer does not."""
    facts = run.facts
    if facts.awaiting:
        return len(facts.awaiting) == facts.running
    return not facts.running and (facts.state != "executing" or bool(facts.stalled))
