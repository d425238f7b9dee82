"""A sprite atlas: shapes, badges and marks painted once for a theme, a scale and a device pixel ratio."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap

from starloom.scheduling.state.codes import PENDING, REMOVED
from starloom_gui.canvas.badges import Badge
from starloom_gui.canvas.colouring import NO_TONE, ink_on
from starloom_gui.canvas.forms import FAR_FAILED, Tone, paint_far_failed, paint_form
from starloom_gui.theme import glyphs
from starloom_gui.theme.palette import colour
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.stage import Stage

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.canvas.camera import Camera
    from starloom_gui.theme.palette import Palette

BADGE: Final = 16
BADGE_RIM: Final = 2
BADGE_INSET: Final = 3
"""So far left of its node's right side is the middle of a badge."""
MARK: Final = 14
PORT: Final = 8
_MARKS: Final = (
    None,
    glyphs.CRITICAL,
    glyphs.HIGH,
    glyphs.LOW,
    glyphs.BACKGROUND,
    glyphs.LOCK_HALF,
    glyphs.LOCK_FULL,
)
_STAGES: Final = {
    Stage.ADDED: glyphs.ADDED,
    Stage.REMOVED: glyphs.REMOVED,
    Stage.CHANGED: glyphs.CHANGED,
    Stage.EXTRA: glyphs.ADDED,
}
_OF_STOPS: Final = {Badge.HELD: glyphs.HELD, Badge.BREAKPOINT: glyphs.BREAKPOINT}
_OF_PLACE: Final = {Badge.BYPASS: glyphs.BYPASS, Badge.SIMULATED: glyphs.SIMULATED, Badge.PINNED: glyphs.PINNED}
"""Whether and where a task runs, which is no stop."""
_OF_WAITING: Final = {
    Badge.RETRY: glyphs.RETRY,
    Badge.FENCE: glyphs.FENCE,
    Badge.OVERDUE: glyphs.OVERDUE,
    Badge.QUIET: glyphs.QUIET,
}
_OF_USER: Final = {Badge.UNSET: glyphs.TYPED}
"""What the user has begun, as staged edits are."""
STAGE_BADGES: Final = len(Badge)
"""Where the badges of staged edits begin among the badges."""
_KEPT: Final = 8


@dataclass(frozen=True, slots=True)
class Sheet:
    """One pixmap with sprites of equal size side by side.

    Attributes:
        pixmap: all of them.
        width: of each, in device pixels.
        height: likewise.
    """

    pixmap: QPixmap
    width: int
    height: int


