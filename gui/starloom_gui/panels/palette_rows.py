"""The rows of the palette: templates under their headings, as far as they match the search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractListModel, QMimeData, QModelIndex, QPersistentModelIndex, Qt
from typing_extensions import override

from starloom_gui.editing.clipboard import TEMPLATE_TYPE, mime_of
from starloom_gui.editing.snippets import Snippet
from starloom_gui.text.words import fill, tip, translate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom_gui.editing.templates import TaskTemplate

TEMPLATE: Final = Qt.ItemDataRole.UserRole + 1
"""The role of a row's template; None: it is a heading."""
_Index = QModelIndex | QPersistentModelIndex
_NOWHERE: Final = QModelIndex()


@dataclass(frozen=True, slots=True)
class Shelf:
    """A section of the palette: a heading and its templates."""

    heading: str
    templates: tuple[TaskTemplate, ...]


class PaletteRows(QAbstractListModel):
    """The item model of the palette: headings, and templates that can be dragged; no section without a match."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[str | TaskTemplate] = []

    def show(self, shelves: Sequence[Shelf], wanted: str = "") -> None:
        """Show these shelves.

        Args:
            shelves: from top to bottom.
            wanted: words that all have to occur in a template's title, name or description.
        """
        words = wanted.casefold().split()
        rows: list[str | TaskTemplate] = []
        for shelf in shelves:
            found = [one for one in shelf.templates if _has(one, words)]
            rows += [shelf.heading, *found] if found else []
        if rows != self._rows:
            self.beginResetModel()
            self._rows = rows
            self.endResetModel()

    def first(self) -> QModelIndex:
        """The first template; invalid: there is none."""
        row = next((at for at, one in enumerate(self._rows) if not isinstance(one, str)), None)
        return self.index(row, 0) if row is not None else QModelIndex()

    def find(self, name: str) -> QModelIndex:
        """The template of this name; invalid: it is not shown."""
        rows = (at for at, one in enumerate(self._rows) if not isinstance(one, str) and one.name == name)
        row = next(rows, None)
        return self.index(row, 0) if row is not None else QModelIndex()

    @override
    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    @override
    def flags(self, index: _Index) -> Qt.ItemFlag:
        if not index.isValid() or isinstance(self._rows[index.row()], str):
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsDragEnabled

    @override
    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if isinstance(row, str):
            return row if role == Qt.ItemDataRole.DisplayRole else None
        if role == TEMPLATE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleDescriptionRole):
            said = fill(translate("Palette", "%1: %2"), row.title, row.about) if row.about else row.title
            return tip(said) if role == Qt.ItemDataRole.ToolTipRole else said
        return None

    @override
    def mimeTypes(self) -> list[str]:
        return [TEMPLATE_TYPE]

    @override
    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        template = next((index.data(TEMPLATE) for index in indexes), None)
        return mime_of(Snippet(tasks=(template.make(),)), TEMPLATE_TYPE) if template is not None else QMimeData()


def _has(template: TaskTemplate, words: Sequence[str]) -> bool:
    text = f"{template.title} {template.name} {template.about}".casefold()
    return all(word in text for word in words)
