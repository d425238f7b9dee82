"""A console that tells where things are on the screen: a line of JSON asks, a line of JSON answers.

It changes nothing and does nothing: whoever asked has a pointer of his own. What cannot be seen (yet) is null.
Its arguments are those of the console.
"""

from __future__ import annotations

import json
import sys
import threading
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QPoint, QPointF, Qt, Signal
from PySide6.QtWidgets import QApplication, QPushButton, QTabBar, QWidget

from starloom_gui.__main__ import main

if TYPE_CHECKING:
    from starloom_gui.canvas.view import CanvasView


class Guide(QObject):
    """Answers in Qt's thread what another thread has heard."""

    asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.asked.connect(self.answer, Qt.ConnectionType.QueuedConnection)

    def listen(self) -> None:
        for line in sys.stdin:
            self.asked.emit(line)

    def answer(self, line: str) -> None:
        what, *names = json.loads(line)
        try:
            found = getattr(self, f"where_{what}")(*names)
        except (LookupError, ValueError, AssertionError, StopIteration):  # it is not there, or not yet
            found = None
        sys.stdout.write(json.dumps(found) + "\n")
        sys.stdout.flush()

    # ---- what may be asked

    def where_tab(self, text: str) -> list[int]:
        """A tab of a dock."""
        bars = [bar for bar in _all(QTabBar) if bar.isVisible()]
        bar, index = next((bar, at) for bar in bars for at in range(bar.count()) if bar.tabText(at) == text)
        return _on_screen(bar, bar.tabRect(index).center())

    def where_button(self, text: str) -> list[int]:
        """A button of a dialog."""
        shown = [each for each in _all(QPushButton) if each.isVisible() and each.isEnabled()]
        button = next(each for each in shown if each.text() == text)
        return _on_screen(button, button.rect().center())

    def where_kind(self, title: str) -> list[int]:
        """A row of the palette."""
        from starloom_gui.panels.palette_list import PaletteList

        rows = next(each for each in _all(PaletteList) if each.isVisible())
        model = rows.model()
        index = next(
            each
            for each in (model.index(at, 0) for at in range(model.rowCount()))
            if each.data(Qt.ItemDataRole.DisplayRole) == title
        )
        return _on_screen(rows.viewport(), rows.visualRect(index).center())

    def where_ground(self) -> list[int]:
        """A place of the canvas with nothing near it."""
        view = _canvas()
        size = view.viewport().size()
        for y in range(60, size.height() - 60, 10):
            for x in range(40, size.width() - 80, 20):
                at = QPoint(x, y)
                if _is_free(view, at):
                    return _on_screen(view.viewport(), at)
        raise LookupError("there is no room")

    def where_node(self, id: str) -> list[int]:
        view = _canvas()
        return _on_screen(view.viewport(), view.node_rect(_row(view, id)).center().toPoint())

    def where_port(self, id: str, side: str) -> list[int]:
        from starloom_gui.canvas.ports import port_place

        view = _canvas()
        assert view.picture is not None
        place = port_place(view.picture, _row(view, id), outgoing=side == "out")
        return _on_screen(view.viewport(), view.viewportTransform().map(QPointF(*place)).toPoint())

    def where_edge(self, parent: str, child: str) -> list[int]:
        """The middle of a dependency that is drawn as one curve."""
        view = _canvas()
        assert view.picture is not None
        rows = [_row(view, parent), _row(view, child)]
        points = view.picture.layout.routes.of(view.picture.edges.tolist().index(rows)).tolist()
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = points[:4]
        middle = QPointF((ax + 3 * bx + 3 * cx + dx) / 8, (ay + 3 * by + 3 * cy + dy) / 8)
        return _on_screen(view.viewport(), view.viewportTransform().map(middle).toPoint())

    def where_bar(self, id: str) -> list[int]:
        """The beginning of a task's bar on the timeline that is foreseen."""
        from starloom_gui.theme.metrics import LANE, LANE_COLUMN
        from starloom_gui.timeline.spots import spot_of
        from starloom_gui.timeline.view import TimelineView

        view = next(each for each in _all(TimelineView) if each.isVisible())
        spot = spot_of(view.model, view.model.run.graph.place[id])
        assert spot is not None
        assert spot.is_foreseen
        x = round(LANE_COLUMN + view.span.x_of((spot.bar.start + spot.bar.end) / 2))
        return _on_screen(view.viewport(), QPoint(x, view.geometry_now().y_of(spot.row) + LANE // 2))

    def where_lane(self, device: str, x: int) -> list[int]:
        """The first lane of a device, at a place from left to right of the screen."""
        from starloom_gui.theme.metrics import LANE
        from starloom_gui.timeline.view import TimelineView

        view = next(each for each in _all(TimelineView) if each.isVisible())
        row = next(row for row, lane in enumerate(view.model.lanes) if lane.device_id == device)
        y = view.geometry_now().y_of(row) + LANE // 2
        return [x, _on_screen(view.viewport(), QPoint(0, y))[1]]

    def where_note(self) -> str:
        """What is said at the pointer during a gesture on the canvas."""
        return _canvas().note


def _all(kind: type[Any]) -> list[Any]:
    return [each for each in QApplication.allWidgets() if isinstance(each, kind)]


def _on_screen(widget: QWidget, at: QPoint) -> list[int]:
    found = widget.mapToGlobal(at)
    return [found.x(), found.y()]


def _canvas() -> CanvasView:
    from starloom_gui.canvas.view import CanvasView

    found: CanvasView = next(each for each in _all(CanvasView) if each.isVisible())
    return found


def _row(view: CanvasView, id: str) -> int:
    assert view.picture is not None
    row = view.picture.row(view.picture.facts.graph.place[id])
    assert row is not None
    return row


def _is_free(view: CanvasView, at: QPoint) -> bool:
    near = [at + QPoint(dx, dy) for dx in (-70, 0, 70) for dy in (-40, 0, 40)]
    return all(view.row_at(one) is None and view.edge_at(one, 20) is None for one in near)


if __name__ == "__main__":
    guide = Guide()
    threading.Thread(target=guide.listen, daemon=True).start()
    sys.exit(main(sys.argv[1:]))
