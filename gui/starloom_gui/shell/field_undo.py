"""Ctrl+Z in a text field: it undoes what was typed there, or else the last step of the run or plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit
from typing_extensions import override

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_Field = QLineEdit | QPlainTextEdit
_UNDO, _REDO = QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo


class FieldUndo(QObject):
    """Gives the keys of undo and redo to the text field with the focus, but only while it has something to undo.

    A text field takes them for itself in any case, before the window can have them.

    Args:
        parent: of the object.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        application = QApplication.instance()
        assert isinstance(application, QApplication), "there is a window"
        application.focusChanged.connect(self._follow)

    def _follow(self, old: QWidget | None, new: QWidget | None) -> None:
        if isinstance(old, _Field):
            old.removeEventFilter(self)
        if isinstance(new, _Field):
            new.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.ShortcutOverride:
            return False
        if not isinstance(watched, _Field) or not _is_idle(watched, event):
            return False
        event.ignore()
        return True


def _is_idle(field: _Field, event: QKeyEvent) -> bool:
    """Whether the keys are those of undo or redo, and the field has nothing to undo or redo."""
    history = field if isinstance(field, QLineEdit) else field.document()
    if event.matches(_UNDO):
        return not history.isUndoAvailable()
    return event.matches(_REDO) and not history.isRedoAvailable()
