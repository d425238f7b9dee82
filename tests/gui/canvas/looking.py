"""Pictures of a canvas as a test sees them, at any device pixel ratio."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QStyleOptionGraphicsItem

from starloom_gui.canvas.item import EVERYWHERE, CanvasItem
from starloom_gui.theme.palette import colour

if TYPE_CHECKING:
    from starloom_gui.canvas.render_model import GraphRenderModel
    from starloom_gui.canvas.view import CanvasView


def painted(view: CanvasView, ratio: float = 1.0, item: CanvasItem | None = None) -> QImage:
    """What the canvas' item paints into the viewport, without what lies over it."""
    size = view.viewport().size() * ratio
    image = QImage(size, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(0xFF00FF)
    option = QStyleOptionGraphicsItem()
    option.exposedRect = EVERYWHERE
    painter = QPainter(image)
    painter.setWorldTransform(view.viewportTransform())
    (item or view.graph.item).paint(painter, option, view.viewport())
    painter.end()
    return image


def again(view: CanvasView) -> QImage:
    """What a new item paints that knows nothing of what was before."""
    fresh = CanvasItem(view.graph.item.palette, view.hover._clock)
    fresh.show_picture(view.graph.picture)
    fresh.shown = view.graph.item.shown
    return painted(view, item=fresh)


def count_of(image: QImage, code: str) -> int:
    """How many pixels have exactly a colour."""
    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(plain.constBits(), dtype=np.uint32)
    return int((pixels == colour(code).rgb()).sum())


def shown_in(view: CanvasView) -> GraphRenderModel:
    """What a canvas shows; it must show something."""
    assert view.graph.picture is not None
    return view.graph.picture


def row_in(view: CanvasView, number: int | None) -> int:
    """The row of a task that is shown."""
    row = shown_in(view).row(number)
    assert row is not None
    return row
