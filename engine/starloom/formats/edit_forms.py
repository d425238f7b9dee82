"""Edits as plain JSON, the form in which rules, child processes and language models write them.

A form is a mapping of one key, the word for its kind: `{add_task: {id, …, needs, before}}`, `{update_task: {task, …}}`,
`{remove_task: id}`, `{add_dependency: {parent, child, kind, condition}}`, and so on. Whether an edit fits the graph is
not judged here: that is the affair of those who apply it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from starloom.constellation.edits import (
    ALL_KINDS,
    AddDependency,
    AddTask,
    Edit,
    RemoveDependency,
    RemoveTask,
    UpdateDependency,
    UpdateTask,
)
from starloom.errors import Problem
from starloom.formats.fields import describe, findings, unknown_field
from starloom.model.dependency import Dependency
from starloom.model.task import TASK_FIELDS, UPDATABLE_FIELDS, Task

NEEDS: Final = "needs"
BEFORE: Final = "before"
TASK: Final = "task"
MOST_FORMS: Final = 10_000
"""How many edits one answer may hold."""

_TASK: Final = TypeAdapter(Task)
_DEPENDENCY: Final = TypeAdapter(Dependency)
_DEPENDENCY_FIELDS: Final = tuple(f.name for f in fields(Dependency))
STEERING: Final = "steering"
"""In the form of an `UpdateTask` that undoes another one: what commands had said of priority and device."""
PLACE: Final = "place"
"""In the form of an `AddTask` that undoes a removal: where in line the task was."""
_NEED_FIELDS: Final = (TASK, *(name for name in _DEPENDENCY_FIELDS if name not in {"parent", "child"}))
_ENDS: Final = ("parent", "child")


def read_edits(forms: Any, where: str = "edits") -> tuple[tuple[Edit, ...], list[Problem]]:
    """The edits that a list of forms describes, and everything that is wrong with the list.

    Args:
        forms: a JSON value from anybody.
        where: what the list is called in the sentences.
    """
    reader = _Reader()
    if not isinstance(forms, list | tuple):
        reader.add(where, f"must be a list of edits, not {describe(forms)}.", f"Known edits: {', '.join(ALL_KINDS)}.")
    elif len(forms) > MOST_FORMS:
        reader.add(where, f"these are {len(forms):,} edits; at most {MOST_FORMS:,} are taken.", "Propose fewer.")
    else:
        for number, form in enumerate(forms):
            reader.read(form, f"{where}[{number}]")
    return tuple(reader.edits), reader.problems


_STEERED: Final[Mapping[str, Callable[[Any], bool]]] = {
    "priority": lambda value: type(value) is int and 0 <= value <= 100,
    "device": lambda value: isinstance(value, str) and bool(value),
}
"""What commands say of tasks besides their fields, and which values that may have."""


def names(value: Any) -> list[str] | None:
    """One text or a list of them, as a list; None: it is neither."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return list(value)
    return None


