"""The limit group of a task: groups there are complete what is typed, and a new one is said to be new."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.gui.panels.test_bulk import BulkBench

from starloom.scheduling.read.run_view import RunView
from starloom_gui.panels.group_names import GroupCompleter, known_groups, new_group_words

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.widgets.value_editor import Value


@pytest.fixture
def bench(appearance: Appearance, app: QApplication) -> BulkBench:
    return BulkBench(appearance, app)


def begun(bench: BulkBench, *ids: str) -> Value:
    """The field of the limit group of these tasks, with the keyboard in it and nothing in it."""
    bench.select(*ids)
    bench.inspector.activateWindow()
    assert QTest.qWaitForWindowActive(bench.inspector)
    value: Value = bench.inspector.fields.value("groups")
    value.setFocus()
    value.selectAll()
    return value


def test_a_group_that_there_is_not_is_said_to_be_new_while_it_is_typed(bench: BulkBench):
    value = begun(bench, "a")
    QTest.keyClicks(value, "licenses, lab")
    assert (
        bench.inspector.fields.new_group == "“licenses” is a new group, without a limit: “Queue & limits” gives it one."
    )
    value.selectAll()
    QTest.keyClicks(value, "licences, lab")
    assert bench.inspector.fields.new_group == ""
    QTest.keyClick(value, Qt.Key.Key_Escape)
    assert value.text() == "licences"


def test_of_several_tasks_it_is_said_too(bench: BulkBench):
    value = begun(bench, "b", "c")
    QTest.keyClicks(value, "cards")
    assert bench.inspector.fields.new_group == "“cards” is a new group, without a limit: “Queue & limits” gives it one."


def test_groups_there_are_complete_the_name_that_was_begun(bench: BulkBench):
    value = begun(bench, "c")
    QTest.keyClicks(value, "lab, LIC")
    assert isinstance(value.offers, GroupCompleter)
    popup = value.offers.list
    assert popup.isVisible()
    QTest.keyClick(popup, Qt.Key.Key_Down)
    QTest.keyClick(popup, Qt.Key.Key_Return)
    assert not popup.isVisible()
    assert value.text() == "lab, licences"
    assert bench.driver.run("r").graph.task("c").groups == (), "the first Enter only chose a name"
    QTest.keyClick(value, Qt.Key.Key_Return)
    assert bench.driver.run("r").graph.task("c").groups == ("lab", "licences")


def test_what_is_known_are_groups_of_the_fleet_of_limits_and_of_tasks(bench: BulkBench):
    assert known_groups(RunView(bench.run)) == ["lab", "licences"]
    assert (
        new_group_words(" lab , x, x,", ["lab"])
        == "“x” is a new group, without a limit: “Queue & limits” gives it one."
    )
