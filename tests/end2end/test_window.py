"""The console as people use it: a real window on a display of its own, with real keys and a real pointer.

What comes of it is read from the run's journal, which knows nothing of the window.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.end2end.operators import Operator, at_work, with_a_display

from starloom import events as ev

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LIMIT_BUTTON = (1130, 44)
"""Where it is in the window as it first opens, 180 wide and 28 high around this."""

pytestmark = with_a_display


@pytest.fixture
def operator(tmp_path: Path) -> Iterator[Operator]:
    with at_work(tmp_path) as someone:
        yield someone


def test_a_demo_is_run_steered_retried_and_closed_by_hand(operator: Operator) -> None:
    # open: the welcome page has its default button under the keyboard
    operator.take_keyboard("Starloom")
    operator.press("space")
    operator.wait_for(ev.RunStarted)

    # pause, while there is still much to do
    operator.press_until(("F6",), ev.RunPaused)

    # select, by name, and prove it by what happens to what is selected
    operator.press("ctrl+f")
    operator.write("coverage")
    operator.press("Return")
    operator.press_until(("ctrl+h",), ev.TasksHeld, task_ids=("coverage",))
    operator.press_until(("ctrl+l",), ev.TasksReleased, task_ids=("coverage",))

    # change the limit of this run, below the button of the toolbar
    operator.click(*LIMIT_BUTTON)
    operator.find_window("Limit running tasks")
    operator.write("4")
    operator.press("Return")
    operator.wait_for(ev.RunLimitSet, max_concurrency=4)
    operator.press("Escape")

    operator.press_until(("F7",), ev.RunResumed)

    # retry what failed: its second draft compiles
    operator.wait_for(ev.TaskFailed, task_id="compile-ble")
    operator.press_until(("F8",), ev.TaskReset, task_id="compile-ble")
    operator.wait_for(ev.TaskCompleted, task_id="compile-ble")
    operator.wait_for(ev.TaskCompleted, task_id="unit-ble")

    operator.wait_for(ev.RunEnded)
    operator.press("ctrl+q")
    assert operator.program.wait(60) == 0, operator.errors()
    assert operator.errors() == ""
