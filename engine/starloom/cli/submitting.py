"""`starloom submit`: has a served engine run a plan."""

from __future__ import annotations

import asyncio
import os
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Final

from starloom.cli.remote import client
from starloom.cli.screen import plain
from starloom.errors import StarloomError
from starloom.formats import load_plan
from starloom.formats.files import named_after
from starloom.scheduling.read.pretence import pretence

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.cli.remote import Server
    from starloom.cli.screen import Screen
    from starloom.model.plan import Plan
    from starloom.server.client import EngineClient

_PATHS: Final = 5
"""Paths that are named; more are counted."""


def submit_plan(path: Path, server: Server, name: str | None, screen: Screen) -> int:
    """Have the server run the plan in a file, and print the id of its run; returns the exit code.

    Raises:
        StarloomError: the plan cannot be used, no server runs, or it refuses the plan.
    """
    return submit(named_after(load_plan(path), path), server, name, screen)


def submit(plan: Plan, server: Server, name: str | None, screen: Screen) -> int:
    """Have the server run a plan, and print the id of its run; returns the exit code.

    Raises:
        StarloomError: no server runs, or it refuses the plan.
    """
    return asyncio.run(_submit(client(server, name, screen), plan, screen))


async def _submit(engine: EngineClient, plan: Plan, screen: Screen) -> int:
    async with engine:
        run_id = await engine.submit(plan)
        screen.note(plain(f"It runs in {engine.welcome.folder}; `starloom watch {run_id}` follows it."))
        if relative := _relative_paths(plan) if engine.welcome.folder != os.getcwd() else []:
            more = f" and {len(relative) - _PATHS} more" if len(relative) > _PATHS else ""
            screen.note(plain(f"Paths begin there, not here: {', '.join(relative[:_PATHS])}{more}."), "yellow")
        code = screen.result(plain(run_id))
        acting = await _acting(engine, plan)  # after that, as it may take a while, and the run goes on
    if acting:
        devices = f"Simulated device{'s' if len(acting) > 1 else ''} {', '.join(acting)} of this engine"
        screen.note(
            plain(
                f"{devices} may take its tasks, which would then only count as done. Bind tasks by `device` in "
                "the plan, or drain what is not to take any: `starloom do fleet drain-device ID`."
            ),
            "yellow",
        )
    return code


async def _acting(engine: EngineClient, plan: Plan) -> tuple[str, ...]:
    """The simulated devices that could take real tasks of a plan that does not name them; none, if nobody tells.

    Nothing else can be asked of the client from then on.
    """
    with suppress(StarloomError):  # it runs all the same
        async with aclosing(engine.follow_fleet()) as following:
            async for replica, _ in following:
                return pretence(plan.tasks, replica.fleet, {spec.id for spec in plan.devices}).devices
    return ()


def _relative_paths(plan: Plan) -> list[str]:
    """The paths of a plan's tasks that mean other files in another folder."""
    named = (
        path
        for task in plan.tasks
        for path in (task.cwd, *(one.source for one in task.files.send), *(one.target for one in task.files.fetch))
        if path is not None
    )
    return [path for path in dict.fromkeys(named) if not path.startswith(("/", "~", "${"))]
