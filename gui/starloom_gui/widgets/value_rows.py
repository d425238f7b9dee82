"""The rows of a tree of JSON values: what they show, and what becomes of the values as their rows are edited."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QTreeWidgetItem

from starloom_gui.text.cell_text import cell_of_name, text_of_cell
from starloom_gui.text.value_nodes import (
    CONTAINERS,
    ValueKind,
    ValueNode,
    as_kind,
    as_secret,
    kind_word,
    names_secret,
    turned,
    typed_reference,
    value_words,
)
from starloom_gui.text.words import tip, translate

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PySide6.QtWidgets import QTreeWidget

    from starloom_gui.text.cell_text import Row
    from starloom_gui.text.value_nodes import ValueNotation

NAME: Final = 0
KIND: Final = 1
VALUE: Final = 2


class ValueRow(QTreeWidgetItem):
    """A row of the tree.

    Attributes:
        node: its value; None: it is the row that adds one.
        inside: the list or map that holds the value.
    """

    def __init__(self, node: ValueNode | None, inside: ValueNode) -> None:
        super().__init__()
        self.node, self.inside = node, inside


class ValueRows(QObject):
    """The rows of a tree of values; the last one of each map or list adds a value.

    Attributes:
        notation: how they stand in cells, and their kinds.
        root: the map of all values, or of the only one.
        only: the name of the only value; empty: there are several, each with a name.
        is_locked: whether nothing can be edited.
        hint: what is read in place of the only value while it is nothing.

    Args:
        tree: shows the rows, and owns this.
        notation: see above.
        only: see above.

    Signals:
        changed(): a cell was changed, or rows were added, moved or removed.
        ended(): what was changed is to hold: a kind was chosen, rows were moved, removed or pasted.
        folded(): other rows are in sight.
    """

    changed = Signal()
    ended = Signal()
    folded = Signal()

    def __init__(self, tree: QTreeWidget, notation: ValueNotation, only: str) -> None:
        super().__init__(tree)
        self._tree, self.notation, self.only, self.hint = tree, notation, only, ""
        self.root, self.is_locked = ValueNode(ValueKind.MAP), False
        tree.itemExpanded.connect(partial(self._turn, is_open=True))
        tree.itemCollapsed.connect(partial(self._turn, is_open=False))

    # ---- what stands there

    def put(self, nodes: Sequence[ValueNode]) -> None:
        """Set the values; parts that are open at a place stay so."""
        for old, new in zip(self.root.parts, nodes, strict=False):
            _keep_open(old, new)
        self.root.parts = list(nodes)
        with QSignalBlocker(self._tree):
            self._tree.clear()
            self._grow(self._tree.invisibleRootItem(), self.root)
        self.folded.emit()

    def _grow(self, item: QTreeWidgetItem, node: ValueNode) -> None:
        """Make the rows of the parts of a list or a map."""
        for part in node.parts:
            made = ValueRow(part, node)
            item.addChild(made)
            self._show(made)
        if not self.is_locked and not (self.only and node is self.root):
            _add_adder(item, node)

    def _show(self, row: ValueRow) -> None:
        """Write a node into the cells of its row, and make the rows of its parts."""
        node = row.node
        assert node is not None, "only values are shown"
        row.setFlags(row.flags() | Qt.ItemFlag.ItemIsEditable)
        row.setText(KIND, kind_word(node.kind))
        row.setText(VALUE, value_words(node))
        row.setToolTip(VALUE, tip(value_words(node)))
        row.setToolTip(KIND, tip(translate("Forms", "Enter: choose another kind")))
        self._name(row)
        row.takeChildren()
        if node.kind in CONTAINERS:
            self._grow(row, node)
            row.setExpanded(node.is_open)

    def _name(self, row: ValueRow) -> None:
        """Write the name of a row: its own, or in a list its number."""
        node, name = row.node, self.only
        if node is None:
            return
        if node.name is not None:
            name = cell_of_name(node.name)
        elif row.inside.kind is ValueKind.LIST:
            name = str(row.inside.parts.index(node) + 1)
        row.setText(NAME, name)
        row.setToolTip(NAME, tip(name))

    def _turn(self, row: QTreeWidgetItem, *, is_open: bool) -> None:
        if isinstance(row, ValueRow) and row.node is not None:
            row.node.is_open = is_open
        self.folded.emit()

    def in_sight(self) -> Iterator[ValueRow]:
        """The rows that are not folded away, from top to bottom."""
        row = self._tree.topLevelItem(0)
        while isinstance(row, ValueRow):
            yield row
            row = self._tree.itemBelow(row)

    def of(self, node: ValueNode, inside: QTreeWidgetItem | None = None) -> Iterator[ValueRow]:
        """The row of a value, in sight or not. `inside`: where it is looked for; None: everywhere."""
        item = self._tree.invisibleRootItem() if inside is None else inside
        for row in _children(item):
            if row.node is node:
                yield row
            yield from self.of(node, row)

    @property
    def current(self) -> ValueRow | None:
        """The row of the current cell; None: there is none."""
        row = self._tree.currentItem()
        return row if isinstance(row, ValueRow) else None

    # ---- what can be done with a row

    def has_name(self, row: ValueRow) -> bool:
        """Whether a row has a name that can be edited."""
        return row.inside.kind is ValueKind.MAP and not self.is_only(row)

    def is_only(self, row: ValueRow) -> bool:
        """Whether a row is that of the only value, which stays and has no name of its own."""
        return bool(self.only) and row.inside is self.root

    def is_typed_in(self, row: ValueRow, column: int) -> bool:
        """Whether a cell is edited by typing."""
        if row.node is None:
            return column == self.first(row)
        if column == NAME:
            return self.has_name(row)
        return column == VALUE and row.node.kind not in {*CONTAINERS, ValueKind.SWITCH}

    def first(self, row: ValueRow) -> int:
        """The first cell of a row that can be edited."""
        return NAME if self.has_name(row) else VALUE

    # ---- changing

    def type_in(self, row: ValueRow, column: int, words: str) -> None:
        """Set what was typed into a cell."""
        if row.node is None and not words.strip():
            return
        node = row.node or self._begin(row)
        before = (node.name, node.kind, node.text)
        if column == NAME:
            node.name = text_of_cell(words) if words.strip() else None
        elif node.is_new or node.kind is ValueKind.NOTHING:
            if words.strip():
                node.become(self.notation.read(words))
        elif node.kind is ValueKind.SECRET:
            node.text = typed_reference(node, words)
        else:
            node.text = words.strip() if node.kind is ValueKind.NUMBER else text_of_cell(words)
        if before != (node.name, node.kind, node.text):
            self._tell(row, ends=False)

    def _begin(self, row: ValueRow) -> ValueNode:
        """Make the row that adds a value one of a value, and another one that adds below it."""
        node = row.node = ValueNode(is_new=True)
        row.inside.parts.append(node)
        _add_adder(self._around(row), row.inside)
        return node

    def choose_kind(self, row: ValueRow, kind: ValueKind) -> None:
        """Change the kind of a value, which keeps what the new kind can hold."""
        node = row.node
        if node is None or self.is_locked:
            return
        node.become(as_kind(node, kind))
        node.is_open = kind in CONTAINERS
        self._tell(row)

    def choose_source(self, row: ValueRow, source: str) -> None:
        """Make a value a secret that is kept in a source; one without a name is typed in next."""
        node = row.node
        if node is None or self.is_locked:
            return
        node.become(as_secret(node, source))
        self._tell(row, ends=names_secret(node))
        if not names_secret(node):
            self._tree.setCurrentItem(row, VALUE)
            self._tree.editItem(row, VALUE)

    def turn_switch(self, row: ValueRow) -> None:
        """Turn a switch over."""
        if row.node is not None and not self.is_locked:
            row.node.text, row.node.is_new = turned(row.node), False
            self._tell(row)

    def remove(self, row: ValueRow | None) -> None:
        """Remove a value with its parts."""
        if row is None or row.node is None or self.is_locked or self.is_only(row):
            return
        inside = self._around(row)
        at = inside.indexOfChild(row)
        row.inside.parts.remove(row.node)
        inside.takeChild(at)
        below = inside.child(at)
        if below is not None:
            self._tree.setCurrentItem(below, NAME)
        self._renumber(inside)

    def move(self, row: ValueRow | None, by: int) -> None:
        """Move a value up or down within its list or map. `by`: -1 or 1."""
        if row is None or row.node is None or self.is_locked:
            return
        inside, parts, column = self._around(row), row.inside.parts, self._tree.currentColumn()
        at = inside.indexOfChild(row)
        if not 0 <= at + by < len(parts):
            return
        parts[at], parts[at + by] = parts[at + by], parts[at]
        inside.takeChild(at)
        inside.insertChild(at + by, row)
        self._show(row)
        self._tree.setCurrentItem(row, column)
        self._renumber(inside)

    def _renumber(self, inside: QTreeWidgetItem) -> None:
        for row in _children(inside):
            self._name(row)
        if isinstance(inside, ValueRow) and inside.node is not None:
            inside.setText(VALUE, value_words(inside.node))
        self._tell(None)

    def add(self, pasted: Sequence[Row]) -> None:
        """Add rows of names and cells to the map around the current row, replacing those with the same name."""
        inside = self.around_current()
        known = {one.name: one for one in inside.parts}
        for name, cell in pasted:
            node = known.get(text_of_cell(name))
            if node is None:
                node = known[text_of_cell(name)] = ValueNode(name=text_of_cell(name))
                inside.parts.append(node)
            node.become(self.notation.read(cell))
        self.put(self.root.parts)
        self._tell(None)

    def around_current(self) -> ValueNode:
        """The list or map that holds the current row."""
        row = self.current
        return row.inside if row is not None else self.root

    def _around(self, row: ValueRow) -> QTreeWidgetItem:
        return row.parent() or self._tree.invisibleRootItem()

    def _tell(self, row: ValueRow | None, *, ends: bool = True) -> None:
        """Show a changed row, and tell of the change. `ends`: whether it is to hold."""
        if row is not None:
            self._show(row)
            above = row.parent()
            if isinstance(above, ValueRow) and above.node is not None:
                above.setText(VALUE, value_words(above.node))
        self.folded.emit()
        self.changed.emit()
        if ends:
            self.ended.emit()


def _children(item: QTreeWidgetItem) -> Iterator[ValueRow]:
    for at in range(item.childCount()):
        row = item.child(at)
        if isinstance(row, ValueRow):
            yield row


def _add_adder(item: QTreeWidgetItem, node: ValueNode) -> None:
    """Append the row that adds a value."""
    made = ValueRow(None, node)
    made.setFlags(made.flags() | Qt.ItemFlag.ItemIsEditable)
    item.addChild(made)


def _keep_open(old: ValueNode, new: ValueNode) -> None:
    """Open the parts of a value like those of the one that stood in its place."""
    if old.kind is new.kind:
        new.is_open = new.is_open or old.is_open
        for one, other in zip(old.parts, new.parts, strict=False):
            _keep_open(one, other)
