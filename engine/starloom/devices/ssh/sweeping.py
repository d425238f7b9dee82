"""Removing folders of ended attempts on the other side, as the link allows it."""

from __future__ import annotations

import asyncio
import logging
import posixpath
from typing import TYPE_CHECKING, Final

from starloom.devices.ssh import scripts
from starloom.devices.ssh.errors import LinkLost
from starloom.devices.ssh.record import remove_record
from starloom.errors import DeviceError

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.devices.ssh.link import SshLink

FOLDER: Final = "attempts"
"""What the folder is called in which the folders of attempts lie."""
_LONGEST_GOODBYE: Final = 5.0
_LOOK: Final = 0.05
_AT_ONCE: Final = 100
"""Folders that one shell is told to remove, as what is said to it is read as a whole before it does anything."""
_log = logging.getLogger(__name__)


class Sweeper:
    """Removes files of ended attempts from the machine. An attempt's record on this side is removed last.

    So whenever this program dies, the next one finds the record of every folder that is left.
    """

    def __init__(self) -> None:
        self._litter: dict[str, Path | None] = {}
        self._link: SshLink | None = None
        self._sweeping: asyncio.Task[None] | None = None

    def add(self, folder: str, kept: Path | None) -> None:
        """Remove a folder, and then the record of its attempt; None: it has none."""
        self._litter[folder] = kept
        self._sweep_soon()

    def begin(self, link: SshLink) -> None:
        """Remove over this link, until `end`; called again, failed removals are retried."""
        self._link = link
        self._sweep_soon()

    async def end(self) -> None:
        """Stop removing; a link that is up gets time for what is left."""
        link, self._link = self._link, None
        sweeping = self._sweeping
        if sweeping is None:
            return
        deadline = asyncio.get_running_loop().time() + _LONGEST_GOODBYE
        # Over a link that is down nothing is removed, however long it takes.
        while link is not None and link.is_up and not sweeping.done() and asyncio.get_running_loop().time() < deadline:
            await asyncio.wait((sweeping,), timeout=_LOOK)
        sweeping.cancel()
        await asyncio.gather(sweeping, return_exceptions=True)
        self._sweeping = None

    def _sweep_soon(self) -> None:
        if self._link is not None and self._litter and self._sweeping is None:
            self._sweeping = asyncio.ensure_future(self._sweep(self._link))

    async def _sweep(self, link: SshLink) -> None:
        try:
            while self._litter:
                await self._remove(link, list(self._litter)[:_AT_ONCE])
        except DeviceError as error:
            _log.debug("folders of attempts are left on the other machine: %s", error)
        finally:  # and not when the task is done: what is added in between would wait for ever
            self._sweeping = None

    async def _remove(self, link: SshLink, folders: list[str]) -> None:
        session = await link.session()
        try:
            answers = await session.ask(scripts.remove(folders))
        except LinkLost:
            return  # they are removed over the next login
        removed = {words[1] for words in answers if words[:1] == ["removed"]}
        for folder in folders:
            kept = self._litter.pop(folder)  # what cannot be removed now is not tried for ever
            if posixpath.basename(folder) not in removed:
                _log.debug("the folder %r cannot be removed on the other machine", folder)
            elif kept is not None:
                remove_record(kept)
