"""A new task is asked about where it is going to stand: name, Tab, work, Enter; before Enter nothing is added."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from tests.driver import task
from tests.gui.canvas.editing import LEFT, NONE, Bench
from tests.gui.canvas.looking import row_in, shown_in

from starloom.constellation.edits import AddTask
from starloom.model.task import Gate, Task
from starloom_gui.canvas.drafting import drafted
from starloom_gui.editing.adding import GROUND, Site
from starloom_gui.editing.templates import id_of_name, kinds, usual_kind
from starloom_gui.viewmodel.task_fields import needs_shell, values_of

if TYPE_CHECKING:
    from PySide6.QtWidgets import QLineEdit

Key = Qt.Key
EMPTY_PLACE = QPoint(450, 430)


def double_click(bench: Bench, at: QPoint) -> None:
    """As Qt does: the second press is told as a double click."""
    QTest.mouseClick(bench.view.viewport(), LEFT, NONE, at)
    QTest.mouseDClick(bench.view.viewport(), LEFT, NONE, at)
    QTest.mouseRelease(bench.view.viewport(), LEFT, NONE, at)


def write(field: QLineEdit, words: str) -> None:
    field.selectAll()
    QTest.keyClicks(field, words)


def added(bench: Bench) -> Task:
    """The task of the only step that was made."""
    (step,) = bench.editor.steps
    edit = step.edits[0]
    assert isinstance(edit, AddTask)
    return edit.task


def test_a_double_click_where_nothing_is_asks_for_a_task_and_enter_adds_it_there_as_one_step(bench: Bench) -> None:
    double_click(bench, EMPTY_PLACE)
    field = bench.draft()
    assert field.isVisible()
    assert QApplication.focusWidget() is field.name
    assert field.name.selectedText() == field.name.text()
    assert bench.editor.steps == []
    QTest.keyClicks(field.name, "Run unit tests")
    QTest.keyClick(field.name, Key.Key_Tab)
    assert QApplication.focusWidget() is field.work
    QTest.keyClicks(field.work, "make 'unit tests' -j2")
    QTest.keyClick(field.work, Key.Key_Return)
    new = added(bench)
    assert (new.id, new.name, new.command) == ("run-unit-tests", "Run unit tests", ("make", "unit tests", "-j2"))
    assert bench.chosen() == {"run-unit-tests"}
    assert (bench.middle("run-unit-tests") - EMPTY_PLACE).manhattanLength() <= 2
    assert bench.verbs.drafting.field is None
    assert bench.view.viewport().hasFocus() or bench.view.hasFocus()


def test_escape_adds_nothing_from_either_line(bench: Bench) -> None:
    for keys in ((Key.Key_Escape,), (Key.Key_Tab, Key.Key_Escape)):
        double_click(bench, EMPTY_PLACE)
        QTest.keyClicks(bench.draft().name, "x")
        for key in keys:
            focused = QApplication.focusWidget()
            assert focused is not None
            QTest.keyClick(focused, key)
        assert bench.verbs.drafting.field is None
    assert bench.editor.steps == []


def test_tab_goes_between_the_two_lines_and_nowhere_else(bench: Bench) -> None:
    double_click(bench, EMPTY_PLACE)
    field = bench.draft()
    for expected, key in ((field.work, Key.Key_Tab), (field.name, Key.Key_Tab), (field.work, Key.Key_Backtab)):
        focused = QApplication.focusWidget()
        assert focused is not None
        QTest.keyClick(focused, key)
        assert QApplication.focusWidget() is expected
    assert bench.editor.steps == []


ELSEWHERE = QPoint(200, 520)


def test_a_click_elsewhere_never_adds_what_is_half_written_but_leaves_it_open(bench: Bench) -> None:
    double_click(bench, EMPTY_PLACE)
    field = bench.draft()
    QTest.keyClick(field.name, Key.Key_Tab)
    QTest.keyClicks(field.work, "rm -rf ./ol")
    for at in (ELSEWHERE, bench.middle("b")):
        QTest.mouseClick(bench.view.viewport(), LEFT, NONE, at)
        bench.view.setFocus(Qt.FocusReason.MouseFocusReason)
        assert bench.editor.steps == []
        assert bench.draft() is field
        assert field.isVisible()
    assert field.remark.startswith("Not added yet")
    double_click(bench, ELSEWHERE)
    assert bench.draft() is field, "it is ended before another one begins"
    assert field.problem == "This task is not added yet. Enter adds it, Esc drops it; then the next one can begin."
    assert QApplication.focusWidget() is field.name
    QTest.keyClicks(field.work, "d")
    QTest.keyClick(field.work, Key.Key_Return)
    assert added(bench).command == ("rm", "-rf", "./old")


def test_a_click_elsewhere_gives_up_what_nobody_has_typed_into(bench: Bench) -> None:
    double_click(bench, EMPTY_PLACE)
    QTest.mouseClick(bench.view.viewport(), LEFT, NONE, ELSEWHERE)
    bench.view.setFocus(Qt.FocusReason.MouseFocusReason)
    assert bench.verbs.drafting.field is None
    assert bench.editor.steps == []


def test_a_new_one_takes_the_place_of_one_that_nobody_has_typed_into(bench: Bench) -> None:
    bench.verbs.drafting.begin(task("one"), GROUND)
    first = bench.draft()
    bench.verbs.drafting.begin(task("other"), GROUND)
    assert bench.draft() is not first
    QTest.keyClick(bench.draft().name, Key.Key_Return)
    assert added(bench).id == "other"


def test_escape_on_the_canvas_gives_up_what_was_left_open(bench: Bench) -> None:
    double_click(bench, EMPTY_PLACE)
    QTest.keyClicks(bench.draft().name, "half")
    bench.view.setFocus(Qt.FocusReason.MouseFocusReason)
    bench.key(Key.Key_Escape)
    assert bench.verbs.drafting.field is None
    assert bench.editor.steps == []


@pytest.mark.parametrize("reason", [Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason])
def test_another_window_or_a_menu_leaves_it_open(bench: Bench, reason: Qt.FocusReason) -> None:
    double_click(bench, EMPTY_PLACE)
    QApplication.sendEvent(bench.draft().name, QFocusEvent(QFocusEvent.Type.FocusOut, reason))
    assert bench.editor.steps == []
    assert bench.draft().isVisible()


def test_what_cannot_be_is_said_and_can_be_mended(bench: Bench) -> None:
    double_click(bench, EMPTY_PLACE)
    field = bench.draft()
    write(field.work, "echo 'half")
    QTest.keyClick(field.work, Key.Key_Return)
    assert field.problem.startswith("“echo 'half” cannot be read: No closing quotation")
    assert bench.editor.steps == []
    write(field.work, "")
    QTest.keyClick(field.work, Key.Key_Backspace)
    QTest.keyClick(field.work, Key.Key_Return)
    assert field.problem == "It is empty: write what the task does."
    assert field.isVisible()
    write(field.work, "echo whole")
    assert field.problem == ""
    QTest.keyClick(field.work, Key.Key_Return)
    assert added(bench).command == ("echo", "whole")


def test_a_command_that_is_written_for_a_shell_becomes_a_shell_task_and_the_field_says_so(bench: Bench) -> None:
    double_click(bench, EMPTY_PLACE)
    field = bench.draft()
    write(field.work, "echo 'a; b'")
    keys = field.remark
    write(field.work, "echo a; sleep 2 && echo b > c.txt")
    assert field.remark != keys
    assert "Shell" in field.remark
    QTest.keyClick(field.work, Key.Key_Return)
    assert (added(bench).shell, added(bench).command) == ("echo a; sleep 2 && echo b > c.txt", None)


@pytest.mark.parametrize(
    "line", ["a; b", "a && b", "a || b", "a | b", "a > f", "a >f", "a 2>&1", "sort < f", "sleep 1 &"]
)
def test_operators_that_are_not_quoted_need_a_shell(line: str) -> None:
    assert needs_shell(line)
    changed = values_of(task("a", command=("x",)), "command", line)
    assert changed == {"command": None, "shell": line}


@pytest.mark.parametrize(
    "line", ["echo 'a; b'", 'echo "x && y"', "curl http://x?a=1&b=2", "find . -exec rm {} ';'", r"find . \;", "x->y"]
)
def test_quoted_operators_and_those_within_words_are_arguments(line: str) -> None:
    assert not needs_shell(line)
    assert list(values_of(task("a", command=("x",)), "command", line)) == ["command"]


def test_what_the_engine_would_refuse_is_said_in_the_field(bench: Bench) -> None:
    bench.verbs.drafting.begin(task("new"), Site(bench.number("b"), bench.number("c")))
    bench.editor.driver.end("a")
    bench.editor.driver.end("b")
    QTest.keyClick(bench.draft().name, Key.Key_Return)
    assert "c" in bench.draft().problem
    assert bench.editor.steps == []
    QTest.keyClick(bench.draft().name, Key.Key_Escape)


def test_an_id_is_made_from_a_name_that_was_chosen_and_never_taken_twice(bench: Bench) -> None:
    shell = Task(id="shell", shell="true")
    assert drafted(shell, "  Prüfe  Größe! ", "du -s").id == "prüfe-größe"
    assert drafted(shell, "shell", "true") == shell
    assert drafted(shell, "", "true") == shell
    named = drafted(replace(shell, name="My kind"), "My kind", "true")
    assert (named.id, named.name) == ("shell", "My kind"), "a name that nobody chose makes no id"
    assert (drafted(shell, "…", "true").id, drafted(shell, "…", "true").name) == ("shell", "…")
    assert drafted(shell, "lint", "true").name == "", "it is the id's"
    assert len(id_of_name("long words " * 40)) <= 60
    bench.verbs.drafting.begin(shell, GROUND)
    write(bench.draft().name, "E")
    QTest.keyClick(bench.draft().name, Key.Key_Return)
    assert added(bench).id == "e-2"


def test_work_of_several_lines_is_not_asked_for_and_stays(bench: Bench) -> None:
    bench.verbs.drafting.begin(Task(id="script", shell="one\ntwo"), GROUND)
    field = bench.draft()
    assert field.work.isHidden()
    QTest.keyClick(field.name, Key.Key_Tab)
    assert QApplication.focusWidget() is field.name
    QTest.keyClick(field.name, Key.Key_Return)
    assert added(bench).shell == "one\ntwo"


def test_the_field_stays_where_the_task_will_stand_when_the_view_moves_and_in_sight(bench: Bench) -> None:
    double_click(bench, EMPTY_PLACE)
    field, before = bench.draft(), bench.draft().geometry()
    bench.view.pan_zoom.scroll_by(-40, 60)
    assert (field.pos() - before.topLeft()).x() == 40
    bench.view.pan_zoom.scroll_by(0, 2000)
    assert bench.view.viewport().rect().contains(field.geometry())
    assert bench.draft() is field
    QTest.keyClick(field.name, Key.Key_Escape)


def test_what_is_said_in_it_is_in_sight_in_the_corner_too_and_over_what_lies_there(bench: Bench) -> None:
    view = bench.view
    double_click(bench, QPoint(30, view.height() - 70))
    field = bench.draft()
    assert field.geometry().intersects(view.controls.zoom_box.geometry())
    write(field.work, "echo 'half")
    QTest.keyClick(field.work, Key.Key_Return)
    assert field.problem
    assert view.rect().contains(field.geometry()), "it has grown"
    over = view.childAt(view.controls.zoom_box.geometry().intersected(field.geometry()).center())
    assert over is not None
    assert over is field or field.isAncestorOf(over)
    QTest.keyClick(field.work, Key.Key_Escape)


def test_the_card_of_a_dependency_lies_over_the_overview(bench: Bench) -> None:
    view, card = bench.view, bench.card
    double_click(bench, bench.on_edge("b", "c"))
    view.controls.minimap.show()
    view.controls.minimap.move(card.geometry().topLeft())
    over = view.childAt(view.controls.minimap.geometry().intersected(card.geometry()).center())
    assert over is not None
    assert over is card or card.isAncestorOf(over)
    QTest.keyClick(card.condition, Key.Key_Escape)


@pytest.mark.parametrize("kind", ["Gate", "Python"])
@pytest.mark.parametrize("how", ["insert", "double click"])
def test_what_was_chosen_once_is_not_meant_the_next_time(bench: Bench, kind: str, how: str) -> None:
    bench.command("insert_kind")
    menu = bench.verbs.menu
    assert menu is not None
    next(action for action in menu.actions() if action.text() == kind).trigger()
    menu.close()
    QTest.keyClick(bench.draft().name, Key.Key_Escape)
    if how == "insert":
        bench.command("insert")
    else:
        double_click(bench, EMPTY_PLACE)
    write(bench.draft().work, "make all")
    QTest.keyClick(bench.draft().work, Key.Key_Return)
    assert added(bench).action == "command"


def test_the_usual_kind_is_a_line_that_runs_as_most_of_the_plan_do_and_never_a_gate() -> None:
    gates = [Task(id=f"g{at}", gate=Gate()) for at in range(5)]
    shells = [Task(id=f"s{at}", shell="make") for at in range(3)]
    commands = [Task(id=f"c{at}", command=("make",)) for at in range(2)]
    assert usual_kind(kinds(), [*gates, *commands, *shells]).name == "shell"
    assert usual_kind(kinds(), [*gates, *commands, *shells[:1]]).name == "command"
    assert usual_kind(kinds(), gates).name == usual_kind(kinds(), []).name == "command"


@pytest.mark.parametrize("key", ["insert", "insert_kind"])
def test_a_task_added_by_a_key_stands_right_of_its_parent(bench: Bench, key: str) -> None:
    bench.select("b")
    bench.command(key)
    if bench.verbs.menu is not None:
        menu = bench.verbs.menu
        next(action for action in menu.actions() if action.text() == "Shell").trigger()
        menu.close()
    QTest.keyClick(bench.draft().name, Key.Key_Return)
    (new,) = bench.chosen()
    after, before = (bench.view.graph.node_rect(row_in(bench.view, bench.number(one))) for one in (new, "b"))
    assert after.left() > before.right()


# ---- what else a double click edits


def test_a_double_click_on_a_task_has_its_name_written(bench: Bench) -> None:
    double_click(bench, bench.middle("b"))
    field = bench.verbs.field
    assert field is not None
    QTest.keyClicks(field, "other")
    QTest.keyClick(field, Key.Key_Return)
    assert bench.editor.labels == ["Rename b to other"]


def test_of_a_task_whose_name_is_fixed_it_says_why_and_tells_more(bench: Bench) -> None:
    asked: list[object] = []
    bench.view.activated.connect(asked.append)
    double_click(bench, bench.middle("a"))
    assert bench.verbs.field is None
    assert bench.view.overlay.note == "a is running."
    assert len(asked) == 1


def test_a_double_click_on_a_dependency_has_its_condition_written(bench: Bench) -> None:
    double_click(bench, bench.on_edge("b", "c"))
    assert bench.card.isVisible()
    assert QApplication.focusWidget() is bench.card.condition
    assert bench.editor.steps == [], "nothing has changed before Enter"
    QTest.keyClicks(bench.card.condition, "value.ok")
    QTest.keyClick(bench.card.condition, Key.Key_Return)
    assert bench.editor.labels == ["Let b → c depend on value.ok"]


def test_escape_leaves_the_dependency_as_it_was(bench: Bench) -> None:
    double_click(bench, bench.on_edge("b", "c"))
    QTest.keyClick(bench.card.condition, Key.Key_Escape)
    assert not bench.card.isVisible()
    assert bench.editor.steps == []


def test_beside_the_graph_in_a_run_that_takes_no_more_it_says_so(bench: Bench) -> None:
    bench.editor.facts().cancel_requested = True
    double_click(bench, EMPTY_PLACE)
    assert bench.verbs.drafting.field is None
    assert bench.view.overlay.note == "The run was cancelled; nothing can be added to it."


def test_from_afar_a_double_click_adds_nothing(bench: Bench) -> None:
    bench.view.pan_zoom.zoom_by(0.05)
    double_click(bench, EMPTY_PLACE)
    assert bench.verbs.drafting.field is None
    assert row_in(bench.view, bench.number("a")) is not None
    assert len(shown_in(bench.view)) == 6


def test_an_empty_graph_offers_the_first_task_and_gets_out_of_the_way_of_what_is_written(bench: Bench) -> None:
    picture = bench.view.graph.picture
    assert picture is not None
    picture.present[:] = False
    bench.view.controls.arrange()
    empty = bench.view.controls.empty
    assert empty.button.isVisible()
    QTest.mouseClick(empty.button, LEFT)
    assert bench.verbs.menu is not None
    bench.verbs.menu.close()
    bench.verbs.add_at(bench.view.pan_zoom.scene_at(bench.view.viewport().rect().center()))
    assert bench.draft().isVisible()
    assert not empty.isVisible()
    assert not empty.button.isVisible()
    QTest.keyClick(bench.draft().name, Key.Key_Escape)
    assert empty.isVisible()


def test_a_double_click_on_the_words_that_ask_for_one_is_a_double_click_on_the_canvas(bench: Bench) -> None:
    picture = bench.view.graph.picture
    assert picture is not None
    picture.present[:] = False
    bench.view.controls.arrange()
    (words,) = bench.view.controls.empty.findChildren(QLabel)
    assert "Double-click here" in words.text()
    at = words.mapTo(bench.view.window(), words.rect().center())
    under = bench.view.window().childAt(at)  # as Qt finds who gets what the pointer does
    assert under is not None
    spot = under.mapFrom(bench.view.window(), at)
    QTest.mouseClick(under, LEFT, NONE, spot)
    QTest.mouseDClick(under, LEFT, NONE, spot)
    assert bench.verbs.drafting.field is not None
    assert not bench.view.controls.empty.isVisible()
