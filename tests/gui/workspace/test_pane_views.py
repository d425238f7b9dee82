"""The views of a document are made once, when they are first asked for, and whoever waits for one is told then."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from starloom_gui.workspace.pane_views import PaneViews, View

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


class Makers:
    """Makes views and counts them."""

    def __init__(self, *keys: str) -> None:
        self.made: list[str] = []
        self.views = PaneViews({key: lambda key=key: self._make(key) for key in keys})  # type: ignore[misc]

    def _make(self, key: str) -> View:
        self.made.append(key)
        return View(key, lambda _: None)


def test_a_view_is_made_when_it_is_first_asked_for_and_only_once() -> None:
    makers = Makers("tasks", "queue")
    assert makers.made == []
    assert makers.views["queue"] is makers.views["queue"]
    assert makers.made == ["queue"]
    assert list(makers.views.made) == ["queue"]
    assert set(makers.views.keys) == {"tasks", "queue"}
    with pytest.raises(KeyError):
        makers.views["nonsense"]


def test_who_waits_for_a_view_is_told_once_it_is_made_in_the_order_of_asking() -> None:
    makers, told = Makers("tasks", "queue"), list[str]()
    makers.views["queue"]
    makers.views.when_made(("tasks", "queue"), lambda made: told.append(f"first {made.widget}"))
    makers.views.when_made(("tasks",), lambda made: told.append(f"then {made.widget}"))
    assert told == ["first queue"]
    makers.views["tasks"]
    makers.views["tasks"]
    assert told == ["first queue", "first tasks", "then tasks"]


def test_asking_whether_a_view_is_seen_or_has_the_keyboard_makes_none(qtbot: QtBot) -> None:
    window, pane = QWidget(), QWidget()
    qtbot.addWidget(window)
    QVBoxLayout(window).addWidget(pane)
    field = QLineEdit()
    QVBoxLayout(pane).addWidget(field)
    views = PaneViews({"tasks": lambda: View(pane, lambda _: None)})
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    field.setFocus()
    assert (views.is_visible("tasks"), views.has_keyboard("tasks")) == (False, False)
    assert not views.made
    views["tasks"]
    assert (views.is_visible("tasks"), views.has_keyboard("tasks")) == (True, True)
    pane.hide()
    assert not views.is_visible("tasks")
