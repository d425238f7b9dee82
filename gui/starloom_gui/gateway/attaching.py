"""Attaching a console to the engine of a server: that of this computer, of a folder, or of another machine over SSH."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote

from starloom.errors import SettingsError
from starloom.events import FORMAT_VERSION
from starloom.model.status import RunState
from starloom.server.client import EngineClient
from starloom.server.connecting import login, way_to
from starloom.server.links import SocketLink, ssh_link
from starloom.server.server_lock import is_served
from starloom.server.starting import not_up, start_server
from starloom.settings import journal_path
from starloom_gui.gateway.remote_engine import EngineAccess, RemoteEngine, remote_engine
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starloom.server.links import ServerLink
    from starloom_gui.attachment import Attachment

_ENDED: Final = frozenset(str(state) for state in RunState if state.has_ended)
_COMING_UP: Final = 30.0
"""Seconds in which a server that is started has to answer."""
_EVERY: Final = 0.1
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
        words: `here`; a folder of journals on this machine, with a `/` in it; a machine as ssh takes it; or
            `ssh://user@host:port/folder`.

    Raises:
        SettingsError: it is an address, and none that can be used.
    """
    is_address = "://" in words
    if words == HERE or ("/" in words and not is_address):
        folder = journal_path() if words == HERE else Path(words).expanduser()
        here = translate("Attaching", "this computer") if words == HERE else str(folder)
        return EngineAddress(SocketLink(folder), here, folder)
    link = way_to(words) if is_address else ssh_link(words)
    return EngineAddress(link, link.where)


def ssh_address(machine: str, folder: str = "") -> str:
    """The address of a server on another machine, of what somebody has typed.

    Args:
        machine: as ssh takes it, with `:port` behind it, or an address itself.
        folder: the whole path of its journals; empty: the usual one.
    """
    has_port = machine.count(":") == 1
    scheme = "ssh://" if "://" not in machine and (folder or has_port) else ""
    return f"{scheme}{machine}{quote(folder)}"


class ServerFound(NamedTuple):
    """What a server says of itself.

    Attributes:
        version: of Starloom.
        runs: how many it has that have not ended.
        pid: of its process, if that is on this machine; else 0.
    """

    version: str
    runs: int
    pid: int = 0


async def look_at(words: str) -> ServerFound:
    """Look whether there is a server that can be followed.

    Raises:
        SettingsError: the words are no address.
        ServerError: no server runs there, or it does not answer.
        StarloomError: it cannot be followed.
    """
    address = address_of(words)
    async with EngineClient(address.link, login()) as client:
        welcome = client.welcome
        live = [run for run in await client.runs() if run.state not in _ENDED]
        if welcome.format > FORMAT_VERSION:
            newer = translate("Attaching", "Starloom %1 runs there, and here is an older version. Update this one.")
            raise SettingsError(fill(newer, welcome.version))
        return ServerFound(welcome.version, len(live), welcome.pid if address.folder is not None else 0)


async def start_here(words: str) -> None:
    """Start a server for a folder of journals on this machine; returns once it answers.

    Raises:
        SettingsError: the words are no address.
        ServerError: it cannot be started, or does not come up.
    """
    folder = address_of(words).folder
    assert folder is not None, "it is on this machine"
    server, tries = start_server(folder), round(_COMING_UP / _EVERY)
    while not is_served(folder):
        if server.poll() is not None or not tries:
            raise not_up(folder)
        tries -= 1
        await asyncio.sleep(_EVERY)


@asynccontextmanager
async def attached_engine(attachment: Attachment) -> AsyncIterator[RemoteEngine]:
    """The engine of a server.

    Raises:
        SettingsError: it is none.
        ServerError: no server runs there, or it does not answer.
        StarloomError: it cannot be followed.
    """
    link, where, folder = address_of(attachment.address)

    access = EngineAccess(link, where, attachment.name or login(), folder, attachment.watches)
    async with remote_engine(access) as engine:
        yield engine
