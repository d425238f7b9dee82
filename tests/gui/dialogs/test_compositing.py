"""Where nothing blends windows a dialog is no more than its box: what would be its shadow would be black."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint

from starloom_gui.theme.compositing import blends
from starloom_gui.widgets import dialog as dialogs
from starloom_gui.widgets.dialog import SHADOW
from starloom_gui.widgets.question import Choice, ChoiceDialog

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from starloom_gui.theme.appearance import Appearance


def shown(qtbot: QtBot, appearance: Appearance) -> ChoiceDialog:
    made = ChoiceDialog(appearance, "Sure?", "It is so.", [Choice("", "No", is_default=True)])
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.mark.qt_log_ignore("does not support setting window masks", extend=True)
def test_a_shadow_is_left_out_where_nothing_blends(
    qtbot: QtBot, appearance: Appearance, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(dialogs, "blends", lambda: False)
    dialog = shown(qtbot, appearance)
    box = dialog.rect().adjusted(SHADOW, SHADOW, -SHADOW, -SHADOW)
    assert dialog.mask().boundingRect() == box
    assert not dialog.mask().contains(box.topLeft()), "its corners are round"


@pytest.mark.qt_log_ignore("does not support setting window masks", extend=True)
def test_nothing_shines_through_at_its_corners_where_nothing_blends(
    qtbot: QtBot, appearance: Appearance, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(dialogs, "blends", lambda: False)
    dialog = shown(qtbot, appearance)
    image, mask = dialog.grab().toImage(), dialog.mask()
    corner = [(x, y) for x in range(SHADOW, 2 * SHADOW) for y in range(SHADOW, 2 * SHADOW)]
    seen = [image.pixelColor(x, y).alpha() for x, y in corner if mask.contains(QPoint(x, y))]
    assert seen
    assert set(seen) == {255}, "what shines through is black where nothing blends"


def test_a_shadow_stays_where_windows_are_blended(qtbot: QtBot, appearance: Appearance):
    assert blends(), "off screen everything is"
    assert shown(qtbot, appearance).mask().isEmpty()
