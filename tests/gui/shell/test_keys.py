"""The one table of keys: nothing typed is a command's key, no key means two things, and the sheet shows all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence

from starloom_gui.dialogs.command_palette import verbs_of
from starloom_gui.dialogs.shortcut_sheet import sections
from starloom_gui.shell.perspectives import GRAPH, ORDER, Perspective, pane_name
from starloom_gui.specs.action_list import ACTIONS
from starloom_gui.viewmodel.keys import KEYS, TYPED, Scope, pressed, shown

if TYPE_CHECKING:
    from starloom_gui.shell.main_window import MainWindow
    from starloom_gui.widgets.actions import Actions

ALL = [(scope, name, key) for scope, known in KEYS.items() for name, keys in known.items() for key in keys]


@pytest.mark.parametrize(("scope", "name", "key"), ALL)
def test_no_command_has_a_key_that_types_a_character(scope: Scope, name: str, key: str) -> None:
    sequence = QKeySequence(key)
    assert sequence.count() == 1, "it has to be one key, and Qt has to know it"
    assert sequence.toString() == key, "it is written as Qt writes it"
    assert key in TYPED or len(key) > 1


def test_the_characters_that_act_are_those_of_the_table() -> None:
    assert {key for _, _, key in ALL if len(key) == 1} == TYPED


@pytest.mark.parametrize("scope", [scope for scope in Scope if scope is not Scope.HISTORY])
def test_no_key_means_two_things_where_it_holds(scope: Scope) -> None:
    tables = (
        KEYS[scope]
        if scope is Scope.WINDOW
        else {**KEYS[Scope.WINDOW], **{f"own {k}": v for k, v in KEYS[scope].items()}}
    )
    keys = [key for known in tables.values() for key in known]
    assert sorted(keys) == sorted(set(keys))


def test_the_actions_of_a_window_have_the_keys_of_the_table_and_every_key_has_an_action(
    window: MainWindow, actions: Actions
) -> None:
    for name in actions.keys:
        assert [one.toString() for one in actions[name].shortcuts()] == list(KEYS[Scope.WINDOW].get(name, ()))
    others = {*(f"pane_{pane}" for pane in (GRAPH, *ORDER)), *(f"perspective_{one}" for one in Perspective)}
    assert KEYS[Scope.WINDOW].keys() - set(actions.keys) == others


def test_the_sheet_of_all_keys_shows_each_of_the_table(window: MainWindow) -> None:
    rows = " ".join(keys for _, shown_rows in sections(verbs_of(window.menuBar())) for _, keys in shown_rows)
    for scope, known in KEYS.items():
        for name in known:
            assert shown(scope, name) in rows, (scope, name)


def test_shift_is_part_of_a_character_but_not_of_another_key() -> None:
    shift, none = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.NoModifier
    assert pressed(Scope.GRAPH, Qt.Key.Key_Plus, shift) == "unfold"
    assert pressed(Scope.GRAPH, Qt.Key.Key_Plus, Qt.KeyboardModifier.KeypadModifier) == "unfold"
    assert pressed(Scope.GRAPH, Qt.Key.Key_F4, shift) == "previous_edge"
    assert pressed(Scope.GRAPH, Qt.Key.Key_C, none) == ""
    assert pressed(Scope.GRAPH, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier) == "copy"


def test_the_menu_calls_panes_what_their_tabs_call_them(window: MainWindow) -> None:
    paths = [verb.path for verb in verbs_of(window.menuBar())]
    assert {f"View: Panes: {pane_name(pane)}" for pane in ORDER} <= set(paths)


def test_an_action_that_shows_the_key_of_the_canvas_is_what_that_does():
    shared = {name for name in KEYS[Scope.GRAPH] if name in ACTIONS and not ACTIONS[name].keys}
    assert shared == {"copy", "cut", "paste", "paste_with_outside", "duplicate", "select_all"}
