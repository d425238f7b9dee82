"""Messages about the runs that a server's folder of journals has kept, those of earlier programs among them.

Each request is answered by itself, so that whoever has lost the connection asks on from where it was.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from starloom.server.messages import WireMessage

MOST_RECORDS: Final = 25
"""Runs whose records may be asked for at once."""


def names_folder(name: str) -> bool:
    """Whether a name can be that of a run's folder, and leads nowhere else; neither side believes the other."""
    return name not in {"", ".", ".."} and "/" not in name and "\0" not in name


# ---- from clients


class ListKeptRuns(WireMessage, frozen=True):
    """A request for the names of the folders of all runs; the answer is a `KeptRunNames`."""

    number: int


class ReadKeptRecords(WireMessage, frozen=True):
    """A request for what lists tell of these runs; the answer is a `KeptRecords`.

    Attributes:
        names: of their folders, at most `MOST_RECORDS`.
    """

    number: int
    names: tuple[str, ...]


class ReadKeptRows(WireMessage, frozen=True):
    """A request for the next rows of a run's journal; the answer is a `KeptRows`.

    Attributes:
        name: of the run's folder.
        after: the last row that the client has.
        last: the last row that it wants; 0: it does not know how many there are, and the file is checked.
    """

    number: int
    name: str
    after: int = 0
    last: int = 0


class ReadKeptFiles(WireMessage, frozen=True):
    """A request for the next bytes of the files beside a run's journal; the answer is a `KeptFiles`.

    Attributes:
        name: of the run's folder.
        outputs: whether what its attempts have printed is wanted, too.
        file: the name of the file to go on with; empty: the first one.
        offset: bytes of it that the client has.
        only: whether no other file is wanted.
    """

    number: int
    name: str
    outputs: bool = False
    file: str = ""
    offset: int = 0
    only: bool = False


class ReadPlanDurations(WireMessage, frozen=True):
    """A request for what earlier runs of a plan tell about its durations.

    The answer is a `RequestAnswer` with `ObservedDurations`.

    Attributes:
        plan: its name.
    """

    number: int
    plan: str


# ---- from the server


class KeptRunNames(WireMessage, frozen=True):
    """The folders of all runs, those written last first.

    Attributes:
        directory: of the journals, as the server's machine calls it.
        names: of the folders.
    """

    number: int
    directory: str
    names: tuple[str, ...]


class KeptRecords(WireMessage, frozen=True):
    """What lists tell of runs.

    Attributes:
        records: of each a `journal.records.RunRecord` with its size, in plain values, in the order of the request.
    """

    number: int
    records: tuple[Any, ...]


class KeptRows(WireMessage, frozen=True):
    """Rows as they stand in a run's journal.

    Attributes:
        last: the last row that counts; whoever has it has all.
        rows: the next ones, as many as a batch has.
        about: what the journal says of itself, see `StreamFile.meta`; nothing where `last` was known.
    """

    number: int
    last: int
    rows: tuple[bytes, ...]
    about: dict[str, str] = msgspec.field(default_factory=dict)


class FilePiece(WireMessage, frozen=True):
    """Bytes of a file of a run, from an offset on; its name is that of a part of a bundle, see `journal.bundle`."""

    name: str
    offset: int
    data: bytes


class KeptFiles(WireMessage, frozen=True):
    """Pieces of the files of a run, in the order of their names, together as many bytes as a batch has.

    Attributes:
        file, offset: where to go on; an empty name: nothing is left.
        whole: bytes of all files that are wanted; 0 where the request was not the first one.
    """

    number: int
    pieces: tuple[FilePiece, ...]
    file: str = ""
    offset: int = 0
    whole: int = 0
