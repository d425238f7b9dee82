"""The outline: which tasks stand together, and that new ones join them without everything being new."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from tests.driver import Driver, plan, task
from tests.gui.models.cells import steps_of
from tests.gui.models.telling import Teller

from starloom.constellation.edits import AddTask, RemoveTask
from starloom_gui.models.grouping import group_of
from starloom_gui.models.outline import Outline
from starloom_gui.models.roles import Role

pytestmark = pytest.mark.usefixtures("app")


@pytest.mark.parametrize(
    ("name", "group"),
    [
        ("mProject_ID0000001", "mProject"),
        ("unit 12", "unit"),
        ("t7", "t"),
        ("compile usb", "compile usb"),
        ("bowtie2-build_ID0000001", "bowtie2-build"),
        ("2024", "2024"),
        ("fast2bfq_1", "fast2bfq"),
    ],
)
def test_a_name_with_a_number_at_its_end_belongs_to_the_name_without_it(name, group):
    assert group_of(task("x", name=name)) == (group, False)


def test_what_a_plan_says_of_groups_comes_first():
    assert group_of(task("a1", metadata={"group": "Build"})) == ("Build", True)
    assert group_of(task("a1", metadata={"wfformat": {"specification": {"category": "align"}}})) == ("align", True)
    assert group_of(task("a1", metadata={"group": 5})) == ("a", False)


def outline_of(*tasks):
    driver = Driver(slots=1)
    driver.create(plan(tasks))
    teller = Teller(driver)
    outline = Outline(lambda: teller.facts("r"), lambda: driver.now)
    list(teller.news())
    return driver, teller, outline


def picture(outline):
    return [(group.name, group.numbers) for group in outline.groups]


def test_a_task_that_has_nothing_in_common_with_another_stands_for_itself():
    _, _, outline = outline_of(task("alone"), task("a1"), task("b"), task("a2"))
    assert picture(outline) == [("", (0,)), ("a", (1, 3)), ("", (2,))]
    a = outline.index(1, 0)
    assert outline.data(a) == "a"
    assert outline.data(outline.index(1, 1)) == "2"
    assert outline.data(outline.index(1, 0, a)) == "a2"
    assert outline.data(a, Role.COUNTS) == (0, 2, 0, 0, 0, 0, 0, 0, 0)
    assert outline.data(outline.index(0, 0), Role.COUNTS) is None
    assert outline.data(outline.index_of(3), Role.ID) == "a2"
    assert outline.index_of(3).parent() == a
    assert outline.numbers_at(a) == (1, 3)


def test_a_screen_reader_is_told_name_status_and_why():
    _, _, outline = outline_of(task("a"), task("b"))
    assert outline.data(outline.index(0, 0), Qt.ItemDataRole.AccessibleTextRole) == "a, running on d for 0:00"


def test_new_tasks_join_their_group_and_nothing_else_is_new():
    driver, teller, outline = outline_of(task("a1"), task("a2"), task("b"))
    steps = steps_of(outline)
    driver.edit(AddTask(task("a3")), AddTask(task("c1")), AddTask(task("c2")))
    outline.take(teller.of("r"))
    assert picture(outline) == [("a", (0, 1, 3)), ("", (2,)), ("c", (4, 5))]
    assert "reset" not in steps
    driver.edit(RemoveTask("c1"))
    outline.take(teller.of("r"))
    assert picture(outline) == [("a", (0, 1, 3)), ("", (2,)), ("", (5,))]
