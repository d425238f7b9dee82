"""Reads and writes what a user has typed for a run and not set, so that a window that dies does not lose it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from starloom.decodable import decodable
from starloom.journal.names import TYPED
from starloom.journal.window_file import WindowFile, read_entries, write_entries

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

MOST_BYTES: Final = 16 * 1024**2
"""Of a file that is read."""


class TypedFields(msgspec.Struct, frozen=True, tag="fields"):
    """What is typed in the fields of one task, or of several together.

    Attributes:
        titles: the names of the tasks on the screen, by id.
        texts: what is typed, by field.
        attempts: how often each task had started by then, by id.
        base: the values that were seen then, by field; none in files of earlier versions.
    """

    titles: dict[str, str]
    texts: dict[str, str]
    attempts: dict[str, int]
    base: dict[str, str] = {}


class TypedNote(msgspec.Struct, frozen=True, tag="note"):
    """The note of a request that waits for a person.

    Attributes:
        key: of the request: its kind and what tells it from others.
        title: of the request on the screen.
        text: what is typed.
    """

    key: tuple[Any, ...]
    title: str
    text: str


class TypedText(msgspec.Struct, frozen=True, tag="text"):
    """Any other text, which can be copied.

    Attributes:
        words: what it is, on the screen.
        text: what is typed.
    """

    words: str
    text: str


Typed = TypedFields | TypedNote | TypedText
_decoder: Final = msgspec.msgpack.Decoder(decodable(tuple[Typed, ...]))


class TypedFile(WindowFile[Typed]):
    """What is typed in one window.

    Args:
        folder: of the run.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, TYPED, read_typed, write_typed)


def read_typed(file: Path) -> tuple[Typed, ...]:
    """Read what was typed; nothing if there is no such file, or it is unusable."""
    return read_entries(file, MOST_BYTES, _decoder.decode, (msgspec.MsgspecError, ValueError, RecursionError))


def write_typed(file: Path, typed: Sequence[Typed]) -> None:
    """Write what is typed: the file is replaced as a whole, or is unchanged; without anything it is removed.

    Raises:
        StarloomError: it cannot be written.
    """
    write_entries(file, msgspec.msgpack.encode(tuple(typed)) if typed else None)
