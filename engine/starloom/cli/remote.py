"""The command line as a remote control of a served engine: which server, which run of it, `ps` and `stop`."""

from __future__ import annotations

import asyncio
import json
import shlex
from typing import TYPE_CHECKING, Any, Final

from msgspec import structs

from starloom.cli.screen import others_words, plain
from starloom.errors import SettingsError, StarloomError
from starloom.model.quantities import format_duration
from starloom.model.status import RunState
from starloom.server.client import EngineClient
from starloom.server.connecting import login
from starloom.server.links import ProgramLink, ssh_link
from starloom.settings import journal_path

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from starloom.cli.screen import Screen
    from starloom.server.links import ServerLink
    from starloom.server.listings import ListedReservation, ListedRun

    Server = Path | ServerLink | None

_REASONS: Final = 3
"""Reasons why nothing can start that are told in a line."""
_STYLES: Final = {"completed": "green", "failed": "red", "partially_failed": "yellow", "executing": "bold"}


def server_at(journal: Path | None, host: str | None, via: str | None) -> Server:
    """The server that options name.

    Args:
        journal: the folder of its journals, on its machine; None: the user's.
        host: the machine as ssh takes it; None: this one, unless `via` leads elsewhere.
        via: the command that logs in there; None: `ssh HOST`.

    Raises:
        SettingsError: the options go not together, or the command cannot be read.
    """
    if host is None and via is None:
        return journal
    if host is not None and via is not None:
        raise SettingsError("--at and --via: give one of them; --via is a whole command, such as 'ssh -J jump box'.")
    there = None if journal is None else str(journal)
    if host is not None:
        if host.startswith("-") or not host.strip():
            raise SettingsError(f"--at {host!r}: this is no machine; give it as ssh takes it, e.g. ada@box.")
        return ssh_link(host, there)
    try:
        command = shlex.split(via or "")
    except ValueError as error:
        raise SettingsError(f"--via {via!r}: {error}. Quote it as a shell wants it.") from None
    if not command:
        raise SettingsError("--via: this names no command; give one such as 'ssh -J jump box'.")
    return ProgramLink(command, journals=there)


def client(server: Server, name: str | None = None, screen: Screen | None = None) -> EngineClient:
    """A client of a server.

    Args:
        server: see `server_at`.
        name: in whose name it gives commands; None: the login.
        screen: where it is said that the connection is lost; None: nowhere.
    """

    def lost(sentence: str) -> None:
        if screen is not None:
            screen.note(sentence, "yellow")

    return EngineClient(server or journal_path(), name or login(), lost=lost)


# ---- ps


def list_served(server: Server, screen: Screen, *, as_json: bool) -> int:
    """Print a line for each run of the server; returns the exit code.

    Raises:
        StarloomError: no server runs.
    """
    return asyncio.run(_list(client(server), screen, as_json=as_json))


async def _list(engine: EngineClient, screen: Screen, *, as_json: bool) -> int:
    async with engine:
        listing = await engine.listing()
    runs = listing.runs
    reserved = {one.run_id: one for one in listing.reservations if one.run_id}
    if as_json:
        plains = [structs.asdict(one) | {"reservation": _plain(reserved.get(one.run_id))} for one in runs]
        return screen.result(json.dumps(plains))
    served = engine.welcome
    screen.note(plain(f"Starloom {served.version}, process {served.pid}, in {served.folder}"))
    width = max((len(plain(one.run_id)) for one in runs), default=0)
    for one in runs:
        screen.result(f"{plain(one.run_id):{width}}  {_line(one)}", _STYLES.get(one.state, ""))
        if one.run_id in reserved:
            screen.result(f"{'':{width}}  {_reserved(reserved[one.run_id])}", "yellow")
    for made in listing.reservations:
        if not made.run_id:
            what = f"Device {plain(made.device_id)}" if made.device_id else "The fleet"
            screen.note(f"{what} is {_reserved(made)}", "yellow")
    return 0


def _reserved(made: ListedReservation) -> str:
    left = format_duration(max(1, round(made.left)))
    return plain(f"reserved by {made.holder} for another {left}: {made.reason}")


def _line(one: ListedRun) -> str:
    told = {"running": one.running, "failed": one.failed, "cancelled": one.cancelled, "skipped": one.skipped}
    told |= {"only simulated": one.simulated, "waiting for a person": one.waits}
    others = others_words(told)
    others += f", {stalled_words(one.stalled)}" if one.stalled else ""
    return f"{one.state.replace('_', ' '):16}  {one.done} of {one.total} tasks done{others}  {plain(one.name)}"


def stalled_words(reasons: Sequence[str]) -> str:
    """That nothing can start, and why, as far as a line has room."""
    more = f" (and {len(reasons) - _REASONS} more)" if len(reasons) > _REASONS else ""
    return f"nothing can start: {plain('; '.join(reasons[:_REASONS]))}{more}"


def _plain(made: ListedReservation | None) -> dict[str, Any] | None:
    return None if made is None else structs.asdict(made)


def run_named(runs: Sequence[ListedRun], named: str) -> str:
    """The id of the run that a name stands for.

    Raises:
        StarloomError: there is none, or there are several.
    """
    ids = [one.run_id for one in runs]
    found = [named] if named in ids else [run_id for run_id in ids if run_id.startswith(named)]
    if len(found) == 1:
        return found[0]
    if found:
        raise StarloomError(f"{named!r} could be any of {', '.join(found[:5])}. Give more of its id.")
    raise StarloomError(f"The server has no run {named!r}. `starloom ps` lists those it has.")


# ---- stop


def stop(server: Server, name: str | None, screen: Screen, *, cancel: bool) -> int:
    """Have the server end, and wait for it; returns the exit code.

    Raises:
        StarloomError: no server runs, or it refuses.
    """
    return asyncio.run(_stop(client(server, name), screen, cancel=cancel))


async def _stop(engine: EngineClient, screen: Screen, *, cancel: bool) -> int:
    async with engine:
        going = [one for one in await engine.runs() if not RunState(one.state).has_ended]
        if going and not cancel:
            screen.note(f"It ends with its runs, {len(going)} of which go on. Ctrl-C ends the waiting only.")
        await engine.stop(cancel=cancel)
    screen.note("The server has ended.")
    return 0
