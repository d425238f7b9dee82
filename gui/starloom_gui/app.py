"""The console as a program: opened over an engine of its own, until its window is closed."""

from __future__ import annotations

import os
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import numpy.ma  # noqa: F401 - the first call of `np.unique` imports it, which would stop the window for 50 ms

from starloom_gui.canvas import accessible
from starloom_gui.composition.console import Console
from starloom_gui.composition.runs_elsewhere import RunsElsewhere
from starloom_gui.event_loop.garbage_collection import calm_collector
from starloom_gui.gateway.attaching import attached_engine
from starloom_gui.gateway.local_engine import LocalEngine
from starloom_gui.gateway.own_engine import own_engine
from starloom_gui.shell.layout_autosave import LayoutAutosave
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from starloom_gui.attachment import Attachment
    from starloom_gui.gateway.remote_engine import RemoteEngine
    from starloom_gui.shell.frame import WindowFrame


@asynccontextmanager
async def attached(frame: WindowFrame, engine: RemoteEngine) -> AsyncIterator[Console]:
    """Open a console over an engine elsewhere, with a tab for each run that goes on; the engine goes on afterwards."""
    frame.window.show_engine(engine.where, watches=engine.watches)
    console = Console(frame, engine)
    try:
        for run_id in engine.live:
            run = engine.facts(run_id)
            console.documents.put_run(run_id, None, run.name if run is not None else "")
        engine.follower.people_changed.connect(console.window.status.people.show_people)
        console.window.status.people.show_people(engine.follower.people)
        files = console.files
        RunsElsewhere(
            engine,
            console.documents,
            console.recorded,
            files.without_tab,
            console.strip,
            console.views.unset,
            console,
        )
        yield console
    finally:
        await console.close()


@asynccontextmanager
async def opened(frame: WindowFrame) -> AsyncIterator[Console]:
    """Open a console with its own engine; everything is closed afterwards.

    Raises:
        SettingsError: the engine's settings cannot be used.
    """
    async with own_engine() as own:
        console = Console(frame, LocalEngine(own.engine))
        try:
            console.window.status.show_metrics(own.metrics)
            if own.notice:
                console.strip.show_trouble(ErrorMessage("", own.notice))
            console.files.resuming.expect(one.run_id for one in own.handover.runs)
            console.starter.take_over(own.handover)
            if own.server is not None:
                own.server.on_submitted = console.files.without_tab.tell_submitted
                own.server.on_people = console.window.status.people.show_people
            yield console
        finally:
            if own.server is not None:
                own.server.on_people = lambda _: None  # clients leave after the window has gone
            await console.close()


async def live_attached(frame: WindowFrame, attachment: Attachment, files: Sequence[str] = ()) -> None:
    """Show a console over the engine of a server in a window, until that is closed.

    Args:
        frame: the window.
        attachment: which server, and who attaches.
        files: to open at once.

    Raises:
        StarloomError: none is reached there.
    """
    accessible.install()
    async with attached_engine(attachment) as engine, attached(frame, engine) as console:
        calm_collector()
        LayoutAutosave(frame.window).begin()
        console.running_plans.begin()
        console.examples.begin()
        console.files.last_tabs.begin(files)
        await console.closed()


async def live(frame: WindowFrame, *, files: Sequence[str] = (), fleet: str = "", demo: bool = False) -> None:
    """Show a console in a window, until that is closed.

    Args:
        frame: the window.
        files: to open at once.
        fleet: the fleet file to begin with; empty: the one that was opened or saved last.
        demo: whether to run the demo at once.

    Raises:
        SettingsError: the engine's settings cannot be used.
    """
    accessible.install()
    async with opened(frame) as console:
        calm_collector()
        LayoutAutosave(frame.window).begin()
        console.carried_over.tell()
        console.running_plans.begin()
        console.examples.begin()
        console.window_actions.controllers.fleet.begin(fleet)
        console.files.begin(files)
        if demo:
            console.starter.run_demo()
        await console.closed()
    if console.files.leaving.hands_over:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)  # the loop would cancel what runs, which another program looks after from now on
