"""`starloom do`: gives a served engine a command."""

from __future__ import annotations

import asyncio
import json
import sys
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from starloom.cli.command_words import form_of
from starloom.cli.remote import client, run_named
from starloom.cli.screen import plain
from starloom.cli.simulated_takers import AGAIN, takers_of_tasks, warn
from starloom.errors import SettingsError, StarloomError
from starloom.server.reopening import reopen

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom.cli.remote import Server
    from starloom.cli.screen import Screen
    from starloom.server.client import EngineClient

FLEET: Final = "fleet"
"""Named in the place of a run by commands about devices."""


def give(named: str, form: Any, server: Server, name: str | None, screen: Screen) -> int:
    """Give the server a command and print what it answers, if anything; returns the exit code.

    Args:
        named: the run's id or the beginning of it; `fleet`: the command is about devices.
        form: the command as plain JSON.
        server: see `server_at`.
        name: in whose name; None: the login.
        screen: where to print.

    Raises:
        StarloomError: no server runs, there is no such run, or the command is refused.
    """
    return asyncio.run(_give(partial(client, server, name, screen), named, form, screen))


def form_given(words: Sequence[str], file: str | None, **options: str) -> Any:
    """The JSON form of a command that was given as words or in a file, of which there has to be one.

    Args:
        words: the command and what comes after it.
        file: a path, or `-` for stdin; None: it was given as words.
        options: what is said beside it: `note`, `reason` and `duration`, see `form_of`.

    Raises:
        StarloomError: it was given in both ways or in none, or cannot be read.
    """
    if file is None:
        if not words:
            raise SettingsError("There is no command after the run: say what to do, e.g. pause, or give --json -.")
        return form_of(words[0], words[1:], **options)
    if words or any(options.values()):
        raise SettingsError("--json: the command stands there; leave it, or the words and their options, out.")
    from starloom.formats.files import read_file  # here, as a command in words waits for no formats

    text = sys.stdin.buffer.read() if file == "-" else read_file(file)
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"--json: {file} holds no JSON: {error}.") from None


async def _run_named(engine: EngineClient, named: str, form: Any) -> str:
    """The id of the run that a name stands for; one of an earlier server is reopened if tasks of it are to run again.

    Raises:
        StarloomError: there is none, or there are several.
    """
    runs = await engine.runs()
    try:
        return run_named(runs, named)
    except StarloomError:
        is_again = isinstance(form, dict) and not AGAIN.isdisjoint(form)
        if not is_again or not engine.welcome.reopens or any(one.run_id.startswith(named) for one in runs):
            raise
    await reopen(engine, named)
    return named


async def _give(connect: Callable[[], EngineClient], named: str, form: Any, screen: Screen) -> int:
    async with connect() as engine:
        run_id = "" if named == FLEET else await _run_named(engine, named, form)
        if run_id:
            warn(await takers_of_tasks(connect, run_id, form), "what runs again", screen)
        answer = await engine.command(run_id, form)
    if answer is not None:
        screen.result(plain(f"revision {answer}" if isinstance(answer, int) else answer))
    return 0
