"""Commands to a served engine as words: `pause`, `retry build test`, `set-limit 4`, `set build.priority=high`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starloom.errors import SettingsError, nearest
from starloom.scheduling import commands as c
from starloom.scheduling.decide.specs import WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_NO_LIMIT: Final = ("none", "no")


def form_of(word: str, arguments: Sequence[str], note: str = "", reason: str = "", duration: str = "") -> Any:
    """The JSON form of a command that was given as words; see `formats.command_forms`.

    Args:
        word: what to do, with hyphens or underscores.
        arguments: what comes after it.
        note: what is said beside the answer to a gate.
        reason: why something is reserved, or a reservation is broken.
        duration: for how long something is reserved, such as `2h`.

    Raises:
        SettingsError: there is no such command, or it takes other arguments.
    """
    name = word.replace("-", "_")
    if note and name not in _ANSWERS:
        raise SettingsError(f"--note: only approve and reject take a note, not {word}.")
    if name in _RESERVING:
        return _reserving(word, name, arguments, {"reason": reason, "for": duration})
    if reason or duration:
        raise SettingsError(f"--reason and --for are for reserve and break-reservation, not for {word}.")
    if name in _FORMS:
        return _FORMS[name](arguments)
    if name in _ANSWERS:
        answer = {"task": _one(word, arguments, "the gate"), "approve": _ANSWERS[name]}
        return {"answer_gate": answer | ({"note": note} if note else {})}
    kind = WORDS.get(name)
    if kind is None or name in _ONLY_JSON:
        known = known_words()
        near = nearest(name.replace("_", "-"), known)
        hint = f"Did you mean {near}?" if near else f"Use {', '.join(known)}."
        has_form = " as words; give it in JSON, by --json -." if kind is not None else f". {hint}"
        raise SettingsError(f"There is no command {word!r}{has_form}")
    return _plain_form(word, name, kind, arguments)


def _plain_form(word: str, name: str, kind: type[Any], arguments: Sequence[str]) -> Any:
    """The form of a command that holds nothing but what it is about."""
    if issubclass(kind, c.TasksCommand):
        return {name: _several(word, arguments)}
    if issubclass(kind, c.AgentCommand):
        return {name: _one(word, arguments, "an agent")}
    if issubclass(kind, c.DeviceCommand):
        return {name: _one(word, arguments, "a device")}
    if arguments:
        raise SettingsError(f"{word} is about the whole run and takes nothing more, not {arguments[0]!r}.")
    return name


def _several(word: str, arguments: Sequence[str]) -> list[str]:
    if not arguments:
        raise SettingsError(f"{word} needs the ids of tasks after it.")
    return list(arguments)


def _one(word: str, arguments: Sequence[str], what: str) -> str:
    if len(arguments) != 1:
        raise SettingsError(f"{word} needs the id of {what} after it, and nothing more.")
    return arguments[0]


def _set_limit(arguments: Sequence[str]) -> Any:
    """The limit of the run or, with a group named before it, that of the group, which all runs share."""
    if len(arguments) not in (1, 2):
        raise SettingsError("set-limit needs a number or none after it, and before that the group if it is a group's.")
    *group, text = arguments
    if text not in _NO_LIMIT and not text.isdecimal():
        raise SettingsError(f"set-limit takes a whole number, or none for no limit, not {text!r}.")
    limit = None if text in _NO_LIMIT else int(text)
    return {"set_limits": {"groups": {group[0]: limit}}} if group else {"set_limit": limit}


def _set(arguments: Sequence[str]) -> Any:
    """A change of one field: a command for the priority, which steers, and an edit for any other one."""
    key, equals, text = "".join(arguments[:1]).partition("=")
    task_id, dot, field = key.rpartition(".")
    if len(arguments) != 1 or not equals or not dot:
        raise SettingsError("set needs one TASK.FIELD=VALUE, e.g. set build.timeout=5m.")
    if field == "priority":
        return {"set_priority": {"tasks": task_id, "priority": text}}
    from starloom.cli.changes import parsed_value  # here, as other commands wait for no plan

    return {"edit": [{"update_task": {"task": task_id, field: parsed_value(text)}}]}


def _reserving(word: str, name: str, arguments: Sequence[str], options: Mapping[str, str]) -> Any:
    """The form of a command about a reservation: of the device that is named, else of the run or the fleet."""
    if len(arguments) > 1:
        raise SettingsError(f"{word} takes the id of one device, or nothing more, not {arguments[1]!r}.")
    wanted = _RESERVING[name]
    for option, text in options.items():
        if bool(text) is not (option in wanted):
            raise SettingsError(f"{word} {'needs' if option in wanted else 'takes no'} --{option}.")
    if not wanted:
        return {name: arguments[0]} if arguments else name
    return {name: {"device": arguments[0] if arguments else None} | {option: options[option] for option in wanted}}


_RESERVING: Final[Mapping[str, tuple[str, ...]]] = {
    "reserve": ("for", "reason"),
    "release_reservation": (),
    "break_reservation": ("reason",),
}
"""The options that each command about reservations needs."""
_ANSWERS: Final[Mapping[str, bool]] = {"approve": True, "reject": False}
_FORMS: Final[Mapping[str, Callable[[Sequence[str]], Any]]] = {
    "cancel": lambda arguments: {"cancel": list(arguments)} if arguments else "cancel_run",
    "set_limit": _set_limit,
    "set": _set,
    "hold_open": lambda arguments: {"hold_open": _switch("hold-open", arguments)},
    "step": lambda arguments: {"step": _one("step", arguments, "a task")} if arguments else "step",
    "run_until": lambda arguments: {"run_until": list(arguments)},
    "rerun_from": lambda arguments: {"rerun_from": _one("rerun-from", arguments, "a task")},
}
"""What takes other arguments than its class says."""
_ONLY_JSON: Final = frozenset(
    {"edit", "answer_gate", "answer_question", "answer_approval", "mark", "set_priority", "pin"}
    | {"set_limits", "set_slots", "set_fence", "trust_agent", "cancel_run"}
)
"""What needs more than a list of ids, or has another word here."""


def _switch(word: str, arguments: Sequence[str]) -> bool:
    if list(arguments) not in (["yes"], ["no"]):
        raise SettingsError(f"{word} needs yes or no after it.")
    return arguments[0] == "yes"


def known_words() -> list[str]:
    """The commands that can be given as words, with hyphens."""
    return sorted(name.replace("_", "-") for name in {*_ANSWERS, *_FORMS, *WORDS} - _ONLY_JSON)
