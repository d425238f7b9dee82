"""WfFormat (WfCommons), layout 1.4 and newer: recorded workflows as plans that simulate them.

Nothing in such a file is ever run: a task takes the time it took when it was recorded. What a file says beyond
structure and durations (files, machines, commands, authors) is kept under the metadata key `wfformat` and written back.
Writing another plan in this format keeps ids, names, plain structure, durations and commands, and leaves out the rest.
The published schema wants a start, a makespan and a runtime of each recorded task. Of a plan nobody has run, only tasks
whose duration is known are therefore recorded, from 1970 on; the command of another stands beside what is specified.
It also has only letters, digits and - _ . in the ids of parents and children: an id with others is written with
underscores in their place, and stands beside it as `starloomId`, by which it is read back.
"""

from __future__ import annotations

import json
import math
import re
from itertools import chain, count
from typing import TYPE_CHECKING, Any, Final

import msgspec
from pydantic import ValidationError

from starloom.decodable import decodable
from starloom.formats.fields import describe
from starloom.formats.native_writer import plain_json
from starloom.formats.report import ProblemReport
from starloom.formats.source import show_path
from starloom.formats.structure import check_structure
from starloom.model.dependency import Dependency
from starloom.model.plan import Plan
from starloom.model.task import Simulate, Task

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from starloom.formats.limits import Path
    from starloom.formats.source import ParsedDocument

KEY: Final = "wfformat"
"""The metadata key of a plan and of its tasks under which the rest of the file is kept."""
SCHEMA_VERSION: Final = "1.5"
NEVER: Final = "1970-01-01T00:00:00+00:00"
"""When a plan that nobody has run was executed: the schema wants a time."""


class _SpecTask(msgspec.Struct, rename="camel"):
    """A task of `workflow.specification.tasks`; other fields are kept as they are."""

    id: str
    name: str | None = None
    starloom_id: str | None = None
    parents: list[str] = []
    children: list[str] = []
    input_files: list[str] = []
    output_files: list[str] = []


class _Command(msgspec.Struct):
    program: str | None = None
    arguments: list[str] = []


class _RunTask(msgspec.Struct, rename="camel"):
    """A task of `workflow.execution.tasks`."""

    id: str
    runtime_in_seconds: float | None = None
    command: _Command | None = None
    machines: list[str] | str | None = None


class _Specification(msgspec.Struct):
    tasks: list[Any]


class _Execution(msgspec.Struct):
    tasks: list[Any] = []


class _Workflow(msgspec.Struct):
    specification: _Specification
    execution: _Execution | None = None


class _File(msgspec.Struct):
    workflow: _Workflow
    name: str | None = None
    description: str | None = None


_SPEC: Final = ("workflow", "specification", "tasks")
_RUN: Final = ("workflow", "execution", "tasks")
_SPEC_OWN: Final = frozenset({"id", "name", "starloomId", "parents", "children"})
_RUN_OWN: Final = frozenset({"id", "runtimeInSeconds"})
_NO_WORD: Final = re.compile(r"[^0-9A-Za-z._-]")


def read_plan(document: ParsedDocument) -> Plan:
    """The plan that simulates a recorded workflow.

    Raises:
        PlanError: the file does not have the layout, or ids or dependencies are wrong; lists everything found.
    """
    return _Reader(document).plan()


