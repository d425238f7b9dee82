"""A field for a number, typed or stepped, that may also be unlimited."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QToolButton, QWidget
from shiboken6 import isValid
from typing_extensions import override

from starloom_gui.text.words import amount, fill, translate
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.icons import Icon, icon
from starloom_gui.theme.metrics import RADIUS
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.widgets.controls import mark

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
_FOLLOWED: Final = 3.0
"""Seconds within which what somebody has undone comes true."""


def number_sheet(palette: Palette) -> str:
    """The part of a pane's style sheet for number fields."""
    wrong = palette.status[StatusForm.FAILED].shape
    return (
        f"QFrame[look='number'] {{ border: 1px solid {palette.outline}; border-radius: {RADIUS}px;"
        f" background: {palette.panel}; }}"
        f"QFrame[look='number-focused'] {{ border: 1px dashed {palette.text}; border-radius: {RADIUS}px;"
        f" background: {palette.panel}; }}"
        f"QFrame[look='number-wrong'] {{ border: 2px solid {wrong}; border-radius: {RADIUS}px;"
        f" background: {palette.panel}; }}"
        f"QFrame[look^='number'] QLineEdit {{ border: none; background: transparent; padding: 0; }}"
        f"QFrame[look^='number'] QToolButton {{ border: none; background: transparent; padding: 0;"
        f" border-radius: {RADIUS - 1}px; }}"
        f"QFrame[look^='number'] QToolButton:hover {{ background: {palette.raised}; }}"
        f"QFrame[look^='number'] QToolButton:pressed {{ background: {palette.selected}; }}"
    )


