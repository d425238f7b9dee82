"""Rows of the queue moved by pointer and by keys: what they get, where they land, where not, and giving it up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from tests.driver import RUN, Driver, edge, plan, task
from tests.gui.editing.driven_foreseer import DrivenForeseer
from tests.gui.editing.engine_by_hand import EditorByHand
from tests.gui.models.cells import texts
from tests.gui.panels.fleets import ByHand
from tests.gui.panels.queues import QueueBench

from starloom.constellation.edits import UpdateTask
from starloom.errors import CommandRefused
from starloom.model.plan import Plan
from starloom.scheduling import commands as c
from starloom.scheduling.read.queue_reorder import QueueReorder
from starloom_gui.editing.base import Mode
from starloom_gui.editing.ordering import Ordering
from starloom_gui.editing.trial import Trial
from starloom_gui.gateway.changes import FLEET, Changes
from starloom_gui.models.queue_table import QueueColumn
from starloom_gui.theme.metrics import ROW

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom_gui.panels.queue_drag import MoveRow
    from starloom_gui.theme.appearance import Appearance

ALT = Qt.KeyboardModifier.AltModifier


def line() -> Driver:
    """One slot; in line stand `top` (80), `a`, `b`, `c` (50), `low` (20), and `old` whom `after` (70) needs."""
    driver = Driver(slots=1)
    tasks = [task("running", priority=100), task("top", priority=80), task("a"), task("b"), task("c")]
    tasks += [task("low", priority=20), task("old"), task("after", priority=70)]
    driver.create(Plan(tasks=tuple(tasks), dependencies=(edge("old", "after"),)))
    return driver


class Lab:
    """The pane over that line, with somebody who moves its rows."""

    def __init__(self, appearance: Appearance, app: QApplication, driver: Driver | None = None) -> None:
        self.driver = driver or line()
        self.bench = QueueBench(self.driver, appearance, app)
        self.editor = EditorByHand(self.driver)
        self.foreseer = DrivenForeseer(self.driver.run())
        self.list = self.bench.pane.queue
        ordering = Ordering(self.editor, ByHand(self.driver), self.driver.run, self.reorder, self.bench.facts_of)
        self.list.set_ordering(ordering, Trial(self.foreseer, lambda at: at))
        self.list.setFocus()

    def reorder(self, number: int) -> QueueReorder | None:
        try:
            return QueueReorder(self.driver.scheduler, RUN, number)
        except KeyError:
            return None

    @property
    def names(self) -> list[str]:
        return texts(self.bench.table, QueueColumn.TASK)

    def gap(self, row: int) -> QPoint:
        """The place between two rows, above this one."""
        return QPoint(60, self.list.top_of(row) + 1)

    def drag(self, name: str, row: int, *, release: bool = True) -> None:
        port, start = self.list.viewport(), QPoint(60, self.list.top_of(self.names.index(name)) + ROW // 2)
        QTest.mousePress(port, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
        QTest.mouseMove(port, (start + self.gap(row)) / 2)
        QTest.mouseMove(port, self.gap(row))
        if release:
            QTest.mouseRelease(port, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, self.gap(row))

    def key(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(self.list, key, modifier)

    def go_to(self, name: str) -> None:
        self.list.setCurrentIndex(self.bench.table.index(self.names.index(name), QueueColumn.TASK))

    @property
    def moving(self) -> MoveRow:
        assert self.list.moving is not None
        return self.list.moving

    @property
    def given(self) -> list[tuple[str, object]]:
        asked = [(label, one) for label, one in self.editor.steered if isinstance(one, c.SetPriority)]
        assert len(asked) == len(self.editor.steered)
        return [(label, one.priority) for label, one in asked]


@pytest.fixture
def lab(appearance: Appearance, app: QApplication) -> Lab:
    return Lab(appearance, app)


def test_the_line_is_as_the_tests_need_it(lab: Lab) -> None:
    assert lab.names == ["top", "old", "a", "b", "c", "low"]


# ---- by pointer


def test_a_row_that_is_dropped_before_another_gets_the_priority_for_that_once(lab: Lab) -> None:
    lab.drag("c", 1, release=False)
    assert lab.moving.words == "Before “old”: priority 70"
    assert lab.editor.steered == [], "nothing is asked for before the button is released"
    lab.drag("c", 1)
    assert lab.given == [("Run c before old", 70)]
    assert lab.names == ["top", "c", "old", "a", "b", "low"]
    assert lab.list.moving is None


def test_a_row_that_is_dropped_behind_another_comes_after_it(lab: Lab) -> None:
    lab.drag("top", 2)
    assert lab.given == [("Run top after old", 69)]
    assert lab.names[:3] == ["old", "top", "a"]


def test_what_it_passes_besides_is_said_and_the_line_is_where_it_lands(lab: Lab) -> None:
    lab.drag("c", 3, release=False)
    assert lab.moving.words == "Before “b”: priority 51\nAlso before “a”"
    assert (lab.moving.gap, lab.moving.lands) == (3, 2)
    lab.list.cancel_move()
    lab.drag("a", 4, release=False)
    assert lab.moving.words == "After “b”: priority 49\nAlso after “c”"
    assert lab.moving.lands == 5


def test_while_edits_are_staged_a_row_is_said_to_move_by_the_queue_as_it_is(lab: Lab) -> None:
    lab.editor.mode = Mode.STAGED
    lab.drag("c", 1, release=False)
    first, *rest = lab.moving.words.split("\n")
    assert (first, rest[0]) == (
        "Before “old”: priority 70",
        "By the queue as it is: staged priorities do not count yet.",
    )


def test_where_it_is_it_stays_and_nothing_is_asked_for(lab: Lab) -> None:
    for row in (2, 3):
        lab.drag("a", row, release=False)
        assert lab.moving.words == "Stays at place 3"
        assert lab.moving.lands is None
        lab.drag("a", row)
    assert lab.editor.steered == []


def test_why_it_cannot_go_there_is_said_and_nothing_happens(lab: Lab) -> None:
    lab.drag("old", 4, release=False)
    said = "“after” needs it and has priority 70, which it inherits: it cannot come after “b”."
    assert lab.moving.words == said
    assert lab.moving.is_wrong
    lab.drag("old", 4)
    assert lab.editor.steered == []


def test_nothing_is_higher_than_100_nor_lower_than_0(appearance: Appearance, app: QApplication) -> None:
    driver = Driver(slots=1)
    names = [task("running", priority=100), task("high", priority=100), task("a"), task("x", priority=0)]
    driver.create(plan([*names, task("y", priority=0)]))
    lab = Lab(appearance, app, driver)
    lab.drag("a", 0, release=False)
    assert lab.moving.words == "“high” has priority 100 as well, and came first: nothing is higher."
    lab.list.cancel_move()
    lab.drag("x", 4, release=False)
    assert lab.moving.words == "“y” has priority 0 as well, and came later: nothing is lower."


def test_who_has_waited_too_long_to_be_passed_says_so(appearance: Appearance, app: QApplication) -> None:
    driver = Driver(slots=1)
    driver.do(c.SetLimits(starvation_timeout=30.0))
    driver.create(plan([task("running", priority=100), "old"]), run_id="other")
    driver.advance(60)
    driver.create(plan(["young"]))
    lab = Lab(appearance, app, driver)
    lab.drag("young", 0, release=False)
    assert lab.moving.words.startswith("One of the two has waited for so long")
    lab.list.cancel_move()
    lab.drag("old", 2, release=False)
    assert lab.moving.words == "It belongs to another run. Turn to that run to move its tasks."
    assert lab.moving.is_wrong


def test_escape_puts_it_back_without_a_trace(lab: Lab) -> None:
    before = lab.list.viewport().grab().toImage()
    lab.drag("c", 0, release=False)
    assert lab.list.viewport().grab().toImage() != before
    lab.key(Qt.Key.Key_Escape)
    assert lab.list.moving is None
    lab.bench.selection.clear()
    QTest.mouseRelease(lab.list.viewport(), Qt.MouseButton.LeftButton)
    assert lab.editor.steered == []
    assert lab.names == ["top", "old", "a", "b", "c", "low"]
    assert lab.foreseer.asked[-1] is None


def test_a_click_moves_nothing_and_selects(lab: Lab) -> None:
    at = QPoint(60, lab.list.top_of(2) + ROW // 2)
    QTest.mouseClick(lab.list.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert lab.list.moving is None
    assert lab.bench.selection.now.numbers == {lab.driver.run().graph.place["a"]}


def test_rows_stay_while_one_is_held_and_are_read_afterwards(lab: Lab) -> None:
    lab.drag("c", 0, release=False)
    lab.driver.do(c.HoldTasks(run_id=RUN, task_ids=("b",)))
    lab.bench.pane.on_changes(Changes(run_id=FLEET, everything=True))
    lab.bench.told()
    assert "b" in lab.names
    lab.key(Qt.Key.Key_Escape)
    assert "b" not in lab.names


def test_a_line_that_has_changed_meanwhile_is_asked_anew(lab: Lab) -> None:
    lab.drag("c", 1, release=False)
    lab.driver.do(c.SetPriority(run_id=RUN, task_ids=("old",), priority=90))
    lab.list.end_move()
    assert lab.given == [("Run c before old", 90)]
    assert lab.names[:2] == ["c", "old"]


def test_a_task_that_has_started_meanwhile_is_left_alone(lab: Lab) -> None:
    lab.drag("top", 3, release=False)
    lab.driver.end("running")
    assert lab.driver.status("top") == "running"
    with pytest.raises(CommandRefused):  # which the editor of a real run says in the strip
        lab.moving.commit()
    lab.list.cancel_move()
    assert lab.driver.run().priority[lab.driver.run().graph.place["top"]] == 80
    assert "top" not in lab.names


# ---- by keys


def test_keys_take_it_along_and_return_leaves_it_there(lab: Lab) -> None:
    lab.go_to("c")
    for _ in range(3):
        lab.key(Qt.Key.Key_Up, ALT)
    assert lab.moving.words == "Before “old”: priority 70"
    assert lab.list.accessibleDescription() == lab.moving.words
    assert lab.editor.steered == []
    lab.key(Qt.Key.Key_Return)
    assert lab.given == [("Run c before old", 70)]
    assert lab.list.currentIndex().row() == 1, "the keys stay at the task"


def test_keys_go_both_ways_and_escape_gives_up(lab: Lab) -> None:
    lab.go_to("top")
    lab.key(Qt.Key.Key_Up, ALT)
    assert lab.moving.words == "Stays at place 1", "there is nothing above the first"
    lab.key(Qt.Key.Key_Down, ALT)
    assert lab.moving.words == "After “old”: priority 69"
    lab.key(Qt.Key.Key_Up, ALT)
    assert lab.moving.words == "Stays at place 1"
    for _ in range(9):
        lab.key(Qt.Key.Key_Down, ALT)
    assert lab.moving.words == "After “low”: priority 19"
    lab.key(Qt.Key.Key_Escape)
    assert lab.list.moving is None
    assert lab.editor.steered == []


def test_leaving_the_list_gives_up_too(lab: Lab) -> None:
    lab.go_to("c")
    lab.key(Qt.Key.Key_Up, ALT)
    lab.list.clearFocus()
    lab.bench.pane.hide()
    assert lab.list.moving is None
    assert lab.editor.steered == []


# ---- what it would change


def test_what_it_would_change_is_foreseen_while_it_is_held(lab: Lab) -> None:
    lab.drag("c", 1, release=False)
    step = lab.foreseer.asked[-1]
    assert step is not None
    assert step.edits == (UpdateTask("c", priority=70),)
    lab.foreseer.tell(step)
    assert lab.moving.words.splitlines()[1].startswith("Finish ")
    lab.key(Qt.Key.Key_Escape)
    assert lab.foreseer.asked[-1] is None


def test_without_a_line_nothing_can_be_moved(appearance: Appearance, app: QApplication) -> None:
    driver = Driver(slots=1)
    driver.create(plan(["a"]))
    lab = Lab(appearance, app, driver)
    lab.key(Qt.Key.Key_Up, ALT)
    assert lab.list.moving is None


def test_the_row_that_was_pressed_is_taken_up_wherever_it_stands_by_then(lab: Lab) -> None:
    port, start = lab.list.viewport(), QPoint(60, lab.list.top_of(lab.names.index("a")) + ROW // 2)
    QTest.mousePress(port, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
    lab.driver.do(c.HoldTasks(run_id=RUN, task_ids=("top",)))  # so that all others move up
    lab.bench.told()
    assert lab.names[:2] == ["old", "a"]
    QTest.mouseMove(port, start + QPoint(0, ROW))
    assert lab.names[lab.moving._from] == "a"
    lab.list.cancel_move()
    QTest.mouseRelease(port, Qt.MouseButton.LeftButton)
    QTest.mousePress(port, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
    pressed = lab.names[2]
    lab.driver.do(c.HoldTasks(run_id=RUN, task_ids=(pressed,)))
    lab.bench.told()
    assert pressed not in lab.names
    QTest.mouseMove(port, start + QPoint(0, ROW))
    assert lab.list.moving is None, "it stands in line no more"
    QTest.mouseRelease(port, Qt.MouseButton.LeftButton)
