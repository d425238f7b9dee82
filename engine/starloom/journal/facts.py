"""Encoding of checkpoints, of a run's facts as bytes: decoded exactly or not at all.

A checkpoint saves folding a long stream from its beginning. It is a cache: whoever cannot read one folds instead. It
holds all facts but the graph, which is made again of the few turns that shape it (the checkpoint says where they
stand), and the fleet as the run's stream tells of it. What only grows, results and the attempts of the past, is in it
only as far as it is new since the checkpoint before: the link. So a header, a link and the facts, in this order; the
links of a chain can be read without its facts.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Self

import msgspec

from starloom.decodable import decodable
from starloom.journal import kept_past
from starloom.journal.facts_check import check_numbers
from starloom.journal.kept_cycles import cycles_from_plain, cycles_to_plain
from starloom.journal.kept_results import Kept, Odd, changed, from_kept, to_kept
from starloom.journal.values import (
    NOT_PLAIN,
    devices_from_plain,
    limits_from_plain,
    notes_from_plain,
    pack,
    part_to_plain,
    unpack,
)
from starloom.model.status import RunState
from starloom.scheduling.restore import occupy
from starloom.scheduling.state.attempts import LateEnd
from starloom.scheduling.state.gate_facts import GateFacts
from starloom.scheduling.state.question_facts import QuestionFacts
from starloom.scheduling.state.run_facts import RunFacts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from starloom.model.result import Result

VERSION: Final = 2
_HEAD: Final = struct.Struct("<BII")
"""Version, length of the link, CRC-32 of the facts."""
HEADER: Final = struct.Struct("<BIII")
"""The same and the CRC-32 of it and the link, which is what a later checkpoint names this one by."""
UNREADABLE: Final = (
    *(msgspec.MsgspecError, struct.error, ValueError, TypeError, LookupError, AttributeError),
    *(OverflowError, RecursionError, MemoryError),
)
"""What bytes that are no checkpoint can come to."""
UNKEEPABLE: Final = (*NOT_PLAIN, MemoryError)
"""What facts that no bytes can say come to."""


class CheckpointLink(msgspec.Struct, array_like=True, forbid_unknown_fields=True, kw_only=True):
    """The header of a checkpoint, and what is new since the one before.

    Attributes:
        run_id, row: the stream it belongs to, and the last row of that which is in it.
        seq, at, wall: number and time of the last event, and seconds since 1970 at that time.
        before, sum_before: row and checksum of the checkpoint before; 0: there is none, and all is new.
        graph: first and last row of each turn that shapes the graph.
        shifts: by how many seconds all times were moved since the checkpoint before, in order.
        tasks, results: the numbers of tasks whose result has changed, and the results.
        odd: those of them that msgpack alone cannot say: place among the results, and fields.
        past: the attempts that have become history.
    """

    run_id: str
    row: int
    seq: int
    at: float
    wall: float
    before: int
    sum_before: int
    graph: list[tuple[int, int]]
    shifts: list[float]
    tasks: list[int]
    results: list[Kept]
    odd: Odd
    past: kept_past.Past


class Facts(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The slots of `RunFacts` in each checkpoint, by their names, and the fleet as in `FleetSnapshot`."""

    fleet: dict[str, Any]
    run_id: str
    seq: int
    name: str
    description: str
    limits: dict[str, Any]
    metadata: Any
    limit: int | None
    state: RunState
    revision: int
    hold_open: bool
    cancel_requested: bool
    aborted_by: str | None
    stalled: tuple[str, ...]
    wall_time: float
    devices: list[dict[str, Any]]
    sessions: list[tuple[float, float]]
    created_at: float
    run_started_at: float | None
    run_ended_at: float | None
    frozen_at: float | None
    status: bytearray
    unmet: list[int]  # msgpack says lists of numbers in less time and room than packed arrays
    no: dict[int, int]
    tries: list[int]
    spent: dict[int, int]
    ready_at: list[float]
    started_at: list[float]
    ended_at: list[float]
    device_of: tuple[list[str], list[int]]
    slot_of: list[int]
    priority: bytearray
    held: set[int]
    pins: dict[int, str]
    backoff: dict[int, float]
    stopping: dict[int, str]
    reasons: dict[int, str]
    skipped_because: dict[int, int]
    verdicts: list[tuple[int, int, bool]]
    touched: list[tuple[list[Any], int, str]]
    open: int
    others: dict[str, int]
    running: int
    promoted: set[int]
    any_joins: int
    grouped: bool
    plain: bool
    cycles: dict[str, Any] | None = None  # missing, as what follows, in checkpoints from before there were such things
    gates: dict[int, GateFacts] = {}
    breakpoints: dict[int, int] = {}
    until: frozenset[int] | None = None
    steered: bool = False
    rules: Any = ()
    agents: Any = ()
    notes: list[dict[str, Any]] = []
    overdue: dict[int, float] = {}
    fetching: set[int] = set()
    overdue_factor: float | None = None
    is_paused: bool = False
    placement: str | None = None
    changed_work: dict[int, int] = {}
    idle_s: float = 0.0
    untimed: dict[int, tuple[int, ...]] = {}
    late_ends: dict[int, tuple[LateEnd, ...]] = {}
    idle: list[tuple[float, float]] = []
    paused_spans: list[tuple[float, float]] = []
    heard_at: dict[int, dict[int, float]] = {}
    questions: dict[int, QuestionFacts] = {}
    answered_by: dict[int, str] = {}
    awaiting: dict[int, float] = {}
    awaited: dict[int, float] = {}
    simulated: set[int] = set()
    unevaluated: list[tuple[int, int, str]] = []
    first_ready: dict[int, float] = {}
    overhead: dict[int, float] = {}
    overwritten: list[tuple[list[Any], int, str]] = []
    ordered_at: dict[int, dict[int, float]] = {}


