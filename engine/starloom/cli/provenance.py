"""What a plan is known by: its hash, of a plan at hand and of the one that a run was made of."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from starloom import events as ev
from starloom.errors import PlanError
from starloom.formats import dump_plan
from starloom.model.plan import Plan

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from starloom.model.dependency import Dependency
    from starloom.model.task import Task


def plan_sha256(plan: Plan) -> str:
    """The hash of what a plan wants done, whatever it says of devices and limits: see `reporting.provenance`.

    Raises:
        PlanError: it holds a value that no file can.
    """
    wanted = Plan(name=plan.name, tasks=plan.tasks, dependencies=plan.dependencies, rules=plan.rules)
    return sha256(dump_plan(wanted, "json").encode()).hexdigest()


class PlanWatch:
    """Sees the plan that a run was made of, as its events go by."""

    def __init__(self) -> None:
        self._created: ev.RunCreated | None = None
        self._tasks: list[Task] = []
        self._dependencies: list[Dependency] = []

    def seen(self, events: Iterable[ev.Event]) -> Iterator[ev.Event]:
        """The same events."""
        for event in events:
            if type(event) is ev.TasksDeclared:
                self._tasks += event.tasks
                self._dependencies += event.dependencies
            elif type(event) is ev.RunCreated:
                self._created = event
            yield event

    def sha256(self) -> str:
        """The hash of the plan; empty: there is none, or it holds what no file can."""
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
                )
            )
        except (PlanError, ValueError):  # nobody could run it either; the fold has said so, or will
            return ""
