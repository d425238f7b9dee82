"""The terms on which an agent has a part in a run: which ends it is asked about, and which tasks it may change.

And what is done about its edits of tasks that have started, where the fence lets them.
"""

from __future__ import annotations

import re
from enum import StrEnum
from fnmatch import translate
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import msgspec
from typing_extensions import override

from starloom.model.status import TaskStatus

if TYPE_CHECKING:
    from collections.abc import Iterable

ENDS: Final = (TaskStatus.COMPLETED, TaskStatus.FAILED)
"""How a task may end such that agents are asked about it."""


@lru_cache(maxsize=1024)
def _compiled(patterns: tuple[str, ...]) -> tuple[frozenset[str], re.Pattern[str] | None]:
    plain = frozenset(pattern for pattern in patterns if not {"*", "?"} & set(pattern))
    wild = [translate(pattern.replace("[", "[[]")) for pattern in patterns if pattern not in plain]
    return plain, re.compile("|".join(wild)) if wild else None


def matches(text: str, patterns: tuple[str, ...]) -> bool:
    """Whether text is one of the patterns, in which `*` stands for any characters and `?` for one."""
    plain, wild = _compiled(patterns)
    return text in plain or (wild is not None and wild.match(text) is not None)


class EndFilter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The ends of tasks that somebody wants to hear of.

    Attributes:
        tasks: patterns, one of which the id of the task has to match; see `matches`.
        statuses: how it has ended, of `ENDS`.
        when: a condition about its end; None: none.
    """

    tasks: tuple[str, ...] = ("*",)
    statuses: tuple[TaskStatus, ...] = ENDS
    when: str | None = None

    def concerns(self, task_id: str, status: TaskStatus) -> bool:
        """Whether an end is among them, but for the condition."""
        return status in self.statuses and matches(task_id, self.tasks)


class ScopeKind(StrEnum):
    """The way in which a scope names tasks."""

    ALL = "all"
    """All of the run."""
    DESCENDANTS = "descendants"
    """Those that depend, directly or not, on a task whose end the agent is asked about."""
    GROUP = "group"
    """Those of named limit groups."""
    TASKS = "tasks"
    """Those whose id matches a pattern."""


NAMING: Final = (ScopeKind.GROUP, ScopeKind.TASKS)
"""The kinds that need names."""


class EditScope(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tasks that an agent may remove, change, or give a dependency; tasks that it adds itself are free.

    Attributes:
        kind: how they are named.
        names: groups, or patterns of ids; none of the others. No pattern: nothing that is there may be changed.
    """

    kind: ScopeKind
    names: tuple[str, ...] = ()

    @property
    def is_everything(self) -> bool:
        """Whether it leaves nothing out."""
        return self.kind is ScopeKind.ALL

    def names_task(self, task_id: str, groups: Iterable[str]) -> bool:
        """Whether a task is in it by its own id and groups alone, whatever it depends on."""
        if self.kind is ScopeKind.TASKS:
            return matches(task_id, self.names)
        if self.kind is ScopeKind.GROUP:
            return not set(self.names).isdisjoint(groups)
        return self.is_everything

    @override
    def __str__(self) -> str:
        """As it is written on the command line, e.g. `tasks:build-*,deploy`."""
        return f"{self.kind}:{','.join(self.names)}" if self.kind in NAMING else str(self.kind)


class OnConflict(StrEnum):
    """What becomes of an agent's edit of a task that has started, behind the fence `optimistic`."""

    DROP = "drop"
    """It is left out, and the others of its proposal are applied."""
    REPLACE = "replace"
    """The task is stopped and runs again as edited; once it has ended, the edit is left out."""
    NEXT_ATTEMPT = "next_attempt"
    """New values of its fields hold from its next attempt on, if there is one; any other edit is left out."""


class AgentTerms(msgspec.Struct, frozen=True):
    """What is agreed with one agent.

    Attributes:
        on: it is asked about ends that are in one of these; none: about all.
        scope: what it may change; None: everything, and no fence of its own.
        on_conflict: what becomes of its edits of tasks that have started; None: `drop`.
    """

    on: tuple[EndFilter, ...] = ()
    scope: EditScope | None = None
    on_conflict: OnConflict | None = None


NO_TERMS: Final = AgentTerms()
