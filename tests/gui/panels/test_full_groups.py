"""Why a task waits for a full limit group: who has its places, also of other runs."""

from __future__ import annotations

from tests.driver import task
from tests.gui.panels.test_inspector import InspectorBench

from starloom.model.plan import Plan
from starloom.scheduling import commands as c


def test_who_has_the_places_of_a_full_group_is_named_also_of_another_run(app, appearance):
    bench = InspectorBench(appearance, app, "coverage")
    bench.driver.do(c.SetRunLimit(run_id="r", max_concurrency=1))
    bench.driver.do(c.SetLimits(groups={"licences": 2}))
    bench.driver.do(c.CreateRun(run_id="x", plan=Plan(name="night", tasks=(task("soak", groups="licences"),))))
    bench.told()
    assert "Taken by fuzz ui, soak of the run night" in bench.texts(bench.inspector.why)


def test_nobody_is_said_to_have_a_place_in_a_group_that_allows_none(app, appearance):
    bench = InspectorBench(appearance, app, "coverage")
    bench.driver.do(c.SetLimits(groups={"licences": 0}))
    bench.driver.end("fuzz")
    bench.told()
    said = bench.texts(bench.inspector.why)
    assert any("licences" in text for text in said)
    assert not [text for text in said if "Taken by" in text or "Another run" in text]


def test_a_limit_that_was_lowered_below_what_runs_is_raised_by_as_much_as_lets_one_more_start(app, appearance):
    bench = InspectorBench(appearance, app, "coverage")
    bench.driver.do(c.SetLimits(groups={"licences": 0}))
    bench.told()
    bench.buttons(bench.inspector.why)["Raise to 2"].click()
    assert bench.driver.status("coverage") == "running"
