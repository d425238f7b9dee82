"""`starloom submit`: has a served engine run a plan."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Final

from starloom.cli.remote import client
from starloom.cli.screen import plain
from starloom.cli.simulated_takers import takers_of_plan, warn
from starloom.formats import load_plan
from starloom.formats.files import named_after

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.cli.remote import Server
    from starloom.cli.screen import Screen
    from starloom.model.plan import Plan
    from starloom.server.client import EngineClient

_PATHS: Final = 5
"""Paths that are named; more are counted."""


def submit_plan(path: Path, server: Server, name: str | None, screen: Screen, *, paused: bool = False) -> int:
    """Have the server run the plan in a file, and print the id of its run; returns the exit code.

    Raises:
        StarloomError: the plan cannot be used, no server runs, or it refuses the plan.
    """
    return submit(named_after(load_plan(path), path), server, name, screen, paused=paused)


def submit(plan: Plan, server: Server, name: str | None, screen: Screen, *, paused: bool = False) -> int:
    """Have the server run a plan, and print the id of its run; returns the exit code.

    Raises:
        StarloomError: no server runs, or it refuses the plan.
    """
    return asyncio.run(_submit(client(server, name, screen), plan, screen, paused=paused))


async def _submit(engine: EngineClient, plan: Plan, screen: Screen, *, paused: bool) -> int:
    async with engine:
        run_id = await engine.submit(plan, paused=paused)
        folder = engine.welcome.folder
        follows = f"It runs in {folder}; `starloom watch {run_id}` follows it."
        waits = f"Nothing of it starts before `starloom do {run_id} start`; it runs in {folder} then."
        screen.note(plain(waits if paused else follows))
        if relative := _relative_paths(plan) if folder != os.getcwd() else []:
            more = f" and {len(relative) - _PATHS} more" if len(relative) > _PATHS else ""
            screen.note(plain(f"Paths begin there, not here: {', '.join(relative[:_PATHS])}{more}."), "yellow")
        code = screen.result(plain(run_id))
        devices = await takers_of_plan(engine, plan)  # after that, as it may take a while, and the run goes on
    warn(devices, "its tasks", screen)
    return code


def _relative_paths(plan: Plan) -> list[str]:
    """The paths of a plan's tasks that mean other files in another folder."""
    named = (
        path
        for task in plan.tasks
        for path in (task.cwd, *(one.source for one in task.files.send), *(one.target for one in task.files.fetch))
        if path is not None
    )
    return [path for path in dict.fromkeys(named) if not path.startswith(("/", "~", "${"))]
