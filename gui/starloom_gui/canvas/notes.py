"""Paints notes over a graph, at positions relative to their tasks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainterPath, QPen, QTransform
from PySide6.QtWidgets import QGraphicsItem
from typing_extensions import override

from starloom_gui.canvas.camera import Level, level_of
from starloom_gui.canvas.item import EVERYWHERE
from starloom_gui.canvas.note_room import all_with_room, boxes_in_the_way
from starloom_gui.canvas.note_text import MOST_LINES, PAD, height, line_height, lines
from starloom_gui.theme.fonts import font
from starloom_gui.theme.metrics import RADIUS, RING
from starloom_gui.theme.palette import colour

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

    from starloom.model.note import Note
    from starloom_gui.canvas.item import CanvasItem
    from starloom_gui.canvas.render_model import GraphRenderModel

NEAR: Final = 240.0
"""A note stays with the nearest task, if that is no farther away than this, in the scene."""
_FOLD: Final = 10.0
_LEAST_TEXT: Final = 40.0
_OPEN: Final = 160.0
"""The selected note is at least so many pixels wide."""


def box_of(note: Note, picture: GraphRenderModel | None) -> QRectF:
    """The box of a note in the scene."""
    x, y = note.x, note.y
    row = _row_of(note, picture)
    if picture is not None and row is not None:
        middle_x, middle_y = picture.layout.positions[row].tolist()
        x, y = middle_x + x, middle_y + y
    return QRectF(x, y, note.width, height(note.text, note.width))


_Stand = tuple[str | None, float, float]


def _stand(note: Note) -> _Stand:
    """The key of a note's position: a note whose text or width changes keeps it."""
    return note.task, note.x, note.y


def _row_of(note: Note, picture: GraphRenderModel | None) -> int | None:
    """The row of the node that a note is attached to: its task, or the folded group of that."""
    number = picture.facts.graph.place.get(note.task) if picture is not None and note.task is not None else None
    return picture.row(number) if picture is not None and number is not None else None


def put(note: Note, box: QRectF, picture: GraphRenderModel | None, of: int | None = None) -> Note:
    """A note moved to a box, and attached to a task.

    Args:
        note: the note.
        box: where it is to be, in the scene.
        picture: has the tasks.
        of: the number of the task; None, or one that is not shown: the nearest.
    """
    number = of if picture is not None and of is not None and picture.row(of) is not None else _nearest(box, picture)
    row = picture.row(number) if picture is not None and number is not None else None
    if picture is None or number is None or row is None:
        return replace(note, x=_rounded(box.left()), y=_rounded(box.top()), task=None)
    x, y = picture.layout.positions[row].tolist()
    task = picture.facts.graph.ids[number]
    return replace(note, x=_rounded(box.left() - x), y=_rounded(box.top() - y), task=task)


def _rounded(value: float) -> float:
    return round(value, 1) + 0.0  # no minus zero


def _nearest(box: QRectF, picture: GraphRenderModel | None) -> int | None:
    """The number of the task whose node is nearest to a box."""
    if picture is None or not picture.present.any():
        return None
    layout = picture.layout
    middle = np.array([box.center().x(), box.center().y()])
    half = layout.sizes / 2 + (box.width() / 2, box.height() / 2)
    away = np.hypot(*(np.abs(layout.positions - middle) - half).clip(0).T)
    away[~picture.present] = np.inf
    row = int(np.argmin(away + 1e-6 * np.abs(layout.positions - middle).sum(axis=1)))
    return int(picture.numbers[row]) if away[row] <= NEAR else None


