"""A node says that its task was pinned to a device by hand; one that its plan pins is as it was planned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.driver import Driver, plan, task
from tests.gui.canvas.looking import row_in
from tests.gui.canvas.runs import picture_of

from starloom.scheduling import commands as c
from starloom_gui.canvas.badges import Badge, badge_of
from starloom_gui.canvas.view import CanvasView
from starloom_gui.viewmodel.selection import Selection

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from starloom_gui.theme.appearance import Appearance


def test_a_task_that_was_pinned_has_a_badge_of_that_until_it_has_ended(appearance: Appearance, qtbot: QtBot) -> None:
    driver = Driver(slots=1)
    driver.create(plan([task("first"), task("planned", device="d"), task("pinned")], ["first>planned", "first>pinned"]))
    driver.ask(c.PinTasks, "pinned", device_id="d", origin="operator")
    facts = driver.run()
    view = CanvasView(appearance, Selection(), lambda: 9.0)
    qtbot.addWidget(view)
    view.resize(600, 400)
    view.show()
    view.show_run(picture_of(facts))
    picture = view.graph.picture
    assert picture is not None
    planned_row, pinned_row = row_in(view, 1), row_in(view, 2)
    assert [picture.badge[row] for row in (planned_row, pinned_row)] == [Badge.NONE, Badge.PINNED]
    assert "pinned" in view.controls.legend.accessibleName()
    driver.ask(c.SkipTasks, "pinned", origin="operator")
    assert badge_of(facts, 2, is_fenced=False, is_quiet=False) is Badge.NONE