assert {*Facts.__struct_fields__, "graph", "results", "history"} == {*RunFacts.__slots__}, "a fact would be forgotten"


# ---- the forms of what msgpack cannot say, or not shortly


def _fleet_to_plain(run: RunFacts) -> dict[str, Any]:
    """The fleet as the run knows it, with the load of other runs of its own stream's last event."""
    devices = run.fleet.devices.values()
    return run.fleet.snapshot(without={device.id: device.used - run.others.get(device.id, 0) for device in devices})


class _Places(dict[str | None, int]):
    """Gives each name that is asked for a place, in order."""

    def __missing__(self, name: str | None) -> int:
        place = self[name] = len(self)
        return place


def _names_to_plain(names: list[str | None]) -> tuple[list[str], list[int]]:
    table = _Places({None: 0})
    places = list(map(table.__getitem__, names))
    return [name for name in table if name is not None], places


def _names_from_plain(plain: tuple[list[str], list[int]]) -> list[str | None]:
    names: list[str | None] = [None, *plain[0]]
    if plain[1] and min(plain[1]) < 0:
        raise ValueError("a device has a negative place")
    return list(map(names.__getitem__, plain[1]))


def _changes_to_plain(changes: Mapping[Any, tuple[int, str]]) -> list[tuple[Any, int, str]]:
    return [(key, *change) for key, change in changes.items()]


def _changes_from_plain(plain: list[tuple[list[Any], int, str]]) -> dict[tuple[Any, ...], tuple[int, str]]:
    return {tuple(key): (revision, origin) for key, revision, origin in plain}


_TO_PLAIN: Final[dict[str, Callable[[Any], Any]]] = {
    "limits": part_to_plain,
    "metadata": pack,
    "rules": pack,
    "agents": pack,
    "devices": lambda devices: [part_to_plain(device) for device in devices],
    "notes": lambda notes: [part_to_plain(note) for note in notes],
    "device_of": _names_to_plain,
    "verdicts": lambda verdicts: [(*edge, verdict) for edge, verdict in verdicts.items()],
    "unevaluated": lambda errors: [(*edge, error) for edge, error in errors.items()],
    "cycles": cycles_to_plain,
    "touched": _changes_to_plain,
    "overwritten": _changes_to_plain,
}
_FROM_PLAIN: Final[dict[str, Callable[[Any], Any]]] = {
    "limits": limits_from_plain,
    "devices": devices_from_plain,
    "notes": notes_from_plain,
    "device_of": _names_from_plain,
    "verdicts": lambda plain: {(parent, child): verdict for parent, child, verdict in plain},
    "unevaluated": lambda plain: {(parent, child): error for parent, child, error in plain},
    "cycles": cycles_from_plain,
    "touched": _changes_from_plain,
    "overwritten": _changes_from_plain,
}
_encode_into: Final = msgspec.msgpack.Encoder().encode_into
_decode_link: Final = msgspec.msgpack.Decoder(decodable(CheckpointLink), ext_hook=unpack).decode
_decode_facts: Final = msgspec.msgpack.Decoder(decodable(Facts), ext_hook=unpack).decode


