"""Breakpoints of a plan: the action sets them as the field in the inspector does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.gui.editing.test_plan_editor import CHAIN, Bench

from starloom.scheduling import commands as c

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication


def test_a_plan_has_breakpoints_set_and_cleared_by_their_actions(app: QApplication) -> None:
    bench = Bench(CHAIN)
    both: dict[str, Any] = {"run_id": "", "task_ids": ("a", "b")}
    assert not bench.editor.can(c.ClearBreakpoints(**both)).ok, "there is none"
    bench.editor.steer(c.SetBreakpoints(**both), "Set breakpoint")
    assert [one.breakpoint for one in bench.plan.tasks] == [True, True, False]
    assert not bench.editor.can(c.SetBreakpoints(**both)).ok, "they are set"
    assert bench.editor.can(c.SetBreakpoints(run_id="", task_ids=("b", "c"))).ok
    bench.editor.steer(c.ClearBreakpoints(run_id="", task_ids=("a",)), "Clear breakpoint")
    assert [one.breakpoint for one in bench.plan.tasks] == [False, True, False]
    bench.editor.undo()
    bench.editor.undo()
    assert not any(one.breakpoint for one in bench.plan.tasks)
    assert not bench.refusals
