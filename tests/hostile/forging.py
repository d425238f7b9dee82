"""Generators of what somebody would send who means harm, or what a disk makes of a file: all drawn from a seed."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from contextlib import closing
from hashlib import sha256
from math import isnan
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec.structs import fields, replace
from tests.driver import RUN, Driver, edge, plan, task
from tests.unit.reporting.story import steered

from starloom.journal import codec
from starloom.journal.bundle import MANIFEST
from starloom.journal.names import JOURNAL
from starloom.journal.stream_file import StreamFile
from starloom.scheduling import commands as c
from starloom.testing import layered

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from random import Random

    from starloom.events import Event

FLOATS: Final = (float("nan"), float("inf"), -float("inf"), 1e20, -1e20, 1e300, -1.0, 0.0, 5e-324)
INTEGERS: Final = (-1, 0, 1, 2, 2**31, 2**31 - 1, 2**53, 2**62, -(2**62))
TEXTS: Final = (
    *(
        "",
        "a",
        "gone",
        "\x00",
        "../../../etc/passwd",
        "\ud800",
        "x" * 10_000,
        "\u202eevil",
        "<script>alert(1)</script>",
    ),
    *("=1+1", "\x1b[31m", "]]>", '"', "r"),
)


def _stopped() -> list[Event]:
    """A run that was held, pinned and cancelled."""
    driver = Driver(slots=1, checked=False)
    driver.create(plan([task("a", retry=1), "b", "c", "d"], ["a>b", edge("a", "d", "failure")]))
    driver.ask(c.HoldTasks, "c")
    driver.fail("a")
    driver.advance(60.0)
    driver.ask(c.CancelRun)
    while driver.ordered:
        (_, name) = next(iter(driver.ordered))
        driver.end(name, stopped=True)
    return [event for event in driver.journal() if event.run_id == RUN]


def _layers() -> list[Event]:
    """Layers of tasks in which everything completes."""
    driver = Driver(slots=4, checked=False)
    driver.create(layered(4, 6))
    driver.end_all()
    return [event for event in driver.journal() if event.run_id == RUN]


BASES: Final[tuple[Callable[[], list[Event]], ...]] = (steered, _stopped, _layers)


# ---- forged streams


def forged(random: Random) -> list[Event]:
    """A stream of events of which some say or follow what no scheduler has decided; perhaps it says nothing wrong."""
    events = random.choice(BASES)()
    for _ in range(random.choice((1, 1, 1, 2, 5))):
        random.choice((_with_other_field, _with_other_field, _swapped, _doubled, _without_one, _moved))(events, random)
    return [replace(event, seq=number) for number, event in enumerate(events, 1)]


def _with_other_field(events: list[Event], random: Random) -> None:
    place = random.randrange(len(events))
    names = [field.name for field in fields(type(events[place])) if field.name not in {"seq", "run_id"}]
    name = random.choice(names)
    events[place] = replace(events[place], **{name: other(getattr(events[place], name), random)})


def other(value: Any, random: Random) -> Any:
    """A value of the same kind that nobody would have chosen."""
    match value:
        case bool():
            return not value
        case float():
            return random.choice(FLOATS)
        case int():
            return random.choice(INTEGERS)
        case str():
            return random.choice(TEXTS)
        case tuple() if value:
            return random.choice(((), value + value, value[::-1], value[1:]))
        case msgspec.Struct():
            names = [field.name for field in fields(type(value))]
            name = random.choice(names)
            return replace(value, **{name: other(getattr(value, name), random)})
        case dict() if value:
            key = random.choice(list(value))
            return {**value, key: other(value[key], random)}
        case list() if value:
            place = random.randrange(len(value))
            return [*value[:place], other(value[place], random), *value[place + 1 :]]
        case _:
            return value


def _swapped(events: list[Event], random: Random) -> None:
    one, two = random.randrange(len(events)), random.randrange(len(events))
    events[one], events[two] = events[two], events[one]


def _doubled(events: list[Event], random: Random) -> None:
    place = random.randrange(len(events))
    events.insert(place, events[place])


def _without_one(events: list[Event], random: Random) -> None:
    if len(events) > 1:
        del events[random.randrange(len(events))]


def _moved(events: list[Event], random: Random) -> None:
    event = events.pop(random.randrange(len(events)))
    events.insert(random.randrange(len(events) + 1), event)


def keep(directory: Path, run_id: str, events: list[Event]) -> Path | None:
    """The journal of a stream, whatever it says, with valid checksums; None: no bytes can say it."""
    folder = directory / "runs" / run_id
    folder.mkdir(parents=True)
    with StreamFile(folder / JOURNAL, run_id) as stream:
        for event in events:
            timely = 0.0 if isnan(event.at) else event.at
            try:
                stream.commit([replace(event, run_id=run_id, at=timely)])
            except (ValueError, TypeError, OverflowError, RuntimeError, AttributeError):
                return None
    with closing(sqlite3.connect(folder / JOURNAL)) as file, file:
        for number, event in enumerate(events, 1):
            if isnan(event.at):
                (data,) = file.execute("SELECT data FROM turns WHERE number = ?", (number,)).fetchone()
                _, _, *rest = msgspec.msgpack.decode(data[8:])
                part = codec._part(msgspec.msgpack.encode([number, event.at, *rest]), codec._ONLY_PART)
                file.execute("UPDATE turns SET data = ? WHERE number = ?", (part, number))
    return folder


# ---- damage


def damaged(data: bytes, random: Random) -> bytes:
    """The bytes after something has happened to them."""
    spoilt = bytearray(data)
    match random.randrange(6):
        case 0:
            return bytes(spoilt[: random.randrange(len(spoilt))])
        case 1:
            begin = random.randrange(len(spoilt))
            length = min(random.choice((1, 16, 4096)), len(spoilt) - begin)
            spoilt[begin : begin + length] = bytes(length)
        case 2:
            begin = random.randrange(len(spoilt))
            spoilt[begin:begin] = random.randbytes(random.choice((1, 7, 4096)))
        case _:
            for _ in range(random.choice((1, 1, 2, 8))):
                spoilt[random.randrange(len(spoilt))] ^= 1 << random.randrange(8)
    return bytes(spoilt)


def bundle(folder: Path, path: Path, random: Random) -> Path:
    """The run in a folder as a bundle, as often as not with something wrong with the bundle itself."""
    data = (folder / JOURNAL).read_bytes()
    parts: dict[str, Any] = {JOURNAL: {"size": len(data), "sha256": sha256(data).hexdigest()}}
    manifest = {"format": "starloom-run", "version": 1, "run_id": folder.name, "made": "", "engine": "", "parts": parts}
    entries = {JOURNAL: data}
    match random.randrange(6):
        case 0:
            manifest[random.choice(list(manifest))] = random.choice((*TEXTS, *INTEGERS, None, [], {}))
        case 1:
            name = random.choice(
                ("../out.log", "/out.log", "output/../../out.log", "output/con", "output/a\\b", "x" * 300)
            )
            entries[name] = b"x"
            parts[name] = {"size": 1, "sha256": sha256(b"x").hexdigest()}
        case 2:
            parts[JOURNAL]["size"] = random.choice((0, 2**62, -1, len(data) - 1))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(MANIFEST, json.dumps(manifest))
        for name, part in entries.items():
            file.writestr(name, part)
    if random.random() < 0.3:
        path.write_bytes(damaged(path.read_bytes(), random))
    return path


# ---- texts


def mutated(text: str, random: Random) -> str:
    """A text of which pieces were changed, doubled, moved or lost."""
    pieces = text.splitlines(keepends=True)
    for _ in range(random.choice((1, 2, 5))):
        place = random.randrange(len(pieces))
        line = pieces[place]
        match random.randrange(7):
            case 0:
                del pieces[place : place + random.choice((1, 3))]
            case 1:
                pieces.insert(place, line)
            case 2:
                at = random.randrange(len(line) + 1)
                pieces[place] = (
                    line[:at] + random.choice((*TEXTS[1:], "{", "}", "[", ":", "- ", "'", "&a ", "*a ")) + line[at:]
                )
            case 3:
                at = random.randrange(len(line) + 1)
                pieces[place] = line[:at] + random.choice(("1e999", "-1", "9" * 400, "null", "true", "\t")) + line[at:]
            case 4:
                pieces[place] = line[: random.randrange(len(line) + 1)]
            case 5:
                end = random.randrange(len(pieces))
                pieces[place], pieces[end] = pieces[end], pieces[place]
            case _:
                pieces.insert(
                    place, random.choice(("[" * 5_000, "{" * 3_000, "a: &x [*x]\n", "!!python/object:os.system\n"))
                )
        pieces = pieces or ["\n"]
    return "".join(pieces)
