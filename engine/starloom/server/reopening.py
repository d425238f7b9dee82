"""Having a server take up a run that has ended, or was interrupted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.server.client import older_server
from starloom.server.messages import ReopenRun

if TYPE_CHECKING:
    from starloom.server.client import EngineClient


async def reopen(client: EngineClient, run_id: str) -> None:
    """Have the engine take up a run that has ended, or was interrupted, which goes on then.

    Whoever follows the engine is told of it.

    Args:
        client: of the server.
        run_id: of a run that the server keeps.

    Raises:
        ServerError: the connection is lost.
        CommandRefused: it was refused, or the server is of an earlier version.
    """
    if not client.welcome.reopens:
        raise older_server(client.welcome, "leaves runs that have ended as they are")
    await client.read(lambda number: ReopenRun(number, run_id))  # again: it is there already
