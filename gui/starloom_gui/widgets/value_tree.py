"""An editable tree of values: each row has a name, a kind and a value; the last row of each list adds one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFontMetricsF, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractItemDelegate, QAbstractItemView, QFrame, QHeaderView, QTreeWidget
from typing_extensions import override

from starloom_gui.text.cell_text import cell_of_json, pasted_rows
from starloom_gui.text.value_nodes import (
    CONTAINERS,
    JSON,
    ValueKind,
    ValueNode,
    faults_of,
    kind_word,
    nodes_of_rows,
    rows_of_nodes,
    typed_node,
    value_of,
)
from starloom_gui.text.words import translate
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import GAPS, ROW
from starloom_gui.widgets.cell_line import cells_edge, cells_sheet
from starloom_gui.widgets.controls import set_style_sheet
from starloom_gui.widgets.value_cells import ValueCells, row_menu
from starloom_gui.widgets.value_rows import KIND, NAME, VALUE, ValueRow, ValueRows

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
    from PySide6.QtWidgets import QMenu, QWidget

    from starloom_gui.text.value_nodes import NodeFault, ValueNotation
    from starloom_gui.theme.palette import Palette
    from starloom_gui.widgets.cell_line import Index
    from starloom_gui.widgets.template_completer import TemplateName

MOST_ROWS: Final = 10
"""Rows in sight; more of them are scrolled to."""
_FRAME: Final = 4
_NAMES: Final = 0.48
"""The share of the names in the width that the kinds leave."""
_ENTER: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})
_REMOVE: Final = frozenset({Qt.Key.Key_Delete, Qt.Key.Key_Backspace})
_STEPS: Final = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_TABS: Final = {Qt.Key.Key_Tab: 1, Qt.Key.Key_Backtab: -1}
Hint = QAbstractItemDelegate.EndEditHint


class ValueTree(QTreeWidget):
    """A tree of values that are edited in place.

    Enter edits a cell, Tab goes to the next one, Delete removes a row, Alt+Up and Alt+Down move it. Enter or Space on a
    kind opens the menu of kinds, and on a list or a map shows its parts.

    Attributes:
        known: gives the names that may stand in `${…}` in a cell; None: none are offered.
        rows: what stands there.
        colours: what it is painted with; None: not known yet.
        menu: the one that was opened last; None: none was.

    Args:
        known: see above.
        only: the name of the only value; empty: there are several, each with a name.
        notation: how the values stand in cells, and their kinds.

    Signals:
        changed(): its user has changed a cell, or added, moved or removed rows.
        row_ended(): Enter was pressed in a cell, a kind was chosen, or rows were moved, removed or pasted.
        escaped(): Escape was pressed while no cell was being typed in.
    """

    changed = Signal()
    row_ended = Signal()
    escaped = Signal()

    def __init__(
        self,
        known: Callable[[], Sequence[TemplateName]] | None = None,
        only: str = "",
        notation: ValueNotation = JSON,
    ) -> None:
        super().__init__()
        self.known = known
        self.colours: Palette | None = None
        self.menu: QMenu | None = None
        self._wrong = frozenset[tuple[ValueNode, int]]()
        self.rows = ValueRows(self, notation, only)
        self.rows.changed.connect(self.changed)
        self.rows.ended.connect(self.row_ended)
        self.rows.folded.connect(self._fit)
        self._look()
        self.setItemDelegate(ValueCells(self, self, self.rows))
        self.put_text("")

    def _look(self) -> None:
        names = translate("Forms", "Name"), translate("Forms", "Kind"), translate("Forms", "Value")
        self.setHeaderLabels(names)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFont(font(Role.MONOSPACE))
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setIndentation(GAPS[2])
        self.setRootIsDecorated(not CONTAINERS.isdisjoint(self.rows.notation.kinds))
        self.setUniformRowHeights(True)
        self.setExpandsOnDoubleClick(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(
            triggers.DoubleClicked | triggers.SelectedClicked | triggers.AnyKeyPressed | triggers.EditKeyPressed
        )
        heads = self.header()
        heads.setFixedHeight(ROW)
        heads.setFont(font(Role.SMALL))
        heads.setSectionsClickable(False)
        heads.setSectionsMovable(False)
        heads.setStretchLastSection(False)
        heads.setMinimumSectionSize(ROW)
        heads.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        heads.setSectionResizeMode(VALUE, QHeaderView.ResizeMode.Stretch)
        heads.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

    def _fit(self) -> None:
        """Set the height to that of the rows in sight, at most `MOST_ROWS`."""
        count = sum(1 for _ in self.rows.in_sight())
        self.setFixedHeight((min(MOST_ROWS, max(1, count)) + 1) * ROW + _FRAME)

    def lock(self, locked: bool) -> None:
        """Disable or enable editing."""
        if locked != self.rows.is_locked:
            self.rows.is_locked = locked
            self.rows.put(self.rows.root.parts)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        metrics = QFontMetricsF(font(Role.SMALL))
        kinds = round(max(metrics.horizontalAdvance(kind_word(kind)) for kind in self.rows.notation.kinds)) + GAPS[3]
        self.setColumnWidth(KIND, kinds)
        self.setColumnWidth(NAME, round((self.viewport().width() - kinds) * _NAMES))

    # ---- what stands there

    @property
    def says_hint(self) -> bool:
        """Whether what is read while there is no value stands in a cell."""
        return bool(self.rows.only)

    def set_hint(self, words: str) -> None:
        """Set what is read in place of the only value while it is nothing."""
        self.rows.hint = words
        self.viewport().update()

    def text(self) -> str:
        """The values as rows of names and cells; the cell of the only one."""
        parts = self.rows.root.parts
        if not self.rows.only:
            return rows_of_nodes(parts, self.rows.notation)
        return "" if parts[0].kind is ValueKind.NOTHING else cell_of_json(value_of(parts[0])) or '""'

    def put_text(self, words: str) -> None:
        """Set the values from such a text."""
        if not self.rows.only:
            self.rows.put(nodes_of_rows(words, self.rows.notation))
            return
        self.rows.put([typed_node(words) if words else ValueNode(ValueKind.NOTHING)])

    # ---- what is wrong

    def outline_row(self, row: int, columns: Collection[int]) -> None:
        """Outline the name (0) or the value (1) of a row of its text as invalid; below 0: no cell."""
        parts = [one for one in self.rows.root.parts if not one.is_blank]
        node = parts[row] if 0 <= row < len(parts) else None
        self.outline(node, [VALUE if self.rows.only else (NAME, VALUE)[min(1, one)] for one in columns])

    def fault(self) -> NodeFault | None:
        """The first error; None: everything stands for a value."""
        return next(faults_of(self.rows.root.parts, are_named=not self.rows.only), None)

    def outline(self, node: ValueNode | None, columns: Sequence[int] = (NAME, VALUE)) -> None:
        """Outline cells of a value as invalid, and no others; they are unfolded. `node`: None: no cell."""
        self._wrong = frozenset((node, column) for column in columns) if node is not None else frozenset()
        for row in self.rows.of(node) if node is not None else ():
            above = row.parent()
            while above is not None:
                above.setExpanded(True)
                above = above.parent()
        self.viewport().update()

    def is_wrong(self, index: Index) -> bool:
        """Whether a cell is outlined as invalid."""
        row = self.itemFromIndex(index)
        return isinstance(row, ValueRow) and row.node is not None and (row.node, index.column()) in self._wrong

    # ---- its user

    @override
    def edit(self, index: Index, trigger: QAbstractItemView.EditTrigger, event: QEvent) -> bool:  # type: ignore[override]  # Qt has two of this name
        row, triggers = self.itemFromIndex(index), QAbstractItemView.EditTrigger
        if not isinstance(row, ValueRow) or trigger == triggers.NoEditTriggers:
            return False
        column = index.column() if row.node is not None else self.rows.first(row)
        if self.rows.is_locked or not self.rows.is_typed_in(row, column):
            return trigger == triggers.DoubleClicked and column != KIND and self._act(row, column)
        self.setCurrentItem(row, column)
        return super().edit(self.indexFromItem(row, column), trigger, event)

    def enter(self, row: ValueRow, column: int) -> None:
        """Do what Enter does in a cell: edit it, choose a kind, turn a switch over, show or hide parts."""
        column = column if row.node is not None else self.rows.first(row)
        if self.rows.is_typed_in(row, column) and not self.rows.is_locked:
            self.setCurrentItem(row, column)
            self.editItem(row, column)
        else:
            self._act(row, column)

    def _act(self, row: ValueRow, column: int) -> bool:
        """Do what Enter does in a cell that is not typed in; returns whether it does anything."""
        kind = row.node.kind if row.node is not None else None
        if column == KIND and kind is not None:
            self.open_menu(row)
        elif kind in CONTAINERS:
            row.setExpanded(not row.isExpanded())
        elif column == VALUE and kind is ValueKind.SWITCH:
            self.rows.turn_switch(row)
        else:
            return False
        return True

    def open_menu(self, row: ValueRow, at: QPoint | None = None) -> None:
        """Open the menu of a row. `at`: on the screen; None: below its kind."""
        if row.node is None or self.rows.is_locked:
            return
        if at is None:
            place = QPoint(self.columnViewportPosition(KIND), self.visualItemRect(row).bottom())
            at = self.viewport().mapToGlobal(place)
        self.menu = row_menu(self, self.rows, row)
        self.menu.popup(at)

    def paste(self) -> bool:
        """Add the rows on the clipboard to the map around the current row; returns whether there are any."""
        inside = self.rows.around_current()
        is_open = inside.kind is ValueKind.MAP and not (self.rows.only and inside is self.rows.root)
        pasted = pasted_rows(QGuiApplication.clipboard().text(), 2) if is_open and not self.rows.is_locked else []
        if pasted:
            self.rows.add(pasted)
        return bool(pasted)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        is_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        row = self.itemAt(self.viewport().mapFromGlobal(event.globalPos())) if is_mouse else self.currentItem()
        if isinstance(row, ValueRow):
            self.setCurrentItem(row, max(NAME, self.currentColumn()))
            self.open_menu(row, event.globalPos() if is_mouse else None)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        row = self.itemFromIndex(index)
        if isinstance(row, ValueRow) and index.column() == KIND and event.button() == Qt.MouseButton.LeftButton:
            self.open_menu(row)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        row, column, key = self.rows.current, self.currentColumn(), Qt.Key(event.key())
        is_moved = event.modifiers() & Qt.KeyboardModifier.AltModifier and key in _STEPS
        if event.matches(QKeySequence.StandardKey.Paste) and self.paste():
            return
        if key in _ENTER and self.state() == QAbstractItemView.State.EditingState:
            event.accept()  # the cell has it, too, and ends soon
        elif key in _ENTER and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()  # the editor around it confirms the rows
        elif key in _REMOVE:
            self.rows.remove(row)
        elif is_moved:
            self.rows.move(row, _STEPS[key])
        elif row is not None and key in {*_ENTER, Qt.Key.Key_F2}:
            self.enter(row, column)
        elif row is not None and key == Qt.Key.Key_Space and not self.rows.is_typed_in(row, column):
            self._act(row, column)
        elif row is not None and key in _TABS:
            self._go(_TABS[key])
        elif key == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and event.key() in _TABS:  # type: ignore[attr-defined]  # it is a key
            self.keyPressEvent(event)  # type: ignore[arg-type]  # else Qt moves the focus before a key is seen
            return True
        return super().event(event)

    @override
    def closeEditor(self, editor: QWidget, hint: Hint) -> None:
        """Close the editor of a cell, and move on: after Tab to the next cell, after Enter to the next row.

        Args:
            editor: of the cell.
            hint: which key ended it.
        """
        super().closeEditor(editor, Hint.NoHint if hint in {Hint.EditNextItem, Hint.EditPreviousItem} else hint)
        if hint is Hint.EditNextItem:
            self._go(1)
        elif hint is Hint.EditPreviousItem:
            self._go(-1)
        elif hint is Hint.SubmitModelCache:
            self._end_row()

    def _go(self, step: int) -> None:
        """Go to the next or previous cell, and edit it; beyond the first and the last one the focus leaves the tree."""
        row, column = self.rows.current, self.currentColumn()
        cells = [
            (one, place)
            for one in self.rows.in_sight()
            for place in (NAME, VALUE)
            if self.rows.is_typed_in(one, place) or (place == VALUE and one.node is not None)
        ]
        here = next((at for at, (one, place) in enumerate(cells) if one is row and place >= column), 0)
        at = here + step
        if not 0 <= at < len(cells):
            self.focusNextPrevChild(step > 0)
            return
        self.setCurrentItem(*cells[at])
        if self.rows.is_typed_in(*cells[at]) and not self.rows.is_locked:
            self.editItem(*cells[at])

    def _end_row(self) -> None:
        """Go to the next row; in a new row with a name, edit its value first."""
        row = self.rows.current
        if row is None:
            return
        if self.currentColumn() == NAME and row.node is not None and row.node.is_new:
            self.enter(row, VALUE)
            return
        self.row_ended.emit()
        below = self.itemBelow(row)
        if isinstance(below, ValueRow):
            self.setCurrentItem(below, NAME if below.node is None else self.currentColumn())

    def apply_theme(self, palette: Palette, *, wrong: bool = False) -> None:
        """Set the colours. `wrong`: whether the tree is outlined as invalid as a whole."""
        self.colours = palette
        ink = palette.muted if self.rows.is_locked else palette.text
        set_style_sheet(self, cells_sheet("QTreeView", palette, cells_edge(palette, wrong=wrong), ink))
