"""The figures of a run's graph, which are kept under edits, are those computed from nothing, after every event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.driver import Driver, as_journalled
from tests.examples import few_examples
from tests.properties.test_scheduler import Walk
from typing_extensions import override

from starloom.constellation import level_arrays, longest_paths
from starloom.constellation.kept_paths import KeptPaths
from starloom.constellation.longest_paths import LongestPaths
from starloom.constellation.metrics import GraphStatistics, statistics
from starloom.scheduling.decide import editing
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.read.durations import durations
from starloom.scheduling.state.folded_run import FoldedRun

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom import events as ev
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom.scheduling.turn import Turn


def from_nothing(run: RunFacts) -> GraphStatistics:
    """The figures, by walking every path of the graph."""
    numbers, parents = sorted(run.graph.place.values()), run.graph.parents
    seconds = {number: duration_of(run, number) for number in numbers}
    by_tasks, by_seconds = paths(numbers, parents, dict.fromkeys(numbers, 1)), paths(numbers, parents, seconds)
    levels = [by_tasks[number][0] for number in numbers]
    longest, heaviest = best(by_tasks), best(by_seconds)
    work = sum(seconds.values())
    return GraphStatistics(
        longest_path_length=len(longest[1]),
        longest_path_tasks=tuple(run.graph.ids[number] for number in longest[1]),
        max_width=max(map(levels.count, levels), default=0),
        longest_chain_length=heaviest[0],
        longest_chain_tasks=tuple(run.graph.ids[number] for number in heaviest[1]),
        total_work=work,
        parallelism_ratio=work / heaviest[0] if heaviest[0] > 0 else 1.0,
    )


def paths(
    numbers: Sequence[int], parents: Sequence[Sequence[int]], weights: dict[int, Any]
) -> dict[int, tuple[float, list[int]]]:
    """By number, the weight of the heaviest path that ends there, and the path."""
    found: dict[int, tuple[float, list[int]]] = {}

    def ending(number: int) -> tuple[float, list[int]]:
        if number not in found:
            above = best({parent: ending(parent) for parent in sorted(parents[number])})
            found[number] = above[0] + weights[number], [*above[1], number]
        return found[number]

    return {number: ending(number) for number in numbers}


def best(of: dict[int, tuple[float, list[int]]]) -> tuple[float, list[int]]:
    """The heaviest, of equal ones the one that ends with the first task."""
    return max(of.values(), key=lambda one: (one[0], -one[1][-1]), default=(0.0, []))


def duration_of(run: RunFacts, number: int) -> float:
    """The seconds of the last attempt that ended, else those to be expected, or for which a gate was open."""
    task, gate = run.graph.tasks[number], run.gates.get(number)
    if run.has_last_attempt(number) and run.status_of(number).value in {"completed", "failed", "cancelled"}:
        last = run.attempts(number)[-1]
        assert last.ended is not None
        return last.ended - last.started
    if run.state.has_ended:
        return gate.ended - gate.at if gate is not None and gate.ended is not None else 0.0
    assert task is not None
    return task.expected_duration or 0.0


def compare(run: RunFacts) -> None:
    """See that the figures that are kept are those from nothing, and those of a graph that keeps none yet."""
    kept, plain = statistics(run.graph, durations(run)), from_nothing(run)
    assert kept.longest_path_tasks == plain.longest_path_tasks
    assert kept.max_width == plain.max_width
    assert kept.longest_chain_length == pytest.approx(plain.longest_chain_length)
    assert kept.total_work == pytest.approx(plain.total_work)
    fresh = run.copy(run.fleet)
    assert not fresh.graph.kept_paths.follow(fresh.graph)
    assert kept == statistics(fresh.graph, durations(fresh)), (
        "kept is as exact as from nothing, and of equal paths the same"
    )
    assert run.graph.kept_paths.of(run.graph).levels == fresh.graph.kept_paths.of(fresh.graph).levels


class Told(Driver):
    """Compares after every event of every run, as it is folded."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(**fields, checked=False)
        self.folded: dict[str, FoldedRun] = {}

    @override
    def inherit(self, stream: Sequence[ev.Event]) -> None:
        super().inherit(stream)
        self.fold(stream)

    @override
    def turn(self, *stimuli: Any) -> Turn:
        turn = super().turn(*stimuli)
        self.fold(turn.events)
        for index in self.scheduler.runs.values():
            compare(index.run)
        return turn

    def fold(self, events: Sequence[ev.Event]) -> None:
        for event in events:
            if event.run_id:
                run = fold(self.folded.setdefault(event.run_id, FoldedRun(event.run_id)), [as_journalled(event)]).run
                compare(run)


class ToldWalk(Walk):
    """A random history whose figures are compared after every event."""

    driver_type = Told


def walk(seed: int, steps: int) -> None:
    history = ToldWalk(seed)
    for _ in range(steps):
        history.step()


def walk_often() -> None:
    for seed in range(20):
        walk(seed, 40)


@given(seed=st.integers(0, 2**32), steps=st.integers(1, 40))
@few_examples(25)
def test_after_every_event_the_figures_that_are_kept_are_those_from_nothing(seed: int, steps: int) -> None:
    walk(seed, steps)


@given(seed=st.integers(0, 2**32), steps=st.integers(1, 40), narrow=st.sampled_from([0, 2, 3, 24]))
@few_examples(25)
def test_so_are_those_that_are_added_up_by_arrays(seed: int, steps: int, narrow: int) -> None:
    with patch.object(longest_paths, "LARGE", 1), patch.object(level_arrays, "NARROW", narrow):
        walk(seed, steps)


@given(seed=st.integers(0, 2**32), steps=st.integers(1, 40))
@few_examples(25)
def test_so_are_those_after_edits_that_were_rehearsed_on_a_copy(seed: int, steps: int) -> None:
    with patch.object(editing, "LARGE", 1):
        walk(seed, steps)


def test_an_edit_that_is_not_noted_would_be_seen() -> None:
    with patch.object(KeptPaths, "note", lambda *_: None), pytest.raises((AssertionError, IndexError)):
        walk_often()


def test_levels_that_are_not_passed_on_would_be_seen() -> None:
    with patch.object(LongestPaths, "_spread", lambda *_: True), pytest.raises(AssertionError):
        walk_often()
