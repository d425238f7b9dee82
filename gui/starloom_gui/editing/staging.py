"""Staged steps, which are committed together: those that apply to the present run, and why others do not.

Pure: it asks the engine's own rules and changes nothing but itself. Dropping and discarding can be taken back step by
step, until a commit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from starloom.constellation.edits import AddTask, Edit, EditBatch, UpdateTask
from starloom.constellation.validation import conflict, keys
from starloom.errors import CommandRefused, Problem
from starloom.scheduling.decide.editing import rehearsed
from starloom.scheduling.state.last_changes import changed_by_others

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.editing.base import Step


@dataclass(frozen=True, slots=True)
class Staged:
    """A step that waits for the commit; its key stays the same when others come and go."""

    key: int
    step: Step


@dataclass(frozen=True, slots=True)
class _State:
    """A state of the staged steps, the action that led to it, and its time."""

    label: str
    steps: tuple[Staged, ...]
    after: int = 0


class StagedSteps:
    """The staged steps in order, with an undo history of their own.

    Args:
        origin: in whose name they will be committed; what others have changed since a step was made is a conflict.
        now: gives what grows with everything the user does, so that steps of both kinds can be kept in order.

    Attributes:
        problems: what is wrong with the steps that do not fit, by key, as last checked.
        revision: that of the run when they were last checked.
    """

    def __init__(self, origin: str, now: Callable[[], int] = lambda: 0) -> None:
        self._origin, self._now = origin, now
        self._next = 0
        self._states = [_State("", ())]
        self._at = 0
        self._bases: dict[int, int] = {}
        self.problems: Mapping[int, tuple[Problem, ...]] = {}
        self.revision = 0

    # ---- reading

    @property
    def steps(self) -> tuple[Staged, ...]:
        """All of them."""
        return self._states[self._at].steps

    @property
    def fitting(self) -> tuple[Edit, ...]:
        """The edits of the steps that fit, as one batch that fits."""
        return edits_of(one for one in self.steps if one.key not in self.problems)

    @property
    def to_undo(self) -> str:
        """The label of the step to undo; empty: there is none."""
        return self._states[self._at].label if self._at else ""

    @property
    def to_redo(self) -> str:
        """The label of the step to redo; empty: there is none."""
        return self._states[self._at + 1].label if self._at + 1 < len(self._states) else ""

    @property
    def undo_after(self) -> int:
        """When the user made the step to undo."""
        return self._states[self._at].after

    @property
    def redo_after(self) -> int:
        """When the user first made the step to redo."""
        return self._states[self._at + 1].after if self.to_redo else 0

    # ---- what the user does

    def add(self, step: Step, revision: int) -> None:
        """Stage a step, made when the run had this revision; one that merges with the last one is joined to it."""
        last = self.steps[-1] if self.steps else None
        if last is not None and step.merges and last.step.merges == step.merges and last.key not in self.problems:
            self._states[self._at :] = [
                _State(step.label, (*self.steps[:-1], Staged(last.key, joined(last.step, step))), self._now())
            ]
            return
        self._next += 1
        self._bases[self._next] = revision
        self._go_on(step.label, (*self.steps, Staged(self._next, step)))

    def restore(self, steps: Iterable[tuple[Step, int]]) -> None:
        """Replace the steps by those of an earlier session, each with the last revision it applied to.

        Args:
            steps: in order; undo does not take them back.
        """
        kept = tuple((Staged(key, step), base) for key, (step, base) in enumerate(steps, self._next + 1))
        self._next += len(kept)
        self._states, self._at = [_State("", tuple(one for one, _ in kept))], 0
        self._bases = {one.key: base for one, base in kept}

    def base(self, key: int) -> int:
        """The revision of the run at which a step fitted last."""
        return self._bases[key]

    def drop(self, gone: Collection[int], label: str) -> None:
        """Remove the steps with these keys; without one of them, nothing changes and there is nothing to undo."""
        if any(one.key in gone for one in self.steps):
            self._go_on(label, tuple(one for one in self.steps if one.key not in gone))

    def keep(self, key: int, revision: int) -> None:
        """Keep a step despite the changes by others until this revision.

        Args:
            key: of the step.
            revision: of the run.
        """
        self._bases[key] = revision

    def undo(self) -> None:
        """Undo the last change of the staged steps."""
        self._at -= bool(self.to_undo)

    def redo(self) -> None:
        """Redo the change that was undone last."""
        self._at += bool(self.to_redo)

    def forget(self, gone: Collection[int]) -> None:
        """Remove these steps, which were committed or discarded."""
        self._states, self._at = [_State("", tuple(one for one in self.steps if one.key not in gone))], 0
        self._bases = {one.key: self._bases[one.key] for one in self.steps}
        self.problems = {key: found for key, found in self.problems.items() if key in self._bases}

    def _go_on(self, label: str, steps: tuple[Staged, ...]) -> None:
        self._states[self._at + 1 :] = [_State(label, steps, self._now())]
        self._at += 1

    # ---- whether they fit

    def check(self, run: RunFacts) -> None:
        """Check which steps apply to the present run; those that do count as made for this revision."""
        problems = self._conflicts(run)
        fitting = [one for one in self.steps if one.key not in problems]
        while fitting and (wrong := _wrong(run, fitting, self._origin)):
            problems.update(wrong)
            fitting = [one for one in fitting if one.key not in wrong]
        self._bases.update((one.key, run.revision) for one in fitting)
        self.problems, self.revision = problems, run.revision

    def batch(self, reason: str) -> EditBatch:
        """All steps as one batch on the revision they were last checked with."""
        return EditBatch(edits=edits_of(self.steps), base_revision=self.revision, origin=self._origin, reason=reason)

    def _conflicts(self, run: RunFacts) -> dict[int, tuple[Problem, ...]]:
        """The changes by others since a step was made, by the engine's rule for a whole batch."""
        found: dict[int, tuple[Problem, ...]] = {}
        for one in self.steps:
            base = self._bases[one.key]
            others = (self._other(run, edit, base) for edit in one.step.edits) if base < run.revision else ()
            problems = tuple(problem for problem in others if problem is not None)
            if problems:
                found[one.key] = problems
        return found

    def _other(self, run: RunFacts, edit: Edit, base: int) -> Problem | None:
        for key in keys(run.graph, edit):
            last = changed_by_others(run, key, self._origin)
            if last is not None and last[0] > base:
                return conflict(edit, base, *last)
        return None


