"""The accessible interfaces of the canvas: visible nodes and notes are its children, and changes are announced.

Qt keeps these interfaces in a cache of its own and ends them, so Python has to hold each for as long as the cache does:
one that Python let go of first would be ended twice. What is here costs nothing until somebody listens.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import shiboken6
from PySide6.QtCore import QObject, QPoint, QRect
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget
from typing_extensions import override

from starloom_gui.canvas.hit_test import node_at, nodes_in
from starloom_gui.canvas.view import CanvasView

MOST_TOLD: Final = 200
_MOST_KEPT: Final = 4 * MOST_TOLD


class NodeReader(QAccessibleInterface):
    """The accessible interface of one node."""

    def __init__(self, graph: GraphReader, number: int) -> None:
        super().__init__()
        self._graph = graph
        self.number = number

    def _row(self) -> int | None:
        view = self._graph.view
        return (
            view.graph.picture.row(self.number) if shiboken6.isValid(view) and view.graph.picture is not None else None
        )

    @override
    def isValid(self) -> bool:
        return self._row() is not None

    @override
    def object(self) -> QObject:
        return None  # type: ignore[return-value]  # a node is no object; Qt's own tables answer so for their cells

    @override
    def parent(self) -> QAccessibleInterface:
        return self._graph

    @override
    def childCount(self) -> int:
        return 0

    @override
    def child(self, index: int) -> QAccessibleInterface:
        return None  # type: ignore[return-value]  # there is none

    @override
    def childAt(self, x: int, y: int) -> QAccessibleInterface:
        return None  # type: ignore[return-value]  # there is none

    @override
    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return -1

    @override
    def text(self, kind: QAccessible.Text) -> str:
        row = self._row()
        return self._graph.view.marks.description_of(row) if kind == QAccessible.Text.Name and row is not None else ""

    @override
    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """Do nothing, as a node is renamed in the inspector."""

    @override
    def rect(self) -> QRect:
        row, view = self._row(), self._graph.view
        if row is None:
            return QRect()
        box = view.graph.node_rect(row).toAlignedRect()
        return QRect(view.viewport().mapToGlobal(box.topLeft()), box.size())

    @override
    def role(self) -> QAccessible.Role:
        return QAccessible.Role.ListItem

    @override
    def state(self) -> QAccessible.State:
        state, row, shown = QAccessible.State(), self._row(), self._graph.view.graph.item.shown
        state.focusable = state.selectable = True
        state.selected = row in shown.selected
        state.focused = shown.focused and row is not None and row == shown.current
        return state


class NoteReader(NodeReader):
    """The accessible interface of one note; its number is its index among the notes."""

    def _is_there(self) -> bool:
        view = self._graph.view
        return shiboken6.isValid(view) and self.number < len(view.notes.item.boxes)

    @override
    def isValid(self) -> bool:
        return self._is_there()

    @override
    def text(self, kind: QAccessible.Text) -> str:
        told = kind == QAccessible.Text.Name and self._is_there()
        return self._graph.view.notes.words_of(self.number) if told else ""

    @override
    def rect(self) -> QRect:
        view = self._graph.view
        if not self._is_there():
            return QRect()
        box = view.notes.rect_of(view.notes.item.boxes[self.number]).toAlignedRect()
        return QRect(view.viewport().mapToGlobal(box.topLeft()), box.size())

    @override
    def role(self) -> QAccessible.Role:
        return QAccessible.Role.Note

    @override
    def state(self) -> QAccessible.State:
        state = QAccessible.State()
        state.focusable = state.selectable = True
        if self._is_there():
            state.selected = state.focused = self._graph.view.notes.item.chosen == self.number
        return state


class GraphReader(QAccessibleWidget):
    """The accessible interface of a canvas: its children are visible nodes by rank, all notes, and child widgets."""

    def __init__(self, view: CanvasView) -> None:
        super().__init__(view, QAccessible.Role.List)
        self.view = view
        self._readers: dict[int, tuple[NodeReader, Any]] = {}
        self._notes: list[tuple[NoteReader, Any]] = []
        self._key: tuple[object, ...] = ()
        self._numbers: list[int] = []

    # ---- the nodes in sight

    def numbers(self) -> list[int]:
        """The tasks whose nodes are children, by rank; at most 200, those around the current one or the middle."""
        view = self.view
        picture = view.graph.picture
        if picture is None:
            return []
        seen, current = view.pan_zoom.seen, view.graph.item.shown.current
        versions = (picture.edge_version, picture.path_version)
        key = (picture, *versions, seen.left(), seen.top(), seen.right(), seen.bottom(), current)
        if key != self._key:
            self._key = key
            layout = picture.layout
            rows = nodes_in(picture, seen.left(), seen.top(), seen.right(), seen.bottom())
            if len(rows) > MOST_TOLD:
                at = layout.positions[current] if current in rows else (seen.center().x(), seen.center().y())
                away = np.abs(layout.positions[rows] - at).sum(axis=1)
                rows = rows[np.argsort(away, kind="stable")[:MOST_TOLD]]
            ordered = rows[np.lexsort((layout.order[rows], layout.ranks[rows]))]
            self._numbers = picture.numbers[ordered].tolist()
        return self._numbers

    def reader(self, number: int) -> NodeReader:
        """The interface of a node; the same object for as long as the node is a child."""
        found = self._readers.get(number)
        if found is None:
            if len(self._readers) >= _MOST_KEPT:
                self._let_go(set(self._readers).difference(self.numbers()))
            made = NodeReader(self, number)
            found = self._readers[number] = made, QAccessible.registerAccessibleInterface(made)
        return found[0]

    def note_reader(self, place: int) -> NoteReader:
        """The interface of a note, by its index; the same object for as long as the note is a child."""
        while len(self._notes) <= place:
            made = NoteReader(self, len(self._notes))
            self._notes.append((made, QAccessible.registerAccessibleInterface(made)))
        return self._notes[place][0]

    def _let_go(self, numbers: set[int]) -> None:
        for number in numbers:
            _, key = self._readers.pop(number)
            QAccessible.deleteAccessibleInterface(key)

    def close(self) -> None:
        """Remove all interfaces of children."""
        self._let_go(set(self._readers))
        notes, self._notes = self._notes, []
        for _, key in notes:
            QAccessible.deleteAccessibleInterface(key)

    # ---- what Qt asks

    @override
    def childCount(self) -> int:
        return len(self.numbers()) + len(self.view.notes.item.notes) + super().childCount()

    @override
    def child(self, index: int) -> QAccessibleInterface:
        numbers, notes = self.numbers(), len(self.view.notes.item.notes)
        if 0 <= index < len(numbers):
            return self.reader(numbers[index])
        note = index - len(numbers)
        return self.note_reader(note) if 0 <= note < notes else super().child(note - notes)

    @override
    def indexOfChild(self, child: QAccessibleInterface) -> int:
        numbers, notes = self.numbers(), len(self.view.notes.item.notes)
        if isinstance(child, NoteReader):
            return len(numbers) + child.number if child.number < notes else -1
        if isinstance(child, NodeReader):
            return numbers.index(child.number) if child.number in numbers else -1
        found = super().indexOfChild(child)
        return found + len(numbers) + notes if found >= 0 else found

    @override
    def childAt(self, x: int, y: int) -> QAccessibleInterface:
        view = self.view
        note = view.notes.at(view.viewport().mapFromGlobal(QPoint(x, y)))
        if note is not None:
            return self.note_reader(note)
        spot = view.mapToScene(view.viewport().mapFromGlobal(QPoint(x, y)))
        row = node_at(view.graph.picture, spot.x(), spot.y()) if view.graph.picture is not None else None
        if row is None or view.graph.picture is None:
            return super().childAt(x, y)
        return self.reader(int(view.graph.picture.numbers[row]))

    @override
    def focusChild(self) -> QAccessibleInterface:
        view = self.view
        row = view.graph.item.shown.current
        if view.hasFocus() and view.notes.item.chosen is not None:
            return self.note_reader(view.notes.item.chosen)
        if not view.hasFocus() or row is None or view.graph.picture is None:
            return super().focusChild()
        return self.reader(int(view.graph.picture.numbers[row]))


_kept: list[GraphReader] = []
"""The interfaces that Qt's cache has, for as long as it does."""


def install() -> None:
    """Install the factory of these interfaces; to be called once an application, before there is a window."""
    QAccessible.installFactory(_reader_of)


def _reader_of(_class_name: str, thing: QObject) -> QAccessibleInterface | None:
    if not isinstance(thing, CanvasView):
        return None
    _kept[:] = [each for each in _kept if shiboken6.isValid(each)]
    made = GraphReader(thing)
    _kept.append(made)
    thing.destroyed.connect(made.close)
    return made
