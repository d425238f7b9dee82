"""Opens the text of a field in a large dialog, and returns the edited text to the field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from shiboken6 import isValid

from starloom_gui.widgets.script_dialog import ScriptDialog
from starloom_gui.widgets.script_editor import ScriptEditor

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from starloom_gui.panels.field_rows import FieldRow
    from starloom_gui.theme.appearance import Appearance


class LargerText(QObject):
    """Edits the text of a field in a dialog; an accepted text is sent as if it had been typed in the field.

    Args:
        appearance: the colours.
        pane: the form; the dialog stands over its window.

    Attributes:
        dialog: the one that is open; None: none is.
    """

    def __init__(self, appearance: Appearance, pane: QWidget) -> None:
        super().__init__(pane)
        self._appearance, self._pane = appearance, pane
        self.dialog: ScriptDialog | None = None

    def open(self, row: FieldRow) -> None:
        """Open the present text of a field, sent or not."""
        script = row.editor if isinstance(row.editor, ScriptEditor) else None
        self.dialog = made = ScriptDialog(
            self._appearance,
            row.label,
            row.draft.text,
            code=script.is_code if script is not None else row.is_code,
            known=script.known if script is not None else None,
            is_locked=row.draft.is_locked,
            parent=self._pane.window(),
        )
        if script is not None:
            made.stand_like(script.area.textCursor())
            script.is_lent = True
        made.kept.connect(lambda words: self._keep(row, words))
        made.finished.connect(lambda: self._close(row))
        made.open()

    @property
    def unset(self) -> tuple[str, str] | None:
        """The label of the field and what is typed in the dialog, if that was changed; None: nothing is."""
        made = self.dialog
        return (made.title, made.area.toPlainText()) if made is not None and made.is_changed else None

    def read(self, title: str, words: str) -> None:
        """Open a text that can only be read."""
        self.dialog = made = ScriptDialog(self._appearance, title, words, is_locked=True, parent=self._pane.window())
        made.finished.connect(self._forget)
        made.open()

    def _forget(self) -> None:
        self.dialog = None

    def _close(self, row: FieldRow) -> None:
        self._forget()
        if isValid(row.editor):
            row.editor.setFocus()
            if isinstance(row.editor, ScriptEditor):
                row.editor.is_lent = False

    @staticmethod
    def _keep(row: FieldRow, words: str) -> None:
        if not isValid(row.editor) or words == row.draft.text:
            return
        if isinstance(row.editor, ScriptEditor) or "\n" not in words:
            row.editor.write(words)
            row.draft.settle()
        else:  # a line cannot hold it: it is sent at once, and then stands in an editor that can
            row.draft.wanted.emit(words)
