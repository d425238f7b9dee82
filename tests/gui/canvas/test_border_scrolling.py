"""A canvas scrolls for a drag that is held at its border, and for nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.gui.canvas.looking import row_in, shown_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot
    from tests.gui.canvas.editing import Bench

SHIFT = Qt.KeyboardModifier.ShiftModifier


def border(bench: Bench) -> QPoint:
    """Just inside the right border of the canvas."""
    size = bench.view.viewport().size()
    return QPoint(size.width() - 3, size.height() // 2)


def left_of(bench: Bench) -> float:
    return bench.view.pan_zoom.seen.left()


def pump(qtbot: QtBot) -> None:
    """Give timers that should not run a chance to do so."""
    qtbot.wait(100)


def begin_connecting(bench: Bench) -> None:
    bench.press(bench.port("b", outgoing=True))
    bench.move(QPoint(450, 480))


def begin_moving(bench: Bench) -> None:
    bench.press(bench.middle("f"))
    bench.move(bench.middle("f") + QPoint(30, 10))


def begin_band(bench: Bench) -> None:
    bench.press(QPoint(40, 480), SHIFT)
    bench.move(QPoint(300, 400))


BEGINNINGS = pytest.mark.parametrize("begin", [begin_connecting, begin_moving, begin_band])


@BEGINNINGS
def test_it_scrolls_while_the_pointer_rests_there_and_stops_elsewhere(
    bench: Bench, begin: Callable[[Bench], None], qtbot: QtBot
) -> None:
    before, zoom = left_of(bench), bench.view.pan_zoom.zoom
    begin(bench)
    assert left_of(bench) == before
    bench.move(border(bench))
    qtbot.waitUntil(lambda: left_of(bench) > before + 40)
    bench.move(QPoint(450, 250))
    stopped = left_of(bench)
    pump(qtbot)
    assert left_of(bench) == stopped
    assert bench.view.pan_zoom.zoom == zoom


def test_a_task_at_the_border_stays_under_the_pointer_that_leads_a_dependency_to_it(bench: Bench, qtbot: QtBot) -> None:
    room = bench.view.viewport().rect()
    at_border = bench.port("c", outgoing=False)
    bench.view.pan_zoom.scroll_by(at_border.x() - (room.width() - 5), 0)
    port = bench.port("c", outgoing=False)
    assert room.width() - 8 <= port.x() < room.width()
    before = left_of(bench)
    bench.press(bench.port("a", outgoing=True))
    bench.move(QPoint(450, 480))
    bench.move(port)
    pump(qtbot)
    assert left_of(bench) == before
    bench.move(border(bench) + QPoint(2, 100))
    qtbot.waitUntil(lambda: left_of(bench) > before)
    bench.key(Qt.Key.Key_Escape)


@BEGINNINGS
@pytest.mark.parametrize("end", ["escape", "release", "other button", "window"])
def test_it_ends_with_the_drag(bench: Bench, begin: Callable[[Bench], None], end: str, qtbot: QtBot) -> None:
    begin(bench)
    before = left_of(bench)
    bench.move(border(bench))
    qtbot.waitUntil(lambda: left_of(bench) > before)
    ends: dict[str, Callable[[], object]] = {
        "escape": lambda: bench.key(Qt.Key.Key_Escape),
        "release": lambda: bench.release(border(bench)),
        "other button": lambda: bench.press_other(border(bench)),
        "window": lambda: QApplication.sendEvent(
            bench.view, QFocusEvent(QEvent.Type.FocusOut, Qt.FocusReason.ActiveWindowFocusReason)
        ),
    }
    ends[end]()
    stopped = left_of(bench)
    pump(qtbot)
    assert left_of(bench) == stopped
    if end != "release":
        assert bench.editor.steps == []
        assert bench.view.layout_controller.arrangement.pinned == {}


def test_what_is_dragged_stays_under_the_pointer(bench: Bench, qtbot: QtBot) -> None:
    begin = bench.middle("f")
    bench.press(begin)
    bench.move(border(bench))
    before = left_of(bench)
    qtbot.waitUntil(lambda: left_of(bench) > before + 40)
    bench.release(border(bench))
    x, _ = shown_in(bench.view).layout.position(bench.number("f"))
    middle = bench.view.graph.node_rect(row_in(bench.view, bench.number("f"))).center().toPoint()
    assert (middle - border(bench)).manhattanLength() <= 2
    assert x > bench.view.pan_zoom.seen.center().x()


def test_the_arrow_of_a_dependency_stays_at_the_pointer(bench: Bench, qtbot: QtBot) -> None:
    begin_connecting(bench)
    before = left_of(bench)
    bench.move(border(bench))
    qtbot.waitUntil(lambda: left_of(bench) > before + 40)
    line = bench.view.overlay.painter.preview.line
    assert line is not None
    assert (line.end - bench.view.pan_zoom.scene_at(border(bench))).manhattanLength() < 2


def test_the_first_corner_of_a_band_stays_where_it_was_put(bench: Bench, qtbot: QtBot) -> None:
    corner = bench.view.pan_zoom.scene_at(QPoint(40, 480))
    begin_band(bench)
    before = left_of(bench)
    bench.move(border(bench))
    qtbot.waitUntil(lambda: left_of(bench) > before + 40)
    band = bench.view.overlay.painter.preview.band
    assert band is not None
    assert (band.bottomLeft() - corner).manhattanLength() < 2


def test_it_never_loses_the_graph_out_of_sight(bench: Bench) -> None:
    begin_connecting(bench)
    bench.move(border(bench))
    for _ in range(200):
        bench.view.pan_zoom.scroll_at_border(100, 0)
    _, _, right, _ = shown_in(bench.view).layout.bounds()
    assert bench.view.pan_zoom.seen.left() < right < bench.view.pan_zoom.seen.right()
    bench.key(Qt.Key.Key_Escape)


def test_a_pointer_without_a_drag_scrolls_nothing(bench: Bench, qtbot: QtBot) -> None:
    before = bench.view.pan_zoom.place
    for at in (QPoint(450, 250), border(bench), border(bench) + QPoint(1, 0)):
        QTest.mouseMove(bench.view.viewport(), at)
    pump(qtbot)
    assert bench.view.pan_zoom.place == before


def test_the_ground_that_is_dragged_to_the_border_only_follows_the_pointer(bench: Bench, qtbot: QtBot) -> None:
    bench.press(QPoint(450, 480))
    bench.move(border(bench))
    before = bench.view.pan_zoom.place
    pump(qtbot)
    assert bench.view.pan_zoom.place == before
    bench.release(border(bench))
