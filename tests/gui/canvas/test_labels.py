"""What nodes say stays what is so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.gui.canvas.looking import again, painted, shown_in
from tests.gui.canvas.runs import number_of, pose

from starloom.scheduling import codes

if TYPE_CHECKING:
    from starloom_gui.canvas.view import CanvasView


def test_a_node_that_was_skipped_says_what_became_of_its_cause(view: CanvasView):
    facts = shown_in(view).facts
    cause = number_of(facts, "compile_ble")
    assert facts.skipped_because[number_of(facts, "unit_ble")] == cause
    before = painted(view)
    pose(facts, "compile_ble", codes.CANCELLED)
    view.tasks_changed([cause, number_of(facts, "unit_ble")])
    assert painted(view) != before
    assert painted(view) == again(view)
