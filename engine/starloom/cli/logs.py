"""`starloom logs`: what a task of a served engine has printed, and prints."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from starloom.cli.remote import client, run_named
from starloom.cli.screen import plain

if TYPE_CHECKING:
    from starloom.cli.remote import Server
    from starloom.cli.screen import Screen
    from starloom.server.client import EngineClient

_LOOK_EVERY: Final = 0.2
"""Seconds between two looks for what has been printed meanwhile."""


def show_output(
    named: str, task_id: str, attempt: int, server: Server, name: str | None, screen: Screen, *, follow: bool
) -> int:
    """Print what an attempt has printed, line by line and without control characters; returns the exit code.

    Args:
        named: the run's id or the beginning of it.
        task_id: of the task.
        attempt: which of its attempts, from 1; 0: the last one.
        server: see `remote.server_at`.
        name: in whose name; None: the login.
        screen: where to print.
        follow: go on until it prints no more, with the next attempt too if none is named.

    Raises:
        StarloomError: no server runs, or there is no such run, task or attempt.
    """
    return asyncio.run(_show(client(server, name, screen), named, task_id, attempt, screen, follow=follow))


async def _show(engine: EngineClient, named: str, task_id: str, attempt: int, screen: Screen, *, follow: bool) -> int:
    async with engine:
        run_id = run_named(await engine.runs(), named)
        now, offset, rest = attempt, 0, b""
        while True:
            piece = await engine.output(run_id, task_id, now, offset)
            now, offset = piece.attempt, offset + len(piece.data)
            *lines, rest = (rest + piece.data).split(b"\n")
            for line in lines:
                _print(line + b"\n", screen)
            if piece.data:
                continue
            if not follow or (piece.is_over and (attempt or now == piece.last)):
                break
            if piece.is_over:
                _print(rest, screen)
                now, offset, rest = now + 1, 0, b""
                screen.note(f"Attempt {now}:")
            else:
                await asyncio.sleep(_LOOK_EVERY)
    _print(rest, screen)
    return 0


def _print(line: bytes, screen: Screen) -> None:
    """Print a line as a terminal would finally show it; nothing, if there is none."""
    if line:
        screen.result(plain(line.decode("utf-8", "replace").rstrip("\r\n").rpartition("\r")[2]))
