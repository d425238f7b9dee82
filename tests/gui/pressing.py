"""Presses the keys that `keys.KEYS` gives a command, so that tests name the command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtTest import QTest

from starloom_gui.viewmodel.keys import sequences

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from starloom_gui.viewmodel.keys import Scope


def press(widget: QWidget, scope: Scope, name: str) -> None:
    """Press the first key of a command.

    Args:
        widget: what the keyboard goes to.
        scope: where the command belongs.
        name: of the command.
    """
    QTest.keySequence(widget, sequences(scope, name)[0])
