"""Taking verbs back: what undoes holds, breakpoints, pins, priorities, skips, limits and what is said of devices.

What nothing takes back says why.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from starloom.model.quantities import parse_priority
from starloom.scheduling.codes import RUNNING, SKIPPED
from starloom_gui.gateway.verbs import Target, Verb, Verdict
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starloom.scheduling.device_facts import DeviceFacts
    from starloom.scheduling.fleet_facts import FleetFacts
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
        expects: what is read of each task or device, by id, unless somebody else has steered it meanwhile; of the run
            itself under no id, of the fleet by the names of its limits.
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
_READ_DEVICE: Final[dict[Verb, Callable[[DeviceFacts], Any]]] = {
    Verb.DRAIN: lambda device: device.draining,
    Verb.UNDRAIN: lambda device: device.draining,
    Verb.ENABLE: lambda device: device.enabled,
    Verb.DISABLE: lambda device: device.enabled,
    Verb.SET_SLOTS: lambda device: device.offered,
}
"""Likewise of a device."""
OF_FLEET: Final = frozenset({*_READ_DEVICE, Verb.SET_LIMITS})
"""Those of them that are about devices and the limits of all runs."""
_RUN: Final = ""
"""Stands for the run itself, where tasks are told by their ids."""
_OPPOSITE: Final = {
    Verb.HOLD: Verb.RELEASE,
    Verb.RELEASE: Verb.HOLD,
    Verb.SET_BREAKPOINT: Verb.CLEAR_BREAKPOINT,
    Verb.CLEAR_BREAKPOINT: Verb.SET_BREAKPOINT,
    Verb.SKIP: Verb.RETRY,
    Verb.DRAIN: Verb.UNDRAIN,
    Verb.UNDRAIN: Verb.DRAIN,
    Verb.ENABLE: Verb.DISABLE,
    Verb.DISABLE: Verb.ENABLE,
}
_OFF: Final = frozenset({Verb.RELEASE, Verb.CLEAR_BREAKPOINT, Verb.UNDRAIN, Verb.DISABLE})
"""Those after which what is read is not so any more."""
_GIVEN: Final = {Verb.PRIORITISE: "priority", Verb.PIN: "device_id", Verb.SET_SLOTS: "slots"}
"""The field of the command that says what it is to be."""


def both_ways(
    run: RunFacts, fleet: FleetFacts | None, verb: Verb, target: Target, given: Mapping[str, Any]
) -> tuple[Steering, Steering] | None:
    """What takes a verb back, and what does it again; read before it is asked for.

    Returns:
        None: nothing takes it back, or it would change nothing.
    """
    if verb is Verb.LIMIT_RUN:
        return _limit_both_ways(run, given.get("max_concurrency"))
    if lasting(run, fleet, verb, target):
        return None
    if verb is Verb.SET_LIMITS:
        return _limits_both_ways(fleet, given) if fleet is not None else None
    wanted, before = _wanted(verb, given), _before(run, fleet, verb, target)
    changed = {id: value for id, value in before.items() if value != wanted}
    if not changed:
        return None
    calls = tuple(_back(verb, target, ids, value) for value, ids in _alike(changed))
    forth = Call(verb, _about(target, tuple(changed)), given)
    return Steering(calls, verb, dict.fromkeys(changed, wanted)), Steering((forth,), verb, changed)


def _before(run: RunFacts, fleet: FleetFacts | None, verb: Verb, target: Target) -> dict[str, Any]:
    """What a verb is going to change of tasks or of a device, by id."""
    if verb in _READ_DEVICE:
        device = fleet.devices.get(target.device_id) if fleet is not None else None
        return {device.id: _READ_DEVICE[verb](device)} if device is not None else {}
    return {id: _READ[verb](run, run.graph.place[id]) for id in target.task_ids if id in run.graph.place}


def _about(target: Target, ids: tuple[str, ...]) -> Target:
    """The same target with no other tasks than these."""
    return target if target.device_id else Target(target.run_id, ids)


def _limit_both_ways(run: RunFacts, wanted: int | None) -> tuple[Steering, Steering] | None:
    if run.limit == wanted:
        return None
    back, forth = (Call(Verb.LIMIT_RUN, Target(run.run_id), {"max_concurrency": most}) for most in (run.limit, wanted))
    return (
        Steering((back,), Verb.LIMIT_RUN, {_RUN: wanted}),
        Steering((forth,), Verb.LIMIT_RUN, {_RUN: run.limit}),
    )


def _limits_both_ways(fleet: FleetFacts, wanted: Mapping[str, Any]) -> tuple[Steering, Steering] | None:
    before = _limits(fleet, wanted)
    if before == wanted:
        return None
    back, forth = (Call(Verb.SET_LIMITS, Target(), limits) for limits in (before, wanted))
    return Steering((back,), Verb.SET_LIMITS, wanted), Steering((forth,), Verb.SET_LIMITS, before)


def _limits(fleet: FleetFacts, named: Mapping[str, Any]) -> dict[str, Any]:
    """The limits of the fleet that are named, as `SetLimits` takes them."""
    return {
        name: {group: fleet.groups.get(group) for group in value} if name == "groups" else getattr(fleet, name)
        for name, value in named.items()
    }


def lasting(run: RunFacts, fleet: FleetFacts | None, verb: Verb, target: Target) -> str:
    """Why nothing takes a verb back, to be read before it is asked for; empty: something does."""
    if verb is Verb.SKIP:
        started = (run.graph.place[id] for id in target.task_ids if id in run.graph.place)
        if any(run.tries[number] or run.status[number] >= RUNNING for number in started):
            return translate("Editing", "what was skipped had started")
        return ""
    if verb is Verb.SET_SLOTS and fleet is not None:
        device = fleet.devices.get(target.device_id)
        if device is not None and device.offered is None:
            return translate("Editing", "the device had no limit of slots")
    return {
        Verb.CANCEL: translate("Editing", "what was cancelled cannot go on"),
        Verb.RETRY: translate("Editing", "a new attempt has been asked for"),
        Verb.MARK: translate("Editing", "what depends on it may have started"),
        Verb.RERUN: translate("Editing", "earlier results were given up"),
        Verb.RUN_UNTIL: translate("Editing", "tasks may have started because of it"),
    }.get(verb, "")


def overtaken(run: RunFacts, fleet: FleetFacts | None, steering: Steering) -> Verdict:
    """Whether tasks, run and fleet are still as the steering left them; else which one is not."""
    by_hand = translate("Editing", "Change it by hand if that is not what you want.")
    if steering.verb is Verb.LIMIT_RUN:
        if run.limit == steering.expects[_RUN]:
            return Verdict(True)
        return Verdict(False, translate("Editing", "The limit of this run has been changed otherwise since."), by_hand)
    if steering.verb is Verb.SET_LIMITS:
        if fleet is not None and _limits(fleet, steering.expects) == steering.expects:
            return Verdict(True)
        return Verdict(False, translate("Editing", "This limit has been changed otherwise since."), by_hand)
    for id, value in steering.expects.items():
        now = _before(run, fleet, steering.verb, _about(steering.calls[0].target, (id,)))
        if id not in now:
            return Verdict(False, fill(translate("Editing", "“%1” is not there any more."), id))
        if now[id] != value:
            reason = fill(translate("Editing", "“%1” has been steered otherwise since."), id)
            return Verdict(False, reason, translate("Editing", "Steer it by hand if that is not what you want."))
    return Verdict(True)


def _wanted(verb: Verb, given: Mapping[str, Any]) -> Any:
    if verb is Verb.PRIORITISE:
        try:
            return parse_priority(given.get("priority"))
        except ValueError:  # the engine will refuse it and say why
            return None
    return given.get(_GIVEN[verb]) if verb in _GIVEN else verb not in _OFF


def _back(verb: Verb, target: Target, ids: tuple[str, ...], value: Any) -> Call:
    about = _about(target, ids)
    return Call(verb, about, {_GIVEN[verb]: value}) if verb in _GIVEN else Call(_OPPOSITE[verb], about)


def _alike(values: Mapping[str, Any]) -> list[tuple[Any, tuple[str, ...]]]:
    """The ids that have the same value, by value."""
    found: dict[Any, list[str]] = {}
    for id, value in values.items():
        found.setdefault(value, []).append(id)
    return [(value, tuple(ids)) for value, ids in found.items()]
