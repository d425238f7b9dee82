"""Widgets in a row go on in the next line where there is no room, and are never cut."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from starloom_gui.widgets.flow import Flow

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.mark.parametrize("width", [600, 220, 130])
def test_no_button_is_cut(qtbot: QtBot, width: int):
    ground = QWidget()
    qtbot.addWidget(ground)
    column, flow = QVBoxLayout(ground), Flow(6)
    column.setContentsMargins(0, 0, 0, 0)
    buttons = [QPushButton(words) for words in ("Auf 2 anheben", "fuzz ui zeigen", "Warten")]
    for each in buttons:
        flow.add(each)
    column.addWidget(flow)
    ground.resize(width, column.heightForWidth(width))
    ground.show()
    for each in buttons:
        assert each.width() == min(width, each.sizeHint().width())
        assert ground.rect().contains(each.geometry())
    for one, other in pairwise(buttons):
        assert not one.geometry().intersects(other.geometry())
