"""A number to type or to step, that may also be none: as many as want to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QToolButton, QWidget
from typing_extensions import override

from starloom.scheduling.codes import FAILED
from starloom_gui.panels.dress import mark
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.icons import Verb as Icon
from starloom_gui.theme.icons import icon
from starloom_gui.theme.metrics import RADIUS
from starloom_gui.words import translate

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QFocusEvent, QKeyEvent, QWheelEvent

    from starloom_gui.theme.palette import Palette

REST: Final = 600
"""Milliseconds without another step or digit after which what stands there is meant."""
MOST: Final = 1_000_000
_PAGE: Final = 10
_KEYS: Final[dict[int, int]] = {
    Qt.Key.Key_Up: 1,
    Qt.Key.Key_Down: -1,
    Qt.Key.Key_PageUp: _PAGE,
    Qt.Key.Key_PageDown: -_PAGE,
}
_NOTCH: Final = 120


def number_sheet(palette: Palette) -> str:
    """What a pane's style sheet has to say of number fields besides."""
    return (
        f"QFrame[look='number'] {{ border: 1px solid {palette.outline}; border-radius: {RADIUS}px;"
        f" background: {palette.panel}; }}"
        f"QFrame[look='number-focused'] {{ border: 1px dashed {palette.text}; border-radius: {RADIUS}px;"
        f" background: {palette.panel}; }}"
        f"QFrame[look='number-wrong'] {{ border: 2px solid {palette.status[FAILED].shape}; border-radius: {RADIUS}px;"
        f" background: {palette.panel}; }}"
        f"QFrame[look^='number'] QLineEdit {{ border: none; background: transparent; padding: 0; }}"
        f"QFrame[look^='number'] QToolButton {{ border: none; background: transparent; padding: 0;"
        f" border-radius: {RADIUS - 1}px; }}"
        f"QFrame[look^='number'] QToolButton:hover {{ background: {palette.raised}; }}"
        f"QFrame[look^='number'] QToolButton:pressed {{ background: {palette.selected}; }}"
    )


