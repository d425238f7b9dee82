"""Moving a bar to another device's lane: by pointer, by keys and from the menu; where it cannot go; giving it up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from tests.driver import Driver, task
from tests.gui.editing.driven_foreseer import DrivenForeseer
from tests.gui.editing.engine_by_hand import EditorByHand
from tests.gui.panels.fleets import ByHand
from tests.gui.timeline.scenes import projection
from tests.gui.timeline.screen import PLAIN, Scene

from starloom.constellation.edits import UpdateTask
from starloom.foresight.estimates import Estimate, EstimateSource
from starloom.foresight.projection import TaskForecast
from starloom.model.plan import Plan
from starloom.scheduling import commands as c
from starloom_gui.editing.trial import Trial
from starloom_gui.timeline.model import TimelineModel
from starloom_gui.timeline.move_bar import MoveBar
from starloom_gui.timeline.pins import EditorPins
from starloom_gui.viewmodel.span import Span

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from starloom_gui.theme.appearance import Appearance

ALT = Qt.KeyboardModifier.AltModifier


class Lab:
    """`soak` is foreseen on lab-a; lab-b has what it needs, build has not; both labs are busy."""

    def __init__(self, appearance: Appearance) -> None:
        driver = Driver(devices=(), checked=False)
        driver.add_device("build", slots=2)
        driver.add_device("lab-a", slots=1, capabilities=("serial",))
        driver.add_device("lab-b", slots=2, capabilities=("serial",))
        busy = (task("other", device="lab-a"), task("one", device="lab-b"), task("two", device="lab-b"))
        plan = Plan(tasks=(*busy, task("soak", requires="serial", device="lab-a")))
        self.driver, self.run = driver, driver.create(plan)
        self.editor = EditorByHand(driver)
        self.scene = Scene(appearance, self.run, size=(900, 220))
        self.scene.now = 1.0
        self.view = self.scene.view
        self.pins = EditorPins(self.editor, ByHand(driver), driver.run)
        self.foreseer = DrivenForeseer(self.run)
        self.view.set_pins(self.pins, Trial(self.foreseer, lambda at: at))
        self.foresee("soak", "lab-a")

    def foresee(self, task_id: str, device: str) -> None:
        sure = Estimate(10.0, EstimateSource.DECLARED)
        tasks = {task_id: TaskForecast(task_id, 10.0, 40.0, device, sure, 0.0)}
        self.scene.model.project(projection(self.run, tasks, end=40.0))
        self.view.changed()
        self.view.pan_to(Span(-5.0, 0.1), 0)

    def lane(self, device: str) -> QPoint:
        """The lane of a device, below the bar of `soak`."""
        rows = [row for row, lane in enumerate(self.scene.model.lanes) if lane.device_id == device]
        return QPoint(self.scene.place("soak").x(), self.view.geometry_now().y_of(rows[0]) + 10)

    def drag(self, device: str, *, release: bool = True) -> None:
        self.scene.drag(self.scene.place("soak"), self.lane(device), PLAIN, release=release)

    @property
    def bar(self) -> MoveBar:
        assert isinstance(self.view.gesture, MoveBar)
        return self.view.gesture

    @property
    def pin(self) -> str | None:
        return self.run.pin_of(self.run.graph.place["soak"])

    @property
    def labels(self) -> list[str]:
        return [label for label, _ in self.editor.steered]


@pytest.fixture
def lab(appearance: Appearance) -> Lab:
    return Lab(appearance)


# ---- by pointer


def test_a_bar_dropped_into_another_devices_lane_is_pinned_there_once(lab: Lab) -> None:
    lab.drag("lab-b", release=False)
    assert lab.bar.words == "Only on lab-b"
    assert lab.editor.steered == [], "nothing is asked for before the button is released"
    lab.drag("lab-b")
    assert lab.labels == ["Pin soak to lab-b"]
    assert lab.pin == "lab-b"
    assert lab.view.gesture is None


def test_the_bar_snaps_into_the_lane_under_the_pointer(lab: Lab) -> None:
    lab.drag("lab-b", release=False)
    row = lab.bar.row
    assert row is not None
    assert lab.scene.model.lanes[row].device_id == "lab-b"
    box = lab.bar._box(lab.view.geometry_now(), row)
    QTest.mouseMove(lab.view.viewport(), lab.lane("lab-b") + QPoint(30, 4))
    assert lab.bar._box(lab.view.geometry_now(), row) == box


def test_where_it_cannot_run_the_lane_dims_and_the_reason_is_said(lab: Lab) -> None:
    before = lab.scene.picture()
    lab.drag("build", release=False)
    assert lab.bar.words.startswith("'soak' needs serial, which 'build' does not offer.")
    at = QPoint(14, lab.lane("build").y())
    texts = [before.pixelColor(x, at.y()).lightness() for x in range(8, 60)]
    dimmed = [lab.scene.picture().pixelColor(x, at.y()).lightness() for x in range(8, 60)]
    assert max(dimmed) < max(texts), "the device's name has receded"
    QTest.mouseRelease(lab.view.viewport(), Qt.MouseButton.LeftButton, PLAIN, lab.lane("build"))
    assert lab.editor.steered == []


def test_escape_leaves_no_trace(lab: Lab) -> None:
    before = lab.scene.picture()
    lab.drag("lab-b", release=False)
    lab.scene.key(Qt.Key.Key_Escape)
    assert lab.view.gesture is None
    QTest.mouseRelease(lab.view.viewport(), Qt.MouseButton.LeftButton, PLAIN, lab.lane("lab-b"))
    assert lab.editor.steered == []
    lab.scene.selection.clear()
    lab.view.clearFocus()
    assert lab.scene.picture() == before


def test_back_in_its_own_lane_or_outside_all_nothing_is_asked_for(lab: Lab) -> None:
    lab.drag("lab-b", release=False)
    for at in (lab.lane("lab-a") + QPoint(40, 0), QPoint(400, 215)):
        QTest.mouseMove(lab.view.viewport(), at)
        assert lab.bar.words == "Stays on lab-a"
    QTest.mouseRelease(lab.view.viewport(), Qt.MouseButton.LeftButton, PLAIN, QPoint(400, 215))
    assert lab.editor.steered == []


def test_what_runs_stays_where_it_is_and_dragging_it_moves_the_view(lab: Lab) -> None:
    span = lab.view.span
    start = lab.scene.place("other")
    lab.scene.drag(start, start + QPoint(60, 40), PLAIN)
    assert lab.editor.steered == []
    assert lab.view.span != span


def test_a_click_on_a_bar_still_selects_it(lab: Lab) -> None:
    lab.scene.click(lab.scene.place("soak"))
    assert lab.scene.selected == {"soak"}
    assert lab.view.gesture is None


def test_a_dragged_bar_is_selected(lab: Lab) -> None:
    lab.drag("lab-b")
    assert lab.scene.selected == {"soak"}


def test_a_pinned_bar_is_moved_from_where_it_is_pinned(lab: Lab) -> None:
    """What is foreseen follows a moment later; until then the bar stands in its old lane."""
    lab.drag("lab-b")
    lab.drag("lab-b")
    assert lab.labels == ["Pin soak to lab-b"], "it is pinned there already"
    start = lab.scene.place("soak")
    lab.scene.drag(start, start + QPoint(20, 0), PLAIN)
    assert lab.pin == "lab-a"


def test_another_run_in_the_view_ends_the_move(lab: Lab) -> None:
    lab.scene.click(lab.scene.place("soak"))
    lab.scene.key(Qt.Key.Key_Down, ALT)
    lab.view.show_model(TimelineModel(lab.run))
    assert lab.view.gesture is None


def test_a_bar_that_rests_says_what_the_move_would_change(lab: Lab) -> None:
    lab.drag("lab-b", release=False)
    QTest.mouseMove(lab.view.viewport(), lab.lane("lab-b") + QPoint(20, 2))
    (step,) = lab.foreseer.asked
    assert step is not None
    assert step.edits == (UpdateTask("soak", device="lab-b"),)
    lab.foreseer.tell(step)
    assert lab.bar.words.startswith("Only on lab-b\nFinish ")
    QTest.mouseMove(lab.view.viewport(), lab.lane("build"))
    assert lab.foreseer.asked[-1] is None, "where it cannot go nothing is foreseen"
    QTest.mouseMove(lab.view.viewport(), lab.lane("lab-b"))
    lab.scene.key(Qt.Key.Key_Escape)
    assert lab.foreseer.asked[-1] is None


# ---- by keys


def test_alt_and_arrows_carry_a_bar_among_devices_and_return_leaves_it_there(lab: Lab) -> None:
    lab.scene.click(lab.scene.place("soak"))
    lab.scene.key(Qt.Key.Key_Down, ALT)
    assert lab.bar.words == "Only on lab-b"
    assert lab.view.accessibleDescription() == "Only on lab-b"
    assert lab.editor.steered == []
    lab.scene.key(Qt.Key.Key_Down, ALT)
    assert lab.bar.device == "lab-b", "there is none below"
    lab.scene.key(Qt.Key.Key_Return)
    assert lab.pin == "lab-b"
    assert lab.view.gesture is None


def test_keys_say_where_it_cannot_go_and_return_does_nothing_there(lab: Lab) -> None:
    lab.scene.click(lab.scene.place("soak"))
    lab.scene.key(Qt.Key.Key_Up, ALT)
    assert "needs serial" in lab.bar.words
    lab.scene.key(Qt.Key.Key_Return)
    assert lab.editor.steered == []


def test_escape_puts_a_carried_bar_back_and_keeps_the_selection(lab: Lab) -> None:
    lab.scene.click(lab.scene.place("soak"))
    lab.scene.key(Qt.Key.Key_Down, ALT)
    lab.scene.key(Qt.Key.Key_Escape)
    assert lab.view.gesture is None
    assert lab.scene.selected == {"soak"}
    assert lab.editor.steered == []


def test_a_press_of_the_mouse_puts_a_carried_bar_back(lab: Lab) -> None:
    lab.scene.click(lab.scene.place("soak"))
    lab.scene.key(Qt.Key.Key_Down, ALT)
    lab.scene.click(QPoint(400, 215))
    assert lab.editor.steered == []
    assert lab.view.gesture is None


def test_a_task_that_starts_meanwhile_is_not_moved(lab: Lab) -> None:
    lab.scene.click(lab.scene.place("soak"))
    lab.driver.end("other")
    assert lab.driver.status("soak") == "running"
    lab.scene.key(Qt.Key.Key_Down, ALT)
    assert lab.view.gesture is None


def test_without_anybody_to_ask_bars_only_move_the_view(appearance: Appearance) -> None:
    scene = Scene(appearance)
    span = scene.view.span
    start = scene.place("soak lab-c")
    scene.drag(start, start - QPoint(40, 40), PLAIN)
    assert scene.view.span != span


def test_the_engine_is_asked_once_for_each_device(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    verdict = lab.pins.verdict

    def counted(number: int, device_id: str) -> Any:
        asked.append(device_id)
        return verdict(number, device_id)

    monkeypatch.setattr(lab.pins, "verdict", counted)
    lab.drag("lab-b", release=False)
    for device in ("build", "lab-a", "lab-b", "build"):
        QTest.mouseMove(lab.view.viewport(), lab.lane(device))
        lab.scene.picture()
    assert asked == ["build", "lab-b"]
    lab.scene.key(Qt.Key.Key_Escape)
    assert c.PinTasks not in {type(one) for _, one in lab.editor.steered}


# ---- more lanes than there is room for


def crowd(lab: Lab) -> None:
    """Have so many lanes that a bar has far to go."""
    for place in range(40):
        lab.driver.add_device(f"far-{place:02}", slots=1, capabilities=("serial",))
    lab.foresee("soak", "lab-a")


def test_the_lanes_scroll_for_a_bar_that_is_held_at_the_lower_end(lab: Lab, qtbot: QtBot) -> None:
    crowd(lab)
    start, port = lab.scene.place("soak"), lab.view.viewport()
    end = QPoint(start.x(), port.height() - 3)
    lab.scene.drag(start, end, PLAIN, release=False)
    span, device = lab.view.span, lab.bar.device
    qtbot.waitUntil(lambda: lab.view.scrolled() > 100)
    assert lab.view.span == span
    assert lab.bar.device != device
    lab.scene.key(Qt.Key.Key_Escape)
    stopped = lab.view.scrolled()
    qtbot.wait(100)
    assert lab.view.scrolled() == stopped
    assert lab.editor.steered == []


def test_a_bar_let_go_of_after_scrolling_is_in_the_lane_under_the_pointer(lab: Lab, qtbot: QtBot) -> None:
    crowd(lab)
    start, port = lab.scene.place("soak"), lab.view.viewport()
    end = QPoint(start.x(), port.height() - 3)
    lab.scene.drag(start, end, PLAIN, release=False)
    qtbot.waitUntil(lambda: lab.view.scrolled() > 100)
    device = lab.bar.device
    QTest.mouseRelease(port, Qt.MouseButton.LeftButton, PLAIN, end)
    assert device is not None
    assert lab.pin == device


def test_dragging_the_picture_to_the_end_scrolls_nothing_by_itself(lab: Lab, qtbot: QtBot) -> None:
    crowd(lab)
    lab.scene.drag(QPoint(600, 100), QPoint(600, lab.view.viewport().height() - 3), PLAIN, release=False)
    before = lab.view.scrolled()
    qtbot.wait(100)
    assert lab.view.scrolled() == before
