"""The error that is shown under a field: a sentence, facts, and the buttons that mend it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from starloom_gui.theme import glyphs
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import GAPS, SMALLEST_FONT
from starloom_gui.theme.palette import colour
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.widgets.controls import button, empty, text
from starloom_gui.widgets.dialog import as_wide_as_there_is_room

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QPaintEvent

    from starloom_gui.theme.palette import Palette

_CROSS: Final = 12
_COPYABLE: Final = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard


@dataclass(frozen=True, slots=True)
class ErrorRemedy:
    """A remedy for an error: the text of its button, and its action."""

    label: str
    call: Callable[[], None]


class FieldErrorLabel(QWidget):
    """The error of a field, with a cross before it; its text can be copied, and it is hidden while there is no error.

    Attributes:
        words: the sentence.
        facts: what it is about, for comparing by eye.
    """

    def __init__(self, colours: Callable[[], Palette]) -> None:
        super().__init__()
        self._colours = colours
        self.words = text(role=Role.SMALL, look="wrong")
        self.facts = text(look="muted")
        self.facts.setFont(font(Role.MONOSPACE, base=SMALLEST_FONT))  # so that a fingerprint fits into one line
        self._remedies: tuple[ErrorRemedy, ...] = ()
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(GAPS[1])
        column = QVBoxLayout(self)
        column.setContentsMargins(_CROSS + GAPS[1], 2, 0, 6)
        column.setSpacing(GAPS[0])
        for label in (self.words, self.facts):
            label.setTextInteractionFlags(_COPYABLE)
            label.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
            as_wide_as_there_is_room(label)
            column.addWidget(label)
        column.addLayout(self._buttons)
        self.hide()

    def show_trouble(self, words: str, facts: str = "", remedies: Sequence[ErrorRemedy] = ()) -> None:
        """Show an error.

        Args:
            words: the sentence; empty: there is no error.
            facts: the values it is about, one line.
            remedies: the buttons below it.
        """
        self.words.setText(words)
        self.facts.setText(facts)
        self.facts.setVisible(bool(facts))
        self.setVisible(bool(words))
        self.setAccessibleName(f"{words} {facts}".strip())
        before, self._remedies = self._remedies, tuple(remedies)
        if [one.label for one in before] != [one.label for one in remedies]:  # else one of them may be pressed just now
            self._make_buttons()

    def _make_buttons(self) -> None:
        empty(self._buttons)
        for place, one in enumerate(self._remedies):
            pressed = button(one.label, height=24)
            pressed.clicked.connect(partial(self._call, place))
            self._buttons.addWidget(pressed)
        if self._remedies:
            self._buttons.addStretch(1)

    def _call(self, place: int, _checked: bool = False) -> None:
        self._remedies[place].call()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        ink = self._colours().status[StatusForm.FAILED].text
        glyphs.STATUS[StatusForm.FAILED].paint(painter, QRectF(2, 4, _CROSS, _CROSS), colour(ink))
        painter.end()
