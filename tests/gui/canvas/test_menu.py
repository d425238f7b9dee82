"""The menu of a canvas says how things are, and changes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.gui.canvas.looking import shown_in
from tests.gui.canvas.runs import arranged, number_of

from starloom.layout import Direction
from starloom_gui.canvas.arranging import UNFOLDED, LayoutOptions
from starloom_gui.canvas.colouring import ColourBy
from starloom_gui.canvas.menu import GraphMenu

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from starloom_gui.canvas.view import CanvasView


@pytest.fixture
def menu(view: CanvasView) -> GraphMenu:
    """The menu of a canvas that gets every picture it wants at once."""

    def show(wanted: LayoutOptions) -> None:
        view.show_picture(arranged(shown_in(view).facts, wanted, shown_in(view).layout))

    view.layout_controller.arrangement_changed.connect(show)
    return GraphMenu(view, view._selection)


def entry(menu: GraphMenu, begin: str) -> QAction:
    menu.aboutToShow.emit()
    return next(each for each in menu.actions() if each.text().startswith(begin))


def test_the_group_of_the_current_task_folds_and_unfolds(view: CanvasView, menu: GraphMenu) -> None:
    view._selection.select(number_of(shown_in(view).facts, "soak_lab-b"))
    entry(menu, "Fold group Lab\t-").trigger()
    assert view.layout_controller.arrangement.folded == {"Lab"}
    entry(menu, "Unfold group Lab\t+").trigger()
    assert view.layout_controller.arrangement == UNFOLDED


def test_what_cannot_be_done_says_why(view: CanvasView, menu: GraphMenu) -> None:
    view._selection.select(number_of(shown_in(view).facts, "gate"))
    fold = entry(menu, "Fold group\t")
    assert not fold.isEnabled()
    assert fold.toolTip() == "Select a task that is in a group with others."
    assert not entry(menu, "Unfold all").isEnabled()
    entry(menu, "Fold all").trigger()
    assert not entry(menu, "Fold all").isEnabled()
    entry(menu, "Unfold all").trigger()
    assert view.layout_controller.arrangement == UNFOLDED


def test_colours_and_direction_are_chosen(view: CanvasView, menu: GraphMenu) -> None:
    assert entry(menu, "Colour by") is not None
    assert menu._colours[ColourBy.STATUS].isChecked()
    menu._colours[ColourBy.DEVICE].trigger()
    assert view.highlights.colour_by is ColourBy.DEVICE
    down = entry(menu, "Dependencies point down")
    assert not down.isChecked()
    down.trigger()
    assert shown_in(view).layout.direction is Direction.DOWN
    assert entry(menu, "Dependencies point down").isChecked()