# ---- to bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """The append-only parts read so far of a chain of checkpoints.

    Attributes:
        row, sum: of its last checkpoint, and the checksum of that one; 0: there is none yet.
        results, archived: of each task, and how many attempts of it were history.
    """

    row: int = 0
    sum: int = 0
    results: Sequence[Result | None] = ()
    archived: dict[int, int]

    @classmethod
    def of(cls, run: RunFacts, row: int, checksum: int) -> Self:
        """The knowledge after a checkpoint of these facts."""
        archived = {number: len(past) for number, past in run.history.items()}
        return cls(row=row, sum=checksum, results=run.results.copy(), archived=archived)


def link_of(
    run: RunFacts, known: Known, *, row: int, at: float, wall: float, graph: list[tuple[int, int]], shifts: list[float]
) -> CheckpointLink:
    """The link to what is known; see `CheckpointLink` for the arguments.

    Raises:
        One of `UNKEEPABLE`: a result is none that can be kept.
    """
    before = [*known.results, *[None] * (len(run.results) - len(known.results))]
    tasks = changed(run.results, before)
    results, odd = to_kept(run.results[number] for number in tasks)
    return CheckpointLink(
        run_id=run.run_id,
        row=row,
        seq=run.seq,
        at=at,
        wall=wall,
        before=known.row,
        sum_before=known.sum,
        graph=graph,
        shifts=shifts,
        tasks=tasks,
        results=results,
        odd=odd,
        past=kept_past.of(run, known.archived),
    )


def encode(link: CheckpointLink, run: RunFacts) -> bytearray:
    """The bytes of a checkpoint of a run's facts.

    Raises:
        One of `UNKEEPABLE`: they hold something that cannot be said in bytes.
    """
    plain = {name: getattr(run, name) for name in Facts.__struct_fields__ if name != "fleet"}
    for name, to_plain in _TO_PLAIN.items():
        plain[name] = to_plain(plain[name])
    data = bytearray(HEADER.size)  # in one place: a copy of a large checkpoint would be felt
    _encode_into(link, data, HEADER.size)
    end = len(data)
    _encode_into(Facts(fleet=_fleet_to_plain(run), **plain), data, end)
    with memoryview(data) as view:
        head = _HEAD.pack(VERSION, end - HEADER.size, zlib.crc32(view[end:]))
        HEADER.pack_into(view, 0, *_HEAD.unpack(head), zlib.crc32(view[HEADER.size : end], zlib.crc32(head)))
    return data


def sum_of(header: bytes | bytearray) -> int:
    """The checksum by which a later checkpoint identifies this one."""
    return int(HEADER.unpack_from(header)[3])


# ---- and back


def length_of_link(header: bytes) -> int:
    """The bytes of the link, between the header and the facts.

    Raises:
        struct.error: this is no header.
    """
    length: int = HEADER.unpack(header)[1]
    return length


def decode_link(header: bytes, first: bytes) -> CheckpointLink:
    """The link of a checkpoint, from its header and the bytes after that.

    Raises:
        One of `UNREADABLE`: it is damaged, or of a version that is not known here.
    """
    version, _, _, checksum = HEADER.unpack(header)
    if version != VERSION or zlib.crc32(first, zlib.crc32(header[: _HEAD.size])) != checksum:
        raise ValueError("it is damaged or of another version")
    return _decode_link(first)


def decode_facts(header: bytes, rest: bytes) -> Facts:
    """The facts of a checkpoint, from its header, whose link was decoded, and the bytes after the link.

    Raises:
        One of `UNREADABLE`: they are damaged.
    """
    if zlib.crc32(rest) != HEADER.unpack(header)[2]:
        raise ValueError("its facts are damaged")
    return _decode_facts(rest)


def lay(run: RunFacts, facts: Facts, links: Sequence[CheckpointLink]) -> None:
    """Load the facts of a checkpoint into a run; its graph stays.

    Args:
        run: on a fleet of its own, which becomes that of the checkpoint.
        facts: what the checkpoint holds.
        links: its chain, the oldest first.

    Raises:
        One of `UNREADABLE`: they do not fit together.
    """
    for name in facts.__struct_fields__:
        if name != "fleet":
            value, from_plain = getattr(facts, name), _FROM_PLAIN.get(name)
            setattr(run, name, value if from_plain is None else from_plain(value))
    run.results = [None] * len(run.status)
    for link in links:
        for number, result in zip(link.tasks, from_kept(link.results, link.odd), strict=True):
            run.results[number] = result
    run.history = kept_past.history([(link.past, link.shifts) for link in links])
    run.fleet.load_snapshot(facts.fleet)
    run.fleet.others = sum(facts.others.values())
    for columns in (run.unmet, run.tries, run.ready_at, run.started_at, run.ended_at, run.slot_of, run.device_of):
        if len(columns) != len(run.status):
            raise ValueError("its columns differ in length")
    check_numbers(run)


def settle(run: RunFacts) -> None:
    """Add the slots and places of the run, with its graph and facts, to its fleet."""
    occupy(run.fleet, run)
