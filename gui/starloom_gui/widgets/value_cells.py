"""The cells of a tree of JSON values: how they are painted and typed in, and the menu of a row."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QLineEdit, QMenu
from typing_extensions import override

from starloom.model.secret import SOURCES
from starloom_gui.text.value_nodes import CONTAINERS, ValueKind, kind_word, source_word
from starloom_gui.text.words import translate
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import ROW
from starloom_gui.theme.palette import colour
from starloom_gui.widgets.cell_line import CellDelegate
from starloom_gui.widgets.value_rows import KIND, NAME, VALUE, ValueRow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtCore import QAbstractItemModel
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QStyleOptionViewItem, QTreeWidget, QWidget

    from starloom_gui.widgets.cell_line import CellHost, Index
    from starloom_gui.widgets.value_rows import ValueRows


class ValueCells(CellDelegate):
    """The delegate of the cells of a tree of values.

    Args:
        host: the view of the cells.
        tree: the same view.
        rows: what stands there.
    """

    def __init__(self, host: CellHost, tree: QTreeWidget, rows: ValueRows) -> None:
        super().__init__(host, tree)
        self._host, self._tree, self._rows = host, tree, rows

    def _row(self, index: Index) -> ValueRow | None:
        row = self._tree.itemFromIndex(index)
        return row if isinstance(row, ValueRow) else None

    @override
    def is_adding(self, index: Index) -> bool:
        row = self._row(index)
        return row is not None and row.node is None and index.column() == NAME

    @override
    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        row, column, palette = self._row(index), index.column(), self._host.colours
        if row is None or row.node is None or palette is None:
            return
        kind = row.node.kind
        if column == VALUE and kind is ValueKind.NOTHING:
            option.text = self._rows.hint if self._rows.is_only(row) else ""
        is_told = column == VALUE and kind in {*CONTAINERS, ValueKind.NOTHING, ValueKind.SWITCH}
        if column == KIND or is_told:
            option.font = font(Role.SMALL if column == KIND else Role.BODY)
        if column == KIND or (is_told and kind is not ValueKind.SWITCH) or not (column or self._rows.has_name(row)):
            option.palette.setColor(option.palette.ColorRole.Text, colour(palette.muted))

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(super().sizeHint(option, index).width(), ROW)

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if self._host.colours is not None:  # a tree has no grid of its own
            painter.setPen(colour(self._host.colours.border))
            if self._tree.indexBelow(index).isValid():  # below the last row is the edge of the tree
                left = 0 if index.column() == NAME else option.rect.left()  # below the signs that fold, too
                painter.drawLine(left, option.rect.bottom(), option.rect.right(), option.rect.bottom())
            if not self.is_adding(index) and index.column() != VALUE:
                painter.drawLine(option.rect.topRight(), option.rect.bottomRight())
        option.rect.adjust(0, 0, self._tree.columnWidth(KIND) if self.is_adding(index) else -1, -1)
        super().paint(painter, option, index)

    @override
    def setEditorData(self, editor: QWidget, index: Index) -> None:
        row = self._row(index)
        if isinstance(editor, QLineEdit) and row is not None:
            editor.setText(str(index.data() or "") if row.node is not None else "")

    @override
    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        row = self._row(index)
        if isinstance(editor, QLineEdit) and row is not None:
            self._rows.type_in(row, index.column(), editor.text())


def row_menu(parent: QWidget, rows: ValueRows, row: ValueRow) -> QMenu:
    """Make the menu of a row: the kinds its value may have, and what can be done with it.

    Args:
        parent: of the menu, which deletes itself once it has been seen.
        rows: all of them.
        row: that of a value.
    """
    made = QMenu(parent)
    made.setAccessibleName(translate("Forms", "Kind"))
    made.aboutToHide.connect(made.deleteLater)
    for words, choose, is_chosen in _kinds(rows, row):
        entry = _entry(made, words, choose)
        entry.setCheckable(True)
        entry.setChecked(is_chosen)
    made.addSeparator()
    parts = row.inside.parts
    for words, keys, call, is_possible in (
        (translate("Forms", "Move up"), "Alt+Up", partial(rows.move, row, -1), parts[0] is not row.node),
        (translate("Forms", "Move down"), "Alt+Down", partial(rows.move, row, 1), parts[-1] is not row.node),
        (translate("Forms", "Remove"), "Del", partial(rows.remove, row), not rows.is_only(row)),
    ):
        entry = _entry(made, words, call)
        entry.setShortcut(QKeySequence(keys))
        entry.setEnabled(is_possible)
    return made


def _kinds(rows: ValueRows, row: ValueRow) -> Iterator[tuple[str, Callable[[], None], bool]]:
    """Yield the kinds that a value may have, what chooses one, and whether it is the present one."""
    node = row.node
    for kind in rows.notation.kinds:
        is_chosen = node is not None and kind is node.kind
        if kind is not ValueKind.SECRET:
            yield kind_word(kind), partial(rows.choose_kind, row, kind), is_chosen
            continue
        for source in SOURCES:
            is_source = is_chosen and node is not None and node.text.startswith(f"{source}:")
            yield source_word(source), partial(rows.choose_source, row, source), is_source


def _entry(menu: QMenu, words: str, call: Callable[[], None]) -> QAction:
    """Add an entry to a menu, which owns it."""
    made = QAction(words, menu)
    made.triggered.connect(lambda _=False: call())
    menu.addAction(made)
    return made
