"""A new command is one entry: each verb has one, each command of the engine is told of, and what lacks one is found."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import pytest

from starloom.scheduling import commands as c
from starloom.scheduling.decide.specs import SPECS
from starloom_gui.specs import action_list
from starloom_gui.specs.action_list import ACTIONS, LINE, icon_of, rows_of, word_of
from starloom_gui.specs.action_spec import About, ActionSpec, Menu, Verb

if TYPE_CHECKING:
    from collections.abc import Iterable

LISTS: Final = [name for name in vars(action_list) if name.endswith("_ACTIONS")]
WITHOUT_ACTION: Final[dict[type[c.Command], str]] = {
    c.CreateRun: "a run is made of a plan, by `start` of what is in front",
    c.RecoverRun: "`resume_runs` and the history have the orchestrator do it, which reads the journal first",
    c.CloseAdmission: "the engine is closed with the program",
    c.AnswerEditCycle: "agents give it, not people",
    c.OpenFleet: "the first command of an engine, before there is a window",
    c.RemoveDevices: "the fleet sends it for a device that is many, where `remove_device` is asked for",
}


def untold(specs: Iterable[ActionSpec]) -> set[type[c.Command]]:
    """The commands of the engine that no entry of a list comes to, and that nobody has given a reason for."""
    return set(SPECS) - {spec.command for spec in specs} - WITHOUT_ACTION.keys()


def unlisted(specs: Iterable[ActionSpec]) -> set[Verb]:
    """The verbs that have no entry, or one that the engine cannot be asked about."""
    askable = {
        spec.key
        for spec in specs
        if spec.about is not None and spec.command is not None and SPECS[spec.command].refuse is not None
    }
    return set(Verb) - askable


def test_every_command_of_the_engine_has_an_action_or_a_reason_why_it_has_none():
    assert not untold(ACTIONS.values())
    assert not WITHOUT_ACTION.keys() & {spec.command for spec in ACTIONS.values()}
    assert set(SPECS) >= WITHOUT_ACTION.keys()


def test_every_verb_has_an_entry_with_a_command_that_the_engine_can_be_asked_about():
    assert not unlisted(ACTIONS.values())


@pytest.mark.parametrize("verb", Verb)
def test_a_verb_without_an_entry_is_found(verb: Verb):
    others = [spec for spec in ACTIONS.values() if spec.key != verb]
    assert unlisted(others) == {verb}
    command = ACTIONS[verb].command
    if command not in {spec.command for spec in others}:
        assert untold(others) == {command}


def test_no_entry_stands_twice():
    keys = Counter(spec.key for name in LISTS for spec in vars(action_list)[name])
    assert keys == Counter(ACTIONS.keys())
    assert not {menu.value for menu in Menu} & {LINE}


@pytest.mark.parametrize("spec", ACTIONS.values(), ids=lambda spec: str(spec.key))
def test_an_entry_has_words_and_what_it_needs_where_it_is(spec: ActionSpec):
    assert spec.text()
    assert word_of(spec.key)
    assert spec.tip() or not spec.menus, "in a menu it says what it does"
    assert spec.menus or not spec.keys, "a key of the window belongs to what is in a menu"
    asked = spec.verb or (spec.key if isinstance(spec.key, Verb) else None)
    if asked is not None:
        command = ACTIONS[asked].command
        assert command is not None
        assert set(spec.given) <= set(command.__struct_fields__)


def test_what_menus_offer_of_tasks_and_devices_is_every_verb_there_is():
    offered = {spec.verb for spec in ACTIONS.values() if spec.menus} | {
        spec.key for spec in ACTIONS.values() if spec.is_chosen_first
    }
    assert offered >= {verb for verb in Verb if ACTIONS[verb].about in (About.TASKS, About.TASK, About.DEVICE)}


def test_every_menu_is_made_of_entries_in_sections():
    for menu in Menu:
        rows = rows_of(menu)
        assert rows, menu
        assert rows[0] != LINE != rows[-1]
        assert all({one, other} != {LINE} for one, other in pairwise(rows))
        assert {row for row in rows if isinstance(row, str) and row} == {
            spec.key for spec in ACTIONS.values() if menu in spec.menus
        }
    with pytest.raises(AssertionError, match="no icon"):
        icon_of("quit")
