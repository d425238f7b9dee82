"""The actions on the selected tasks: the most fitting first, all others in the menu."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from starloom.model.status import TaskStatus
from starloom.scheduling.commands import PinTasks
from starloom.scheduling.state.stops import is_gate
from starloom_gui.gateway.command_gateway import judged
from starloom_gui.gateway.verbs import command_for, missing_selection
from starloom_gui.specs.action_spec import Target, Verb, Verdict
from starloom_gui.text.words import fill, translate
from starloom_gui.theme.icons import Icon
from starloom_gui.widgets.offers import Offer, Offered, offer_of, offered

if TYPE_CHECKING:
    from collections.abc import Collection

    from starloom.scheduling.read.run_view import RunView, TaskView
    from starloom_gui.gateway.command_gateway import CommandGateway

HIGHEST: Final = 100
SHOWN: Final = 3
"""Verbs that are buttons, not only entries of the menu."""
_NOT_STARTED: Final = (Verb.PRIORITISE, Verb.HOLD, Verb.SKIP)
_HELD: Final = (Verb.PRIORITISE, Verb.RELEASE, Verb.SKIP)
_RUNS: Final = (Verb.CANCEL,)
_ENDED: Final = (Verb.RETRY, Verb.RERUN, Verb.MARK)
_DONE: Final = (Verb.RERUN,)
_EVERY: Final = (
    Verb.PRIORITISE,
    Verb.HOLD,
    Verb.RELEASE,
    Verb.SKIP,
    Verb.CANCEL,
    Verb.RETRY,
    Verb.RERUN,
    Verb.MARK,
    Verb.SET_BREAKPOINT,
    Verb.CLEAR_BREAKPOINT,
    Verb.RUN_UNTIL,
)


def fitting(run: RunView, numbers: Collection[int]) -> tuple[Verb, ...]:
    """The actions that fit tasks in these states, the most usual first."""
    found: list[Verb] = []
    for verbs in dict.fromkeys(_fitting(task) for task in run.tasks(sorted(numbers))):
        found += [verb for verb in verbs if verb not in found]
    if len(numbers) > 1 and Verb.RERUN in found:
        found.remove(Verb.RERUN)
    return tuple(found)


def _fitting(task: TaskView) -> tuple[Verb, ...]:
    if task.is_to_start:
        verbs = _HELD if task.is_held else _NOT_STARTED
        return verbs[1:] if is_gate(task.run.facts, task.number) else verbs  # a gate stands in no line
    if task.is_running:
        return _RUNS
    return _DONE if task.status is TaskStatus.COMPLETED else _ENDED


def offers_of(gateway: CommandGateway, run: RunView, numbers: Collection[int]) -> tuple[Offered, ...]:
    """Every action on these tasks with the engine's verdict, in the order of the menu."""
    target = Target(run.run_id, tuple(task.id for task in run.tasks(sorted(numbers))))
    made = tuple(_offered(gateway, verb, target) for verb in _EVERY)
    foremost = all(task.priority == HIGHEST for task in run.tasks(numbers))
    nothing = translate("Inspector", "The priority is the highest already.") if foremost else ""
    if all(is_gate(run.facts, number) for number in numbers):
        nothing = translate("Inspector", "A gate stands in no line: it asks as soon as it is ready.")
    if nothing and made[0].verdict.ok:
        made = (Offered(made[0].offer, Verdict(False, nothing)), *made[1:])
    return made


def pins_of(gateway: CommandGateway, task: TaskView) -> tuple[Offered, ...]:
    """An entry for each device a task may be moved to, and one that lets it run anywhere again; a gate has none."""
    if is_gate(task.run.facts, task.number):
        return ()
    anywhere = PinTasks(run_id=task.run.run_id, task_ids=(task.id,), device_id=None)
    offers = [
        Offer(fill(translate("Inspector", "Only on %1"), device), replace(anywhere, device_id=device), Icon.PIN)
        for device in task.run.fleet.devices
        if device != task.pin
    ]
    if task.steered_to is not None:
        offers.insert(0, Offer(translate("Inspector", "On any device"), anywhere, Icon.UNPIN))
    return offered(gateway, offers)


def _offered(gateway: CommandGateway, verb: Verb, target: Target) -> Offered:
    """A verb on those of the tasks that allow it, or on all if none does."""
    whole, unselected = _offer(verb, target), missing_selection(verb, target)
    if unselected:
        return Offered(whole, Verdict(False, unselected))
    part, verdict = judged(gateway, whole.command)
    return Offered(Offer(whole.label, part, whole.icon), verdict)


def _offer(verb: Verb, target: Target) -> Offer:
    if verb is Verb.PRIORITISE:
        label = translate("Inspector", "Prioritise")
        return Offer(label, command_for(verb, target, priority=HIGHEST), Icon.HIGHEST)
    if verb is Verb.MARK:
        return Offer(translate("Inspector", "Mark as done"), command_for(verb, target), Icon.MARK_DONE)
    return offer_of(command_for(verb, target))
