"""Scripts: what people did to a run, written down so that it can be done to another one.

script: 1
name: firmware
entries:
  - after: compile
    wait: 5s
    by: operator
    why: the link has to wait
    do: {hold: [link, flash]}

Entries are done in their order. One is due once the tasks in `after` have ended and those in `started` have begun (a
gate: has asked), and the entry above is done; and then `wait` later. Without any of these it is due at once, and such
entries at the top are done before the run starts. Tasks are not waited for any longer when the run has ended, or
when nothing of it goes on by itself; nor is `wait` once the run has ended.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from starloom.constellation import edits as ed
from starloom.errors import PlanError, Problem, nearest
from starloom.formats.command_forms import read_command
from starloom.formats.command_writer import command_form
from starloom.formats.edit_forms import names
from starloom.formats.fields import describe, unknown_field
from starloom.formats.files import read_file
from starloom.formats.native_writer import duration_value
from starloom.formats.source import ParsedDocument, read_document
from starloom.formats.yaml_writer import to_yaml
from starloom.model.quantities import parse_duration
from starloom.scheduling import commands as c
from starloom.scheduling.scripts import Script, ScriptEntry, tasks_of

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator

    from starloom.formats.command_forms import Place
    from starloom.model.plan import Plan

VERSION: Final = 1
_MOST_TOLD: Final = 20
"""Tasks that are not there of which is told; more only say that it is the script of another plan."""
MOST_ENTRIES: Final = 10_000
_FIELDS: Final = ("script", "name", "run", "left_out", "entries")
_ENTRY_FIELDS: Final = ("after", "started", "wait", "by", "why", "do")
_HEAD: Final = """\
# What people did to a run, in order: do the same to another one with `starloom run PLAN --script FILE`.
# An entry is due once the tasks in `after` have ended, those in `started` have begun and the entry above is done,
# and then `wait` later. Entries at the top without any of these are done before the run starts.
# Tasks are not waited for any longer when the run has ended or nothing of it goes on by itself.
"""


# ---- reading


def load_script(path: str | os.PathLike[str]) -> Script:
    """The script in a file, YAML or JSON.

    Raises:
        PlanError: it cannot be read or is no good script; lists everything that is wrong, with lines.
    """
    return read_script(read_document(read_file(path), str(path)))


def read_script(document: ParsedDocument) -> Script:
    """The script that a value describes.

    Raises:
        PlanError: it is no good script; lists everything that is wrong.
    """
    reader = _Reader(document)
    script = reader.script()
    if reader.problems:
        raise PlanError(reader.problems, document.source)
    return script


class _Reader:
    """Reads entry after entry, and continues after each problem."""

    def __init__(self, document: ParsedDocument) -> None:
        self._document = document
        self.problems: list[Problem] = []

    def add(self, path: Place, message: str, hint: str = "") -> None:
        where = ".".join(map(str, path))
        if len(path) > 1 and path[0] == "entries" and isinstance(path[1], int):
            where = ".".join([f"entry {path[1] + 1}", *map(str, path[2:])])
        line = self._document.line(tuple(path))
        self.problems.append(Problem(code="script", where=where, message=message, hint=hint, line=line))

    def script(self) -> Script:
        value = self._document.value
        if not isinstance(value, Mapping) or "script" not in value:
            hint = "One starts with 'script: 1'; `starloom report RUN -o x.script.yaml` makes one."
            self.add((), "this is not a script.", hint)
            return Script(entries=())
        if value["script"] != VERSION:
            self.add(("script",), f"this version reads scripts of version {VERSION}, not {describe(value['script'])}.")
            return Script(entries=())
        self._known(value, _FIELDS, ())
        entries = value.get("entries")
        if not isinstance(entries, list):
            self.add(("entries",), f"must be a list, not {describe(entries)}.")
            entries = []
        if len(entries) > MOST_ENTRIES:
            self.add(("entries",), f"these are {len(entries):,}; at most {MOST_ENTRIES:,} are read.")
            entries = []
        read = [self._entry(one, ("entries", number)) for number, one in enumerate(entries)]
        return Script(
            entries=tuple(one for one in read if one is not None),
            name=self._text(value, "name", ()),
            run_id=self._text(value, "run", ()),
            left_out=tuple(names(value.get("left_out", [])) or ()),
        )

    def _known(self, value: Mapping[str, Any], known: tuple[str, ...], path: Place) -> None:
        for name in value.keys() - set(known):
            self.add((*path, str(name)), *unknown_field(str(name), known))

    def _text(self, value: Mapping[str, Any], name: str, path: Place) -> str:
        given = value.get(name, "")
        if not isinstance(given, str):
            self.add((*path, name), f"must be text, not {describe(given)}.")
            return ""
        return given

    def _entry(self, value: Any, path: Place) -> ScriptEntry | None:
        if not isinstance(value, Mapping):
            self.add(path, f"must be a mapping with {', '.join(_ENTRY_FIELDS)}, not {describe(value)}.")
            return None
        self._known(value, _ENTRY_FIELDS, path)
        command = None
        if "do" in value:
            command = read_command(value["do"], lambda at, *said: self.add((*path, "do", *at), *said))
        else:
            self.add(path, "does not say in 'do' what is done.")
        after, started = self._tasks(value, "after", path), self._tasks(value, "started", path)
        wait, by, why = self._wait(value, path), self._text(value, "by", path), self._text(value, "why", path)
        if command is None:
            return None
        return ScriptEntry(command=command, after=after, started=started, wait=wait, by=by, why=why)

    def _tasks(self, value: Mapping[str, Any], name: str, path: Place) -> tuple[str, ...]:
        found = names(value.get(name, []))
        if found is None or not all(found):
            self.add((*path, name), f"must be the id of a task, or a list of ids, not {describe(value[name])}.")
        return tuple(found or ())

    def _wait(self, value: Mapping[str, Any], path: Place) -> float:
        try:
            return parse_duration(value.get("wait", 0))
        except ValueError as error:
            self.add((*path, "wait"), f"{error}.")
            return 0.0


# ---- checking


def check_script(script: Script, plan: Plan, source: str = "") -> None:
    """Check that a script names only tasks that the plan has, or that earlier entries add.

    Raises:
        PlanError: it names others; lists the first of them, by the number of their entry.
    """
    known = {task.id for task in plan.tasks}
    problems: list[Problem] = []
    told: set[str] = set()
    for number, entry in enumerate(script.entries, 1):
        added = set(_added(entry.command))
        for task_id in dict.fromkeys([*entry.after, *entry.started, *tasks_of(entry.command)]):
            if task_id in known or task_id in added:
                continue
            if task_id in told:
                continue
            told.add(task_id)
            if len(problems) >= _MOST_TOLD:
                raise PlanError(problems, source)
            near = nearest(task_id, known)
            hint = f"Did you mean {near!r}?" if near else "Neither the plan has it, nor is it added above."
            message = f"there is no task {task_id!r}."
            problems.append(Problem(code="script", where=f"entry {number}", message=message, hint=hint))
        known |= added
    if problems:
        raise PlanError(problems, source)


def _added(command: c.Command) -> Iterator[str]:
    if isinstance(command, c.EditConstellation):
        for edit in command.batch.edits:
            if isinstance(edit, ed.AddTask):
                yield edit.task.id


# ---- writing


def dump_script(script: Script, syntax: str = "yaml") -> str:
    """The text of a script that `read_script` turns into an equal one.

    Raises:
        PlanError: it holds a value that a file cannot.
    """
    value: dict[str, Any] = {"script": VERSION}
    named = {"name": script.name, "run": script.run_id, "left_out": list(script.left_out)}
    value |= {name: given for name, given in named.items() if given}
    value["entries"] = [_entry_value(entry) for entry in script.entries]
    if syntax == "json":
        return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
    return _HEAD + to_yaml(value)


def _entry_value(entry: ScriptEntry) -> dict[str, Any]:
    fields = {
        "after": _short(entry.after),
        "started": _short(entry.started),
        "wait": duration_value(entry.wait) if entry.wait else None,
        "by": entry.by,
        "why": entry.why,
    }
    return {name: given for name, given in fields.items() if given} | {"do": command_form(entry.command)}


def _short(ids: Iterable[str]) -> Any:
    found = list(ids)
    return found[0] if len(found) == 1 else found


def words_of(entry: ScriptEntry) -> str:
    """The command of an entry as it stands in a script, kept short."""
    text = json.dumps(command_form(entry.command), ensure_ascii=False)
    return text if len(text) <= 80 else f"{text[:79]}…"


def syntax_of(name: str) -> str:
    """`json` or `yaml`, as the ending of a file's name says."""
    return "json" if PurePath(name).suffix.lower() == ".json" else "yaml"
