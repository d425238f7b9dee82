"""The command line as a remote control of a served engine: `ps`, `submit`, `stop`, `do` and `watch`."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import sys
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Final

from msgspec import structs

from starloom.cli.command_words import form_of
from starloom.cli.narration import Narrator
from starloom.cli.report import json_text, summary_lines
from starloom.cli.screen import plain
from starloom.errors import SettingsError, StarloomError
from starloom.formats import load_plan
from starloom.formats.files import named_after, read_file
from starloom.model.quantities import format_duration
from starloom.model.status import RunState
from starloom.scheduling.read.summary import RunSummary, elapsed
from starloom.server.client import EngineClient
from starloom.server.connecting import login
from starloom.server.links import ProgramLink, ssh_link
from starloom.settings import journal_path

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from starloom.cli.screen import Screen
    from starloom.model.plan import Plan
    from starloom.server.links import ServerLink
    from starloom.server.listings import ListedReservation, ListedRun

    Server = Path | ServerLink | None

FLEET: Final = "fleet"
"""Named in the place of a run by commands about devices."""
_SHOW_EVERY: Final = 0.1
"""Seconds between two pictures of the progress on a terminal."""
_PATHS: Final = 5
"""Paths that are named; more are counted."""
_REASONS: Final = 3
"""Reasons why nothing can start that are told in a line."""
_SAY_EVERY: Final = 30.0
"""Seconds between two lines about the progress elsewhere."""
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
    told["waiting for a person"] = one.waits
    others = "".join(f", {count} {name}" for name, count in told.items() if count)
    others += f", {_stalled(one.stalled)}" if one.stalled else ""
    return f"{one.state.replace('_', ' '):16}  {one.done} of {one.total} tasks done{others}  {plain(one.name)}"


def _stalled(reasons: Sequence[str]) -> str:
    """That nothing can start, and why, as far as a line has room."""
    more = f" (and {len(reasons) - _REASONS} more)" if len(reasons) > _REASONS else ""
    return f"nothing can start: {plain('; '.join(reasons[:_REASONS]))}{more}"


def _plain(made: ListedReservation | None) -> dict[str, Any] | None:
    return None if made is None else structs.asdict(made)


# ---- submit


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
    return screen.result(plain(run_id))


def _relative_paths(plan: Plan) -> list[str]:
    """The paths of a plan's tasks that mean other files in another folder."""
    named = (
        path
        for task in plan.tasks
        for path in (task.cwd, *(one.source for one in task.files.send), *(one.target for one in task.files.fetch))
        if path is not None
    )
    return [path for path in dict.fromkeys(named) if not path.startswith(("/", "~", "${"))]


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


# ---- do


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
    return asyncio.run(_give(client(server, name, screen), named, form, screen))


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
    text = sys.stdin.buffer.read() if file == "-" else read_file(file)
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"--json: {file} holds no JSON: {error}.") from None


async def _give(engine: EngineClient, named: str, form: Any, screen: Screen) -> int:
    async with engine:
        run_id = "" if named == FLEET else run_named(await engine.runs(), named)
        answer = await engine.command(run_id, form)
    if answer is not None:
        screen.result(plain(f"revision {answer}" if isinstance(answer, int) else answer))
    return 0


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


# ---- watch


def watch(named: str, server: Server, name: str | None, screen: Screen, *, as_json: bool) -> int:
    """Tell what happens in a run until it has ended; returns 0 if it completed, else 1.

    Raises:
        StarloomError: no server runs, there is no such run, or the server ends meanwhile.
    """
    return asyncio.run(_watch(client(server, name, screen), named, screen, as_json=as_json))


async def _watch(engine: EngineClient, named: str, screen: Screen, *, as_json: bool) -> int:
    narrator, stalled = Narrator(screen, tells_all=True), tuple[str, ...]()
    showing: asyncio.Task[None] | None = None
    async with engine:
        run_id = run_named(await engine.runs(), named)
        async with aclosing(engine.follow(run_id)) as following:
            try:
                async for replica, events in following:
                    run = narrator.run = replica.view.run
                    if showing is None:
                        screen.note(
                            plain(f"{run_id}: {str(run.state).replace('_', ' ')}, {_progress(engine, narrator)}")
                        )
                        showing = asyncio.create_task(_keep_showing(engine, narrator, screen), name="starloom progress")
                    narrator.tell_all(events)
                    if run.stalled and run.stalled != stalled:
                        screen.note(f"{'waits':9} {_stalled(run.stalled)}", "yellow")
                    stalled = run.stalled
                    if run.state.has_ended:
                        break
            finally:
                if showing is not None:
                    showing.cancel()
                    await asyncio.gather(showing, return_exceptions=True)
        now = engine.now()
    screen.close()
    summary = RunSummary(run, now)
    if as_json:
        screen.result(json_text(summary))
    else:
        for text, style in summary_lines(summary, run):
            screen.result(text, style)
    return 0 if summary.state is RunState.COMPLETED else 1


def _progress(engine: EngineClient, narrator: Narrator) -> str:
    return narrator.progress(narrator.run.counts(), elapsed(narrator.run, engine.now()) or 0.0)


async def _keep_showing(engine: EngineClient, narrator: Narrator, screen: Screen) -> None:
    while True:
        if screen.shows_progress:
            narrator.show(narrator.run.counts(), elapsed(narrator.run, engine.now()) or 0.0)
            await asyncio.sleep(_SHOW_EVERY)
        else:
            await asyncio.sleep(_SAY_EVERY)
            screen.note(_progress(engine, narrator))
