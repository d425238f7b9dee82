"""The window before the engine is loaded: the welcome page, and placeholders for slower parts."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget
from typing_extensions import override

from starloom_gui.shell.layout_state import fit_on_screen
from starloom_gui.shell.main_window import MainWindow, Rooms
from starloom_gui.specs.action_spec import Target
from starloom_gui.theme.appearance import Appearance
from starloom_gui.widgets.actions import Actions
from starloom_gui.widgets.message_bar import ErrorMessage, MessageBar
from starloom_gui.widgets.view_stack import ViewStack
from starloom_gui.workspace.stacks import Stacks

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom_gui.settings import Settings

PATIENCE: Final = 2.0
"""Seconds to wait for the first picture; a window that nobody sees gets none."""


def new_appearance(application: QApplication, settings: Settings) -> Appearance:
    """The look that a user has chosen."""
    return Appearance(application, settings.theme, reduced_motion=settings.reduced_motion)


class WindowFrame(QObject):
    """The window before there is an engine. Actions that are triggered meanwhile are carried out later.

    Args:
        application: Qt's.
        settings: what is remembered.
        appearance: the colours, which the program's window has; None: there is no such window.

    Attributes:
        appearance: the colours.
        actions: all verbs.
        stacks: the places of what document views show.
        devices, devices_corner: the place of the devices, and of their corner.
        palette: the place of the palette.
        window: the window; not shown yet.
        strip: says what went wrong.
        early: the keys of the verbs that were asked for before anybody could carry them out.

    Signals:
        engine_asked(Attachment): the engine of a server is wanted in the same window.
    """

    engine_asked = Signal(object)

    def __init__(self, application: QApplication, settings: Settings, appearance: Appearance | None = None) -> None:
        super().__init__()
        self.settings = settings
        self.appearance = appearance or new_appearance(application, settings)
        self.actions = Actions(self.appearance, Target)
        self.early: list[str] = []
        self.actions.wanted.connect(self.early.append)
        self.stacks, self.devices, self.devices_corner, self.palette = Stacks(), ViewStack(), ViewStack(), ViewStack()
        ground = QWidget()
        column = QVBoxLayout(ground)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.stacks.canvas)
        ground.setFocusProxy(self.stacks.canvas)
        panes: dict[str, QWidget] = {**self.stacks.panes, "devices": self.devices, "palette": self.palette}
        corners: dict[str, QWidget] = {**self.stacks.corners, "devices": self.devices_corner}
        self.window = MainWindow(self.actions, self.appearance, settings, Rooms(ground, panes, corners))
        for part in (self.actions,) if appearance is not None else (self.actions, self.appearance):
            part.setParent(self.window)  # what is connected to them goes with it
        self.strip = MessageBar(self.window.welcome, self.appearance)
        self.window.page_turned.connect(
            lambda: self.strip.lie_over(self.window.welcome if self.window.is_welcoming else self.window.ground)
        )
        self.window.look.language_chosen.connect(self._say_language)
        self.window.look.size_chosen.connect(self._say_size)
        self._is_painted = asyncio.Event()

    def _say_language(self) -> None:
        said = self.tr("Starloom speaks this language from its next start on.")
        self.strip.show_trouble(ErrorMessage("", said, is_notice=True))

    def _say_size(self) -> None:
        said = self.tr("Everything has this size from the next start of Starloom on.")
        self.strip.show_trouble(ErrorMessage("", said, is_notice=True))

    async def shown(self) -> None:
        """Show the window where it was the last time; returns once it is painted."""
        window = self.window.window()
        self.window.restore_layout()
        fit_on_screen(window)
        self.window.installEventFilter(self)
        window.show()
        try:
            async with asyncio.timeout(PATIENCE):
                await self._is_painted.wait()
        except TimeoutError:
            pass
        self.window.removeEventFilter(self)
        fit_on_screen(window)  # by now it has its frame

    def taken_up(self) -> list[str]:
        """The actions that were triggered so far; the caller carries out later ones."""
        self.actions.wanted.disconnect(self.early.append)
        return self.early

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            asyncio.get_running_loop().call_soon(self._is_painted.set)  # once Qt has painted all of it
        return False
