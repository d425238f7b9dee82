"""The limit of a run is a step of undo, unless somebody else has changed it since."""

from __future__ import annotations

from tests.driver import RUN
from tests.gui.editing.run_editor_bench import RunEditorBench

from starloom.scheduling import commands as c
from starloom_gui.specs.action_spec import Verb


def test_the_limit_of_the_run_is_taken_back_and_set_again() -> None:
    bench = RunEditorBench()
    for most in (4, 2, None):
        bench.steer(Verb.LIMIT_RUN, label=f"Limit {most}", max_concurrency=most)
    for most in (2, 4, None):
        bench.undo()
        assert bench.run().limit == most
    for most in (4, 2, None):
        bench.redo()
        assert bench.run().limit == most
    assert not bench.said


def test_a_limit_that_somebody_else_has_changed_is_not_taken_back() -> None:
    bench = RunEditorBench()
    bench.steer(Verb.LIMIT_RUN, label="Limit 4", max_concurrency=4)
    bench.driver.do(c.SetRunLimit(run_id=RUN, max_concurrency=3, origin="agent"))
    assert not bench.editor.undo_offer().verdict.ok
    bench.undo()
    assert bench.run().limit == 3
    assert "changed otherwise since" in bench.said[0][1]
