"""A frame of several words, each with a button that removes it, and a line in which the next one is typed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QFrame, QLineEdit, QPushButton, QSizePolicy, QWidget
from typing_extensions import override

from starloom_gui.text.words import fill, tip, translate
from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.theme.icons import Icon, icon
from starloom_gui.widgets.controls import button, mark
from starloom_gui.widgets.list_completer import OF_LIST
from starloom_gui.widgets.typed_editor import ENTER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent

    from starloom_gui.theme.palette import Palette
    from starloom_gui.widgets.list_completer import ListCompleter

_MOST_TAGS: Final = 100
_LAST: Final = 64
"""Least width of what is typed behind the words."""
_SPACE: Final = 4
_HIGH: Final = 20
_CROSS: Final = 32
"""Pixels that a word's button has besides the word."""
_SIDE: Final = 5


class TagBox(QFrame):
    """Several words: Return or a comma ends one, Backspace takes the last one back, a click removes any.

    Attributes:
        line: where the next word is typed.
        tags: the words, in their order.
        buttons: those that remove them.

    Args:
        read: gives the words in what is typed.
        ends: the characters that end a word.
        least: pixels that it is high at least.

    Signals:
        edited(): its user has typed, or added or removed a word.
        entered(): what stands there is to hold: Return was pressed, or a word was removed.
        confirmed(): Return was pressed.
        escaped(): Escape was pressed.
    """

    edited = Signal()
    entered = Signal()
    confirmed = Signal()
    escaped = Signal()

    def __init__(self, read: Callable[[str], list[str]], ends: str, least: int) -> None:
        super().__init__()
        self._read, self._ends, self._least = read, tuple(ends), least
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._palette: Palette | None = None
        self._is_wrong, self._hint = False, ""
        self.tags: tuple[str, ...] = ()
        self.buttons: list[QPushButton] = []
        self.line = TagLine(self)
        mark(self.line, "inner")
        mark(self, "tags")
        self.line.setFont(font(Role.BODY))
        self.line.setFixedHeight(_HIGH)
        self.line.textEdited.connect(self._typed)
        self._place()

    # ---- what stands there

    @property
    def words(self) -> list[str]:
        """The words, with those that are just being typed."""
        return list(dict.fromkeys([*self.tags, *self._read(self.line.text())]))

    def put(self, tags: Iterable[str]) -> None:
        """Set the words."""
        self.line.clear()
        self._show(tags)

    def set_hint(self, words: str) -> None:
        """Set what is read while there are no words."""
        self._hint = words
        self.line.setPlaceholderText("" if self.tags else words)

    def lock(self, locked: bool) -> None:
        """Disable or enable editing."""
        self.line.setReadOnly(locked)
        for one in self.buttons:
            one.setEnabled(not locked)

    def _show(self, tags: Iterable[str]) -> None:
        self.tags = tuple(dict.fromkeys(tags))[:_MOST_TAGS]
        old, self.buttons = self.buttons, [self._button(tag) for tag in self.tags]
        before: QWidget = self.line
        for one in self.buttons:
            QWidget.setTabOrder(before, one)
            before = one
        for one in old:
            one.hide()
            one.deleteLater()
        self.set_hint(self._hint)
        self._place()
        self.updateGeometry()

    def _button(self, tag: str) -> QPushButton:
        made = button(tag.replace("&", "&&"), height=_HIGH)
        made.setParent(self)
        made.ensurePolished()  # before that its hint knows nothing of the style sheet
        mark(made, "tag")
        made.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the cross stands behind the word
        made.setToolTip(tip(fill(translate("Forms", "Remove %1"), tag)))
        made.setAccessibleName(fill(translate("Forms", "Remove %1"), tag))
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        made.setEnabled(not self.line.isReadOnly())
        if self._palette is not None:
            made.setIcon(icon(Icon.CLOSE, self._palette))
        made.clicked.connect(partial(self._remove, tag))
        made.show()
        return made

    # ---- its user

    def _typed(self, words: str) -> None:
        if words.endswith(self._ends) and not words.startswith('"'):
            self.end_word()
        self.edited.emit()

    def end_word(self) -> bool:
        """Make words of what is typed; returns whether there was anything."""
        words = self._read(self.line.text())
        self.line.clear()
        if words:
            self._show([*self.tags, *words])
            self.edited.emit()
        return bool(words)

    def take_back(self) -> None:
        """Remove the last word."""
        if self.tags:
            self._show(self.tags[:-1])
            self.edited.emit()

    def _remove(self, tag: str, _checked: bool = False) -> None:
        self.line.setFocus()
        self._show([one for one in self.tags if one != tag])
        self.edited.emit()
        self.entered.emit()

    # ---- looks

    def set_wrong(self, wrong: bool) -> None:
        """Outline it as invalid, or as usual."""
        self._is_wrong = wrong
        self.outline()

    def outline(self) -> None:
        """Outline the frame: as invalid, as focused, or as usual."""
        mark(self, "tags-wrong" if self._is_wrong else "tags-focused" if self.line.hasFocus() else "tags")

    def apply_theme(self, palette: Palette) -> None:
        """Set the colours."""
        self._palette = palette
        for one in self.buttons:
            one.setIcon(icon(Icon.CLOSE, palette))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def heightForWidth(self, width: int) -> int:
        return self._places(width)[-1].bottom() + 1 + self._above

    @override
    def sizeHint(self) -> QSize:
        return QSize(2 * _LAST, self.heightForWidth(self.width()))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(1, self.sizeHint().height())

    @property
    def _above(self) -> int:
        return (self._least - _HIGH) // 2

    def _places(self, width: int) -> list[QRect]:
        """The places of the words, in as many rows as needed, and of the line behind the last one."""
        room = max(_LAST, width - 2 * _SIDE)
        metrics, left, top, found = QFontMetricsF(font(Role.BODY)), 0, self._above, list[QRect]()
        for tag in (*self.tags, None):
            wanted = _LAST if tag is None else min(room, round(metrics.horizontalAdvance(tag)) + _CROSS)
            if left and left + wanted > room:
                left, top = 0, top + _HIGH + _SPACE
            found.append(QRect(_SIDE + left, top, room - left if tag is None else wanted, _HIGH))
            left += wanted + _SPACE
        return found

    def _place(self) -> None:
        """Place the words, elided where they do not fit."""
        metrics = QFontMetricsF(font(Role.BODY))
        *places, last = self._places(self.width())
        for tag, one, place in zip(self.tags, self.buttons, places, strict=True):
            one.setText(elided(tag, metrics, place.width() - _CROSS + 2).replace("&", "&&"))
            one.setGeometry(place)
        self.line.setGeometry(last)


class TagLine(QLineEdit):
    """The line editor of the next word.

    Attributes:
        offers: what completes what is typed; None: nothing does.
    """

    def __init__(self, box: TagBox) -> None:
        super().__init__(box)
        self._box = box
        self.offers: ListCompleter | None = None

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.offers is not None and self.offers.is_open and event.key() in OF_LIST:
            event.ignore()  # Return takes what is chosen there, and Escape puts it away
        elif event.key() in ENTER and (self._box.end_word() or self.offers is not None):
            self._box.entered.emit()
            self._box.confirmed.emit()
        elif event.key() == Qt.Key.Key_Backspace and not self.text() and not self.isReadOnly():
            self._box.take_back()
        elif event.key() == Qt.Key.Key_Down and self.offers is not None and not self.isReadOnly():
            self.textEdited.emit(self.text())
            self.offers.complete()
        elif event.key() == Qt.Key.Key_Escape and self.offers is not None:
            self._box.escaped.emit()
        else:
            super().keyPressEvent(event)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._box.outline()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._box.end_word()
        self._box.outline()
