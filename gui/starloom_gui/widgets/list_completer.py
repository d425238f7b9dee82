"""Completers with a list below the field: their base with its keys, and that of names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtWidgets import QCompleter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QWidget

OF_LIST: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape, Qt.Key.Key_Tab, Qt.Key.Key_Backtab})
"""The keys that are the list's while it is open."""


class ListCompleter(QCompleter):
    """Completes typed text, ignoring case, from a list below a field.

    Args:
        field: where it is typed; it leaves `OF_LIST` to the list while that is open.
    """

    def __init__(self, field: QWidget) -> None:
        super().__init__(field)
        self.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setWidget(field)

    @property
    def list(self) -> QAbstractItemView:
        """The list of completions."""
        found = self.popup()
        assert found is not None, "Qt makes it when it is asked for"
        return found

    @property
    def is_open(self) -> bool:
        """Whether the list is open."""
        return self.list.isVisible()


class NameCompleter(ListCompleter):
    """Completes a name while it is typed: the last of several with commas between them.

    Args:
        field: where it is typed; see `ListCompleter`.
        known: gives the names that are offered.
        take: is given the whole text with the chosen name; None: the field gets it.
    """

    def __init__(
        self, field: QLineEdit, known: Callable[[], Sequence[str]], take: Callable[[str], object] | None = None
    ) -> None:
        super().__init__(field)
        self._field, self._known, self._names = field, known, QStringListModel(self)
        self._put = take or field.setText
        self.setModel(self._names)
        field.textEdited.connect(self._offer)
        self.activated.connect(self._take)

    def _offer(self, words: str) -> None:
        begun = words.rpartition(",")[2].strip()
        self._names.setStringList([name for name in self._known() if name != begun])
        self.setCompletionPrefix(begun)
        if begun and self.completionCount() and self._field.hasFocus():
            self.complete()
        elif self.is_open:
            self.list.hide()

    def _take(self, name: str) -> None:
        before, comma, _ = self._field.text().rpartition(",")
        self._put(f"{before}{comma}{name}")
