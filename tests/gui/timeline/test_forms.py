"""Bars that are cut out of a form look as if each were painted on its own."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPen

from starloom_gui.theme.metrics import BAR, BAR_RADIUS, LANE, RING
from starloom_gui.timeline.forms import BarShape, ring_form

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QApplication

Bars = list[tuple[float, float, float]]
SIZE: Final = (400, 120)
GROUND: Final = QColor("#f7f8fa")
FILL: Final = QBrush(QColor("#d5e8e3"))
LINE: Final = QPen(QColor("#3f9682"), 1.0)
BOLD: Final = QPen(QColor("#101418"), 1.5)
NONE: Final = QPen(Qt.PenStyle.NoPen)
ROUNDING: Final = 2
"""How far colours may differ, of 255: a piece is blended once, a bar its filling and its line one after the other."""


def picture(ratio: float, paint: Callable[[QPainter], None]) -> QImage:
    image = QImage(round(SIZE[0] * ratio), round(SIZE[1] * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(GROUND)
    painter = QPainter(image)
    painter.translate(10, 0)
    paint(painter)
    painter.end()
    return image


def by_form(form: BarShape, bars: Bars, ratio: float) -> QImage:
    columns = np.array(bars, np.float64).reshape(len(bars), 3).T
    return picture(ratio, lambda painter: form.draw(painter, *columns))


def one_by_one(bars: Bars, ratio: float, pen: QPen, brush: QBrush) -> QImage:
    def paint(painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(pen)
        painter.setBrush(brush)
        by = pen.widthF() / 2 if pen.style() != Qt.PenStyle.NoPen else 0.0
        for left, top, width in bars:
            rect = QRectF(left, top, width, BAR).adjusted(by, by, -by, -by)
            painter.drawRoundedRect(rect, BAR_RADIUS, BAR_RADIUS)

    return picture(ratio, paint)


def differs_by(one: QImage, other: QImage) -> int:
    """The largest difference of two pictures in one colour of one pixel."""
    seen = [np.frombuffer(image.constBits(), np.uint8).astype(int) for image in (one, other)]
    return int(np.abs(seen[0] - seen[1]).max())


def some_bars(ratio: float, seed: int = 1) -> Bars:
    """Bars in a few lanes, at edges of device pixels; the corners of narrower ones would differ."""
    chance = random.Random(seed)
    found = []
    for lane in range(5):
        at = 0.0
        while at < SIZE[0] - 100:
            width = round(chance.choice((6, 7, 8, 13, 14, 40, 90)) * ratio) / ratio
            found.append((at, 2.0 + lane * LANE, width))
            at += round((width + chance.choice((0, 1, 7))) * ratio) / ratio
    return found


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("pen", [NONE, LINE, BOLD])
def test_bars_look_as_if_painted_one_by_one(app: QApplication, ratio: float, pen: QPen) -> None:
    bars = some_bars(ratio)
    cut = by_form(BarShape(pen, FILL, ratio), bars, ratio)
    assert differs_by(cut, one_by_one(bars, ratio, pen, FILL)) <= ROUNDING
    assert differs_by(cut, one_by_one(bars[1:], ratio, pen, FILL)) > 20, "a bar that is not there would be seen"


def test_of_two_bars_that_overlap_all_of_the_later_one_is_seen(app: QApplication) -> None:
    bars = [(10.0, 2.0, 60.0), (20.0, 2.0, 60.0), (15.0, 2.0, 100.0), (40.0, 2.0, 20.0)]
    assert differs_by(by_form(BarShape(LINE, FILL, 1.0), bars, 1.0), one_by_one(bars, 1.0, LINE, FILL)) <= ROUNDING


def test_a_form_grows_with_the_longest_bar(app: QApplication) -> None:
    form = BarShape(LINE, FILL, 1.0)
    short = [(10.0, 2.0, 30.0)]
    before = by_form(form, short, 1.0)
    long = [(-700.0, 2.0, 1000.0)]
    assert differs_by(by_form(form, long, 1.0), one_by_one(long, 1.0, LINE, FILL)) <= ROUNDING
    assert by_form(form, short, 1.0) == before


def test_no_bars_leave_the_ground(app: QApplication) -> None:
    assert by_form(BarShape(LINE, FILL, 1.0), [], 1.0) == picture(1.0, lambda painter: None)


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
@pytest.mark.parametrize("width", [2.0, 4.0, 60.0])
def test_a_ring_is_as_far_from_the_bar_as_it_is_thick(app: QApplication, ratio: float, width: float) -> None:
    image = by_form(ring_form(QPen(QColor("#101418"), RING), ratio), [(100.0, 30.0, width)], ratio)

    def dark(x: float, y: float) -> bool:
        return image.pixelColor(int(x * ratio), int(y * ratio)).lightness() < 60

    middle = 30 + BAR / 2
    left, right = 110.0, 110.0 + width
    assert [dark(left - by, middle) for by in (4.6, 3.0, 1.2)] == [False, True, False]
    assert [dark(right + by, middle) for by in (1.2, 2.8, 4.6)] == [False, True, False]
    assert [dark(left + width / 2, 30.0 - by) for by in (4.6, 3.0, 1.2)] == [False, True, False]
