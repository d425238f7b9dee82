"""A reserved run has a key in the header."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from starloom.model.status import RunState
from starloom_gui.shell.run_header import RunLine
from starloom_gui.theme.chips import ORDER
from starloom_gui.viewmodel.figures import Figures

if TYPE_CHECKING:
    from starloom_gui.theme.appearance import Appearance


def test_a_reserved_run_has_a_key_that_says_by_whom_and_opens_what_can_be_done(appearance: Appearance) -> None:
    line = RunLine(appearance)
    asked: list[object] = []
    line.reservation_asked.connect(asked.append)
    line.resize(700, 32)
    plain = Figures(state=RunState.EXECUTING, counts=(1,) * (max(ORDER) + 1))
    line.show_figures(plain)
    narrow = line.minimumSizeHint().width()
    line.grab()
    told = "Reserved by Ada until 18:40: we look at it"
    line.show_figures(replace(plain, reserved=told))
    line.grab()
    assert line.minimumSizeHint().width() >= narrow
    assert line.accessibleDescription().endswith(f", {told[0].lower()}{told[1:]}")
    (place,) = [box for box, text in line._spots if text == told]
    QTest.mouseClick(line, Qt.MouseButton.LeftButton, pos=place.center().toPoint())
    assert asked == [line.mapToGlobal(place.bottomLeft().toPoint())]
    line.show_figures(plain)
    line.grab()
    QTest.mouseClick(line, Qt.MouseButton.LeftButton, pos=place.center().toPoint())
    assert len(asked) == 1
