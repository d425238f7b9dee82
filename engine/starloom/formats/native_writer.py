"""Writing Starloom's own format: defaults left out, plain dependencies as `needs`, durations as people write them."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, fields
from typing import TYPE_CHECKING, Any, Final

from starloom.errors import PlanError, Problem
from starloom.formats.limits import MAX_DEPTH
from starloom.formats.native import DEVICE_FIELDS, VERSION, task_of_defaults
from starloom.formats.yaml_writer import to_yaml
from starloom.model.device import DeviceSpec
from starloom.model.expected import JsonSchema
from starloom.model.files import Files
from starloom.model.frozen import EMPTY
from starloom.model.note import Note
from starloom.model.plan import NO_LIMITS, Limits, Plan
from starloom.model.quantities import PRIORITY_NAMES, format_duration, parse_duration
from starloom.model.secret import Secret
from starloom.model.severity import ExitSeverity
from starloom.model.status import DependencyKind
from starloom.model.task import BypassValue, Gate, Prefer, Retry, Simulate, Task

if TYPE_CHECKING:
    from starloom.model.dependency import Dependency

_DURATIONS: Final = frozenset({"timeout", "estimate", "delay", "cap", "duration", "cool_down", "after"})
_PRIORITY_WORDS: Final = {number: word for word, number in PRIORITY_NAMES.items()}
_FREE: Final = frozenset({"inputs", "metadata", "options", "value"})
"""Fields that hold any JSON value."""


def write_plan(plan: Plan, syntax: str, keyed: Collection[str] = ()) -> str:
    """The text of a plan that `read_plan` turns into an equal one.

    Args:
        plan: what to write.
        syntax: `yaml` or `json`.
        keyed: the sections, of `tasks` and `devices`, that are mappings from ids instead of lists.

    Raises:
        PlanError: the plan holds a value that a file cannot, such as a set among the inputs.
    """
    value = {name: _keyed(part) if name in keyed else part for name, part in plan_value(plan).items()}
    if syntax == "json":
        return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
    return to_yaml(value)


def _keyed(entries: list[dict[str, Any]]) -> dict[str, Any]:
    return {entry["id"]: {name: given for name, given in entry.items() if name != "id"} for entry in entries}


def plan_value(plan: Plan) -> dict[str, Any]:
    """The plan as plain mappings and lists, in the order in which a file gives them.

    Raises:
        PlanError: the plan holds a value that a file cannot.
    """
    needs, rest = _split_dependencies(plan)
    value: dict[str, Any] = {"starloom": VERSION, "name": plan.name}
    if plan.description:
        value["description"] = plan.description
    if plan.limits != NO_LIMITS:
        value["limits"] = _limits_value(plan.limits)
    value |= _terms(plan)
    if plan.devices:
        value["devices"] = [_device_value(device) for device in plan.devices]
    if plan.defaults:
        value["defaults"] = plain_json(plan.defaults, "defaults")
    usual = usual_fields(plan.defaults)
    value["tasks"] = [task_value(task, needs.get(task.id, ()), usual) for task in plan.tasks]
    if rest:
        value["dependencies"] = [dependency_value(dependency) for dependency in rest]
    if plan.metadata:
        value["metadata"] = plain_json(plan.metadata, "metadata")
    value |= {name: plain_json(given, name) for name in ("rules", "agents") if (given := getattr(plan, name))}
    if plan.notes:
        value["notes"] = [_set_fields(note, "notes") for note in plan.notes]
    if placed := {task_id: list(at) for task_id, at in plan.layout.items() if task_id in plan.index.place}:
        value["layout"] = placed
    return value


def _terms(plan: Plan) -> dict[str, Any]:
    """The settings of agents, placement and overdue tasks that the plan has."""
    value: dict[str, Any] = {}
    if plan.fence is not None:
        value["fence"] = str(plan.fence)
    if plan.placement is not None:
        value["placement"] = str(plan.placement)
    if plan.modification_timeout is not None:
        value["modification_timeout"] = duration_value(plan.modification_timeout)
    if plan.overdue_factor is not None:
        value["overdue_factor"] = plan.overdue_factor or "none"
    return value


def write_fleet(devices: Iterable[DeviceSpec], limits: Limits, syntax: str) -> str:
    """The text of a fleet file that `read_fleet` turns into equal devices and limits.

    Raises:
        PlanError: an option holds a value that a file cannot.
    """
    value: dict[str, Any] = {"starloom": VERSION}
    if limits != NO_LIMITS:
        value["limits"] = _limits_value(limits)
    value["devices"] = [_device_value(device) for device in devices]
    if syntax == "json":
        return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
    return to_yaml(value)


def _split_dependencies(plan: Plan) -> tuple[dict[str, list[Dependency]], list[Dependency]]:
    """The longest beginning that is ordered like the tasks, by child, and the rest.

    A reader takes the needs of all tasks first, so only this split keeps the order, which decides between equals.
    """
    needs: dict[str, list[Dependency]] = {}
    latest = 0
    for number, dependency in enumerate(plan.dependencies):
        place = plan.index.place[dependency.child]
        if place < latest:
            return needs, list(plan.dependencies[number:])
        latest = place
        needs.setdefault(dependency.child, []).append(dependency)
    return needs, []


def dependency_value(dependency: Dependency) -> dict[str, Any]:
    """A dependency as a mapping of its fields."""
    return {"parent": dependency.parent, "child": dependency.child, **_edge_value(dependency)}


def _edge_value(dependency: Dependency) -> dict[str, Any]:
    value: dict[str, Any] = {}
    if dependency.condition is not None:
        value["condition"] = dependency.condition
    elif dependency.kind is not DependencyKind.SUCCESS:
        value["kind"] = str(dependency.kind)
    if dependency.metadata:
        value["metadata"] = plain_json(dependency.metadata, f"dependencies.{dependency.parent}.metadata")
    return value


def task_value(task: Task, needs: Sequence[Dependency] = (), usual: Mapping[str, Any] = EMPTY) -> dict[str, Any]:
    """A task, with what it needs, as a mapping of the fields that differ from their defaults.

    Args:
        task: what is written.
        needs: what it waits for.
        usual: the values that the plan's own defaults give to fields, in place of the format's.
    """
    value = _set_fields(task, f"tasks.{task.id}", usual)
    if needs:
        value["needs"] = [
            {"task": need.parent, **edge} if (edge := _edge_value(need)) else need.parent for need in needs
        ]
    return value


def _device_value(device: DeviceSpec) -> dict[str, Any]:
    value = _set_fields(device, f"devices.{device.id}")
    options = value.get("options", {})
    if options and not options.keys() & set(DEVICE_FIELDS):
        del value["options"]
        value.update(options)
    return value


def _limits_value(limits: Limits) -> dict[str, Any]:
    return _set_fields(limits, "limits") | ({"groups": dict(limits.groups)} if limits.groups else {})


def _set_fields(owner: Any, where: str, usual: Mapping[str, Any] = EMPTY) -> dict[str, Any]:
    """The fields of a model value that differ from their defaults, or from what is usual in their place."""
    return {
        name: field_value(name, given, f"{where}.{name}")
        for name, default in _DEFAULTS[type(owner)]
        if (given := getattr(owner, name)) is not (expected := usual.get(name, default)) and given != expected
    }


def usual_fields(defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The values that the defaults of a plan give to fields of its tasks, as tasks have them."""
    if not defaults:
        return {}
    task = task_of_defaults(defaults)
    return {name: getattr(task, name) for name in defaults}


