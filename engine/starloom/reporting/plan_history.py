"""The last runs of a plan, task by task: which are flaky, which have become slower, and what each usually takes."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from starloom.scheduling.state.codes import COMPLETED, FAILED, REMOVED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from starloom.reporting.run_digest import RunDigest

ABSENT: Final = 255
"""In place of a status: the run has no such task."""
SAMPLES: Final = 4
"""So many earlier durations there are at least of a task that is said to have become slower."""
SLOWER: Final = 1.5
"""How many times its usual duration a slower task takes at least."""
SLOWER_BY: Final = 1.0
"""And by how many seconds it takes longer: what takes a moment varies."""


class Flakiness(NamedTuple):
    """In how many runs a task failed or was retried, and in how many it came to an end."""

    bad: int
    of: int


class Slowdown(NamedTuple):
    """What a task took last and, in the median, in so many runs before; seconds."""

    last: float
    usual: float
    samples: int

    @property
    def ratio(self) -> float:
        """How many times as long it took."""
        return self.last / max(self.usual, 1e-3)


class TaskDurations(NamedTuple):
    """The durations of tasks with the work they have now; one row for each task, NaN where there are none.

    Attributes:
        usual: the median of all of them, in seconds.
        last: the newest.
        before: the median of those before the newest.
        samples: how many those are.
    """

    usual: NDArray[np.float64]
    last: NDArray[np.float64]
    before: NDArray[np.float64]
    samples: NDArray[np.int64]


class PlanHistory:
    """The tasks of a plan's last runs as rows: those of the newest run in its order, then those only earlier ones had.

    Args:
        columns: the runs, oldest first.

    Attributes:
        columns: the same.
        ids: of the tasks.
        place: the place of each task in each column; -1: the run has no such task.
        latest: the newest column that has the task; not one it was removed from, if another one has it.
        status: a code for each task and column, or `ABSENT`.
        usual: what each task takes in the median, in seconds; NaN: nobody knows.
        flaky: the share of bad ends of each task that is flaky, see `flaky_counts`; else 0.
        slower: how many times as long as before each task took that has become slower, see `is_slower`; else 0.
    """

    def __init__(self, columns: Sequence[RunDigest]) -> None:
        self.columns = list(columns)
        orders: list[list[str]] = []  # mostly there is one: the runs of a plan that did not change
        for column in reversed(self.columns):
            if column.ids not in orders:
                orders.append(column.ids)
        self.ids = list(dict.fromkeys(chain.from_iterable(orders)))
        row_of = {task_id: row for row, task_id in enumerate(self.ids)}
        rows = [np.fromiter(map(row_of.__getitem__, ids), np.int64, len(ids)) for ids in orders]
        shape = len(self.ids), len(self.columns)
        self.place = np.full(shape, -1, np.int32)
        self.status = np.full(shape, ABSENT, np.uint8)
        self._seconds = np.full(shape, np.nan)
        self._failures = np.zeros(shape, np.int32)
        self._work = np.zeros(shape, np.int64)
        self._other = np.zeros(shape, np.bool_)
        """Where the last attempt did something else than the task does now, or only acted as if it did it."""
        self._gates = np.zeros(shape, np.bool_)
        self._rows = [rows[orders.index(column.ids)] for column in self.columns]
        for at, column in enumerate(self.columns):
            self.place[self._rows[at], at] = np.arange(len(column.ids))
            self._work[self._rows[at], at] = column.work
            self._gates[self._rows[at][list(column.gates)], at] = True
            self._read(at)
        self._judge()

    def refresh(self, at: int) -> None:
        """Take over what the tasks of a column have come to since; it has the same tasks as before."""
        self._read(at)
        self._judge()

    def _read(self, at: int) -> None:
        column, rows = self.columns[at], self._rows[at]
        self.status[rows, at] = np.frombuffer(bytes(column.status), np.uint8)
        self._seconds[rows, at] = np.array(column.seconds, np.float64)
        for place, failures in column.failures.items():
            self._failures[rows[place], at] = failures
        self._other[rows, at] = False
        self._other[rows[list(column.outdated | column.simulated | column.by_hand)], at] = True

    def _judge(self) -> None:
        is_there = (self.status != ABSENT) & (self.status != REMOVED)
        self.latest = _last(is_there, _last(self.status != ABSENT, np.full(len(self.ids), -1)))
        work = np.take_along_axis(self._work, np.maximum(self.latest, 0)[:, None], 1) if self.columns else self._work
        self._same = is_there & (self._work == work) & ~self._other
        # A gate that is rejected in one run and approved in another does what it is for.
        self._bad, self._of = flaky_counts(self.status, self._failures, self._same & ~self._gates)
        known = np.where(self._same & (self.status == COMPLETED), self._seconds, np.nan)
        of = self._durations = durations(known)
        self.usual = of.usual
        self.flaky = self._bad / np.maximum(self._of, 1)
        with np.errstate(invalid="ignore"):
            self.slower = np.where(is_slower(of), of.last / np.maximum(of.before, 1e-3), 0.0)

    # ---- what is told of a task

    def is_removed(self, row: int) -> bool:
        """Whether the newest run does not have a task, or not any more."""
        return not self.columns or self.status[row, -1] in (ABSENT, REMOVED)

    def title(self, row: int) -> str:
        """What a task is called in the newest run that has it."""
        at = int(self.latest[row])
        return self.columns[at].titles[int(self.place[row, at])]

    def earlier_titles(self, row: int) -> list[str]:
        """What it was called in other runs, newest first."""
        there = [at for at in reversed(range(len(self.columns))) if self.status[row, at] not in (ABSENT, REMOVED)]
        names = dict.fromkeys(self.columns[at].titles[int(self.place[row, at])] for at in there)
        names.pop(self.title(row), None)
        return list(names)

    def flakiness(self, row: int) -> Flakiness | None:
        """How flaky a task is; None: it is not, see `flaky_counts`."""
        return Flakiness(int(self._bad[row]), int(self._of[row])) if self._bad[row] else None

    def slowdown(self, row: int) -> Slowdown | None:
        """By how much a task has become slower; None: it has not, see `is_slower`."""
        of = self._durations
        if not self.slower[row]:
            return None
        return Slowdown(float(of.last[row]), float(of.before[row]), int(of.samples[row]))

    def ratio(self, row: int, at: int) -> float | None:
        """How many times its usual duration a task that is done took in a column; None: nobody knows."""
        seconds, usual = self._seconds[row, at], self.usual[row]
        is_acted = int(self.place[row, at]) in self.columns[at].simulated
        if self.status[row, at] != COMPLETED or is_acted or np.isnan(seconds) or np.isnan(usual):
            return None
        return float(max(seconds, 1e-3) / max(usual, 1e-3))


def flaky_counts(
    status: NDArray[np.uint8], failures: NDArray[np.int32], same: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each task the number of its bad ends, 0 unless it is flaky, and that of all its ends.

    A task is flaky if its runs disagree though it did the same: it failed or was retried after a failure in some, and
    was done in others. What fails always, or is retried always and then done, is not.

    Args:
        status: a code for each task and run.
        failures: how many attempts before the last one failed, likewise.
        same: whether the task was there and did what it does now, likewise.
    """
    done, failed = same & (status == COMPLETED), same & (status == FAILED)
    clean = (done & (failures == 0)).sum(1)
    bad = (failed | (done & (failures > 0))).sum(1)
    disagree = (bad > 0) & ((clean > 0) | (failed.any(1) & done.any(1)))
    return np.where(disagree, bad, 0), clean + bad


