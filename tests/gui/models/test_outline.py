"""The outline: which tasks stand together, and that new ones join them without everything being new."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from tests.driver import Driver, plan, task
from tests.gui.gateway.driven_bridge import DrivenBridge
from tests.gui.models.cells import steps_of

from starloom.constellation.edits import AddTask, RemoveTask
from starloom_gui.models.outline import Outline
from starloom_gui.viewmodel.grouping import group_of
from starloom_gui.viewmodel.roles import ItemRole

pytestmark = pytest.mark.usefixtures("app")


@pytest.mark.parametrize(
    ("name", "group"),
    [
        ("mProject_ID0000001", "mProject"),
        ("unit 12", "unit"),
        ("cut7", "cut"),
        ("t7", "t7"),
        ("k_0", "k_0"),
        ("p-q 12", "p-q 12"),
        ("compile usb", "compile usb"),
        ("bowtie2-build_ID0000001", "bowtie2-build"),
        ("2024", "2024"),
        ("fast2bfq_1", "fast2bfq"),
    ],
)
def test_a_name_with_a_number_at_its_end_belongs_to_the_name_without_it_if_that_has_three_letters(name, group):
    assert group_of(task("x", name=name)) == (group, False)


def test_what_a_plan_says_of_groups_comes_first():
    assert group_of(task("a1", metadata={"group": "Build"})) == ("Build", True)
    assert group_of(task("a1", metadata={"wfformat": {"specification": {"category": "align"}}})) == ("align", True)
    assert group_of(task("cut1", metadata={"group": 5})) == ("cut", False)
    assert group_of(task("a1", metadata={"group": "k"})) == ("k", True)


def outline_of(*tasks):
    driver = Driver(slots=1)
    driver.create(plan(tasks))
    bridge = DrivenBridge(driver)
    outline = Outline(lambda: bridge.facts("r"), lambda: driver.now)
    list(bridge.news())
    return driver, bridge, outline


def picture(outline):
    return [(group.name, group.numbers) for group in outline.groups]


def test_a_task_that_has_nothing_in_common_with_another_stands_for_itself():
    _, _, outline = outline_of(task("alone"), task("cut1"), task("b"), task("cut2"))
    assert picture(outline) == [("", (0,)), ("cut", (1, 3)), ("", (2,))]
    a = outline.index(1, 0)
    assert outline.data(a) == "cut"
    assert outline.data(outline.index(1, 1)) == "2"
    assert outline.data(outline.index(1, 0, a)) == "cut2"
    assert outline.data(a, ItemRole.COUNTS) == (0, 2, 0, 0, 0, 0, 0, 0, 0)
    assert outline.data(outline.index(0, 0), ItemRole.COUNTS) is None
    assert outline.data(outline.index_of(3), ItemRole.ID) == "cut2"
    assert outline.index_of(3).parent() == a
    assert outline.numbers_at(a) == (1, 3)


def test_a_screen_reader_is_told_name_status_and_why():
    _, _, outline = outline_of(task("a"), task("b"))
    assert outline.data(outline.index(0, 0), Qt.ItemDataRole.AccessibleTextRole) == "a, running on d for 0:00"


def test_new_tasks_join_their_group_and_nothing_else_is_new():
    driver, bridge, outline = outline_of(task("cut1"), task("cut2"), task("b"))
    steps = steps_of(outline)
    driver.edit(AddTask(task("cut3")), AddTask(task("fold1")), AddTask(task("fold2")))
    outline.on_changes(bridge.of("r"))
    assert picture(outline) == [("cut", (0, 1, 3)), ("", (2,)), ("fold", (4, 5))]
    assert "reset" not in steps
    driver.edit(RemoveTask("fold1"))
    outline.on_changes(bridge.of("r"))
    assert picture(outline) == [("cut", (0, 1, 3)), ("", (2,)), ("", (5,))]


def test_tasks_of_one_letter_and_a_number_stand_for_themselves():
    _, _, outline = outline_of(*(task(f"k{n}") for n in range(4)))
    assert picture(outline) == [("", (n,)) for n in range(4)]


def test_a_short_name_leaves_out_what_all_names_begin_with_and_follows_edits(app):
    driver = Driver()
    driver.create(plan([task("a", name="firmware build linux"), task("b", name="firmware test linux")]))
    outline = Outline(driver.run, lambda: 0.0)
    assert outline.short("firmware build linux") == "build linux"
    driver.edit(AddTask(task("c", name="documents")))
    outline.rebuild()
    assert outline.short("firmware build linux") == "firmware build linux"


def test_another_moment_of_the_same_graph_says_something_else_in_the_same_rows():
    driver, _, outline = outline_of(task("cut1"), task("cut2"), task("alone"))
    steps = steps_of(outline)
    outline.rebuild()
    assert steps == ["data"] * 2, "of the tasks of the group, and of the first level"
    driver.edit(AddTask(task("cut3")))
    outline.rebuild()
    assert steps[2:] == ["reset"]
    assert picture(outline) == [("cut", (0, 1, 3)), ("", (2,))]
