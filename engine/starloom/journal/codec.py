"""Encoding of turns as bytes: tagged, versioned, checksummed, and decoded exactly or not at all. Golden: see `forms`.

A turn belongs to one stream. It is one part or, where it is large, several of about `PART_BYTES`, so that nobody has to
hold a large plan as one piece of encoded text. A part is a header (version, whether more follow, its place in the turn,
checksum) and a msgpack list: the number of the turn's first event, the time of all of them, the wall time, and forms of
events. The stream is not named: whoever keeps the bytes knows it. Where they are kept is not known here.

The first byte of a part and the checksum stay where they are in all later versions.
"""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

import msgspec
from msgspec import Raw
from pydantic import ValidationError

from starloom import events as ev
from starloom.bulk_loading import collector_at_rest
from starloom.decodable import decodable
from starloom.events import FORMAT_VERSION
from starloom.journal.base import JournalError
from starloom.journal.forms import DECLARED, Form, events_of, form_of, forms_of, other_form_of
from starloom.journal.plans import split_dependencies, tasks_to_columns
from starloom.journal.values import NOT_PLAIN, NotKeepable, part_to_plain, unpack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from starloom.model.task import Task

PART_BYTES: Final = 256 * 1024
"""A part that has grown to this many bytes is closed; only a single event or task may make one much larger."""
_MANY: Final = 5_000
"""A turn of more events than this may need several parts, even without a plan."""
_AT_ONCE: Final = 2_000
_HEAD: Final = struct.Struct("<BBH")
"""Version, 1 if more parts follow, number of the part in its turn."""
_HEADER: Final = struct.Struct("<BBHI")
"""The same and the CRC-32 of all the rest."""
_ONLY_PART: Final = zlib.crc32(_HEAD.pack(FORMAT_VERSION, 0, 0))
_UNREADABLE: Final = (
    msgspec.MsgspecError,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    OverflowError,
    RecursionError,
    MemoryError,
)
"""What decoding bytes that no journal wrote can come to; pydantic's errors are ValueErrors."""
_SALVAGE: Final = "Salvage what comes before it."

MIGRATIONS: Final[dict[int, Callable[[Any], Any]]] = {}
"""For each earlier version what makes of the decoded list of a part the list that the next version writes."""


class RecordedTurn(NamedTuple):
    """A recorded turn: the wall time in seconds since 1970, and its events."""

    wall: float
    events: list[ev.Event]


