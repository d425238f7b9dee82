"""What the key of a disabled action says goes once it does not hold any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from starloom.scheduling import commands as c
from starloom_gui.shell.refused_keys import RefusedKeys
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.widgets.message_bar import MessageBar

if TYPE_CHECKING:
    from tests.gui.shell.conftest import MadeUp

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.widgets.actions import Actions


@pytest.mark.parametrize(
    ("later", "is_said"),
    [
        (Verdict(False, "The run is executing; it goes step by step in 7 s."), True),
        (Verdict(False, "The run is completed; only a paused run goes step by step."), False),
        (Verdict(True), False),
    ],
)
def test_a_reason_is_said_until_another_one_holds(
    actions: Actions, gateway: MadeUp, appearance: Appearance, later: Verdict, is_said: bool
) -> None:
    window = QWidget()
    strip = MessageBar(window, appearance)
    said = RefusedKeys(actions, strip, window)
    gateway.refused[c.StepRun] = Verdict(False, "The run is executing; it goes step by step in 9 s.")
    actions.refresh()
    assert actions["step"].shortcut().toString() == "F10"
    QTest.keyClick(window, Qt.Key.Key_F10)
    assert strip.shown is not None
    assert "in 9 s" in strip.shown.text
    gateway.refused[c.StepRun] = later
    actions.refresh()
    assert (strip.shown is not None) is is_said
    assert said.parent() is window
