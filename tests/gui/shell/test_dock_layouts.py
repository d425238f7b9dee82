"""A new plan brings the Edit perspective; nobody's own layout is lost by it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication
from tests.gui.shell.borders import drag_border
from tests.gui.shell.conftest import furnished
from tests.gui.shell.test_layout import SMALL, arrange, arrangement, dock, resize

from starloom_gui.settings import Settings
from starloom_gui.shell.main_window import MainWindow
from starloom_gui.shell.perspectives import DockKey, Perspective

if TYPE_CHECKING:
    from pathlib import Path

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.widgets.actions import Actions


def own(window: MainWindow) -> None:
    """Arrange the docks as no perspective does."""
    bench = window.workbench
    bench.turn_to("devices")
    bench.move_pane("output", DockKey.BESIDE)
    bench.turn_to("tasks")
    drag_border(window, DockKey.INSPECTOR, QPoint(-55, 0))
    drag_border(window, DockKey.BOTTOM, QPoint(0, -53))
    QApplication.processEvents()


def shown(window: MainWindow) -> tuple[object, ...]:
    QApplication.processEvents()
    seen = [key for key in DockKey if window.workbench.docks[key].isVisible()]
    return arrangement(window), [dock(window, key) for key in seen]


def begin(window: MainWindow, key: str = "new") -> None:
    window.layouts.begin_drawing(key)
    QApplication.processEvents()


def test_a_new_plan_begins_in_the_edit_perspective(window: MainWindow) -> None:
    own(window)
    begin(window)
    bench = window.workbench
    assert bench.docks[DockKey.OUTLINE].front == "palette"
    assert bench.docks[DockKey.INSPECTOR].front == "inspector"
    assert dock(window, DockKey.BOTTOM).height() == 160
    assert not bench.docks[DockKey.BESIDE].isVisible()


def test_a_run_has_the_layout_that_was_there_before_and_the_plan_has_its_own(window: MainWindow) -> None:
    own(window)
    before = shown(window)
    begin(window)
    drawing = shown(window)
    for _ in range(2):
        window.layouts.follow("a run")
        assert shown(window) == before
        window.layouts.follow("new")
        assert shown(window) == drawing
    window.layouts.follow("")
    assert shown(window) == before


def test_what_somebody_made_of_the_edit_perspective_is_there_for_the_next_plan_in_the_next_session_too(
    app: QApplication, window: MainWindow, actions: Actions, appearance: Appearance, store: Path
) -> None:
    own(window)
    before = shown(window)
    begin(window)
    window.workbench.move_pane("yaml", DockKey.BOTTOM)
    window.workbench.turn_to("yaml")
    drag_border(window, DockKey.BOTTOM, QPoint(0, -62))
    arranged = shown(window)
    window.layouts.follow("a run")
    begin(window, "another")
    assert shown(window) == arranged
    window.close()
    again = MainWindow(actions, appearance, Settings(store), furnished())
    again.show()
    again.show_workbench()
    assert again.restore_layout()
    resize(again, (1440, 900))
    assert shown(again)[0] == before[0], "the console begins with nothing new"
    begin(again, "third")
    assert shown(again)[0] == arranged[0]


def test_another_perspective_of_a_new_plan_replaces_neither_layout(window: MainWindow) -> None:
    own(window)
    before = shown(window)
    begin(window)
    drawing = shown(window)
    arrange(window, Perspective.TIMELINE)
    window.save_layout()
    window.layouts.follow("a run")
    assert shown(window) == before
    window.layouts.follow("new")
    assert shown(window) == drawing
    arrange(window, Perspective.EDIT)
    assert shown(window) == drawing


def test_a_reset_is_of_both_layouts(window: MainWindow) -> None:
    first = shown(window)
    own(window)
    begin(window)
    window.workbench.move_pane("yaml", DockKey.BOTTOM)
    window.layouts.reset()
    assert shown(window) == first
    begin(window, "another")
    assert "yaml" in window.workbench.docks[DockKey.INSPECTOR].keys


def test_in_the_smallest_window_the_palette_comes_and_goes_with_the_new_plan(window: MainWindow) -> None:
    resize(window, SMALL)
    assert not window.workbench.docks[DockKey.OUTLINE].isVisible()
    begin(window)
    assert window.workbench.docks[DockKey.OUTLINE].front == "palette"
    assert window.workbench.docks[DockKey.OUTLINE].isVisible()
    window.layouts.follow("a run")
    assert not window.workbench.docks[DockKey.OUTLINE].isVisible()


def test_a_layout_from_a_larger_window_fits_into_the_smallest(window: MainWindow) -> None:
    begin(window)
    resize(window, SMALL)
    window.layouts.follow("a run")
    QApplication.processEvents()
    assert dock(window, DockKey.INSPECTOR).width() == 240
    assert not window.workbench.docks[DockKey.OUTLINE].isVisible()
    assert window.workbench.rail.isVisible()
    resize(window, (1440, 900))
    assert window.workbench.docks[DockKey.OUTLINE].isVisible()
    assert dock(window, DockKey.INSPECTOR).width() == 296
