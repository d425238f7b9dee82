"""What of the process a simulated program meets: clocks, ids, and what happens as a file is committed to."""

from __future__ import annotations

import logging
import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, Final, Protocol
from unittest.mock import patch

from starloom.journal import records
from starloom.journal.base import JournalError
from starloom.journal.stream_file import StreamFile
from starloom.server import row_sender

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from starloom.events import Event


FAR: Final = 60
"""Rows a client may be behind before it is sent a checkpoint: histories here are short."""


class Surroundings(Protocol):
    """The protocol of what a simulated process finds around it."""

    @property
    def monotonic(self) -> float: ...
    @property
    def wall(self) -> float: ...
    def new_id(self) -> str: ...
    def before_commit(self, stream: str) -> None: ...


class _Id:
    def __init__(self, text: str) -> None:
        self.hex = text


@contextmanager
def simulated_process(world: Surroundings) -> Iterator[None]:
    """Have the clocks and ids of this process be a world's, and each file that is committed to be struck by it."""
    commit = StreamFile.commit

    def struck(file: StreamFile, events: Sequence[Event], *given: Any) -> None:
        try:
            world.before_commit(file.stream)
        except OSError as error:
            raise JournalError(f"The journal of {file.stream!r} cannot be written: {error}.") from None
        commit(file, events, *given)

    replaced: list[tuple[Any, str, Any]] = [
        (time, "time", lambda: world.wall),
        (time, "monotonic", lambda: world.monotonic),
        (time, "perf_counter", lambda: world.monotonic),
        (time, "sleep", lambda _seconds: None),
        (records, "_written", lambda folder: folder.name),  # the times of files are those of the computer's clock
        (StreamFile, "commit", struck),
        (row_sender, "FAR", FAR),
    ]
    logged = logging.root.manager.disable
    logging.disable(logging.CRITICAL)  # what is logged would keep what is abandoned
    with ExitStack() as stack:
        stack.callback(logging.disable, logged)
        for of, name, by in replaced:
            stack.enter_context(patch.object(of, name, by))
        stack.enter_context(patch("starloom.server.client.uuid4", lambda: _Id(world.new_id())))
        yield
