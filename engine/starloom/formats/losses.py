"""Reports what a file format cannot hold of a plan, as sentences: no conversion drops anything silently."""

from __future__ import annotations

from collections import Counter
from dataclasses import MISSING, fields, replace
from typing import TYPE_CHECKING, Any, Final

from starloom.errors import nearest
from starloom.formats import mermaid, ufo, wfformat
from starloom.formats.files import dump_plan, parse_plan
from starloom.model.dependency import Dependency
from starloom.model.files import LEGACY
from starloom.model.plan import Plan
from starloom.model.task import FILES, Retry, Simulate, Task

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

TITLES: Final[Mapping[str, str]] = {
    "yaml": "YAML",
    "json": "JSON",
    "wfformat": "WfFormat",
    "ufo": "UFO",
    "dot": "DOT",
    "graphml": "GraphML",
    "mermaid": "Mermaid",
}
NATIVE: Final = frozenset({"yaml", "json"})
"""These hold everything."""
_READ_BACK: Final = frozenset({"wfformat", "ufo"})
"""What these lose is found by reading back what was written; the drawings hold a fixed set of fields."""
_HELD: Final[Mapping[str, Mapping[type, frozenset[str]]]] = {
    "dot": {Task: frozenset({"id", "name"}), Dependency: frozenset({"parent", "child"}), Plan: frozenset({"name"})},
    "mermaid": {Task: frozenset({"name"}), Dependency: frozenset({"parent", "child"}), Plan: frozenset({"name"})},
    "graphml": {
        Task: frozenset(
            {
                *("id", "name", "description", "priority", "device", "requires", "groups"),
                *("timeout", "estimate", "severity", "join"),
            }
        ),
        Dependency: frozenset({"parent", "child", "kind", "condition"}),
        Plan: frozenset({"name"}),
    },
}
_PARTS: Final = frozenset({"tasks", "dependencies", "built"})
_DEFAULTS: Final[Mapping[type, Mapping[str, Any]]] = {
    kind: {field.name: field.default for field in fields(kind) if field.name not in _PARTS}
    for kind in (Plan, Task, Dependency)
}


def losses(plan: Plan, format: str) -> list[str]:  # noqa: A002 - the word people use
    """A sentence for each thing that a file of this format does not hold of the plan; none: it holds everything.

    Raises:
        PlanError: the plan holds a value that no file can.
    """
    if format in NATIVE:
        return []
    again = parse_plan(dump_plan(plan, format), format=format) if format in _READ_BACK else None
    if again is not None and ufo.has_devices_beside(plan):
        again = replace(again, devices=plan.devices, metadata=ufo.with_devices_beside(again.metadata))
    said = [_left_out(plan, format, again)]
    if format in {"dot", "mermaid"} and any(dependency.kind != "success" for dependency in plan.dependencies):
        said.append(f"{TITLES[format]} shows the kinds and conditions of dependencies as labels only.")
    if format == "mermaid" and len(plan.dependencies) > mermaid.MOST_EDGES:
        said.append(f"Most viewers of Mermaid draw at most {mermaid.MOST_EDGES} arrows unless they are told otherwise.")
    if format == "wfformat":
        said += _of_wfformat(plan)
    return [sentence for sentence in said if sentence]


def _of_wfformat(plan: Plan) -> Iterator[str]:
    odd = [f"{task_id!r} is {name!r}" for task_id, name in wfformat.file_ids(plan).items() if task_id != name]
    if odd:
        shown = ", ".join(odd[:3]) + (" and so on" if len(odd) > 3 else "")
        yield f"The schema of WfFormat has only letters, digits and - _ . in ids; for other programs {shown}."
    empty = sum(task.command is not None and not all(task.command) for task in plan.tasks)
    if empty:
        yield f"WfFormat has no empty arguments; left out: the commands of {empty} {'task' if empty == 1 else 'tasks'}."


def assumptions(plan: Plan, format: str) -> list[str]:  # noqa: A002
    """The sentences about what was assumed of a plan because its file does not say it."""
    if format == "dot":
        return [
            "A DOT graph says nothing about what its nodes do: every task is simulated and takes one second; "
            "colours and shapes are left out."
        ]
    if format in NATIVE:
        return [*_of_groups(plan), *_of_layout(plan), *_of_files(plan)]
    if format == "wfformat":
        return ["Nothing of a recorded workflow is run: every task is simulated and takes the time it took."]
    return _of_ufo(plan) if format == "ufo" else []


