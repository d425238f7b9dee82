"""A window to look at, with empty rooms and an engine that is only made up; it is closed afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QLabel, QWidget

from starloom_gui.actions.actions import Actions
from starloom_gui.gateway.verbs import Target, Verb, Verdict
from starloom_gui.settings import Settings
from starloom_gui.shell.main_window import MainWindow, Rooms
from starloom_gui.shell.perspectives import ORDER
from starloom_gui.theme.appearance import Appearance, Theme

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

    from starloom.constellation.edits import EditBatch


class MadeUp:
    """An engine's side that remembers what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[Verb, Target, dict[str, Any]]] = []
        self.refused: dict[Verb, Verdict] = {}
        self.failed: tuple[str, ...] = ("f1", "f2")

    def can(self, verb: Verb, target: Target, **given: Any) -> Verdict:
        assert given.keys() <= {"priority", "status", "device_id"}, target
        return self.refused.get(verb, Verdict(True))

    def do(self, verb: Verb, target: Target, **given: Any) -> int:
        self.asked.append((verb, target, given))
        return len(self.asked)

    def can_edit(self, run_id: str, batch: EditBatch) -> Verdict:
        raise AssertionError("the window edits nothing by itself")

    def edit(self, run_id: str, batch: EditBatch) -> int:
        raise AssertionError("the window edits nothing by itself")

    def failed_tasks(self, run_id: str) -> tuple[str, ...]:
        return self.failed if run_id else ()


@pytest.fixture
def appearance(app: QApplication) -> Iterator[Appearance]:
    made = Appearance(app, Theme.LIGHT, reduced_motion=True)
    yield made
    for widget in app.topLevelWidgets():
        widget.hide()
        widget.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "console.ini"


@pytest.fixture
def asks() -> MadeUp:
    return MadeUp()


@pytest.fixture
def actions(appearance: Appearance, asks: MadeUp) -> Actions:
    return Actions(appearance, lambda: Target("r", ("a",), "d"), asks)


def furnished() -> Rooms:
    return Rooms(QWidget(), {key: QLabel(key) for key in ORDER}, {"timeline": QLabel("corner")})


@pytest.fixture
def window(app: QApplication, actions: Actions, appearance: Appearance, store: Path) -> MainWindow:
    made = MainWindow(actions, appearance, Settings(store), furnished())
    made.show()
    made.show_workbench()
    app.processEvents()
    made.restore_layout()
    app.processEvents()
    return made
