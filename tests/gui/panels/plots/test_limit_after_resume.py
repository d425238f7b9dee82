"""The limit's curve of a run that another program has taken up: what its devices did before is none of the run's."""

from __future__ import annotations

from tests.driver import RUN, Driver, plan
from tests.gui.panels.plots.test_curves import Bench, points

from starloom.scheduling import commands as c
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.folded_run import FoldedRun


def test_devices_that_join_before_the_run_is_taken_up_change_nothing_of_what_was() -> None:
    before = Driver(devices=(), checked=False)
    before.add_device("d", slots=2)
    before.now = 100.0
    before.create(plan(["a", "b", "x"]), wall_time=1.7e9)
    before.advance(20.0)
    stream = [event for event in before.events if event.run_id == RUN]
    facts = fold(FoldedRun(RUN), stream).run
    after = Driver(devices=(), checked=False)
    after.inherit(stream)
    after.now = 5000.0
    after.add_device("d", slots=2)
    after.now = 5004.0
    wall = facts.sessions[-1][1] + 60.0
    after.do(
        c.RecoverRun(run_id=RUN, facts=facts, outcomes={}, alive=("a", "b"), last_at=stream[-1].at, wall_time=wall)
    )
    bench = Bench(after)
    bench.hear()
    (began, _), (taken_up, _) = after.run().sessions
    assert [at for at, _ in points(bench.curves, "limit") if began < at < taken_up] == []
