"""Answers what may be edited in a graph by the engine's own rules, for all tasks at once. Pure.

What is enabled here is exactly what the engine accepts; `tests/properties/test_legality.py` compares the two. The sets
a gesture needs are made once, when it begins, in the time it takes to walk over the graph once.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final

import numpy as np

from starloom.model.plan import show_path
from starloom.scheduling.state.codes import REMOVED, RUNNING, SKIPPED, STATUS_OF
from starloom_gui.text.words import fill, status_word, translate

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from starloom.layout.values import BoolArray
    from starloom.scheduling.state.run_facts import RunFacts

MOST_IN_CYCLE: Final = 6
"""So many tasks of a cycle are named at the pointer."""


class Lock(IntEnum):
    """The extent to which a task may still be changed."""

    OPEN = 0
    """All of it."""
    HALF = 1
    """Its fields and what it waits for; it can't be removed, for something that depends on it has started."""
    FULL = 2
    """Nothing: it has started."""


def why_frozen(run: RunFacts, number: int) -> str:
    """The reason why a task can no longer be changed, as a sentence; empty: it can."""
    if not 0 <= number < len(run.status):
        return translate("Legality", "This task is not there.")
    code, name = run.status[number], _name(run, number)
    if code == REMOVED:
        return fill(translate("Legality", "%1 is removed."), name)
    if code == RUNNING:
        return fill(translate("Legality", "%1 is running."), name)
    if code > RUNNING:
        return fill(translate("Legality", "%1 has ended: %2."), name, status_word(STATUS_OF[code]))
    return ""


def why_gone(run: RunFacts, number: int) -> str:
    """The reason why nothing can wait for a task, as a sentence; empty: it can."""
    return why_frozen(run, number) if _is_gone(run, number) else ""


def why_kept(run: RunFacts, numbers: Iterable[int]) -> str:
    """The reason why these tasks can't be removed together, as a sentence; empty: they can."""
    chosen = dict.fromkeys(numbers)
    for number in chosen:
        reason = why_frozen(run, number)
        if reason:
            return reason
        begun = next((child for child in run.graph.children[number] if run.status[child] >= RUNNING), None)
        if begun is not None:
            text = translate("Legality", "%1 can't be removed: %2 depends on it and has started.")
            if run.status[begun] == SKIPPED:
                text = translate("Legality", "%1 can't be removed: %2 depends on it and was skipped.")
            return fill(text, _name(run, number), _name(run, begun))
    return "" if chosen else translate("Legality", "No task is selected.")


def why_closed(run: RunFacts) -> str:
    """The reason why no task can be added, as a sentence; empty: it can."""
    return translate("Legality", "The run was cancelled; nothing can be added to it.") if run.cancel_requested else ""


def why_fixed(run: RunFacts, parent: int, child: int) -> str:
    """The reason why a dependency can't be changed or removed, as a sentence; empty: it can."""
    known = len(run.graph.ids)
    if not (parent < known and child < known and run.graph.has_edge(parent, child)):
        return translate("Legality", "This dependency is removed.")
    return why_frozen(run, child)


def why_not_between(run: RunFacts, parent: int, child: int) -> str:
    """The reason why no task can be put on a dependency, as a sentence; empty: it can."""
    return why_closed(run) or why_fixed(run, parent, child)


def lock_of(run: RunFacts, number: int) -> Lock:
    """The extent to which one task may still be changed; one whose removal is staged is as free as that is."""
    if _has_begun(run, number):
        return Lock.FULL
    return Lock.HALF if any(_has_begun(run, child) for child in run.graph.children[number]) else Lock.OPEN


def _has_begun(run: RunFacts, number: int) -> bool:
    return RUNNING <= run.status[number] != REMOVED


def locks(run: RunFacts) -> Mapping[int, Lock]:
    """The tasks that can't be changed, or only in part."""
    status = _statuses(run)
    found = dict.fromkeys(np.flatnonzero((status >= RUNNING) & (status != REMOVED)).tolist(), Lock.FULL)
    begun = list(found)
    for number in begun:
        for parent in run.graph.parents[number]:
            found.setdefault(parent, Lock.HALF)
    return found


