"""Messages of D-Bus as bytes and back: as much of it as notifications need. No Qt, no loop and no socket here."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

METHOD_CALL: Final = 1
METHOD_RETURN: Final = 2
ERROR: Final = 3
SIGNAL: Final = 4
MOST_BYTES: Final = 1024 * 1024
"""No message that concerns us is longer."""
_PATH, _INTERFACE, _MEMBER, _ERROR_NAME, _ANSWERS, _TO, _SIGNATURE = 1, 2, 3, 4, 5, 6, 8
_NUMBERS: Final = {"y": "B", "n": "h", "q": "H", "i": "i", "u": "I", "b": "I", "x": "q", "t": "Q", "d": "d"}
_FIXED: Final = 16
"""Bytes before the list of fields."""


class MessageError(Exception):
    """The bytes are not a valid D-Bus message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message that arrived.

    Attributes:
        kind: `METHOD_RETURN`, `ERROR` or `SIGNAL`.
        answers: the serial of the call it answers; 0: of none.
        member: of a signal.
        error: the name of an error.
        values: what it carries, if that is nothing but numbers and texts; else empty.
    """

    kind: int
    answers: int = 0
    interface: str = ""
    member: str = ""
    error: str = ""
    values: tuple[int | float | str, ...] = ()


# ---- writing


class _Writer:
    """Values one after another, each where its alignment wants it; little-endian."""

    def __init__(self) -> None:
        self.bytes = bytearray()

    def pad(self, unit: int) -> None:
        self.bytes += bytes(-len(self.bytes) % unit)

    def number(self, letter: str, value: object) -> None:
        form = "<" + _NUMBERS[letter]
        self.pad(struct.calcsize(form))
        self.bytes += struct.pack(form, value)

    def text(self, value: str) -> None:
        data = value.replace("\0", "").encode("utf-8", "replace")
        self.number("u", len(data))
        self.bytes += data + b"\0"

    def signature(self, value: str) -> None:
        self.bytes += bytes((len(value),)) + value.encode() + b"\0"

    def variant(self, signature: str, value: object) -> None:
        self.signature(signature)
        self.value(signature, value)

    def texts(self, values: Sequence[str]) -> None:
        inner = _Writer()
        for each in values:
            inner.text(each)
        self.number("u", len(inner.bytes))
        self.bytes += inner.bytes

    def named(self, values: Mapping[str, tuple[str, object]]) -> None:
        """A dictionary of variants; each value comes with its signature."""
        inner = _Writer()
        for name, (signature, value) in values.items():
            inner.pad(8)
            inner.text(name)
            inner.variant(signature, value)
        self.number("u", len(inner.bytes))
        self.pad(8)
        self.bytes += inner.bytes

    def value(self, signature: str, value: object) -> None:
        if signature in _NUMBERS:
            self.number(signature, value)
        elif signature in {"s", "o"}:
            self.text(str(value))
        elif signature == "g":
            self.signature(str(value))
        elif signature == "as" and isinstance(value, tuple):
            self.texts(value)
        elif signature == "a{sv}" and isinstance(value, Mapping):
            self.named(value)
        else:
            raise MessageError(f"{value!r} cannot be sent as {signature!r}.")


def method_call(
    serial: int,
    service: str,
    path: str,
    interface: str,
    member: str,
    signature: str = "",
    arguments: Sequence[object] = (),
) -> bytes:
    """A call as bytes.

    Args:
        serial: its number, from 1.
        service: whose method it is.
        path: of the object.
        interface: of the method.
        member: the method.
        signature: the types of the arguments: numbers, `s`, `as` (a tuple) and `a{sv}` (each value with its signature).
        arguments: what it is given.

    Raises:
        MessageError: an argument does not fit the signature.
    """
    body = _Writer()
    for letters, value in zip(_types(signature), arguments, strict=True):
        body.value(letters, value)
    head = _Writer()
    for code, letter, text in (
        (_PATH, "o", path),
        (_TO, "s", service),
        (_INTERFACE, "s", interface),
        (_MEMBER, "s", member),
        (_SIGNATURE, "g", signature),
    ):
        if text:
            head.pad(8)
            head.number("y", code)
            head.variant(letter, text)
    fixed = struct.pack("<cBBBIII", b"l", METHOD_CALL, 0, 1, len(body.bytes), serial, len(head.bytes))
    head.pad(8)
    return fixed + bytes(head.bytes) + bytes(body.bytes)


def _types(signature: str) -> Iterator[str]:
    """The single complete types of a signature that this module can write."""
    rest = signature
    while rest:
        one = next((each for each in ("a{sv}", "as") if rest.startswith(each)), rest[0])
        yield one
        rest = rest[len(one) :]


# ---- reading


class _Reader:
    """Reads values of a message one after another, in the byte order of its sender."""

    def __init__(self, data: bytes, order: str, at: int = 0) -> None:
        self._data, self._order, self.at = data, order, at

    def pad(self, unit: int) -> None:
        self.at += -self.at % unit

    def number(self, letter: str) -> int | float:
        form = self._order + _NUMBERS[letter]
        self.pad(struct.calcsize(form))
        (value,) = struct.unpack_from(form, self._data, self.at)
        self.at += struct.calcsize(form)
        return value  # type: ignore[no-any-return]  # the form has one number

    def text(self, length: int) -> str:
        value = self._data[self.at : self.at + length].decode("utf-8", "replace")
        self.at += length + 1
        return value

    def value(self, letter: str) -> int | float | str:
        if letter in {"s", "o"}:
            return self.text(int(self.number("u")))
        return self.text(int(self.number("y"))) if letter == "g" else self.number(letter)


def split(unread: bytearray) -> Iterator[Message]:
    """The messages at the beginning of what has arrived, which are taken from it; a part of one stays.

    Raises:
        MessageError: what has arrived is no message.
    """
    while len(unread) >= _FIXED:
        order = {ord("l"): "<", ord("B"): ">"}.get(unread[0])
        if order is None:
            raise MessageError("The session bus has sent something that is no message.")
        body, _, fields = struct.unpack_from(order + "III", unread, 4)
        head = _FIXED + fields + -fields % 8
        if head + body > MOST_BYTES:
            raise MessageError(f"The session bus has sent a message of {head + body} bytes.")
        if len(unread) < head + body:
            return
        data = bytes(unread[: head + body])
        del unread[: head + body]
        try:
            yield _message(data, order, _FIXED + fields, head)
        except (struct.error, KeyError, IndexError) as error:
            raise MessageError(f"The session bus has sent a message that cannot be read: {error}.") from error


def _message(data: bytes, order: str, end: int, head: int) -> Message:
    fields = dict(_fields(data, order, end))
    signature = str(fields.get(_SIGNATURE, ""))
    readable = all(letter in _NUMBERS or letter in "sog" for letter in signature)
    reader = _Reader(data, order, head)
    return Message(
        kind=data[1],
        answers=int(fields.get(_ANSWERS, 0)),
        interface=str(fields.get(_INTERFACE, "")),
        member=str(fields.get(_MEMBER, "")),
        error=str(fields.get(_ERROR_NAME, "")),
        values=tuple(reader.value(letter) for letter in signature) if readable else (),
    )


def _fields(data: bytes, order: str, end: int) -> Iterator[tuple[int, int | float | str]]:
    reader = _Reader(data, order, _FIXED)
    while reader.at < end:
        reader.pad(8)
        code = int(reader.number("y"))
        letter = reader.text(int(reader.number("y")))
        yield code, reader.value(letter)
