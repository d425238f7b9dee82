"""Reading constellations of UFO (Galaxy): tasks and dependencies as mappings by id or as lists, words in either case.

Ids that are missing are given. A word or an id that means nothing is reported, where UFO would take its default.
Everything the file said stays under the metadata key `ufo` and is written back by `ufo_writer`. What had been run when
the file was written is not taken over: the plan starts from the beginning.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from pydantic import TypeAdapter, ValidationError

from starloom.errors import nearest
from starloom.formats.fields import describe, findings
from starloom.formats.report import ProblemReport
from starloom.formats.structure import check_structure
from starloom.formats.ufo_fields import (
    BESIDE,
    DEVICE_TYPES,
    KEY,
    KEY_OF_FIELD,
    KINDS,
    NOTE,
    PRIORITIES,
    STATES,
    TASK_FIELDS,
    TASK_STATUSES,
    kind_of,
    priority_of,
    word,
)
from starloom.model.dependency import Dependency
from starloom.model.frozen import EMPTY
from starloom.model.plan import Plan
from starloom.model.task import Identifier, Task

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from starloom.formats.limits import Path
    from starloom.formats.source import ParsedDocument

_ID: Final = TypeAdapter[str](Identifier)
_ENDS: Final = ("from_task_id", "to_task_id")
_TASK_MARKS: Final = frozenset({"task_id", "target_device_id"})

Entry = tuple[tuple[str | int, ...], dict[str, Any]]
"""Where an entry stands in the document, and its fields with an id among them."""


def looks_like_ufo(value: Any) -> bool:
    """Whether a value has what only constellations of UFO have."""
    if not isinstance(value, dict) or value.keys() & {"starloom", "workflow"}:
        return False
    if "constellation_id" in value:
        return True
    return any(_TASK_MARKS & item.keys() for item in _mappings(value.get("tasks"))) or any(
        "from_task_id" in item for item in _mappings(value.get("dependencies"))
    )


def _mappings(section: Any) -> Iterator[dict[str, Any]]:
    items = section.values() if isinstance(section, dict) else section if isinstance(section, list) else ()
    return (item for item in items if isinstance(item, dict))


def with_devices_beside(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata of a constellation whose devices stand in the file beside it, so that it need not hold them."""
    return {**metadata, KEY: {**metadata.get(KEY, EMPTY), BESIDE: True}}


def has_devices_beside(plan: Plan) -> bool:
    """Whether all devices of a plan may stand in the file beside its constellation, from which they were read."""
    kept = plan.metadata.get(KEY)
    is_beside = isinstance(kept, Mapping) and kept.get(BESIDE) is True
    return is_beside and all(device.kind == "aip" for device in plan.devices)


def read_plan(document: ParsedDocument) -> Plan:
    """The plan that asks agents for what the tasks of a constellation say.

    Raises:
        PlanError: something in it cannot be used; lists everything found.
    """
    return _Reader(document).plan()


