"""The title of a dialog stands there whole, on two lines if it has to; only a very long name in it is elided."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication

from starloom_gui.theme.fonts import Role, font
from starloom_gui.widgets.dialog import Dialog
from starloom_gui.widgets.dialog_title import DialogTitle
from starloom_gui.widgets.question import Choice, ChoiceDialog

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from starloom_gui.theme.appearance import Appearance

LONG = "„kill · 3“ auch auf simulierten Geräten fortsetzen?"
ONE_LINE = 32
"""Pixels, as before titles could wrap."""


def head_of(dialog: Dialog) -> DialogTitle:
    (found,) = dialog.findChildren(DialogTitle)
    return found


def asked(qtbot: QtBot, appearance: Appearance, title: str) -> DialogTitle:
    """The title of a question."""
    dialog = ChoiceDialog(appearance, title, "It may be so.", [Choice("yes", "Yes", is_default=True)])
    qtbot.addWidget(dialog)
    dialog.show()
    QApplication.processEvents()
    return head_of(dialog)


def line_height() -> float:
    return QFontMetricsF(font(Role.TITLE)).lineSpacing()


def test_a_title_that_is_too_long_for_a_line_goes_on_in_a_second_one(qtbot: QtBot, appearance: Appearance) -> None:
    head = asked(qtbot, appearance, LONG)
    assert head.shown == LONG
    assert head.toolTip() == ""
    assert head.height() >= 2 * line_height()


def test_a_short_title_is_as_high_as_ever(qtbot: QtBot, appearance: Appearance) -> None:
    assert asked(qtbot, appearance, "Close?").height() == ONE_LINE


@pytest.mark.parametrize("quotes", ["“”", "„“"])
def test_of_a_title_with_a_very_long_name_only_the_name_is_elided(
    qtbot: QtBot, appearance: Appearance, quotes: str
) -> None:
    before, after = quotes[0], quotes[1]
    title = f"Go on with {before}{'night build of the product' * 10}{after} on simulated devices, too?"
    head = asked(qtbot, appearance, title)
    assert head.shown.startswith(f"Go on with {before}night")
    assert head.shown.endswith(f"product{after} on simulated devices, too?")
    assert head.shown.count("…") == 1
    assert head.toolTip()
    assert head.height() < 3 * line_height()


def test_a_long_title_without_a_name_is_elided_in_its_middle(qtbot: QtBot, appearance: Appearance) -> None:
    head = asked(qtbot, appearance, "a" * 2000 + " end")
    assert head.shown.count("…") == 1
    assert head.shown.endswith(" end")


def test_a_dialog_is_still_widened_by_its_title(qtbot: QtBot, appearance: Appearance) -> None:
    dialog = Dialog(appearance, LONG + LONG[:20], "Do", width=200)
    qtbot.addWidget(dialog)
    dialog.show()
    QApplication.processEvents()
    head = head_of(dialog)
    assert head.shown == LONG + LONG[:20]
    assert head.height() == ONE_LINE