class _Reader:
    """Reads one file, and continues after each bad task."""

    def __init__(self, document: ParsedDocument) -> None:
        self.document = document
        self.report = ProblemReport(document)
        self.ids: dict[str, str] = {}
        """The plan's id of each task, by the file's."""

    def plan(self) -> Plan:
        file: _File | None = self._convert(self.document.value, _File, ())
        if file is None:
            self.report.finish()
            raise AssertionError("a file that cannot be read is always reported")
        spec = list(self._tasks(file.workflow.specification.tasks, _SpecTask, _SPEC))
        for task, _ in spec:
            self.ids.setdefault(task.id, task.starloom_id or task.id)
        run = self._runs(file, {task.id for task, _ in spec})
        tasks = [(made, path) for task, path in spec if (made := self._task(task, path, run.get(task.id)))]
        edges = list(self._edges(spec))
        check_structure(self.report, [(task.id, path) for task, path in tasks], edges)
        head = self._head(file)
        self.report.finish()
        return Plan(tasks=tuple(task for task, _ in tasks), dependencies=tuple(edge for edge, _ in edges), **head)

    def _convert(self, value: Any, kind: type[Any], path: Path) -> Any:
        try:
            return msgspec.convert(value, decodable(kind))
        except msgspec.ValidationError as error:
            self._add_mismatch(str(error), value, path)
            return None

    def _add_mismatch(self, text: str, value: Any, path: Path) -> None:
        """Report an error of msgspec in our words, e.g. ``Expected `str`, got `int` - at `$.id` ``."""
        told, _, location = text.partition(" - at ")
        inner = tuple(int(step[1:-1]) if step[0] == "[" else step for step in _STEPS.findall(location.strip("`")[1:]))
        missing = _MISSING_FIELD.search(told)
        if missing:
            hint = _LAYOUT if missing[1] in {"specification", "tasks"} else "Add it."
            self.report.add((*path, *inner), f"the field {missing[1]!r} is missing.", hint, code="wfformat")
            return
        for step in inner:
            value = value[step]
        wanted = " or ".join(_TYPES.get(name.strip(), name.strip()) for name in _expected(told))
        self.report.add((*path, *inner), f"must be {wanted}, not {describe(value)}.", code="wfformat")

    def _tasks(self, items: list[Any], kind: type[Any], path: Path) -> Iterator[tuple[Any, Path]]:
        for number, item in enumerate(items):
            place = (*path, number)
            task = self._convert(item, kind, place)
            if task is not None:
                yield task, place

    def _runs(self, file: _File, known: set[str]) -> dict[str, tuple[_RunTask, Path]]:
        """The recorded execution of each task, by its id."""
        found: dict[str, tuple[_RunTask, Path]] = {}
        items = file.workflow.execution.tasks if file.workflow.execution else []
        for task, path in self._tasks(items, _RunTask, _RUN):
            if task.id not in known:
                message = f"the recorded task {task.id!r} is not among the specified ones."
                self.report.add(path, message, "Correct its id or remove it.", code="unknown_task")
            elif found.setdefault(task.id, (task, path))[0] is not task:
                message = f"the task {task.id!r} is recorded twice."
                self.report.add(path, message, "Keep one of the two.", code="duplicate_task")
        return found

    def _task(self, task: _SpecTask, path: Path, run: tuple[_RunTask, Path] | None) -> Task | None:
        seconds = self._seconds(*run) if run else None
        kept = {"specification": _rest(self._at(path), _SPEC_OWN)}
        if run:
            kept["execution"] = _rest(self._at(run[1]), _RUN_OWN)
        fields: dict[str, Any] = {
            "id": self.ids[task.id],
            "name": self.ids[task.id] if task.name is None else task.name,
            "metadata": {KEY: kept},
        }
        try:
            return Task(**fields, simulate=Simulate(duration=seconds or 0.0), estimate=seconds)
        except ValidationError as error:
            self.report.add_invalid(error, fields, path, show_path(path), ())
            return None

    def _seconds(self, run: _RunTask, path: Path) -> float | None:
        seconds = run.runtime_in_seconds
        if seconds is not None and not (seconds >= 0 and math.isfinite(seconds)):
            message = f"a runtime cannot be {seconds!r}."
            where = f"tasks.{run.id}.runtimeInSeconds"
            self.report.add((*path, "runtimeInSeconds"), message, "Write seconds, 0 or more.", where=where)
            return None
        return seconds

    def _at(self, path: Path) -> Any:
        value = self.document.value
        for step in path:
            value = value[step]
        return value

    def _edges(self, spec: Iterable[tuple[_SpecTask, Path]]) -> Iterator[tuple[Dependency, Path]]:
        """One dependency for each pair, whichever side names it; ordered by child, as native files are."""
        parents: dict[str, dict[str, Path]] = {}
        for task, path in spec:
            for number, parent in enumerate(task.parents):
                parents.setdefault(task.id, {}).setdefault(parent, (*path, "parents", number))
        for task, path in spec:
            for number, child in enumerate(task.children):
                parents.setdefault(child, {}).setdefault(task.id, (*path, "children", number))
        order = dict.fromkeys([task.id for task, _ in spec]) | dict.fromkeys(parents)
        for child in order:
            for parent, path in parents.get(child, {}).items():
                fields: dict[str, Any] = {"parent": self.ids.get(parent, parent), "child": self.ids.get(child, child)}
                try:
                    yield Dependency(**fields), path
                except ValidationError as error:
                    self.report.add_invalid(error, fields, path, show_path(path), ())

    def _head(self, file: _File) -> dict[str, Any]:
        head: dict[str, Any] = {"name": file.name or "workflow", "description": file.description or ""}
        head["metadata"] = {KEY: _without_tasks(self.document.value)}
        try:
            Plan(**head)
        except ValidationError as error:
            self.report.add_invalid(error, head, (), "", ())
        return head


def write_plan(plan: Plan) -> str:
    """A plan as WfFormat; one that was read from such a file is read back as an equal one.

    Raises:
        PlanError: what was kept of the file now holds a value that a file cannot.
    """
    return json.dumps(plan_value(plan), indent=4, ensure_ascii=False) + "\n"


