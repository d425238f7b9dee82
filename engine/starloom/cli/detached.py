"""`starloom run --detach`: a run in an engine that outlives this terminal, which is started if there is none."""

from __future__ import annotations

import asyncio
from dataclasses import fields
from typing import TYPE_CHECKING, Final

from starloom.cli.changes import changed_plan
from starloom.cli.job import RunOptions, journal_directory
from starloom.cli.remote import client
from starloom.cli.submitting import submit
from starloom.errors import SettingsError
from starloom.formats import load_plan
from starloom.formats.files import named_after
from starloom.server.links import NoServerError
from starloom.server.server_lock import is_served
from starloom.server.starting import IDLE_EXIT, LOOK_EVERY, PATIENCE, not_up, start_server
from starloom.settings import journal_path

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

    from starloom.cli.screen import Screen

_TAKEN: Final = frozenset({"changes", "journal", "detach"})
"""The options of `starloom run` that are the run's, and not the engine's."""
_FLAGS: Final = {"agents": "agent", "as_json": "json"}


def run_detached(path: Path, wanted: RunOptions, screen: Screen) -> int:
    """Have a served engine run the plan in a file, and print the id of its run; returns the exit code.

    Raises:
        StarloomError: the plan or an option cannot be used, no server can be started, or it refuses the plan.
    """
    for field in fields(RunOptions):
        if field.name not in _TAKEN and getattr(wanted, field.name) != field.default:
            flag = _FLAGS.get(field.name, field.name.replace("_", "-"))
            raise SettingsError(
                f"--{flag}: this does not go with --detach. What is about the engine is given to `starloom serve`."
            )
    plan = changed_plan(named_after(load_plan(path), path), wanted.changes)
    directory = journal_directory(wanted) or journal_path()
    asyncio.run(_served(directory, screen))
    return submit(plan, directory, None, screen)


async def _served(directory: Path, screen: Screen) -> None:
    """Return once a server runs for a folder of journals; start one if there is none."""
    server: subprocess.Popen[bytes] | None = None
    deadline = asyncio.get_running_loop().time() + PATIENCE
    while True:
        try:
            async with client(directory):
                return
        except NoServerError:
            if server is None:
                server = start_server(directory)
                screen.note(
                    f"A server was started for the runs in {directory}, process {server.pid}. It ends {IDLE_EXIT} "
                    "after nothing runs and nobody is connected any more, or when a console takes its runs over."
                )
        # Another program may have started one at the same time: then ours has ended, and that one is waited for.
        has_failed = server.poll() is not None and not is_served(directory)
        if has_failed or asyncio.get_running_loop().time() > deadline:
            raise not_up(directory)
        await asyncio.sleep(LOOK_EVERY)
