"""A field for several words, each with a button that removes it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QPushButton, QSizePolicy, QVBoxLayout
from typing_extensions import override

from starloom_gui.text.words import fill, translate
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.icons import Icon, icon
from starloom_gui.theme.metrics import CONTROL
from starloom_gui.widgets.controls import button, mark
from starloom_gui.widgets.editor import FieldEditor, FieldSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtGui import QFocusEvent, QKeyEvent

    from starloom_gui.theme.palette import Palette

_MOST_TAGS: Final = 100
_ROOM: Final = 350
"""Width of a row of words."""
_LAST: Final = 64
"""Least width of what is typed behind them."""
_SPACE: Final = 5


class TagsEditor(FieldEditor):
    """Edits several words: Return, a comma or a space ends one, Backspace removes the last one."""

    def __init__(self, spec: FieldSpec) -> None:
        super().__init__(spec)
        self._tags: list[str] = []
        self._buttons: list[QPushButton] = []
        self._palette: Palette | None = None
        frame = QFrame()
        self.frame = frame
        self._rows = QVBoxLayout(frame)
        self._rows.setContentsMargins(5, 3, 5, 3)
        self._rows.setSpacing(4)
        self.line = _TagLine(self._end_one, self._take_back, self._outline)
        mark(self.line, "inner")
        mark(frame, "tags")
        self.line.setFont(font(Role.BODY))
        self.line.setPlaceholderText(spec.hint)
        self.line.setAccessibleName(spec.label)
        self.line.setAccessibleDescription(spec.help)
        self.line.setMinimumWidth(_LAST)
        self.line.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.adopt(frame, None)
        self._lay()
        self.setFocusProxy(self.line)
        self.line.textEdited.connect(self._typed)

    @override
    def value(self) -> frozenset[str]:
        return frozenset({*self._tags, *self.line.text().replace(",", " ").split()})

    @override
    def show_value(self, value: Any) -> None:
        self._show(sorted(value or ()))
        self.line.clear()

    @property
    def tags(self) -> tuple[str, ...]:
        """The words, in their order."""
        return tuple(self._tags)

    @override
    def apply_theme(self, palette: Palette) -> None:
        self._palette = palette
        for one in self._buttons:
            one.setIcon(icon(Icon.CLOSE, palette))

    def _typed(self, words: str) -> None:
        if words.endswith((",", " ")):
            self._end_one()
        self.edited.emit()

    def _end_one(self) -> bool:
        words = self.line.text().replace(",", " ").split()
        self.line.clear()
        if words:
            self._show([*self._tags, *(one for one in dict.fromkeys(words) if one not in self._tags)])
            self.edited.emit()
        return bool(words)

    def _take_back(self) -> None:
        if self._tags:
            self._show(self._tags[:-1])
            self.edited.emit()

    def _remove(self, tag: str, _checked: bool = False) -> None:
        self._show([one for one in self._tags if one != tag])
        self.line.setFocus()
        self.edited.emit()

    def _show(self, tags: Iterable[str]) -> None:
        self._tags = list(tags)[:_MOST_TAGS]
        old, self._buttons = self._buttons, [self._button(tag) for tag in self._tags]
        self._lay()
        for one in old:
            one.hide()
            one.deleteLater()
        self.line.setPlaceholderText("" if self._tags else self.spec.hint)

    def _lay(self) -> None:
        """Lay the words out in as many rows as needed, with the line editor after the last one."""
        while (row := self._rows.takeAt(0)) is not None:
            inner = row.layout()
            if inner is not None:
                while inner.takeAt(0) is not None:
                    pass
                inner.deleteLater()
        room = 0
        line: QHBoxLayout | None = None
        for one, width in [*((each, each.sizeHint().width()) for each in self._buttons), (self.line, _LAST)]:
            room -= width + _SPACE
            if line is None or room < 0:
                line, room = QHBoxLayout(), _ROOM - width
                line.setSpacing(_SPACE)
                self._rows.addLayout(line)
            line.addWidget(one, 1 if one is self.line else 0)
        for at in range(self._rows.count() - 1):
            self._rows.itemAt(at).layout().addStretch(1)  # type: ignore[union-attr]  # every item is a row
        self.frame.setFixedHeight(max(CONTROL, 6 + self._rows.count() * 24 - 4))

    def _button(self, tag: str) -> QPushButton:
        made = button(tag, height=20)
        made.setFont(font(Role.BODY))
        made.setMaximumWidth(_ROOM)
        made.setParent(self.frame)
        made.ensurePolished()  # before that its hint knows nothing of the style sheet
        mark(made, "tag")
        made.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the cross stands behind the word
        made.setToolTip(fill(translate("Forms", "Remove %1"), tag))
        made.setAccessibleName(made.toolTip())
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        if self._palette is not None:
            made.setIcon(icon(Icon.CLOSE, self._palette))
        made.clicked.connect(partial(self._remove, tag))
        return made

    def _outline(self, focused: bool) -> None:
        mark(self.frame, "tags-focused" if focused else "tags")


class _TagLine(QLineEdit):
    """The line editor of the next word."""

    def __init__(
        self, end_one: Callable[[], bool], take_back: Callable[[], None], outline: Callable[[bool], None]
    ) -> None:
        super().__init__()
        self._end_one, self._take_back, self._outline = end_one, take_back, outline

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self._end_one():
            return
        if event.key() == Qt.Key.Key_Backspace and not self.text():
            self._take_back()
            return
        super().keyPressEvent(event)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._outline(True)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._end_one()
        self._outline(False)
