"""One specification a command: nothing of it stands anywhere else."""

from __future__ import annotations

from typing import Any

import pytest

from starloom.formats.command_forms import read_command
from starloom.formats.command_writer import command_form
from starloom.scheduling import commands as c
from starloom.scheduling import reservation_commands as reserving
from starloom.scheduling.decide.specs import SPECS, WORDS

UNASKED = {c.CreateRun, c.RecoverRun, c.CloseAdmission, c.AnswerEditCycle, c.OpenFleet, c.AddDevice, c.RemoveDevices}
"""What programs send and nobody offers."""
LEAST: dict[str, Any] = {
    "edit": [{"remove_task": "a"}],
    "mark": {"tasks": "a", "status": "completed"},
    "set_priority": {"tasks": "a", "priority": "high"},
    "pin": {"tasks": "a", "device": "d"},
    "answer_gate": {"task": "a", "approve": True},
    "set_limit": 2,
    "hold_open": True,
    "set_slots": {"device": "d", "slots": 2},
    "set_limits": {"max_concurrency": 2},
    "step": None,
    "answer_question": {"question": 1, "option": "yes", "note": "n"},
    "pause": None,
    "resume": None,
    "cancel_run": None,
    "start": None,
    "answer_approval": {"approval": 1, "accept": True},
    "trust_agent": {"agent": "rules", "asks": ["add_task"]},
    "set_fence": {"fence": "none", "approval_timeout": None},
    "reserve": {"device": "d", "for": "2h", "reason": "under repair"},
    "break_reservation": {"reason": "it is needed"},
}


def kinds(kind: type[Any] = c.Command) -> set[type[Any]]:
    """The commands that can be given: classes that no other one of the engine is made from."""
    below = [each for each in kind.__subclasses__() if each.__module__ in {c.__name__, reserving.__name__}]
    return set().union(*map(kinds, below)) if below else {kind}


def test_every_command_has_one():
    assert set(SPECS) == kinds()


def test_all_that_can_be_offered_can_be_asked_about():
    assert {kind for kind, spec in SPECS.items() if spec.refuse is None} == UNASKED


def test_what_says_that_nothing_would_change_is_asked_after_what_refuses():
    assert not [spec for spec in SPECS.values() if spec.no_change is not None and spec.refuse is None]


def test_no_word_means_two_commands():
    words = [spec.word for spec in SPECS.values() if spec.word]
    assert len(words) == len(set(words)) == len(WORDS)


@pytest.mark.parametrize("word", sorted(WORDS))
def test_a_command_with_a_word_is_written_as_it_is_read(word: str):
    wrong: list[object] = []
    command = read_command({word: LEAST.get(word, "a")}, lambda *said: wrong.append(said))
    assert wrong == []
    assert type(command) is WORDS[word]
    again = read_command(command_form(command), lambda *said: wrong.append(said))
    assert (again, wrong) == (command, [])


def test_one_without_a_word_has_no_form():
    with pytest.raises(KeyError, match="CloseAdmission"):
        command_form(c.CloseAdmission())