def _wrong(run: RunFacts, steps: list[Staged], origin: str) -> dict[int, tuple[Problem, ...]]:
    """The errors of steps as one batch, by key."""
    try:
        problems = rehearsed(run, EditBatch(edits=edits_of(steps), origin=origin)).problems
    except CommandRefused as refused:  # the run takes no new tasks; everything else may still fit
        closed = (Problem(code=refused.code, message=refused.reason, hint=refused.hint),)
        return {one.key: closed for one in steps if any(isinstance(edit, AddTask) for edit in one.step.edits)}
    return by_step(steps, problems)


def by_step(steps: Iterable[Staged], problems: Iterable[Problem]) -> dict[int, tuple[Problem, ...]]:
    """The problems of a batch of these steps, by the key of the step each is about."""
    owners = [one.key for one in steps for _ in one.step.edits]
    found: dict[int, tuple[Problem, ...]] = {}
    for problem in problems:
        place = problem.where.removeprefix("edits[").removesuffix("]")
        for key in {owners[int(place)]} if place.isdigit() and int(place) < len(owners) else set(owners):
            found[key] = (*found.get(key, ()), problem)
    return found


def edits_of(steps: Iterable[Staged]) -> tuple[Edit, ...]:
    """The edits of steps in order."""
    return tuple(edit for one in steps for edit in one.step.edits)


def joined(one: Step, other: Step) -> Step:
    """Two steps of one drag as one; fields that both change have the later value."""
    edits = list(one.edits)
    for edit in other.edits:
        place = next((at for at, known in enumerate(edits) if _same_update(known, edit)), None)
        if place is None:
            edits.append(edit)
        else:
            known = edits[place]
            assert isinstance(known, UpdateTask)
            assert isinstance(edit, UpdateTask)
            edits[place] = UpdateTask(edit.task_id, **{**known.fields, **edit.fields})
    return replace(other, edits=tuple(edits))


def _same_update(one: Edit, other: Edit) -> bool:
    return isinstance(one, UpdateTask) and isinstance(other, UpdateTask) and one.task_id == other.task_id
