"""Taking verbs back: what undoes holds, breakpoints, pins, priorities, skips and run limits, and what nothing does."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from starloom.model.quantities import parse_priority
from starloom.scheduling.codes import RUNNING, SKIPPED
from starloom_gui.bridge.verbs import Target, Verb, Verdict
from starloom_gui.words import fill, translate

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starloom.scheduling.run_facts import RunFacts


@dataclass(frozen=True, slots=True)
class Call:
    """A verb that is asked for; `given` are the fields of its command."""

    verb: Verb
    target: Target
    given: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Steering:
    """Verbs that are asked for together, and what has to be so for that to make sense.

    Attributes:
        calls: the verbs.
        verb: what the user did or takes back; decides what is read of a task.
        expects: what is read of each task, by id, unless somebody else has steered it meanwhile; of the run itself
            under no id.
    """

    calls: tuple[Call, ...]
    verb: Verb
    expects: Mapping[str, Any]


_READ: Final[dict[Verb, Callable[[RunFacts, int], Any]]] = {
    Verb.HOLD: lambda run, number: number in run.held,
    Verb.RELEASE: lambda run, number: number in run.held,
    Verb.PRIORITISE: lambda run, number: run.priority[number],
    Verb.PIN: lambda run, number: run.pins.get(number),
    Verb.SET_BREAKPOINT: lambda run, number: number in run.breakpoints,
    Verb.CLEAR_BREAKPOINT: lambda run, number: number in run.breakpoints,
    Verb.SKIP: lambda run, number: run.status[number] == SKIPPED,
}
"""What each verb that can be taken back changes of a task."""
_RUN: Final = ""
"""Stands for the run itself, where tasks are told by their ids."""
_OPPOSITE: Final = {
    Verb.HOLD: Verb.RELEASE,
    Verb.RELEASE: Verb.HOLD,
    Verb.SET_BREAKPOINT: Verb.CLEAR_BREAKPOINT,
    Verb.CLEAR_BREAKPOINT: Verb.SET_BREAKPOINT,
    Verb.SKIP: Verb.RETRY,
}


def both_ways(run: RunFacts, verb: Verb, target: Target, given: Mapping[str, Any]) -> tuple[Steering, Steering] | None:
    """What takes a verb back, and what does it again; read before it is asked for.

    Returns:
        None: nothing takes it back, or it would change nothing.
    """
    if verb is Verb.LIMIT_RUN:
        return _limit_both_ways(run, given.get("max_concurrency"))
    read = _READ.get(verb)
    numbers = {id: run.graph.place[id] for id in target.task_ids if id in run.graph.place}
    if read is None or lasting(run, verb, target):
        return None
    wanted = _wanted(verb, given)
    before = {id: read(run, number) for id, number in numbers.items()}
    changed = {id: value for id, value in before.items() if value != wanted}
    if not changed:
        return None
    calls = tuple(_back(verb, Target(run.run_id, ids), value) for value, ids in _alike(changed))
    forth = Call(verb, Target(run.run_id, tuple(changed)), given)
    return Steering(calls, verb, dict.fromkeys(changed, wanted)), Steering((forth,), verb, changed)


def _limit_both_ways(run: RunFacts, wanted: int | None) -> tuple[Steering, Steering] | None:
    if run.limit == wanted:
        return None
    back, forth = (Call(Verb.LIMIT_RUN, Target(run.run_id), {"max_concurrency": most}) for most in (run.limit, wanted))
    return (
        Steering((back,), Verb.LIMIT_RUN, {_RUN: wanted}),
        Steering((forth,), Verb.LIMIT_RUN, {_RUN: run.limit}),
    )


def lasting(run: RunFacts, verb: Verb, target: Target) -> str:
    """Why a verb could not be taken back, as a sentence to be read beforehand; empty: it could."""
    if verb is Verb.LIMIT_RUN:
        return ""
    if verb not in _READ:
        return translate("Editing", "This cannot be undone.")
    if verb is not Verb.SKIP:
        return ""
    for id in target.task_ids:
        number = run.graph.place.get(id)
        if number is not None and (run.tries[number] or run.status[number] >= RUNNING):
            return fill(translate("Editing", "This cannot be undone: “%1” has started."), id)
    return ""


def overtaken(run: RunFacts, steering: Steering) -> Verdict:
    """Whether tasks and run are still as the steering left them; else which one is not."""
    if steering.verb is Verb.LIMIT_RUN:
        if run.limit == steering.expects[_RUN]:
            return Verdict(True)
        other = translate("Editing", "The limit of this run has been changed otherwise since.")
        return Verdict(False, other, translate("Editing", "Change it by hand if that is not what you want."))
    for id, value in steering.expects.items():
        number = run.graph.place.get(id)
        if number is None:
            return Verdict(False, fill(translate("Editing", "“%1” is not there any more."), id))
        if _READ[steering.verb](run, number) != value:
            reason = fill(translate("Editing", "“%1” has been steered otherwise since."), id)
            return Verdict(False, reason, translate("Editing", "Steer it by hand if that is not what you want."))
    return Verdict(True)


def _wanted(verb: Verb, given: Mapping[str, Any]) -> Any:
    if verb is Verb.PRIORITISE:
        try:
            return parse_priority(given.get("priority"))
        except ValueError:  # the engine will refuse it and say why
            return None
    return given.get("device_id") if verb is Verb.PIN else verb not in {Verb.RELEASE, Verb.CLEAR_BREAKPOINT}


def _back(verb: Verb, target: Target, value: Any) -> Call:
    if verb is Verb.PRIORITISE:
        return Call(verb, target, {"priority": value})
    if verb is Verb.PIN:
        return Call(verb, target, {"device_id": value})
    return Call(_OPPOSITE[verb], target)


def _alike(values: Mapping[str, Any]) -> list[tuple[Any, tuple[str, ...]]]:
    """The ids that have the same value, by value."""
    found: dict[Any, list[str]] = {}
    for id, value in values.items():
        found.setdefault(value, []).append(id)
    return [(value, tuple(ids)) for value, ids in found.items()]
