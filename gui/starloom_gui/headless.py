"""Runs the demo without a display in the real window, and stores a picture and a summary."""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from starloom.cli.narration import Narrator
from starloom.cli.report import summary_lines
from starloom.cli.screen import Screen
from starloom.model.status import RunState
from starloom.scheduling.read.summary import RunSummary
from starloom_gui import event_loop
from starloom_gui.app import opened
from starloom_gui.displays import PLATFORM
from starloom_gui.first_sight import new_application
from starloom_gui.gateway.bridge import FRAME
from starloom_gui.settings import Settings
from starloom_gui.shell.frame import WindowFrame
from starloom_gui.widgets.view_stack import all_made

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QApplication

    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.composition.console import Console
    from starloom_gui.gateway.changes import Changes

PICTURE: Final = "starloom-demo.png"
_BAD_INPUT: Final = 2
PATIENCE: Final = 900.0
"""Seconds; it takes one minute where nothing else goes on."""


def main(arguments: Sequence[str]) -> int:
    """Report that there is no display and run the demo without one; returns the exit code of its run.

    Args:
        arguments: those of `starloom console`; files cannot be opened and are refused.
    """
    screen = Screen()
    if any(not word.startswith("-") or word.startswith(("--fleet", "--attach")) for word in arguments):
        screen.error(
            "There is no display to open these files on (neither DISPLAY nor WAYLAND_DISPLAY is set). "
            "`starloom run PLAN` runs a plan without one."
        )
        return _BAD_INPUT
    screen.note(
        "There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set), so the demo runs without a window, for "
        f"about a minute. A picture of the window is left in {PICTURE}. Ctrl-C ends it."
    )
    os.environ[PLATFORM] = "offscreen"  # read when the application is made
    return event_loop.run(run_demo(new_application(), screen))


async def run_demo(application: QApplication, screen: Screen, patience: float = PATIENCE) -> int:
    """Run the demo in its own window and report the outcome; returns the exit code of its run.

    Args:
        application: Qt's.
        screen: where to tell what happens.
        patience: seconds after which it is given up: nobody is there who could do anything about it.
    """
    async with opened(WindowFrame(application, Settings())) as console:
        console.appearance.reduced_motion = True  # a picture of a fade shows neither what was nor what is
        console.window.show()
        console.starter.run_demo()
        try:
            async with asyncio.timeout(patience):
                run = await RunFollower(console, screen).wait()
        except TimeoutError:
            screen.error(f"The demo has not ended within {patience:g} seconds, so it is given up.")
            return 1
        await told(console)
        picture = save_picture(console)
        for text, style in summary_lines(RunSummary(run, console.bridge.now()), run):
            screen.result(text, style)
        screen.result(f"  picture       {picture}")
    return 0 if run.state is RunState.COMPLETED else 1


class RunFollower:
    """Waits for the end of the console's run and meanwhile reports its events, as `starloom demo` does."""

    def __init__(self, console: Console, screen: Screen) -> None:
        self._bridge = console.bridge
        self._narrator = Narrator(screen, tells_all=True)
        self._told = console.bridge.log.end
        self._has_ended = asyncio.Event()
        self._feed = console.bridge.feed(parent=console)
        self._feed.changed.connect(self._take)

    async def wait(self) -> RunFacts:
        """The facts of the run once it has ended."""
        await self._has_ended.wait()
        self._feed.close()
        return self._narrator.run

    def _take(self, _changes: Changes) -> None:
        run = self._bridge.run(self._bridge.runs[-1]) if self._bridge.runs else None
        if run is None:
            return
        self._narrator.run = run
        self._narrator.tell_all(event for _, event in self._bridge.log.since(self._told))
        self._told = self._bridge.log.end
        if run.state.has_ended:
            self._has_ended.set()


async def told(console: Console) -> None:
    """Return once every view has been notified of everything, and graph and minimap are drawn."""
    while not (is_told(console) and _has_map(console)):  # noqa: ASYNC110 - as said there
        await asyncio.sleep(FRAME)


def is_told(console: Console) -> bool:
    """Whether the window shows all events; polled, as no view needs such a signal."""
    view = console.views.front
    return all_made() and console.bridge.is_resting and (view is None or view.drawing.is_up_to_date)


def _has_map(console: Console) -> bool:
    view = console.views.front
    return view is None or view.canvas.controls.minimap.is_up_to_date


def save_picture(console: Console, folder: Path | None = None) -> Path:
    """Save a picture of the window here, or in the temporary folder if that is not writable."""
    picture = console.window.grab()
    for place in (folder or Path.cwd(), Path(tempfile.gettempdir())):
        path = place / PICTURE
        if picture.save(str(path), "PNG"):
            return path
    raise OSError(f"The picture {PICTURE} could not be written, neither here nor among the temporary files.")
