"""Selecting new tasks once the engine has added them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom_gui.editing.base import Editor
    from starloom_gui.viewmodel.selection import Selection


class Awaiting(QObject):
    """Selects tasks as soon as all of them are in the graph; a later request replaces an earlier one.

    Signals:
        arrived(frozenset[str]): these have come, and are selected.

    Args:
        editor: of the graph.
        selection: of its views.
        parent: of the object.
    """

    arrived = Signal(object)

    def __init__(self, editor: Editor, selection: Selection, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._editor, self._selection = editor, selection
        self._ids: frozenset[str] = frozenset()
        editor.changed.connect(self._look)

    def select(self, ids: Iterable[str]) -> None:
        """Select these tasks, now or once they are in the graph."""
        self._ids = frozenset(ids)
        self._look()

    def _look(self) -> None:
        facts = self._editor.facts() if self._ids else None
        if facts is None or not self._ids <= facts.graph.place.keys():
            return
        ids, self._ids = self._ids, frozenset()
        numbers = [facts.graph.place[one] for one in ids]
        self._selection.select_all(numbers, min(numbers))
        self.arrived.emit(ids)