class NotesItem(QGraphicsItem):
    """Paints the notes of a canvas, above its nodes; it never asks for a repaint by itself.

    Args:
        canvas: the item below it, whose picture and palette it shares.

    Attributes:
        notes: what is painted, lowest first.
        boxes: where each stands in the scene.
        chosen: the place of the one that is selected; None: none is.
        held: where that one is while it is moved; None: where it stands.
        hidden: the place of the one that is being written; None: none is.
    """

    def __init__(self, canvas: CanvasItem) -> None:
        super().__init__()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self._canvas = canvas
        self.notes: Sequence[Note] = ()
        self.boxes: list[QRectF] = []
        self._aside: dict[_Stand, QPointF] = {}
        self.chosen: int | None = None
        self.held: QRectF | None = None
        self.hidden: int | None = None

    def show_notes(self, notes: Sequence[Note]) -> None:
        """Set the notes that are painted."""
        self.notes = notes
        boxes = [box_of(note, self._canvas.picture) for note in notes]
        self.boxes = [
            box.translated(self._aside[at]) if (at := _stand(note)) in self._aside else box
            for note, box in zip(notes, boxes, strict=True)
        ]
        if self.chosen is not None and self.chosen >= len(notes):
            self.chosen = None

    def make_room(self) -> None:
        """Show notes that cover nodes beside these, until somebody moves them; the notes themselves do not change."""
        picture = self._canvas.picture
        if picture is None:
            return
        boxes = [box_of(note, picture) for note in self.notes]
        for note, box, made in zip(self.notes, boxes, all_with_room(boxes, boxes_in_the_way(picture)), strict=True):
            if made != box:
                self._aside[_stand(note)] = made.topLeft() - box.topLeft()
        self.show_notes(self.notes)

    def at(self, x: float, y: float) -> int | None:
        """The index of the topmost note at a point of the scene."""
        return next((each for each in reversed(range(len(self.boxes))) if self.boxes[each].contains(x, y)), None)

    @override
    def boundingRect(self) -> QRectF:
        return EVERYWHERE

    @override
    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        if not self.notes or widget is None:
            return
        transform = painter.worldTransform()
        room = QRectF(widget.rect()) & transform.mapRect(option.exposedRect)
        painter.save()
        painter.setWorldTransform(QTransform())
        for place, (note, box) in enumerate(zip(self.notes, self.boxes, strict=True)):
            stands = self.held if self.held is not None and place == self.chosen else box
            seen = transform.mapRect(stands)
            if place != self.hidden and seen.adjusted(-RING * 2, -RING * 2, RING * 2, RING * 2).intersects(room):
                self._paint_note(painter, note, seen, transform.m11(), chosen=place == self.chosen)
        painter.restore()

    def _paint_note(self, painter: QPainter, note: Note, box: QRectF, zoom: float, *, chosen: bool) -> None:
        palette = self._canvas.palette
        pad = PAD * min(1.0, max(zoom, 0.5)) if zoom < 1 else PAD * zoom
        if chosen and level_of(zoom) is not Level.FAR:
            box = _opened(note.text, box, zoom, pad)
        fold = min(_FOLD * max(zoom, 0.5), box.width() / 3, box.height() / 3)
        painter.setPen(QPen(colour(palette.muted), 1))
        painter.setBrush(colour(palette.raised))
        painter.drawPath(_sheet(box, fold))
        painter.setBrush(colour(palette.canvas))
        painter.drawPolygon(
            [
                QPointF(box.right() - fold, box.top()),
                QPointF(box.right(), box.top() + fold),
                QPointF(box.right() - fold, box.top() + fold),
            ]
        )
        width = box.width() - 2 * pad
        if level_of(zoom) is not Level.FAR and width >= _LEAST_TEXT:
            high = line_height(zoom)
            most = max(1, int((box.height() - 2 * pad + high / 4) // high))
            painter.setFont(font(scale=zoom))
            painter.setPen(colour(palette.text))
            for number, line in enumerate(lines(note.text, zoom, width, most)):
                room = QRectF(box.left() + pad, box.top() + pad + number * high, width + 1, high)
                painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, line)
        if chosen:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colour(palette.text), RING))
            out = RING * 1.5
            painter.drawRoundedRect(box.adjusted(-out, -out, out, out), RADIUS, RADIUS)


def _opened(text: str, box: QRectF, zoom: float, pad: float) -> QRectF:
    """The box of the selected note with its whole text: at low zoom it is larger, as its font is."""
    width = max(box.width(), _OPEN)
    found = len(lines(text, zoom, width - 2 * pad, MOST_LINES))
    return QRectF(box.left(), box.top(), width, max(box.height(), found * line_height(zoom) + 2 * pad))


def _sheet(box: QRectF, fold: float) -> QPainterPath:
    """The path of a sheet with a folded upper right corner."""
    path = QPainterPath(box.topLeft())
    for point in (
        QPointF(box.right() - fold, box.top()),
        QPointF(box.right(), box.top() + fold),
        box.bottomRight(),
        box.bottomLeft(),
    ):
        path.lineTo(point)
    path.closeSubpath()
    return path
