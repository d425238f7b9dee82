"""Dropping onto the canvas: on the ground, a task or a dependency; what cannot be says why; nothing before the drop."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from tests.driver import edge, task
from tests.gui.canvas.runs import arranged, picture_of
from tests.gui.editing.driven_foreseer import DrivenForeseer
from tests.gui.editing.engine_by_hand import build, links, number

from starloom.layout import Direction
from starloom.model.status import DependencyKind
from starloom_gui.canvas.arranging import LayoutOptions
from starloom_gui.canvas.drafting import Drafting
from starloom_gui.canvas.drops import Drops
from starloom_gui.canvas.view import CanvasView
from starloom_gui.editing import steps
from starloom_gui.editing.adding import Planter
from starloom_gui.editing.clipboard import EDITS_TYPE, TEMPLATE_TYPE, Clipboard, mime_of
from starloom_gui.editing.snippets import Snippet
from starloom_gui.editing.trial import Trial
from starloom_gui.shell.opening import FileDrops
from starloom_gui.theme.appearance import Appearance, Theme
from starloom_gui.viewmodel.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

PLAIN = Qt.KeyboardModifier.NoModifier
COPY = Qt.DropAction.CopyAction


class Bench:
    """A canvas, and something that is dragged over it by synthesised events."""

    def __init__(self, app: QApplication) -> None:
        self.app = app
        self.editor, self.selection = build(), Selection()
        look = Appearance(app, Theme.DARK, reduced_motion=True)
        self.view = CanvasView(look, self.selection, lambda: 0.0)
        self.view.resize(904, 498)
        self.view.show()
        self.planter = Planter(self.editor, self.selection)
        self.clipboard = Clipboard(self.editor, self.selection)
        self.foreseer = DrivenForeseer(self.editor.facts())
        trial = Trial(self.foreseer, lambda at: at)
        self.drafting = Drafting(self.view.surface, self.planter)
        self.drops = Drops(self.view, self.drafting, self.clipboard, look, trial)
        self.refused: list[str] = []
        for one in (self.planter, self.clipboard):
            one.refused.connect(lambda what, why: self.refused.append(f"{what}: {why}"))
        self.draw()

    def draw(self) -> None:
        self.view.show_run(picture_of(self.editor.facts()))

    def node(self, task_id: str) -> QPoint:
        picture = self.view.graph.picture
        assert picture is not None
        row = picture.row(number(self.editor.facts(), task_id))
        assert row is not None
        return self.view.graph.node_rect(row).center().toPoint()

    def middle(self, parent: str, child: str) -> QPoint:
        """A point on a dependency."""
        picture = self.view.graph.picture
        assert picture is not None
        pair = [number(self.editor.facts(), one) for one in (parent, child)]
        index = [picture.numbers[rows].tolist() for rows in picture.edges].index(pair)
        ends = picture.layout.routes.of(index)[:4]
        x, y = ((ends[0] + 3 * ends[1] + 3 * ends[2] + ends[3]) / 8).tolist()
        return self.view.mapFromScene(QPointF(x, y))

    @property
    def ground(self) -> QPoint:
        return QPoint(450, 20)

    def drag(self, mime: QMimeData, *places: QPoint) -> bool:
        """Drag it in and over these places; whether it could be dropped at the last one."""
        enter = QDragEnterEvent(places[0], COPY, mime, Qt.MouseButton.LeftButton, PLAIN)
        self.app.sendEvent(self.view.viewport(), enter)
        if not enter.isAccepted():
            return False
        accepted = False
        for at in places:
            move = QDragMoveEvent(at, COPY, mime, Qt.MouseButton.LeftButton, PLAIN)
            move.ignore()
            self.app.sendEvent(self.view.viewport(), move)
            accepted = move.isAccepted()
        return accepted

    def drop(self, mime: QMimeData, *places: QPoint) -> bool:
        """Drop it, and say Enter to what is asked about it; whether it could be dropped."""
        accepted = self.drag(mime, *places)
        if accepted:
            event = QDropEvent(QPointF(places[-1]), COPY, mime, Qt.MouseButton.LeftButton, PLAIN)
            self.app.sendEvent(self.view.viewport(), event)
            if self.drafting.field is not None:
                QTest.keyClick(self.drafting.field.name, Qt.Key.Key_Return)
        else:  # as Qt does
            self.leave()
        return accepted

    def leave(self) -> None:
        self.app.sendEvent(self.view.viewport(), QDragLeaveEvent())

    @property
    def words(self) -> str:
        sight = self.drops.preview.sight
        return sight.words if sight is not None else ""


@pytest.fixture
def bench(app: QApplication) -> Iterator[Bench]:
    made = Bench(app)
    yield made
    made.view.close()
    made.view.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def template(task_id: str = "new") -> QMimeData:
    return mime_of(Snippet(tasks=(task(task_id, name="New one"),)), TEMPLATE_TYPE)


# ---- where it goes


def test_on_the_ground_it_waits_for_nothing(bench: Bench) -> None:
    assert bench.drop(template(), bench.ground)
    facts = bench.editor.facts()
    assert "new" in facts.graph.place
    assert not any("new" in one for one in links(facts))
    assert bench.editor.steps[-1].label == "Add New one"
    assert bench.selection.now.numbers == {number(facts, "new")}
    assert bench.drops.preview.sight is None
    assert bench.drops.preview.isHidden()


def test_on_the_ground_it_stays_where_it_was_dropped(bench: Bench) -> None:
    bench.drop(template(), bench.ground)
    facts = bench.editor.facts()
    bench.view.show_picture(arranged(facts, bench.view.layout_controller.arrangement))
    assert (bench.node("new") - bench.ground).manhattanLength() <= 2


def test_on_something_it_stands_where_the_layout_wants_it(bench: Bench) -> None:
    bench.drop(template(), bench.node("compile"))
    assert not bench.view.layout_controller.arrangement.pinned


def test_it_is_put_there_once_the_engine_has_taken_it_and_nothing_else_is(bench: Bench) -> None:
    bench.editor.answers = False
    bench.drop(template(), bench.ground)
    assert not bench.view.layout_controller.arrangement.pinned
    bench.editor.answer()
    assert list(bench.view.layout_controller.arrangement.pinned) == [number(bench.editor.facts(), "new")]
    bench.editor.answers = True
    bench.planter.ask_at_keys(task("other"))
    assert len(bench.view.layout_controller.arrangement.pinned) == 1, "only what was dropped is put anywhere"


def test_on_a_task_it_comes_after_it(bench: Bench) -> None:
    assert bench.drop(template(), bench.ground, bench.node("compile"))
    assert "compile>new" in links(bench.editor.facts())
    assert bench.editor.steps[-1].label == "Add New one after Compile it"


def test_on_a_dependency_it_comes_between_and_keeps_what_was_asked_of_the_parent(bench: Bench) -> None:
    assert bench.drop(template(), bench.middle("compile", "test"))
    facts = bench.editor.facts()
    assert {"compile>new>condition", "new>test"} <= links(facts)
    assert "compile>test>condition" not in links(facts)
    kept = facts.graph.dependency(number(facts, "compile"), number(facts, "new"))
    assert (kept.kind, kept.condition) == (DependencyKind.CONDITION, "value.ok")
    assert len(bench.editor.steps) == 1, "one drop is one step"


def test_an_id_that_is_taken_gets_a_number(bench: Bench) -> None:
    bench.drop(template("docs"), bench.ground)
    assert "docs-2" in bench.editor.facts().graph.place


def test_several_copied_tasks_are_pasted(bench: Bench) -> None:
    mime = mime_of(Snippet(tasks=(task("a"), task("b")), dependencies=(edge("a", "b"),)), EDITS_TYPE)
    assert bench.drag(mime, bench.node("compile"))
    assert bench.words == "Paste 2 task(s)"
    bench.leave()
    assert bench.drop(mime, bench.ground)
    assert "a>b" in links(bench.editor.facts())


# ---- what is seen meanwhile


def test_the_target_is_marked_and_named_and_nothing_has_changed_yet(bench: Bench) -> None:
    before = bench.editor.facts().graph.canonical_bytes()
    assert bench.drag(template(), bench.ground)
    assert bench.words == "Add without dependencies"
    assert bench.drag(template(), bench.middle("compile", "report"))
    assert bench.words == "Add between Compile it and report"
    sight = bench.drops.preview.sight
    assert sight is not None
    assert sight.line is not None
    assert bench.drag(template(), bench.node("test"))
    assert bench.words == "Add after test"
    bench.leave()
    assert bench.drops.preview.isHidden()
    assert bench.editor.facts().graph.canonical_bytes() == before
    assert bench.editor.steps == []


def test_what_has_started_cannot_wait_for_a_new_task_and_that_is_said(bench: Bench) -> None:
    bench.editor.driver.end("sources")
    bench.draw()
    bench.drop(template(), bench.middle("sources", "compile"))
    assert bench.editor.steps == []
    assert "compile" in bench.refused[0], "a drop is told, too, why it did nothing"
    bench.drag(template(), bench.middle("sources", "compile"))
    sight = bench.drops.preview.sight
    assert sight is not None
    assert sight.wrong
    assert "compile" in sight.words
    assert bench.drag(template(), bench.ground), "elsewhere it still can"


def test_a_pointer_that_rests_hears_what_the_drop_would_change(bench: Bench) -> None:
    bench.drag(template(), bench.ground, bench.node("compile"), bench.node("compile") + QPoint(3, 3))
    assert [step.label for step in bench.foreseer.asked if step] == [
        "Add New one",
        "Add New one after Compile it",
    ], "asked once for each place, however often the pointer moves in it"
    bench.foreseer.tell(bench.foreseer.asked[-1])
    assert bench.words.startswith("Add after Compile it\nFinish ")
    bench.leave()
    assert bench.foreseer.asked[-1] is None


def test_what_is_foreseen_of_a_place_that_has_gone_meanwhile_is_not_said(bench: Bench) -> None:
    bench.drag(template(), bench.middle("test", "report"))
    said, facts = bench.words, bench.editor.facts()
    bench.editor.do(steps.disconnect(facts, number(facts, "test"), number(facts, "report")))
    bench.draw()
    bench.foreseer.tell(bench.foreseer.asked[-1])
    assert bench.words == said


def test_what_cannot_be_dropped_is_not_foreseen(bench: Bench) -> None:
    bench.editor.driver.end("sources")
    bench.draw()
    bench.drag(template(), bench.middle("sources", "compile"))
    assert bench.foreseer.asked == []


def test_the_picture_says_so_too(bench: Bench) -> None:
    at = bench.middle("compile", "report")
    bench.drag(template(), at)
    badge = bench.view.grab().toImage().pixelColor(at + QPoint(6, 0)).name()
    assert badge == bench.drops.preview._appearance.palette.text.lower()


def test_what_is_said_lies_over_the_mini_map(bench: Bench) -> None:
    corner = QPoint(bench.view.width() - 40, bench.view.height() - 60)
    bench.drag(template(), corner)
    assert bench.words
    children = [one for one in bench.view.children() if isinstance(one, QWidget)]
    assert children.index(bench.drops.preview) > children.index(bench.view.controls.minimap)
    assert bench.drops.preview.geometry() == bench.view.viewport().geometry()


def test_in_a_graph_that_points_down_the_plus_is_at_the_bottom(bench: Bench) -> None:
    bench.view.layout_controller.turn()
    picture = arranged(bench.editor.facts(), LayoutOptions(direction=Direction.DOWN))
    bench.view.show_picture(picture)
    at = bench.node("compile")
    bench.drag(template(), at)
    sight = bench.drops.preview.sight
    assert sight is not None
    assert sight.node is not None
    badge = sight.badge()
    assert badge is not None
    assert badge.y() == sight.node.bottom()


# ---- what is not taken


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"{", "ends too early"),
        (b'{"starloom_edits": 1, "tasks": [{"id": "a"}]}', "exactly one of"),
        (b'{"starloom_edits": 1, "tasks": [{"id": "a", "call": "x"}, {"id": "b", "call": "x"}]}', "one task"),
    ],
    ids=["half", "no action", "two tasks"],
)
def test_a_bad_template_cannot_be_dropped_and_the_reason_is_at_the_pointer(
    bench: Bench, data: bytes, said: str
) -> None:
    mime = QMimeData()
    mime.setData(TEMPLATE_TYPE, data)
    bench.drag(mime, bench.ground, bench.node("compile"))
    assert said in bench.words
    bench.leave()
    bench.drop(mime, bench.ground)
    assert bench.editor.steps == []
    assert said in bench.refused[0]


def test_files_and_plain_text_are_left_to_others(bench: Bench) -> None:
    files, words = QMimeData(), QMimeData()
    files.setUrls([QUrl.fromLocalFile("plan.yaml")])
    words.setText("starloom: 1")
    assert not bench.drag(files, bench.ground)
    assert not bench.drag(words, bench.ground)
    assert bench.drops.preview.sight is None


def test_a_refusal_that_comes_with_the_drop_is_told(bench: Bench) -> None:
    """Somebody else was faster between the last move and the drop."""
    at, mime = bench.middle("sources", "compile"), template()  # an event does not keep what it carries
    bench.drag(mime, at)
    bench.editor.driver.end("sources")
    event = QDropEvent(QPointF(at), COPY, mime, Qt.MouseButton.LeftButton, PLAIN)
    bench.app.sendEvent(bench.view.viewport(), event)
    assert bench.editor.steps == []
    assert bench.refused[0].startswith("New one was not added: ")


def test_at_the_border_the_canvas_scrolls_until_the_drag_leaves(bench: Bench, qtbot: QtBot) -> None:
    at = QPoint(bench.view.viewport().width() - 3, 250)
    before = bench.view.pan_zoom.seen.left()
    bench.drag(template(), QPoint(450, 20), at)
    qtbot.waitUntil(lambda: bench.view.pan_zoom.seen.left() > before + 40)
    bench.leave()
    stopped = bench.view.pan_zoom.seen.left()
    qtbot.wait(100)
    assert bench.view.pan_zoom.seen.left() == stopped


def test_what_comes_under_a_pointer_at_the_border_is_what_it_would_be_dropped_on(bench: Bench, qtbot: QtBot) -> None:
    at = bench.node("report")
    bench.view.pan_zoom.scroll_by(at.x() - bench.view.viewport().width() - 150, 0)  # it is out of sight to the right
    edge = QPoint(bench.view.viewport().width() - 3, bench.node("report").y())
    bench.drag(template(), QPoint(450, 20), edge)
    assert bench.words != "Add after report"
    qtbot.waitUntil(lambda: bench.words == "Add after report")
    bench.leave()


def test_a_file_is_left_to_what_the_canvas_lies_in(bench: Bench) -> None:
    mime, opened = QMimeData(), list[str]()
    mime.setUrls([QUrl.fromLocalFile("/plans/other.yaml")])
    FileDrops(bench.view).dropped.connect(opened.extend)
    assert bench.drop(mime, bench.ground)
    assert opened == ["/plans/other.yaml"]


def test_what_nobody_knows_is_taken_by_nobody(bench: Bench) -> None:
    mime = QMimeData()
    mime.setText("something")
    assert not bench.drag(mime, bench.ground)
