"""An editor over a scheduler that is driven by hand, and a canvas that shows what it has; and hands to work on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QPointF, Qt, Signal
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.gui.canvas.looking import row_in, shown_in
from tests.gui.editing.driven_foreseer import DrivenForeseer
from tests.gui.pressing import press

from starloom.constellation.edits import EditBatch
from starloom.scheduling.commands import Command, EditConstellation
from starloom.scheduling.decide.questions import refusal
from starloom.scheduling.read.run_view import RunView
from starloom_gui.canvas.arranging import LayoutInput
from starloom_gui.canvas.ports import edge_between, port_place
from starloom_gui.canvas.render_model import GraphRenderModel
from starloom_gui.editing.base import Mode, Rearranged, Step
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.viewmodel.keys import Scope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget
    from tests.driver import Driver

    from starloom.constellation.edits import Edit
    from starloom.layout import Layout
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.canvas.arranging import LayoutOptions
    from starloom_gui.canvas.draft_field import DraftField
    from starloom_gui.canvas.edge_card import EdgeCard
    from starloom_gui.canvas.editing_verbs import EditingVerbs
    from starloom_gui.canvas.view import CanvasView

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier


def let_go(widget: QWidget) -> None:
    """Have no modifier held any more: Qt goes on believing what the last key of a test said, also in the next test."""
    QTest.keyRelease(widget, Qt.Key.Key_Shift, NONE)


class DrivenEditor(QObject):
    """Applies each step to the run of a driver at once, by the engine's own rules.

    Attributes:
        steps: what was done.
        refusals: what was refused.
        noted: what the canvas did by itself: what it is called, what takes it back, what it merges with.
        waits: whether it answers only when `answer` is called.
    """

    changed = Signal()

    def __init__(self, driver: Driver) -> None:
        super().__init__()
        self.driver = driver
        self.steps: list[Step] = []
        self.refusals: list[str] = []
        self._mode = Mode.LIVE
        self.waits = False
        self._asked: list[Step] = []
        self.noted: list[tuple[str, Rearranged, str]] = []

    @property
    def mode(self) -> Mode:
        return self._mode

    def set_mode(self, mode: Mode) -> None:
        self._mode = mode
        self.changed.emit()

    def facts(self) -> RunFacts:
        return self.driver.run()

    def view(self) -> RunView:
        return RunView(self.facts())

    def verdict(self, edits: Sequence[Edit]) -> Verdict:
        command = EditConstellation(run_id="r", batch=EditBatch(edits=tuple(edits)))
        said = refusal(self.driver.scheduler, command)
        return Verdict(True) if said is None else Verdict(False, said.reason, said.hint)

    def do(self, step: Step) -> None:
        self._asked.append(step)
        if not self.waits:
            self.answer()

    def answer(self) -> None:
        """Answer everything that was asked."""
        asked, self._asked = self._asked, []
        for step in asked:
            self._answer(step)
        self.changed.emit()

    def _answer(self, step: Step) -> None:
        verdict = self.verdict(step.edits)
        if not verdict.ok:
            self.refusals.append(verdict.reason)
            return
        self.steps.append(step)
        self.driver.edit(*step.edits)

    def steer(self, command: Command, label: str) -> None:
        raise NotImplementedError("No gesture of the canvas steers.")

    def note(self, label: str, back: Rearranged, merges: str = "") -> None:
        self.noted.append((label, back, merges))

    @property
    def labels(self) -> list[str]:
        return [step.label for step in self.steps]


class Bench:
    """A canvas with an editor, redrawn after each step as the console does, and the means to act on it by id.

    Attributes:
        view: the canvas.
        editor: what it edits.
        foreseer: foresees steps when told to.
    """

    def __init__(self, view: CanvasView, editor: DrivenEditor) -> None:
        self.view, self.editor, self.foreseer = view, editor, DrivenForeseer(editor.facts())
        self._goes_back_to: Layout | None = None
        view.layout_controller.going_back.connect(self._go_back)
        view.layout_controller.arrangement_changed.connect(self.redraw)
        editor.changed.connect(self.redraw)

    def _go_back(self, layout: Layout) -> None:
        self._goes_back_to = layout

    def redraw(self, _wanted: LayoutOptions | None = None) -> None:
        before = self.view.graph.picture
        shape = LayoutInput.of(self.editor.facts(), self.view.layout_controller.arrangement)
        once, self._goes_back_to = self._goes_back_to, None
        laid_out = shape.laid_out(once or (before.layout if before is not None else None))
        self.view.show_picture(GraphRenderModel(self.editor.facts(), laid_out, shape.folded))

    # ---- where things are

    def number(self, id: str) -> int:
        return self.editor.facts().graph.place[id]

    def middle(self, id: str) -> QPoint:
        return self.view.graph.node_rect(row_in(self.view, self.number(id))).center().toPoint()

    def port(self, id: str, *, outgoing: bool) -> QPoint:
        picture = shown_in(self.view)
        place = port_place(picture, row_in(self.view, self.number(id)), outgoing=outgoing)
        return self.view.viewportTransform().map(QPointF(*place)).toPoint()

    def on_edge(self, parent: str, child: str, share: float = 0.5) -> QPoint:
        picture = shown_in(self.view)
        edge = edge_between(picture, self.number(parent), self.number(child))
        assert edge is not None, f"no edge {parent} → {child} is drawn"
        points = picture.layout.routes.of(edge)
        at = points[0] * (1 - share) + points[-1] * share
        return self.view.viewportTransform().map(QPointF(*at.tolist())).toPoint()

    def edges(self) -> set[tuple[str, str]]:
        return {(each.parent, each.child) for each in self.editor.facts().graph.dependencies()}

    def dimmed(self) -> set[str]:
        picture = shown_in(self.view)
        return {picture.layout.graph.ids[row] for row in self.view.graph.item.shown.dim.nonzero()[0].tolist()}

    def chosen(self) -> set[str]:
        return {self.editor.facts().graph.ids[number] for number in self.view._selection.now.numbers}

    @property
    def verbs(self) -> EditingVerbs:
        verbs = self.view.gestures.verbs
        assert verbs is not None
        return verbs

    @property
    def card(self) -> EdgeCard:
        return self.verbs.card

    # ---- hands

    def select(self, *ids: str) -> None:
        self.view._selection.select_all([self.number(id) for id in ids], self.number(ids[0]))

    def press(self, at: QPoint, modifiers: Qt.KeyboardModifier = NONE) -> None:
        QTest.mousePress(self.view.viewport(), LEFT, modifiers, at)

    def press_other(self, at: QPoint) -> None:
        QTest.mousePress(self.view.viewport(), Qt.MouseButton.RightButton, NONE, at)

    def move(self, at: QPoint) -> None:
        far = QPoint(QApplication.startDragDistance(), 0)
        QTest.mouseMove(self.view.viewport(), at - far)
        QTest.mouseMove(self.view.viewport(), at)

    def release(self, at: QPoint) -> None:
        QTest.mouseRelease(self.view.viewport(), LEFT, NONE, at)

    def drag(self, begin: QPoint, end: QPoint, modifiers: Qt.KeyboardModifier = NONE) -> None:
        self.press(begin, modifiers)
        self.move(end)
        self.release(end)

    def command(self, name: str, *keys: Qt.Key) -> None:
        """Press the key of a command of the graph, and then others."""
        press(self.view, Scope.GRAPH, name)
        let_go(self.view)
        self.key(*keys)

    def draft(self) -> DraftField:
        """What a new task is being written in."""
        field = self.verbs.drafting.field
        assert field is not None, "no new task is asked about"
        return field

    def key(self, *keys: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
        for key in keys:
            QTest.keyClick(self.view, key, modifiers)
        if modifiers != NONE:
            let_go(self.view)
