"""Scripts as values: commands to a run, each with the condition it waits for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from starloom.constellation import edits as ed
from starloom.scheduling import commands as c


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptEntry:
    """One entry of a script: a command, and when it is given.

    Attributes:
        command: of no run and nobody yet.
        after: tasks that have to have ended.
        started: tasks that have to have begun.
        wait: seconds after that, and after the entry above.
        by: who did it.
        why: the reason that was given.
    """

    command: c.Command
    after: tuple[str, ...] = ()
    started: tuple[str, ...] = ()
    wait: float = 0.0
    by: str = ""
    why: str = ""

    @property
    def is_at_once(self) -> bool:
        """Whether it waits for the entry above only."""
        return not self.after and not self.started and not self.wait

    def as_given(self, run_id: str, origin: str) -> c.Command:
        """The command addressed to a run, with an origin."""
        command: Any = self.command
        given: dict[str, Any] = {"origin": origin}
        if hasattr(command, "run_id"):
            given["run_id"] = run_id
        if hasattr(command, "reason") and self.why:
            given["reason"] = self.why
        if isinstance(command, c.EditConstellation):
            given["batch"] = ed.EditBatch(edits=command.batch.edits, origin=origin, reason=self.why)
        made: c.Command = replace(command, **given)
        return made


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """The commands that are given to a run, in order.

    Attributes:
        entries: in order.
        name: of the run it was made of.
        run_id: of that run.
        left_out: sentences about what it does not hold.
    """

    entries: tuple[ScriptEntry, ...]
    name: str = ""
    run_id: str = ""
    left_out: tuple[str, ...] = ()


def tasks_of(command: Any) -> tuple[str, ...]:
    """The tasks of a command, without duplicates."""
    if isinstance(command, c.EditConstellation):
        return tuple(dict.fromkeys(name for edit in command.batch.edits for name in _named(edit)))
    if task_id := getattr(command, "task_id", ""):
        return (task_id,)
    return tuple(dict.fromkeys(getattr(command, "task_ids", ())))


def _named(edit: ed.Edit) -> tuple[str, ...]:
    match edit:
        case ed.AddTask():
            return (edit.task.id,)
        case ed.RemoveTask() | ed.UpdateTask():
            return (edit.task_id,)
        case ed.RemoveDependency():
            return edit.parent, edit.child
        case _:
            return edit.dependency.parent, edit.dependency.child
