"""The limits that a plan gives to its groups."""

from __future__ import annotations

from tests.gui.editing.test_plan_editor import Bench, bench

from starloom_gui.specs.plan_commands import SetPlanGroupLimit

__all__ = ["bench"]


def test_the_limits_of_a_plans_groups_are_set_and_taken_away_by_steps_of_undo(bench: Bench):
    def ask(limit: int | None) -> SetPlanGroupLimit:
        return SetPlanGroupLimit(run_id=bench.editor.key, group="cards", limit=limit)

    bench.editor.steer(ask(2), "Limit group")
    bench.editor.steer(ask(3), "Limit group")
    assert bench.plan.limits.groups == {"cards": 3}
    facts = bench.editor.facts()
    assert facts is not None
    assert facts.limits.groups == {"cards": 3}
    assert not bench.editor.can(ask(3)).ok, "it is so already"
    bench.editor.steer(ask(None), "Limit group")
    assert bench.plan.limits.groups == {}
    bench.check()
    for limits in ({"cards": 3}, {"cards": 2}, {}):
        bench.editor.undo()
        assert bench.plan.limits.groups == limits
    assert not bench.document.is_dirty