def plan_value(plan: Plan) -> dict[str, Any]:
    """A plan in the layout of WfFormat, as plain mappings and lists.

    Raises:
        PlanError: as for `write_plan`.
    """
    kept = _kept(plan, "metadata")
    workflow = _mapping(kept.get("workflow"))
    ids = file_ids(plan)
    recorded = [_run_value(task, ids) for task in plan.tasks]
    execution = workflow.get("execution")
    if execution is not None or any(recorded):
        head = {} if execution is not None else {"makespanInSeconds": _makespan(plan), "executedAt": NEVER}
        workflow["execution"] = {**head, **_mapping(execution), "tasks": [task for task in recorded if task]}
    workflow["specification"] = {
        "tasks": _spec_values(plan, ids),
        **_rest(_mapping(workflow.get("specification")), {"tasks"}),
    }
    named = {"name": plan.name} | ({"description": plan.description} if plan.description else {})
    rest = _rest(kept, {"name", "description", "workflow"})
    return {**named, "schemaVersion": SCHEMA_VERSION, **rest, "workflow": workflow}


def file_ids(plan: Plan) -> dict[str, str]:
    """The id in the file of each task, by the plan's: what the schema wants of one, and no two the same."""
    ids = {task.id: task.id for task in plan.tasks if not _NO_WORD.search(task.id)}
    used = set(ids)
    more: dict[str, Iterator[str]] = {}
    for task in plan.tasks:
        if task.id not in ids:
            word = _NO_WORD.sub("_", task.id)
            names = more.setdefault(word, chain([word], (f"{word}-{number}" for number in count(2))))
            ids[task.id] = next(name for name in names if name not in used)
            used.add(ids[task.id])
    return ids


def _spec_values(plan: Plan, ids: Mapping[str, str]) -> list[dict[str, Any]]:
    tasks, index = plan.tasks, plan.index
    return [
        {
            "name": task.title,
            "id": ids[task.id],
            **({"starloomId": task.id} if ids[task.id] != task.id else {}),
            "parents": [ids[tasks[parent].id] for parent in index.parents[number]],
            "children": [ids[tasks[child].id] for child in index.children[number]],
            **_rest(_mapping(_kept(task, f"tasks.{task.id}.metadata").get("specification")), _SPEC_OWN),
            **(_command_value(task) if not _is_recorded(task) else {}),
        }
        for number, task in enumerate(tasks)
    ]


def _run_value(task: Task, ids: Mapping[str, str]) -> dict[str, Any] | None:
    """The known facts of the task's execution; None: there are none."""
    if not _is_recorded(task):
        return None
    value = _rest(_mapping(_kept(task, f"tasks.{task.id}.metadata").get("execution")), _RUN_OWN)
    seconds = task.expected_duration
    if seconds is not None:
        value = {"runtimeInSeconds": seconds, **value}
    return {"id": ids[task.id], **value, **_command_value(task)}


def _is_recorded(task: Task) -> bool:
    """Whether there is an entry of the task's execution: it came with one, or its duration is known."""
    return "execution" in _kept(task, f"tasks.{task.id}.metadata") or _has_duration(task)


def _has_duration(task: Task) -> bool:
    """Whether the duration of the task is known; a task without a runtime in a file is simulated and takes none."""
    return task.estimate is not None or bool(task.expected_duration)


def _command_value(task: Task) -> dict[str, Any]:
    """The command as a field; the schema has no empty arguments, and one without them would be another command."""
    if task.command is None or not all(task.command):
        return {}
    return {"command": {"program": task.command[0], "arguments": list(task.command[1:])}}


def _makespan(plan: Plan) -> float:
    """The seconds of the longest chain by the declared durations of its tasks."""
    ends = [0.0] * len(plan.tasks)
    for number in plan.index.order:
        begin = max((ends[parent] for parent in plan.index.parents[number]), default=0.0)
        ends[number] = begin + (plan.tasks[number].expected_duration or 0.0)
    return max(ends, default=0.0)


def _kept(owner: Plan | Task, where: str) -> dict[str, Any]:
    return _mapping(plain_json(owner.metadata.get(KEY), where))


def _mapping(value: Any) -> dict[str, Any]:
    return dict(value) if isinstance(value, dict) else {}


def _rest(value: Mapping[str, Any], own: AbstractSet[str]) -> dict[str, Any]:
    return {key: item for key, item in value.items() if key not in own}


def _without_tasks(value: dict[str, Any]) -> dict[str, Any]:
    """The whole file but for what a plan says itself."""
    workflow = {
        key: _rest(item, {"tasks"}) if key in {"specification", "execution"} and isinstance(item, dict) else item
        for key, item in value["workflow"].items()
    }
    return {**_rest(value, {"name", "description"}), "workflow": workflow}


def _expected(told: str) -> list[str]:
    match = re.search(r"Expected `([^`]+)`", told)
    return match[1].split("|") if match else ["something else"]


_STEPS: Final = re.compile(r"\[\d+\]|[^.\[\]]+")
_MISSING_FIELD: Final = re.compile(r"missing required field `([^`]+)`")
_LAYOUT: Final = "WfFormat is read from version 1.4 on, which has workflow.specification.tasks."
_TYPES: Final = {
    "str": "text",
    "array": "a list",
    "object": "a mapping",
    "float": "a number",
    "null": "null",
}
