"""Paints all visible nodes: in batches for shapes, badges and marks, then their texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from starloom.scheduling.state.codes import FAILED, REMOVED, RUNNING
from starloom_gui.canvas.atlas import BADGE_INSET, BADGE_RIM, STAGE_BADGES, Atlas
from starloom_gui.canvas.camera import Level
from starloom_gui.canvas.edges import CRITICAL_WIDTH
from starloom_gui.canvas.forms import FAR_FAILED
from starloom_gui.canvas.group_nodes import GroupNodes
from starloom_gui.canvas.labels import LINE_BASELINE, LINE_HEIGHT, NAME_BASELINE, NodeLabels
from starloom_gui.canvas.rings import paint_ports, paint_rings
from starloom_gui.canvas.view_state import ViewState
from starloom_gui.canvas.words import share_done
from starloom_gui.theme.metrics import NODE_RADIUS
from starloom_gui.theme.palette import colour
from starloom_gui.viewmodel.stage import Stage
from starloom_gui.widgets.batches import draw_fragments, fragments

if TYPE_CHECKING:
    import numpy.typing as npt

    from starloom.layout.values import FloatArray, IntArray
    from starloom_gui.canvas.atlas import Sheet
    from starloom_gui.canvas.camera import Camera
    from starloom_gui.canvas.colouring import Colouring
    from starloom_gui.canvas.render_model import GraphRenderModel
    from starloom_gui.theme.palette import Palette

DIMMED: Final = 0.3
REMOVED_OPACITY: Final = 0.4
PROGRESS: Final = 3
THROUGH: Final = 55.0
"""Where the line through a bypassed node is, from its top."""
MARGIN: Final = 16.0
"""Logical pixels around a node that badge, ring and ports may take."""
_STEPS: Final = 16
"""More than the tones that any colouring has."""
_PATH_AFAR: Final = 0.25


class Nodes:
    """Paints nodes; caches their pixmaps and their texts."""

    def __init__(self) -> None:
        self.atlas = Atlas()
        self.labels = NodeLabels()
        self._groups = GroupNodes(self.labels)

    def paint(
        self,
        painter: QPainter,
        picture: GraphRenderModel,
        shown: ViewState,
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
        within = _within(picture, exposed, (MARGIN + FAR_FAILED) / camera.scale)
        rows = within[picture.plain[within]] if picture.tallies else within
        corners = camera.corners(picture.layout.positions[rows])
        self._paint_forms(painter, picture, shown, rows, corners, camera, palette)
        if camera.level is Level.FAR:
            self._paint_groups(painter, picture, shown, within, camera, palette)
            self._paint_far_failed(painter, picture, shown, within, camera, palette)
            _paint_path(painter, picture, camera, palette)
            paint_rings(painter, picture, shown, camera, palette)
        else:
            paint_rings(painter, picture, shown, camera, palette)  # badges stand over them
            self._paint_details(painter, picture, shown, rows, corners, camera, palette, now)
            self._paint_groups(painter, picture, shown, within, camera, palette)
        paint_ports(painter, picture, shown, camera, palette)

    def paint_some(
        self, painter: QPainter, picture: GraphRenderModel, rows: IntArray, camera: Camera, palette: Palette, now: float
    ) -> None:
        """Paint some nodes again, e.g. where they are being moved to; none of them is dimmed.

        Args:
            painter: device pixels.
            picture: what is painted.
            rows: which nodes.
            camera: where.
            palette: the colours.
            now: seconds on the run's clock.
        """
        shown = ViewState(np.zeros(len(picture), dtype=np.bool_))
        plain = rows[picture.plain[rows]]
        corners = camera.corners(picture.layout.positions[plain])
        self._paint_forms(painter, picture, shown, plain, corners, camera, palette)
        if camera.level is not Level.FAR:
            self._paint_details(painter, picture, shown, plain, corners, camera, palette, now)
        self._paint_groups(painter, picture, shown, rows, camera, palette)

    def _paint_forms(
        self,
        painter: QPainter,
        picture: GraphRenderModel,
        shown: ViewState,
        rows: IntArray,
        corners: IntArray,
        camera: Camera,
        palette: Palette,
    ) -> None:
        if shown.colouring is not None:
            self._paint_tones(painter, picture, shown, shown.colouring, rows, corners, camera, palette)
            return
        view = self.atlas.forms(camera, palette)
        piece = picture.status[rows].astype(np.float64)
        if camera.level is not Level.FAR:
            piece[picture.stage[rows] == Stage.ADDED] = REMOVED
        opacity = _opacity(picture, shown, rows)
        _draw(painter, view, corners, piece, opacity)
        places = {row: place for place, row in enumerate(rows.tolist()) if row in shown.fading} if shown.fading else {}
        if places:
            at = list(places.values())
            before = np.array([shown.fading[row][0] for row in places], dtype=np.float64)
            left = np.array([shown.fading[row][1] for row in places])
            _draw(painter, view, corners[at], before, left * opacity[at])

    def _paint_tones(
        self,
        painter: QPainter,
        picture: GraphRenderModel,
        shown: ViewState,
        colouring: Colouring,
        rows: IntArray,
        corners: IntArray,
        camera: Camera,
        palette: Palette,
    ) -> None:
        """Paint forms in the colours of a colouring; only pairs of status and tone that occur get a pixmap."""
        status = picture.status[rows].astype(np.int64)
        step = colouring.step[rows].astype(np.int64)
        if camera.level is not Level.FAR:
            status[picture.stage[rows] == Stage.ADDED] = REMOVED
        pairs, piece = np.unique(status * _STEPS + step + 1, return_inverse=True)
        pieces = tuple((pair // _STEPS, pair % _STEPS - 1) for pair in pairs.tolist())
        if pieces:
            view = self.atlas.coloured(camera, palette, pieces, colouring.tones(palette))
            _draw(painter, view, corners, piece.reshape(-1).astype(np.float64), _opacity(picture, shown, rows))

    def _paint_groups(
        self,
        painter: QPainter,
        picture: GraphRenderModel,
        shown: ViewState,
        rows: IntArray,
        camera: Camera,
        palette: Palette,
    ) -> None:
        """Paint the folded groups among some rows."""
        if not picture.tallies:
            return
        groups = rows[~picture.plain[rows]]
        self.labels.prepare(picture, camera)
        boxes = camera.boxes(picture.layout.positions[groups], picture.layout.sizes[groups])
        for row, box in zip(groups.tolist(), boxes.tolist(), strict=True):
            painter.setOpacity(DIMMED if shown.dim[row] else 1.0)
            self._groups.paint(painter, picture.tallies[row], QRectF(*box), camera, palette)
        painter.setOpacity(1.0)
        if camera.level is not Level.FAR:
            ends = np.column_stack([boxes[:, 0] + boxes[:, 2], boxes[:, 1]])
            self._paint_badges(painter, picture, shown, groups, ends, camera, palette)

    def _paint_far_failed(
        self,
        painter: QPainter,
        picture: GraphRenderModel,
        shown: ViewState,
        rows: IntArray,
        camera: Camera,
        palette: Palette,
    ) -> None:
        failed = rows[picture.status[rows] == FAILED]
        view = self.atlas.failed(camera, palette)
        if view.width <= camera.node[0] and view.height <= camera.node[1]:
            return
        corners = np.rint(camera.points(picture.layout.positions[failed]) - view.width / 2)
        _draw(painter, view, corners, np.zeros(len(failed)), _opacity(picture, shown, failed))

    def _paint_details(
        self,
        painter: QPainter,
        picture: GraphRenderModel,
        shown: ViewState,
        rows: IntArray,
        corners: IntArray,
        camera: Camera,
        palette: Palette,
        now: float,
    ) -> None:
        faint = shown.dim[rows] | (picture.stage[rows] == Stage.REMOVED)
        forms = _forms_seen(picture, shown, rows)
        places = np.column_stack([rows, corners])
        _paint_progress(painter, picture, places[picture.status[rows] == RUNNING], shown, camera, palette, now)
        for dimmed in (False, True):
            some = np.flatnonzero(faint == dimmed)
            if len(some):
                painter.setOpacity(DIMMED if dimmed else 1.0)
                texts = np.column_stack([picture.numbers[rows], forms, corners])[some].tolist()
                self.labels.paint(painter, picture, [(n, s, x, y) for n, s, x, y in texts], camera, palette, now)
        painter.setOpacity(1.0)
        _strike(painter, places[picture.stage[rows] == Stage.REMOVED], camera, palette)
        if picture.bypassed:
            _paint_through(painter, picture, places, shown, camera, palette)
        if camera.level is Level.FULL:
            self._paint_marks(painter, picture, shown, rows, corners, camera, palette)
        ends = np.column_stack([corners[:, 0] + camera.node[0], corners[:, 1]])
        self._paint_badges(painter, picture, shown, rows, ends, camera, palette)

    def _paint_marks(
        self,
        painter: QPainter,
        picture: GraphRenderModel,
        shown: ViewState,
        rows: IntArray,
        corners: IntArray,
        camera: Camera,
        palette: Palette,
    ) -> None:
        view, k, ratio = self.atlas.marks(camera, palette), camera.total, camera.ratio
        baseline = max(LINE_BASELINE * k, NAME_BASELINE * k + LINE_HEIGHT * ratio)
        right = camera.node[0] - round(ratio)
        top = round(baseline - view.height * 0.8)
        taken = np.zeros(len(rows), dtype=np.int64)
        for mark in (picture.lock[rows], picture.priority[rows]):
            at = np.flatnonzero(mark)
            taken[at] += view.width
            places = corners[at] + np.column_stack([right - taken[at], np.full(len(at), top)])
            _draw(painter, view, places, mark[at].astype(np.float64), _opacity(picture, shown, rows[at]))

    def _paint_badges(
        self,
        painter: QPainter,
        picture: GraphRenderModel,
        shown: ViewState,
        rows: IntArray,
        ends: IntArray,
        camera: Camera,
        palette: Palette,
    ) -> None:
        """Paint the badges of nodes whose upper right corners are given."""
        stage = picture.stage[rows].astype(np.float64)
        piece = np.where(stage > 0, stage + STAGE_BADGES - 1, picture.badge[rows])
        at = np.flatnonzero(piece)
        if not len(at):
            return
        view = self.atlas.badges(camera, palette)
        inset = round(BADGE_INSET * camera.ratio)
        half = view.width // 2
        places = ends[at] + (-inset - half, -half - round(camera.ratio * BADGE_RIM / 2))
        opacity = np.where(shown.dim[rows[at]], DIMMED, 1.0)
        _draw(painter, view, places, piece[at], opacity)


def _within(picture: GraphRenderModel, part: tuple[float, float, float, float], margin: float) -> IntArray:
    """The rows of painted nodes that intersect a part of the scene."""
    x, y = picture.layout.positions[:, 0], picture.layout.positions[:, 1]
    half = picture.layout.sizes / 2 + margin
    wide, high = half[:, 0], half[:, 1]
    left, top, right, bottom = part
    near = (x >= left - wide) & (x <= right + wide) & (y >= top - high) & (y <= bottom + high)
    found: IntArray = np.flatnonzero(near & picture.present)
    return found


def _forms_seen(picture: GraphRenderModel, shown: ViewState, rows: IntArray) -> IntArray:
    """The form in which each node is seen: of one that fades the old one, until more is seen of the new one."""
    forms = picture.status[rows].astype(np.int64)
    if shown.fading:
        for place, row in enumerate(rows.tolist()):
            before, left = shown.fading.get(row, (0, 0.0))
            if left > 0.5:
                forms[place] = before
    return forms


def _opacity(picture: GraphRenderModel, shown: ViewState, rows: IntArray) -> FloatArray:
    opacity: FloatArray = np.where(shown.dim[rows], DIMMED, 1.0)
    opacity[picture.stage[rows] == Stage.REMOVED] = REMOVED_OPACITY
    return opacity


def _draw(
    painter: QPainter, view: Sheet, corners: npt.NDArray[np.generic], piece: FloatArray, opacity: FloatArray
) -> None:
    places = corners.astype(np.float64)
    draw_fragments(
        painter,
        view.pixmap,
        fragments(places[:, 0], places[:, 1], piece * view.width, view.width, view.height, opacity),
    )


def _paint_progress(
    painter: QPainter,
    picture: GraphRenderModel,
    places: IntArray,
    shown: ViewState,
    camera: Camera,
    palette: Palette,
    now: float,
) -> None:
    """Paint the progress of running nodes along their bottom edge, where it is known."""
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


def _paint_through(
    painter: QPainter, picture: GraphRenderModel, places: IntArray, shown: ViewState, camera: Camera, palette: Palette
) -> None:
    """Paint a line with an arrowhead through bypassed nodes, below their texts: what comes in goes on."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(colour(palette.muted), 1.25 * camera.ratio)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    y, head = THROUGH * camera.total, 3.0 * camera.ratio
    for row, left, top in places.tolist():
        if int(picture.numbers[row]) in picture.bypassed:
            painter.setOpacity(DIMMED if shown.dim[row] else 1.0)
            tip = QPointF(left + camera.node[0] - 3 * camera.ratio, top + y)
            painter.drawLine(QPointF(left + camera.block, top + y), tip)
            painter.drawPolyline([tip + QPointF(-head, -head), tip, tip + QPointF(-head, head)])
    painter.setOpacity(1.0)


def _strike(painter: QPainter, places: IntArray, camera: Camera, palette: Palette) -> None:
    """Strike through the names of nodes that would be removed."""
    painter.setPen(QPen(colour(palette.text), 1.5 * camera.ratio))
    y = (NAME_BASELINE - 4) * camera.total
    for _row, left, top in places.tolist():
        painter.drawLine(
            QLineF(left + camera.name_left, top + y, left + camera.node[0] - camera.name_left / 3, top + y)
        )


def _paint_path(painter: QPainter, picture: GraphRenderModel, camera: Camera, palette: Palette) -> None:
    """Paint the critical path over nodes at the lowest level of detail."""
    if len(picture.path) < 2:
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    middles = camera.points(picture.layout.positions[picture.path])
    pen = QPen(colour(palette.text), CRITICAL_WIDTH * min(1.0, camera.scale / _PATH_AFAR + 0.6) * camera.ratio)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in middles.tolist()]))
