"""Reading Starloom's own format: a mapping with `starloom: 1`, written as YAML or JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pydantic import TypeAdapter, ValidationError

from starloom.errors import PlanError
from starloom.formats.agent_terms import read_agents
from starloom.formats.checks import check_plan
from starloom.formats.fields import describe, unknown_field
from starloom.formats.needs import NeedsReader
from starloom.formats.report import ProblemReport
from starloom.formats.rules import read_rules
from starloom.formats.structure import check_structure
from starloom.model.device import DeviceSpec
from starloom.model.plan import NO_LIMITS, Limits, Plan, PlanIndex
from starloom.model.quantities import beyond_priorities
from starloom.model.task import ACTIONS, TASK_FIELDS, Task
from starloom.model.task_columns import tasks_from_columns

if TYPE_CHECKING:
    from starloom.formats.limits import Path
    from starloom.formats.source import ParsedDocument

VERSION: Final = 1
_AT_ONCE: Final = 1_000
"""So many tasks are validated together, which takes a millisecond or a few, in which no other thread runs."""
PLAN_KEYS: Final = (
    "starloom",
    "name",
    "description",
    "devices",
    "tasks",
    "dependencies",
    "limits",
    "fence",
    "placement",
    "modification_timeout",
    "overdue_factor",
    "defaults",
    "metadata",
    "rules",
    "agents",
    "notes",
    "layout",
)
FLEET_KEYS: Final = ("starloom", "devices", "limits")
DEVICE_FIELDS: Final = tuple(f.name for f in fields(DeviceSpec))
LIMIT_FIELDS: Final = tuple(f.name for f in fields(Limits))
DEFAULT_FIELDS: Final = tuple(name for name in TASK_FIELDS if name not in {"id", *ACTIONS})

_T = TypeVar("_T")
_TASK: Final = TypeAdapter(Task)
_DEVICE: Final = TypeAdapter(DeviceSpec)
_LIMITS: Final = TypeAdapter(Limits)
_HEAD_FIELDS: Final = (
    *("name", "description", "metadata", "rules", "agents", "notes", "layout"),
    *("fence", "placement", "modification_timeout", "overdue_factor"),
)

_STEP: Final = re.compile(r"[^.\[\]]+")
"""The steps of a place in the rules or the terms of agents, such as `rules[0].on.task`."""

Entry = tuple[tuple[str | int, ...], dict[str, Any]]
"""Where an entry stands in the document, and its fields with the id among them."""


KEYED: Final = ("tasks", "devices")
"""Sections that are lists of mappings with an id, or mappings from ids."""


def read_plan(document: ParsedDocument) -> Plan:
    """The plan a document describes.

    Raises:
        PlanError: something is wrong; lists everything that could be found at once.
    """
    return _Reader(document, PLAN_KEYS, "plan").plan()


def task_of_defaults(defaults: Mapping[str, Any]) -> Task:
    """A task that says nothing but these defaults, so that each of them can be read from it as tasks have it.

    Raises:
        pydantic.ValidationError: one is no value of its field.
    """
    return _TASK.validate_python({**defaults, "id": "default", "simulate": 0})


def keyed_sections(document: ParsedDocument) -> frozenset[str]:
    """The sections of a plan's document that are mappings by id instead of lists."""
    given = document.value
    return frozenset(name for name in KEYED if isinstance(given, dict) and isinstance(given.get(name), dict))


def read_fleet(document: ParsedDocument) -> tuple[tuple[DeviceSpec, ...], Limits]:
    """The devices and limits a fleet file describes.

    Raises:
        PlanError: something is wrong; lists everything that could be found at once.
    """
    reader = _Reader(document, FLEET_KEYS, "fleet file")
    reader.head()
    devices, limits = reader.devices(), reader.limits()
    reader.report.finish()
    return devices, limits


