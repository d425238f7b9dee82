"""Commands as words come out as the forms that scripts write, and what is none is told with what to do."""

from __future__ import annotations

from typing import Any

import pytest

from starloom.cli.command_words import form_of
from starloom.errors import SettingsError
from starloom.formats.command_forms import read_command
from starloom.formats.command_writer import command_form

FORMS: dict[str, Any] = {
    "pause": "pause",
    "resume": "resume",
    "cancel": "cancel_run",
    "cancel a b": {"cancel": ["a", "b"]},
    "retry a": {"retry": ["a"]},
    "hold a": {"hold": ["a"]},
    "skip a b": {"skip": ["a", "b"]},
    "set-breakpoints a": {"set_breakpoints": ["a"]},
    "set-limit 4": {"set_limit": 4},
    "set-limit licences 2": {"set_limits": {"groups": {"licences": 2}}},
    "set-limit licences none": {"set_limits": {"groups": {"licences": None}}},
    "set_limit none": {"set_limit": None},
    "hold-open yes": {"hold_open": True},
    "hold-open no": {"hold_open": False},
    "step": "step",
    "step a": {"step": "a"},
    "run-until a b": {"run_until": ["a", "b"]},
    "run-until": {"run_until": []},
    "rerun-from a": {"rerun_from": "a"},
    "set a.b.priority=high": {"set_priority": {"tasks": "a.b", "priority": "high"}},
    "set a.b.timeout=5m": {"edit": [{"update_task": {"task": "a.b", "timeout": "5m"}}]},
    "set a.shell=x=1": {"edit": [{"update_task": {"task": "a", "shell": "x=1"}}]},
    "set a.retry=2": {"edit": [{"update_task": {"task": "a", "retry": 2}}]},
    "approve ship": {"answer_gate": {"task": "ship", "approve": True}},
    "reject ship": {"answer_gate": {"task": "ship", "approve": False}},
    "drain-device lab": {"drain_device": "lab"},
}


@pytest.mark.parametrize("words", FORMS)
def test_words_are_the_form_of_a_command(words: str) -> None:
    word, *arguments = words.split()
    form = form_of(word, arguments)
    assert form == FORMS[words]
    command = read_command(form, lambda *problem: pytest.fail(str(problem)))
    assert command_form(command) is not None


def test_what_is_reserved_is_the_device_that_is_named_else_the_run_or_the_fleet() -> None:
    said = {"for": "2h", "reason": "under repair"}
    assert form_of("reserve", ["lab-2"], reason="under repair", duration="2h") == {
        "reserve": {"device": "lab-2"} | said
    }
    assert form_of("reserve", [], reason="under repair", duration="2h") == {"reserve": {"device": None} | said}
    assert form_of("release-reservation", []) == "release_reservation"
    assert form_of("release-reservation", ["lab-2"]) == {"release_reservation": "lab-2"}
    broken = {"break_reservation": {"device": "lab-2", "reason": "needed"}}
    assert form_of("break-reservation", ["lab-2"], reason="needed") == broken


@pytest.mark.parametrize(
    ("words", "options", "told"),
    [
        ("reserve", {"reason": "why"}, "reserve needs --for"),
        ("reserve", {"duration": "2h"}, "reserve needs --reason"),
        ("reserve a b", {"duration": "2h", "reason": "why"}, "takes the id of one device, or nothing more, not 'b'"),
        ("release-reservation", {"reason": "why"}, "release-reservation takes no --reason"),
        ("break-reservation", {}, "break-reservation needs --reason"),
        ("break-reservation", {"reason": "why", "duration": "2h"}, "takes no --for"),
        ("pause", {"reason": "why"}, "--reason and --for are for reserve and break-reservation, not for pause"),
    ],
)
def test_each_command_about_reservations_has_its_options(words: str, options: dict[str, str], told: str) -> None:
    word, *arguments = words.split()
    with pytest.raises(SettingsError, match=told):
        form_of(word, arguments, **options)


def test_a_note_goes_with_the_answer_to_a_gate_alone() -> None:
    assert form_of("approve", ["ship"], "fine") == {"answer_gate": {"task": "ship", "approve": True, "note": "fine"}}
    with pytest.raises(SettingsError, match="only approve and reject take a note, not pause"):
        form_of("pause", [], "fine")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("paus", r"There is no command 'paus'\. Did you mean pause\?"),
        ("xyzzy", r"Use approve, .*set-limit.*"),
        ("mark a", "There is no command 'mark' as words; give it in JSON"),
        ("retry", "retry needs the ids of tasks"),
        ("pause a", "pause is about the whole run"),
        ("approve", "approve needs the id of the gate"),
        ("drain-device a b", "drain-device needs the id of a device"),
        ("set-limit", "set-limit needs"),
        ("set-limit -1", "takes a whole number, or none"),
        ("hold-open maybe", "hold-open needs yes or no"),
        ("set", "set needs one TASK.FIELD=VALUE"),
        ("set a=1", "set needs one TASK.FIELD=VALUE"),
        ("set a.timeout", "set needs one TASK.FIELD=VALUE"),
    ],
)
def test_what_is_no_command_is_told(words: str, told: str) -> None:
    word, *arguments = words.split()
    with pytest.raises(SettingsError, match=told):
        form_of(word, arguments)
