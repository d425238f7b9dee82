"""Renaming a task in its row of a list, by the same key and rules as on the canvas."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRectF, Qt, Signal
from PySide6.QtGui import QAction

from starloom_gui.canvas.rename_field import LEAST, RenameField
from starloom_gui.editing import steps
from starloom_gui.editing.legality import why_frozen
from starloom_gui.models.outline import Outline
from starloom_gui.models.task_table import TaskTable
from starloom_gui.viewmodel.keys import Scope, sequences
from starloom_gui.viewmodel.roles import ItemRole

if TYPE_CHECKING:
    from PySide6.QtWidgets import QAbstractItemView

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.workspace.source import DocumentSource


class RowRenaming(QObject):
    """Renames the current task of a view by the key of the canvas.

    Args:
        view: lists tasks in a model of them; it owns this.
        source: what is listed, and its editor.
        appearance: the colours.

    Signals:
        refused(str, str): what was not done, and why.
    """

    refused = Signal(str, str)

    def __init__(self, view: QAbstractItemView, source: DocumentSource, appearance: Appearance) -> None:
        super().__init__(view)
        rows = view.model()
        assert isinstance(rows, Outline | TaskTable), "models of tasks know where each stands"
        self._view, self._rows = view, rows
        self._source, self._appearance = source, appearance
        self._number = -1
        self._field: RenameField | None = None
        action = QAction(self.tr("Rename"), view)
        action.setShortcuts(sequences(Scope.GRAPH, "rename"))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(self.begin)
        view.addAction(action)
        for signal in (rows.modelReset, rows.layoutChanged, rows.rowsInserted, rows.rowsRemoved):
            signal.connect(self._follow)

    def begin(self) -> None:
        """Open the field for the name of the current task, in its row; `refused` emits why it cannot be renamed."""
        facts, number = self._source.editor.facts(), self._view.currentIndex().data(ItemRole.NUMBER)
        if facts is None or number is None:
            self.refused.emit(self.tr("Rename"), self.tr("Select the task that is to be renamed."))
            return
        reason = self._why_not(number)
        if reason:
            self.refused.emit(self.tr("Rename"), reason)
            return
        self._number = number
        name, palette = steps.name_of(facts, number), self._appearance.palette
        why_not = partial(self._why_not, number)
        self._field = RenameField(name, self._place(), palette, self._view.viewport(), why_not=why_not)
        self._field.refused.connect(partial(self.refused.emit, self.tr("Rename")))
        self._field.ended.connect(partial(self._ended, number))

    def _why_not(self, number: int) -> str:
        facts, barred = self._source.editor.facts(), self._source.barred
        if barred is not None:
            return f"{barred.reason} {barred.hint}".strip()
        return why_frozen(facts, number) if facts is not None else self.tr("There is no run.")

    def _place(self) -> QRectF:
        """The rectangle of the task's name in the viewport, wide enough to edit."""
        box = QRectF(self._view.visualRect(self._rows.index_of(self._number)))
        box.setWidth(max(box.width(), LEAST))
        return box

    def _follow(self, *_: object) -> None:
        """Rows may have come or gone: stay at the task."""
        if self._field is not None and self._rows.index_of(self._number).isValid():
            self._field.stand_over(self._place())

    def _ended(self, number: int, name: str | None) -> None:
        facts, self._field = self._source.editor.facts(), None
        self._view.setFocus()
        if name is None or facts is None:
            return
        step, reason = steps.rename(facts, number, name), self._why_not(number)
        if reason:
            self.refused.emit(step.label, reason)
        else:
            self._source.editor.do(step)