def durations(known: NDArray[np.float64]) -> TaskDurations:
    """The durations of tasks at a glance.

    Args:
        known: seconds for each task and run, oldest first; NaN: not known, or not to be counted.
    """
    has = ~np.isnan(known)
    at = _last(has, np.full(len(known), -1))
    before = known.copy()
    rows = np.flatnonzero(at >= 0)
    last = np.full(len(known), np.nan)
    last[rows] = known[rows, at[rows]]
    before[rows, at[rows]] = np.nan
    return TaskDurations(_medians(known), last, _medians(before), (~np.isnan(before)).sum(1))


def is_slower(of: TaskDurations) -> NDArray[np.bool_]:
    """Whether each task has become slower.

    Its newest duration is at least `SLOWER` times the median of at least `SAMPLES` earlier ones, and `SLOWER_BY`
    seconds longer.
    """
    with np.errstate(invalid="ignore"):
        longer = (of.last >= SLOWER * of.before) & (of.last - of.before >= SLOWER_BY)
    return longer & (of.samples >= SAMPLES)


def _medians(known: NDArray[np.float64]) -> NDArray[np.float64]:
    """The median of each row without its NaNs; NaN of one that has nothing else."""
    rows, columns = known.shape
    if not columns:
        return np.full(rows, np.nan)
    in_order = np.sort(known, 1)  # NaN goes last
    count = (~np.isnan(known)).sum(1)
    low, high = np.maximum(count - 1, 0) // 2, count // 2
    all_rows = np.arange(rows)
    middle: NDArray[np.float64] = (in_order[all_rows, low] + in_order[all_rows, np.minimum(high, columns - 1)]) / 2
    return middle


def _last(wanted: NDArray[np.bool_], otherwise: NDArray[np.int64]) -> NDArray[np.int64]:
    """The last column of each row that is wanted; of a row without any, what is given."""
    columns = wanted.shape[1]
    if not columns:
        return otherwise
    return np.where(wanted.any(1), columns - 1 - np.argmax(wanted[:, ::-1], 1), otherwise)
