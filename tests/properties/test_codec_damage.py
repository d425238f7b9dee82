"""No damage and no garbage is ever misread."""

from __future__ import annotations

import zlib
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.driver import as_journalled
from tests.properties.test_codec import WALL, exactly, plain

from starloom import events as ev
from starloom.journal.base import JournalError
from starloom.journal.codec import decode_parts, encode_parts
from starloom.journal.forms import KINDS
from starloom.model.result import Result
from starloom.model.task import TASK_FIELDS, Task

# ---- damage

(TURN,) = encode_parts(
    [
        ev.TaskReady(7, 1.5, "r", "a"),
        ev.TaskStarted(8, 1.5, "r", "a", 1, "d", 0),
        ev.TaskCompleted(9, 1.5, "r", "a", 1, Result(value={"x": [1, None, "y"]}, output="done\n", output_length=5)),
        ev.TasksDeclared(10, 1.5, "r", (Task(id="b", call="noop"),)),
    ],
    WALL,
)


@pytest.mark.parametrize("bit", range(8))
def test_a_single_flipped_bit_anywhere_is_noticed(bit: int) -> None:
    for place in range(len(TURN)):
        damaged = bytearray(TURN)
        damaged[place] ^= 1 << bit
        with pytest.raises(JournalError):
            decode_parts([bytes(damaged)], "r")


def test_a_turn_that_is_cut_off_anywhere_is_noticed() -> None:
    for length in range(len(TURN)):
        with pytest.raises(JournalError):
            decode_parts([TURN[:length]], "r")
        with pytest.raises(JournalError):
            decode_parts([TURN[length + 1 :]], "r")


def test_a_byte_that_is_doubled_or_missing_anywhere_is_noticed() -> None:
    for place in range(len(TURN)):
        for damaged in (TURN[: place + 1] + TURN[place:], TURN[:place] + TURN[place + 1 :]):
            with pytest.raises(JournalError):
                decode_parts([damaged], "r")
    with pytest.raises(JournalError):
        decode_parts([TURN + TURN], "r")


@given(st.binary(max_size=200))
def test_garbage_is_refused_in_a_sentence(data: bytes) -> None:
    with pytest.raises(JournalError, match=r"\.$"):
        decode_parts([data], "r")


def sealed(payload: bytes) -> bytes:
    """A whole part around any bytes: what somebody might write by hand."""
    head = bytes([ev.FORMAT_VERSION, 0, 0, 0])
    return head + zlib.crc32(payload, zlib.crc32(head)).to_bytes(4, "little") + payload


def read_or_refused(payload: bytes) -> None:
    """It is refused in a sentence, or what is read is events that a journal keeps."""
    try:
        recorded = decode_parts([sealed(payload)], "r")
    except JournalError:
        return
    again = decode_parts(tuple(encode_parts(recorded.events, recorded.wall)), "r")
    assert exactly(list(map(as_journalled, again.events))) == exactly(list(map(as_journalled, recorded.events)))


@given(st.binary(max_size=60) | plain.map(msgspec.msgpack.encode))
def test_garbage_with_a_right_checksum_is_refused_or_is_events(payload: bytes) -> None:
    read_or_refused(payload)


fields_of_anything = st.dictionaries(
    st.sampled_from(
        ["tasks", "dependencies", "changes", "inverse", "limits", "devices", "task_id", "result", "reason"]
    ),
    plain,
    max_size=4,
)
forms = (
    st.tuples(st.just(0), st.sampled_from([*KINDS, "Event", "Snapshot", "Odd"]), fields_of_anything)
    | st.lists(plain, max_size=6).flatmap(lambda rest: st.integers(0, 9).map(lambda code: [code, *rest]))
    | st.tuples(
        st.just(8),
        st.dictionaries(st.sampled_from(TASK_FIELDS), st.lists(plain, max_size=2), max_size=4),
        st.lists(st.integers(-1, 3), max_size=2),
        st.lists(st.integers(-1, 3), max_size=2),
    )
)


@settings(max_examples=300)
@given(forms)
@example([8, {}, [], []])
def test_forms_of_wrong_fields_are_refused_or_are_events(form: Any) -> None:
    read_or_refused(msgspec.msgpack.encode([1, 0.5, WALL, [form]]))
