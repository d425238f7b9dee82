"""The limit group of a task: groups there are complete what is typed, and a new one is said to be new."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.gui.panels.test_bulk import BulkBench

from starloom.constellation.edits import UpdateTask
from starloom.scheduling.read.run_view import RunView
from starloom_gui.gateway.changes import Changes
from starloom_gui.panels.group_names import known_groups, new_group_words

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.widgets.names_field import NamesField
    from starloom_gui.widgets.tag_box import TagLine


@pytest.fixture
def bench(appearance: Appearance, app: QApplication) -> BulkBench:
    return BulkBench(appearance, app)


def begun(bench: BulkBench, *ids: str) -> TagLine:
    """The field of the limit group of these tasks, with the keyboard in it and nothing in it."""
    bench.select(*ids)
    bench.inspector.activateWindow()
    assert QTest.qWaitForWindowActive(bench.inspector)
    line = field(bench).box.line
    line.setFocus()
    for _ in field(bench).box.tags:
        QTest.keyClick(line, Qt.Key.Key_Backspace)
    return line


def field(bench: BulkBench) -> NamesField:
    found: NamesField = bench.inspector.fields.value("groups")
    return found


def groups(bench: BulkBench, task_id: str) -> object:
    return bench.driver.run("r").graph.task(task_id).groups


def test_a_group_that_there_is_not_is_said_to_be_new_while_it_is_typed(bench: BulkBench):
    line = begun(bench, "a")
    QTest.keyClicks(line, "licenses, lab")
    assert (
        bench.inspector.fields.hint("groups")
        == "“licenses” is a new group, without a limit: “Queue & limits” gives it one."
    )
    line.clear()
    QTest.keyClick(line, Qt.Key.Key_Backspace)
    QTest.keyClicks(line, "licences, lab")
    assert bench.inspector.fields.hint("groups") == ""
    QTest.keyClick(line, Qt.Key.Key_Escape)
    QTest.keyClick(line, Qt.Key.Key_Escape)
    assert (field(bench).text(), groups(bench, "a")) == ("licences", ("licences",))


def test_once_the_group_is_there_it_is_not_said_to_be_new_any_more(bench: BulkBench):
    line = begun(bench, "a")
    QTest.keyClicks(line, "licenses")
    assert bench.inspector.fields.hint("groups")
    QTest.keyClick(line, Qt.Key.Key_Return)
    QTest.keyClick(line, Qt.Key.Key_Return)
    bench.inspector.refresh()
    assert groups(bench, "a") == ("licenses",)
    assert bench.inspector.fields.hint("groups") == ""


def test_of_several_tasks_it_is_said_too(bench: BulkBench):
    line = begun(bench, "b", "c")
    QTest.keyClicks(line, "cards")
    assert (
        bench.inspector.fields.hint("groups")
        == "“cards” is a new group, without a limit: “Queue & limits” gives it one."
    )


def test_groups_there_are_complete_the_name_that_was_begun(bench: BulkBench):
    line = begun(bench, "c")
    QTest.keyClicks(line, "lab, LIC")
    popup = field(bench).offers.list
    assert popup.isVisible()
    QTest.keyClick(popup, Qt.Key.Key_Down)
    QTest.keyClick(popup, Qt.Key.Key_Return)
    assert not popup.isVisible()
    assert field(bench).box.tags == ("lab", "licences")
    assert groups(bench, "c") == (), "the first Enter only chose a name"
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert groups(bench, "c") == ("lab", "licences")


def test_down_shows_the_groups_that_are_not_there_yet(bench: BulkBench):
    line = begun(bench, "c")
    QTest.keyClicks(line, "lab,")
    QTest.keyClick(line, Qt.Key.Key_Down)
    model = field(bench).offers.list.model()
    assert [model.index(at, 0).data() for at in range(model.rowCount())] == ["licences"]
    QTest.keyClick(field(bench).offers.list, Qt.Key.Key_Escape)
    assert field(bench).box.tags == ("lab",)


def test_a_name_is_removed_by_its_button_in_one_step_and_one_with_a_comma_is_quoted(bench: BulkBench):
    line = begun(bench, "c")
    QTest.keyClicks(line, '"a, b", lab')
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert groups(bench, "c") == ("a, b", "lab")
    steps = len(bench.editor.steps)
    bench.inspector.on_changes(Changes(run_id="r", everything=True))
    field(bench).box.buttons[0].click()
    assert (groups(bench, "c"), len(bench.editor.steps)) == (("lab",), steps + 1)


def test_what_others_set_is_not_written_over_names_that_are_just_typed(bench: BulkBench):
    line = begun(bench, "c")
    QTest.keyClicks(line, "lab, ca")
    bench.driver.edit(UpdateTask("c", groups=("other",)))
    bench.inspector.on_changes(Changes(run_id="r", everything=True))
    assert (field(bench).box.tags, line.text()) == (("lab",), " ca")
    assert "other" in bench.inspector.fields.told("groups")


def test_names_take_as_many_rows_as_their_width_asks_for(bench: BulkBench):
    bench.select("c")
    box = field(bench).box
    heights = []
    for names in (["a"], ["a", "b"], ["a-long-name-of-a-group", "another-long-name-of-a-group"]):
        box.put(names)
        heights.append(box.heightForWidth(200))
        assert all(one.geometry().right() < box.width() for one in box.buttons), "elided, not cut"
    assert heights[0] == heights[1] == 24 < heights[2]


def test_what_is_known_are_groups_of_the_fleet_of_limits_and_of_tasks(bench: BulkBench):
    assert known_groups(RunView(bench.run)) == ["lab", "licences"]
    assert (
        new_group_words(" lab , x, x,", ["lab"])
        == "“x” is a new group, without a limit: “Queue & limits” gives it one."
    )


def test_a_device_that_is_not_in_the_fleet_is_said_as_long_as_it_stands_there(bench: BulkBench):
    (known, *_) = bench.driver.run("r").fleet.devices
    bench.select("a")
    line = bench.inspector.fields.value("device")
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, f"{known}x")
    said = f"There is no device “{known}x” in the fleet now."
    assert bench.inspector.fields.hint("device") == said
    QTest.keyClick(line, Qt.Key.Key_Return)
    bench.inspector.refresh()
    assert bench.inspector.fields.hint("device") == said, "set, it is so still"
    line.selectAll()
    QTest.keyClicks(line, known)
    assert bench.inspector.fields.hint("device") == ""