class NumberField(QFrame):
    """A whole number with a minus and a plus; arrow keys and, while it has the focus, the wheel step it too.

    What was typed or stepped to is meant after a short rest, at once with Return or when the focus goes; Escape takes
    it back. What is shown from outside is not written over it.

    Signals:
        wanted: with the number that is meant now; None: no limit.
        mistyped(str): this is no number; the last one shown is back.
        edited: something else stands there.

    Attributes:
        line: where it is typed.
        is_live: whether what stands there is meant after a rest.

    Args:
        optional: whether there may be no limit; an empty field is none.
        least: the smallest number.
        rest: milliseconds until what stands there is meant; None: it is only read, with `value`.
        parent: the widget it lies in.
    """

    wanted = Signal(object)
    mistyped = Signal(str)
    edited = Signal()

    def __init__(
        self, *, optional: bool, least: int = 0, rest: int | None = REST, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._optional, self._least = optional, least
        self._known: int | None = None
        self._start = least
        self._is_wrong = False
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(rest or 0)
        self._rest.timeout.connect(self.finish)
        self.is_live = rest is not None
        self.less, self.more = self._stepper(-1), self._stepper(1)
        self.line = _Line(self)
        self._arrange()
        mark(self, "number")

    def _stepper(self, step: int) -> QToolButton:
        made = QToolButton(self)
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the arrow keys do the same
        made.setAutoRepeat(True)
        made.setIconSize(QSize(16, 16))
        made.clicked.connect(lambda: self.step(step))
        return made

    def _arrange(self) -> None:
        self.setFixedHeight(24)
        row = QHBoxLayout(self)
        row.setContentsMargins(1, 1, 1, 1)
        row.setSpacing(0)
        for widget in (self.less, self.line, self.more):
            row.addWidget(widget)
        self.less.setFixedWidth(22)
        self.more.setFixedWidth(22)
        self.setFocusProxy(self.line)
        self.line.textEdited.connect(self._typed)
        self._say()

    def _say(self) -> None:
        self.less.setToolTip(translate("Limits", "One less"))
        self.more.setToolTip(translate("Limits", "One more"))
        self.less.setAccessibleName(self.less.toolTip())
        self.more.setAccessibleName(self.more.toolTip())
        self.line.setPlaceholderText(unlimited_word() if self._optional else "")

    def name(self, words: str) -> None:
        """Say to screen readers what it is the number of."""
        self.line.setAccessibleName(words)
        self.setAccessibleName(words)

    def dress(self, palette: Palette) -> None:
        """Draw the icons in other colours."""
        self.less.setIcon(icon(Icon.ZOOM_OUT, palette))
        self.more.setIcon(icon(Icon.ZOOM_IN, palette))

    # ---- what stands there

    @property
    def is_edited(self) -> bool:
        """Whether something stands there that was not shown from outside and is not meant yet."""
        return self.line.text() != _written(self._known)

    def value(self) -> int | None:
        """The number that stands there; None: no limit.

        Raises:
            ValueError: it is no number, with a sentence for people.
        """
        words = self.line.text().strip()
        if not words or words.casefold() == unlimited_word().casefold():
            if self._optional:
                return None
            raise ValueError(translate("Limits", "There has to be a number."))
        if not words.isdecimal() or not words.isascii():
            raise ValueError(translate("Limits", "That is no whole number."))
        number = int(words)
        if not self._least <= number <= MOST:
            raise ValueError(translate("Limits", "That number is too small or too large."))
        return number

    def show_value(self, value: int | None, used: int = 0) -> None:
        """Show a number unless another one is being typed; None: no limit.

        Args:
            value: the number.
            used: how many there are now, from which no limit is stepped to a limit.
        """
        self._start = max(used, self._least)
        if not self.is_edited:
            self._put(value)
        self._known = value
        self.less.setEnabled(value is None or value > self._least)

    def take_back(self) -> None:
        """Show the number that was last shown, whatever was typed."""
        self._rest.stop()
        self._put(self._known)

    def set_wrong(self, wrong: bool) -> None:
        """Outline it as wrong, or as usual."""
        self._is_wrong = wrong
        self.outline()

    def outline(self) -> None:
        """Show whether it has the focus, or holds what is wrong."""
        focused = "number-focused" if self.line.hasFocus() else "number"
        mark(self, "number-wrong" if self._is_wrong else focused)

    def _put(self, value: int | None) -> None:
        with QSignalBlocker(self.line):
            self.line.setText(_written(value))

    # ---- hands

    def step(self, by: int) -> None:
        """Make it so much more or less; from no limit on, it starts with what there is now."""
        try:
            value = self.value()
        except ValueError:
            value = self._known
        if value is None and by > 0:
            return
        self.set_to(self._start if value is None else min(MOST, max(self._least, value + by)))

    def set_to(self, value: int | None) -> None:
        """Have this number stand there, as if it had been typed."""
        self._put(value)
        self._typed()

    def finish(self) -> None:
        """Mean what stands there."""
        self._rest.stop()
        if not self.is_edited or not self.is_live:
            return
        try:
            value = self.value()
        except ValueError as error:
            self.take_back()
            self.mistyped.emit(str(error))
            return
        self._put(value)
        if value != self._known:
            self.wanted.emit(value)

    def _typed(self, _words: str = "") -> None:
        self.edited.emit()
        if self.is_live:
            self._rest.start()

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == event.Type.LanguageChange:
            self._say()
        super().changeEvent(event)


class _Line(QLineEdit):
    """Where the number is typed."""

    def __init__(self, field: NumberField) -> None:
        super().__init__(field)
        self._field = field
        self._turned = 0
        self.setFont(font(Role.BODY))
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setMaxLength(12)
        self.setMinimumWidth(40)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in _KEYS:
            self._field.step(_KEYS[key])
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self._field.is_edited and self._field.is_live:
            self._field.finish()
        elif key == Qt.Key.Key_Escape and self._field.is_edited:
            self._field.take_back()
            self._field.edited.emit()
        else:
            super().keyPressEvent(event)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        if not self.hasFocus():  # else scrolling the pane would change whatever comes under the pointer
            event.ignore()
            return
        self._turned += event.angleDelta().y()
        notches = int(self._turned / _NOTCH)
        self._turned -= notches * _NOTCH
        if notches:
            self._field.step(notches)
        event.accept()

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._field.outline()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._field.outline()
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._field.finish()


def _written(value: int | None) -> str:
    return "" if value is None else str(value)


def unlimited_word() -> str:
    """What stands where there is no limit."""
    return translate("Limits", "unlimited")
