"""A window to look at, with empty rooms and an engine that is only made up; it is closed afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QLabel, QWidget
from typing_extensions import override

from starloom_gui.documents.open_documents import OpenDocuments
from starloom_gui.gateway.command_gateway import CommandGateway
from starloom_gui.settings import Settings
from starloom_gui.shell.main_window import MainWindow, Rooms
from starloom_gui.shell.perspectives import ORDER
from starloom_gui.specs.action_spec import Target, Verdict
from starloom_gui.text import wall_clock
from starloom_gui.theme.appearance import Appearance, Theme
from starloom_gui.widgets.actions import Actions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

    from starloom.scheduling.commands import Command


class MadeUp(CommandGateway):
    """An engine's side that remembers what it was asked for; what it refuses it does by the class of the command."""

    def __init__(self) -> None:
        self.asked: list[Command] = []
        self.refused: dict[type[Command], Verdict] = {}

    @override
    def can(self, command: Command) -> Verdict:
        return self.refused.get(type(command), Verdict(True))

    @override
    def do(self, command: Command) -> int:
        self.asked.append(command)
        return len(self.asked)


@pytest.fixture
def appearance(app: QApplication) -> Iterator[Appearance]:
    made = Appearance(app, Theme.LIGHT, reduced_motion=True)
    yield made
    for widget in app.topLevelWidgets():
        widget.hide()
        widget.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    wall_clock.show_utc(False)  # a window shows the times that its settings ask for, and so does all after it


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "console.ini"


@pytest.fixture
def gateway() -> MadeUp:
    return MadeUp()


@pytest.fixture
def actions(appearance: Appearance, gateway: MadeUp) -> Actions:
    return Actions(appearance, lambda: Target("r", ("a",), "d"), lambda: gateway, lambda _: ("f1", "f2"))


@pytest.fixture
def settings(store: Path) -> Settings:
    return Settings(store)


@pytest.fixture
def documents(app: QApplication) -> OpenDocuments:
    return OpenDocuments()


@pytest.fixture
def parent(appearance: Appearance) -> QWidget:
    """A window to ask over."""
    made = QWidget()
    made.resize(900, 600)
    made.show()
    return made


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
