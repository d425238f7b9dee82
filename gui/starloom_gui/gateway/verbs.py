"""Maps verbs to commands, commands to actions, and verbs to the selection they need."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starloom.scheduling import commands as c
from starloom.scheduling.reservation_commands import ReservationCommand
from starloom_gui.specs.action_list import ACTIONS, BY_COMMAND, word_of
from starloom_gui.specs.action_spec import About, Verb
from starloom_gui.text.words import translate

if TYPE_CHECKING:
    from starloom_gui.specs.action_spec import ActionSpec, Target

OF_TASKS: Final = frozenset(verb for verb in Verb if ACTIONS[verb].about in (About.TASKS, About.TASK))
_NAMED_BY_FIELDS: Final = (c.MarkTasks, c.PinTasks)
"""Commands that the menus call otherwise where they have certain fields: Mark as done, Unpin."""
OF_DEVICES: Final = frozenset(verb for verb in Verb if ACTIONS[verb].about is About.DEVICE)


def takes_reason(verb: Verb) -> bool:
    """Whether a command about runs, tasks or devices takes a reason."""
    spec = ACTIONS[verb]
    is_meant = spec.about in (About.RUN, About.TASKS, About.DEVICE)
    return is_meant and "reason" in getattr(spec.command, "__struct_fields__", ())


def spec_of(command: c.Command) -> ActionSpec:
    """The action that gives a command.

    Raises:
        KeyError: none does.
    """
    if isinstance(command, ReservationCommand):  # three actions come to each kind of them
        about = About.RUN if command.run_id else About.DEVICE if command.device_id else About.FLEET
        return next(spec for spec in ACTIONS.values() if (spec.command, spec.about) == (type(command), about))
    is_of_all = isinstance(command, c.RunUntil) and not command.task_ids
    return ACTIONS[Verb.RUN_ALL] if is_of_all else BY_COMMAND[type(command)]


def verb_of(command: c.Command) -> Verb:
    """The verb of a command.

    Raises:
        KeyError: none does.
    """
    return Verb(spec_of(command).key)


def command_word(command: c.Command) -> str:
    """The label of a command, e.g. `Retry`.

    Raises:
        KeyError: it is none that the console asks for.
    """
    spec = spec_of(command)
    variants = (one for one in ACTIONS.values() if one.variant_of == spec.key and isinstance(command, _NAMED_BY_FIELDS))
    as_given = (one for one in variants if all(getattr(command, name) == value for name, value in one.given.items()))
    return word_of(next(as_given, spec).key)


def command_for(verb: Verb, target: Target, **given: Any) -> c.Command:
    """The command of a verb.

    Args:
        verb: what is asked for.
        target: what it is about.
        given: the command's own fields, e.g. `priority="high"`.

    Raises:
        TypeError: a field was given that the command does not have.
    """
    spec, first = ACTIONS[verb], next(iter(target.task_ids), "")
    assert spec.command is not None, f"{verb} comes to no command"
    about: dict[About | None, dict[str, Any]] = {
        About.RUN: {"run_id": target.run_id},
        About.TASKS: {"run_id": target.run_id, "task_ids": target.task_ids},
        About.TASK: {"run_id": target.run_id, "task_id": first},
        About.GATE: {"run_id": target.run_id, "task_id": first},
        About.QUESTION: {"run_id": target.run_id, "numbers": target.questions},
        About.AGENT: {"run_id": target.run_id, "agent": target.agent},
        About.APPROVAL: {"run_id": target.run_id, "approval": target.approval},
        About.DEVICE: {"device_id": target.device_id},
        About.FLEET: {},
    }
    return spec.command(**about[spec.about], **{**spec.given, **given})


def missing_selection(verb: Verb, target: Target) -> str:
    """The sentence about what has to be selected first; empty: nothing."""
    about = ACTIONS[verb].about
    if about is About.FLEET:
        return ""
    if about is About.DEVICE:
        return "" if target.device_id else translate("Verbs", "No device is selected.")
    if not target.run_id:
        return translate("Verbs", "There is no run.")
    if about is About.AGENT and not target.agent:
        return translate("Verbs", "No agent is selected.")
    if about is About.QUESTION and not target.questions:
        return translate("Verbs", "No question is selected.")
    if about is About.APPROVAL and not target.approval:
        return translate("Verbs", "No approval is selected.")
    if about in (About.TASKS, About.TASK, About.GATE) and not target.task_ids:
        return translate("Verbs", "No task is selected.")
    is_too_much = about is About.TASK and len(target.task_ids) > 1
    return translate("Verbs", "Only one task at a time can be rerun.") if is_too_much else ""