class _Reader:
    """Reads one constellation, and continues after each bad part."""

    def __init__(self, document: ParsedDocument) -> None:
        self.report = ProblemReport(document)
        self.value = document.value

    def plan(self) -> Plan:
        self._check_top()
        entries = self._entries("tasks", "task_id", "task")
        lines = self._entries("dependencies", "line_id", "line")
        tasks = [(made, path) for path, entry in entries if (made := self._task(entry, path))]
        edges = [(edge, path) for path, entry in lines if (edge := self._edge(entry, path))]
        usable = [(entry["task_id"], path) for path, entry in entries if _is_id(entry["task_id"])]
        check_structure(self.report, usable, edges)
        self._check_lines(entries, lines)
        head = self._head()
        self.report.finish()
        return Plan(tasks=tuple(task for task, _ in tasks), dependencies=tuple(edge for edge, _ in edges), **head)

    def _check_top(self) -> None:
        if not isinstance(self.value, dict):
            self.report.add((), f"a constellation is a mapping of fields, not {describe(self.value)}.", code="ufo")
            self.report.finish()
        if "tasks" not in self.value and "constellation_id" not in self.value:
            self.report.add((), "the field 'tasks' is missing.", "A constellation lists its tasks there.", code="ufo")
        self._check_word(self.value, "state", STATES, (), "")

    def _entries(self, section: str, id_key: str, prefix: str) -> list[Entry]:
        """The entries of a section, each with an id: its own, else its key, else a new one."""
        given = self.value.get(section)
        if given is not None and not isinstance(given, dict | list):
            self.report.add((section,), f"must be a list or a mapping, not {describe(given)}.", code="ufo")
        found: list[Entry] = []
        for key, item in given.items() if isinstance(given, dict) else enumerate(given if _is_list(given) else ()):
            if not isinstance(item, dict):
                self.report.add((section, key), f"must be a mapping of fields, not {describe(item)}.", code="ufo")
                continue
            own = item.get(id_key)
            if isinstance(key, str) and own in (None, ""):
                own = key
            elif isinstance(key, str) and own != key:
                message = f"the {id_key} {describe(own)} differs from the key {key!r}."
                self.report.add((section, key), message, "Make them the same.", code="ufo")
            found.append(((section, key), {**item, id_key: own}))
        _give_ids([entry for _, entry in found], id_key, prefix)
        return found

    def _task(self, entry: dict[str, Any], path: Path) -> Task | None:
        task_id = entry["task_id"] if _is_id(entry["task_id"]) else ""
        self._check_word(entry, "status", TASK_STATUSES, path, task_id)
        self._check_word(entry, "device_type", DEVICE_TYPES, path, task_id)
        if priority_of(entry.get("priority")) is None:
            self._unknown_word(entry, "priority", PRIORITIES, path, task_id, also="a number from 1 to 4")
        fields: dict[str, Any] = {"id": entry["task_id"], "metadata": {KEY: entry}}
        fields |= {field.field: field.read(entry, task_id) for field in TASK_FIELDS}
        try:
            return Task(**fields)
        except ValidationError as error:
            self._add_invalid(error, fields, path, task_id)
            return None

    def _edge(self, entry: dict[str, Any], path: Path) -> Dependency | None:
        missing = [key for key in _ENDS if entry.get(key) in (None, "")]
        for key in missing:
            self.report.add(path, f"the field {key!r} is missing.", "Name a task there.", code="ufo")
        kind = kind_of(entry.get("dependency_type"))
        if kind is None:
            self._unknown_word(entry, "dependency_type", KINDS, path, "")
        if missing or kind is None:
            return None
        said = entry.get("condition_description")
        if said is not None and not isinstance(said, str):
            message = f"must be text, not {describe(said)}."
            self.report.add((*path, "condition_description"), message, "Say it in words.", code="ufo")
        note = {NOTE: said} if said else {}
        fields = {"parent": entry["from_task_id"], "child": entry["to_task_id"], "metadata": {**note, KEY: entry}}
        try:
            return Dependency(kind=kind, **fields)
        except ValidationError as error:
            self._add_invalid(error, fields, path, "")
            return None

    def _head(self) -> dict[str, Any]:
        kept = {key: item for key, item in self.value.items() if key not in {"tasks", "dependencies"}}
        forms = {key: "list" for key in ("tasks", "dependencies") if isinstance(self.value.get(key), list)}
        name = self.value.get("name") or self.value.get("constellation_id") or "constellation"
        head: dict[str, Any] = {"name": name, "metadata": {KEY: {"fields": kept, "forms": forms}}}
        try:
            Plan(**head)
        except ValidationError as error:
            self.report.add_invalid(error, head, (), "", ())
        return head

    def _check_lines(self, entries: list[Entry], lines: list[Entry]) -> None:
        """Line ids are used once, and what a task says about its neighbours is what the lines say."""
        places: dict[str, Path] = {}
        for path, line in lines:
            if isinstance(line["line_id"], str) and places.setdefault(line["line_id"], path) is not path:
                message = f"the line_id {line['line_id']!r} is used by more than one dependency."
                self.report.add(path, message, "Give each its own.", code="ufo")
        pairs = {(describe(line.get("from_task_id")), describe(line.get("to_task_id"))) for _, line in lines}
        for path, entry in entries:
            own = describe(entry["task_id"])
            for key, is_parent in (("dependencies", True), ("dependents", False)):
                for other in entry[key] if _is_list(entry.get(key)) else ():
                    pair = (describe(other), own) if is_parent else (own, describe(other))
                    if pair not in pairs:
                        message = f"{own} names {pair[not is_parent]} among its {key}, but no dependency joins them."
                        hint = "Add it to the dependencies of the constellation, or take it out here."
                        self.report.add((*path, key), message, hint, code="ufo")

    def _check_word(self, entry: Mapping[str, Any], key: str, known: Collection[str], path: Path, task_id: str) -> None:
        value = entry.get(key)
        if value not in (None, "") and (not isinstance(value, str) or word(value) not in known):
            self._unknown_word(entry, key, known, path, task_id)

    def _unknown_word(
        self, entry: Mapping[str, Any], key: str, known: Collection[str], path: Path, task_id: str, also: str = ""
    ) -> None:
        value = entry[key]
        near = nearest(word(value), known) if isinstance(value, str) else None
        choices = ", ".join([*known, also] if also else known)
        hint = f"Did you mean {near!r}?" if near else ""
        message = f"must be one of {choices}, not {describe(value)}."
        self.report.add((*path, key), message, hint, code="ufo", task_id=task_id)

    def _add_invalid(self, error: ValidationError, fields: Mapping[str, Any], path: Path, task_id: str) -> None:
        """Report pydantic's errors under UFO's names of the fields."""
        for inner, message, hint in findings(error, fields, tuple(fields)):
            place = (*path, KEY_OF_FIELD.get(str(inner[0]), inner[0]), *inner[1:]) if inner else path
            self.report.add(place, message, hint, code="ufo", task_id=task_id)


def _give_ids(entries: list[dict[str, Any]], key: str, prefix: str) -> None:
    """New ids where there are none: `task_001` and so on, those that are taken left out."""
    taken = {entry[key] for entry in entries if isinstance(entry[key], str)}
    number = 0
    for entry in entries:
        if entry[key] in (None, ""):
            number += 1
            while (new := f"{prefix}_{number:03d}") in taken:
                number += 1
            entry[key] = new


def _is_id(value: Any) -> bool:
    """Whether a task can have it as its id: it is neither empty nor too long, and has no control characters."""
    try:
        _ID.validate_python(value)
    except ValidationError:
        return False
    return True


def _is_list(value: Any) -> bool:
    return isinstance(value, list)
