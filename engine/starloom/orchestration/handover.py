"""Handing runs over to another program with the same journals, which takes up what goes on without the first one.

The first program decides nothing more once everything is committed, and ends without ending what it runs: to the second
one it is a program that has died. So there is one way in which attempts change hands, and nothing that could be lost
between two.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from starloom.agents.rules import RuleAgent
from starloom.errors import CommandRefused, StarloomError
from starloom.formats.rules import read_rules
from starloom.journal.base import NullJournal
from starloom.journal.records import find_folder
from starloom.model.device import DeviceSpec
from starloom.model.status import OnInterrupt, RunState

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection
    from pathlib import Path

    from starloom.orchestration.orchestrator import Orchestrator
    from starloom.orchestration.run import Run
    from starloom.scheduling.instructions import StartTask
    from starloom.scheduling.state.run_facts import RunFacts


_NAMED: Final = 5
"""So many attempts are named; more are counted."""


class HandedRun(msgspec.Struct, frozen=True, omit_defaults=True):
    """A run that changes hands.

    Attributes:
        resumes: whether it was paused for that alone, and is resumed.
        rules: the names under which the rules of its plan are attached as an agent, to be attached again.
    """

    run_id: str
    resumes: bool = False
    rules: tuple[str, ...] = ()


class Handover(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one program hands over to another.

    Attributes:
        runs: all that have not ended.
        devices: the fleet, but for what a program has made itself.
    """

    runs: tuple[HandedRun, ...] = ()
    devices: tuple[DeviceSpec, ...] = ()


class Interruptions(NamedTuple):
    """What would end with this program.

    Attributes:
        attempts: those that nobody can take over, as they run in this program or their tasks do not want it.
        agents: those that are part of this program, by run and name; rules of plans are not.
    """

    attempts: tuple[StartTask, ...]
    agents: tuple[tuple[str, str], ...]


def interruptions(orchestrator: Orchestrator) -> Interruptions:
    """What would end with this program if its runs were handed over now."""
    agents = [
        (run_id, name)
        for run_id, index in orchestrator.pump.scheduler.live.items()
        for name in (index.run.cycles.agents if index.run.cycles is not None else ())
        if name not in _rules_of(orchestrator, run_id)
    ]
    attempts = [order for order in orchestrator.dispatcher.orders if not _goes_on(orchestrator, order)]
    return Interruptions(tuple(attempts), tuple(agents))


def _goes_on(orchestrator: Orchestrator, order: StartTask) -> bool:
    is_kept = not isinstance(orchestrator.pump.journal, NullJournal)
    is_wanted = order.task.on_interrupt is OnInterrupt.REATTACH
    return is_kept and is_wanted and orchestrator.dispatcher.devices[order.device_id].outlives_program(order.task)


def _rules_of(orchestrator: Orchestrator, run_id: str) -> tuple[str, ...]:
    """The names under which a run's own rules are attached to it."""
    facts, synchronizer = orchestrator.pump.facts(run_id), orchestrator.synchronizer
    if facts.cycles is None or not facts.rules:
        return ()
    rules = read_rules(facts.rules)
    agents = {name: synchronizer.agent(run_id, name) for name in facts.cycles.agents}
    return tuple(name for name, agent in agents.items() if isinstance(agent, RuleAgent) and agent.rules == rules)


async def hand_over(orchestrator: Orchestrator, paused: Collection[str] = ()) -> Handover:
    """Decide nothing more once everything is committed, and leave alone what runs; returns what another one takes over.

    The program has to end by `os._exit` then: where its loop ends as usual all attempts are cancelled.

    Args:
        orchestrator: the engine.
        paused: the runs that were paused to be handed over, and are to go on.

    Raises:
        CommandRefused: an attempt would end with this program, or the engine shuts down; nothing has changed.
    """
    await orchestrator.pump.at_rest()
    orchestrator.check_open()
    check_nothing_ends(orchestrator)
    handover = _handover(orchestrator, paused)
    await orchestrator.shutdown("leave")  # without a turn of the loop, in which more could be decided
    return handover


def check_nothing_ends(orchestrator: Orchestrator) -> None:
    """Raise `CommandRefused` if an attempt would end with this program."""
    tied = interruptions(orchestrator).attempts
    if tied:
        named = ", ".join(f"{order.task_id!r} on {order.device_id!r}" for order in tied[:_NAMED])
        rest = f" and {len(tied) - _NAMED} more" if len(tied) > _NAMED else ""
        reason = f"This would interrupt {named}{rest}, of which nothing goes on without the program."
        raise CommandRefused("would_interrupt", reason, "Hand the runs over when that has ended.")


def _handover(orchestrator: Orchestrator, paused: Collection[str]) -> Handover:
    runs = [
        HandedRun(
            run_id,
            resumes=run_id in paused and index.run.state is RunState.PAUSED,
            rules=_rules_of(orchestrator, run_id),
        )
        for run_id, index in orchestrator.pump.scheduler.live.items()
    ]
    return Handover(tuple(runs), tuple(orchestrator.fleet.specs))


async def take_over(
    handover: Handover,
    resume: Callable[[HandedRun], Awaitable[Run | None]],
    refused: Callable[[str, StarloomError], object],
) -> None:
    """Go on with the runs of a program that has handed them over, and has ended.

    Args:
        handover: what it has handed over; its devices are not added.
        resume: goes on with a run, with its `agents_of`; None: it does not, as the user does not want that.
        refused: is told which run does not go on, and why; the others do.
    """
    for handed in handover.runs:
        try:
            run = await resume(handed)
            if run is not None and handed.resumes:
                await run.resume(origin="engine")  # not refused by whoever has reserved it, as nobody has asked for it
        except StarloomError as error:
            refused(handed.run_id, error)


async def resume_handed(orchestrator: Orchestrator, directory: Path, handed: HandedRun) -> Run:
    """Resume a run that was handed over.

    Args:
        orchestrator: the engine that goes on with it.
        directory: of the journals.
        handed: the run.

    Raises:
        StarloomError: see `Orchestrator.resume`.
    """
    return await orchestrator.resume(find_folder(directory, handed.run_id), agents=partial(agents_of, handed))


def agents_of(handed: HandedRun, run: RunFacts) -> list[RuleAgent]:
    """The agents of a run that go on in the program that takes it over; see `Orchestrator.resume`."""
    return [RuleAgent(read_rules(run.rules), name=name) for name in handed.rules]
