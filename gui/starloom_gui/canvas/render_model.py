"""The render model: what is painted, as arrays; made from the facts of a run and a layout, and updated as tasks change.

It holds no state of its own: another one made from the same facts and layout is equal. Rows are those of the layout;
what the layout has and the run no longer has is not painted. A change of structure takes a new layout and a new model.
"""

from __future__ import annotations

from enum import IntEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np

from starloom.model.quantities import NORMAL_PRIORITY
from starloom.model.status import DependencyKind
from starloom.scheduling.state.codes import COMPLETED, FAILED, REMOVED, RUNNING, is_terminal
from starloom.scheduling.state.run_facts import YES
from starloom.scheduling.state.stops import is_bypassed
from starloom_gui.canvas.badges import badge_of, tasks_with_badges
from starloom_gui.canvas.bundles import Bundles, StatusTally
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.stage import Stage
from starloom_gui.viewmodel.status_forms import form_at, form_codes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy.typing as npt

    from starloom.layout import Layout
    from starloom.layout.values import BoolArray, IntArray
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.viewmodel.grouping import Group

KINDS: Final = (
    DependencyKind.SUCCESS,
    DependencyKind.ALWAYS,
    DependencyKind.FAILURE,
    DependencyKind.CONDITION,
)
SUCCESS, ALWAYS, FAILURE, CONDITION = range(4)
"""Codes of the kinds of edges, in the order of `KINDS`."""


class NodeMark(IntEnum):
    """The mark at the end of a node's second line."""

    NONE = 0
    CRITICAL = 1
    HIGH = 2
    LOW = 3
    BACKGROUND = 4
    LOCK_HALF = 5
    LOCK_FULL = 6


