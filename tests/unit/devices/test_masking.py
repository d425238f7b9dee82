"""What is masked besides the value as it is, and what is not."""

from __future__ import annotations

import json

import pytest

from starloom.devices.masking import MASK, SecretValues, StreamMask
from starloom.devices.output import Output
from starloom.model.result import ErrorInfo, Outcome, OutcomeStatus, Result

SECRET = 'pa$$ "w\'o\\rd"'


@pytest.mark.parametrize("written", [SECRET, json.dumps({"k": SECRET}), repr([SECRET]), "pa%24%24%20%22w%27o%5Crd%22"])
def test_a_value_is_masked_in_the_ways_in_which_programs_write_it(written: str) -> None:
    told = SecretValues([SECRET]).mask(f"<{written}>")
    assert MASK in told
    assert "rd" not in told


def test_each_long_line_of_a_value_of_lines_is_masked_by_itself() -> None:
    key = "-----BEGIN KEY-----\nMIIEpAIBAAKCAQEA\nabc\n-----END KEY-----\n"
    values = SecretValues([key])
    assert values.mask(key) == MASK
    assert values.mask("x MIIEpAIBAAKCAQEA y") == f"x {MASK} y"
    assert values.mask("abc") == "abc"


def test_a_value_of_three_characters_is_not_masked_as_it_stands_in_any_text() -> None:
    values = SecretValues(["abc"])
    assert values.is_empty
    assert values.mask("abc") == "abc"


def test_of_two_values_the_longer_one_is_masked_where_both_begin() -> None:
    values = SecretValues(["hunter", "hunter2"])
    mask = StreamMask(values)
    assert (mask.feed(b"is hunter"), mask.feed(b"2!"), mask.close()) == (b"is ", b"***!", b"")


def test_values_that_come_to_be_known_later_are_masked_from_then_on() -> None:
    values = SecretValues()
    mask = StreamMask(values)
    assert mask.feed(b"hunter2 ") == b"hunter2 "
    values.add(["hunter2"])
    assert mask.feed(b"hunter2 ") == b"*** "


def test_nothing_of_an_outcome_holds_a_value() -> None:
    value = {"hunter22": ["a hunter22", 1122334455, 7, True, None, {"n": 1.5}]}
    error = ErrorInfo(code="exception", message="no hunter22", detail="File hunter22")
    outcome = Outcome(OutcomeStatus.FAILED, Result(value, 1, "x hunter22", 10, "a.log", error))
    told = SecretValues(["hunter22", "22334"]).outcome(outcome)
    assert told.result.value == {MASK: [f"a {MASK}", MASK, 7, True, None, {"n": 1.5}]}
    assert told.result.error == ErrorInfo(code="exception", message=f"no {MASK}", detail=f"File {MASK}")
    assert (told.result.output, told.result.exit_code, told.status) == (f"x {MASK}", 1, OutcomeStatus.FAILED)


def test_file_tail_last_line_and_live_output_are_masked_and_the_length_is_that_of_the_file(tmp_path) -> None:
    said: list[str] = []
    output = Output(lambda text, _stream: said.append(text), 1000, tmp_path / "log", SecretValues(["hunter22"]))
    for piece in (b"one hun", b"ter", b"22 two\nlast hunter2", b"2"):
        output.feed("stdout", piece)
    output.feed("stderr", b"err hunter2")
    output.close()
    expected = "one *** two\nlast ***err hunter2"
    assert "".join(said) == output.tail == (tmp_path / "log").read_text() == expected
    assert output.last_line == "last ***"
    assert output.length == len(expected)
