"""Running a module of the engine in a child process: its progress messages and its result."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from asyncio import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from starloom.journal.child import STAGE
from starloom.reporting.text import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

GRACE: Final = 3.0
"""Seconds that a process has to put away what it has begun, once it is not wanted any more."""
_CHUNK: Final = 1 << 16
"""Bytes that are read at once."""
_LAST: Final = 3
"""Lines that are kept of what it says is wrong."""


@dataclass(frozen=True, slots=True)
class ChildResult:
    """The result of a child process.

    Attributes:
        code: its exit code.
        printed: all of its stdout.
        said: the last lines of its stderr, but for stages.
    """

    code: int
    printed: bytes
    said: str


async def carried_out(
    command: Sequence[str], tell: Callable[[str, int], None], take: Callable[[bytes], None] | None = None
) -> ChildResult:
    """Run a command and return its result; cancelling the call ends the process.

    Args:
        command: it says its stages on stderr, as `starloom.journal.child` does.
        tell: is told each stage, and how many percent of it are done; 0 if nobody knows.
        take: is given each line of its stdout as it comes; None: all of it is in the result.

    Raises:
        OSError: it cannot be started.
        ValueError: it says a line that is longer than any of ours.
    """
    process = await asyncio.create_subprocess_exec(
        *command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None, "it was asked for"
    assert process.stderr is not None, "it was asked for"
    printing = asyncio.ensure_future(_printed(process.stdout, take))
    try:
        said = await _listen(process.stderr, tell)
        printed = await printing
        return ChildResult(await process.wait(), printed, " ".join(said))
    except BaseException:
        printing.cancel()
        await asyncio.shield(_end(process))
        raise


async def _printed(stream: asyncio.StreamReader, take: Callable[[bytes], None] | None) -> bytes:
    """What is left of the output once lines that are wanted one by one are given away."""
    if take is None:
        return await stream.read()
    line = bytearray()  # a line of output may be longer than a stream gives at once
    while chunk := await stream.read(_CHUNK):
        line += chunk
        if b"\n" in chunk:
            *whole, line = line.split(b"\n")
            for one in whole:
                take(bytes(one))
    return bytes(line)


async def _listen(stream: asyncio.StreamReader, tell: Callable[[str, int], None]) -> list[str]:
    said: list[str] = []
    async for line in stream:
        text = clean(line.decode("utf-8", "replace")).strip()
        if text.startswith(STAGE):
            stage, _, percent = text.removeprefix(STAGE).partition(" ")
            tell(stage, int(percent) if percent.isdigit() else 0)
        elif text:
            said = [*said, text][-_LAST:]
    return said


async def _end(process: subprocess.Process) -> None:
    """End a process that is no longer needed, and return once it has."""
    with contextlib.suppress(ProcessLookupError):
        if sys.platform == "win32":
            process.kill()
        else:
            process.send_signal(signal.SIGINT)  # it takes back what it has begun
    try:
        await asyncio.wait_for(process.wait(), GRACE)
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
