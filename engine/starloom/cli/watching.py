"""`starloom watch`: tells what happens in a run of a served engine until it has ended."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING, Final

from starloom.cli.narration import Narrator
from starloom.cli.remote import client, run_named, stalled_words
from starloom.cli.report import json_text, summary_lines
from starloom.cli.screen import plain
from starloom.model.status import RunState
from starloom.scheduling.read.summary import RunSummary, elapsed

if TYPE_CHECKING:
    from starloom.cli.remote import Server
    from starloom.cli.screen import Screen
    from starloom.server.client import EngineClient

_SHOW_EVERY: Final = 0.1
"""Seconds between two pictures of the progress on a terminal."""
_SAY_EVERY: Final = 30.0
"""Seconds between two lines about the progress elsewhere."""


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
                        screen.note(f"{'waits':9} {stalled_words(run.stalled)}", "yellow")
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
