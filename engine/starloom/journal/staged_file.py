"""Reads and writes the edits that a user has staged for a run, in a small file beside its journal, one for each window.

They are no events: nothing acts on them until somebody commits them. What cannot be read is no reason to refuse a run:
it is said in the log, and nothing is staged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import msgspec
from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

from starloom.errors import StarloomError
from starloom.journal.names import STAGED
from starloom.journal.values import NotKeepable, edit_to_plain, edits_from_plain, unpack
from starloom.journal.window_file import WindowFile, read_entries, write_entries

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from starloom.constellation.edits import Edit

MOST_BYTES: Final = 64 * 1024**2
"""Of a file that is read."""
_decode: Final = msgspec.msgpack.Decoder(ext_hook=unpack).decode
_UNUSABLE: Final = (
    msgspec.MsgspecError,
    ValidationError,
    StarloomError,
    ValueError,
    TypeError,
    KeyError,
    RecursionError,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StagedStep:
    """One staged action of a user.

    Attributes:
        label: what it is called, in the person's language.
        edits: what it comes to, in order.
        base: the revision of the run at which it fitted last.
        merges: steps that follow each other with the same non-empty text are one.
    """

    label: str
    edits: tuple[Edit, ...]
    base: int
    merges: str = ""


class _PlainStep(TypedDict):
    """A step as it is stored in the file."""

    label: str
    edits: list[list[Any]]
    base: int
    merges: str


_STEPS: Final = TypeAdapter(list[_PlainStep])


def _plain(step: StagedStep) -> _PlainStep:
    edits = [edit_to_plain(edit) for edit in step.edits]
    return {"label": step.label, "edits": edits, "base": step.base, "merges": step.merges}


def _step(plain: _PlainStep) -> StagedStep:
    edits = edits_from_plain(plain["edits"])
    return StagedStep(label=plain["label"], edits=edits, base=plain["base"], merges=plain["merges"])


class StagedFile(WindowFile[StagedStep]):
    """The staged steps of one window.

    Args:
        folder: of the run.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, STAGED, read_staged, write_staged)

    @property
    def steps(self) -> tuple[StagedStep, ...]:
        """The steps in the file, in order."""
        return self.entries


def read_staged(file: Path) -> tuple[StagedStep, ...]:
    """Read staged steps; none if there is no such file, or it is unusable."""
    return read_entries(file, MOST_BYTES, _steps_of, _UNUSABLE)


def _steps_of(data: bytes) -> tuple[StagedStep, ...]:
    return tuple(map(_step, _STEPS.validate_python(_decode(data), strict=True)))


def write_staged(file: Path, steps: Sequence[StagedStep]) -> None:
    """Write staged steps: the file is replaced as a whole, or is unchanged.

    Args:
        file: in the folder of the run.
        steps: in order; none: the file is removed.

    Raises:
        StarloomError: it cannot be written, or an edit holds something that is no plain value.
    """
    try:
        plain = [_plain(one) for one in steps]
    except NotKeepable as error:
        raise StarloomError(f"What is staged holds {error}, which a file cannot keep.") from None
    write_entries(file, msgspec.msgpack.encode(plain) if plain else None)
