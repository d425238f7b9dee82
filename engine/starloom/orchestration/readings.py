"""Readings of a run's tasks and results: each reads the facts on every call and keeps no state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Protocol

from typing_extensions import override

from starloom.errors import CommandRefused, nearest
from starloom.model.result import Result

if TYPE_CHECKING:
    from starloom.model.status import TaskStatus
    from starloom.model.task import Task
    from starloom.scheduling.state.attempts import Attempt
    from starloom.scheduling.state.run_facts import RunFacts


class HasFacts(Protocol):
    """The protocol of a run whose facts are read."""

    @property
    def facts(self) -> RunFacts:
        """The facts of the run now."""


def check_known(run: RunFacts, task_id: str) -> None:
    """Refuse an id that no task of the run has.

    Raises:
        CommandRefused: none has it; the hint names the one that looks most like it.
    """
    place = run.graph.place
    if task_id not in place:
        near = nearest(task_id, place)
        hint = f"Did you mean {near!r}?" if near else "List the run's tasks to see their ids."
        raise CommandRefused("unknown_task", f"There is no task {task_id!r} in this run.", hint)


class TaskReading:
    """One task of a run as it is now; reads the facts each time it is asked."""

    __slots__ = ("_id", "_run")

    def __init__(self, run: HasFacts, task_id: str) -> None:
        self._run = run
        self._id = task_id

    @property
    def id(self) -> str:
        """The task's id."""
        return self._id

    @property
    def _number(self) -> int:
        return self._run.facts.graph.place[self._id]

    @property
    def task(self) -> Task:
        """The task itself, with the fields it has now."""
        return self._run.facts.graph.task(self._id)

    @property
    def status(self) -> TaskStatus:
        """Its status."""
        return self._run.facts.status_of(self._number)

    @property
    def attempts(self) -> list[Attempt]:
        """All its attempts, oldest first."""
        return self._run.facts.attempts(self._number)

    @property
    def result(self) -> Result | None:
        """The result of its last finished attempt; None: there is none."""
        return self._run.facts.results[self._number]

    @property
    def priority(self) -> int:
        """Its base priority, 0 to 100."""
        return self._run.facts.priority[self._number]

    @property
    def is_held(self) -> bool:
        """Whether it is held."""
        return self._number in self._run.facts.held

    @property
    def device_id(self) -> str | None:
        """The id of the device on which its last attempt runs or ran; None: there was none."""
        return self._run.facts.device_of[self._number]

    @override
    def __repr__(self) -> str:
        return f"<task {self._id!r}: {self.status}>"


class Results(Mapping[str, Result]):
    """The results of a run by task id: those of tasks that have ended by running, or were marked."""

    def __init__(self, run: HasFacts) -> None:
        self._run = run

    @override
    def __getitem__(self, task_id: str) -> Result:
        facts = self._run.facts
        result = facts.results[facts.graph.place[task_id]]
        if result is None:
            raise KeyError(task_id)
        return result

    @override
    def __iter__(self) -> Iterator[str]:
        facts = self._run.facts
        return (task_id for task_id, number in facts.graph.place.items() if facts.results[number] is not None)

    @override
    def __len__(self) -> int:
        return sum(1 for _ in self)
