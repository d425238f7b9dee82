"""Computes and paints the frames around groups that are not folded; a frame is dragged as one.

A frame is only where it tells the truth: around tasks with nothing else between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPen, QTransform
from PySide6.QtWidgets import QGraphicsItem
from typing_extensions import override

from starloom_gui.canvas.camera import Level, level_of
from starloom_gui.canvas.item import EVERYWHERE
from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.theme.metrics import NODE_RADIUS
from starloom_gui.theme.palette import colour
from starloom_gui.viewmodel.grouping import put_into_groups

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

    from starloom.layout.values import FloatArray
    from starloom_gui.canvas.item import CanvasItem
    from starloom_gui.canvas.render_model import GraphRenderModel

_ROOM: Final = 12.0
_LABEL: Final = 18.0
_PAD: Final = 6.0
_BORDER: Final = 4.0
"""So many pixels beside a frame's border still are the border."""


@dataclass(frozen=True, slots=True)
class GroupFrame:
    """The frame of one group.

    Attributes:
        name: of the group.
        numbers: of its tasks.
        box: around their nodes, in the scene.
        above: how far it is to the next node above it, in the scene.
    """

    name: str
    numbers: tuple[int, ...]
    box: QRectF
    above: float


def frames_of(picture: GraphRenderModel | None) -> list[GroupFrame]:
    """A frame for each group of tasks; none for those folded, of one task, or with other nodes between."""
    if picture is None:
        return []
    graph, rows = picture.facts.graph, np.flatnonzero(picture.present & picture.plain)
    tasks = zip(rows.tolist(), map(graph.tasks.__getitem__, picture.numbers[rows].tolist()), strict=True)
    rows_of = put_into_groups((row, task) for row, task in tasks if task is not None)
    framed = {name: shown for name, shown in rows_of.items() if len(shown) > 1}
    if not framed:  # as it is where thousands of tasks are folded, which take a while to look at
        return []
    groups, columns = put_into_groups(graph.present()), _Columns(picture)
    found: list[GroupFrame] = []
    for name, shown in framed.items():
        middles, halves = picture.layout.positions[shown], picture.layout.sizes[shown] / 2
        (left, top), (right, bottom) = (middles - halves).min(axis=0).tolist(), (middles + halves).max(axis=0).tolist()
        box = QRectF(left, top, right - left, bottom - top).adjusted(-_ROOM, -_ROOM, _ROOM, _ROOM)
        upper, lower = columns.between(box.left(), box.right())
        if int(((upper <= box.bottom()) & (lower >= box.top())).sum()) == len(shown):
            above = float(box.top() - lower[lower <= box.top()].max(initial=-np.inf))
            found.append(GroupFrame(name, tuple(groups[name]), box, above))
    return found


class _Columns:
    """The upper and lower sides of nodes, sorted from left to right, to query those in a range of x."""

    def __init__(self, picture: GraphRenderModel) -> None:
        rows = np.flatnonzero(picture.present)
        rows = rows[np.argsort(picture.layout.positions[rows, 0], kind="stable")]
        (self._x, y), self._half = picture.layout.positions[rows].T, picture.layout.sizes[rows, 0] / 2
        high = picture.layout.sizes[rows, 1] / 2
        self._upper, self._lower = y - high, y + high
        self._widest = float(self._half.max(initial=0.0))

    def between(self, left: float, right: float) -> tuple[FloatArray, FloatArray]:
        """The upper and the lower sides of the nodes in a range of x."""
        begin, end = np.searchsorted(self._x, (left - self._widest, right + self._widest)).tolist()
        near = slice(begin, end)
        reach = (self._x[near] >= left - self._half[near]) & (self._x[near] <= right + self._half[near])
        return self._upper[near][reach], self._lower[near][reach]


class FramesItem(QGraphicsItem):
    """Paints frames above the nodes, without a background; it never asks for a repaint by itself.

    Args:
        canvas: the item below it, whose picture and palette it shares.

    Attributes:
        frames: what is painted.
    """

    def __init__(self, canvas: CanvasItem) -> None:
        super().__init__()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self._canvas = canvas
        self.frames: Sequence[GroupFrame] = ()

    @override
    def boundingRect(self) -> QRectF:
        return EVERYWHERE

    @override
    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        if not self.frames or widget is None:
            return
        transform = painter.worldTransform()
        room = QRectF(widget.rect()) & transform.mapRect(option.exposedRect)
        painter.save()
        painter.setWorldTransform(QTransform())
        for frame in self.frames:
            box = transform.mapRect(frame.box)
            if box.adjusted(0, -_LABEL, 0, 0).intersects(room):
                self._paint_frame(painter, frame, box, named=has_name(frame, transform.m11()))
        painter.restore()

    def _paint_frame(self, painter: QPainter, frame: GroupFrame, box: QRectF, *, named: bool) -> None:
        palette = self._canvas.palette
        painter.setPen(QPen(colour(palette.outline), 1))  # dashes would take most of a frame's time
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box, NODE_RADIUS, NODE_RADIUS)
        if named:
            label = label_box(frame, box)
            painter.setFont(font(Role.SMALL))
            painter.setPen(colour(palette.muted))
            words = elided(frame.name, QFontMetricsF(font(Role.SMALL)), label.width() - _PAD)
            painter.drawText(label, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, words)


def has_name(frame: GroupFrame, zoom: float) -> bool:
    """Whether the name of a frame is shown: not at low zoom, nor where it would cover another node.

    Args:
        frame: of a group.
        zoom: logical pixels a pixel of the scene.
    """
    return level_of(zoom) is not Level.FAR and frame.above * zoom >= _LABEL


def label_box(frame: GroupFrame, box: QRectF) -> QRectF:
    """The rectangle of a frame's name in the viewport, above its upper border.

    Args:
        frame: the frame.
        box: where it is in the viewport.
    """
    wide = QFontMetricsF(font(Role.SMALL)).horizontalAdvance(frame.name) + 2 * _PAD
    return QRectF(box.left() + _PAD, box.top() - _LABEL, min(wide, max(_LABEL, box.width() - _PAD)), _LABEL)


def is_on(frame: GroupFrame, box: QRectF, at: QPointF) -> bool:
    """Whether a viewport position is on the name of a frame, or where that would be, or on its border.

    Args:
        frame: of a group.
        box: where it is in the viewport.
        at: a place of the viewport.
    """
    outer = box.adjusted(-_BORDER, -_BORDER, _BORDER, _BORDER)
    if not outer.adjusted(0, -_LABEL, 0, 0).contains(at):
        return False
    inner = box.adjusted(_BORDER, _BORDER, -_BORDER, -_BORDER)
    return label_box(frame, box).contains(at) or (outer.contains(at) and not inner.contains(at))