class _Reader:
    """Reads one form after another, and continues after each problem."""

    def __init__(self) -> None:
        self.edits: list[Edit] = []
        self.problems: list[Problem] = []

    def add(self, where: str, message: str, hint: str = "") -> None:
        self.problems.append(Problem(where=where, message=message, hint=hint, code="edit_form"))

    def read(self, form: Any, where: str) -> None:
        if not isinstance(form, Mapping) or len(form) != 1:
            hint = "For example {remove_task: some-id}."
            self.add(where, f"an edit is a mapping of one key, its kind, not {describe(form)}.", hint)
            return
        (kind, content), *_ = form.items()
        if kind not in _READERS:
            message, hint = unknown_field(str(kind), ALL_KINDS)
            self.add(where, message.replace("field", "kind of edit"), hint)
            return
        self.edits.extend(_READERS[kind](self, content, f"{where}.{kind}"))

    def _mapping(self, content: Any, where: str) -> dict[str, Any] | None:
        if isinstance(content, Mapping):
            return dict(content)
        self.add(where, f"must be a mapping of fields, not {describe(content)}.")
        return None

    def add_task(self, content: Any, where: str) -> Iterator[Edit]:
        given = self._mapping(content, where)
        if given is None:
            return
        needs, before, place = given.pop(NEEDS, None), given.pop(BEFORE, None), given.pop(PLACE, None)
        if place is not None and (type(place) is not int or place < 0):
            self.add(f"{where}.{PLACE}", f"must be a number from 0, not {describe(place)}.")
            return
        task = self._valid(_TASK, given, where, (*TASK_FIELDS, NEEDS, BEFORE))
        task_id = task.id if task is not None else "it"
        edges = [*self._needs(needs, task_id, f"{where}.{NEEDS}"), *self._befores(before, task_id, f"{where}.{BEFORE}")]
        if task is not None:
            yield AddTask(task, place)
            yield from edges

    def _needs(self, needs: Any, child: str, where: str) -> Iterator[Edit]:
        if needs is None:
            return
        for number, need in enumerate(needs if isinstance(needs, list | tuple) else [needs]):
            place = f"{where}[{number}]"
            if isinstance(need, str):
                need = {TASK: need}
            if not isinstance(need, Mapping) or TASK not in need:
                self.add(place, f"must be the id of a task, or a mapping with task, not {describe(need)}.")
                continue
            edge = {key: value for key, value in need.items() if key != TASK}
            yield from self._edge(AddDependency, {"parent": need[TASK], "child": child, **edge}, place, _NEED_FIELDS)

    def _befores(self, before: Any, parent: str, where: str) -> Iterator[Edit]:
        children = [] if before is None else names(before)
        if children is None:
            self.add(where, f"must be the id of a task, or a list of ids, not {describe(before)}.")
            return
        for child in children:
            yield from self._edge(AddDependency, {"parent": parent, "child": child}, where, _ENDS)

    def remove_task(self, content: Any, where: str) -> Iterator[Edit]:
        if isinstance(content, Mapping) and content.keys() == {TASK}:
            content = content[TASK]
        if isinstance(content, str):
            yield RemoveTask(content)
        else:
            self.add(where, f"must be the id of a task, not {describe(content)}.")

    def update_task(self, content: Any, where: str) -> Iterator[Edit]:
        given = self._mapping(content, where)
        if given is None:
            return
        task_id = given.pop(TASK, None)
        if not isinstance(task_id, str):
            self.add(where, f"must say in 'task' which task it updates, not {describe(task_id)}.")
            return
        steering = self._steering(given.pop(STEERING, {}), given, f"{where}.{STEERING}")
        for name in given.keys() - UPDATABLE_FIELDS:
            self.add(f"{where}.{name}", *unknown_field(name, sorted(UPDATABLE_FIELDS)))
        if given and given.keys() <= UPDATABLE_FIELDS:
            update = UpdateTask(task_id, **given)
            yield update.with_steering(steering) if steering else update
        elif not given:
            self.add(where, "updates nothing.", "Give at least one field.")

    def _steering(self, steering: Any, given: Mapping[str, Any], where: str) -> dict[str, Any]:
        """The values that commands had set for fields that are restored; wrong values are reported."""
        if not isinstance(steering, Mapping):
            self.add(where, f"must be a mapping with priority or device, not {describe(steering)}.")
            return {}
        for name in steering.keys() - _STEERED.keys() | steering.keys() - given.keys():
            self.add(f"{where}.{name}", "can only be priority or device, of which the edit gives the field back.")
        for name in steering.keys() & _STEERED.keys():
            if not _STEERED[name](steering[name]):
                self.add(f"{where}.{name}", f"cannot be {describe(steering[name])}.")
        return dict(steering)

    def add_dependency(self, content: Any, where: str) -> Iterator[Edit]:
        yield from self._edge(AddDependency, self._mapping(content, where), where, _DEPENDENCY_FIELDS)

    def update_dependency(self, content: Any, where: str) -> Iterator[Edit]:
        yield from self._edge(UpdateDependency, self._mapping(content, where), where, _DEPENDENCY_FIELDS)

    def remove_dependency(self, content: Any, where: str) -> Iterator[Edit]:
        for edit in self._edge(AddDependency, self._mapping(content, where), where, _ENDS):
            yield RemoveDependency(edit.dependency.parent, edit.dependency.child)

    def _edge(
        self,
        kind: type[AddDependency | UpdateDependency],
        given: dict[str, Any] | None,
        where: str,
        known: tuple[str, ...],
    ) -> Iterator[AddDependency | UpdateDependency]:
        if given is None:
            return
        if given.get("condition") is not None:
            given = {"kind": "condition", **given}
        dependency = self._valid(_DEPENDENCY, given, where, known)
        if dependency is not None:
            yield kind(dependency)

    def _valid(self, adapter: TypeAdapter[Any], given: dict[str, Any], where: str, known: tuple[str, ...]) -> Any:
        try:
            return adapter.validate_python(given)
        except ValidationError as error:
            for path, message, hint in findings(error, given, known):
                self.add(".".join([where, *map(str, path)]), message, hint)
            return None


_READERS: Final[Mapping[str, Callable[[_Reader, Any, str], Iterator[Edit]]]] = {
    "add_task": _Reader.add_task,
    "remove_task": _Reader.remove_task,
    "update_task": _Reader.update_task,
    "add_dependency": _Reader.add_dependency,
    "remove_dependency": _Reader.remove_dependency,
    "update_dependency": _Reader.update_dependency,
}
