"""At 240 pixels, as wide as the inspector is in a small window, figures are whole, and so is what they are called."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QLabel

from starloom_gui.diff.run_difference_words import MINUS, RunDifferenceRow
from starloom_gui.editing.effect_words import EffectFigure
from starloom_gui.panels.changes_effect import Arrow, EffectSection
from starloom_gui.panels.compared import ComparedSection
from starloom_gui.panels.sections import Section
from starloom_gui.theme.palette import LIGHT
from starloom_gui.widgets.editors import CheckBox

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication, QWidget
    from pytestqt.qtbot import QtBot

NARROW = 232
"""The inspector beside its scroll bar."""


def labels(section: QWidget, app: QApplication) -> list[QLabel]:
    section.setFixedWidth(NARROW)
    section.show()
    app.processEvents()
    return [one for one in section.findChildren(QLabel) if one.isVisible()]


def cut(shown: list[QLabel]) -> list[str]:
    return [one.text() for one in shown if one.fontMetrics().horizontalAdvance(one.text()) > one.width()]


@pytest.mark.parametrize(("started", "difference"), [("Started", f"{MINUS}0.05 s"), ("Gestartet", f"{MINUS}1:02:03")])
def test_a_difference_is_read_to_its_last_digit(qtbot: QtBot, app: QApplication, started: str, difference: str) -> None:
    section = ComparedSection(lambda: LIGHT)
    qtbot.addWidget(section)
    section.show_rows("2026-11-28 04:33", [RunDifferenceRow(started, "0.35 s", "0.32 s", difference)])
    assert cut(labels(section, app)) == []


def test_where_two_commands_differ_is_read(qtbot: QtBot, app: QApplication) -> None:
    section = ComparedSection(lambda: LIGHT)
    qtbot.addWidget(section)
    then, now = "sh -c 'sleep 10; make'", "sh -c 'sleep 15; make'"
    section.show_rows("x", [RunDifferenceRow("Status", "Done", "Failed"), RunDifferenceRow("Command", then, now)])
    shown = labels(section, app)
    assert {f"{then} → {now}", "Done", "Failed"} <= {one.text() for one in shown}
    assert cut([one for one in shown if not one.wordWrap()]) == []


@pytest.mark.parametrize(
    ("title", "aside", "is_below"),
    [
        ("Felder von allen", "Für 37 nicht gestartete", True),
        ("Felder", "Änderbar", False),
        ("Fields of all", "", False),
    ],
)
def test_a_remark_stands_whole_below_its_heading_where_it_has_no_room_beside_it(
    qtbot: QtBot, app: QApplication, title: str, aside: str, is_below: bool
) -> None:
    section = Section(lambda: LIGHT)
    qtbot.addWidget(section)
    section.title(title, aside)
    assert cut(labels(section, app)) == []
    assert (section.aside.y() > section.heading.y() + 8) is is_below
    section.setFixedWidth(500)
    app.processEvents()
    assert abs(section.aside.geometry().center().y() - section.heading.geometry().center().y()) <= 3


def test_an_effect_is_named_and_its_arrows_stand_above_each_other(qtbot: QtBot, app: QApplication) -> None:
    section = EffectSection(lambda: LIGHT)
    qtbot.addWidget(section)
    figures = [EffectFigure("Finish", "04:35:37", "≈ 04:35:37"), EffectFigure("Devices in use", "4", "5")]
    section.show_figures(figures, 0.0, is_known=True)
    assert cut(labels(section, app)) == []
    assert len({one.mapTo(section, one.rect().center()).x() for one in section.findChildren(Arrow)}) == 1


def test_the_words_of_a_switch_end_with_dots_where_they_do_not_fit(qtbot: QtBot) -> None:
    box = CheckBox(30 * "m")
    qtbot.addWidget(box)
    box.colours = LIGHT
    box.resize(120, 24)
    image = box.grab().toImage()
    above_dots = {image.pixel(x, y) for x in range(110, 120) for y in range(6, 14)}
    assert len(above_dots) == 1, "not even a part of a letter"
