"""Completes names of templates after `${`, in a list below the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit

from starloom_gui.widgets.list_completer import ListCompleter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtCore import QAbstractItemModel

_BEGIN: Final = "${"
_NAME: Final = Qt.ItemDataRole.UserRole
_WIDE: Final = 320


class TemplateName(NamedTuple):
    """A name that may be used between `${` and `}`, and a description of its value."""

    name: str
    about: str = ""


class TemplateCompleter(ListCompleter):
    """Offers the names that are allowed in `${…}` as soon as `${` is typed.

    Args:
        field: where it is typed; it leaves `OF_LIST` to the list while that is open.
        known: gives the names.
    """

    def __init__(self, field: QLineEdit | QPlainTextEdit, known: Callable[[], Sequence[TemplateName]]) -> None:
        super().__init__(field)
        self._field, self._known, self._names = field, known, QStandardItemModel(self)
        self.setModel(self._names)
        self.setCompletionRole(_NAME)
        self.setFilterMode(Qt.MatchFlag.MatchContains)
        self.activated.connect(self._take)
        if isinstance(field, QLineEdit):
            field.textEdited.connect(self.offer)

    def offer(self, _words: str = "") -> None:
        """Show or hide the list, depending on the text before the cursor; after each change of the text."""
        begun = self._begun()
        if begun is None or not self._field.hasFocus():
            self.list.hide()
            return
        self._names.clear()
        for one in self._known():
            item = QStandardItem(f"{one.name}   {one.about}" if one.about else one.name)
            item.setData(one.name, _NAME)
            self._names.appendRow(item)
        self.setCompletionPrefix(begun)
        if not self.completionCount():
            self.list.hide()
            return
        place = self._field.cursorRect()
        place.setWidth(_WIDE)
        self.complete(place)
        self.list.setCurrentIndex(self._model().index(0, 0))

    def _model(self) -> QAbstractItemModel:
        found = self.completionModel()
        assert found is not None, "a completer has one from its beginning"
        return found

    def _before(self) -> str:
        """The text before the cursor, in its line."""
        if isinstance(self._field, QLineEdit):
            return self._field.text()[: self._field.cursorPosition()]
        cursor = self._field.textCursor()
        return cursor.block().text()[: cursor.positionInBlock()]

    def _begun(self) -> str | None:
        """The beginning of a name that is being typed; None: there is none."""
        before, found, begun = self._before().rpartition(_BEGIN)
        return begun if found and "}" not in begun and not before.endswith("$") else None

    def _take(self, name: str) -> None:
        begun, words = self._begun(), f"{name}}}"
        if begun is None:
            return
        if isinstance(self._field, QLineEdit):
            at = self._field.cursorPosition()
            self._field.setSelection(at - len(begun), len(begun))
            self._field.insert(words)
            return
        cursor = self._field.textCursor()
        cursor.movePosition(cursor.MoveOperation.Left, cursor.MoveMode.KeepAnchor, len(begun))
        cursor.insertText(words)
        self._field.setTextCursor(cursor)
