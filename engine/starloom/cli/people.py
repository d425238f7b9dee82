"""`starloom who`: those who are connected to a served engine."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime
from typing import TYPE_CHECKING

from msgspec import structs

from starloom.cli.remote import client
from starloom.cli.screen import plain

if TYPE_CHECKING:
    from starloom.cli.remote import Server
    from starloom.cli.screen import Screen
    from starloom.server.client import EngineClient
    from starloom.server.listings import Person


def list_people(server: Server, name: str | None, screen: Screen, *, as_json: bool) -> int:
    """Print a line for each person who is connected, who asks among them; returns the exit code.

    Args:
        server: see `remote.server_at`.
        name: in whose name it is asked; None: the login.
        screen: where to print.
        as_json: one JSON array and nothing else.

    Raises:
        StarloomError: no server runs, or it is of an earlier version.
    """
    return asyncio.run(_list(client(server, name), screen, as_json=as_json))


async def _list(engine: EngineClient, screen: Screen, *, as_json: bool) -> int:
    async with engine:
        people = await engine.people()
    if as_json:
        return screen.result(json.dumps([structs.asdict(one) for one in people]))
    width = max(len(plain(one.name)) for one in people)
    for one in people:
        screen.result(f"{plain(one.name):{width}}  {_line(one)}")
    return 0


def _line(one: Person) -> str:
    told = [f"on {one.host}" if one.host else "", f"since {_time(one.since)}"]
    told += [f"last {one.act.replace('_', '-')} at {_time(one.acted)}" if one.act else ""]
    told += [f"follows {', '.join(one.follows)}" if one.follows else "", "reads only" if one.reads_only else ""]
    return plain(", ".join(filter(None, told)))


def _time(seconds: float) -> str:
    then = datetime.fromtimestamp(seconds).astimezone()
    is_today = then.date() == datetime.now().astimezone().date()
    return then.strftime("%H:%M" if is_today else "%Y-%m-%d %H:%M")
