"""Snippets: some tasks of a graph with their dependencies, written as text for the clipboard and files, and read back.

What comes in from outside is not trusted: it is read within the limits of a file, and what is wrong with it is said.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from pydantic import TypeAdapter, ValidationError

from starloom.constellation.edits import AddDependency, AddTask
from starloom.errors import PlanError, Problem
from starloom.formats import parse_plan
from starloom.formats.fields import describe, unknown_field
from starloom.formats.native_writer import plain_json, plan_value
from starloom.formats.needs import NeedsReader
from starloom.formats.report import ProblemReport
from starloom.formats.source import read_document
from starloom.model.plan import Plan
from starloom.model.status import DependencyKind
from starloom.model.task import TASK_FIELDS, Task
from starloom.model.templates import has_templates, references, template_values
from starloom.scheduling.read.run_view import TaskView
from starloom_gui.editing.templates import FreeIds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from starloom.constellation.edits import Edit
    from starloom.formats.source import ParsedDocument
    from starloom.model.dependency import Dependency
    from starloom.scheduling.state.run_facts import RunFacts

VERSION: Final = 1
_MARK: Final = "starloom_edits"
_KEYS: Final = (_MARK, "tasks", "dependencies")
_TASK: Final = TypeAdapter(Task)


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """Some tasks of a graph.

    Attributes:
        tasks: each id once.
        dependencies: between them, and between them and tasks that are not among them.
    """

    tasks: tuple[Task, ...]
    dependencies: tuple[Dependency, ...] = ()

    def inner(self) -> tuple[Dependency, ...]:
        """The dependencies between its own tasks."""
        own = {task.id for task in self.tasks}
        return tuple(one for one in self.dependencies if one.parent in own and one.child in own)

    def outer(self) -> tuple[Dependency, ...]:
        """Its dependencies on tasks outside, and theirs on it."""
        own = {task.id for task in self.tasks}
        return tuple(one for one in self.dependencies if (one.parent in own) != (one.child in own))


def snippet_of(facts: RunFacts, numbers: Iterable[int]) -> Snippet:
    """These tasks as they are now, with the priorities and pins they were given, in the order of the plan."""
    graph = facts.graph
    chosen = sorted(number for number in set(numbers) if graph.tasks[number] is not None)
    pairs = {(parent, number): None for number in chosen for parent in graph.parents[number]}
    pairs |= {(number, child): None for number in chosen for child in graph.children[number]}
    return Snippet(
        tasks=tuple(_as_steered(facts, number) for number in chosen),
        dependencies=tuple(graph.dependency(*pair) for pair in pairs),
    )


def _as_steered(facts: RunFacts, number: int) -> Task:
    steered = TaskView(facts, number)
    task = steered.fields
    assert task is not None, "only present tasks are taken"
    changed: dict[str, Any] = {}
    if steered.priority != task.priority:
        changed["priority"] = steered.priority
    if steered.steered_to is not None:
        changed["device"] = steered.steered_to
    return replace(task, **changed) if changed else task


# ---- text


def write_snippet(snippet: Snippet) -> str:
    """The text that `read_snippet` turns into an equal one.

    Raises:
        PlanError: a task holds a value that text cannot, such as a set among its inputs.
    """
    value = {_MARK: VERSION, "tasks": plan_value(Plan(tasks=snippet.tasks))["tasks"]}
    if snippet.dependencies:
        value["dependencies"] = [_dependency_value(one) for one in snippet.dependencies]
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _dependency_value(one: Dependency) -> dict[str, Any]:
    value: dict[str, Any] = {"parent": one.parent, "child": one.child}
    if one.condition is not None:
        value["condition"] = one.condition
    elif one.kind is not DependencyKind.SUCCESS:
        value["kind"] = str(one.kind)
    if one.metadata:
        value["metadata"] = plain_json(one.metadata, f"dependencies.{one.parent}.metadata")
    return value


def read_snippet(data: str | bytes, source: str = "") -> Snippet:
    """The tasks in a text: what `write_snippet` wrote, or a whole plan in any format that can be opened.

    Args:
        data: not trusted; no larger, deeper or cleverer than a file may be.
        source: what is named where something is wrong.

    Raises:
        PlanError: it is neither; lists everything that is wrong.
    """
    document = _document(data, source)
    if document is None or not isinstance(document.value, dict) or _MARK not in document.value:
        plan = parse_plan(data, source)
        return Snippet(tasks=tuple(plan.tasks), dependencies=tuple(plan.dependencies))
    return _read(document)


def _document(data: str | bytes, source: str) -> ParsedDocument | None:
    start = data[:200].strip() if isinstance(data, str) else data[:200].decode("utf-8-sig", "replace").strip()
    return read_document(data, source) if start.startswith("{") else None


def _read(document: ParsedDocument) -> Snippet:
    report, value = ProblemReport(document), document.value
    if value[_MARK] != VERSION or isinstance(value[_MARK], bool):
        message = f"this was written in version {describe(value[_MARK])}; this Starloom reads {VERSION}."
        report.add((_MARK,), message, "Update Starloom to paste it.", code="version")
        report.finish()
    for key in value:
        if key not in _KEYS:
            report.add((key,), *unknown_field(key, _KEYS), code="unknown_field")
    tasks = _tasks(report, value.get("tasks"))
    needs = NeedsReader(report)
    needs.read_list(value.get("dependencies"), ("dependencies",))
    report.finish()
    return Snippet(tasks=tasks, dependencies=tuple(dependency for dependency, _ in needs.found))


def _tasks(report: ProblemReport, given: Any) -> tuple[Task, ...]:
    if not isinstance(given, list) or not given:
        report.add(("tasks",), f"must be a list of at least one task, not {describe(given)}.")
        return ()
    found: dict[str, Task] = {}
    for number, fields in enumerate(given):
        task = _task(report, fields, number)
        if task is not None and found.setdefault(task.id, task) is not task:
            message = f"the id {task.id!r} is used by more than one task."
            report.add(("tasks", number), message, "Give each task its own id.", code="duplicate_task")
    return tuple(found.values())


def _task(report: ProblemReport, fields: Any, number: int) -> Task | None:
    path = ("tasks", number)
    if not isinstance(fields, dict):
        report.add(path, f"must be a mapping of fields, not {describe(fields)}.")
        return None
    try:
        return _TASK.validate_python(fields)
    except ValidationError as error:
        report.add_invalid(error, fields, path, f"tasks[{number}]", TASK_FIELDS)
        return None


def only_task(snippet: Snippet, source: str = "") -> Task:
    """The one task there is.

    Raises:
        PlanError: there are more.
    """
    if len(snippet.tasks) != 1:
        message = f"a template is one task, and this holds {len(snippet.tasks)}."
        raise PlanError([Problem(message=message, hint="Keep one of them.", code="template")], source)
    return snippet.tasks[0]


# ---- into a graph


def pasted(snippet: Snippet, facts: RunFacts, *, with_outside: bool = False, waiting: bool = False) -> tuple[Edit, ...]:
    """The edits that put copies of the tasks into a graph: ids are made unique, and what names them follows.

    Args:
        snippet: what is put in.
        facts: of the run it is put into.
        with_outside: also connect the copies with the tasks outside that the originals were connected with, as far as
            these are there and, where they would have to wait, have not started.
        waiting: let the copies wait for the tasks outside that the originals waited for, as far as these are there.
    """
    ids = FreeIds(facts.graph.place)
    names = {task.id: ids.free(task.id) for task in snippet.tasks}
    wanted = (one for one in snippet.outer() if with_outside or (waiting and one.child in names))
    outer = [one for one in wanted if _can_be_joined(one, names, facts)]
    return (
        *(AddTask(renamed(replace(task, id=names[task.id]), names)) for task in snippet.tasks),
        *(AddDependency(_between(one, names)) for one in (*snippet.inner(), *outer)),
    )


def _between(one: Dependency, names: Mapping[str, str]) -> Dependency:
    return replace(one, parent=names.get(one.parent, one.parent), child=names.get(one.child, one.child))


def _can_be_joined(one: Dependency, names: Mapping[str, str], facts: RunFacts) -> bool:
    number = facts.graph.place.get(one.parent if one.child in names else one.child)
    return number is not None and (one.child in names or TaskView(facts, number).is_to_start)


def renamed(task: Task, names: Mapping[str, str]) -> Task:
    """The task with renamed tasks in its templates: `${build.value}` where `build` has another name now."""
    changed: dict[str, Any] = {}
    for field, value in template_values(task).items():
        if not has_templates(value):
            continue
        named = [one for one in references(value, names) if names.get(one, one) != one]
        if named:
            text = _replaced(value, _pattern(named), names)
            changed[field] = text if field != "gate" or task.gate is None else replace(task.gate, message=text)
    return replace(task, **changed) if changed else task


def _pattern(named: Sequence[str]) -> re.Pattern[str]:
    either = "|".join(re.escape(one) for one in sorted(named, key=len, reverse=True))
    return re.compile(rf"\$\$\{{|\$\{{({either})(?=\.(?:value|output|exit_code|status)[.\[}}])")


def _replaced(value: Any, pattern: re.Pattern[str], names: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return pattern.sub(lambda found: "${" + names[found[1]] if found[1] is not None else found[0], value)
    if isinstance(value, Mapping):
        return {key: _replaced(item, pattern, names) for key, item in value.items()}
    if isinstance(value, Sequence):
        return tuple(_replaced(item, pattern, names) for item in value)
    return value


def added_ids(edits: Iterable[Edit]) -> Iterator[str]:
    """The ids of the tasks that edits add."""
    return (edit.task.id for edit in edits if isinstance(edit, AddTask))