class NumberField(QFrame):
    """A number with buttons to decrease and increase it; arrow keys and, with the focus, the wheel step it too.

    What was typed or stepped to is meant after a short rest, at once with Return or when the focus goes; Escape takes
    it back. What is shown from outside is not written over it, but for what its own author has undone; see `follow`.

    Signals:
        wanted: with the number that is meant now; None: no limit.
        mistyped(str): this is no number; the last one shown is back.
        edited: something else stands there.

    Attributes:
        line: where it is typed.
        clear: empties the field, where there may be no limit.
        is_live: whether what stands there is meant after a rest.

    Args:
        optional: whether there may be no limit; an empty field is none.
        least: the smallest number.
        decimal: whether it may have digits after the point; without, it is a whole number.
        rest: milliseconds until what stands there is meant; None: it is only read, with `value`.
        parent: the widget it lies in.
    """

    wanted = Signal(object)
    mistyped = Signal(str)
    edited = Signal()

    def __init__(
        self,
        *,
        optional: bool,
        least: int = 0,
        decimal: bool = False,
        rest: int | None = REST,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._optional, self._least, self._decimal = optional, least, decimal
        self._known: float | None = None
        self._put_there = ""
        self._before: str | None = None
        self._follows_until = 0.0
        self._start = max(least, 1)
        self._is_wrong = False
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(rest or 0)
        self._rest.timeout.connect(self.finish)
        self.is_live = rest is not None
        self.less, self.more = self._stepper(-1), self._stepper(1)
        self.line = _Line(self)
        self.clear = QAction(self)
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
        if self._optional:
            self.line.addAction(self.clear, QLineEdit.ActionPosition.TrailingPosition)
            self.line.textChanged.connect(self._show_clear)
            self.clear.triggered.connect(self._empty)
        self._show_clear("")
        self._say()

    def _show_clear(self, words: str) -> None:
        self.clear.setVisible(bool(words))
        self.more.setEnabled(bool(words) or not self._optional)

    def _empty(self) -> None:
        self.set_to(None)
        self.finish(overwrites=True)

    def _say(self) -> None:
        self.less.setToolTip(translate("Limits", "One less"))
        self.more.setToolTip(translate("Limits", "One more"))
        self.less.setAccessibleName(self.less.toolTip())
        self.more.setAccessibleName(self.more.toolTip())
        self.set_none(unlimited_word() if self._optional else "")

    def set_none(self, words: str) -> None:
        """Set what an empty field says, as it means."""
        self.line.setPlaceholderText(words)
        self.clear.setToolTip(fill(translate("Limits", "Clear: %1"), words))

    def name(self, words: str) -> None:
        """Set the accessible name."""
        self.line.setAccessibleName(words)
        self.setAccessibleName(words)

    def apply_theme(self, palette: Palette) -> None:
        """Redraw the icons in the colours of a palette."""
        self.less.setIcon(icon(Icon.ZOOM_OUT, palette))
        self.more.setIcon(icon(Icon.ZOOM_IN, palette))
        self.clear.setIcon(icon(Icon.CLOSE, palette))

    # ---- what stands there

    @property
    def is_edited(self) -> bool:
        """Whether the field has an edit that was not applied yet."""
        return self.line.text() != self._put_there

    @property
    def other(self) -> str | None:
        """The text of the number that was set while this field was in use; None: it is the one its author saw."""
        written = _written(self._known)
        seen = (self._put_there, self.line.text(), self._before)
        return written if written not in seen else None

    def value(self) -> float | None:
        """The number in the field; None: no limit.

        Raises:
            ValueError: it is no number, with a sentence for people.
        """
        words = self.line.text().strip()
        if not words or words.casefold() == unlimited_word().casefold():
            if self._optional:
                return None
            raise ValueError(translate("Limits", "There has to be a number."))
        number = self._number(words)
        if number < self._least:
            raise ValueError(fill(translate("Limits", "The least is %1."), amount(self._least)))
        if number > MOST:
            raise ValueError(fill(translate("Limits", "The most is %1."), amount(MOST)))
        return number

    def whole(self) -> int | None:
        """The number in a field of whole numbers; None: no limit.

        Raises:
            ValueError: as `value`.
        """
        number = self.value()
        return None if number is None else int(number)

    def _number(self, words: str) -> float:
        sign, words = (-1, words[1:]) if words[:1] in {"-", "\N{MINUS SIGN}"} else (1, words)
        whole, point, digits = words.replace(",", ".").partition(".") if self._decimal else (words, "", "")
        if not all(part.isdecimal() and part.isascii() for part in ((whole, digits) if point else (whole,))):
            wrong = translate("Limits", "That is no number.")
            raise ValueError(wrong if self._decimal else translate("Limits", "That is no whole number."))
        return sign * (float(f"{whole}.{digits}") if point else int(whole))

    def show_value(self, value: float | None, used: int = 0) -> None:
        """Show a number, unless the field is in use.

        Args:
            value: the number.
            used: how many there are now, from which no limit is stepped to a limit.
        """
        self._start = max(used, self._least, 1)
        is_followed = value != self._known and time.monotonic() < self._follows_until and not self.is_edited
        self._known = value
        if self._before != _written(value):
            self._before = None  # what was sent has come true, or something else has
        if is_followed or (not self.is_edited and not self.line.hasFocus()):
            self._follows_until = 0.0
            self._put(value)
        elif self.line.text() == _written(value):
            self._put_there = self.line.text()
        self.less.setEnabled(value is None or value > self._least)

    def follow(self) -> None:
        """Have the next number written into the field though it has the keyboard: its author has asked for it."""
        self._follows_until = time.monotonic() + _FOLLOWED

    def take_back(self) -> None:
        """Discard the edit, and show the last number that was set."""
        self._rest.stop()
        self._put(self._known)

    def set_wrong(self, wrong: bool) -> None:
        """Outline the field as invalid, or as usual."""
        self._is_wrong = wrong
        self.outline()

    def outline(self) -> None:
        """Update the outline to focus and validity."""
        focused = "number-focused" if self.line.hasFocus() else "number"
        mark(self, "number-wrong" if self._is_wrong else focused)

    def _put(self, value: float | None) -> None:
        self._put_there = _written(value)
        self._stand(value)

    def _stand(self, value: float | None) -> None:
        if self.line.text() != _written(value):
            with QSignalBlocker(self.line):
                self.line.setText(_written(value))
            self._show_clear(_written(value))

    # ---- input

    def step(self, by: int) -> None:
        """Increase the number by a step, which may be negative. From no limit one down leads to what is used, or 1."""
        try:
            value = self.value()
        except ValueError:
            value = self._known
        if value is not None:
            self.set_to(min(MOST, max(self._least, value + by)))
        elif by < 0:  # nothing is more than no limit
            self.set_to(self._start)

    def set_to(self, value: float | None) -> None:
        """Set the number as if it had been typed."""
        self._stand(value)
        self._typed()

    def finish(self, *, overwrites: bool = False) -> None:
        """Apply the edit, if there is one.

        Args:
            overwrites: also where the number has become another one since it was shown.
        """
        self._rest.stop()
        if not self.is_live or not (self.is_edited or overwrites) or (self.other is not None and not overwrites):
            return
        try:
            value = self.value()
        except ValueError as error:
            self.take_back()
            self.mistyped.emit(str(error))
            return
        self._put(value)
        if value != self._known:
            self._before = _written(self._known)
            self.wanted.emit(value)

    @property
    def is_used(self) -> bool:
        """Whether the field has an edit, or the number was set to another one meanwhile."""
        return self.is_edited or self.other is not None

    def leave(self) -> None:
        """Handle the loss of focus: apply the edit, or show the present number."""
        self.finish()
        if not self.is_edited and self._before is None:
            self._put(self._known)

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
    """The line editor of the number."""

    def __init__(self, field: NumberField) -> None:
        super().__init__(field)
        self._field = field
        self._turned = 0
        self.setFont(font(Role.BODY))
        self.setMaxLength(12)
        self.setMinimumWidth(40)
        self.textChanged.connect(self._align)
        self._align()

    def _align(self) -> None:
        """Centre the text; what an empty field means stands at the left while it has the keyboard: Qt hides it else."""
        has_words = not self.hasFocus() or bool(self.text())
        self.setAlignment(Qt.AlignmentFlag.AlignCenter if has_words else Qt.AlignmentFlag.AlignVCenter)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if event.modifiers() == Qt.KeyboardModifier.AltModifier:
            event.ignore()  # the key of a command, which Qt would type where no command hears it, as in a popup
        elif key in _KEYS:
            self._field.step(_KEYS[key])
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self._field.is_used and self._field.is_live:
            self._field.finish(overwrites=True)
        elif key == Qt.Key.Key_Escape and self._field.is_used:
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
        self._align()
        self._field.outline()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if not isValid(self._field):  # it dies, and its line loses the focus by that
            return
        self._align()
        self._field.outline()
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._field.leave()


def _written(value: float | None) -> str:
    return "" if value is None else f"{value:.12g}"


def unlimited_word() -> str:
    """The word for no limit."""
    return translate("Limits", "unlimited")
