"""The canvas: a graphics view that composes the parts, and forwards Qt's events to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QGraphicsView
from typing_extensions import override

from starloom_gui.canvas.announcing import Announcer
from starloom_gui.canvas.controls import Controls
from starloom_gui.canvas.editing_verbs import EditingVerbs
from starloom_gui.canvas.folding import Folding
from starloom_gui.canvas.frame_layer import FrameLayer
from starloom_gui.canvas.gesture_controller import GestureController
from starloom_gui.canvas.gesture_overlay import GestureOverlay
from starloom_gui.canvas.graph_layer import GraphLayer
from starloom_gui.canvas.highlights import Highlights
from starloom_gui.canvas.hit_tester import HitTester
from starloom_gui.canvas.hover_cards import HoverCards
from starloom_gui.canvas.key_navigation import KeyNavigation
from starloom_gui.canvas.layout_controller import LayoutController
from starloom_gui.canvas.locking import follow_locks, show_locks
from starloom_gui.canvas.menu_target import MenuTarget
from starloom_gui.canvas.menu_targets import MenuTargets
from starloom_gui.canvas.note_layer import NoteLayer
from starloom_gui.canvas.note_verbs import NoteVerbs
from starloom_gui.canvas.pan_zoom import PanZoom
from starloom_gui.canvas.pointer_input import CONTROL, PointerInput
from starloom_gui.canvas.selection_marks import SelectionMarks
from starloom_gui.canvas.surface import Surface
from starloom_gui.canvas.task_search import TaskSearch
from starloom_gui.text.words import translate
from starloom_gui.widgets.typed_find import TypedFind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QResizeEvent, QShowEvent, QWheelEvent
    from PySide6.QtWidgets import QWidget

    from starloom_gui.canvas.render_model import GraphRenderModel
    from starloom_gui.editing.base import Editor
    from starloom_gui.editing.notebook import Notebook
    from starloom_gui.editing.templates import TaskTemplate
    from starloom_gui.editing.trial import Trial
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.viewmodel.selection import Selection


class CanvasView(QGraphicsView):
    """Shows and edits the graph of one run; it is one stop of the Tab key.

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
        pan_zoom: where it looks.
        graph: what is shown.
        highlights: filter, critical path and colouring.
        controls: what lies over and below the graph.
        marks: what is selected and current.
        hit_tester: what is at a place of the viewport.
        layout_controller: where nodes stand.
        folding: which groups are folded.
        search: finds tasks by their names.
        overlay: what gestures show, and the selected dependency.
        frames: around groups.
        notes: beside tasks.
        surface: these parts, for what acts on the graph.
        gestures: what presses and the keys of editing mean.
        hover: tells more about what the pointer rests on.
        typed: shows what is typed to find a task.
        leave: ends what else is shown on the graph, and says whether there was anything; asked by Escape.

    Signals:
        activated(MenuTarget): more is wanted of a task: Enter, or a double click where its name is fixed.
        menu_asked(MenuTarget): a menu is wanted of what is under the pointer, or of what is selected.
        badge_clicked(int, BadgeAct): the badge of this task was clicked, which shows that.
    """

    activated = Signal(MenuTarget)
    menu_asked = Signal(MenuTarget)
    badge_clicked = Signal(int, object)

    def __init__(
        self, appearance: Appearance, selection: Selection, clock: Callable[[], float], parent: QWidget | None = None
    ) -> None:
        """Create an empty canvas.

        Args:
            appearance: theme and motion.
            selection: shared with the other views of the run.
            clock: gives seconds on the run's clock.
            parent: of the widget.
        """
        super().__init__(parent)
        self._selection = selection
        self._announcer = Announcer(self, self.accessibleDescription)
        self._compose(appearance, clock)
        self.surface = surface = Surface(
            self,
            self.pan_zoom,
            self.graph,
            self.controls,
            self.hit_tester,
            self.layout_controller,
            self.folding,
            self.overlay,
            self.frames,
            self.notes,
        )
        self.gestures = GestureController(surface, selection)
        self.leave: Callable[[], bool] = lambda: False
        self._keys = KeyNavigation(surface, selection, self.gestures.stop)
        self._pointer = PointerInput(surface, self.gestures, self._keys, self._activate, self.badge_clicked.emit)
        self._menu_targets = MenuTargets(surface, selection, self.gestures, self._keys.choose)
        self.hover = HoverCards(surface, lambda: self._pointer.active.is_on or self.gestures.is_writing, clock)
        self.viewport().setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(translate("Canvas", "Graph"))
        self.typed = TypedFind(
            self, self.search.find_typed, appearance, lambda: self._pointer.active.is_on or self.gestures.is_leading
        )

    def _compose(self, appearance: Appearance, clock: Callable[[], float]) -> None:
        """Create the parts, from the lowest to the topmost, and connect them."""
        self.pan_zoom = PanZoom(self, self._bounds, reduced_motion=appearance.reduced_motion)
        self.graph = GraphLayer(self, self.pan_zoom, appearance, clock)
        self.highlights = Highlights(self.graph, clock)
        self.layout_controller = LayoutController(self.graph, self.pan_zoom, self._selection)
        self.folding = Folding(self.graph, self.layout_controller)
        self.controls = Controls(self, self.pan_zoom, self.graph, self.folding)
        self.marks = SelectionMarks(self, self.graph, self._selection, self._announcer, clock)
        self.hit_tester = HitTester(self.graph, self.pan_zoom)
        self.search = TaskSearch(self.graph, self.folding, self._selection)
        self.overlay = GestureOverlay(self, self.graph, self.pan_zoom, self.controls.minimap, self._announcer, clock)
        self.frames = FrameLayer(self, self.graph, self.pan_zoom, self.hit_tester)
        self.notes = NoteLayer(self, self.graph, self.pan_zoom, self.overlay, self._selection, self._announcer)
        appearance.changed.connect(self._set_palette)
        self.highlights.changed.connect(self.controls.refresh)
        self.highlights.recoloured.connect(self.controls.explain)
        self.marks.changed.connect(self.controls.arrange)
        self.layout_controller.awaited.connect(self.overlay.show_pending)

    def _bounds(self) -> QRectF:
        """The rectangle around all nodes and notes, in the scene; empty: there are none."""
        bounds = self.graph.bounds
        for box in self.notes.item.boxes:
            bounds |= box
        return bounds

    def _set_palette(self, palette: Palette) -> None:
        self.graph.item.palette = palette
        self.controls.set_palette(palette)
        self.graph.update()

    # ---- editing

    def set_editor(
        self, editor: Editor, kinds: Callable[[], Sequence[TaskTemplate]], trial: Trial | None = None
    ) -> None:
        """Enable editing of the graph; to be called once.

        Args:
            editor: of the graph that is shown.
            kinds: gives what a new task can begin as.
            trial: says what a step would change that is held still; None: nothing is foreseen.
        """
        self.gestures.verbs = EditingVerbs(self.surface, self._selection, editor, kinds, trial)
        editor.changed.connect(self._edits_changed)
        self.layout_controller.rearranged.connect(lambda moved: editor.note(moved.label, moved.back, moved.merges))
        self._edits_changed()

    def set_notebook(self, book: Notebook) -> None:
        """Show notes, and enable editing of them; to be called once."""
        self.gestures.notes = NoteVerbs(self.surface, self._selection, book)

    def _edits_changed(self) -> None:
        """Update the locks of tasks, and the selected dependency."""
        picture, verbs = self.graph.picture, self.gestures.verbs
        if picture is not None and verbs is not None:
            self.overlay.settle(verbs.facts())
            show_locks(picture, verbs.editor)
            self.graph.update()
        self.gestures.renew()

    # ---- what is shown

    def show_run(self, picture: GraphRenderModel) -> None:
        """Show a run for the first time: fitted, but not below the scale at which text can be read."""
        self.show_picture(picture)
        self.pan_zoom.look_first()
        self.controls.refresh()

    def show_picture(self, picture: GraphRenderModel | None) -> None:
        """Show another render model of the same run, after its structure changed; an active gesture continues.

        The view stays where it is, unless the user has turned the graph: then what stood in its middle does so again.
        """
        is_first = self.graph.picture is None
        middle = self.layout_controller.middle_to_keep(picture)
        self.overlay.begin_picture()
        self.graph.show_picture(picture)
        self.highlights.show_picture(picture)
        self.controls.show_picture(picture)
        self.marks.refresh()
        self.controls.refresh()
        if picture is not None:
            self.layout_controller.follow_picture(picture, middle)
            self.folding.follow_picture(picture)
        self.overlay.follow_picture(picture)
        self.layout_controller.await_layout()
        self.frames.show_picture(picture)
        self.notes.follow_picture(is_first=is_first)
        self._pointer.active.renew()
        self._edits_changed()
        self.pan_zoom.catch_up()

    def tasks_changed(self, numbers: Iterable[int]) -> None:
        """Update tasks that may have changed; nothing moves."""
        known, verbs = tuple(numbers), self.gestures.verbs
        if self.graph.picture is not None and verbs is not None:
            follow_locks(self.graph.picture, verbs.editor, known)
        self.graph.tasks_changed(known)
        self.hover.tell_lock()

    def tick(self) -> None:
        """Update times and the colours that show them; to be called once a second."""
        self.highlights.tick()
        self.graph.tick()

    # ---- keys

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, modifiers = Qt.Key(event.key()), event.modifiers()
        self._pointer.move_freely(now=key == Qt.Key.Key_Control or bool(modifiers & CONTROL))
        if not self._pointer.active.is_on and self.gestures.key(key, modifiers):
            event.accept()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._activate(self._selection.now.current)
        elif key == Qt.Key.Key_Escape:
            self._escape()
        elif not self._keys.key(key, modifiers):
            event.ignore()

    @override
    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        self._pointer.move_freely(now=self.layout_controller.moves_freely and event.key() != Qt.Key.Key_Control)
        super().keyReleaseEvent(event)

    def _escape(self) -> None:
        if not self._pointer.active.cancel() and not self.gestures.escape() and not self.leave():
            self._selection.clear()

    def _activate(self, number: int | None) -> None:
        picture = self.graph.picture
        row = picture.row(number) if picture is not None else None
        if picture is not None and row is not None:
            tally = picture.tallies.get(row)
            middle = self.viewport().mapToGlobal(self.graph.node_rect(row).toRect().center())
            self.activated.emit(MenuTarget(number, middle, tally.name if tally is not None else ""))

    # ---- pointer

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pan_zoom.stop()
        self.hover.stop()  # nothing is told under a menu, or over what a press has opened
        at, button = event.position().toPoint(), event.button()
        if not self._pointer.press(at, button, event.modifiers()) and button == Qt.MouseButton.RightButton:
            self._menu_targets.press(at)
        event.accept()

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        if not self._pointer.move(at, event.modifiers()):
            self.hover.follow(at)
            self.gestures.hover(at)
        event.accept()

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._pointer.active.release(event.position().toPoint())
        event.accept()

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        is_left = event.button() == Qt.MouseButton.LeftButton
        if not is_left or not self._pointer.double_click(event.position().toPoint()):
            self.mousePressEvent(event)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        asked = self._menu_targets.selected() if by_key else self._menu_targets.under(event.pos(), event.globalPos())
        self.menu_asked.emit(asked)
        event.accept()

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self.hover.leave()
        self.overlay.point_out(None)
        super().leaveEvent(event)

    # ---- the window

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        self.pan_zoom.turn_wheel(event)
        event.accept()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.pan_zoom.catch_up()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.pan_zoom.resized(event.size())

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        self.marks.set_focused(True)
        super().focusInEvent(event)
        self._announcer.went()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.marks.set_focused(False)
        if event.reason() == Qt.FocusReason.ActiveWindowFocusReason:
            self._pointer.active.cancel()  # the release would never be heard of
        super().focusOutEvent(event)
