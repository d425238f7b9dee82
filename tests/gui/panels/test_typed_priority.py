"""What is typed as a priority and is none."""

from __future__ import annotations

import pytest
from tests.gui.panels.fleets import ByHand, coverage

from starloom.scheduling.read.run_view import RunView, TaskView
from starloom_gui.panels.bulk import change_all
from starloom_gui.viewmodel.task_fields import change, change_and_retry, priority_in


@pytest.mark.parametrize("text", ["99999999999", "-1", "101", "h", "", "50 normal6s", "50normal", "60 high 3"])
def test_what_is_no_priority_is_refused_with_what_can_be_written(text: str) -> None:
    driver, run = coverage()
    asks, number = ByHand(driver), run.graph.place["coverage"]
    for why in (
        change(asks, TaskView(run, number), "priority", text, 0),
        change_all(asks, RunView(run), (number, run.graph.place["merge cov"]), "priority", text, 0),
        change_and_retry(asks, [TaskView(run, number)], {"priority": text})[1],
    ):
        assert "use 0 to 100, or critical, high, normal, low or background." in why
        assert "schema" not in why
    assert not asks.sent


@pytest.mark.parametrize(("text", "read"), [("80 high", "80"), ("60 normal", "60"), (" 7 ", " 7 "), ("high", "high")])
def test_a_number_with_the_name_that_stood_behind_it_is_read_as_the_number(text: str, read: str) -> None:
    assert priority_in(text) == read
