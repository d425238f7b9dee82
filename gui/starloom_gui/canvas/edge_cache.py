"""Caches the background and the edges as one pixmap, which stays valid when a task starts or fails."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter, QPixmap

from starloom_gui.canvas.edges import MOST_GAPS, Edges
from starloom_gui.theme.palette import colour

if TYPE_CHECKING:
    from starloom.layout.values import BoolArray
    from starloom_gui.canvas.camera import Camera
    from starloom_gui.canvas.edges import Part
    from starloom_gui.canvas.render_model import GraphRenderModel
    from starloom_gui.theme.palette import Palette


MOST_PATCHED: Final = 24
"""The most edges that one patch paints."""


class EdgeCache:
    """The cached pixmap below the nodes: repainted, shifted when the view pans, or patched when an edge is satisfied.

    Attributes:
        paints: how often it was repainted.
        patched: whether edges were painted over it since; they leave no gaps in others then.
        behind: whether more were satisfied than a frame has time for; paint once more.
    """

    def __init__(self) -> None:
        self.paints = 0
        self.patched = False
        self.behind = False
        self._edges: Edges | None = None
        self._picture: GraphRenderModel | None = None
        self._key: tuple[object, ...] | None = None
        self._camera: Camera | None = None
        self._satisfied: BoolArray = np.zeros(0, dtype=np.bool_)
        self._critical: BoolArray = np.zeros(0, dtype=np.bool_)
        self._path_version = -1
        self._is_dense, self._is_quiet = False, True
        self._pixmap = QPixmap()

    def edges_of(self, picture: GraphRenderModel) -> Edges:
        """The edges of a render model; kept until there is another layout."""
        routes = picture.layout.routes
        if self._edges is None or self._edges.routes is not routes:
            self._edges = Edges(routes)
        if picture is not self._picture:
            self._picture, self._key = picture, None
        return self._edges

    def renew(self) -> None:
        """Invalidate the pixmap."""
        self._key = None

    def settle(self) -> bool:
        """Invalidate the pixmap if it was patched; to be called once a second; returns whether it was.

        Where there are so many edges that this costs a frame, and none leaves gaps in others, it waits for a second in
        which nothing has been painted over it.
        """
        was_quiet, self._is_quiet = self._is_quiet, True
        if not self.patched or (self._is_dense and not was_quiet):
            return False
        self.renew()
        return True

    def pixmap(
        self, picture: GraphRenderModel, camera: Camera, palette: Palette, dim: BoolArray, dim_version: int
    ) -> QPixmap:
        """The pixmap of the whole viewport in device pixels: background and visible edges.

        Args:
            picture: what is shown.
            camera: where it is looked at, and with how many device pixels a logical one.
            palette: the theme's colours.
            dim: (N,) whether a node is dimmed, with its edges.
            dim_version: changes whenever `dim` does.
        """
        edges = self.edges_of(picture)
        still = replace(camera, left=0.0, top=0.0)
        key = (still, palette.name, picture.edge_version, dim_version)
        if key != self._key or self._camera is None or self._has_other_path(edges, picture, camera):
            self._make(picture, camera, palette, dim)
        else:
            if (camera.left, camera.top) != (self._camera.left, self._camera.top):
                self._move(self._camera, picture, camera, palette, dim)
            self._follow_answers(edges, picture, camera, palette, dim)
        self._key, self._camera = key, camera
        return self._pixmap

    def _has_other_path(self, edges: Edges, picture: GraphRenderModel, camera: Camera) -> bool:
        """Whether visible edges have joined or left the critical path, which changes with every task that ends."""
        if picture.path_version == self._path_version or not edges.shows_answers(picture, camera):
            return False
        inside = edges.seen(picture, camera, _all_of(camera))
        is_other = bool((picture.critical[inside] != self._critical[inside]).any())
        self._path_version, self._critical = picture.path_version, picture.critical
        return is_other

    def _follow_answers(
        self, edges: Edges, picture: GraphRenderModel, camera: Camera, palette: Palette, dim: BoolArray
    ) -> None:
        if (picture.satisfied == self._satisfied).all() or not edges.shows_answers(picture, camera):
            return
        if (self._satisfied & ~picture.satisfied).any():
            self._make(picture, camera, palette, dim)
            return
        gained = picture.satisfied & ~self._satisfied
        inside = edges.seen(picture, camera, _all_of(camera))
        waiting = inside[gained[inside]][MOST_PATCHED:]
        gained[waiting] = False
        self.behind = bool(len(waiting))
        self._patch(picture, camera, palette, dim, gained)

    def _make(self, picture: GraphRenderModel, camera: Camera, palette: Palette, dim: BoolArray) -> None:
        self.paints += 1
        self.patched = self.behind = False
        self._path_version, self._critical = picture.path_version, picture.critical
        self._is_dense = len(self.edges_of(picture).seen(picture, camera, _all_of(camera))) > MOST_GAPS
        if (self._pixmap.width(), self._pixmap.height()) != (camera.width, camera.height):
            self._pixmap = QPixmap(camera.width, camera.height)
        self._satisfied = picture.satisfied.copy()
        self._paint(picture, camera, palette, dim, QRect(0, 0, camera.width, camera.height))

    def _move(
        self, before: Camera, picture: GraphRenderModel, camera: Camera, palette: Palette, dim: BoolArray
    ) -> None:
        """Shift the pixmap and paint the uncovered parts, if the offset is a whole number of pixels."""
        dx, dy = camera.left - before.left, camera.top - before.top
        if dx != round(dx) or dy != round(dy) or abs(dx) >= camera.width or abs(dy) >= camera.height:
            self._make(picture, camera, palette, dim)
            return
        self._pixmap.scroll(round(dx), round(dy), self._pixmap.rect())
        for part in _uncovered(camera.width, camera.height, round(dx), round(dy)):
            self._paint(picture, camera, palette, dim, part)

    def _paint(self, picture: GraphRenderModel, camera: Camera, palette: Palette, dim: BoolArray, part: QRect) -> None:
        painter = QPainter(self._pixmap)
        painter.setClipRect(part)
        painter.fillRect(part, colour(palette.canvas))
        around = (part.left(), part.top(), part.left() + part.width(), part.top() + part.height())
        self.edges_of(picture).paint(painter, picture, camera, palette, dim, around)
        painter.end()

    def _patch(
        self, picture: GraphRenderModel, camera: Camera, palette: Palette, dim: BoolArray, gained: BoolArray
    ) -> None:
        """Paint newly satisfied edges over the pixmap; painting all would cost a frame."""
        self.patched, self._is_quiet = True, False
        self._satisfied |= gained
        painter = QPainter(self._pixmap)
        self.edges_of(picture).paint(painter, picture, camera, palette, dim, _all_of(camera), gained)
        painter.end()


def _all_of(camera: Camera) -> Part:
    """The rectangle of the whole viewport, in device pixels."""
    return 0.0, 0.0, float(camera.width), float(camera.height)


def _uncovered(width: int, height: int, dx: int, dy: int) -> list[QRect]:
    """The parts of a surface that are uncovered after its contents were shifted."""
    beside = QRect(0 if dx > 0 else width + dx, 0, abs(dx), height)
    across = QRect(0, 0 if dy > 0 else height + dy, width, abs(dy))
    return [part for part in (beside, across) if not part.isEmpty()]
