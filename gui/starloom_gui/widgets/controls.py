"""The look of panes: one style sheet for each theme, and functions that make labels and buttons."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QWidget
from typing_extensions import override

from starloom_gui.text.words import tip
from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.theme.metrics import CONTROL, GAPS, RADIUS
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.theme.styles import scroll_bars

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent, QResizeEvent
    from PySide6.QtWidgets import QLayout

    from starloom_gui.theme.palette import Palette

MARGIN: Final = GAPS[3]


@cache
def sheet(palette: Palette) -> str:
    """The style sheet of a pane; muted, raised or wrong widgets have a property named `look`."""
    base = f"border: 1px solid {palette.outline}; border-radius: {RADIUS}px"
    return (
        f"QWidget#pane {{ background: {palette.panel}; }}"
        f"QLabel {{ color: {palette.text}; background: transparent; }}"
        f"QLabel[look='muted'] {{ color: {palette.muted}; }}"
        f"QLabel[look='wrong'] {{ color: {palette.status[StatusForm.FAILED].text}; }}"
        f"QLabel[look='soon'] {{ color: {palette.status[StatusForm.PENDING].text}; }}"
        f"QFrame[look='line'] {{ background: {palette.border}; border: none; }}"
        f"QFrame[look='raised'] {{ background: {palette.raised}; border: none; border-radius: {RADIUS}px; }}"
        f"QPushButton {{ {base}; color: {palette.text}; background: {palette.panel}; padding: 0 9px; }}"
        f"QPushButton:hover {{ background: {palette.raised}; }}"
        f"QPushButton:pressed {{ background: {palette.selected}; }}"
        f"QPushButton[look='verb'] {{ padding: 0 5px; }}"
        f"QPushButton:focus {{ border: 2px dashed {palette.text}; padding: 0 8px; }}"
        f"QPushButton[look='verb']:focus {{ padding: 0 4px; }}"
        f"QPushButton:disabled {{ color: {palette.muted}; border-color: {palette.border}; }}"
        f"QPushButton[look='flat'] {{ border: none; padding: 0 4px; }}"
        f"QPushButton[look='flat']:focus {{ border: 1px dashed {palette.text}; padding: 0 3px; }}"
        "QPushButton[look='fold'] { border: none; background: transparent; padding: 0; text-align: left; }"
        f"QPushButton[look='fold']:focus {{ border: 1px dashed {palette.text}; padding: 0; }}"
        f"QFrame[look='tags'] {{ border: 1px solid {palette.raised}; border-radius: {RADIUS}px;"
        f" background: {palette.raised}; }}"
        f"QFrame[look='tags']:hover {{ border-color: {palette.outline}; }}"
        f"QFrame[look='tags-focused'] {{ border: 1px solid {palette.text}; border-radius: {RADIUS}px;"
        f" background: {palette.raised}; }}"
        f"QFrame[look='tags-wrong'] {{ border: 2px solid {palette.status[StatusForm.FAILED].shape};"
        f" border-radius: {RADIUS}px; background: {palette.raised}; }}"
        f"QPushButton[look='tag'] {{ border: none; background: {palette.selected}; padding: 0 4px 0 6px; }}"
        f"QPushButton[look='tag']:hover {{ background: {palette.border}; }}"
        f"QPushButton[look='tag']:focus {{ border: 1px dashed {palette.text}; padding: 0 3px 0 5px; }}"
        f"QLineEdit {{ border: 1px solid {palette.raised}; border-radius: {RADIUS}px; padding: 0 7px;"
        f" color: {palette.text}; background: {palette.raised}; placeholder-text-color: {palette.muted};"
        f" selection-background-color: {palette.text}; selection-color: {palette.panel}; }}"
        f"QLineEdit:hover {{ border-color: {palette.outline}; }}"
        f"QLineEdit:focus {{ border-color: {palette.text}; }}"
        f"QLineEdit:read-only {{ color: {palette.muted}; border-color: {palette.raised}; }}"
        f"QLineEdit:read-only:focus {{ border: 1px dashed {palette.text}; }}"
        f"QLineEdit[look='wrong'] {{ border: 2px solid {palette.status[StatusForm.FAILED].shape}; padding: 0 6px; }}"
        "QLineEdit[look='inner'], QLineEdit[look='inner']:focus, QLineEdit[look='inner']:read-only"
        " { border: none; background: transparent; padding: 0; }"
        f"QPlainTextEdit {{ border: 1px solid {palette.raised}; border-radius: {RADIUS}px; padding: 3px;"
        f" color: {palette.text}; background: {palette.raised}; placeholder-text-color: {palette.muted};"
        f" selection-background-color: {palette.text}; selection-color: {palette.panel}; }}"
        f"QPlainTextEdit:focus {{ border: 1px dashed {palette.text}; }}"
        f"QScrollArea {{ background: {palette.panel}; border: none; }}"
        f"QListView {{ background: {palette.panel}; border: none; outline: none; }}"
    ) + scroll_bars(palette)


def mark(widget: QWidget, look: str) -> None:
    """Set the look of a widget in the style sheet.

    Args:
        widget: the one to restyle.
        look: the value of its property; empty: the usual look.
    """
    if widget.property("look") != look:
        widget.setProperty("look", look)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def set_style_sheet(widget: QWidget, sheet: str) -> None:
    """Set the style sheet of a widget, unless it has it: Qt polishes all that is in the widget anew, which takes long.

    Args:
        widget: the one to restyle.
        sheet: its style sheet.
    """
    if widget.styleSheet() != sheet:
        widget.setStyleSheet(sheet)


def text(words: str = "", role: Role = Role.BODY, look: str = "", *, wraps: bool = True) -> QLabel:
    """Make a label of plain text.

    Args:
        words: its text.
        role: of its font.
        look: see `mark`.
        wraps: whether it wraps between words.
    """
    made = QLabel(words)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setFont(font(role))
    made.setWordWrap(wraps)
    if wraps:
        made.setMinimumWidth(1)  # else one long word would widen the whole pane
    mark(made, look)
    return made


class Elided(QLabel):
    """A label of one line, elided in the middle where it does not fit; the tooltip then has the whole text.

    Args:
        words: what it says.
        role: of its font.
        look: see `mark`.
        ends: whether its end is left out instead, as what matters most comes first.
    """

    def __init__(self, words: str = "", role: Role = Role.BODY, look: str = "", *, ends: bool = False) -> None:
        super().__init__(words)
        self._ends = ends
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setFont(font(role))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        mark(self, look)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        metrics, room = QFontMetricsF(self.font()), self.contentsRect()
        if self._ends:
            shown = elided(self.text(), metrics, room.width(), Qt.TextElideMode.ElideRight)
        else:
            shown = elided(self.text(), metrics, room.width())
        self.setToolTip(tip(self.text()) if shown != self.text() else "")
        painter.drawText(QRectF(room), int(self.alignment() | Qt.AlignmentFlag.AlignVCenter), shown)
        painter.end()


class ElidedButton(QPushButton):
    """An outlined button whose text is elided where it does not fit.

    Attributes:
        words: all that it says.
    """

    _AROUND: Final = 22
    _MENU: Final = 18
    """Pixels that the frame and the sign of a menu take."""

    def __init__(self, height: int = CONTROL) -> None:
        super().__init__()
        self.words = ""
        self.setFont(font(Role.BODY))
        self.setAutoDefault(False)
        self.setFixedHeight(height)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def say(self, words: str) -> None:
        """Set the text."""
        self.words = words
        room = self.width() - self._AROUND - (self._MENU if self.menu() is not None else 0)
        self.setText(elided(words, QFontMetricsF(self.font()), room).replace("&", "&&"))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.say(self.words)


def button(words: str, *, height: int = CONTROL) -> QPushButton:
    """Make an outlined button that never becomes the default one.

    Args:
        words: what stands on it.
        height: logical pixels.
    """
    made = QPushButton(words)
    made.setFont(font(Role.BODY))
    made.setAutoDefault(False)
    made.setFixedHeight(height)
    made.setIconSize(QSize(16, 16))
    return made


def line() -> QFrame:
    """Make a horizontal line between two parts of a pane."""
    made = QFrame()
    made.setFixedHeight(1)
    mark(made, "line")
    return made


def empty(layout: QLayout) -> None:
    """Remove all items of a layout, and delete their widgets later."""
    while (item := layout.takeAt(0)) is not None:
        widget, inner = item.widget(), item.layout()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
        elif inner is not None:
            empty(inner)
            inner.deleteLater()
