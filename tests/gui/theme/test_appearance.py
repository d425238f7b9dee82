"""The theme that was chosen holds everywhere; the system's where it is to decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette

from starloom_gui.theme.appearance import Appearance, Theme, palette_of
from starloom_gui.theme.palette import DARK, LIGHT, Palette, colour
from starloom_gui.viewmodel.selection import NOTHING, Selected, Selection

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication


@pytest.mark.parametrize(
    ("theme", "system", "expected"),
    [
        (Theme.SYSTEM, Qt.ColorScheme.Dark, DARK),
        (Theme.SYSTEM, Qt.ColorScheme.Light, LIGHT),
        (Theme.SYSTEM, Qt.ColorScheme.Unknown, LIGHT),
        (Theme.LIGHT, Qt.ColorScheme.Dark, LIGHT),
        (Theme.DARK, Qt.ColorScheme.Light, DARK),
    ],
)
def test_the_system_decides_only_where_it_is_asked(theme: Theme, system: Qt.ColorScheme, expected: Palette) -> None:
    assert palette_of(theme, system) is expected


def test_a_choice_reaches_the_application_and_is_told_once(app: QApplication) -> None:
    appearance = Appearance(app, Theme.LIGHT)
    told: list[Palette] = []
    appearance.changed.connect(told.append)
    appearance.choose(Theme.DARK)
    appearance.choose(Theme.DARK)
    assert told == [DARK]
    assert app.palette().color(QPalette.ColorRole.Window) == colour(DARK.window)
    appearance.choose(Theme.LIGHT)
    assert told == [DARK, LIGHT]


def test_the_selection_is_told_only_when_it_changes() -> None:
    selection = Selection()
    told: list[Selected] = []
    selection.changed.connect(told.append)
    selection.select(3)
    selection.select(3)
    selection.toggle(5)
    selection.move(7)
    selection.toggle(3)
    selection.forget([5, 7])
    selection.clear()
    assert told == [
        Selected(3, frozenset({3})),
        Selected(5, frozenset({3, 5})),
        Selected(7, frozenset({3, 5})),
        Selected(3, frozenset({5})),
        Selected(3, frozenset()),
    ]
    selection.select_all([4, 2])
    assert selection.now == Selected(2, frozenset({2, 4}))
    selection.forget([2, 4])
    assert selection.now == NOTHING
