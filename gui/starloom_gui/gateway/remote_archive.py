"""The archive of the runs of a server on another machine: copies of those that are wanted, while the window is open."""

from __future__ import annotations

import asyncio
import logging
import os
import tempfile
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from starloom.errors import StarloomError
from starloom.journal.library import output_path, run_folder
from starloom.journal.names import JOURNAL
from starloom.server.kept_client import KeptRunsClient
from starloom.server.kept_messages import MOST_RECORDS
from starloom.server.socket_path import ServerError
from starloom_gui.text.engine_words import why_not
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom.journal.records import RunRecord
    from starloom.server.client import EngineClient

_JOURNAL_SHARE = 0.5
"""Of the bytes of a run that is fetched with its outputs; nobody knows how many these are before."""
_log = logging.getLogger(__name__)


class RemoteArchive:
    """The runs that a server has kept: see `RunArchive`.

    Args:
        client: of the server.
        where: its machine, for sentences.
    """

    def __init__(self, client: EngineClient, where: str) -> None:
        self.where = where
        self._client, self._kept = client, KeptRunsClient(client)
        self._copies = tempfile.TemporaryDirectory(prefix="starloom-runs-", ignore_cleanup_errors=True)
        self.directory = Path(self._copies.name)
        self._home = ""
        self._known: dict[Path, RunRecord] = {}
        """What was told of runs last, with the folders that they have there."""
        self._turns: dict[Path, asyncio.Lock] = {}
        self._outputs: dict[Path, asyncio.Task[None]] = {}

    async def close(self) -> None:
        """Copy no more, and remove the copies."""
        tasks = list(self._outputs.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._copies.cleanup()

    # ---- what is said of it

    @property
    def missing(self) -> str:
        """Why no run of it can be had here: the server is of an earlier version."""
        if not self._kept.missing:
            return ""
        text = translate(
            "RemoteArchive",
            "The server on %1 is of version %2, which does not send its earlier runs. "
            "Start it again with this version.",
        )
        return fill(text, self.where, self._client.welcome.version or "?")

    @property
    def unchangeable(self) -> str:
        """Why its runs can only be read."""
        text = translate("RemoteArchive", "These runs are kept on %1. Here they can only be looked at.")
        return fill(text, self.where)

    @property
    def home(self) -> str:
        """The machine, and the directory there."""
        return f"{self.where}:{self._home}" if self._home else self.where

    def place(self, folder: Path) -> str:
        """The machine, and the folder there; of a run of this machine the folder."""
        if not self._is_ours(folder):
            return str(folder)
        known = self._known.get(folder)
        return self.home if known is None else f"{self.where}:{known.folder}"

    def _is_ours(self, folder: Path) -> bool:
        return folder.parent == self.directory / "runs"

    def folder_of(self, run_id: str) -> Path:
        """The folder of a copy; see `RunArchive.folder_of`."""
        return run_folder(self.directory, run_id)

    # ---- lists

    async def folders(self) -> Sequence[Path]:
        """The folders of all runs, as their copies have them; see `RunArchive.folders`."""
        told = await self._kept.names()
        self._home = told.directory
        return [self.directory / "runs" / name for name in told.names]

    async def records(self, folders: Sequence[Path], *, whole: bool = False) -> list[RunRecord]:
        """What lists tell of runs, with sizes; what of them may still run is known there only."""
        found: list[RunRecord] = []
        for begin in range(0, len(folders), MOST_RECORDS):
            batch = folders[begin : begin + MOST_RECORDS]
            told = await self._kept.records([folder.name for folder in batch])
            self._known.update(zip(batch, told, strict=False))
            found += [
                replace(one, folder=folder, size=one.size if whole else None)
                for folder, one in zip(batch, told, strict=False)
            ]
        return found

    # ---- copies

    async def fetch(self, folder: Path, tell: Callable[[float], object], *, outputs: bool = False) -> None:
        """Copy the journal of a run; see `RunArchive.fetch`."""
        if not self._is_ours(folder):
            return
        share = _JOURNAL_SHARE if outputs else 1.0
        async with self._turn(folder):
            tell(0.0)
            await self._kept.copy_journal(folder.name, folder, lambda done: tell(share * done))
            await self._kept.copy_files(
                folder.name, folder, lambda done: tell(share + (1.0 - share) * done), outputs=outputs
            )
            if (known := self._known.get(folder)) is not None:
                with suppress(OSError, OverflowError, ValueError):  # lists of files go by it
                    os.utime(folder / JOURNAL, (known.updated, known.updated))

    async def goes_on_at(self, folder: Path) -> float | None:
        """When a program there has the run open; see `RunArchive.goes_on_at`."""
        if not self._is_ours(folder):
            return None
        (known,) = await self.records([folder])
        return None if known.held_by is None else known.as_of or time.time()

    def _turn(self, folder: Path) -> asyncio.Lock:
        return self._turns.setdefault(folder, asyncio.Lock())

    async def fetch_runs_of(
        self, plan: str, most: int, tell: Callable[[int, float], object]
    ) -> Sequence[RunRecord] | None:
        """Copy the last runs of a plan; see `RunArchive.fetch_runs_of`."""
        folders, found = await self.folders(), 0
        all_found: list[RunRecord] = []
        for begin in range(0, len(folders), MOST_RECORDS):
            for one in await self.records(folders[begin : begin + MOST_RECORDS]):
                if one.name != plan and one.state != "unreadable":
                    continue
                looked_at = begin / len(folders)
                tell_part = partial(_tell_part, tell, found, most, looked_at)
                all_found.append(await self._fetched(one, tell_part))
                found += one.name == plan
                tell(found, max(found / most, looked_at))
                if found == most:
                    return all_found
        return all_found

    async def _fetched(self, one: RunRecord, tell: Callable[[float], object]) -> RunRecord:
        """The record of a run whose journal is here, or that says why it is not.

        Raises:
            ServerError: the server cannot be asked.
        """
        if one.state == "unreadable":
            return one
        try:
            await self.fetch(one.folder, tell)
        except ServerError:
            raise
        except StarloomError as error:
            return replace(one, state="unreadable", trouble=why_not(error))
        return one

    def output(self, folder: Path, task_id: str, attempt: int) -> Path:
        """The file with the output of an attempt, which is copied once it was asked for."""
        path = output_path(folder, task_id, attempt)
        if self._is_ours(folder) and path not in self._outputs and not path.is_file():
            loop = asyncio.get_running_loop()
            self._outputs[path] = loop.create_task(self._copy_output(folder, path), name="console: a kept output")
        return path

    async def _copy_output(self, folder: Path, path: Path) -> None:
        try:
            async with self._turn(folder):
                await self._kept.copy_output(folder.name, path)
        except StarloomError as error:
            _log.debug("the output in %s is not here: %s", path.name, error)
            self._outputs.pop(path, None)  # whoever looks at it again has it tried again


def _tell_part(tell: Callable[[int, float], object], found: int, most: int, looked_at: float, done: float) -> None:
    """Tell of a part of a run that is here."""
    tell(found, max((found + done) / most, looked_at))
