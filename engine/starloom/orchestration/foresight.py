"""Projection beside the loop: the live state is copied at once, the rest is done in a thread that gives way.

Measured with 10,000 tasks: the copy takes about half a millisecond. A thread that does not give way makes the loop wait
5 ms whenever it wakes up, as long as the interpreter takes to switch; giving way every half millisecond brings that
down to half a millisecond and costs a fifth more time. A process would have to be sent the state, which keeps the loop
waiting for 80 ms.
"""

from __future__ import annotations

import asyncio
import threading
import time
from dataclasses import replace
from reprlib import repr as shortened
from typing import TYPE_CHECKING, Final, TypeVar

from starloom.errors import CommandRefused
from starloom.foresight.estimates import Estimates
from starloom.scheduling.commands import Command
from starloom.scheduling.fork import Fork

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from starloom.model.likeness import ObservedDurations
    from starloom.orchestration.pump import Pump
    from starloom.pauses import Pause
    from starloom.scheduling.scheduler import Scheduler
    from starloom.scheduling.state.run_facts import RunFacts

REMEMBERED: Final = 20_000
"""Tasks of ended runs whose durations tell how long others will take; the latest runs count."""
_AT_ONE_GO: Final = 0.0005
"""Seconds of work between two naps."""
_NAP: Final = 0.0001
"""Seconds; long enough for the loop to take over."""
_T = TypeVar("_T")


class _GivenUp(Exception):  # noqa: N818 - it never leaves this module
    """Raised if the result is no longer needed."""


def fork_of(pump: Pump, run_id: str) -> Fork:
    """A copy of the live state with this run, and with the durations of recent runs.

    Args:
        pump: whose state.
        run_id: a run in memory.
    """
    scheduler = pump.scheduler
    return Fork.of(scheduler, pump.clock(), also=[run_id, *_recent(scheduler)])


async def foresee(pump: Pump, run_id: str, work: Callable[..., _T]) -> _T:
    """Do pure work on a fork with a run in a thread; returns its result. Runs of earlier programs give durations, too.

    Args:
        pump: whose run.
        run_id: the run; taken back into memory if it was let go of.
        work: is given the fork, and as `pause` what it calls now and then; see `beside_the_loop`.
    """
    await pump.ended_runs.recall(run_id)
    await pump.large.finished()
    fork = fork_of(pump, run_id)
    return await beside_the_loop(lambda pause: work(pump.past_runs.added_to(fork, run_id), pause=pause))


async def durations_told(pump: Pump, run_id: str) -> ObservedDurations:
    """What other runs that have ended tell about the durations of a run, for a program that does not have them.

    Args:
        pump: whose runs.
        run_id: the run; taken back into memory if it was let go of.
    """

    def work(fork: Fork, pause: Pause) -> ObservedDurations:
        ended = [copy.run for other, copy in fork.copies.items() if other not in fork.live and other != run_id]
        known = (*ended, *fork.past)
        return Estimates(known, pause=pause).durations(run.run_id for run in known)

    return await foresee(pump, run_id, work)


def durations_for(pump: Pump, plan: str) -> Callable[[Fork, str], Fork]:
    """What adds durations of earlier runs of a plan to a fork in which it is run; to be called in a thread.

    Args:
        pump: knows the runs of this program, which are copied at once, and those of earlier ones.
        plan: the name of the plan.
    """
    here = _ended_here(pump, plan)

    def added(fork: Fork, run_id: str) -> Fork:
        known = pump.past_runs.added_to(fork, run_id)
        ids = {run.run_id for run in here}
        return replace(known, past=(*here, *(run for run in known.past if run.run_id not in ids)))

    return added


async def durations_of_plan(pump: Pump, plan: str) -> ObservedDurations:
    """What earlier runs of the plan of a name tell about its durations, for a program that does not have them.

    Args:
        pump: whose runs.
        plan: the name of the plan.
    """
    here = _ended_here(pump, plan)

    def work(pause: Pause) -> ObservedDurations:
        ids = {run.run_id for run in here}
        known = (*here, *(run for run in pump.past_runs.of(plan) if run.run_id not in ids))
        return Estimates(known, pause=pause).durations(run.run_id for run in known)

    return await beside_the_loop(work)


def _ended_here(pump: Pump, plan: str) -> tuple[RunFacts, ...]:
    """Copies of the recent runs of a plan in memory that have ended."""
    recent = [pump.scheduler.runs[run_id].run for run_id in _recent(pump.scheduler)]
    return tuple(run.copy(run.fleet) for run in recent if run.name == plan)


def _recent(scheduler: Scheduler) -> list[str]:
    found: list[str] = []
    left = REMEMBERED
    for index in reversed(scheduler.by_number.values()):
        if index.run.state.has_ended:
            left -= len(index.run.status)
            if left < 0:
                break
            found.append(index.run.run_id)
    return found


def check_commands(commands: Iterable[object]) -> None:
    """Refuse values that are no commands.

    Raises:
        CommandRefused: one of these is no command.
    """
    for command in commands:
        if not isinstance(command, Command):
            hint = "Make one of starloom.scheduling.commands, e.g. SetLimits(max_concurrency=8)."
            raise CommandRefused("not_a_command", f"{shortened(command)} is no command.", hint)


async def beside_the_loop(work: Callable[[Pause], _T]) -> _T:
    """Run pure work in a thread that yields to the loop; cancelling ends it within a few milliseconds.

    Args:
        work: calls what it is given every few hundred microseconds and lets through what that raises.
    """
    given_up = threading.Event()
    rested = time.perf_counter()

    def pause() -> None:
        nonlocal rested
        if time.perf_counter() - rested > _AT_ONE_GO:
            if given_up.is_set():
                raise _GivenUp
            time.sleep(_NAP)
            rested = time.perf_counter()

    try:
        return await asyncio.get_running_loop().run_in_executor(None, work, pause)
    finally:
        given_up.set()
