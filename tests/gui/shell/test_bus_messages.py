"""Messages of D-Bus: in pieces, in both orders of bytes, and what is none."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from starloom_gui.shell.bus_messages import METHOD_RETURN, SIGNAL, MessageError, method_call, split


def signal(order: str, number: int, word: str) -> bytes:
    """A signal of a number and a word, written by hand as the specification has it."""
    data = word.encode()
    body = struct.pack(f"{order}II{len(data) + 1}s", number, len(data), data)
    member = b"\x03\x01s\0" + struct.pack(f"{order}I", 13) + b"ActionInvoked\0"
    fields = member + bytes(-len(member) % 8) + b"\x08\x01g\0\x02us\0"
    letter = b"l" if order == "<" else b"B"
    head = letter + bytes((SIGNAL, 0, 1)) + struct.pack(f"{order}III", len(body), 1, len(fields)) + fields
    return head + bytes(-len(head) % 8) + body


@pytest.mark.parametrize("order", ["<", ">"])
@given(st.integers(0, 2**32 - 1), st.text(st.characters(exclude_characters="\0", codec="utf-8")), st.data())
def test_a_message_is_read_whatever_pieces_it_comes_in(order: str, number: int, word: str, draw: st.DataObject):
    data, unread, read = signal(order, number, word) * 2, bytearray(), []
    cut = draw.draw(st.integers(0, len(data)))
    for piece in (data[:cut], data[cut:]):
        unread += piece
        read += list(split(unread))
    assert [(one.kind, one.member, one.values) for one in read] == [(SIGNAL, "ActionInvoked", (number, word))] * 2
    assert not unread


def test_what_is_no_message_is_refused_and_so_is_one_that_is_too_long():
    with pytest.raises(MessageError, match="no message"):
        list(split(bytearray(b"HTTP/1.1 400 Bad Request")))
    with pytest.raises(MessageError, match="bytes"):
        list(split(bytearray(struct.pack("<cBBBIII", b"l", METHOD_RETURN, 0, 1, 2**31, 1, 0))))


@given(st.binary(min_size=16, max_size=64))
def test_whatever_arrives_is_a_message_or_refused(data: bytes):
    unread = bytearray(b"l" + data)
    try:
        for message in split(unread):
            assert message.kind == data[0]
    except MessageError:
        pass


def test_an_argument_that_does_not_fit_is_refused():
    with pytest.raises(MessageError, match="as"):
        method_call(1, "a.b", "/", "a.b", "C", "as", ["a list"])