def field_value(name: str, given: Any, where: str) -> Any:
    """The value of one field as a file has it."""
    if name in _FREE:
        return plain_json(given, where)
    if name == "priority":
        return _PRIORITY_WORDS.get(given, given)
    if name in _DURATIONS and isinstance(given, int | float):  # else it stands as somebody has typed it
        return duration_value(given)
    if isinstance(given, frozenset):
        return sorted(given)
    if isinstance(given, tuple):
        return list(given)
    if isinstance(given, ExitSeverity | Files | JsonSchema):
        return given.to_plain()
    if isinstance(given, Prefer):
        return {"prefer": given.prefer}
    if isinstance(given, Retry | Simulate | Gate | BypassValue):
        return _SHORT[type(given)](given, where)
    if isinstance(given, Mapping):
        return {key: {"secret": one.secret} if isinstance(one, Secret) else one for key, one in given.items()}
    return str(given) if isinstance(given, str) else given


def _retry_value(retry: Retry, _where: str) -> Any:
    value = _set_fields(retry, "retry")
    return value if value.keys() - {"attempts"} else retry.attempts - 1


def _simulate_value(simulate: Simulate, where: str) -> Any:
    value = _set_fields(simulate, where)
    return duration_value(simulate.duration) if not value.keys() - {"duration"} else value


def _gate_value(gate: Gate, where: str) -> Any:
    value = _set_fields(gate, where)
    return gate.message if value.keys() == {"message"} else value


_SHORT: Final[Mapping[type, Callable[[Any, str], Any]]] = {
    Retry: _retry_value,
    Simulate: _simulate_value,
    Gate: _gate_value,
    BypassValue: _set_fields,
}


def duration_value(seconds: float) -> str | float:
    """A duration as people write it, or the bare number where that would not be exact."""
    text = format_duration(seconds)
    try:
        return text if parse_duration(text) == seconds else seconds
    except ValueError:
        return seconds


def plain_json(value: Any, where: str, depth: int = 0) -> Any:
    """The value made of dicts, lists, texts, numbers, truth values and None only."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            _refuse(where, f"{value} is not a number that a file can hold")
        return value
    if depth > MAX_DEPTH - 10:  # the plan around it takes a few levels
        _refuse(where, "the value nests too deeply for a file")
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                _refuse(where, f"the key {key!r} is not text")
        return {str(key): plain_json(item, where, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain_json(item, where, depth + 1) for item in value]
    return _refuse(where, f"a file cannot hold a {type(value).__name__}")


def _refuse(where: str, what: str) -> Any:
    raise PlanError([Problem(code="not_json", where=where, message=f"{what}.", hint="Use plain JSON values.")])


def _default(field: Field[Any]) -> Any:
    return field.default if field.default is not MISSING else MISSING


_DEFAULTS: Final[Mapping[type, tuple[tuple[str, Any], ...]]] = {
    cls: tuple((f.name, _default(f)) for f in fields(cls))
    for cls in (Task, DeviceSpec, Limits, Retry, Simulate, Gate, BypassValue, Note)
}
