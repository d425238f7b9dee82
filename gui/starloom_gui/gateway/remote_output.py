"""The output of attempts elsewhere: copied into files here once somebody looks at it, and told as it comes."""

from __future__ import annotations

import asyncio
import codecs
import logging
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from starloom.errors import StarloomError
from starloom.orchestration.channel import OutputChunk

if TYPE_CHECKING:
    from starloom.orchestration.channel import Channel
    from starloom.server.client import EngineClient

Key = tuple[str, str, int]
"""Run, task and attempt."""
EVERY: Final = 0.5
"""Seconds until what goes on to print is asked again."""
_AT_ONCE: Final = 8
"""Attempts whose output is copied at the same time: the last ones that were looked at."""
_log = logging.getLogger(__name__)


class RemoteOutput:
    """Copies outputs of attempts. To be used where the loop runs.

    Args:
        client: asks the engine.
        channel: is told what comes.
    """

    def __init__(self, client: EngineClient, channel: Channel) -> None:
        self._client, self._channel = client, channel
        self._folder = tempfile.TemporaryDirectory(prefix="starloom-output-", ignore_cleanup_errors=True)
        self._files: dict[Key, Path] = {}
        self._copied: dict[Key, int] = {}
        self._over: set[Key] = set()
        self._tasks: dict[Key, asyncio.Task[None]] = {}

    def file(self, key: Key, *, is_running: bool) -> Path:
        """The file to which the output of an attempt is copied from now on; it is there once something has come.

        Args:
            key: of the attempt.
            is_running: whether it runs: then the channel tells what comes. Of one that has ended the result has the
                end of what it has printed.
        """
        path = self._files.setdefault(key, Path(self._folder.name) / f"{len(self._files)}.txt")
        if key not in self._tasks and key not in self._over:
            loop = asyncio.get_running_loop()
            self._tasks[key] = loop.create_task(
                self._copy(key, path, tells=is_running), name="console: output elsewhere"
            )
            while len(self._tasks) > _AT_ONCE:
                self._tasks.pop(next(iter(self._tasks))).cancel()
        return path

    async def close(self) -> None:
        """Copy no more, and remove the files."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._folder.cleanup()

    async def _copy(self, key: Key, path: Path, *, tells: bool) -> None:
        """Copy what an attempt prints, until that is all or nobody may look at it any more."""
        run_id, task_id, attempt = key
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        while True:
            offset = self._copied.get(key, 0)
            try:
                piece = await self._client.output(run_id, task_id, attempt, offset)
            except StarloomError as error:
                _log.debug("the output of %s is not read: %s", task_id, error)
                await asyncio.sleep(10 * EVERY)
                continue
            if piece.data:
                with path.open("ab") as file:
                    file.write(piece.data)
                self._copied[key] = offset + len(piece.data)
                if tells:
                    self._channel.send(OutputChunk(run_id, task_id, attempt, decoder.decode(piece.data)))
            elif piece.is_over:
                self._over.add(key)
                self._tasks.pop(key, None)
                return
            else:
                await asyncio.sleep(EVERY)
