"""The canvas as a window holds it: a graph to point at and to walk with keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent
from typing_extensions import override

from starloom_gui.canvas.active_gesture import ActiveGesture
from starloom_gui.canvas.asked import Asked
from starloom_gui.canvas.editing_verbs import EditingVerbs
from starloom_gui.canvas.gesture_controller import GestureController
from starloom_gui.canvas.locking import follow_locks, show_locks
from starloom_gui.canvas.menu_asking import MenuAsking
from starloom_gui.canvas.navigation import Step, first, step
from starloom_gui.canvas.note_verbs import NoteVerbs
from starloom_gui.canvas.noted_view import NotedView
from starloom_gui.canvas.tools.pan import Pan
from starloom_gui.viewmodel.keys import Scope, pressed
from starloom_gui.widgets.typed_find import TypedFind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
    from PySide6.QtWidgets import QWidget

    from starloom_gui.canvas.render_model import GraphRenderModel
    from starloom_gui.canvas.tools.gesture import Gesture
    from starloom_gui.editing.base import Editor
    from starloom_gui.editing.notebook import Notebook
    from starloom_gui.editing.templates import TaskTemplate
    from starloom_gui.editing.trial import Trial
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.viewmodel.selection import Selection

HOVER_MS: Final = 500
SHIFT: Final = Qt.KeyboardModifier.ShiftModifier
STEPS: Final = {
    Qt.Key.Key_Left: Step.PARENT,
    Qt.Key.Key_Right: Step.CHILD,
    Qt.Key.Key_Up: Step.BEFORE,
    Qt.Key.Key_Down: Step.AFTER,
    Qt.Key.Key_Home: Step.FIRST,
    Qt.Key.Key_End: Step.LAST,
}


class CanvasView(NotedView):
    """The canvas of one run, one stop of the Tab key.

    Left and Right follow dependencies, Up and Down go to siblings, Home and End to the first and the last task; Ctrl
    goes there without selecting. Enter activates, Menu asks for the verbs. A folded group is selected as all its tasks.
    Shift with arrows adds what they lead to, Shift and a drag over the ground selects an area; Alt+arrows move nodes,
    Alt+Shift+arrows line them up. A dragged node stops in line with others; while Ctrl is held it does not.
    All other keys are in `keys.KEYS`, under `Scope.GRAPH`. What is typed finds a task.

    While a dependency is led by keys, arrows choose, Enter makes it; of a selected dependency, Enter opens kind and
    condition, and the keys that connect move its ends. Escape ends any of these without a trace. Of a selected note,
    Enter opens the text, Delete removes it, Alt+arrows move it.

    A double click edits what it hits: the name of a task, the condition of a dependency, the text of a note; it unfolds
    a group, and adds a task where nothing is.

    Attributes:
        typed: shows what is typed to find a task.
        leave: ends what else is shown on the graph, and says whether there was anything; asked by Escape.

    Signals:
        activated(Asked): more is wanted of a task: Enter, or a double click where its name is fixed.
        menu_asked(Asked): a menu is wanted of what is under the pointer, or of what is selected.
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
        self.hand = GestureController(self, selection)
        self.leave: Callable[[], bool] = lambda: False
        self._held = ActiveGesture(self)
        self._asking = MenuAsking(self, selection, self.hand, self._choose)
        self._pointer = QPointF()
        self._resting = QTimer(self)
        self._resting.setSingleShot(True)
        self._resting.setInterval(HOVER_MS)
        self._resting.timeout.connect(self.show_card)
        self.moved.connect(self._resting.stop)
        self.viewport().setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.typed = TypedFind(self, self.find_typed, appearance, lambda: self._held.is_on or self.hand.is_leading)

    # ---- editing

    def set_editor(
        self, editor: Editor, kinds: Callable[[], Sequence[TaskTemplate]], trial: Trial | None = None
    ) -> None:
        """Let the graph be edited; to be called once.

        Args:
            editor: of the graph that is shown.
            kinds: gives what a new task can begin as.
            trial: says what a step would change that is held still; None: nothing is foreseen.
        """
        self.hand.verbs = EditingVerbs(self, self._selection, editor, kinds, trial)
        editor.changed.connect(self._edits_changed)
        self.rearranged.connect(lambda moved: editor.note(moved.label, moved.back, moved.merges))
        self._edits_changed()

    def set_notebook(self, book: Notebook) -> None:
        """Show notes, and let them be changed; to be called once."""
        self.hand.notes = NoteVerbs(self, self._selection, book)

    def _edits_changed(self) -> None:
        """Show what may still be changed, and the selected dependency as it is now."""
        if self.picture is not None and self.hand.verbs is not None:
            self.settle(self.hand.verbs.facts())
            show_locks(self.picture, self.hand.verbs.editor)
            self.viewport().update()
        self.hand.renew()

    @override
    def show_picture(self, picture: GraphRenderModel | None) -> None:
        """Show another picture of the same run; what the hand was doing goes on in it."""
        super().show_picture(picture)
        self._held.renew()
        self._edits_changed()

    @override
    def tasks_changed(self, numbers: Iterable[int]) -> None:
        """Follow tasks that may have changed; nothing moves."""
        known = tuple(numbers)
        if self.picture is not None and self.hand.verbs is not None:
            follow_locks(self.picture, self.hand.verbs.editor, known)
        super().tasks_changed(known)

    # ---- keys

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, control = Qt.Key(event.key()), bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        self._move_freely(now=key == Qt.Key.Key_Control or control)
        if not self._held.is_on and self.hand.key(key, event.modifiers()):
            event.accept()
        elif key in STEPS:
            self._walk(STEPS[key], select=not control, more=bool(event.modifiers() & SHIFT))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._activate(self._selection.now.current)
        elif key == Qt.Key.Key_Escape:
            self._escape()
        elif not self._looked_with(pressed(Scope.GRAPH, key, event.modifiers())):
            event.ignore()

    @override
    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        self._move_freely(now=self.moves_freely and event.key() != Qt.Key.Key_Control)
        super().keyReleaseEvent(event)

    def _move_freely(self, *, now: bool) -> None:
        """Let nodes that are dragged stop nowhere by themselves while Ctrl is held."""
        if now is not self.moves_freely:
            self.moves_freely = now
            self._held.again()

    def _looked_with(self, name: str) -> bool:
        """Change how the graph is looked at; whether there is such a command."""
        verbs: dict[str, Callable[[], object]] = {
            "fold": self._fold,
            "unfold": self._unfold,
            "fit_all": self.fit_all,
            "focus": self._focus_current,
            "turn": self.turn,
            "toggle": lambda: self._toggle(self._row(self._selection.now.current)),
        }
        verb = verbs.get(name)
        if verb is not None:
            verb()
        return verb is not None

    def _fold(self) -> None:
        """Fold the group of the current task, if it is selected: else the key is for the whole graph."""
        if not self.fold_group_of(self._selected_current()):
            self.zoom_out()

    def _unfold(self) -> None:
        """Unfold the group of the current task, if it is selected: else the key is for the whole graph."""
        if not self.unfold_group_of(self._selected_current()):
            self.zoom_in()

    def _selected_current(self) -> int | None:
        now = self._selection.now
        return now.current if now.current in now.numbers else None

    def _focus_current(self) -> None:
        current = self._selection.now.current
        if current is not None:
            self.focus_task(current)

    def _walk(self, way: Step, *, select: bool, more: bool = False) -> None:
        picture = self.picture
        if picture is None:
            return
        current = picture.row(self._selection.now.current)
        row = step(picture, current, way) if current is not None else first(picture)
        if row is None:
            return
        self.hand.stop()
        if more:
            both = (*picture.numbers_at(row), *(picture.numbers_at(current) if current is not None else ()))
            self._selection.select_all(self._selection.now.numbers | set(both), int(picture.numbers[row]))
        elif select:
            self._choose(row)
        else:
            self._selection.move(int(picture.numbers[row]))
        self.reveal_task(int(picture.numbers[row]))

    def _row(self, number: int | None) -> int | None:
        return self.picture.row(number) if self.picture is not None else None

    def _choose(self, row: int) -> None:
        """Select what a node stands for."""
        assert self.picture is not None
        self._selection.select_all(self.picture.numbers_at(row), int(self.picture.numbers[row]))

    def _toggle(self, row: int | None) -> None:
        """Add what a node stands for to the selection, or take it out."""
        if self.picture is None or row is None:
            return
        some, chosen = frozenset(self.picture.numbers_at(row)), self._selection.now.numbers
        self._selection.select_all(chosen - some if some <= chosen else chosen | some, int(self.picture.numbers[row]))

    def _escape(self) -> None:
        if not self._held.cancel() and not self.hand.escape() and not self.leave():
            self._selection.clear()

    def _activate(self, number: int | None) -> None:
        row = self._row(number)
        if row is not None:
            self.activated.emit(Asked(number, self._on_screen(row), self._group(row)))

    def _group(self, row: int | None) -> str:
        tally = self.picture.tallies.get(row) if self.picture is not None and row is not None else None
        return tally.name if tally is not None else ""

    def _on_screen(self, row: int) -> QPoint:
        return self.viewport().mapToGlobal(self.node_rect(row).toRect().center())

    # ---- pointer

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.stop()
        self._resting.stop()  # nothing is told under a menu, or over what a press has opened
        self.card.hide()
        event.accept()
        if self._held.cancel():
            return  # a second button takes back what the first one began
        at, button, modifiers = event.position().toPoint(), event.button(), event.modifiers()
        row = self.row_at(at)
        if button == Qt.MouseButton.MiddleButton:
            self._held.take(Pan(self, at, clicked=lambda: None))
        elif button == Qt.MouseButton.LeftButton:
            self._held.take(self._taken(at, row, modifiers))
        elif button == Qt.MouseButton.RightButton:
            self._asking.press(at)

    def _taken(self, at: QPoint, row: int | None, modifiers: Qt.KeyboardModifier) -> Gesture | None:
        """What a press of the left button begins."""
        number = int(self.picture.numbers[row]) if self.picture is not None and row is not None else None

        def pick() -> None:
            self._pick(number, modifiers)

        gesture = self.hand.press(at, modifiers, pick)
        if gesture is None and row is None:
            return Pan(self, at, clicked=lambda: self.hand.click_ground(at))
        if gesture is None:
            pick()
        return gesture

    def _pick(self, number: int | None, modifiers: Qt.KeyboardModifier) -> None:
        row = self._row(number)
        if row is None:
            return
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            self._toggle(row)
        else:
            self._choose(row)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._held.is_on:
            self._move_freely(now=bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier))
            self._held.move(event.position().toPoint())
        else:
            self._hover(event.position())
            self.hand.hover(event.position().toPoint())
        event.accept()

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._held.release(event.position().toPoint())
        event.accept()

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        at, row = event.position().toPoint(), self.row_at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and row is not None and self.note_at(at) is None:
            self._open_node(row)
        elif event.button() != Qt.MouseButton.LeftButton or not self.hand.double_click(at):
            self.mousePressEvent(event)

    def _open_node(self, row: int) -> None:
        """Unfold a group; have the name of a task written; of one whose name is fixed, tell more."""
        assert self.picture is not None
        number = int(self.picture.numbers[row])
        if self.unfold_group_of(number):
            return
        self._choose(row)
        if self.hand.verbs is None or not self.hand.verbs.rename():
            self._activate(number)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        asked = self._asking.selected() if by_key else self._asking.under(event.pos(), event.globalPos())
        self.menu_asked.emit(asked)
        event.accept()

    # ---- resting pointer

    def _hover(self, at: QPointF) -> None:
        self._pointer = at
        row, shown = self.row_at(at.toPoint()), self.item.shown
        if row != shown.hovered:
            before, shown.hovered = shown.hovered, row
            self._repaint([each for each in (before, row) if each is not None])
            self.card.hide()
        self._resting.start()

    def show_card(self) -> None:
        """Tell more about what is under the pointer."""
        picture, at = self.picture, self._pointer
        if picture is None or self._held.is_on or self.hand.is_writing:
            return
        row = self.row_at(at.toPoint())
        if row is not None and row in picture.tallies:
            self.card.show_group(picture.tallies[row], self.node_rect(row).toRect())
        elif row is not None:
            self.card.show_task(picture, row, self._clock(), self.node_rect(row).toRect())
        elif (edge := self.edge_at(at.toPoint())) is not None:
            self.card.show_edge(picture, edge, QRect(at.toPoint(), at.toPoint()))

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self._resting.stop()
        self.card.hide()
        before, self.item.shown.hovered = self.item.shown.hovered, None
        if before is not None:
            self._repaint([before])
        self.point_out(None)
        super().leaveEvent(event)

    # ---- focus

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        self._focused(now=True)
        super().focusInEvent(event)
        self._announcer.went()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._focused(now=False)
        if event.reason() == Qt.FocusReason.ActiveWindowFocusReason:
            self._held.cancel()  # the release would never be heard of
        super().focusOutEvent(event)

    def _focused(self, *, now: bool) -> None:
        shown = self.item.shown
        shown.focused = now
        if shown.current is not None:
            self._repaint([shown.current])
