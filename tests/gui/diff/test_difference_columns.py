"""The differences of all tasks at once are those of each task, and rows are sorted by them as they are one by one."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest
from tests.gui.diff.runs import BEGAN, lain_idle, now, then
from tests.properties.test_scheduler import Walk

from starloom_gui.diff import baseline_run
from starloom_gui.diff.baseline_run import BaselineRun
from starloom_gui.diff.task_times import TaskTimes, times_of
from starloom_gui.models import task_cells
from starloom_gui.models.ordered import Ordered
from starloom_gui.models.task_cells import COMPARED, TaskColumn, TaskSource

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom.scheduling.state.run_facts import RunFacts

pytestmark = pytest.mark.usefixtures("app")


def walked(seed: int) -> list[tuple[RunFacts, float]]:
    """The runs of a random history, and the time of each one's clock."""
    walk = Walk(seed, checked=False)
    for _ in range(50):
        walk.step()
    return [(index.run, walk.driver.now) for index in walk.driver.scheduler.runs.values()]


def sources(seeds: range) -> Iterator[TaskSource]:
    """Each run of these histories, compared with each one that was started."""
    runs = [one for seed in seeds for one in walked(seed)]
    baselines = [BaselineRun(run, at, "then") for run, at in runs if run.run_started_at is not None]
    for (run, at), earlier in product(runs, baselines):
        yield TaskSource(run, lambda at=at: at, earlier)  # type: ignore[misc]  # as a default it is this one's


def by_hand() -> list[TaskSource]:
    return [
        TaskSource(now().run, lambda: BEGAN + 20.0, then()),
        TaskSource(now().run, lambda: BEGAN + 200.0, then(ended=False)),
        TaskSource(lain_idle(500.0).run, lambda: 600.0, BaselineRun(lain_idle(0.0).run, 46.0, "then")),
        TaskSource(now().run, lambda: BEGAN + 20.0, None),
    ]


def keys(source: TaskSource, column: TaskColumn) -> tuple[list[float], list[float]]:
    at_once = task_cells.keys(source, column)
    assert at_once is not None
    one_by_one = task_cells.key(source, column)
    return at_once().tolist(), [one_by_one(number) for number in range(len(source.run.status))]


@pytest.mark.parametrize("column", sorted(COMPARED))
def test_all_at_once_are_what_they_are_one_by_one(column: TaskColumn) -> None:
    for source in by_hand():
        assert len(set(keys(source, column)[1])) > 1 or source.earlier is None or len(source.run.status) == 1
        assert keys(source, column)[0] == keys(source, column)[1]


@pytest.mark.parametrize("column", sorted(COMPARED))
@pytest.mark.parametrize("first", [0, 4])
def test_so_they_are_in_random_histories(column: TaskColumn, first: int) -> None:
    for source in sources(range(first, first + 4)):
        assert keys(source, column)[0] == keys(source, column)[1]


def without_history(run: RunFacts) -> RunFacts:
    twin = run.copy(run.fleet)
    twin.history = {}
    return twin


def test_attempts_that_are_left_out_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(baseline_run, "times_of", lambda run, at: times_of(without_history(run), at))
    assert any(keys(source, TaskColumn.BEFORE)[0] != keys(source, TaskColumn.BEFORE)[1] for source in sources(range(4)))


@pytest.mark.parametrize("column", sorted(COMPARED))
@pytest.mark.parametrize("descending", [False, True])
def test_rows_stand_where_they_stand_one_by_one(column: TaskColumn, descending: bool) -> None:
    for source in [*by_hand(), *sources(range(2))]:
        numbers = list(range(len(source.run.status)))[::2]
        one_by_one = Ordered(task_cells.key(source, column), descending=descending)
        at_once = Ordered(task_cells.key(source, column), task_cells.keys(source, column), descending=descending)
        one_by_one.fill(numbers)
        at_once.fill(numbers)
        assert at_once.all() == one_by_one.all()
        assert [at_once.row(number) for number in numbers] == [one_by_one.row(number) for number in numbers]
        for number in numbers:
            at_once.note(number)
        assert at_once.is_sorted, "keys that have not changed are no other ones"


def test_the_times_of_an_earlier_run_are_made_once() -> None:
    earlier = then()
    assert isinstance(earlier.times, TaskTimes)
    assert earlier.times is earlier.times


def test_what_ran_in_several_attempts_is_said_to_be_of_all_of_them() -> None:
    source = TaskSource(now().run, lambda: BEGAN + 20.0, then())
    place = source.run.graph.place
    assert task_cells.text(source, place["a"], TaskColumn.BEFORE) == "0:10"
    assert task_cells.text(source, place["b"], TaskColumn.BEFORE).startswith("0:34 in 2 ")
    assert "all attempts" not in task_cells.text(source, place["a"], TaskColumn.LONGER)
    far = TaskSource(now().run, lambda: BEGAN + 200.0, then())
    assert task_cells.text(far, place["b"], TaskColumn.LONGER).endswith(" in all attempts")