class _Reader:
    """Reads one document section by section, and continues after each problem."""

    def __init__(self, document: ParsedDocument, keys: tuple[str, ...], what: str) -> None:
        self.report = ProblemReport(document)
        self.keys = keys
        self.what = what
        self.value: dict[str, Any] = document.value if isinstance(document.value, dict) else {}

    def plan(self) -> Plan:
        self.head()
        head = self._plan_head()
        devices, limits = self.devices(), self.limits()
        entries = list(self._entries("tasks"))
        defaults = self._defaults()
        tasks, ids = self._tasks(entries, defaults)
        needs = NeedsReader(self.report, {task.id for task in tasks})
        for (path, given), task_id in zip(entries, ids, strict=True):
            if task_id is not None and "needs" in given:
                needs.read_needs(task_id, given["needs"], (*path, "needs"))
        needs.read_list(self.value.get("dependencies"), ("dependencies",))
        dependencies = tuple(dependency for dependency, _ in needs.found)
        places = [(task_id, path) for (path, _), task_id in zip(entries, ids, strict=True) if task_id is not None]
        index = None if self.report.problems else PlanIndex.of_legal(tasks, dependencies)
        if index is None:
            check_structure(self.report, places, needs.found)
        self.report.finish()
        plan = Plan(devices=devices, limits=limits, defaults=defaults, **head).edited(tuple(tasks), dependencies, index)
        self._check(plan, places)
        return plan

    def head(self) -> None:
        """Version and keys of the whole file.

        Raises:
            PlanError: the version is one that cannot be read, so nothing else can be judged.
        """
        report = self.report
        if not isinstance(report.document.value, dict):
            report.add((), f"a {self.what} is a mapping of fields, not {describe(report.document.value)}.", _START)
            report.finish()
        version = self.value.get("starloom")
        if "starloom" not in self.value:
            report.add((), "the field 'starloom' is missing; it says which version of the format this is.", _START)
        elif isinstance(version, bool) or not isinstance(version, int) or version < 1:
            report.add(("starloom",), f"the version of the format is a whole number, not {describe(version)}.", _START)
        elif version > VERSION:
            message = f"this {self.what} is written in version {version} of the format; this Starloom reads {VERSION}."
            report.add(("starloom",), message, "Update Starloom to open it.", code="version")
            report.finish()
        for key in self.value:
            if key not in self.keys:
                report.add((key,), *unknown_field(key, self.keys), code="unknown_field")

    def _plan_head(self) -> dict[str, Any]:
        head: dict[str, Any] = {key: self.value[key] for key in _HEAD_FIELDS if key in self.value}
        try:
            Plan(**head)
        except ValidationError as error:
            self.report.add_invalid(error, head, (), "", PLAN_KEYS)
        else:
            self._check_with(read_rules, head.get("rules", ()))
            self._check_with(read_agents, head.get("agents", ()))
        return head

    def _check_with(self, read: Callable[[Any], object], value: Any) -> None:
        try:
            read(value)
        except PlanError as error:
            for problem in error.problems:
                steps = _STEP.findall(problem.where)
                path = tuple(int(step) if step.isdecimal() else step for step in steps)
                self.report.add(path, problem.message, problem.hint, code=problem.code, where=problem.where)

    def limits(self) -> Limits:
        given = self.value.get("limits")
        return (
            NO_LIMITS
            if given is None
            else self._valid(_LIMITS, given, ("limits",), "limits", LIMIT_FIELDS) or NO_LIMITS
        )

    def _valid(
        self, adapter: TypeAdapter[_T], given: Any, path: tuple[str | int, ...], where: str, known: tuple[str, ...]
    ) -> _T | None:
        try:
            return adapter.validate_python(given)
        except ValidationError as error:
            self.report.add_invalid(error, given, path, where, known)
            return None

    def devices(self) -> tuple[DeviceSpec, ...]:
        found: dict[str, DeviceSpec] = {}
        for path, given in self._entries("devices"):
            where = f"devices.{given.get('id', path[-1])}"
            known = self._gather_options(given, path, where)
            device = self._valid(_DEVICE, known, path, where, DEVICE_FIELDS)
            if device is not None and found.setdefault(device.id, device) is not device:
                message = f"the id {device.id!r} is used by more than one device."
                self.report.add(path, message, "Give each device its own id.", code="duplicate_device", where=where)
        return tuple(found.values())

    def _gather_options(self, given: dict[str, Any], path: tuple[str | int, ...], where: str) -> dict[str, Any]:
        """Every key that is no field of a device is an option of its kind."""
        known = {key: value for key, value in given.items() if key in DEVICE_FIELDS}
        extra = {key: value for key, value in given.items() if key not in DEVICE_FIELDS}
        options = known.get("options", {})
        if not extra or not isinstance(options, Mapping):
            return known
        for key in extra.keys() & options.keys():
            self.report.add((*path, key), f"the option {key!r} is given twice.", "Keep one of the two.", where=where)
        return {**known, "options": {**options, **extra}}

    def _tasks(self, entries: list[Entry], defaults: Mapping[str, Any]) -> tuple[list[Task], list[str | None]]:
        """The good tasks, and the id of every entry, None where it cannot be used as one."""
        tasks: list[Task] = []
        ids: list[str | None] = []
        for start in range(0, len(entries), _AT_ONCE):
            part = entries[start : start + _AT_ONCE]
            try:
                good = tasks_from_columns(_columns([given for _, given in part], defaults))
            except (KeyError, ValueError):  # to be told of each entry by itself
                self._tasks_one_by_one(part, defaults, tasks, ids)
            else:
                tasks += good
                ids += [task.id for task in good]
        return tasks, ids

    def _tasks_one_by_one(
        self, entries: list[Entry], defaults: Mapping[str, Any], tasks: list[Task], ids: list[str | None]
    ) -> None:
        for path, given in entries:
            values = {**defaults, **given}
            values.pop("needs", None)
            self._check_priority(given, path)
            try:
                task = _TASK.validate_python(values)
            except ValidationError as error:
                ids.append(self._bad_task(error, values, path))
            else:
                tasks.append(task)
                ids.append(task.id)

    def _bad_task(self, error: ValidationError, values: dict[str, Any], path: tuple[str | int, ...]) -> str | None:
        task_id = values.get("id")
        usable = task_id if isinstance(task_id, str) and task_id else None
        where = f"tasks.{usable}" if usable else f"tasks[{path[-1]}]"
        self.report.add_invalid(error, values, path, where, (*TASK_FIELDS, "needs"), task_id=usable or "")
        id_is_bad = any(item["loc"][:1] == ("id",) for item in error.errors(include_url=False))
        return None if id_is_bad else usable

    def _defaults(self) -> dict[str, Any]:
        """The valid defaults; the problems of the others are reported once, not for each task."""
        given = self.value.get("defaults")
        if given is None:
            return {}
        if not isinstance(given, dict):
            self.report.add(("defaults",), f"must be a mapping of task fields, not {describe(given)}.")
            return {}
        self._check_priority(given, ("defaults",))
        good = {}
        for name, value in given.items():
            if name in DEFAULT_FIELDS:
                if self._default_is_good(name, value):
                    good[name] = value
            elif name in TASK_FIELDS or name == "needs":
                hint = f"Give {name!r} to each task that wants it."
                self.report.add(("defaults", name), f"{name!r} cannot be a default.", hint)
            else:
                self.report.add(("defaults", name), *unknown_field(name, DEFAULT_FIELDS), code="unknown_field")
        return good

    def _check_priority(self, given: Mapping[str, Any], path: tuple[str | int, ...]) -> None:
        """Note a number beyond all priorities: programs may compute one, but a person has mistyped it."""
        if "priority" in given and (wrong := beyond_priorities(given["priority"])):
            self.report.add((*path, "priority"), f"{wrong}.")

    def _default_is_good(self, name: str, value: Any) -> bool:
        given = {name: value}
        try:
            task_of_defaults(given)
        except ValidationError as error:
            self.report.add_invalid(error, given, ("defaults",), "defaults", DEFAULT_FIELDS)
            return False
        return True

    def _entries(self, section: str) -> Iterator[Entry]:
        """The entries of a section that is a list of mappings with an id, or a mapping from id to fields."""
        given = self.value.get(section)
        if isinstance(given, dict):
            yield from self._keyed(section, given)
        elif isinstance(given, list):
            for number, item in enumerate(given):
                if isinstance(item, dict):
                    yield (section, number), item
                else:
                    self.report.add((section, number), f"must be a mapping of fields, not {describe(item)}.")
        elif given is not None:
            self.report.add((section,), f"must be a list or a mapping, not {describe(given)}.")

    def _keyed(self, section: str, given: dict[str, Any]) -> Iterator[Entry]:
        for key, item in given.items():
            if item is not None and not isinstance(item, dict):
                self.report.add((section, key), f"must be a mapping of fields, not {describe(item)}.")
                continue
            values = dict(item or {})
            if values.setdefault("id", key) != key:
                message = f"the id {describe(values['id'])} differs from the key {key!r}."
                self.report.add((section, key, "id"), message, "Remove the id; the key is the id.")
            yield (section, key), {**values, "id": key}

    def _check(self, plan: Plan, places: Iterable[tuple[str, Path]]) -> None:
        problems = check_plan(plan)
        place_of = dict(places) if problems else {}
        for problem in problems:
            task_id = problem.task_id or ""
            inside = problem.where.removeprefix(f"tasks.{task_id}").strip(".")
            path = (*place_of[task_id], inside) if inside else place_of[task_id]
            self.report.add(
                path, problem.message, problem.hint, code=problem.code, where=problem.where, task_id=task_id
            )
        self.report.finish()


def _columns(entries: Sequence[Mapping[str, Any]], defaults: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The fields of tasks as columns.

    Raises:
        ValueError: an entry is wrong, or says that a field is nothing, which in a column is one that is left out.
    """
    named = set[str]().union(*entries)
    columns = {name: [given.get(name) for given in entries] for name in named}
    if sum(map(len, entries)) != sum(len(entries) - column.count(None) for column in columns.values()):
        raise ValueError("a field is nothing")
    if "id" not in columns:
        raise ValueError("no task has an id")
    columns.pop("needs", None)
    if any(beyond_priorities(one) for one in columns.get("priority", ()) if one is not None):
        raise ValueError("a priority is beyond 0 to 100")
    for name, value in defaults.items():
        if value is None:
            raise ValueError("a default is nothing")
        columns[name] = [value if one is None else one for one in columns.get(name, [None] * len(entries))]
    return columns


_START: Final = "Begin the file with 'starloom: 1'."
