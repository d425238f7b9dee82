"""Paints edges: few of them as curves with gaps at crossings, many as straight lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPolygonF, QTransform

from starloom_gui.canvas.camera import Level
from starloom_gui.canvas.render_model import ALWAYS, CONDITION, FAILURE
from starloom_gui.canvas.staged import STAGED_WIDTH, paint_badges
from starloom_gui.theme.palette import blended, colour
from starloom_gui.viewmodel.stage import Stage
from starloom_gui.widgets.batches import draw_lines

Part: TypeAlias = tuple[float, float, float, float]

if TYPE_CHECKING:
    from starloom.layout.values import BoolArray, FloatArray, IntArray, Routes
    from starloom_gui.canvas.camera import Camera
    from starloom_gui.canvas.render_model import GraphRenderModel
    from starloom_gui.theme.palette import Palette

WIDTH: Final = 1.25
CRITICAL_WIDTH: Final = 2.5
FAR_WIDTH: Final = 0.6
GAP: Final = 2.0
SATISFIED: Final = 0.95
NOT_YET: Final = 0.5
REMOVED: Final = 0.4
FAR_SHARE: Final = 0.35
DIMMED: Final = 0.25
MOST_CURVES: Final = 1500
MOST_GAPS: Final = 400
SYMBOL: Final = 14.0
SMALL_SYMBOL: Final = 0.7
BADGE_AT: Final = 0.3
"""Where on its last curve an edge has the badge of a staged edit: not where its symbol stands."""
_END: Final = 0.25
"""The share of an edge at both ends that cuts no gap: there edges come together on purpose."""


@dataclass(frozen=True, slots=True)
class _Pen:
    ink: str
    width: float
    dashed: bool


@dataclass(frozen=True, slots=True, eq=False)
class Flat:
    """The edges as straight segments.

    Attributes:
        lines: (L, 4) x1 y1 x2 y2, in device pixels.
        owner: (L,) the place of its edge among those that were asked for; ascending.
        along: (L,) how far along its edge a piece is, 0 to 1.
    """

    lines: FloatArray
    owner: IntArray
    along: FloatArray


class Edges:
    """The edges of one layout, with what depends on the layout alone.

    Attributes:
        routes: their ways.
    """

    def __init__(self, routes: Routes) -> None:
        self.routes = self._routes = routes
        self._paths: dict[int, QPainterPath] = {}
        self._boxes = _boxes(routes)
        self._ends = _ends(routes)

    def paint(
        self,
        painter: QPainter,
        picture: GraphRenderModel,
        camera: Camera,
        palette: Palette,
        dim: BoolArray,
        part: Part,
        only: BoolArray | None = None,
    ) -> None:
        """Paint the edges in a part of the viewport.

        Args:
            painter: device pixels.
            picture: what is painted.
            camera: where.
            palette: the colours.
            dim: (N,) whether a node is dimmed, with its edges.
            part: left, top, right and bottom, in device pixels.
            only: (E,) which edges; None: all.
        """
        if not len(picture.edges):
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        seen = self.seen(picture, camera, part)
        faint = np.asarray(dim[picture.edges].any(axis=1), dtype=np.bool_)
        if not self.shows_answers(picture, camera):
            self._paint_straight(painter, seen, faint, camera, palette)
            return
        kept = seen if only is None else seen[only[seen]]
        self._paint_curves(painter, picture, kept, faint, camera, palette, part, gaps=only is None)

    def shows_answers(self, picture: GraphRenderModel, camera: Camera) -> bool:
        """Whether satisfied edges look different at this level of detail."""
        everything = (0.0, 0.0, float(camera.width), float(camera.height))
        return camera.level is not Level.FAR and len(self.seen(picture, camera, everything)) <= MOST_CURVES

    def seen(self, picture: GraphRenderModel, camera: Camera, part: Part) -> IntArray:
        """The edges whose bounding box intersects a part of the viewport; those of the critical path come last."""
        around = SYMBOL * max(1.0, camera.scale) * camera.ratio
        left, top = (part[0] - around - camera.left) / camera.total, (part[1] - around - camera.top) / camera.total
        right, bottom = (part[2] + around - camera.left) / camera.total, (part[3] + around - camera.top) / camera.total
        box = self._boxes
        near = (box[:, 0] <= right) & (box[:, 2] >= left) & (box[:, 1] <= bottom) & (box[:, 3] >= top)
        found = np.flatnonzero(near & picture.linked)
        ordered: IntArray = found[np.argsort(picture.critical[found], kind="stable")]
        return ordered

    # ---- from afar

    def _paint_straight(
        self, painter: QPainter, seen: IntArray, faint: BoolArray, camera: Camera, palette: Palette
    ) -> None:
        lines = camera.points(self._ends[seen].reshape(-1, 2)).reshape(-1, 4)
        length = np.hypot(lines[:, 2] - lines[:, 0], lines[:, 3] - lines[:, 1])
        short = length <= min(camera.width, camera.height)
        for dimmed in (True, False):
            share = FAR_SHARE * (DIMMED if dimmed else 1)
            painter.setPen(QPen(colour(blended(palette.muted, palette.canvas, share)), FAR_WIDTH * camera.ratio))
            draw_lines(painter, lines[short & (faint[seen] == dimmed)])

    # ---- near

    def _paint_curves(
        self,
        painter: QPainter,
        picture: GraphRenderModel,
        seen: IntArray,
        faint: BoolArray,
        camera: Camera,
        palette: Palette,
        part: Part,
        *,
        gaps: bool,
    ) -> None:
        styles = _styles(picture, seen, faint, palette)
        flat = flattened(self._routes, seen, camera, part)
        if gaps and len(seen) <= MOST_GAPS:
            self._paint_with_gaps(painter, seen, styles, flat, camera, palette)
        else:
            self._paint_by_style(painter, seen, styles, flat, camera)
        inks: dict[str, list[int]] = {}
        for edge, style in zip(seen.tolist(), styles, strict=True):
            inks.setdefault(style.ink, []).append(edge)
        for ink, edges in inks.items():
            self._paint_arrows(painter, picture, np.array(edges), ink, camera)
            self._paint_symbols(painter, picture, np.array(edges), ink, camera, palette)
        staged = seen[picture.edge_stage[seen] != Stage.NONE]
        if len(staged):
            places = self.places(staged, BADGE_AT, camera)
            paint_badges(painter, places, picture.edge_stage[staged], camera, palette)

    def _paint_with_gaps(
        self,
        painter: QPainter,
        seen: IntArray,
        styles: list[_Pen],
        flat: Flat,
        camera: Camera,
        palette: Palette,
    ) -> None:
        """Paint one edge after the other, each with a gap in those below it, but not at its ends."""
        pens = {style: _pen(style, camera) for style in set(styles)}
        gap = _pen(_Pen(palette.canvas, WIDTH + 2 * GAP, dashed=False), camera)
        inner = np.abs(flat.along - 0.5) <= 0.5 - _END
        bounds = np.searchsorted(flat.owner, np.arange(len(seen) + 1)).tolist()
        for place, style in enumerate(styles):
            mine = slice(bounds[place], bounds[place + 1])
            painter.setPen(gap)
            draw_lines(painter, flat.lines[mine][inner[mine]])
            self._stroke(painter, int(seen[place]), style, pens[style], flat.lines[mine], camera)

    def _paint_by_style(
        self, painter: QPainter, seen: IntArray, styles: list[_Pen], flat: Flat, camera: Camera
    ) -> None:
        names = {style: place for place, style in enumerate(dict.fromkeys(styles))}
        code = np.array([names[style] for style in styles])
        for style, place in names.items():
            painter.setPen(_pen(style, camera))
            if style.dashed:
                for edge in seen[code == place].tolist():
                    self._stroke(painter, edge, style, painter.pen(), flat.lines[:0], camera)
            else:
                draw_lines(painter, flat.lines[code[flat.owner] == place])

    def _stroke(self, painter: QPainter, edge: int, style: _Pen, pen: QPen, lines: FloatArray, camera: Camera) -> None:
        if not style.dashed:
            painter.setPen(pen)
            draw_lines(painter, lines)
            return
        painter.save()  # dashes have to run on from one piece of a curve to the next
        painter.setWorldTransform(QTransform(camera.total, 0, 0, camera.total, camera.left, camera.top), combine=True)
        painter.strokePath(self._path(edge), pen)
        painter.restore()

    def _path(self, edge: int) -> QPainterPath:
        found = self._paths.get(edge)
        if found is None:
            found = self._paths[edge] = _curve(self._routes.of(edge))
        return found

    def _paint_arrows(
        self, painter: QPainter, picture: GraphRenderModel, edges: IntArray, ink: str, camera: Camera
    ) -> None:
        tips, along = self._tips(edges, camera)
        across = along[:, ::-1] * (-1, 1)
        size = np.where(picture.critical[edges], 9.0, 7.0)[:, None] * camera.ratio * max(1.0, camera.scale)
        left = tips - along * size + across * size * 0.5
        right = tips - along * size - across * size * 0.5
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)
        for a, b, c, d, e, f in np.hstack([tips, left, right]).tolist():
            path.moveTo(a, b)
            path.lineTo(c, d)
            path.lineTo(e, f)
            path.closeSubpath()
        painter.fillPath(path, colour(ink))

    def _tips(self, edges: IntArray, camera: Camera) -> tuple[FloatArray, FloatArray]:
        """The last point of each edge, and its direction there."""
        last = self._routes.starts[edges + 1] - 1
        tips, before = camera.points(self._routes.points[last]), camera.points(self._routes.points[last - 1])
        along = tips - before
        length = np.hypot(along[:, 0], along[:, 1])[:, None]
        return tips, np.divide(along, length, out=np.zeros_like(along), where=length > 0)

    def _paint_symbols(
        self, painter: QPainter, picture: GraphRenderModel, edges: IntArray, ink: str, camera: Camera, palette: Palette
    ) -> None:
        special = edges[(picture.kind[edges] == FAILURE) | (picture.kind[edges] == CONDITION)]
        if not len(special):
            return
        scale = (max(1.0, camera.scale) if camera.level is Level.FULL else SMALL_SYMBOL) * camera.ratio
        for edge, (x, y) in zip(special.tolist(), self.middles(special, camera).tolist(), strict=True):
            paint_symbol(painter, QPointF(x, y), int(picture.kind[edge]), ink, palette.canvas, scale)

    def middles(self, edges: IntArray, camera: Camera) -> FloatArray:
        """The middle of the last curve of each edge, where its symbol is painted; device pixels."""
        return self.places(edges, 0.5, camera)

    def places(self, edges: IntArray, along: float, camera: Camera) -> FloatArray:
        """The point at a share of the last curve of each edge; device pixels.

        Args:
            edges: (K,) their places among the edges of the picture.
            along: 0 to 1 of the last curve.
            camera: gives device pixels.
        """
        last = self._routes.starts[edges + 1] - 1
        points, t, u = self._routes.points, along, 1 - along
        found = (
            u**3 * points[last - 3]
            + 3 * u**2 * t * points[last - 2]
            + 3 * u * t**2 * points[last - 1]
            + t**3 * points[last]
        )
        return camera.points(found)


def paint_symbol(painter: QPainter, at: QPointF, kind: int, ink: str, ground: str, scale: float) -> None:
    """Paint the symbol of a kind of edge: a circled cross for failure, a diamond for a condition, nothing for others.

    Args:
        painter: in device pixels.
        at: the middle of the symbol, in device pixels.
        kind: the code of a kind of edge.
        ink: the colour of its lines as `#rrggbb`.
        ground: the colour inside as `#rrggbb`.
        scale: device pixels a pixel of the scene.
    """
    if kind not in (FAILURE, CONDITION):
        return
    painter.setPen(QPen(colour(ink), WIDTH * scale))
    painter.setBrush(colour(ground))
    radius = SYMBOL * scale / 2
    if kind == CONDITION:
        painter.drawPolygon(QPolygonF([at + QPointF(*end) * radius for end in ((-1, 0), (0, -1), (1, 0), (0, 1))]))
    else:
        radius *= 0.9
        painter.drawEllipse(at, radius, radius)
        arm = radius * 0.5
        painter.drawLine(at - QPointF(arm, arm), at + QPointF(arm, arm))
        painter.drawLine(at - QPointF(arm, -arm), at + QPointF(arm, -arm))


def _pen(style: _Pen, camera: Camera) -> QPen:
    width = style.width * max(1.0, camera.scale if style.width > WIDTH else 1.0)
    pen = QPen(colour(style.ink), width * camera.ratio)
    pen.setCosmetic(True)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if style.dashed:
        pen.setDashPattern([4.0, 3.0] if style.width == WIDTH else [2.5, 1.5])
    return pen


def _curve(points: FloatArray) -> QPainterPath:
    flat = points.tolist()
    path = QPainterPath(QPointF(*flat[0]))
    for at in range(1, len(flat), 3):
        path.cubicTo(*flat[at], *flat[at + 1], *flat[at + 2])
    return path


def _styles(picture: GraphRenderModel, edges: IntArray, faint: BoolArray, palette: Palette) -> list[_Pen]:
    """The style of each edge; equal styles are one object."""
    of_edge = zip(
        picture.critical[edges].tolist(),
        picture.satisfied[edges].tolist(),
        (picture.kind[edges] == ALWAYS).tolist(),
        faint[edges].tolist(),
        picture.edge_stage[edges].tolist(),
        strict=True,
    )
    made: dict[tuple[bool, bool, bool, bool, int], _Pen] = {}
    return [made.get(each) or made.setdefault(each, _style(*each, palette)) for each in of_edge]


def _style(critical: bool, satisfied: bool, dashed: bool, faint: bool, stage: int, palette: Palette) -> _Pen:
    share = DIMMED if faint else 1.0
    if stage == Stage.REMOVED:
        return _Pen(blended(palette.muted, palette.canvas, share * REMOVED), WIDTH, dashed)
    if stage:
        return _Pen(blended(palette.text, palette.canvas, share), STAGED_WIDTH, stage == Stage.ADDED or dashed)
    if critical:
        return _Pen(blended(palette.text, palette.canvas, share), CRITICAL_WIDTH, dashed)
    share *= SATISFIED if satisfied else NOT_YET
    return _Pen(blended(palette.muted, palette.canvas, share), WIDTH, dashed)


def flattened(routes: Routes, edges: IntArray, camera: Camera, part: Part) -> Flat:
    """Edges as straight segments, short enough to look round; those outside a part are left out.

    Args:
        routes: of all edges.
        edges: which.
        camera: where everything is.
        part: left, top, right and bottom, in device pixels.
    """
    pieces = 10 if camera.scale < 0.5 else 16 if camera.scale < 1.25 else 28
    counts = (routes.starts[edges + 1] - routes.starts[edges] - 1) // 3
    owner = np.repeat(np.arange(len(edges)), counts)
    within = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    first = routes.starts[edges][owner] + 3 * within
    corners = camera.points(routes.points[first[:, None] + np.arange(4)])
    t = np.linspace(0.0, 1.0, pieces + 1)[:, None]
    weights = np.hstack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])
    points = np.einsum("tk,ckd->ctd", weights, corners)
    lines = np.concatenate([points[:, :-1], points[:, 1:]], axis=2).reshape(-1, 4)
    along = ((within[:, None] + t[:-1, 0] + 0.5 / pieces) / counts[owner][:, None]).reshape(-1)
    near = 4 * camera.ratio
    inside = (np.maximum(lines[:, 0], lines[:, 2]) >= part[0] - near) & (
        np.minimum(lines[:, 0], lines[:, 2]) <= part[2] + near
    )
    inside &= (np.maximum(lines[:, 1], lines[:, 3]) >= part[1] - near) & (
        np.minimum(lines[:, 1], lines[:, 3]) <= part[3] + near
    )
    return Flat(lines[inside], np.repeat(owner, pieces)[inside], along[inside])


def _boxes(routes: Routes) -> FloatArray:
    """The left, top, right and bottom of each edge's control points; (E, 4)."""
    if len(routes.starts) < 2:
        return np.zeros((0, 4))
    begin = routes.starts[:-1]
    return np.hstack([np.minimum.reduceat(routes.points, begin), np.maximum.reduceat(routes.points, begin)])


def _ends(routes: Routes) -> FloatArray:
    """The first and the last point of each edge; (E, 4)."""
    return np.hstack([routes.points[routes.starts[:-1]], routes.points[routes.starts[1:] - 1]])
