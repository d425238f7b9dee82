"""The current theme: the one that the user chose, or that of the system where it has one."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QToolTip

from starloom_gui.theme.palette import DARK, LIGHT, Palette, blended, colour
from starloom_gui.theme.status_form import StatusForm

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication


class Theme(StrEnum):
    """The themes that the user can choose."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


def palette_of(theme: Theme, system: Qt.ColorScheme) -> Palette:
    """The palette of a theme; light where the system has no colour scheme."""
    if theme is Theme.SYSTEM:
        return DARK if system is Qt.ColorScheme.Dark else LIGHT
    return DARK if theme is Theme.DARK else LIGHT


def qpalette(palette: Palette) -> QPalette:
    """The colours of Qt's roles; disabled text is faint, and selections are grey."""
    made = QPalette()
    role = QPalette.ColorRole
    for roles, code in (
        ((role.Window, role.Button), palette.window),
        ((role.Base, role.ToolTipBase), palette.panel),
        ((role.AlternateBase,), blended(palette.raised, palette.panel, 0.4)),
        ((role.WindowText, role.Text, role.ButtonText, role.ToolTipText, role.BrightText), palette.text),
        ((role.Highlight,), palette.selected),
        ((role.HighlightedText, role.Accent), palette.text),
        ((role.PlaceholderText,), palette.muted),
        ((role.Light, role.Midlight), palette.raised),
        ((role.Mid, role.Dark), palette.border),
        ((role.Shadow,), palette.outline),
        ((role.Link, role.LinkVisited), palette.status[StatusForm.RUNNING].text),
    ):
        for each in roles:
            made.setColor(each, colour(code))
    faint = colour(blended(palette.text, palette.window, 0.4))
    for each in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        made.setColor(QPalette.ColorGroup.Disabled, each, faint)
    return made


class Appearance(QObject):
    """The look of the whole application; there is one, handed to every view.

    Attributes:
        palette: the colours that hold now.
        reduced_motion: whether nothing may move or fade.

    Signals:
        changed(Palette): other colours hold from now on.
    """

    changed = Signal(Palette)

    def __init__(self, application: QApplication, theme: Theme = Theme.SYSTEM, *, reduced_motion: bool = False) -> None:
        super().__init__()
        self.reduced_motion = reduced_motion
        self._application = application
        self._theme = theme
        self._hints = application.styleHints()
        self.palette = palette_of(theme, self._hints.colorScheme())
        application.setStyle("Fusion")
        application.setPalette(qpalette(self.palette))
        QToolTip.setPalette(qpalette(self.palette))  # else a desktop's own, black in many, stands beside our cards
        self._hints.colorSchemeChanged.connect(self._follow)

    @property
    def theme(self) -> Theme:
        """The theme that the user chose."""
        return self._theme

    def choose(self, theme: Theme) -> None:
        """Change to this theme."""
        self._theme = theme
        self._follow()

    def _follow(self) -> None:
        palette = palette_of(self._theme, self._hints.colorScheme())
        if palette is not self.palette:
            self.palette = palette
            self._application.setPalette(qpalette(palette))
            QToolTip.setPalette(qpalette(palette))
            self.changed.emit(palette)