class Targets:
    """The tasks that a dependency which is being drawn may lead to, or come from.

    Args:
        run: the facts; what they say later changes nothing here.
        fixed: the end that stays.
        forward: whether the other end is the child.
        moving: the task at the end that is being moved of a dependency that is there; None: it is a new one.

    Attributes:
        legal: by number, whether a task is one; the moving one is none, as that would change nothing.
        blocked: why none is, as a sentence; empty: some may be.
    """

    def __init__(self, run: RunFacts, fixed: int, *, forward: bool, moving: int | None = None) -> None:
        self._run, self.fixed, self.forward, self.moving = run, fixed, forward, moving
        self.blocked = self._why_blocked()
        self._next: dict[int, int] = {}  # of each task that would close a cycle, the next one towards the fixed end
        self._closes = bytearray(len(run.status))  # by number, whether it would
        status = _statuses(run)
        self.legal: BoolArray = (status != REMOVED) if not forward else (status < RUNNING)
        if self.blocked:
            self.legal = np.zeros(len(status), dtype=np.bool_)
            return
        self._walk()
        self.legal[np.frombuffer(self._closes, dtype=np.bool_)] = False
        self.legal[list(self._linked())] = False

    def _why_blocked(self) -> str:
        run = self._run
        if _is_gone(run, self.fixed):
            return why_frozen(run, self.fixed)
        if self.moving is not None:
            return why_fixed(run, *((self.fixed, self.moving) if self.forward else (self.moving, self.fixed)))
        return "" if self.forward else why_frozen(run, self.fixed)

    def _walk(self) -> None:
        """Find what leads to the fixed end, or what it leads to; a new dependency to that would close a cycle."""
        beyond, found, waiting = self._beyond(), self._closes, [self.fixed]
        found[self.fixed] = True
        for number in waiting:
            for other in beyond[number]:
                if not found[other]:
                    found[other] = True
                    waiting.append(other)

    def _beyond(self) -> Sequence[Sequence[int]]:
        graph = self._run.graph
        return graph.parents if self.forward else graph.children

    def _note_ways(self) -> None:
        """Walk once more, and note how each task was come to: only when somebody asks for a cycle."""
        beyond, found, waiting = self._beyond(), {self.fixed: self.fixed}, [self.fixed]
        for number in waiting:
            for other in beyond[number]:
                if other < len(self._closes) and self._closes[other] and other not in found:
                    found[other] = number
                    waiting.append(other)
        self._next = found

    def _linked(self) -> Sequence[int]:
        graph = self._run.graph
        return graph.children[self.fixed] if self.forward else graph.parents[self.fixed]

    def allows(self, number: int) -> bool:
        """Whether a task is a target; one that was added later is none."""
        return 0 <= number < len(self.legal) and bool(self.legal[number])

    def why(self, number: int) -> str:
        """The reason why a task is no target, as a sentence; empty: it is one."""
        if self.allows(number):
            return ""
        run = self._run
        if self.blocked:
            return self.blocked
        if number == self.moving:
            return translate("Legality", "It leads there already.")
        if 0 <= number < len(self._closes) and self._closes[number]:
            return self._why_cycle(number)
        reason = why_frozen(run, number) if self.forward or _is_gone(run, number) else ""
        return reason or self._why_linked(number)

    def _why_cycle(self, number: int) -> str:
        if number == self.fixed:
            return translate("Legality", "A task can't depend on itself.")
        if not self._next:
            self._note_ways()
        if number not in self._next:  # the dependencies that led there have gone since
            return translate("Legality", "This would close a cycle.")
        path = [number]
        while path[-1] != self.fixed:
            path.append(self._next[path[-1]])
        if not self.forward:
            path.reverse()  # from the fixed end on, as the dependencies lead
        closed = [path[-1], *path]
        text = translate("Legality", "This would close the cycle %1.")
        return fill(text, show_path([_name(self._run, each) for each in closed], MOST_IN_CYCLE))

    def _why_linked(self, number: int) -> str:
        parent, child = (self.fixed, number) if self.forward else (number, self.fixed)
        text = translate("Legality", "%1 depends on %2 already.")
        return fill(text, _name(self._run, child), _name(self._run, parent))


def _is_gone(run: RunFacts, number: int) -> bool:
    """Whether a run does not have a task: it was removed, or is only drawn."""
    return number >= len(run.status) or run.status[number] == REMOVED


def _statuses(run: RunFacts) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    return np.frombuffer(bytes(run.status), dtype=np.uint8)


def _name(run: RunFacts, number: int) -> str:
    if not 0 <= number < len(run.graph.ids):
        return translate("Legality", "The task")
    return run.graph.names.label(number)
