"""A batch that is rehearsed on a copy of the graph, which then takes its place, does what any batch does."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.driver import Driver, plan, task
from tests.examples import few_examples
from tests.properties.test_scheduler import Walk

from starloom.constellation import edits as ed
from starloom.errors import EditRefused
from starloom.model.dependency import Dependency
from starloom.scheduling.decide import editing

if TYPE_CHECKING:
    from starloom import events as ev

NEVER = 1_000_000
MANY = editing.LARGE


def history(seed: int, steps: int, large: int, *, checked: bool = True) -> list[ev.Event]:
    """The events of a random history in which batches of so many edits are rehearsed on a copy."""
    with patch.object(editing, "LARGE", large):
        walk = Walk(seed, checked=checked)
        for _ in range(steps):
            walk.step()
    return walk.driver.journal()


def histories(count: int) -> None:
    for seed in range(count):
        history(seed, 40, 1)


@given(seed=st.integers(0, 2**32), steps=st.integers(1, 40))
@few_examples(40)
def test_any_history_has_the_same_events_and_breaks_no_law(seed: int, steps: int) -> None:
    assert history(seed, steps, 1) == history(seed, steps, NEVER, checked=False)


def test_a_batch_that_cannot_be_followed_from_the_graph_after_it_would_be_seen() -> None:
    with (
        patch.object(editing, "_is_large", lambda *_: True),
        pytest.raises((AssertionError, AttributeError, KeyError)),
    ):
        histories(40)


def names(count: int, prefix: str = "t") -> list[str]:
    return [f"{prefix}{number}" for number in range(count)]


def test_many_tasks_are_added_connected_changed_removed_and_all_of_it_undone() -> None:
    driver = Driver(slots=1)
    driver.create(plan([*names(MANY), "first", "last"], ["first>last"]))
    before = driver.graph_bytes()
    order = driver.run().graph.children
    receipts = [
        driver.edit(*(ed.AddTask(task(name, priority=70)) for name in names(MANY, "n"))),
        driver.edit(*(ed.AddDependency(Dependency(parent=name, child="last")) for name in names(MANY, "n"))),
        driver.edit(*(ed.UpdateTask(name, priority=30) for name in names(MANY, "n"))),
        driver.edit(*(ed.RemoveTask(name) for name in names(MANY, "n"))),
    ]
    assert driver.graph_bytes() == before
    assert driver.run().graph.children is order, "whoever holds its lists sees the edits"
    for receipt in reversed(receipts):
        driver.apply(receipt.inverse)
    assert driver.graph_bytes() == before


def test_a_refused_batch_of_many_edits_tells_everything_that_is_wrong_and_leaves_no_trace() -> None:
    driver = Driver()
    run = driver.create(plan([*names(MANY), "last"], ["t0>last"]), start=False)
    before, order = driver.graph_bytes(), list(run.graph.positions())
    edits = [ed.AddDependency(Dependency(parent="last", child=name)) for name in names(MANY)]
    with pytest.raises(EditRefused) as refusal:
        driver.edit(*edits, ed.AddDependency(Dependency(parent="last", child="nobody")))
    assert [problem.code for problem in refusal.value.problems] == ["cycle", "unknown_task"]
    assert [problem.where for problem in refusal.value.problems] == ["edits[0]", f"edits[{MANY}]"]
    assert driver.graph_bytes() == before
    assert list(run.graph.positions()) == order
