"""The canvas as a window holds it: a graph to point at and to walk with keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent
from typing_extensions import override

from starloom_gui.canvas.camera import Level
from starloom_gui.canvas.graph_view import GraphView
from starloom_gui.canvas.hit_test import edge_at, node_at
from starloom_gui.canvas.navigation import Step, first, step
from starloom_gui.canvas.tools.pan import Pan

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
    from PySide6.QtWidgets import QWidget

    from starloom_gui.canvas.tools.gesture import Gesture
    from starloom_gui.selection import Selection
    from starloom_gui.theme.appearance import Appearance

HOVER_MS: Final = 500
EDGE_SLACK: Final = 5.0
STEPS: Final = {
    Qt.Key.Key_Left: Step.PARENT,
    Qt.Key.Key_Right: Step.CHILD,
    Qt.Key.Key_Up: Step.BEFORE,
    Qt.Key.Key_Down: Step.AFTER,
    Qt.Key.Key_Home: Step.ROOT,
    Qt.Key.Key_End: Step.SINK,
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What the user wants something of.

    Attributes:
        number: of the task; None: of the canvas itself.
        at: where on the screen.
    """

    number: int | None
    at: QPoint


class CanvasView(GraphView):
    """The canvas of one run, one stop of the Tab key.

    Left and Right follow dependencies, Up and Down go to siblings, Home and End to root and sink; Ctrl goes there
    without selecting, Ctrl+Space adds to the selection. Enter activates, Menu asks for the verbs; plus and minus zoom,
    0 fits.

    Signals:
        activated(Asked): Enter or a double click on a task.
        menu_asked(Asked): the verbs of a task, or of the canvas, are wanted.
    """

    activated = Signal(Asked)
    menu_asked = Signal(Asked)

    def __init__(
        self, appearance: Appearance, selection: Selection, clock: Callable[[], float], parent: QWidget | None = None
    ) -> None:
        """Show an empty canvas.

        Args:
            appearance: theme and motion.
            selection: shared with the other views of the run.
            clock: gives seconds on the run's clock.
            parent: of the widget.
        """
        super().__init__(appearance, selection, clock, parent)
        self._gesture: Gesture | None = None
        self._pointer = QPointF()
        self._resting = QTimer(self)
        self._resting.setSingleShot(True)
        self._resting.setInterval(HOVER_MS)
        self._resting.timeout.connect(self.show_card)
        self.moved.connect(self._resting.stop)
        self.viewport().setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    # ---- keys

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, control = Qt.Key(event.key()), bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if key in STEPS:
            self._walk(STEPS[key], select=not control)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._activate(self._selection.now.current)
        elif key == Qt.Key.Key_Space and control and self._selection.now.current is not None:
            self._selection.toggle(self._selection.now.current)
        elif key == Qt.Key.Key_Escape:
            self._escape()
        elif not self._zoomed_with(key, control=control):
            event.ignore()

    def _zoomed_with(self, key: Qt.Key, *, control: bool) -> bool:
        verbs = {
            Qt.Key.Key_Plus: self.zoom_in,
            Qt.Key.Key_Equal: self.zoom_in,
            Qt.Key.Key_Minus: self.zoom_out,
            Qt.Key.Key_0: self.fit_all,
        }
        if control or key not in verbs:
            return False
        verbs[key]()
        return True

    def _walk(self, way: Step, *, select: bool) -> None:
        picture = self.picture
        if picture is None:
            return
        current = picture.row(self._selection.now.current)
        row = step(picture, current, way) if current is not None else first(picture)
        if row is None:
            return
        number = int(picture.numbers[row])
        if select:
            self._selection.select(number)
        else:
            self._selection.move(number)
        self.reveal_task(number)

    def _escape(self) -> None:
        if self._gesture is not None:
            self._gesture.cancel()
            self._gesture = None
        else:
            self._selection.clear()

    def _activate(self, number: int | None) -> None:
        if self.picture is not None and (row := self.picture.row(number)) is not None:
            self.activated.emit(Asked(number, self._on_screen(row)))

    def _on_screen(self, row: int) -> QPoint:
        return self.viewport().mapToGlobal(self.node_rect(row).toRect().center())

    # ---- pointer

    def _row_at(self, at: QPointF) -> int | None:
        if self.picture is None:
            return None
        spot = self.mapToScene(at.toPoint())
        return node_at(self.picture, spot.x(), spot.y(), 3.0 / self.zoom if self.level is Level.FAR else 0.0)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.stop()
        self.card.hide()
        at, row = event.position(), self._row_at(event.position())
        if event.button() == Qt.MouseButton.MiddleButton:
            self._gesture = Pan(self, at.toPoint(), clicked=lambda: None)
        elif event.button() == Qt.MouseButton.LeftButton and row is None:
            self._gesture = Pan(self, at.toPoint(), clicked=self._selection.clear)
        elif event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton) and row is not None:
            self._pick(row, event)
        event.accept()

    def _pick(self, row: int, event: QMouseEvent) -> None:
        assert self.picture is not None
        number = int(self.picture.numbers[row])
        if event.button() == Qt.MouseButton.RightButton:
            if number not in self._selection.now.numbers:
                self._selection.select(number)
        elif event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._selection.toggle(number)
        else:
            self._selection.select(number)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._gesture is not None:
            self._gesture.move(event.position().toPoint())
        else:
            self._hover(event.position())
        event.accept()

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._gesture is not None:
            gesture, self._gesture = self._gesture, None
            gesture.release(event.position().toPoint())
        event.accept()

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        row = self._row_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and row is not None and self.picture is not None:
            self._activate(int(self.picture.numbers[row]))
        else:
            self.mousePressEvent(event)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        picture = self.picture
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            row = picture.row(self._selection.now.current) if picture is not None else None
            at = self._on_screen(row) if row is not None else self.mapToGlobal(self.rect().center())
        else:
            row, at = self._row_at(QPointF(event.pos())), event.globalPos()
        number = int(picture.numbers[row]) if picture is not None and row is not None else None
        self.menu_asked.emit(Asked(number, at))
        event.accept()

    # ---- resting pointer

    def _hover(self, at: QPointF) -> None:
        self._pointer = at
        row, shown = self._row_at(at), self.item.shown
        if row != shown.hovered:
            before, shown.hovered = shown.hovered, row
            self._repaint([each for each in (before, row) if each is not None])
            self.card.hide()
        self._resting.start()

    def show_card(self) -> None:
        """Tell more about what is under the pointer."""
        picture, at = self.picture, self._pointer
        if picture is None or self._gesture is not None:
            return
        row = self._row_at(at)
        if row is not None:
            self.card.show_task(picture, row, self._clock(), self.node_rect(row).toRect())
        elif self.level is not Level.FAR:
            spot = self.mapToScene(at.toPoint())
            edge = edge_at(picture, spot.x(), spot.y(), EDGE_SLACK / self.zoom)
            if edge is not None:
                self.card.show_edge(picture, edge, QRect(at.toPoint(), at.toPoint()))

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self._resting.stop()
        self.card.hide()
        before, self.item.shown.hovered = self.item.shown.hovered, None
        if before is not None:
            self._repaint([before])
        super().leaveEvent(event)

    # ---- focus

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        self._focused(now=True)
        super().focusInEvent(event)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._focused(now=False)
        super().focusOutEvent(event)

    def _focused(self, *, now: bool) -> None:
        shown = self.item.shown
        shown.focused = now
        if shown.current is not None:
            self._repaint([shown.current])
