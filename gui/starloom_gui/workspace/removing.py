"""Removing the selected tasks in a list of them, by the same keys and rules as on the canvas."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction

from starloom_gui.editing import steps
from starloom_gui.editing.removing import remove_tasks
from starloom_gui.viewmodel.keys import Scope, sequences

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QAbstractItemView

    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.editing.base import Step
    from starloom_gui.viewmodel.selection import Selection
    from starloom_gui.workspace.source import DocumentSource


class RowRemoving(QObject):
    """Removes the selected tasks by the keys of the canvas.

    Args:
        view: lists tasks; it owns this.
        source: what is listed, and its editor.
        selection: of the document.

    Signals:
        refused(str, str): what was not done, and why.
    """

    refused = Signal(str, str)

    def __init__(self, view: QAbstractItemView, source: DocumentSource, selection: Selection) -> None:
        super().__init__(view)
        self._view, self._source, self._selection = view, source, selection
        self._add("remove", self.tr("Remove"), steps.remove)
        self._add("remove_and_reconnect", self.tr("Remove and reconnect"), steps.remove_and_reconnect)

    def _add(self, name: str, text: str, make: Callable[[RunFacts, Sequence[int]], Step]) -> None:
        action = QAction(text, self._view)
        action.setShortcuts(sequences(Scope.GRAPH, name))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(partial(self._remove, text, make))
        self._view.addAction(action)

    def _remove(self, text: str, make: Callable[[RunFacts, Sequence[int]], Step], _: bool = False) -> None:
        barred = self._source.barred
        if barred is not None:
            reason = f"{barred.reason} {barred.hint}".strip()
        else:
            reason = remove_tasks(self._source.editor, self._selection.now.numbers, make)
        if reason:
            self.refused.emit(text, reason)
