"""The base of completers: a list below the field, and its keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCompleter

if TYPE_CHECKING:
    from PySide6.QtWidgets import QAbstractItemView, QWidget

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
