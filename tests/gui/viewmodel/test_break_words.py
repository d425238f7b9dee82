"""Times of day beside a break in which no program ran the run."""

from __future__ import annotations

import pytest
from tests.driver import RUN
from tests.unit.reporting.story import WALL
from tests.unit.reporting.test_clock_axis import AWAY, closed_and_gone_on

from starloom.scheduling.fold.apply import fold
from starloom.scheduling.read.run_view import RunView
from starloom.scheduling.state.folded_run import FoldedRun


def test_what_ended_just_before_a_break_ended_by_the_clock_of_then():
    run = fold(FoldedRun(RUN), closed_and_gone_on()).run
    ended = run.ended_at[run.graph.place["a"]]
    begun = run.sessions[-1][0]
    assert ended == pytest.approx(begun, abs=1e-5)
    assert RunView(run).wall(ended) == pytest.approx(WALL + 40.0)
    assert RunView(run).wall(begun, is_end=True) == pytest.approx(WALL + 40.0)
    assert RunView(run).wall(begun) == WALL + 40.0 + AWAY
