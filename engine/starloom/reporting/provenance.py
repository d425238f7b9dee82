"""The provenance of a report: its journal, its plan, and the program and machine that ran it."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final

import msgspec

from starloom import events as ev
from starloom.errors import PlanError
from starloom.formats import dump_plan
from starloom.model.plan import Plan
from starloom.reporting.text import one_line, sound

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from starloom.model.dependency import Dependency
    from starloom.model.task import Task

UNKNOWN: Final = "unknown"
_NAMES: Final = {
    "starloom": "Starloom",
    "python": "Python",
    "system": "Operating system",
    "user": "User",
    "host": "Host",
    "plan_sha256": "Plan, sha256",
    "journal_sha256": "Journal, sha256",
    "journal_made": "Journal made",
    "journal_format": "Journal format",
}
"""What people read for each field, in the order in which it is told."""


class Provenance(msgspec.Struct, frozen=True, kw_only=True):
    """The provenance of a report. Values that its journal lacks are `unknown`, as in journals of earlier versions.

    Attributes:
        starloom: the version that made the run; so `python`, and `system`, `user` and `host` of then.
        plan_sha256: of the name, tasks, dependencies, rules and agents' terms that the run was made of, as Starloom's
            JSON; `starloom plan --json` tells that of a plan.
        journal_sha256: of the data of all rows of the journal's table `turns`, in order.
        journal_made: when the journal was made, in ISO 8601.
        journal_format: the version of its format.
    """

    starloom: str = UNKNOWN
    python: str = UNKNOWN
    system: str = UNKNOWN
    user: str = UNKNOWN
    host: str = UNKNOWN
    plan_sha256: str = UNKNOWN
    journal_sha256: str = UNKNOWN
    journal_made: str = UNKNOWN
    journal_format: str = UNKNOWN

    def named(self) -> Iterator[tuple[str, str]]:
        """Names and values for people."""
        for field, name in _NAMES.items():
            yield name, one_line(getattr(self, field), 300)

    def text(self) -> str:
        """The same as lines of text."""
        return "\n".join(f"{name}: {value}" for name, value in self.named())


def provenance_of(meta: Mapping[str, str], *, plan_sha256: str, journal_sha256: str) -> Provenance:
    """The provenance from a journal's metadata.

    Args:
        meta: what the journal says about itself.
        plan_sha256: see `Provenance`; empty: unknown.
        journal_sha256: likewise.
    """
    told = {name: meta.get(name) for name in ("python", "system", "user", "host")}
    told |= {"starloom": meta.get("engine"), "journal_made": meta.get("created"), "journal_format": meta.get("format")}
    told |= {"plan_sha256": plan_sha256, "journal_sha256": journal_sha256}
    return Provenance(**{name: sound(value) for name, value in told.items() if value})


def plan_sha256(plan: Plan) -> str:
    """The hash of a plan's tasks and dependencies, without devices and limits: see `Provenance`.

    Raises:
        PlanError: it holds a value that no file can.
    """
    wanted = Plan(
        name=plan.name, tasks=plan.tasks, dependencies=plan.dependencies, rules=plan.rules, agents=plan.agents
    )
    return sha256(dump_plan(wanted, "json").encode()).hexdigest()


class PlanWatch:
    """Rebuilds the plan of a run from its events."""

    def __init__(self) -> None:
        self._created: ev.RunCreated | None = None
        self._tasks: list[Task] = []
        self._dependencies: list[Dependency] = []

    def seen(self, events: Iterable[ev.Event]) -> Iterator[ev.Event]:
        """The same events, passed through."""
        for event in events:
            if type(event) is ev.TasksDeclared:
                self._tasks += event.tasks
                self._dependencies += event.dependencies
            elif type(event) is ev.RunCreated:
                self._created = event
            yield event

    def sha256(self) -> str:
        """The hash of the plan; empty: there is none, or no file can hold it."""
        made = self._created
        if made is None:
            return ""
        try:
            return plan_sha256(
                Plan(
                    name=made.name,
                    tasks=tuple(self._tasks),
                    dependencies=tuple(self._dependencies),
                    rules=made.rules,
                    agents=made.agents,
                )
            )
        except (PlanError, ValueError):  # nobody could run it either; the fold has said so, or will
            return ""