class Atlas:
    """Caches the pixmap sheets that were used last."""

    def __init__(self) -> None:
        self._document_views: dict[tuple[object, ...], Sheet] = {}

    def forms(self, camera: Camera, palette: Palette) -> Sheet:
        """A form for each code of `state.codes`; in place of that of removed tasks, the form of a staged new node.

        The last one is that of a warning.
        """
        width, height = camera.node

        def paint(painter: QPainter, piece: int) -> None:
            box = QRectF(piece * width, 0, width, height)
            added = piece == REMOVED
            paint_form(painter, box, 0 if added else piece, Stage.ADDED if added else Stage.NONE, camera, palette)

        key = ("forms", palette.name, camera.scale, camera.ratio)
        return self._sheet(key, StatusForm.WARNED + 1, width, height, paint)

    def coloured(
        self, camera: Camera, palette: Palette, pieces: tuple[tuple[int, int], ...], tones: tuple[str, ...]
    ) -> Sheet:
        """A form for each pair of a status and the index of its tone; for `NO_TONE`, a hollow one.

        Args:
            camera: how large everything is.
            palette: the colours.
            pieces: the pairs; as a status, that of a removed task stands for a node that would be added.
            tones: as `#rrggbb`.
        """
        width, height = camera.node

        def paint(painter: QPainter, piece: int) -> None:
            box = QRectF(piece * width, 0, width, height)
            status, step = pieces[piece]
            added = status == REMOVED
            tone = Tone(tones[step], ink_on(tones[step], palette)) if step != NO_TONE else Tone()
            stage = Stage.ADDED if added else Stage.NONE
            paint_form(painter, box, 0 if added else status, stage, camera, palette, None if added else tone)

        key = ("coloured", palette.name, camera.scale, camera.ratio, pieces, tones)
        return self._sheet(key, len(pieces), width, height, paint)

    def failed(self, camera: Camera, palette: Palette) -> Sheet:
        """The form of a failed node at the lowest level of detail."""
        size = round(FAR_FAILED * camera.ratio)

        def paint(painter: QPainter, _piece: int) -> None:
            paint_far_failed(painter, QRectF(0, 0, size, size), camera.ratio, palette)

        return self._sheet(("failed", palette.name, camera.ratio), 1, size, size, paint)

    def badges(self, camera: Camera, palette: Palette) -> Sheet:
        """A badge for each code of `Badge`, the first one empty, and one for each of `Stage` but the first."""
        size = round((BADGE + 2 * BADGE_RIM) * camera.ratio)

        def paint(painter: QPainter, piece: int) -> None:
            if piece:
                paint_badge(painter, QRectF(piece * size, 0, size, size), piece, camera.ratio, palette)

        return self._sheet(("badges", palette.name, camera.ratio), STAGE_BADGES + len(_STAGES), size, size, paint)

    def marks(self, camera: Camera, palette: Palette) -> Sheet:
        """A mark for each code of `Mark`, the first one empty."""
        size = round(MARK * max(1.0, camera.scale) * camera.ratio)

        def paint(painter: QPainter, piece: int) -> None:
            drawing = _MARKS[piece]
            if drawing is not None:
                is_lock = drawing in (glyphs.LOCK_HALF, glyphs.LOCK_FULL)  # many at once: they recede
                ink = palette.muted if is_lock else palette.text
                drawing.paint(painter, QRectF(piece * size, 0, size, size), colour(ink))

        return self._sheet(("marks", palette.name, size), len(_MARKS), size, size, paint)

    def _sheet(
        self, key: tuple[object, ...], count: int, width: int, height: int, paint: Callable[[QPainter, int], None]
    ) -> Sheet:
        found = self._document_views.pop(key, None)
        if found is None:
            found = Sheet(_painted(count, width, height, paint), width, height)
            while len(self._document_views) >= _KEPT:
                del self._document_views[next(iter(self._document_views))]
        self._document_views[key] = found
        return found


def _painted(count: int, width: int, height: int, paint: Callable[[QPainter, int], None]) -> QPixmap:
    pixmap = QPixmap(count * width, height)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    for piece in range(count):
        painter.setClipRect(QRectF(piece * width, 0, width, height))
        paint(painter, piece)
    painter.end()
    return pixmap


def paint_badge(painter: QPainter, box: QRectF, piece: int, ratio: float, palette: Palette) -> None:
    """Paint a badge into a square, with a rim that sets it off from what it lies on.

    Args:
        painter: in pixels of the box.
        box: where.
        piece: a code of `Badge`, or from `STAGE_BADGES` on one of `Stage`.
        ratio: pixels of the box to each logical one.
        palette: the colours.
    """
    stage = piece - STAGE_BADGES + 1
    if stage in _STAGES:
        fill, ink, drawing = palette.text, palette.canvas, _STAGES[Stage(stage)]
    elif piece in _OF_USER:
        fill, ink, drawing = palette.text, palette.canvas, _OF_USER[Badge(piece)]
    elif piece in _OF_PLACE:
        fill, ink, drawing = palette.muted, palette.canvas, _OF_PLACE[Badge(piece)]
    elif piece in _OF_STOPS:
        fill, ink, drawing = palette.held.shape, palette.on_fill, _OF_STOPS[Badge(piece)]
    else:
        drawing = _OF_WAITING.get(Badge(piece), glyphs.GATE)
        fill, ink = palette.status[PENDING].shape, palette.on_fill
    rim = BADGE_RIM * ratio
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(palette.canvas))
    painter.drawEllipse(box)
    inner = box.adjusted(rim, rim, -rim, -rim)
    painter.setBrush(colour(fill))
    painter.drawEllipse(inner)
    drawing.paint(painter, inner.adjusted(ratio, ratio, -ratio, -ratio), colour(ink))
