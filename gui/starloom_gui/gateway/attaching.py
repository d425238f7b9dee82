"""Attaching a console to the engine of a server: that of this computer, of a folder, or of another machine over SSH."""

from __future__ import annotations

from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from starloom.journal.library import run_folder
from starloom.journal.names import JOURNAL
from starloom.server.connecting import login, way_to
from starloom.server.links import SocketLink, ssh_link
from starloom.settings import journal_path
from starloom_gui.gateway.remote_engine import RemoteEngine, remote_engine
from starloom_gui.text.words import translate

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starloom.server.links import ServerLink

HERE: Final = "here"
"""Instead of a machine: the server of this user's journals on this computer."""


class EngineAddress(NamedTuple):
    """Where a server is.

    Attributes:
        link: the way there.
        where: the machine, for sentences.
        folder: of its journals, if that is on this machine.
    """

    link: ServerLink
    where: str
    folder: Path | None = None


def address_of(words: str) -> EngineAddress:
    """The server that somebody names.

    Args:
        words: `here`, a folder of journals on this machine, a machine as ssh takes it, or `ssh://user@host:port/folder`.

    Raises:
        SettingsError: it is an address, and none that can be used.
    """
    if words == HERE or Path(words).is_dir():
        folder = journal_path() if words == HERE else Path(words)
        here = translate("Attaching", "this computer") if words == HERE else str(folder)
        return EngineAddress(SocketLink(folder), here, folder)
    link = way_to(words) if "://" in words else ssh_link(words)
    return EngineAddress(link, link.where)


@asynccontextmanager
async def attached_engine(words: str) -> AsyncIterator[RemoteEngine]:
    """The engine of the server that somebody names; see `address_of`.

    Raises:
        SettingsError: it is none.
        ServerError: no server runs there, or it does not answer.
        StarloomError: it cannot be followed.
    """
    link, where, folder = address_of(words)

    def journal(run_id: str) -> Path | None:
        return None if folder is None else run_folder(folder, run_id) / JOURNAL

    async with remote_engine(link, login(), where, journal) as engine:
        yield engine
