"""A dialog stands over its window, and all of it is in sight: where the window is small, and where the screen is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QWidget

from starloom_gui.widgets.dialog import SHADOW, Dialog

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from starloom_gui.theme.appearance import Appearance


def box_over(qtbot: QtBot, appearance: Appearance, window: QRect, width: int) -> tuple[QRect, QRect]:
    """The box of a dialog over a window, without its shadow; and the screen."""
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.setGeometry(window)
    parent.show()
    dialog = Dialog(appearance, "Title", "Do", width=width, parent=parent)
    dialog.show()
    return (
        QRect(dialog.pos(), dialog.size()).adjusted(SHADOW, SHADOW, -SHADOW, -SHADOW),
        dialog.screen().availableGeometry(),
    )


def test_it_stands_in_the_middle_of_its_window(qtbot: QtBot, appearance: Appearance) -> None:
    window = QRect(100, 100, 600, 500)
    box, _ = box_over(qtbot, appearance, window, 300)
    assert (box.center() - window.center()).manhattanLength() <= 2


@pytest.mark.parametrize("corner", [QPoint(0, 0), QPoint(780, 0), QPoint(0, 780), QPoint(780, 780)])
def test_beside_the_edge_of_the_screen_it_stays_on_it(qtbot: QtBot, appearance: Appearance, corner: QPoint) -> None:
    box, screen = box_over(qtbot, appearance, QRect(corner, corner + QPoint(19, 19)), 460)
    assert screen.contains(box)


def test_it_is_no_wider_than_the_screen(qtbot: QtBot, appearance: Appearance) -> None:
    box, screen = box_over(qtbot, appearance, QRect(0, 0, 600, 500), 1040)
    assert screen.contains(box)
