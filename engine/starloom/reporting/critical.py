"""What decided when a run finished: from the last attempt back, always to what the one after had to wait for."""

from __future__ import annotations

import bisect
from typing import TYPE_CHECKING, Final

from starloom.reporting.report import PathStep

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from starloom.reporting.report import ReportedAttempt, ReportedEdge

_SAME: Final = 1e-6
"""Seconds that are no wait."""


def decided_by(
    attempts: Sequence[ReportedAttempt], of_task: Sequence[tuple[int, ...]], edges: Iterable[ReportedEdge]
) -> tuple[PathStep, ...]:
    """The attempts that decided when the run finished, first to last; none without attempts.

    Args:
        attempts: all of the run.
        of_task: the places of each task's attempts, oldest first.
        edges: its dependencies.
    """
    if not attempts:
        return ()
    return _Causes(attempts, of_task, edges).back_from(
        max(range(len(attempts)), key=lambda one: (attempts[one].ended, attempts[one].started, one))
    )


class _Causes:
    """Finds what an attempt had to wait for."""

    def __init__(
        self, attempts: Sequence[ReportedAttempt], of_task: Sequence[tuple[int, ...]], edges: Iterable[ReportedEdge]
    ) -> None:
        self._attempts, self._of_task = attempts, of_task
        self._by_end = sorted(range(len(attempts)), key=lambda one: attempts[one].ended)
        self._ends = [attempts[one].ended for one in self._by_end]
        self._parents: dict[int, list[int]] = {}
        for edge in edges:
            self._parents.setdefault(edge.child, []).append(edge.parent)
        self._on_slot = self._followers()

    def _followers(self) -> dict[int, int]:
        """For each attempt the one before it on the same slot."""
        last: dict[tuple[str, int], int] = {}
        before: dict[int, int] = {}
        for one in sorted(range(len(self._attempts)), key=lambda one: self._attempts[one].started):
            key = self._attempts[one].device, self._attempts[one].slot
            if key in last:
                before[one] = last[key]
            last[key] = one
        return before

    def back_from(self, last: int) -> tuple[PathStep, ...]:
        """The way back from an attempt to the start."""
        steps: list[PathStep] = []
        seen: set[int] = set()
        current: int | None = last
        while current is not None:
            seen.add(current)
            cause, waited_for = self._cause(current)
            if cause in seen:
                cause, waited_for = None, "start"
            began = 0.0 if cause is None else self._attempts[cause].ended
            steps.append(PathStep(current, waited_for, max(0.0, self._attempts[current].started - began)))
            current = cause
        return tuple(steps[::-1])

    def _cause(self, one: int) -> tuple[int | None, str]:
        attempt = self._attempts[one]
        if attempt.waited > _SAME:
            giver = self._giver(one)
            if giver is not None:
                return giver, "slot"
        own = self._of_task[attempt.task]
        earlier = own.index(one)
        if earlier:
            return own[earlier - 1], "retry"
        parent = self._last_parent(attempt.task, attempt.started + _SAME)
        return (None, "start") if parent is None else (parent, "parent")

    def _giver(self, one: int) -> int | None:
        """Whose end made room for it: on its own slot, or else, for a limit, the last one that ended meanwhile."""
        attempt = self._attempts[one]
        before = self._on_slot.get(one)
        latest = bisect.bisect_right(self._ends, attempt.started + _SAME) - 1
        candidates = [before] if before is not None else []
        candidates += [self._by_end[latest]] if latest >= 0 else []
        for giver in candidates:
            if giver != one and attempt.ready + _SAME < self._attempts[giver].ended <= attempt.started + _SAME:
                return giver
        return None

    def _last_parent(self, task: int, until: float) -> int | None:
        """The last attempt that ended before then among its parents; a parent that never ran stands for its own."""
        found: list[int] = []
        seen: set[int] = set()
        line = list(self._parents.get(task, ()))
        while line:
            parent = line.pop()
            if parent in seen:
                continue
            seen.add(parent)
            own = [one for one in self._of_task[parent] if self._attempts[one].ended <= until]
            if own:
                found.append(own[-1])
            elif not self._of_task[parent]:
                line += self._parents.get(parent, ())
        return max(found, key=lambda one: self._attempts[one].ended, default=None)