class GraphRenderModel:
    """The arrays that are painted: N nodes, E edges. A node is a task, or a folded group with the number of its first.

    Attributes:
        facts: of the run, for reading.
        layout: where everything stands.
        numbers: (N,) of the tasks.
        status: (N,) of each the number of its `StatusForm`; of a group, what is loudest.
        badge: (N,) codes of `Badge`.
        priority: (N,) codes of `NodeMark`.
        lock: (N,) codes of `NodeMark`.
        stage: (N,) codes of `Stage`.
        edges: (E, 2) rows of parent and child.
        edge_stage: (E,) codes of `Stage`.
        kind: (E,) codes of kinds.
        satisfied: (E,) whether the edge has said yes.
        fenced: the ready tasks that do not start because agents, or people, are asked.
        quiet: by number, since when running tasks have printed nothing for long, in seconds since 1970.
        unset: the tasks for which something is typed and not set.
        tallies: by row, what the folded groups hold.
        plain: (N,) whether the node is a task.
        bypassed: the numbers of tasks that complete without running.
        present: (N,) whether the task is still there.
        linked: (E,) whether both ends are.
        on_path: (N,) whether the node is on the critical path.
        critical: (E,) whether the edge is.
        path: rows of the critical path, in order.
        real: (N,) whether the node can be dragged and selected; nodes of only the other plan of a comparison cannot.
        durations: by number, the seconds that tasks will take which are not there yet.
        answer_version: grows whenever the answer of an edge has changed.
        edge_version: grows whenever an edge has gone or come, or is staged otherwise.
        path_version: grows whenever an edge is critical or no longer.
    """

    def __init__(
        self, facts: RunFacts, layout: Layout, folded: Sequence[Group] = (), bundled: IntArray | None = None
    ) -> None:
        """Fill all arrays.

        Args:
            facts: of the run.
            layout: of the nodes that are shown.
            folded: the groups among these, as they were laid out.
            bundled: (E,) how many dependencies of the run each edge stands for; None: they are counted.
        """
        self.facts = facts
        self.layout = layout
        self.numbers = layout.graph.numbers
        self.edges = layout.graph.edges
        self.durations: Mapping[int, float] = MappingProxyType({})
        self.answer_version = self.edge_version = self.path_version = 0
        self._row, self._late = layout.rows(), {number: len(ends) for number, ends in facts.late_ends.items()}
        count = len(self.numbers)
        self.status = np.frombuffer(bytes(facts.status), dtype=np.uint8)[self.numbers].copy()
        for row in np.flatnonzero(self.status == FAILED).tolist():
            self.status[row] = form_at(facts, int(self.numbers[row]))
        self.present: BoolArray = self.status != REMOVED
        self.badge = np.zeros(count, dtype=np.uint8)
        self.priority = _priorities(np.frombuffer(bytes(facts.priority), dtype=np.uint8)[self.numbers])
        self.lock = np.zeros(count, dtype=np.uint8)
        self.stage = np.zeros(count, dtype=np.uint8)
        self.fenced = self.unset = frozenset[int]()
        self.quiet: Mapping[int, float] = MappingProxyType({})
        self.tallies: dict[int, StatusTally] = {}
        self.plain = np.ones(count, dtype=np.bool_)
        self.real: BoolArray = np.ones(count, dtype=np.bool_)
        self._bundles: Bundles | None = None
        codes = form_codes(facts) if folded else bytearray()
        for group in folded:
            self._fold(group, codes)
        self.bypassed = {one for one in self.numbers.tolist() if is_bypassed(facts, one)} if facts.steered else set()
        for number in {*self.bypassed, *tasks_with_badges(facts)}:
            if number in self._row and self.plain[self._row[number]]:
                self.badge[self._row[number]] = self._badge_of(number)
        self._connect(bundled)
        self.edge_stage = np.zeros(len(self.edges), dtype=np.uint8)
        self.path: IntArray = np.zeros(0, dtype=np.int64)
        self.on_path = np.zeros(count, dtype=np.bool_)
        self.critical = np.zeros(len(self.edges), dtype=np.bool_)

    def _fold(self, group: Group, codes: bytearray) -> None:
        row = self._row[group.numbers[0]]
        tally = self.tallies[row] = StatusTally(group.name, group.numbers, self.facts, codes)
        self._row.update(dict.fromkeys(group.numbers, row))
        self.plain[row] = False
        self.status[row], self.present[row], self.priority[row] = tally.status, tally.total > 0, NodeMark.NONE

    def _connect(self, counts: IntArray | None) -> None:
        """Fill the arrays of edges; `counts`: (E,) how many dependencies each stands for, where that is known."""
        self.linked: BoolArray = np.asarray(self.present[self.edges].all(axis=1), dtype=np.bool_)
        by_parent = np.argsort(self.edges[:, 0], kind="stable")
        self._outgoing = by_parent
        self._outgoing_from = np.searchsorted(self.edges[by_parent, 0], np.arange(len(self.numbers) + 1))
        self._bundled = ~np.asarray(self.plain[self.edges].all(axis=1), dtype=np.bool_)
        self._ask_each_edge()
        if self._bundled.any():
            self._bundles = Bundles(self.facts, self._row, self.edges, self._bundled, KINDS, counts)
            self.kind[self._bundled] = self._bundles.kind[self._bundled]
            self.satisfied[self._bundled] = self._bundles.satisfied[self._bundled]

    def _ask_each_edge(self) -> None:
        self.kind = np.zeros(len(self.edges), dtype=np.uint8)
        self.satisfied = np.zeros(len(self.edges), dtype=np.bool_)
        ends = self.numbers[self.edges]
        if self.facts.graph.special:
            place = {(parent, child): edge for edge, (parent, child) in enumerate(ends.tolist())}
            for pair, dependency in self.facts.graph.special.items():
                if pair in place:
                    self.kind[place[pair]] = KINDS.index(dependency.kind)
        answer, ended = self.facts.answer, self.status[self.edges[:, 0]]
        asked = self.linked & ~self._bundled & (ended > RUNNING)
        has_failed = (ended == FAILED) | (ended == StatusForm.WARNED)
        is_plain = (self.kind == SUCCESS) & ~has_failed  # those say yes when their parent is done; most are such
        self.satisfied[asked & is_plain & (ended == COMPLETED)] = True
        for edge in np.flatnonzero(asked & ~is_plain).tolist():
            parent, child = ends[edge].tolist()
            self.satisfied[edge] = answer(parent, child) == YES

    def __len__(self) -> int:
        return len(self.numbers)

    def row(self, number: int | None) -> int | None:
        """The row of a task, or of its folded group; None: it is not shown."""
        row = self._row.get(number) if number is not None else None
        return row if row is not None and self.present[row] else None

    def numbers_at(self, row: int) -> tuple[int, ...]:
        """The tasks of a node: one, or those of a folded group."""
        tally = self.tallies.get(row)
        return tally.numbers if tally is not None else (int(self.numbers[row]),)

    def is_hidden(self, number: int) -> bool:
        """Whether a task is inside a folded group."""
        row = self.row(number)
        return row is not None and not self.plain[row]

    def marks_of(self, number: int) -> int:
        """The number of marks at the end of a task's second line."""
        row = self._row[number]
        return bool(self.priority[row]) + bool(self.lock[row])

    def outgoing(self, row: int) -> IntArray:
        """The edges that leave a node."""
        return self._outgoing[self._outgoing_from[row] : self._outgoing_from[row + 1]]

    # ---- following

    def update(self, numbers: Iterable[int]) -> list[int]:
        """Update tasks that may have changed; positions never change.

        Args:
            numbers: of the tasks, each as often as you like; those that are not in the layout are passed over.

        Returns:
            The rows that look different now.
        """
        changed: list[int] = []
        for number in numbers:
            row = self._row.get(number)
            if row is not None and self._look_again(row, number):
                changed.append(row)
        return changed

    def _look_again(self, row: int, number: int) -> bool:
        facts = self.facts
        if not self.plain[row]:
            return self._count_again(row, number)
        code, badge, late = form_at(facts, number), self._badge_of(number), len(facts.late_ends.get(number, ()))
        priority = _priority_mark(facts.priority[number])
        before = (self.status[row], self.badge[row], self.priority[row], self._late.get(number, 0))
        was_bypassed = number in self.bypassed
        (self.bypassed.add if is_bypassed(facts, number) else self.bypassed.discard)(number)
        if before == (code, badge, priority, late) and was_bypassed == (number in self.bypassed):
            return False
        self.status[row], self.badge[row], self.priority[row], self._late[number] = code, badge, priority, late
        if before[0] != code:
            self._status_changed(row, number, int(before[0]), code)
        return True

    def _count_again(self, row: int, number: int) -> bool:
        """Update a task inside a folded group."""
        tally = self.tallies[row]
        if not tally.follow(number, form_at(self.facts, number)):
            return False
        self._follow_answers(number)
        self._set_present(row, tally.total > 0)
        self.status[row] = tally.status
        return True

    def _set_present(self, row: int, present: bool) -> None:
        if present != self.present[row]:
            self.present[row] = present
            touching = np.flatnonzero((self.edges == row).any(axis=1))
            self.linked[touching] = self.present[self.edges[touching]].all(axis=1)
            self.edge_version += 1

    def _follow_answers(self, number: int) -> None:
        """Evaluate the dependencies of a task again where some are bundled."""
        if self._bundles is not None and self._bundles.follow(number):
            self.satisfied[self._bundled] = self._bundles.satisfied[self._bundled]
            self.answer_version += 1

    def _status_changed(self, row: int, number: int, before: int, code: int) -> None:
        edges = self.outgoing(row)
        if self._bundles is not None:
            edges = edges[~self._bundled[edges]]
            self._follow_answers(number)
        self._set_present(row, code != REMOVED)
        if not len(edges) or not (_is_over(code) or _is_over(before)):
            return
        answers = [
            bool(self.linked[edge]) and self.facts.answer(number, int(self.numbers[self.edges[edge, 1]])) == YES
            for edge in edges.tolist()
        ]
        if (self.satisfied[edges] != answers).any():
            self.satisfied[edges] = answers
            self.answer_version += 1

    def _badge_of(self, number: int) -> int:
        said = {"is_fenced": number in self.fenced, "is_quiet": number in self.quiet, "is_unset": number in self.unset}
        return badge_of(self.facts, number, **said)

    # ---- what others know

    def set_critical_path(self, numbers: Sequence[int]) -> None:
        """Set the tasks of the critical path, in order; empty: it is unknown or hidden."""
        rows = [row for number in numbers if (row := self.row(number)) is not None]
        rows = [row for place, row in enumerate(rows) if not place or row != rows[place - 1]]
        self.path = np.array(rows, dtype=np.int64)
        self.on_path[:] = False
        self.on_path[self.path] = True
        follows = np.full(len(self), -1, dtype=np.int64)
        follows[self.path[:-1]] = self.path[1:]
        critical = np.asarray(follows[self.edges[:, 0]] == self.edges[:, 1], dtype=np.bool_)
        self.path_version += bool((critical != self.critical).any())
        self.critical = critical

    def set_fenced(self, numbers: frozenset[int]) -> frozenset[int]:
        """Set the ready tasks that do not start because agents, or people, are asked.

        Returns:
            The tasks to be looked at again by `update`.
        """
        changed, self.fenced = self.fenced ^ numbers, numbers
        return changed

    def set_quiet(self, quiet: Mapping[int, float]) -> frozenset[int]:
        """Set the running tasks that have printed nothing for long; returns what `set_fenced` does."""
        changed, self.quiet = frozenset(self.quiet.keys() ^ quiet.keys()), quiet
        return changed

    def set_unset(self, numbers: frozenset[int]) -> frozenset[int]:
        """Set the tasks for which something is typed and not set; returns what `set_fenced` does."""
        changed, self.unset = self.unset ^ numbers, numbers
        return changed

    def set_locks(self, locks: Mapping[int, NodeMark]) -> None:
        """Set the locks of tasks that cannot be edited, or only in part; all others can."""
        self.lock[:] = NodeMark.NONE
        for number, mark in locks.items():
            if number in self._row and self.plain[self._row[number]]:
                self.lock[self._row[number]] = mark

    def set_stages(
        self, stages: Mapping[int, Stage], edge_stages: Mapping[tuple[int, int], Stage] = MappingProxyType({})
    ) -> None:
        """Set the effects of staged edits on tasks, and on edges as pairs of parent and child; none on all others."""
        self.stage[:] = Stage.NONE
        for number, stage in stages.items():
            if number in self._row and (self.plain[self._row[number]] or stage is not Stage.NONE):
                row = self._row[number]
                self.stage[row] = stage if self.plain[row] else Stage.CHANGED
        before = self.edge_stage.copy()
        self.edge_stage[:] = Stage.NONE
        for (parent, child), stage in edge_stages.items():
            self._stage_edge(self._row.get(parent), self._row.get(child), stage)
        self.edge_version += bool((self.edge_stage != before).any())

    def _stage_edge(self, parent: int | None, child: int | None, stage: Stage) -> None:
        if parent is None or child is None:
            return
        for edge in self.outgoing(parent).tolist():
            if self.edges[edge, 1] == child:
                self.edge_stage[edge] = Stage.CHANGED if self._bundled[edge] else stage

    def arrays(self) -> tuple[npt.NDArray[np.generic], ...]:
        """All arrays that are painted; equal for equal render models."""
        return (
            *(self.numbers, self.layout.positions, self.status, self.badge, self.priority, self.lock, self.stage),
            *(
                self.present,
                self.edges,
                self.edge_stage,
                self.kind,
                self.satisfied,
                self.linked,
                self.on_path,
                self.critical,
            ),
            *(self.plain, np.array([tally.counts for tally in self.tallies.values()], dtype=np.int64)),
        )


def _is_over(form: int) -> bool:
    return form == StatusForm.WARNED or is_terminal(form)


def _priorities(values: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    table = np.array([_priority_mark(value) for value in range(256)], dtype=np.uint8)
    marks: npt.NDArray[np.uint8] = table[values]
    return marks


def _priority_mark(priority: int) -> NodeMark:
    if priority == NORMAL_PRIORITY:
        return NodeMark.NONE
    if priority > NORMAL_PRIORITY:
        return NodeMark.CRITICAL if priority >= 90 else NodeMark.HIGH
    return NodeMark.BACKGROUND if priority <= 10 else NodeMark.LOW
