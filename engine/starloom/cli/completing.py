"""What a shell completes on Tab: the runs of the served engine, their tasks, and the words of commands.

Whatever keeps it from being known, nothing is completed and nothing is said: the shell's line is no place for that.
"""

# No `from __future__ import annotations`: typer reads the annotations as the program runs. Modules are imported on use.
from pathlib import Path
from typing import Final

import typer

_PATIENCE: Final = 2.0
"""Seconds after which whoever has pressed Tab waits no longer."""


def runs(context: typer.Context, incomplete: str) -> list[str]:
    """The ids of runs that begin so."""
    import asyncio

    return _fitting(asyncio.run(_runs(context.params.get("journal"))), incomplete)


def tasks(context: typer.Context, incomplete: str) -> list[str]:
    """The ids of tasks, of the run that was named before, that begin so."""
    import asyncio

    return _fitting(asyncio.run(_tasks(context.params.get("journal"), context.params.get("run") or "")), incomplete)


def words(context: typer.Context, incomplete: str) -> list[str]:
    """The words that may come next in a command to a run: what to do, then its tasks."""
    from starloom.cli.command_words import known_words

    given = context.params.get("words") or []
    if not given:
        return _fitting(known_words(), incomplete)
    ends = "." if given[0] == "set" else ""
    return [f"{task_id}{ends}" for task_id in tasks(context, incomplete)]


def _fitting(known: list[str], incomplete: str) -> list[str]:
    return [one for one in known if one.startswith(incomplete)]


async def _runs(journal: Path | None) -> list[str]:
    import asyncio

    from starloom.cli.remote import client
    from starloom.errors import StarloomError

    try:
        async with asyncio.timeout(_PATIENCE), client(journal) as engine:
            return [one.run_id for one in await engine.runs()]
    except (StarloomError, TimeoutError):
        return []


async def _tasks(journal: Path | None, named: str) -> list[str]:
    import asyncio
    from contextlib import aclosing

    from starloom.cli.remote import client, run_named
    from starloom.errors import StarloomError

    try:
        async with asyncio.timeout(_PATIENCE), client(journal) as engine:
            run_id = run_named(await engine.runs(), named)
            async with aclosing(engine.follow(run_id)) as following:
                replica, _ = await anext(following)
                return sorted(replica.view.run.graph.place)
    except (StarloomError, TimeoutError):
        return []
