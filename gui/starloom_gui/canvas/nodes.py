"""How all nodes in sight are painted: a batch for their forms, one for badges and one for marks, then their text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from starloom.layout import Direction
from starloom.scheduling.codes import FAILED, REMOVED, RUNNING
from starloom_gui.canvas.atlas import BADGE_RIM, PORT, STAGE_BADGES, Atlas
from starloom_gui.canvas.batches import draw_fragments, fragments
from starloom_gui.canvas.camera import NODE, Level
from starloom_gui.canvas.edges import CRITICAL_WIDTH
from starloom_gui.canvas.forms import FAR_FAILED
from starloom_gui.canvas.labels import LINE_BASELINE, LINE_HEIGHT, NAME_BASELINE, Labels
from starloom_gui.canvas.picture import Stage
from starloom_gui.canvas.words import share_done
from starloom_gui.theme.metrics import NODE_RADIUS, RING
from starloom_gui.theme.palette import blended, colour

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from starloom.layout.values import BoolArray, FloatArray, IntArray
    from starloom_gui.canvas.atlas import Sheet
    from starloom_gui.canvas.camera import Camera
    from starloom_gui.canvas.picture import Picture
    from starloom_gui.theme.palette import Palette

DIMMED: Final = 0.3
REMOVED_OPACITY: Final = 0.4
PROGRESS: Final = 3
MARGIN: Final = 16.0
"""Logical pixels around a node that badge, ring and ports may take."""
_PATH_AFAR: Final = 0.25


@dataclass(slots=True, eq=False)
class Shown:
    """What is to be seen of a picture beside the picture itself: what the user points at, chose and filtered.

    Attributes:
        dim: (N,) which nodes recede.
        selected: rows.
        current: the row that keys act on.
        hovered: the row under the pointer.
        focused: whether keys go to the canvas.
        fading: by row, the status it had and how much of that is still seen, 1 to 0.
    """

    dim: BoolArray
    selected: frozenset[int] = frozenset()
    current: int | None = None
    hovered: int | None = None
    focused: bool = False
    fading: dict[int, tuple[int, float]] = field(default_factory=dict)


class Nodes:
    """Paints nodes; keeps their pixmaps and their texts."""

    def __init__(self) -> None:
        self.atlas = Atlas()
        self.labels = Labels()

    def paint(
        self,
        painter: QPainter,
        picture: Picture,
        shown: Shown,
        camera: Camera,
        palette: Palette,
        exposed: tuple[float, float, float, float],
        now: float,
    ) -> None:
        """Paint the nodes of a part of the scene.

        Args:
            painter: device pixels.
            picture: what is painted.
            shown: what the user has to do with it.
            camera: where.
            palette: the colours.
            exposed: left, top, right and bottom of the part, in the scene.
            now: seconds on the run's clock.
        """
        rows = _within(picture, exposed, (MARGIN + FAR_FAILED) / camera.scale)
        corners = camera.corners(picture.layout.positions[rows])
        self._paint_forms(painter, picture, shown, rows, corners, camera, palette)
        if camera.level is Level.FAR:
            self._paint_far_failed(painter, picture, shown, rows, camera, palette)
            _paint_path(painter, picture, camera, palette)
        else:
            self._paint_details(painter, picture, shown, rows, corners, camera, palette, now)
        _paint_rings(painter, picture, shown, camera, palette)
        _paint_ports(painter, picture, shown, camera, palette)

    def _paint_forms(
        self,
        painter: QPainter,
        picture: Picture,
        shown: Shown,
        rows: IntArray,
        corners: IntArray,
        camera: Camera,
        palette: Palette,
    ) -> None:
        sheet = self.atlas.forms(camera, palette)
        piece = picture.status[rows].astype(np.float64)
        if camera.level is not Level.FAR:
            piece[picture.stage[rows] == Stage.ADDED] = REMOVED
        opacity = _opacity(picture, shown, rows)
        _draw(painter, sheet, corners, piece, opacity)
        places = {row: place for place, row in enumerate(rows.tolist()) if row in shown.fading} if shown.fading else {}
        if places:
            at = list(places.values())
            before = np.array([shown.fading[row][0] for row in places], dtype=np.float64)
            left = np.array([shown.fading[row][1] for row in places])
            _draw(painter, sheet, corners[at], before, left * opacity[at])

    def _paint_far_failed(
        self, painter: QPainter, picture: Picture, shown: Shown, rows: IntArray, camera: Camera, palette: Palette
    ) -> None:
        failed = rows[picture.status[rows] == FAILED]
        sheet = self.atlas.failed(camera, palette)
        if sheet.width <= camera.node[0] and sheet.height <= camera.node[1]:
            return
        corners = np.rint(camera.points(picture.layout.positions[failed]) - sheet.width / 2)
        _draw(painter, sheet, corners, np.zeros(len(failed)), _opacity(picture, shown, failed))

    def _paint_details(
        self,
        painter: QPainter,
        picture: Picture,
        shown: Shown,
        rows: IntArray,
        corners: IntArray,
        camera: Camera,
        palette: Palette,
        now: float,
    ) -> None:
        faint = shown.dim[rows] | (picture.stage[rows] == Stage.REMOVED)
        places = np.column_stack([rows, corners])
        _paint_progress(painter, picture, places[picture.status[rows] == RUNNING], shown, camera, palette, now)
        for dimmed in (False, True):
            some = np.flatnonzero(faint == dimmed)
            if len(some):
                painter.setOpacity(DIMMED if dimmed else 1.0)
                texts = np.column_stack([picture.numbers[rows], picture.status[rows], corners])[some].tolist()
                self.labels.paint(painter, picture, [(n, s, x, y) for n, s, x, y in texts], camera, palette, now)
        painter.setOpacity(1.0)
        _strike(painter, places[picture.stage[rows] == Stage.REMOVED], camera, palette)
        if camera.level is Level.FULL:
            self._paint_marks(painter, picture, shown, rows, corners, camera, palette)
        self._paint_badges(painter, picture, shown, rows, corners, camera, palette)

    def _paint_marks(
        self,
        painter: QPainter,
        picture: Picture,
        shown: Shown,
        rows: IntArray,
        corners: IntArray,
        camera: Camera,
        palette: Palette,
    ) -> None:
        sheet, k, ratio = self.atlas.marks(camera, palette), camera.total, camera.ratio
        baseline = max(LINE_BASELINE * k, NAME_BASELINE * k + LINE_HEIGHT * ratio)
        right = camera.node[0] - round(ratio)
        top = round(baseline - sheet.height * 0.8)
        taken = np.zeros(len(rows), dtype=np.int64)
        for mark in (picture.lock[rows], picture.priority[rows]):
            at = np.flatnonzero(mark)
            taken[at] += sheet.width
            places = corners[at] + np.column_stack([right - taken[at], np.full(len(at), top)])
            _draw(painter, sheet, places, mark[at].astype(np.float64), _opacity(picture, shown, rows[at]))

    def _paint_badges(
        self,
        painter: QPainter,
        picture: Picture,
        shown: Shown,
        rows: IntArray,
        corners: IntArray,
        camera: Camera,
        palette: Palette,
    ) -> None:
        stage = picture.stage[rows].astype(np.float64)
        piece = np.where(stage > 0, stage + STAGE_BADGES - 1, picture.badge[rows])
        at = np.flatnonzero(piece)
        if not len(at):
            return
        sheet = self.atlas.badges(camera, palette)
        inset = round(3 * camera.ratio)
        half = sheet.width // 2
        places = corners[at] + (camera.node[0] - inset - half, -half - round(camera.ratio * BADGE_RIM / 2))
        opacity = np.where(shown.dim[rows[at]], DIMMED, 1.0)
        _draw(painter, sheet, places, piece[at], opacity)


def _within(picture: Picture, part: tuple[float, float, float, float], margin: float) -> IntArray:
    """The rows of nodes that are painted and reach into a part of the scene."""
    x, y = picture.layout.positions[:, 0], picture.layout.positions[:, 1]
    wide, high = NODE[0] / 2 + margin, NODE[1] / 2 + margin
    left, top, right, bottom = part
    near = (x >= left - wide) & (x <= right + wide) & (y >= top - high) & (y <= bottom + high)
    found: IntArray = np.flatnonzero(near & picture.present)
    return found


def _opacity(picture: Picture, shown: Shown, rows: IntArray) -> FloatArray:
    opacity: FloatArray = np.where(shown.dim[rows], DIMMED, 1.0)
    opacity[picture.stage[rows] == Stage.REMOVED] = REMOVED_OPACITY
    return opacity


def _draw(
    painter: QPainter, sheet: Sheet, corners: npt.NDArray[np.generic], piece: FloatArray, opacity: FloatArray
) -> None:
    places = corners.astype(np.float64)
    draw_fragments(
        painter,
        sheet.pixmap,
        fragments(places[:, 0], places[:, 1], piece * sheet.width, sheet.width, sheet.height, opacity),
    )


def _paint_progress(
    painter: QPainter,
    picture: Picture,
    places: IntArray,
    shown: Shown,
    camera: Camera,
    palette: Palette,
    now: float,
) -> None:
    """Paint how far running nodes are, along the bottom edge, where it is known."""
    if camera.level is not Level.FULL:
        return
    height = max(2, round(PROGRESS * camera.ratio * min(1.0, camera.scale + 0.35)))
    width = camera.node[0]
    inset = round(max(2.0, NODE_RADIUS * camera.scale * 0.5) * camera.ratio)
    done, rest = colour(palette.status[RUNNING].shape), colour(palette.raised)
    for row, left, top in places.tolist():
        share = share_done(picture.facts, int(picture.numbers[row]), now)
        if share is not None:
            painter.setOpacity(DIMMED if shown.dim[row] else 1.0)
            begin, end = left + camera.block, left + width - inset
            y, part = top + camera.node[1] - height, round((end - begin) * share)
            painter.fillRect(begin, y, part, height, done)
            painter.fillRect(begin + part, y, end - begin - part, height - round(camera.ratio), rest)
    painter.setOpacity(1.0)


def _strike(painter: QPainter, places: IntArray, camera: Camera, palette: Palette) -> None:
    """Strike through the names of nodes that would be removed."""
    painter.setPen(QPen(colour(palette.text), 1.5 * camera.ratio))
    y = (NAME_BASELINE - 4) * camera.total
    for _row, left, top in places.tolist():
        painter.drawLine(
            QLineF(left + camera.name_left, top + y, left + camera.node[0] - camera.name_left / 3, top + y)
        )


def _paint_path(painter: QPainter, picture: Picture, camera: Camera, palette: Palette) -> None:
    """Paint the critical path over nodes that are far away."""
    if len(picture.path) < 2:
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    middles = camera.points(picture.layout.positions[picture.path])
    pen = QPen(colour(palette.text), CRITICAL_WIDTH * min(1.0, camera.scale / _PATH_AFAR + 0.6) * camera.ratio)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in middles.tolist()]))


def _paint_rings(painter: QPainter, picture: Picture, shown: Shown, camera: Camera, palette: Palette) -> None:
    """Paint the ring around what is selected; dashed around the current node where keys would act on it."""
    rows: Iterable[int] = shown.selected
    current = shown.current if shown.focused and shown.current not in shown.selected else None
    for row in rows:
        _paint_ring(painter, _box(picture, row, camera), camera, palette, dashed=False)
    if current is not None:
        _paint_ring(painter, _box(picture, current, camera), camera, palette, dashed=True)


def _box(picture: Picture, row: int, camera: Camera) -> QRectF:
    left, top = camera.corners(picture.layout.positions[row]).tolist()
    box = QRectF(left, top, *camera.node)
    if camera.level is Level.FAR and picture.status[row] == FAILED:
        size = FAR_FAILED * camera.ratio
        box = box.united(QRectF(box.center().x() - size / 2, box.center().y() - size / 2, size, size))
    return box


def _paint_ring(painter: QPainter, box: QRectF, camera: Camera, palette: Palette, *, dashed: bool) -> None:
    ratio = camera.ratio
    out = RING * ratio + RING * ratio / 2
    near = camera.level is not Level.FAR
    pen = QPen(colour(palette.text), RING * ratio)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    radius = (max(NODE_RADIUS * camera.scale, 3.0) + RING if near else RING) * ratio
    if near:
        painter.setPen(QPen(colour(palette.canvas), RING * ratio))
        gap = RING * ratio / 2
        painter.drawRoundedRect(box.adjusted(-gap, -gap, gap, gap), radius - ratio, radius - ratio)
    if dashed:
        pen.setDashPattern([3.0, 2.0])
    painter.setPen(pen)
    painter.drawRoundedRect(box.adjusted(-out, -out, out, out), radius, radius)


def _paint_ports(painter: QPainter, picture: Picture, shown: Shown, camera: Camera, palette: Palette) -> None:
    """Paint where dependencies can be drawn from, on the node under the pointer and the current one with focus."""
    if camera.level is not Level.FULL:
        return
    focus = shown.current if shown.focused else None
    rows = {row for row in (shown.hovered, focus) if row is not None}
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour(blended(palette.text, palette.canvas, 0.8)), 1.25 * camera.ratio))
    painter.setBrush(colour(palette.panel))
    radius = PORT * camera.ratio / 2
    for row in rows:
        box = _box(picture, row, camera)
        middle = box.center()
        if picture.layout.direction is Direction.RIGHT:
            ends = QPointF(box.left(), middle.y()), QPointF(box.right(), middle.y())
        else:
            ends = QPointF(middle.x(), box.top()), QPointF(middle.x(), box.bottom())
        for end in ends:
            painter.drawEllipse(end, radius, radius)
