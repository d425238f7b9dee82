"""`starloom.connect`: a served engine, here or on another machine, for a program in Python."""

from __future__ import annotations

import getpass
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from starloom.errors import SettingsError
from starloom.server.client import EngineClient
from starloom.server.links import ssh_link
from starloom.server.people import name_problem
from starloom.settings import journal_path

if TYPE_CHECKING:
    import os

    from starloom.server.links import ProgramLink

_FORM = "Give a folder of journals, or ssh://user@host:port/folder."


def connect(where: str | os.PathLike[str] | None = None, *, name: str = "", patience: float = 10.0) -> EngineClient:
    """A client of a served engine, to be used as `async with`.

    Args:
        where: the folder of its journals on this machine; None: the user's; or `ssh://user@host:port/folder` on another
            one, reached by the user's own ssh, where user, port and folder may be left out.
        name: in whose name commands are given; empty: the login.
        patience: seconds for which a server is looked for after the connection was lost.

    Raises:
        SettingsError: `where` is neither.
    """
    if where is None:
        return EngineClient(journal_path(), name or login(), patience)
    is_folder = not isinstance(where, str) or "://" not in where
    return EngineClient(Path(where) if is_folder else way_to(str(where)), name or login(), patience)


def way_to(where: str) -> ProgramLink:
    """The way to a server at an address such as `ssh://user@host:port/folder`.

    Raises:
        SettingsError: it is none.
    """
    try:
        parts = urlsplit(where)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise SettingsError(f"{where!r} names no server: {error}. {_FORM}") from None
    if parts.scheme != "ssh" or not host or parts.password or parts.query or parts.fragment or host.startswith("-"):
        raise SettingsError(f"{where!r} names no server. {_FORM}")
    machine = f"{unquote(parts.username)}@{host}" if parts.username else host
    return ssh_link(machine, unquote(parts.path) if parts.path.strip("/") else None, port)


def login() -> str:
    """The name of the user who runs this program; `operator` where there is none that a client can have."""
    with suppress(OSError, KeyError):  # a user without a name, as in a container
        if not name_problem(name := getpass.getuser()):
            return name
    return "operator"
