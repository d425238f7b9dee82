"""The edges of folded groups: each represents all dependencies between the same two nodes."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

import numpy as np

from starloom.model.status import DependencyKind
from starloom.scheduling.read.run_view import RunView
from starloom.scheduling.state.codes import CANCELLED, COMPLETED, FAILED, PENDING, REMOVED, RUNNING, SKIPPED, WAITING
from starloom.scheduling.state.run_facts import YES
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.status_forms import form_counts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from starloom.layout.values import BoolArray, IntArray
    from starloom.scheduling.state.run_facts import RunFacts

_TELLING: Final = (FAILED, RUNNING, PENDING)
"""If a task of a group is in one of these, the group is; the first one counts."""


def summary(counts: Sequence[int]) -> int:
    """The status of a group: the one of its tasks with the highest precedence.

    Args:
        counts: how many of its tasks are in each status, by code.
    """
    for code in _TELLING:
        if counts[code]:
            return code
    if counts[WAITING]:
        return WAITING
    return next((code for code in (COMPLETED, StatusForm.WARNED, CANCELLED, SKIPPED) if counts[code]), REMOVED)


class StatusTally:
    """The number of tasks of a folded group in each status, updated as they change.

    Attributes:
        name: of the group.
        numbers: its tasks.
        counts: by `StatusForm`.
    """

    def __init__(self, name: str, numbers: tuple[int, ...], facts: RunFacts, codes: bytearray) -> None:
        """Count them.

        Args:
            name: of the group.
            numbers: its tasks.
            facts: of the run.
            codes: by number the form of each task of the run; those of the group follow them from now on.
        """
        self.name = name
        self.numbers = numbers
        self.counts = list(form_counts(RunView(facts), numbers))
        self._codes = codes

    def follow(self, number: int, code: int) -> bool:
        """Update the status of a task; False: it has not changed."""
        before = self._codes[number]
        if before == code:
            return False
        self._codes[number] = code
        if before != REMOVED:
            self.counts[before] -= 1
        if code != REMOVED:
            self.counts[code] += 1
        return True

    @property
    def total(self) -> int:
        """The number of tasks."""
        return sum(self.counts)

    @property
    def status(self) -> int:
        """The status of the group, as a code."""
        return summary(self.counts)


class Bundles:
    """The dependencies that begin or end in a folded group, by the edge that represents them.

    Attributes:
        kind: (E,) of these edges, the code of the kind that all have in common; of several, that of success.
        satisfied: (E,) of these edges, whether all have said yes.
    """

    def __init__(
        self,
        facts: RunFacts,
        rows: Mapping[int, int],
        edges: IntArray,
        bundled: BoolArray,
        codes: Sequence[DependencyKind],
        counts: IntArray | None = None,
    ) -> None:
        """Read all dependencies.

        Args:
            facts: of the run.
            rows: by number of a task, the row of its node.
            edges: (E, 2) rows of parent and child.
            bundled: (E,) which of these touch a group; the others are none of its business.
            codes: the kinds by their codes.
            counts: (E,) how many dependencies each edge stands for, where that is known: to count them looks at all.
        """
        self._facts = facts
        self._rows = rows
        self._edge = {tuple(edges[edge].tolist()): edge for edge in np.flatnonzero(bundled).tolist()}
        self._yes: set[tuple[int, int]] = set()
        self._open: IntArray = np.where(bundled, self._counted(edges) if counts is None else counts, 0)
        self.kind = self._common_kinds(codes)
        self.satisfied: BoolArray = np.zeros(len(edges), dtype=np.bool_)
        ended = np.flatnonzero(np.frombuffer(bytes(facts.status), dtype=np.uint8) > RUNNING)
        parents = set(edges[bundled, 0].tolist())
        for number in ended.tolist():
            if rows.get(number) in parents:
                self.follow(number)

    def _counted(self, edges: IntArray) -> IntArray:
        """(E,) how many dependencies each edge stands for; `edges`: (E, 2) rows of parent and child."""
        rows, children = self._rows, self._facts.graph.children
        row = np.full(len(children), -1, dtype=np.int64)
        row[np.fromiter(rows, np.int64, len(rows))] = np.fromiter(rows.values(), np.int64, len(rows))
        begin = np.repeat(row, np.fromiter(map(len, children), np.int64, len(children)))
        end = row[np.fromiter(chain.from_iterable(children), np.int64, len(begin))]
        size = int(row.max(initial=-1)) + 1
        wanted, key = edges[:, 0] * size + edges[:, 1], (begin * size + end)[(begin >= 0) & (end >= 0)]
        order = np.argsort(wanted, kind="stable")
        found = np.minimum(np.searchsorted(wanted[order], key), len(wanted) - 1)
        edge = order[found[wanted[order][found] == key]]
        counts: IntArray = np.bincount(edge, minlength=len(edges))
        return counts

    def _common_kinds(self, codes: Sequence[DependencyKind]) -> npt.NDArray[np.uint8]:
        success = codes.index(DependencyKind.SUCCESS)
        kinds, others = dict[int, set[int]](), self._open.copy()
        for (parent, child), special in self._facts.graph.special.items():
            edge = self._edge.get((self._rows.get(parent, -1), self._rows.get(child, -1)))
            if edge is not None:
                kinds.setdefault(edge, set()).add(codes.index(special.kind))
                others[edge] -= 1
        kind = np.full(len(others), success, dtype=np.uint8)
        for edge, found in kinds.items():
            if len(found) == 1 and not others[edge]:
                kind[edge] = found.pop()
        return kind

    def follow(self, number: int) -> bool:
        """Evaluate a task's dependencies again; returns whether an edge looks different now."""
        facts, changed = self._facts, False
        row = self._rows[number]
        for child in facts.graph.children[number]:
            edge = self._edge.get((row, self._rows.get(child, -1)))
            if edge is None:
                continue
            pair, says_yes = (number, child), facts.answer(number, child) == YES
            if says_yes != (pair in self._yes):
                self._yes.symmetric_difference_update({pair})
                self._open[edge] += -1 if says_yes else 1
                is_satisfied = bool(self._open[edge] <= 0)
                changed = changed or is_satisfied != self.satisfied[edge]
                self.satisfied[edge] = is_satisfied
        return changed
