"""The seven edit tools of a language model, as UFO names them, and the edits it has proposed with them so far.

Each call is judged at once, by the rules for everybody's edits, together with all calls before it: what would be
refused is refused here, in a sentence from which the model can mend it, and leaves no trace.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from starloom.constellation.edits import AddTask, Edit
from starloom.errors import AgentError, Problem
from starloom.formats.edit_forms import names, read_edits
from starloom.formats.fields import describe
from starloom.formats.ufo_fields import NOTE, as_literal

ARROW: Final = "->"
"""What stands between the two ends in the id of a dependency that was given none."""
_FENCED: Final = re.compile(r"\A\s*```(?:json)?\s*\n(.*?)\n?```\s*\Z", re.DOTALL)
_SHOWN: Final = 5
Problems = Callable[[Sequence[Edit]], Sequence[Problem]]


class Rejected(AgentError):  # noqa: N818 - what is said to a model, not an error of ours
    """A tool was used in a way that cannot be: the sentence says what to do instead."""


class EditTools:
    """The edit tools of one question to a model, and the edits it has proposed with them so far.

    Attributes:
        edits: in the order in which they were made.
    """

    def __init__(
        self, problems: Problems, most: int, changeable: Sequence[str] = (), prompts: Iterable[str] = ()
    ) -> None:
        """Tools without edits.

        Args:
            problems: why edits, as one batch, would be refused.
            most: how many edits may be proposed.
            changeable: the tasks that `build_constellation` clears away if it is told to.
            prompts: the tasks whose description is what is to be done, so that both change together.
        """
        self.edits: list[Edit] = []
        self._problems = problems
        self._most = most
        self._changeable = tuple(changeable)
        self._prompts = set(prompts)
        self._ends: dict[str, tuple[str, str]] = {}

    # ---- the seven tools; their signatures and texts are what a model is shown

    def add_task(
        self,
        task_id: str,
        name: str = "",
        description: str = "",
        target_device_id: str | None = None,
        tips: list[str] | None = None,
        command: list[str] | None = None,
        timeout: str | None = None,
    ) -> str:
        """Add a task.

        Args:
            task_id: a new id.
            name: what people read.
            description: what is to be done, in words; a device with an agent does it.
            target_device_id: the device it has to run on.
            tips: hints for doing it.
            command: a program and its arguments to run instead of the description; no shell reads them.
            timeout: how long it may take, e.g. 90s or 5m.
        """
        told = {"task_id": task_id, "name": name, "description": description, "target_device_id": target_device_id}
        return self._take([{"add_task": _task({**told, "tips": tips, "command": command, "timeout": timeout})}])

    def remove_task(self, task_id: str) -> str:
        """Remove a task that has not started, with its dependencies.

        Args:
            task_id: which task.
        """
        return self._take([{"remove_task": task_id}])

    def update_task(
        self,
        task_id: str,
        name: str | None = None,
        description: str | None = None,
        target_device_id: str | None = None,
        tips: list[str] | None = None,
        command: list[str] | None = None,
        timeout: str | None = None,
    ) -> str:
        """Change a task that has not started; what is not given stays.

        Args:
            task_id: which task.
            name: what people read.
            description: what is to be done, in words.
            target_device_id: the device it has to run on.
            tips: hints for doing it.
            command: a program and its arguments to run instead of a description.
            timeout: how long it may take, e.g. 90s or 5m.
        """
        given = {"name": name, "device": target_device_id, "tips": tips, "command": command, "timeout": timeout}
        fields = {field: value for field, value in given.items() if value is not None}
        if description is not None:
            fields["description"] = description
            if command is None and task_id in self._prompts:
                fields["prompt"] = as_literal(description)
        return self._take([{"update_task": {"task": task_id, **fields}}])

    def add_dependency(
        self,
        from_task_id: str,
        to_task_id: str,
        dependency_id: str | None = None,
        condition_description: str = "",
        kind: str = "success",
    ) -> str:
        """Make a task that has not started wait for another one.

        Args:
            from_task_id: the task that is waited for.
            to_task_id: the task that waits.
            dependency_id: how to name the dependency in later calls; without it, from_task_id->to_task_id.
            condition_description: a note in words; it decides nothing.
            kind: success: goes on only if the other one completed; always: also if it failed; failure: only then.
        """
        said = self._take([{"add_dependency": _edge(from_task_id, to_task_id, condition_description, kind)}])
        if dependency_id:
            self._ends[dependency_id] = from_task_id, to_task_id
        return said

    def remove_dependency(self, dependency_id: str) -> str:
        """Remove a dependency, so that a task no longer waits for another one.

        Args:
            dependency_id: from_task_id->to_task_id, or the id that was given when it was added here.
        """
        parent, child = self._ends_of(dependency_id)
        return self._take([{"remove_dependency": {"parent": parent, "child": child}}])

    def update_dependency(self, dependency_id: str, condition_description: str = "", kind: str = "success") -> str:
        """Change the note and the kind of a dependency.

        Args:
            dependency_id: from_task_id->to_task_id, or the id that was given when it was added here.
            condition_description: a note in words; it decides nothing.
            kind: success, always or failure.
        """
        parent, child = self._ends_of(dependency_id)
        return self._take([{"update_dependency": _edge(parent, child, condition_description, kind)}])

    def build_constellation(self, config: dict[str, Any], clear_existing: bool = False) -> str:
        """Add many tasks and dependencies at once.

        Args:
            config: {"tasks": [{"task_id", "name", "description", "target_device_id", "tips"}], "dependencies":
                [{"from_task_id", "to_task_id", "condition_description"}]}.
            clear_existing: whether to remove all tasks that have not started before that.
        """
        cleared = [{"remove_task": task_id} for task_id in self._changeable] if clear_existing else []
        tasks = [{"add_task": _task(entry)} for entry in _entries(config, "tasks", "task_id")]
        edges = [
            {"add_dependency": _edge(entry.get("from_task_id"), entry.get("to_task_id"), _condition(entry), "success")}
            for entry in _entries(config, "dependencies", "line_id")
        ]
        return self._take([*cleared, *tasks, *edges])

    # ---- answers without tools

    def take_text(self, text: str) -> str:
        """Take edits that a model has written down as JSON instead of using tools; returns the reason.

        Raises:
            Rejected: they cannot be used.
        """
        fenced = _FENCED.match(text)
        try:
            value = json.loads(fenced[1] if fenced else text)
        except ValueError:
            return text.strip()
        if isinstance(value, Mapping) and "edits" in value:
            self._take(value["edits"])
        elif isinstance(value, Mapping) and "tasks" in value:
            self.build_constellation(dict(value))
        else:
            return text.strip()
        return str(value.get("reason") or "")

    # ---- taking

    def _take(self, forms: Any) -> str:
        edits, problems = read_edits(forms)
        if not problems and len(self.edits) + len(edits) > self._most:
            raise Rejected(f"No more than {self._most} edits may be proposed; use fewer, larger steps, or stop here.")
        refused = problems or self._problems([*self.edits, *edits])
        if refused:
            raise Rejected(" ".join(str(problem) for problem in refused[:_SHOWN]))
        self.edits += edits
        self._prompts |= {edit.task.id for edit in edits if isinstance(edit, AddTask) and edit.task.prompt is not None}
        return f"Accepted; {len(self.edits)} edits are proposed so far."

    def _ends_of(self, dependency_id: str) -> tuple[str, str]:
        if dependency_id in self._ends:
            return self._ends[dependency_id]
        parent, arrow, child = dependency_id.partition(ARROW)
        if not arrow:
            hint = f"Write from_task_id{ARROW}to_task_id."
            raise Rejected(f"There is no dependency {dependency_id!r}. {hint}")
        return parent.strip(), child.strip()


def _entries(config: Mapping[str, Any], section: str, key: str) -> list[Mapping[str, Any]]:
    """The entries of a section that is a list, or a mapping from id to fields."""
    given = config.get(section) or []
    if isinstance(given, Mapping):
        given = [{key: id, **entry} if isinstance(entry, Mapping) else entry for id, entry in given.items()]
    if not isinstance(given, list) or not all(isinstance(entry, Mapping) for entry in given):
        raise Rejected(f"{section}: must be a list of mappings, not {describe(given)}.")
    return given


def _task(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The form of a task as UFO writes it: without a command, its description is a prompt."""
    description = entry.get("description") or ""
    device = entry.get("target_device_id") or None
    form = {"id": entry.get("task_id"), "name": entry.get("name") or "", "tips": names(entry.get("tips") or []) or []}
    form |= {"description": description, "device": device, "timeout": entry.get("timeout")}
    if entry.get("command"):
        return {**form, "command": entry["command"]}
    prompt = description or entry.get("name") or entry.get("task_id")
    return {**form, "prompt": as_literal(prompt)}


def _condition(entry: Mapping[str, Any]) -> str:
    given = entry.get("condition_description")
    return given if isinstance(given, str) else ""


def _edge(parent: Any, child: Any, note: str, kind: str) -> dict[str, Any]:
    return {"parent": parent, "child": child, "kind": kind, "metadata": {NOTE: note} if note else {}}


TOOLS: Final = (
    EditTools.add_task,
    EditTools.remove_task,
    EditTools.update_task,
    EditTools.add_dependency,
    EditTools.remove_dependency,
    EditTools.update_dependency,
    EditTools.build_constellation,
)
