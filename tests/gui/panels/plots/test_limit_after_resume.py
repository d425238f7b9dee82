"""A run that another program has taken up: what befell that program's devices before is none of the run's."""

from __future__ import annotations

from tests.driver import RUN, Driver, plan
from tests.gui.panels.plots.test_curves import Bench, points

from starloom.scheduling import commands as c
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.folded_run import FoldedRun
from starloom.scheduling.stimuli import DeviceLostNoticed
from starloom_gui.panels.plots.curves import DEVICE


def taken_up_after_a_change_of_the_fleet() -> Bench:
    """A run of 100 to 120, taken up at 5004 of another program's clock, which has changed and lost devices before."""
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
    after.add_device("e", slots=1)
    wall = facts.sessions[-1][1] + 60.0
    after.now = 5000.5
    after.do(c.SetSlots(device_id="d", slots=3, origin=c.OPERATOR))
    after.turn(DeviceLostNoticed("e", "gone"))
    after.now = 5004.0
    after.do(
        c.RecoverRun(run_id=RUN, facts=facts, outcomes={}, alive=("a", "b"), last_at=stream[-1].at, wall_time=wall)
    )
    return Bench(after)


def test_devices_that_join_before_the_run_is_taken_up_change_nothing_of_what_was() -> None:
    bench = taken_up_after_a_change_of_the_fleet()
    after = bench.driver
    bench.hear()
    (began, _), (taken_up, _) = after.run().sessions
    assert [at for at, _ in points(bench.curves, "limit") if began < at < taken_up] == []


def test_nothing_that_was_done_to_devices_before_it_was_taken_up_is_flagged_on_it() -> None:
    bench = taken_up_after_a_change_of_the_fleet()
    bench.hear()
    assert bench.curves.flags == []
    (began, _), (taken_up, _) = bench.driver.run().sessions
    assert began < 5000.5 < taken_up, "else this tests nothing"
    bench.driver.advance(2.0)
    bench.driver.do(c.SetSlots(device_id="d", slots=1, origin=c.OPERATOR))
    bench.hear()
    assert [flag.at for flag in bench.curves.flags] == [bench.driver.now]
    assert [gap.begin for gap in bench.curves.gaps(DEVICE + "e")] == [taken_up]