class _Part(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The content of a part; all parts of a turn begin alike."""

    number: Annotated[int, msgspec.Meta(ge=1, le=2**62)]
    at: float
    wall: float
    forms: Annotated[list[Form], msgspec.Meta(min_length=1)]


_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(decodable(_Part), ext_hook=unpack).decode
_decode_plain: Final = msgspec.msgpack.Decoder(ext_hook=unpack).decode


# ---- encoding


def encode_parts(events: Sequence[ev.Event], wall: float) -> tuple[bytes, ...] | Iterator[bytes]:
    """A turn as bytes from which `decode_parts` makes equal events: one part, or several made as they are asked for.

    Args:
        events: what happened in one turn in one stream, at least one event.
        wall: seconds since 1970 at the time of the turn.

    Raises:
        JournalError: an event is of a kind that is never journalled or holds something that is no plain value (of
            several parts perhaps not before the one in question is asked for), or the events are no turn.
    """
    begin = _begin(events, wall)
    if len(events) <= _MANY:
        try:
            return (_part(_encode((*begin, forms_of(events))), _ONLY_PART),)
        except NOT_PLAIN:
            pass  # a plan, or something that only a slower form can say
    return _parts(begin, events)


def _begin(events: Sequence[ev.Event], wall: float) -> tuple[int, float, float]:
    """Check that the events are one turn; returns the common header of its parts."""
    if not events:
        raise JournalError("A turn without events is not journalled. This is a defect.")
    first, last = events[0], events[-1]
    if first.run_id != last.run_id or first.at != last.at or last.seq - first.seq != len(events) - 1:
        raise JournalError(
            f"The events {first.seq} of {first.run_id!r} to {last.seq} of {last.run_id!r} are not one turn of one "
            "stream, and none of them is journalled. This is a defect."
        )
    return first.seq, first.at, wall


def _part(payload: bytes, checksum: int, number: int = 0, more: bool = False) -> bytes:
    """The part around a payload; `checksum` is that of the first three values of its header."""
    return _HEADER.pack(FORMAT_VERSION, more, number, zlib.crc32(payload, checksum)) + payload


def _parts(begin: tuple[int, float, float], events: Sequence[ev.Event]) -> Iterator[bytes]:
    waiting: bytes | None = None
    number = 0
    for pieces in _grouped(_pieces(events)) if len(events) <= _MANY else _long(events):
        if waiting is not None:
            yield _numbered(waiting, number, more=True)
            number += 1
        waiting = _encode((*begin, pieces))
    if waiting is not None:  # a turn has events
        yield _numbered(waiting, number, more=False)


def _numbered(payload: bytes, number: int, more: bool) -> bytes:
    return _part(payload, zlib.crc32(_HEAD.pack(FORMAT_VERSION, more, number)), number, more)


def _long(events: Sequence[ev.Event]) -> Iterator[Raw | list[Raw]]:
    """The encoded lists of many events, several of them at once where that makes no part that is too large."""
    for begin in range(0, len(events), _AT_ONCE):
        some = events[begin : begin + _AT_ONCE]
        try:
            forms = _encode(forms_of(some))
        except NOT_PLAIN:
            forms = b""  # a plan, or something that only a slower form can say
        if forms and len(forms) <= 2 * PART_BYTES:
            yield Raw(forms)
        else:
            yield from _grouped(_pieces(some))


def _grouped(pieces: Iterable[bytes]) -> Iterator[list[Raw]]:
    """Encoded values in lists that have about `PART_BYTES` each; no empty list."""
    group: list[Raw] = []
    size = 0
    for piece in pieces:
        if group and size + len(piece) > PART_BYTES:
            yield group
            group, size = [], 0
        group.append(Raw(piece))
        size += len(piece)
    if group:
        yield group


def _pieces(events: Iterable[ev.Event]) -> Iterator[bytes]:
    """The encoded forms of the events one by one, and of a plan in several pieces."""
    for event in events:
        try:
            if type(event) is ev.TasksDeclared:
                yield from _pieces_of_plan(event)
            else:
                yield _piece(event)
        except NotKeepable as error:
            raise JournalError(_cannot_keep(event, str(error))) from None
        except RecursionError:
            raise JournalError(_cannot_keep(event, "a value that is nested too deeply")) from None


def _piece(event: ev.Event) -> bytes:
    try:
        return _encode(form_of(event))
    except NOT_PLAIN:
        return _encode(other_form_of(event))


def _cannot_keep(event: ev.Event, what: str) -> str:
    task_id = getattr(event, "task_id", None)
    where = f"{type(event).__name__} of " + (f"task {task_id!r}" if task_id else f"run {event.run_id!r}")
    return f"{where} holds {what}, which no journal can keep. Use JSON values only."


def _pieces_of_plan(event: ev.TasksDeclared) -> Iterator[bytes]:
    parents, children, others = split_dependencies(event.tasks, event.dependencies)
    yield from _pieces_of_tasks(event.tasks)
    step = max(1, PART_BYTES // 10)  # bytes that a pair takes at most
    for begin in range(0, len(parents), step):
        end = begin + step
        yield _encode((DECLARED, {}, parents[begin:end], children[begin:end], [], True))
    for rest in _grouped(_encode((number, part_to_plain(one))) for number, one in others):
        yield _encode((DECLARED, {}, [], [], rest, True))
    yield _encode((DECLARED,))


def _pieces_of_tasks(tasks: Sequence[Task]) -> Iterator[bytes]:
    """The columns of so many tasks at a time as make a part; how many that are is learnt from those before."""
    begin, step = 0, 256
    while begin < len(tasks):
        piece = _encode((DECLARED, tasks_to_columns(tasks[begin : begin + step]), [], [], [], True))
        is_small = len(piece) <= 2 * PART_BYTES
        if is_small or step == 1:
            yield piece
            begin += step
        step = min(2 * step, max(1, step * PART_BYTES // len(piece)))


# ---- decoding


def decode_parts(parts: Sequence[bytes], run_id: str) -> RecordedTurn:
    """The turn from all its parts in order, its events equal to those that were encoded.

    A `TasksDeclared` comes with the index of its plan if it is a legal one.

    Args:
        parts: as `encode_parts` made them.
        run_id: the run whose stream the turn belongs to; empty for the fleet's.

    Raises:
        JournalError: the bytes are damaged, cut off or not the parts of one turn, were never a turn, or a newer version
            wrote them.
    """
    if len(parts) == 1:
        return _decoded(parts, run_id)
    with collector_at_rest():
        return _decoded(parts, run_id)


def has_more(part: bytes) -> bool:
    """Whether the turn has another part.

    Raises:
        JournalError: it does not begin as a part does, or a newer version wrote it.
    """
    if len(part) > _HEADER.size and 0 < part[0] <= FORMAT_VERSION and part[1] <= 1:
        return part[1] == 1
    if len(part) > _HEADER.size and part[0] > FORMAT_VERSION and _is_whole(part):
        raise JournalError(
            f"The journal is written in format {part[0]}, and this version of Starloom reads up to {FORMAT_VERSION}. "
            "Use the newer version that wrote it."
        )
    raise JournalError(f"A turn of the journal does not begin as one does. {_SALVAGE}")


def _is_whole(part: bytes) -> bool:
    head, payload = part[: _HEAD.size], part[_HEADER.size :]
    return part[_HEAD.size : _HEADER.size] == zlib.crc32(payload, zlib.crc32(head)).to_bytes(4, "little")


def _decoded(parts: Sequence[bytes], run_id: str) -> RecordedTurn:
    try:
        head = _opened(parts)
        return RecordedTurn(head.wall, events_of(head.forms, head.number, head.at, run_id))
    except _UNREADABLE as error:
        raise JournalError(f"A turn of the journal cannot be read: {_in_short(error)}. {_SALVAGE}") from None


def _opened(parts: Sequence[bytes]) -> _Part:
    """All parts as one."""
    whole: _Part | None = None
    goes_on = True
    for number, part in enumerate(parts):
        if not goes_on:
            raise ValueError("it goes on behind its end")
        goes_on = has_more(part)
        opened = _payload(part, number)
        if whole is None:
            whole = opened
        elif (opened.number, opened.at, opened.wall) != (whole.number, whole.at, whole.wall):
            raise ValueError("a part of another turn stands in it")
        else:
            whole.forms.extend(opened.forms)
    if whole is None or goes_on:
        raise ValueError("its end is missing")
    return whole


def _payload(part: bytes, expected: int) -> _Part:
    version, more, number, checksum = _HEADER.unpack_from(part)
    payload = part[_HEADER.size :]
    seed = _ONLY_PART if not number and not more and version == FORMAT_VERSION else zlib.crc32(part[: _HEAD.size])
    if zlib.crc32(payload, seed) != checksum:
        raise ValueError("its checksum is wrong, it is damaged")
    if number != expected:
        raise ValueError(f"part {number} stands where part {expected} should")
    if version == FORMAT_VERSION:
        return _decode(payload)
    plain = _decode_plain(payload)
    for older in range(version, FORMAT_VERSION):
        plain = MIGRATIONS[older](plain)
    return msgspec.convert(plain, decodable(_Part))


def _in_short(error: BaseException) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        return f"a value of a plan is wrong ({first['msg'].rstrip('.')[:200]})"
    if isinstance(error, KeyError):
        return f"it names {error}, which is unknown here"
    text = str(error).splitlines()
    return (text[0] if text else type(error).__name__).rstrip(".")[:200]
