"""Bars that are to come, put before and behind each other: by pointer and by keys, where it cannot be, giving it up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from tests.driver import RUN, Driver, edge, task
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
from starloom.scheduling.read.queue_reorder import QueueReorder
from starloom_gui.editing.ordering import Ordering
from starloom_gui.editing.trial import Trial
from starloom_gui.timeline.move_bar import MoveBar
from starloom_gui.timeline.pins import EditorPins
from starloom_gui.viewmodel.span import Span

if TYPE_CHECKING:
    from starloom_gui.theme.appearance import Appearance

ALT = Qt.KeyboardModifier.AltModifier


class Lab:
    """`running` runs on d; a, b, c are to come there one after the other, and then `after`, which waits for c."""

    def __init__(self, appearance: Appearance) -> None:
        driver = Driver(slots=1)
        tasks = (task("running", priority=100), task("a"), task("b"), task("c"), task("after"))
        self.driver, self.run = driver, driver.create(Plan(tasks=tasks, dependencies=(edge("c", "after"),)))
        self.editor = EditorByHand(driver)
        self.scene = Scene(appearance, self.run, size=(900, 220))
        self.scene.now = 1.0
        self.view, self.foreseer = self.scene.view, DrivenForeseer(self.run)
        ordering = Ordering(self.editor, ByHand(driver), driver.run, self.reorder, lambda _: driver.run())
        pins = EditorPins(self.editor, ByHand(driver), driver.run)
        self.view.set_pins(pins, Trial(self.foreseer, lambda at: at), ordering)
        sure = Estimate(10.0, EstimateSource.DECLARED)
        times = {name: 10.0 + 10.0 * place for place, name in enumerate(("a", "b", "c", "after"))}
        forecasts = {name: TaskForecast(name, at, at + 10.0, "d", sure, 0.0) for name, at in times.items()}
        self.scene.model.project(projection(self.run, forecasts, end=50.0))
        self.view.changed()
        self.view.pan_to(Span(-5.0, 0.1), 0)

    def reorder(self, number: int) -> QueueReorder | None:
        try:
            return QueueReorder(self.driver.scheduler, RUN, number)
        except KeyError:
            return None

    def drag(self, name: str, other: str, *, by: int, release: bool = True) -> None:
        """Drag a bar to so many pixels from the middle of another one."""
        self.scene.drag(self.scene.place(name), self.scene.place(other) + QPoint(by, 0), PLAIN, release=release)

    def take(self, name: str) -> None:
        self.scene.click(self.scene.place(name))
        self.view.setFocus()

    @property
    def bar(self) -> MoveBar:
        assert isinstance(self.view.gesture, MoveBar)
        return self.view.gesture

    @property
    def given(self) -> list[tuple[str, object]]:
        asked = [(label, one) for label, one in self.editor.steered if isinstance(one, c.SetPriority)]
        assert len(asked) == len(self.editor.steered)
        return [(label, one.priority) for label, one in asked]


@pytest.fixture
def lab(appearance: Appearance) -> Lab:
    return Lab(appearance)


def test_a_bar_that_is_dropped_on_the_first_half_of_another_starts_before_it(lab: Lab) -> None:
    lab.drag("c", "b", by=-20, release=False)
    assert lab.bar.words == "Before “b”: priority 51\nAlso before “a”"
    assert lab.editor.steered == [], "nothing is asked for before the button is released"
    lab.drag("c", "b", by=-20)
    assert lab.given == [("Run c before b", 51)]


def test_on_its_second_half_it_starts_after_it(lab: Lab) -> None:
    lab.drag("a", "b", by=20)
    assert lab.given == [("Run a after b", 49)]


def test_where_it_is_it_stays(lab: Lab) -> None:
    for other, by in (("a", 20), ("b", 20), ("c", -20)):
        lab.drag("b", other, by=by, release=False)
        assert lab.bar.words == "Stays on d"
        lab.drag("b", other, by=by)
    assert lab.editor.steered == []


def test_what_is_not_in_line_or_needs_it_says_why_it_cannot_be(lab: Lab) -> None:
    lab.drag("a", "after", by=-20, release=False)
    assert lab.bar.words == "“after” does not stand in line: only ready tasks do."
    assert lab.bar.is_wrong
    lab.drag("a", "after", by=-20)
    lab.drag("after", "a", by=-20, release=False)
    assert lab.bar.words == "It does not stand in line: only ready tasks do."
    lab.drag("after", "a", by=-20)
    lab.driver.do(c.SetPriority(run_id=RUN, task_ids=("a", "b"), priority=40))
    lab.drag("c", "b", by=20, release=False)
    assert lab.bar.words == "“after” needs it and has priority 50, which it inherits: it cannot come after “b”."
    lab.drag("c", "b", by=20)
    assert len(lab.editor.steered) == 0


def test_a_line_shows_where_it_would_start_and_escape_leaves_no_trace(lab: Lab) -> None:
    lab.take("c")
    before = lab.scene.picture()
    lab.drag("c", "b", by=-20, release=False)
    lands = lab.scene.place("a") + QPoint(-50, 11)  # which it passes as well
    picture = lab.scene.picture()
    inks = [picture.pixelColor(lands.x() + by, lands.y()).name() for by in (-1, 0, 1)]
    assert lab.scene.appearance.palette.text.lower() in inks
    lab.scene.key(Qt.Key.Key_Escape)
    assert lab.view.gesture is None
    assert lab.editor.steered == []
    assert lab.scene.picture() == before
    assert lab.foreseer.asked[-1] is None


def test_what_it_would_change_is_foreseen(lab: Lab) -> None:
    lab.drag("c", "a", by=-20, release=False)
    step = lab.foreseer.asked[-1]
    assert step is not None
    assert step.edits == (UpdateTask("c", priority=51),)
    lab.foreseer.tell(step)
    assert lab.bar.words.splitlines()[-1].startswith("Finish ")


def test_keys_take_it_past_the_next_bar_and_return_leaves_it_there(lab: Lab) -> None:
    lab.take("c")
    lab.scene.key(Qt.Key.Key_Left, ALT)
    assert lab.bar.words == "Before “b”: priority 51\nAlso before “a”"
    lab.scene.key(Qt.Key.Key_Right, ALT)
    assert lab.bar.words == "Stays on d"
    lab.scene.key(Qt.Key.Key_Left, ALT)
    lab.scene.key(Qt.Key.Key_Left, ALT)
    assert lab.bar.words == "Before “a”: priority 51"
    assert lab.view.accessibleDescription() == lab.bar.words
    lab.scene.key(Qt.Key.Key_Up, ALT)
    assert lab.bar.words == "Stays on d", "there is no other device"
    lab.scene.key(Qt.Key.Key_Left, ALT)
    lab.scene.key(Qt.Key.Key_Return)
    assert lab.given == [("Run c before b", 51)]
    assert lab.view.gesture is None


def test_keys_that_are_given_up_change_nothing(lab: Lab) -> None:
    lab.take("a")
    for _ in range(9):
        lab.scene.key(Qt.Key.Key_Right, ALT)
    assert "does not stand in line" in lab.bar.words, "the last of them waits"
    lab.scene.key(Qt.Key.Key_Escape)
    assert lab.view.gesture is None
    assert lab.editor.steered == []
