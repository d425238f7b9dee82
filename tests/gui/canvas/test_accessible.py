"""What a screen reader is told of the canvas."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent
from PySide6.QtTest import QTest
from tests.gui.canvas.looking import row_in, shown_in
from tests.gui.canvas.runs import arranged, number_of, picture_of, pose, regression

from starloom.scheduling.state import codes
from starloom_gui.canvas import accessible
from starloom_gui.canvas.accessible import MOST_TOLD, GraphReader, NodeReader
from starloom_gui.canvas.announcing import REST, Announcer
from starloom_gui.canvas.arranging import LayoutOptions
from starloom_gui.canvas.view import CanvasView
from starloom_gui.viewmodel.selection import Selection

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget
    from pytestqt.qtbot import QtBot

    from starloom_gui.theme.appearance import Appearance

NAME = QAccessible.Text.Name


@pytest.fixture(autouse=True, scope="module")
def _installed() -> None:
    accessible.install()


def reader_of(view: CanvasView) -> GraphReader:
    found = QAccessible.queryAccessibleInterface(view)
    assert isinstance(found, GraphReader)
    return found


def node_of(view: CanvasView, id: str) -> NodeReader:
    return reader_of(view).reader(number_of(shown_in(view).facts, id))


def test_the_canvas_is_a_list_of_the_nodes_in_sight(view: CanvasView) -> None:
    reader = reader_of(view)
    assert reader is reader_of(view)
    assert (reader.role(), reader.text(NAME)) == (QAccessible.Role.List, "Graph")
    names = [reader.child(at).text(NAME) for at in range(len(reader.numbers()))]
    assert len(names) == len(shown_in(view))
    assert "compile ble, Failed, exit 2" in names
    assert reader.childCount() > len(names)  # what lies over the canvas follows


def test_a_node_knows_its_name_its_place_and_whether_it_is_selected(view: CanvasView) -> None:
    node, reader = node_of(view, "gate"), reader_of(view)
    assert node.isValid()
    assert node.parent() is reader
    assert reader.child(reader.indexOfChild(node)) is node
    box = view.graph.node_rect(row_in(view, node.number)).toAlignedRect()
    assert node.rect().size() == box.size()
    assert node.rect().topLeft() == view.viewport().mapToGlobal(box.topLeft())
    assert reader.childAt(node.rect().center().x(), node.rect().center().y()) is node
    assert not node.state().selected
    view._selection.select(node.number)
    assert node.state().selected


def test_what_is_out_of_sight_is_not_told_of(view: CanvasView) -> None:
    view.pan_zoom.zoom_by(4)
    view.graph.focus_task(number_of(shown_in(view).facts, "release"))
    reader = reader_of(view)
    assert 0 < len(reader.numbers()) < 8
    assert number_of(shown_in(view).facts, "sources") not in reader.numbers()
    assert reader.indexOfChild(node_of(view, "sources")) == -1


def test_of_very_many_nodes_those_around_the_current_one_are_told_of(view: CanvasView) -> None:
    facts = regression()
    view.show_run(picture_of(facts))
    view.pan_zoom.fit_all()
    reader = reader_of(view)
    assert len(reader.numbers()) == MOST_TOLD
    far = int(shown_in(view).numbers[-1])
    assert far not in reader.numbers()
    view._selection.select(far)
    assert far in reader.numbers()
    assert len(reader.numbers()) == MOST_TOLD


def test_interfaces_of_nodes_are_bounded_however_far_one_looks(view: CanvasView) -> None:
    view.show_run(picture_of(regression()))
    reader = reader_of(view)
    for number in shown_in(view).numbers.tolist():
        reader.reader(number)
    assert len(reader._readers) <= 4 * MOST_TOLD


def test_a_folded_group_is_told_of_as_one(view: CanvasView) -> None:
    facts = shown_in(view).facts
    view.show_picture(arranged(facts, LayoutOptions(folded=frozenset({"Build"}))))
    node = node_of(view, "configure_r5")
    assert node.text(NAME).startswith("Group Build, 11 task")
    assert node.text(NAME).endswith("10 Done, 1 Failed")


def test_a_task_that_is_gone_has_no_interface_any_more(view: CanvasView) -> None:
    node = node_of(view, "docs")
    facts = shown_in(view).facts
    pose(facts, "docs", codes.REMOVED)
    view.tasks_changed([node.number])
    assert not node.isValid()
    assert node.text(NAME) == ""
    assert node.rect().isEmpty()
    assert node.number not in reader_of(view).numbers()


def test_interfaces_end_with_their_canvas(appearance: Appearance, view: CanvasView) -> None:
    gone = CanvasView(appearance, Selection(), lambda: 0.0)
    gone.resize(600, 400)
    gone.show_run(picture_of(shown_in(view).facts))
    reader = reader_of(gone)
    nodes = [reader.child(at) for at in range(5)]
    gone.deleteLater()
    QCoreApplication.sendPostedEvents(gone, QEvent.Type.DeferredDelete)
    assert not shiboken6.isValid(gone)
    assert not any(shiboken6.isValid(each) for each in [reader, *nodes])
    del reader, nodes
    gc.collect()
    assert reader_of(view).childCount() > 0


def test_the_focus_is_on_the_current_node_while_keys_go_to_the_canvas(view: CanvasView, qtbot: QtBot) -> None:
    view.activateWindow()
    view.setFocus()
    qtbot.waitUntil(view.hasFocus)
    QTest.keyClick(view, Qt.Key.Key_Right)
    focused = reader_of(view).focusChild()
    assert isinstance(focused, NodeReader)
    assert focused.text(NAME).startswith("sources, Done")
    assert focused.state().focused


# ---- announcing


class Heard:
    """What a screen reader hears, by a clock that is turned by hand."""

    def __init__(self, widget: QWidget) -> None:
        self.now, self.words, self.is_heard = 100.0, "", True
        self.events: list[QAccessibleEvent] = []
        self.announcer = Announcer(
            widget,
            lambda: self.words,
            tell=self.events.append,
            is_heard=lambda: self.is_heard,
            clock=lambda: self.now,
        )

    def change(self, words: str) -> None:
        self.words = words
        self.announcer.changed()

    @property
    def said(self) -> list[str]:
        return [each.message() for each in self.events if isinstance(each, QAccessibleAnnouncementEvent)]


@pytest.fixture
def heard(view: CanvasView, qtbot: QtBot) -> Heard:
    view.activateWindow()
    view.setFocus()
    qtbot.waitUntil(view.hasFocus)
    view._selection.select(number_of(shown_in(view).facts, "gate"))
    return Heard(view)


def test_going_to_a_node_is_told_at_once_and_every_time(heard: Heard) -> None:
    heard.announcer.went()
    heard.announcer.went()
    assert [each.type() for each in heard.events] == [QAccessible.Event.Focus] * 2


def test_what_nobody_asked_for_is_told_at_most_once_a_second(heard: Heard, qtbot: QtBot) -> None:
    heard.change("gate, Ready")
    heard.now += REST / 2
    heard.change("gate, Running")
    heard.change("gate, Done")
    assert heard.said == ["gate, Ready"]
    heard.now += REST / 2
    qtbot.waitUntil(lambda: len(heard.said) == 2)  # the last words, once the second is over
    assert heard.said == ["gate, Ready", "gate, Done"]


def test_nothing_is_said_twice_to_nobody_or_from_a_widget_without_focus(heard: Heard, view: CanvasView) -> None:
    heard.change("gate, Ready")
    heard.now += 2 * REST
    heard.change("gate, Ready")
    heard.is_heard = False
    heard.change("gate, Running")
    heard.announcer.went()
    heard.is_heard = True
    view.clearFocus()
    heard.change("gate, Done")
    heard.announcer.went()
    assert heard.said == ["gate, Ready"]
    assert len(heard.events) == 1


def test_the_description_follows_the_current_task(view: CanvasView) -> None:
    facts = shown_in(view).facts
    view._selection.select(number_of(facts, "gate"))
    pose(facts, "gate", codes.FAILED)
    view.tasks_changed([number_of(facts, "gate")])
    assert view.accessibleDescription().startswith("gate, Failed")
    view.show_picture(None)
    assert view.graph.picture is None
