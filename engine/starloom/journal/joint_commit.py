"""Committing a turn of several streams to all of their files, or to none; see `joint_turns`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.journal.base import JournalError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.events import Event
    from starloom.journal.stream_file import StreamFile


def commit_jointly(files: Sequence[StreamFile], events: Sequence[Event]) -> None:
    """Commit a turn to all files of its streams, the last of which decides, or to none.

    Raises:
        JournalError: one of them could not keep it.
    """
    if not files:
        return
    turns = [[event for event in events if event.run_id == file.stream] for file in files]
    encoded, decided = files[-1].encode(turns[-1])
    before: list[tuple[StreamFile, int]] = []
    try:
        for file, turn in zip(files[:-1], turns, strict=False):
            last = file.last
            file.commit(turn, None, decided)
            before.append((file, last))
        files[-1].commit(turns[-1], encoded)
    except JournalError:
        for earlier, row in before:
            earlier.take_back(row)
        raise
