"""Editing the graph with keys: everything the pointer can do, without it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from tests.gui.canvas.looking import painted, row_in, shown_in

from starloom.model.status import DependencyKind
from starloom_gui.canvas.gesture_controller import NUDGE
from starloom_gui.canvas.matching import Filter

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot
    from tests.gui.canvas.editing import Bench

    from starloom_gui.canvas.rename_field import RenameField

SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
Key = Qt.Key


def aimed(bench: Bench) -> str:
    keys = bench.view.gestures._keys
    assert keys is not None
    assert keys.aimed is not None
    return bench.editor.facts().graph.ids[keys.aimed]


# ---- connecting


def test_a_key_connects_arrows_choose_among_what_is_legal_and_enter_makes_it(bench: Bench) -> None:
    bench.select("d")
    bench.command("connect")
    seen = {aimed(bench)}
    for key in (Key.Key_Up, Key.Key_Down, Key.Key_Left, Key.Key_Right) * 3:
        bench.key(key)
        seen.add(aimed(bench))
    assert seen <= {"b", "c", "f"}
    assert len(seen) >= 2
    assert bench.dimmed() == {"a", "e"}
    wanted = aimed(bench)
    assert bench.view.overlay.note == f"Add dependency d → {wanted}"
    assert bench.editor.steps == []
    bench.key(Key.Key_Return)
    assert bench.editor.labels == [f"Add dependency d → {wanted}"]
    assert bench.view.overlay.painter.preview.is_empty
    assert bench.dimmed() == set()


def test_with_shift_it_connects_the_other_way(bench: Bench) -> None:
    bench.select("f")
    bench.command("connect_back")
    wanted = aimed(bench)
    bench.key(Key.Key_Enter)
    assert bench.editor.labels == [f"Add dependency {wanted} → f"]


def test_escape_ends_connecting_without_a_trace(bench: Bench) -> None:
    bench.select("d")
    before = painted(bench.view)
    bench.command("connect", Key.Key_Up, Key.Key_Escape)
    assert (bench.editor.steps, bench.dimmed(), bench.chosen()) == ([], set(), {"d"})
    assert bench.view.overlay.painter.preview.is_empty
    assert painted(bench.view) == before
    bench.key(Key.Key_Escape)
    assert bench.chosen() == set()


def test_where_nothing_can_be_connected_it_says_why(bench: Bench) -> None:
    bench.select("a")
    bench.command("connect_back")
    assert bench.view.overlay.note == "a is running."
    bench.key(Key.Key_Return)
    assert bench.editor.steps == []
    bench.view._selection.clear()
    bench.view._selection.forget([bench.number("a")])
    bench.command("connect")
    assert bench.view.overlay.note == "Select a task first."


def test_connecting_by_keys_goes_on_in_another_picture(bench: Bench) -> None:
    bench.select("d")
    bench.command("connect")
    wanted = aimed(bench)
    bench.redraw()
    assert bench.view.overlay.note == f"Add dependency d → {wanted}"
    assert bench.dimmed() == {"a", "e"}
    bench.key(Key.Key_Return)
    assert len(bench.editor.steps) == 1


# ---- dependencies


def test_a_key_goes_through_the_dependencies_of_a_task(bench: Bench) -> None:
    bench.select("b")
    found = []
    for command in ("next_edge",) * 3 + ("previous_edge",):
        bench.command(command)
        assert bench.view.overlay.chosen_edge is not None
        found.append(tuple(bench.editor.facts().graph.ids[number] for number in bench.view.overlay.chosen_edge))
    assert found == [("b", "c"), ("a", "b"), ("b", "c"), ("a", "b")]
    bench.key(Key.Key_Escape)
    assert bench.view.overlay.chosen_edge is None
    bench.select("f")
    bench.command("next_edge")
    assert bench.view.overlay.note == "This task has no dependencies."


def test_delete_removes_the_selected_dependency(bench: Bench) -> None:
    bench.select("b")
    bench.command("next_edge", Key.Key_Delete)
    assert bench.editor.labels == ["Remove dependency b → c"]
    assert bench.view.overlay.chosen_edge is None


def test_enter_opens_kind_and_condition_and_keys_change_them(bench: Bench) -> None:
    bench.select("b")
    bench.command("next_edge", Key.Key_Return)
    card = bench.card
    assert card.isVisible()
    QTest.keyClick(card._kinds.buttons[DependencyKind.SUCCESS], Key.Key_Right)
    assert QApplication.focusWidget() is card._kinds.buttons[DependencyKind.ALWAYS]
    QTest.keyClick(card._kinds.buttons[DependencyKind.ALWAYS], Key.Key_Space)
    assert bench.editor.labels == ["Make b → c run always"]
    QTest.keyClick(card._kinds.buttons[DependencyKind.ALWAYS], Key.Key_Escape)
    assert not card.isVisible()
    assert QApplication.focusWidget() is bench.view


def focused() -> QWidget:
    found = QApplication.focusWidget()
    assert found is not None
    return found


def test_arrows_only_go_through_the_kinds_enter_gives_one_and_escape_takes_it_back(bench: Bench) -> None:
    bench.select("b")
    bench.command("next_edge", Key.Key_Return)
    card, buttons = bench.card, bench.card._kinds.buttons
    for key in (Key.Key_Right, Key.Key_Down):
        QTest.keyClick(focused(), key)
    assert bench.editor.labels == []
    lit = buttons[DependencyKind.FAILURE]
    assert lit.isChecked()
    assert lit.hasFocus()
    assert card._hint.text() == "Enter gives it “Failure”; Esc leaves “Success”."
    bench.editor.changed.emit()
    assert lit.isChecked(), "what is being considered is left alone"
    QTest.keyClick(lit, Key.Key_Escape)
    assert buttons[DependencyKind.SUCCESS].isChecked()
    assert (card.isVisible(), card._hint.isHidden(), bench.editor.labels) == (True, True, [])
    QTest.keyClick(focused(), Key.Key_Right)
    bench.view.setFocus()
    assert buttons[DependencyKind.SUCCESS].isChecked(), "whoever goes elsewhere has given nothing"
    card.take_keys()
    QTest.keyClick(focused(), Key.Key_Right)
    QTest.keyClick(focused(), Key.Key_Return)
    assert bench.editor.labels == ["Make b → c run always"]
    for _ in range(2):
        QTest.keyClick(focused(), Key.Key_Right)
    QTest.keyClick(focused(), Key.Key_Return)
    assert card.condition.hasFocus()
    bench.editor.changed.emit()
    QTest.keyClicks(card.condition, "value > 1")
    QTest.keyClick(card.condition, Key.Key_Return)
    assert bench.editor.labels[1:] == ["Let b → c depend on value > 1"]


@pytest.mark.parametrize(("command", "fixed"), [("connect", "b"), ("connect_back", "c")])
def test_the_keys_that_connect_move_an_end_of_the_selected_dependency(bench: Bench, command: str, fixed: str) -> None:
    bench.select("b")
    bench.command("next_edge")
    bench.command(command)
    wanted = aimed(bench)
    bench.key(Key.Key_Return)
    to = f"b → {wanted}" if fixed == "b" else f"{wanted} → c"
    assert bench.editor.labels == [f"Move dependency b → c to {to}"]


# ---- tasks


def test_delete_removes_what_is_selected_and_control_delete_reconnects(bench: Bench) -> None:
    bench.select("f", "e")
    bench.key(Key.Key_Delete)
    assert bench.editor.labels == ["Remove 2 task(s)"]
    bench.select("b")
    bench.key(Key.Key_Delete, modifiers=CONTROL)
    assert bench.editor.labels[1:] == ["Remove b and reconnect"]
    assert bench.edges() == {("a", "c")}


def test_what_cannot_be_removed_says_why_below_it_until_something_else_happens(bench: Bench) -> None:
    bench.select("a")
    bench.key(Key.Key_Delete)
    assert bench.view.overlay.note == "a is running."
    assert bench.editor.steps == []
    bench.key(Key.Key_Right)
    assert bench.view.overlay.note == ""


def field_of(bench: Bench) -> RenameField:
    field = bench.verbs.field
    assert field is not None
    return field


def test_why_something_is_not_done_stands_for_a_while_and_what_is_asked_until_it_is_answered(
    bench: Bench, qtbot: QtBot
) -> None:
    bench.select("a")
    bench.key(Key.Key_Delete)
    assert bench.view.overlay.note == "a is running."
    assert bench.view.overlay.said.isActive()
    bench.view.overlay.said.start(0)
    qtbot.waitUntil(lambda: bench.view.overlay.note == "", timeout=30_000)
    bench.view.overlay.say_of(None, "Where to?", wrong=False)
    assert not bench.view.overlay.said.isActive()


def test_f2_renames_in_place(bench: Bench) -> None:
    bench.select("b")
    bench.key(Key.Key_F2)
    field = field_of(bench)
    assert (field.text(), field.selectedText()) == ("b", "b")
    assert bench.view.graph.node_rect(row_in(bench.view, bench.number("b"))).contains(field.geometry().center())
    QTest.keyClicks(field, "build all")
    QTest.keyClick(field, Key.Key_Return)
    assert bench.editor.labels == ["Rename b to build all"]
    assert QApplication.focusWidget() is bench.view


def test_escape_keeps_the_name_and_elsewhere_keeps_what_was_written(bench: Bench) -> None:
    bench.select("b")
    bench.key(Key.Key_F2)
    QTest.keyClicks(field_of(bench), "nothing")
    QTest.keyClick(field_of(bench), Key.Key_Escape)
    assert bench.editor.steps == []
    bench.key(Key.Key_F2)
    QTest.keyClicks(field_of(bench), "   ")
    QTest.keyClick(field_of(bench), Key.Key_Return)
    assert bench.editor.steps == []
    bench.key(Key.Key_F2)
    QTest.keyClicks(field_of(bench), "kept")
    bench.view.setFocus()
    assert bench.editor.labels == ["Rename b to kept"]
    bench.select("a")
    bench.key(Key.Key_F2)
    assert bench.view.overlay.note == "a is running."
    assert bench.verbs.field is None


def test_a_name_that_is_left_once_the_task_has_started_is_refused_and_not_lost_in_silence(bench: Bench) -> None:
    bench.select("b")
    bench.key(Key.Key_F2)
    QTest.keyClicks(field_of(bench), "gather")
    bench.editor.driver.end("a")
    bench.view.setFocus()
    assert bench.editor.refusals == ["'b' cannot change: it is running."]
    assert bench.verbs.field is None


def test_who_goes_elsewhere_while_renaming_stays_there(bench: Bench) -> None:
    elsewhere = QLineEdit(bench.view)
    elsewhere.show()
    bench.select("b")
    bench.key(Key.Key_F2)
    QTest.keyClicks(field_of(bench), "kept")
    elsewhere.setFocus()
    assert bench.editor.labels == ["Rename b to kept"]
    assert QApplication.focusWidget() is elsewhere


@pytest.mark.parametrize(("selected", "title"), [("b", "New task after b"), ("", "New task")])
def test_a_key_asks_for_a_new_task_of_any_kind(bench: Bench, selected: str, title: str) -> None:
    if selected:
        bench.select(selected)
    bench.command("insert_kind")
    menu = bench.verbs.menu
    assert menu is not None
    assert menu.title() == title
    next(action for action in menu.actions() if action.text() == "Shell").trigger()
    menu.close()
    QTest.keyClick(bench.draft().name, Key.Key_Return)
    assert bench.chosen() == {"shell"}
    assert ((selected, "shell") in bench.edges()) is bool(selected)


@pytest.mark.parametrize("selected", ["b", ""])
def test_insert_writes_a_task_behind_what_is_selected_or_without_dependencies(bench: Bench, selected: str) -> None:
    bench.select("b")
    if not selected:
        bench.key(Key.Key_Escape)
    before = bench.edges()
    bench.key(Key.Key_Insert)
    assert bench.verbs.menu is None
    assert bench.draft().name.hasFocus()
    QTest.keyClicks(bench.draft().name, "new one")
    QTest.keyClick(bench.draft().name, Key.Key_Return)
    assert bench.edges() - before == ({(selected, "new-one")} if selected else set())
    assert len(bench.chosen()) == 1


def test_insert_writes_a_task_into_the_selected_dependency(bench: Bench) -> None:
    bench.select("b")
    bench.command("next_edge", Key.Key_Insert)
    QTest.keyClicks(bench.draft().name, "between")
    QTest.keyClick(bench.draft().name, Key.Key_Return)
    assert {("b", "between"), ("between", "c")} <= bench.edges()


def test_a_key_puts_a_new_task_into_the_selected_dependency(bench: Bench) -> None:
    bench.select("b")
    bench.command("next_edge")
    bench.command("insert_kind")
    menu = bench.verbs.menu
    assert menu is not None
    assert menu.title() == "New task between b and c"
    next(action for action in menu.actions() if action.text() == "Python").trigger()
    menu.close()
    QTest.keyClick(bench.draft().name, Key.Key_Return)
    assert {("b", "python"), ("python", "c")} <= bench.edges()
    assert ("b", "c") not in bench.edges()
    assert bench.view.overlay.chosen_edge is None


def test_the_line_of_a_name_stays_with_its_task_and_a_task_and_a_dependency_are_never_both_selected(
    bench: Bench,
) -> None:
    bench.select("b")
    bench.key(Key.Key_F2)
    before = field_of(bench).geometry().center()
    bench.view.pan_zoom.scroll_by(30, 0)
    assert (before - field_of(bench).geometry().center()).x() == 30
    QTest.keyClick(field_of(bench), Key.Key_Escape)
    bench.command("next_edge")
    assert (bench.chosen(), bench.view.overlay.chosen_edge is not None) == (set(), True)
    bench.select("f")
    assert bench.view.overlay.chosen_edge is None


def test_what_the_engine_would_refuse_is_disabled_in_the_menu_and_says_why(bench: Bench) -> None:
    bench.select("b")
    bench.command("insert_kind")
    menu = bench.verbs.menu
    assert menu is not None
    assert all(action.isEnabled() for action in menu.actions() if action.text() == "Command")
    menu.close()
    bench.editor.facts().cancel_requested = True
    bench.command("insert_kind")
    assert bench.view.overlay.note == "The run was cancelled; nothing can be added to it."


# ---- moving and marking


def test_alt_and_arrows_move_what_is_selected_by_even_steps(bench: Bench) -> None:
    positions = shown_in(bench.view).layout.positions
    before = positions[row_in(bench.view, bench.number("f"))].tolist()
    bench.select("f")
    bench.key(Key.Key_Right, Key.Key_Right, Key.Key_Up, modifiers=ALT)
    after = shown_in(bench.view).layout.positions[row_in(bench.view, bench.number("f"))].tolist()
    assert after == [before[0] + 2 * NUDGE, before[1] - NUDGE]
    assert bench.editor.steps == []
    bench.view.layout_controller.turn()
    assert dict(bench.view.layout_controller.arrangement.pinned) == {}


def test_shift_and_arrows_extend_the_selection_and_control_a_selects_all(bench: Bench) -> None:
    bench.select("b")
    bench.key(Key.Key_Right, modifiers=SHIFT)
    assert bench.chosen() == {"b", "c"}
    bench.key(Key.Key_A, modifiers=CONTROL)
    assert bench.chosen() == {"a", "b", "c", "d", "e", "f"}


def test_control_a_leaves_out_what_a_filter_dims(bench: Bench) -> None:
    bench.select("b")
    bench.view.highlights.set_filter(Filter(text="c"))
    left_out = bench.view.graph.item.filtered
    assert left_out.any()
    bench.key(Key.Key_A, modifiers=CONTROL)
    assert len(bench.chosen()) == int((~left_out).sum())
