"""Checks of a whole plan that its structure alone does not settle: who reads whose result."""

from __future__ import annotations

from collections import deque
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from starloom.errors import Problem
from starloom.model.templates import TEMPLATE_FIELDS, TemplateError, has_templates, references, template_values

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from starloom.model.plan import Plan
    from starloom.model.task import Task


_READING: Final = attrgetter(*TEMPLATE_FIELDS, "gate")


class Adjacency(Protocol):
    """The protocol of adjacency by number: the index of a plan, or a graph that is edited."""

    @property
    def place(self) -> Mapping[str, int]:
        """The number of each task id."""

    @property
    def parents(self) -> Sequence[Sequence[int]]:
        """The parents of each task."""

    @property
    def children(self) -> Sequence[Sequence[int]]:
        """The children of each task."""


class _Read(NamedTuple):
    """A field of a task that names the result of another task."""

    task: Task
    field: str
    other: str


def check_plan(plan: Plan) -> list[Problem]:
    """Every template that stands where none is replaced, or names a task whose result cannot be there yet.

    In no particular order.
    """
    return check_reads(plan.tasks, plan.index)


def check_reads(tasks: Iterable[Task], index: Adjacency) -> list[Problem]:
    """The same for some tasks only, which must be among those of the index."""
    problems: list[Problem] = []
    distant: dict[str, list[_Read]] = {}
    for task in tasks:
        if task.shell is not None and "${" in task.shell:
            problems += _spliced(index, task)
        if not any(_READING(task)):  # as most tasks of large plans
            continue
        for read in _reads(index, task, problems):
            fault = _obvious_fault(index, read)
            if fault is not None:
                problems.append(_problem(read, *fault))
            elif not _is_parent(index, read):
                distant.setdefault(read.other, []).append(read)
    for other, reads in distant.items():
        descendants = _descendants(index, index.place[other])
        problems.extend(_not_waited_for(read) for read in reads if index.place[read.task.id] not in descendants)
    return problems


def _reads(index: Adjacency, task: Task, problems: list[Problem]) -> Iterator[_Read]:
    for name, value in template_values(task).items():
        if not value:
            continue
        try:
            named = sorted(references(value, index.place)) if has_templates(value) else ()
        except TemplateError as error:
            where = f"tasks.{task.id}.{name}"
            problems.append(Problem(code="template", where=where, message=str(error), task_id=task.id))
            continue
        yield from (_Read(task, name, other) for other in named)


def _spliced(index: Adjacency, task: Task) -> Iterator[Problem]:
    """The problems of shell text with results of existing tasks; anything else like `${HOME}` is the shell's."""
    for other in sorted(references(task.shell, index.place)):
        if other in index.place:
            yield Problem(
                code="template",
                where=f"tasks.{task.id}.shell",
                message=f"{task.id!r} has the result of {other!r} in its shell text, where results are never put: "
                "the shell would run them.",
                hint=f'Give it as a variable, env: {{RESULT: "${{{other}.value}}"}}, and write "$RESULT" in the text.',
                task_id=task.id,
            )


def _obvious_fault(index: Adjacency, read: _Read) -> tuple[str, str] | None:
    if read.other == read.task.id:
        return f"{read.other!r} reads its own result, which is there only when it has ended.", "Name another task."
    if read.other not in index.place:
        message = f"{read.task.id!r} reads the result of {read.other!r}, which is not a task."
        return message, "Correct the id, or write $${ where a plain ${ is meant."
    return None


def _not_waited_for(read: _Read) -> Problem:
    message = f"{read.task.id!r} reads the result of {read.other!r}, but does not wait for it."
    return _problem(read, message, f"Add needs: [{read.other}].")


def _problem(read: _Read, message: str, hint: str) -> Problem:
    where = f"tasks.{read.task.id}.{read.field}"
    return Problem(code="template", where=where, message=message, hint=hint, task_id=read.task.id)


def _is_parent(index: Adjacency, read: _Read) -> bool:
    """Whether it waits for the other directly, as nearly always: walking through a deep plan costs much more."""
    return index.place[read.other] in index.parents[index.place[read.task.id]]


def _descendants(index: Adjacency, place: int) -> set[int]:
    """Walked once for each task that is read from afar, however many read it."""
    seen: set[int] = set()
    queue = deque(index.children[place])
    while queue:
        number = queue.popleft()
        if number not in seen:
            seen.add(number)
            queue.extend(index.children[number])
    return seen
