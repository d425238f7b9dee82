"""Gestures over the editor of a run: they stage or commit, the run goes on, and undo takes one gesture back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QStatusTipEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.gui.canvas.looking import row_in, shown_in
from tests.gui.editing.run_editor_bench import RunEditorBench
from typing_extensions import override

from starloom_gui.canvas.arranging import LayoutInput
from starloom_gui.canvas.ports import port_place
from starloom_gui.canvas.render_model import GraphRenderModel, NodeMark
from starloom_gui.canvas.view import CanvasView
from starloom_gui.editing.base import Mode
from starloom_gui.editing.templates import kinds
from starloom_gui.viewmodel.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom_gui.theme.appearance import Appearance

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier


class Table:
    """A canvas over the editor of a run, drawn anew whenever its editor says so."""

    def __init__(self, bench: RunEditorBench, view: CanvasView) -> None:
        self.bench, self.view = bench, view
        self.redraw()
        view.set_editor(bench.editor, kinds)
        bench.editor.changed.connect(self.redraw)

    def redraw(self) -> None:
        facts, before = self.bench.editor.facts(), self.view.graph.picture
        assert facts is not None
        self.view.show_picture(
            GraphRenderModel(facts, LayoutInput.of(facts).laid_out(before.layout if before else None))
        )

    def number(self, id: str) -> int:
        return shown_in(self.view).facts.graph.place[id]

    def connect(self, parent: str, child: str) -> None:
        """Drag from a task's port to another task."""
        picture, port = shown_in(self.view), self.view.viewport()
        place = port_place(picture, row_in(self.view, self.number(parent)), outgoing=True)
        begin = self.view.viewportTransform().map(QPointF(*place)).toPoint()
        end = self.view.graph.node_rect(row_in(self.view, self.number(child))).center().toPoint()
        QTest.mousePress(port, LEFT, NONE, begin)
        QTest.mouseMove(port, (begin + end) / 2)
        QTest.mouseMove(port, end)
        QTest.mouseRelease(port, LEFT, NONE, end)
        QApplication.processEvents()

    def edges(self) -> set[tuple[str, str]]:
        facts = self.bench.editor.facts()
        assert facts is not None
        return {(each.parent, each.child) for each in facts.graph.dependencies()}


@pytest.fixture
def table(appearance: Appearance) -> Iterator[Table]:
    """`a` and `d` run, `b` waits for `a`, `c` for `b`, `e` for nothing but a slot."""
    view = CanvasView(appearance, Selection(), lambda: 0.0)
    view.resize(900, 400)
    view.show()
    made = Table(RunEditorBench(), view)
    view.pan_zoom.fit_all()
    yield made
    view.close()
    view.deleteLater()


def test_a_live_gesture_is_one_batch_and_undo_takes_it_back(table: Table) -> None:
    before = table.bench.graph()
    table.connect("c", "e")
    assert len(table.bench.engine.sent) == 1
    assert table.view.overlay.painter.preview.line is not None, "it is shown until there is an answer"
    table.bench.settle()
    assert ("c", "e") in table.edges()
    assert table.view.overlay.painter.preview.is_empty
    assert table.bench.editor.undo_offer().label == "Add dependency c → e"
    table.bench.undo()
    assert table.bench.graph() == before


def test_a_gesture_the_run_has_overtaken_is_refused_and_its_preview_goes(table: Table) -> None:
    table.connect("c", "e")
    table.bench.driver.end("a")
    table.bench.driver.end_all()
    table.bench.settle()
    assert [what for what, _ in table.bench.said] == ["Add dependency c → e"]
    assert table.view.overlay.painter.preview.is_empty
    assert ("c", "e") not in table.edges()


def test_staged_gestures_leave_the_run_alone_and_build_on_each_other(table: Table) -> None:
    before = table.bench.graph()
    table.bench.editor.set_mode(Mode.STAGED)
    assert shown_in(table.view).lock[row_in(table.view, table.number("a"))] == NodeMark.LOCK_FULL
    table.connect("c", "e")
    table.connect("e", "b")
    assert table.view.overlay.note == "This would close the cycle e → b → c → e."
    assert ("c", "e") in table.edges()
    assert ("e", "b") not in table.edges(), "it would close a cycle with what is staged"
    assert (table.bench.engine.sent, table.bench.graph()) == ([], before)
    assert [staged.step.label for staged in table.bench.editor.steps] == ["Add dependency c → e"]
    table.bench.editor.staging.discard()
    assert ("c", "e") not in table.edges()
    assert not shown_in(table.view).stage.any()


class Tips(QObject):
    """Notes what a view has the status bar say."""

    def __init__(self, view: CanvasView) -> None:
        super().__init__(view)
        self.said: list[str] = []
        view.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QStatusTipEvent):
            self.said.append(event.tip())
        return False


def test_a_padlock_is_explained_by_the_card_of_its_node_and_in_the_status_bar(table: Table) -> None:
    tips, view = Tips(table.view), table.view
    table.bench.editor.set_mode(Mode.STAGED)
    for id in ("a", "e"):
        view.hover.follow(view.graph.node_rect(row_in(view, table.number(id))).center().toPoint())
        view.hover.show_card()
        if id == "a":
            assert "Once it has ended, retry it in Live mode." in view.controls.card.texts[2]
    assert "adlock" not in view.controls.card.texts[2], "it has none"
    assert [said.partition(":")[0] for said in tips.said] == ["Padlock", ""]
    view.hover.leave()


def test_what_the_status_bar_says_of_a_padlock_follows_the_task_under_a_pointer_that_rests(table: Table) -> None:
    tips, view, bench = Tips(table.view), table.view, table.bench
    bench.editor.set_mode(Mode.STAGED)
    view.hover.follow(view.graph.node_rect(row_in(view, table.number("b"))).center().toPoint())
    assert tips.said == []
    bench.driver.end("a")
    bench.tell()
    view.tasks_changed([table.number("a"), table.number("b")])
    assert [said.partition(":")[0] for said in tips.said] == ["Padlock"]


def test_the_status_bar_says_nothing_of_a_padlock_once_the_pointer_has_left_a_graph_that_was_drawn_anew(
    table: Table,
) -> None:
    tips, view, bench = Tips(table.view), table.view, table.bench
    bench.editor.set_mode(Mode.STAGED)
    view.hover.follow(view.graph.node_rect(row_in(view, table.number("a"))).center().toPoint())
    assert [said.partition(":")[0] for said in tips.said] == ["Padlock"]
    bench.add("extra", "a")
    view.hover.leave()
    assert tips.said[-1] == ""
