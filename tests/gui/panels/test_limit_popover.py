"""The stepper under the toolbar's limit: this run's limit is one step away, and what was typed is never lost."""

from __future__ import annotations

import pytest
import shiboken6
from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest
from tests.driver import Driver, plan
from tests.gui.panels.fleets import ByHand
from tests.waiting import BOUND

from starloom.scheduling import commands as c
from starloom_gui.panels.limit_popover import LimitPopover

Key = Qt.Key


@pytest.fixture
def driver() -> Driver:
    made = Driver(devices=(), checked=False)
    made.add_device("local", slots=4)
    made.create(plan(["x", "y"]))
    made.do(c.SetRunLimit(run_id="r", max_concurrency=8))
    return made


@pytest.fixture
def asks(driver: Driver) -> ByHand:
    return ByHand(driver)


@pytest.fixture
def popover(driver, asks, app, appearance):
    made = LimitPopover(appearance, lambda: driver.scheduler.fleet, driver.run, asks)
    made.popup(QRect(100, 100, 180, 28))
    return made


def of_run(most: int | None) -> c.SetRunLimit:
    return c.SetRunLimit(run_id="r", max_concurrency=most)


def test_it_opens_with_this_run_s_limit_under_the_keyboard_and_that_of_all_runs_below(popover):
    assert [row.label.text() for row in popover.rows] == ["This run", "All runs"]
    assert popover.rows[0].field.line.hasFocus()
    assert popover.rows[0].field.line.selectedText() == "8"


def test_one_step_is_sent_by_itself_and_only_for_this_run(popover, asks, qtbot):
    QTest.keyClick(popover.rows[0].field.line, Key.Key_Up)
    qtbot.waitUntil(lambda: bool(asks.sent), timeout=int(BOUND * 1000))
    assert asks.sent == [of_run(9)]


@pytest.mark.parametrize("how", ["less", "more"])
def test_a_click_on_a_sign_is_a_step(popover, asks, how, qtbot):
    QTest.mouseClick(getattr(popover.rows[0].field, how), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(asks.sent), timeout=int(BOUND * 1000))
    assert asks.sent == [of_run(7 if how == "less" else 9)]


def test_what_was_typed_is_meant_when_it_closes(popover, asks):
    QTest.keyClicks(popover.rows[0].field.line, "5")
    popover.close()
    assert asks.sent == [of_run(5)]


def test_it_dies_quietly_with_the_keyboard(popover, qtbot):
    """Some platforms make a popup the active window only after it was closed, so it has the focus to its end."""
    line = popover.rows[0].field.line
    qtbot.waitUntil(line.hasFocus)
    shiboken6.delete(popover)
    assert not shiboken6.isValid(line)


def test_enter_sends_what_was_typed_and_a_second_one_closes(popover, asks):
    line = popover.rows[0].field.line
    QTest.keyClicks(line, "5")
    QTest.keyClick(line, Key.Key_Return)
    assert asks.sent == [of_run(5)]
    assert popover.isVisible()
    QTest.keyClick(line, Key.Key_Return)
    assert not popover.isVisible()


def test_escape_closes_it_though_what_was_sent_has_not_come_true_yet(popover, asks):
    line = popover.rows[0].field.line
    QTest.keyClicks(line, "5")
    QTest.keyClick(line, Key.Key_Return)
    assert asks.sent == [of_run(5)]
    popover.rows[0].show_line(popover.rows[0]._line)  # the limit of the facts is still the old one
    assert popover.rows[0].beside.isHidden(), "nobody has set another one"
    QTest.keyClick(line, Key.Key_Escape)
    assert not popover.isVisible()
    assert line.text() == "5"


def test_escape_takes_back_what_was_typed_and_a_second_one_closes(popover, asks):
    line = popover.rows[0].field.line
    QTest.keyClicks(line, "5")
    QTest.keyClick(line, Key.Key_Escape)
    assert line.text() == "8"
    assert popover.isVisible()
    QTest.keyClick(line, Key.Key_Escape)
    assert not popover.isVisible()
    assert asks.sent == []


def test_what_is_no_number_is_explained_and_nothing_is_sent(popover, asks):
    line = popover.rows[0].field.line
    QTest.keyClicks(line, "lots")
    before = popover.height()
    QTest.keyClick(line, Key.Key_Return)
    assert popover.rows[0].reason == "That is no whole number. Nothing was changed."
    assert popover.height() > before, "there is room for it"
    assert asks.sent == []


def test_what_others_change_meanwhile_is_shown_but_not_over_what_is_typed(popover, driver):
    driver.do(c.SetLimits(max_concurrency=6))
    popover.on_changes()
    assert popover.rows[1].field.value() == 6
    QTest.keyClicks(popover.rows[0].field.line, "5")
    driver.do(of_run(3))
    popover.on_changes()
    assert popover.rows[0].field.line.text() == "5"
    assert popover.rows[0].field.other == "3"


def test_without_a_run_in_front_there_is_only_the_limit_of_all_runs(driver, asks, app, appearance):
    made = LimitPopover(appearance, lambda: driver.scheduler.fleet, lambda: None, asks)
    made.popup(QRect(100, 100, 180, 28))
    assert [row.label.text() for row in made.rows] == ["All runs"]
    QTest.keyClicks(made.rows[0].field.line, "2")
    QTest.keyClick(made.rows[0].field.line, Key.Key_Return)
    assert asks.sent == [c.SetLimits(max_concurrency=2)]
    made.close()  # nobody else has it


def test_it_goes_when_another_run_comes_to_the_front(driver, asks, app, appearance):
    front = [driver.run()]
    made = LimitPopover(appearance, lambda: driver.scheduler.fleet, lambda: front[0], asks)
    made.popup(QRect(100, 100, 180, 28))
    front[0] = None
    made.on_changes()
    assert not made.isVisible()
