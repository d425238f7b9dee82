"""The limit group of a task: groups there are complete what is typed, and a new one is said to be new."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.gui.panels.test_bulk import Stage

from starloom_gui.panels.group_names import GroupCompleter, known_groups, new_group_words

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.widgets.value_editor import Value


@pytest.fixture
def stage(appearance: Appearance, app: QApplication) -> Stage:
    return Stage(appearance, app)


def begun(stage: Stage, *ids: str) -> Value:
    """The field of the limit group of these tasks, with the keyboard in it and nothing in it."""
    stage.select(*ids)
    stage.inspector.activateWindow()
    assert QTest.qWaitForWindowActive(stage.inspector)
    value: Value = stage.inspector.fields.value("groups")
    value.setFocus()
    value.selectAll()
    return value


def test_a_group_that_there_is_not_is_said_to_be_new_while_it_is_typed(stage: Stage):
    value = begun(stage, "a")
    QTest.keyClicks(value, "licenses, lab")
    assert (
        stage.inspector.fields.new_group == "“licenses” is a new group, without a limit: “Queue & limits” gives it one."
    )
    value.selectAll()
    QTest.keyClicks(value, "licences, lab")
    assert stage.inspector.fields.new_group == ""
    QTest.keyClick(value, Qt.Key.Key_Escape)
    assert value.text() == "licences"


def test_of_several_tasks_it_is_said_too(stage: Stage):
    value = begun(stage, "b", "c")
    QTest.keyClicks(value, "cards")
    assert stage.inspector.fields.new_group == "“cards” is a new group, without a limit: “Queue & limits” gives it one."


def test_groups_there_are_complete_the_name_that_was_begun(stage: Stage):
    value = begun(stage, "c")
    QTest.keyClicks(value, "lab, LIC")
    assert isinstance(value.offers, GroupCompleter)
    popup = value.offers.list
    assert popup.isVisible()
    QTest.keyClick(popup, Qt.Key.Key_Down)
    QTest.keyClick(popup, Qt.Key.Key_Return)
    assert not popup.isVisible()
    assert value.text() == "lab, licences"
    assert stage.driver.run("r").graph.task("c").groups == (), "the first Enter only chose a name"
    QTest.keyClick(value, Qt.Key.Key_Return)
    assert stage.driver.run("r").graph.task("c").groups == ("lab", "licences")


def test_what_is_known_are_groups_of_the_fleet_of_limits_and_of_tasks(stage: Stage):
    assert known_groups(stage.run) == ["lab", "licences"]
    assert (
        new_group_words(" lab , x, x,", ["lab"])
        == "“x” is a new group, without a limit: “Queue & limits” gives it one."
    )
