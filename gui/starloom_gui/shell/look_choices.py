"""What a user chooses for all windows: theme, language, motion, clock, and whether figures of performance are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from starloom_gui.text import wall_clock

if TYPE_CHECKING:
    from starloom_gui.settings import Settings
    from starloom_gui.shell.menus import Menus
    from starloom_gui.shell.status_bar import ConsoleStatusBar
    from starloom_gui.theme.appearance import Appearance, Theme
    from starloom_gui.widgets.actions import Actions


class LookChoices(QObject):
    """Carries out what is chosen in the menus of a window, and shows there what was chosen in another one.

    Args:
        actions: of the window.
        appearance: theme and motion.
        settings: what is remembered.
        status: shows figures of performance; it owns this.

    Signals:
        language_chosen(): another language is spoken from the next start on.
        size_chosen(): everything has another size from the next start on.
        clock_chosen(): times are shown by another clock; texts that hold any have to be made anew.
    """

    clock_chosen = Signal()
    language_chosen = Signal()
    size_chosen = Signal()

    def __init__(self, actions: Actions, appearance: Appearance, settings: Settings, status: ConsoleStatusBar) -> None:
        super().__init__(status)
        self._actions, self._appearance, self._settings, self._status = actions, appearance, settings, status
        self._menus: Menus | None = None
        wall_clock.show_utc(settings.shows_utc)
        actions["utc"].setChecked(settings.shows_utc)
        actions.wanted.connect(self._do)

    def show(self, menus: Menus) -> None:
        """Show what holds in the menus of the window from now on."""
        self._menus = menus
        self.read()

    def read(self) -> None:
        """Show in the menus what holds, as it may have been chosen in another window."""
        actions, settings = self._actions, self._settings
        actions["reduced_motion"].setChecked(self._appearance.reduced_motion)
        actions["health"].setChecked(settings.shows_health)
        self._status.want_health(settings.shows_health)
        if self._menus is not None:
            self._menus.themes[self._appearance.theme].setChecked(True)
            self._menus.languages[settings.language].setChecked(True)
            self._menus.sizes[settings.size].setChecked(True)
        if actions["utc"].isChecked() != settings.shows_utc:
            actions["utc"].setChecked(settings.shows_utc)
            self.clock_chosen.emit()

    def choose_theme(self, theme: Theme) -> None:
        """Show a theme from now on, and the next time."""
        self._settings.theme = theme
        self._appearance.choose(theme)
        self.read()

    def choose_language(self, code: str) -> None:
        """Use a language from the next start on; until then texts stay in the present one.

        Args:
            code: of `translations.NAMES`; empty: the system's.
        """
        if code != self._settings.language:
            self._settings.language = code
            self.language_chosen.emit()

    def choose_size(self, percent: int) -> None:
        """Show everything in this size from the next start on."""
        if percent != self._settings.size:
            self._settings.size = percent
            self.size_chosen.emit()

    def _do(self, key: str) -> None:
        if key == "reduced_motion":
            self._appearance.reduced_motion = self._actions[key].isChecked()
            self._settings.reduced_motion = self._appearance.reduced_motion
        elif key == "health":
            self._settings.shows_health = self._actions[key].isChecked()
            self._status.want_health(self._settings.shows_health)
        elif key == "utc":
            self._settings.shows_utc = self._actions[key].isChecked()
            wall_clock.show_utc(self._settings.shows_utc)
            for widget in QApplication.allWidgets():
                widget.update()  # what is painted from values; who keeps texts is told by the signal
            self.clock_chosen.emit()