def _of_groups(plan: Plan) -> Iterator[str]:
    """Of groups without a limit that have nearly the name of a limited one: in the plural, or one without tasks."""
    limits, used = plan.limits.groups, dict.fromkeys(group for task in plan.tasks for group in task.groups)
    for name in used:
        near = None if name in limits else nearest(name, limits)
        if near is not None and (near not in used or near.casefold().rstrip("s") == name.casefold().rstrip("s")):
            yield f"The group {name!r} has no limit, as the plan limits only {near!r}: is it that one?"


def _of_layout(plan: Plan) -> list[str]:
    known = plan.index.place
    unknown = [task_id for task_id in plan.layout if task_id not in known]
    if not unknown:
        return []
    names = ", ".join(map(repr, unknown[:5])) + (" and more" if len(unknown) > 5 else "")
    return [f"The layout places {names}, which is no task of the plan; what it says of that is dropped."]


def _of_files(plan: Plan) -> list[str]:
    old = [repr(task.id) for task in plan.tasks if LEGACY in task.metadata and task.needs_action.startswith(FILES)]
    if not old:
        return []
    names = ", ".join(old[:5]) + (" and more" if len(old) > 5 else "")
    return [
        f"{names}: metadata.{LEGACY} still says which files are copied, but will not for ever; "
        "write files: {send: […], fetch: […]} instead."
    ]


def _of_ufo(plan: Plan) -> list[str]:
    said = ["The tasks wait for a run from the beginning; what UFO recorded of an earlier one is kept as metadata."]
    known = {device.id for device in plan.devices}
    missing = dict.fromkeys(task.pin for task in plan.tasks if task.pin is not None and task.pin not in known)
    if missing:
        names = ", ".join(repr(name) for name in [*missing][:5]) + (" and more" if len(missing) > 5 else "")
        said.append(f"UFO does not say what the devices {names} are; add them to the plan or to a fleet file.")
    types = sorted({name for task in plan.tasks for name in task.requires})
    if types:
        said.append(f"Device types are capabilities that a device has to offer: {', '.join(types)}.")
    if any(dependency.metadata.get("note") for dependency in plan.dependencies):
        said.append("Conditions in plain words decide nothing; they are notes in the metadata of their dependencies.")
    return said


def _left_out(plan: Plan, format: str, again: Plan | None) -> str:  # noqa: A002
    parts = [f"{name} of the plan" for name in _lost_of(format, [(plan, again)])]
    tasks = {task.id: task for task in again.tasks} if again else {}
    counts = Counter(_lost_of(format, [(task, tasks.get(task.id)) for task in plan.tasks]))
    parts += [f"{name} ({count} {'task' if count == 1 else 'tasks'})" for name, count in counts.items()]
    edges = {(edge.parent, edge.child): edge for edge in again.dependencies} if again else {}
    pairs = [(edge, edges.get((edge.parent, edge.child))) for edge in plan.dependencies]
    counts = Counter(_lost_of(format, pairs))
    parts += [f"{name} ({count} {'dependency' if count == 1 else 'dependencies'})" for name, count in counts.items()]
    return f"{TITLES[format]} does not hold everything; left out: {', '.join(parts)}." if parts else ""


def _lost_of(format: str, pairs: Iterable[tuple[Any, Any]]) -> Iterator[str]:  # noqa: A002
    """The names of the fields that are set and lost, once for each owner; the other of a pair is what was read back."""
    for owner, other in pairs:
        for name, default in _DEFAULTS[type(owner)].items():
            value = getattr(owner, name)
            if default is not MISSING and value == default:
                continue
            held = value == getattr(other, name) if other is not None else _is_shown(owner, name, format)
            if not held:
                yield name


def _is_shown(owner: Any, name: str, format: str) -> bool:  # noqa: A002
    """Whether a drawing holds a field, if need be in another way: kinds as labels, retries as a number of attempts."""
    value = getattr(owner, name)
    if isinstance(owner, Dependency) and name in {"kind", "condition"}:
        return True
    if format == "graphml" and isinstance(value, Retry):
        return value == Retry(attempts=value.attempts)
    if format == "graphml" and isinstance(value, Simulate):
        return value == Simulate(duration=value.duration)
    if format == "mermaid" and name == "id":
        return bool(owner.title == value)
    return name in _HELD[format][type(owner)]
