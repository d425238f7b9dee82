"""What nodes say stays what is so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.gui.canvas.looking import again, painted, shown_in
from tests.gui.canvas.runs import number_of, pose

from starloom.scheduling.state import codes

if TYPE_CHECKING:
    from starloom_gui.canvas.view import CanvasView


def test_a_node_that_was_skipped_says_what_became_of_its_cause(view: CanvasView):
    facts = shown_in(view).facts
    cause, number = number_of(facts, "gate"), number_of(facts, "unit_ble")
    view.pan_zoom.zoom_by(1.0 / view.pan_zoom.zoom)
    view.graph.reveal_task(number)
    pose(facts, "gate", codes.SKIPPED)
    pose(facts, "unit_ble", codes.SKIPPED, skipped_because=cause)
    view.tasks_changed([cause, number])
    painted(view)
    pose(facts, "gate", codes.COMPLETED)
    view.tasks_changed([cause, number])
    assert painted(view) == again(view)
