"""JSON is found where agents put it: alone, in a fence, or after their words; and nothing else is taken for it."""

from __future__ import annotations

import json

import pytest

from starloom.devices.json_at_end import json_at_end

FOUND = {"a": [1, {"b": "}"}]}
TEXT = json.dumps(FOUND)


@pytest.mark.parametrize(
    "message",
    [
        TEXT,
        f"Here it is:\n{TEXT}\n",
        f"Here it is: {TEXT}",
        f"As {{you}} [asked]:\n\n```json\n{json.dumps(FOUND, indent=2)}\n```\n",
        f"First\n```json\n{{}}\n```\nthen\n```\n{TEXT}\n```",
        f"{{\nnot this\n}}\n  {TEXT}",
    ],
)
def test_the_object_at_the_end_is_found(message: str) -> None:
    assert json_at_end(message) == (True, FOUND)


@pytest.mark.parametrize("message", ["", "Done.", "It is 5", f"{TEXT} as you asked", "{'a': 1}", "{", "NaN", "[1,]"])
def test_a_text_that_does_not_end_with_one_has_none(message: str) -> None:
    assert json_at_end(message) == (False, None)


@pytest.mark.parametrize(("message", "value"), [("5", 5), ("null", None), ('"x"', "x"), ("```json\n[]\n```", None)])
def test_a_message_that_is_json_as_a_whole_may_be_any(message: str, value: object) -> None:
    found, got = json_at_end(message)
    assert (found, got) == (True, value if message != "```json\n[]\n```" else [])


def test_a_hostile_message_takes_no_time() -> None:
    for message in ("[" * 500_000, "[\n" * 200_000, "{\n" * 200_000 + "x", "x\n" + "{" * 500_000):
        assert json_at_end(message) == (False, None)
