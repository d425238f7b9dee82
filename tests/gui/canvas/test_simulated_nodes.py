"""A node says that its task was only simulated although it says what to run; of `simulate` tasks that is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.driver import task
from tests.gui.canvas.looking import row_in
from tests.gui.canvas.runs import picture_of
from tests.unit.scheduling.fold.test_simulated import simulating

from starloom_gui.canvas.badges import Badge, badge_of
from starloom_gui.canvas.view import CanvasView
from starloom_gui.viewmodel.selection import Selection

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from starloom_gui.theme.appearance import Appearance


def test_a_task_that_was_only_simulated_has_a_badge_of_that(appearance: Appearance, qtbot: QtBot) -> None:
    facts = simulating(task("build", shell="make"), task("wait", simulate="3s")).run()
    view = CanvasView(appearance, Selection(), lambda: 9.0)
    qtbot.addWidget(view)
    view.resize(600, 400)
    view.show()
    view.show_run(picture_of(facts))
    picture, build, wait = view.graph.picture, row_in(view, 0), row_in(view, 1)
    assert picture is not None
    assert [picture.badge[row] for row in (build, wait)] == [Badge.SIMULATED, Badge.NONE], "as it is first shown"
    assert badge_of(facts, 0, is_fenced=False, is_quiet=False) is Badge.SIMULATED, "and as it is followed"
    assert "only simulated" in view.controls.legend.accessibleName()
    card = view.controls.card
    card.show_task(picture, build, 9.0, view.rect())
    assert card.texts[2].startswith("Simulated on d1: it has not run")
    card.show_task(picture, wait, 9.0, view.rect())
    assert "Simulated" not in card.texts[2]
