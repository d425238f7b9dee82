"""A console that tells where things are on the screen: a line of JSON asks, a line of JSON answers.

It changes nothing and does nothing: whoever asked has a pointer of his own. What cannot be seen (yet) is null.
Its arguments are those of the console.
"""

from __future__ import annotations

import json
import sys
import threading
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QDropEvent, QGuiApplication, QMouseEvent, QWindow
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QTabBar,
    QWidget,
)
from typing_extensions import override

from starloom_gui.__main__ import main

if TYPE_CHECKING:
    from starloom_gui.canvas.view import CanvasView
    from starloom_gui.composition.console import Console

_MOVES = frozenset({QEvent.Type.MouseMove, QEvent.Type.DragEnter, QEvent.Type.DragMove})
_ENDS = frozenset({QEvent.Type.KeyRelease, QEvent.Type.MouseButtonRelease, QEvent.Type.Drop})


class Listener(QObject):
    """Notes what of the user's hand has arrived here.

    Attributes:
        ends: so many keys and buttons have come up again.
        at: where the pointer was heard of last.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.ends = 0
        self.at = [0, 0]

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind in _ENDS and (isinstance(watched, QWindow) or kind is QEvent.Type.Drop):
            self.ends += 1
        if kind in _MOVES:
            if isinstance(event, QMouseEvent):
                place = event.globalPosition().toPoint()
                self.at = [place.x(), place.y()]
            elif isinstance(event, QDropEvent) and isinstance(watched, QWidget):
                self.at = _on_screen(watched, event.position().toPoint())
        return False


class Guide(QObject):
    """Answers in Qt's thread what another thread has heard."""

    asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._listener: Listener | None = None
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

    # ---- whether the console is ready for the next act

    def where_heard(self) -> dict[str, Any]:
        """How many keys and buttons have come up again by now, where the pointer was, and who has the keyboard."""
        if self._listener is None:
            self._listener = Listener(self)
            QApplication.instance().installEventFilter(self._listener)  # type: ignore[union-attr]  # there is one
        focused: QWindow | None = QGuiApplication.focusWindow()  # the stubs do not know that there may be none
        keyboard = int(focused.winId()) if focused is not None else 0
        return {"ends": self._listener.ends, "at": self._listener.at, "keyboard": keyboard}

    def where_window(self) -> list[int]:
        """The window that is to have the keyboard, once the console has answered and shown everything.

        A window manager would give the keyboard to a dialog that opens, and back when that closes; a popup has it
        from the window below.
        """
        from starloom_gui.headless import is_told

        console = _console()
        assert is_told(console)
        assert not console.commands.in_flight
        is_asked = QApplication.activeModalWidget() is not None
        assert is_asked or not console.files.last_tabs.background_tasks  # the plan it was started with is there
        assert not console.files.opening.background_tasks
        assert not console.actions._timer.isActive()  # what is possible is known
        top = QApplication.activeModalWidget() or console.window.window()
        handle = top.windowHandle()
        assert handle.isExposed()
        document_view = console.views.front
        assert document_view is None or document_view.canvas.graph.picture is not None
        has_keyboard = QGuiApplication.focusWindow() is handle or QApplication.activePopupWidget() is not None
        return [int(handle.winId()), int(has_keyboard)]

    # ---- what may be asked

    def where_tab(self, text: str) -> list[int]:
        """A tab of a dock."""
        bars = [bar for bar in _all(QTabBar) if bar.isVisible()]
        bar, index = next((bar, at) for bar in bars for at in range(bar.count()) if bar.tabText(at) == text)
        return _on_screen(bar, bar.tabRect(index).center())

    def where_button(self, text: str) -> list[int]:
        """A button of the window that is open to clicks, by what stands on it; a figure may follow."""
        top = QApplication.activeModalWidget()
        shown = [each for each in _all(QAbstractButton) if each.isVisible() and each.isEnabled()]
        named = [each for each in shown if text == each.text() or f", {text} " in each.accessibleName()]
        button = next(each for each in named if top is None or each.window() is top)
        return _on_screen(button, button.rect().center())

    def where_answer(self, text: str) -> list[int]:
        """A button of a dialog."""
        top = QApplication.activeModalWidget()
        button = next(each for each in _all(QPushButton) if each.window() is top and each.text() == text)
        assert button.isVisible()
        assert button.isEnabled()
        handle = button.window().windowHandle()
        assert handle is not None
        assert handle.isExposed(), "it would be clicked through"
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
        return _on_screen(view.viewport(), view.graph.node_rect(_row(view, id)).center().toPoint())

    def where_status(self, id: str) -> str:
        """The status of a task of the run in front."""
        view = _console().views.front
        assert view is not None
        run = view.source.reader.view()
        assert run is not None
        number = run.number(id)
        assert number is not None
        return str(run.task(number).status)

    def where_port(self, id: str, side: str) -> list[int]:
        from starloom_gui.canvas.ports import port_place

        view = _canvas()
        assert view.graph.picture is not None
        place = port_place(view.graph.picture, _row(view, id), outgoing=side == "out")
        return _on_screen(view.viewport(), view.viewportTransform().map(QPointF(*place)).toPoint())

    def where_edge(self, parent: str, child: str) -> list[int]:
        """The middle of a dependency that is drawn as one curve."""
        view = _canvas()
        assert view.graph.picture is not None
        rows = [_row(view, parent), _row(view, child)]
        points = view.graph.picture.layout.routes.of(view.graph.picture.edges.tolist().index(rows)).tolist()
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = points[:4]
        middle = QPointF((ax + 3 * bx + 3 * cx + dx) / 8, (ay + 3 * by + 3 * cy + dy) / 8)
        return _on_screen(view.viewport(), view.viewportTransform().map(middle).toPoint())

    def where_card(self, device: str) -> list[int]:
        """A device's card."""
        from starloom_gui.viewmodel.roles import ItemRole

        cards = _console().devices.cards
        model = cards.model()
        index = next(
            each for each in (model.index(at, 0) for at in range(model.rowCount())) if each.data(ItemRole.ID) == device
        )
        box = cards.visualRect(index)
        assert cards.isVisible()
        assert cards.viewport().rect().contains(box.center())
        return _on_screen(cards.viewport(), box.center())

    def where_item(self, text: str) -> list[int]:
        """An entry of a menu that is open."""
        for menu in [each for each in _all(QMenu) if each.isVisible()]:
            for action in menu.actions():
                if action.text().partition("\t")[0].replace("&", "") == text and action.isEnabled():
                    return _on_screen(menu, menu.actionGeometry(action).center())
        raise LookupError(text)

    def where_draft(self) -> bool:
        """Whether a new task's name can be typed."""
        verbs = _canvas().gestures.verbs
        assert verbs is not None
        field, keyboard = verbs.drafting.field, QApplication.focusWidget()
        return field is not None and keyboard is not None and field.isAncestorOf(keyboard)

    def where_keyboard(self) -> str:
        """The task that the keys of the graph are about; empty: they do not go there, or it is none."""
        view, document_view = _canvas(), _console().views.front
        if not view.hasFocus() or document_view is None or view.graph.picture is None:
            return ""
        numbers = list(document_view.selection.now.numbers)
        return view.graph.picture.facts.graph.ids[numbers[0]] if len(numbers) == 1 else ""

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

    def where_field(self, label: str) -> list[int]:
        """A field of the inspector, by what stands before it."""
        fields = (*_all(QLineEdit), *_all(QPlainTextEdit))
        field = next(each for each in fields if each.isVisible() and each.accessibleName() == label)
        return _on_screen(field, QPoint(field.width() // 2, min(field.height(), 24) // 2))  # in its first line

    def where_typed(self) -> str:
        """The accessible name of what has the keyboard; empty: nothing has it, or it has none."""
        keyboard = QApplication.focusWidget()
        return "" if keyboard is None else keyboard.accessibleName()

    def where_rows(self) -> list[list[Any]]:
        """The tasks whose whole row is to be seen in the outline, each with where its mark stands on the screen."""
        from starloom_gui.panels.outline_tree import OutlineTree
        from starloom_gui.panels.task_marks import TILE
        from starloom_gui.viewmodel.roles import ItemRole

        tree = next((each for each in _all(OutlineTree) if each.isVisible()), None)
        found: list[list[Any]] = []
        index = tree.indexAt(QPoint(8, 0)) if tree is not None else None
        while tree is not None and index is not None and index.isValid():
            box = tree.visualRect(index)
            if (
                index.data(ItemRole.CODE) is not None
                and not tree.selecting.is_selected(index)  # which has another ground
                and tree.viewport().rect().contains(0, box.bottom())
                and box.top() >= 0
            ):
                left = tree.indentation() + 2 if index.parent().isValid() else 5
                at = QPoint(left, box.top() + (box.height() - TILE) // 2)
                found.append([index.data(ItemRole.ID), *_on_screen(tree.viewport(), at)])
            index = tree.indexBelow(index)
        return found

    def where_cells(self) -> list[list[Any]]:
        """The tasks whose whole row is to be seen in the table, each with where its mark stands on the screen."""
        from starloom_gui.models.task_cells import TaskColumn
        from starloom_gui.panels.task_grid import TaskGrid
        from starloom_gui.panels.task_marks import TILE
        from starloom_gui.viewmodel.roles import ItemRole

        grid = next((each for each in _all(TaskGrid) if each.isVisible()), None)
        found: list[list[Any]] = []
        if grid is None:
            return found
        for row in range(grid.model().rowCount()):
            index = grid.model().index(row, TaskColumn.STATUS)
            box = grid.visualRect(index)
            if grid.viewport().rect().contains(box) and not grid.selecting.is_selected(index):
                at = QPoint(box.left() + 8, box.top() + (box.height() - TILE) // 2)
                found.append([index.data(ItemRole.ID), *_on_screen(grid.viewport(), at)])
        return found

    def where_blocks(self) -> list[list[Any]]:
        """The tasks whose whole node is to be seen, each with a place of its block that the glyph leaves free."""
        view = _canvas()
        picture = view.graph.picture
        assert picture is not None
        found: list[list[Any]] = []
        for row in range(len(picture)):
            box = view.graph.node_rect(row).toRect()
            clear = QPoint(box.left() + round(7 * view.pan_zoom.zoom), box.top() + round(9 * view.pan_zoom.zoom))
            bare = view.viewport().childAt(clear) is None and view.childAt(clear) in (None, view.viewport())
            if view.viewport().rect().contains(box) and bare:
                found.append([picture.facts.graph.ids[int(picture.numbers[row])], *_on_screen(view.viewport(), clear)])
        return found

    def where_note(self) -> str:
        """What is said at the pointer during a gesture on the canvas."""
        return _canvas().overlay.note


def _all(kind: type[Any]) -> list[Any]:
    return [each for each in QApplication.allWidgets() if isinstance(each, kind)]


def _console() -> Console:
    from starloom_gui.composition.console import Console
    from starloom_gui.shell.main_window import MainWindow
    from starloom_gui.shell.window_actions import WindowActions

    window = next(each for each in QApplication.allWidgets() if isinstance(each, MainWindow) and each.isVisible())
    actions = window.findChild(WindowActions)
    assert actions is not None
    console = getattr(actions.controllers.choices._target, "__self__", None)  # which gives what is selected
    assert isinstance(console, Console)
    return console


def _on_screen(widget: QWidget, at: QPoint) -> list[int]:
    found = widget.mapToGlobal(at)
    return [found.x(), found.y()]


def _canvas() -> CanvasView:
    from starloom_gui.canvas.view import CanvasView

    found: CanvasView = next(each for each in _all(CanvasView) if each.isVisible())
    return found


def _row(view: CanvasView, id: str) -> int:
    assert view.graph.picture is not None
    row = view.graph.picture.row(view.graph.picture.facts.graph.place[id])
    assert row is not None
    return row


def _is_free(view: CanvasView, at: QPoint) -> bool:
    near = [at + QPoint(dx, dy) for dx in (-70, 0, 70) for dy in (-40, 0, 40)]
    return all(view.hit_tester.row_at(one) is None and view.hit_tester.edge_at(one, 20) is None for one in near)


if __name__ == "__main__":
    guide = Guide()
    threading.Thread(target=guide.listen, daemon=True).start()
    sys.exit(main(sys.argv[1:]))
