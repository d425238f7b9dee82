"""What is not up to date is greyed and says how old it is, and nothing else is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPalette
from PySide6.QtWidgets import QPushButton, QStackedWidget, QWidget

from starloom_gui.shell.stale_overlay import PATIENCE, Staleness, StaleOverlay
from starloom_gui.theme.appearance import Theme

if TYPE_CHECKING:
    from starloom_gui.theme.appearance import Appearance


def drawn(widget: QWidget) -> QImage:
    image = QImage(widget.size(), QImage.Format.Format_RGB32)
    image.fill(0xFF00FF)
    widget.render(image)
    return image


def pane(appearance: Appearance) -> tuple[QStackedWidget, StaleOverlay]:
    made = QStackedWidget()
    for _ in range(2):
        made.addWidget(QWidget())
    made.resize(300, 200)
    made.show()
    return made, StaleOverlay(made, appearance)


@pytest.mark.parametrize("theme", [Theme.LIGHT, Theme.DARK])
def test_a_pane_is_left_at_sixty_per_cent_and_is_whole_again_afterwards(appearance: Appearance, theme: Theme):
    appearance.choose(theme)
    ground, veil = pane(appearance)
    colours = QPalette()
    colours.setColor(QPalette.ColorRole.Window, Qt.GlobalColor.black)
    ground.setPalette(colours)
    ground.setAutoFillBackground(True)
    before = drawn(ground)
    veil.show_age("Last heard 14 s ago")
    panel = QImage(1, 1, QImage.Format.Format_RGB32)
    panel.fill(appearance.palette.panel)
    greyed = drawn(ground).pixelColor(5, 190)
    assert greyed.red() == pytest.approx(panel.pixelColor(0, 0).red() * 0.4, abs=1.5)
    assert veil.accessibleName() == "Last heard 14 s ago"
    veil.show_age("")
    assert drawn(ground) == before


def test_it_stays_over_a_pane_that_grows_or_shows_another_view(appearance: Appearance):
    ground, veil = pane(appearance)
    veil.show_age("old")
    ground.resize(400, 300)
    assert veil.geometry() == ground.rect()
    ground.setCurrentIndex(1)
    assert ground.children().index(veil) == len(ground.children()) - 1


def test_what_lies_under_it_can_still_be_clicked(appearance: Appearance):
    ground, veil = pane(appearance)
    button = QPushButton("press", ground)
    button.show()
    veil.show_age("old")
    assert veil.isVisibleTo(ground)
    assert ground.childAt(button.geometry().center()) is button, "the pointer meets the button, not the veil"


def test_views_are_greyed_only_once_they_have_been_behind_for_long(appearance: Appearance):
    ground, behind = QWidget(), [0.0]
    ground.show()
    staleness = Staleness([ground], appearance, lambda: behind[0])
    seen = []
    for seconds in (0.0, PATIENCE / 2, PATIENCE, 14.0, 0.0):
        behind[0] = seconds
        staleness.look()
        seen.append(staleness.is_stale)
    assert seen == [False, False, True, True, False]
    staleness.close()


def test_nothing_is_looked_at_while_nothing_happens(appearance: Appearance):
    staleness = Staleness([QWidget()], appearance, lambda: 0.0)
    assert not staleness._timer.isActive()
    staleness.expect()
    assert staleness._timer.isActive()
    staleness.look()
    staleness._timer.stop()
    staleness.look()
    assert not staleness._timer.isActive()
