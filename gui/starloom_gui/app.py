"""The console as a program: opened over an engine of its own, until its window is closed."""

from __future__ import annotations

import os
import sys
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

import numpy.ma  # noqa: F401 - the first call of `np.unique` imports it, which would stop the window for 50 ms
from PySide6.QtCore import QObject
from shiboken6 import isValid

from starloom.errors import StarloomError
from starloom_gui.canvas import accessible
from starloom_gui.composition.console import Console
from starloom_gui.composition.runs_elsewhere import RunsElsewhere
from starloom_gui.event_loop import BackgroundTasks
from starloom_gui.event_loop.garbage_collection import calm_collector
from starloom_gui.gateway.attaching import attached_engine
from starloom_gui.gateway.local_engine import LocalEngine
from starloom_gui.gateway.own_engine import own_engine
from starloom_gui.shell.layout_autosave import LayoutAutosave
from starloom_gui.text.engine_words import why_not
from starloom_gui.text.words import fill, translate
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncIterator, Callable, Sequence

    from starloom_gui.attachment import Attachment
    from starloom_gui.gateway.remote_engine import RemoteEngine
    from starloom_gui.shell.frame import WindowFrame
    from starloom_gui.shell.program_window import ProgramWindow
    from starloom_gui.widgets.message_bar import MessageBar


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
            told = ErrorMessage("", own.notice) if own.notice else None
            if told is not None:
                console.strip.show_trouble(told)
            console.files.resuming.expect(one.run_id for one in own.handover.runs)
            console.starter.take_over(own.handover)
            if own.server is not None:
                own.server.on_submitted = console.files.without_tab.tell_submitted
                own.server.on_people = console.window.status.people.show_people
                own.server.on_taken_over = partial(_tell_taken_over, console.strip, told)
            yield console
        finally:
            if own.server is not None:  # clients leave after the window has gone
                own.server.on_people, own.server.on_taken_over = lambda _: None, lambda: None
            await console.close()


def _tell_taken_over(strip: MessageBar, told: ErrorMessage | None) -> None:
    """Say that the other console, of which was told, has gone."""
    if told is not None:
        strip.withdraw(told)
    words = translate(
        "Console",
        "The other Starloom has ended. `starloom ps` and other programs reach the runs of this one from now on. What is"
        " set here of devices and limits still holds until this program ends.",
    )
    strip.show_trouble(ErrorMessage("", words, is_notice=True))


class ServerConsoles(QObject):
    """Shows engines of servers in the window of the program, each on a page of its own, until that is closed.

    Args:
        window: of the program.
        new_frame: makes a page for the engine at an address.

    Attributes:
        consoles: those that are shown.
    """

    def __init__(self, window: ProgramWindow, new_frame: Callable[[str], WindowFrame]) -> None:
        super().__init__(window)
        self._window, self._new_frame = window, new_frame
        self._reaching: dict[Attachment, asyncio.Task[None]] = {}
        self.consoles: dict[Attachment, Console] = {}
        self.background_tasks = BackgroundTasks("console: engines of servers")
        window.emptied.connect(self._give_up)

    def show(self, attachment: Attachment, strip: MessageBar, *, in_front: bool = True) -> None:
        """Show the page of a server's engine, once that is reached.

        Args:
            attachment: which server, and who attaches.
            strip: says what goes on, and what went wrong.
            in_front: whether to turn to the page; else what is typed meanwhile stays where it is typed.
        """
        if attachment in self.consoles:
            self._window.show_page(self.consoles[attachment].window)
        elif attachment not in self._reaching:
            self._reaching[attachment] = self.background_tasks.begin(self._show(attachment, strip, in_front=in_front))

    def _give_up(self) -> None:
        """Reach for no server any more, as there is no window for it."""
        for task in self._reaching.values():
            task.cancel()

    async def _show(self, attachment: Attachment, strip: MessageBar, *, in_front: bool) -> None:
        waiting = ErrorMessage("", fill(self.tr("Connecting to %1…"), attachment.address), is_notice=True)
        strip.show_trouble(waiting)
        try:
            async with attached_engine(attachment) as engine:
                if isValid(strip):  # its page may have been closed meanwhile
                    strip.withdraw(waiting)
                del self._reaching[attachment]
                frame = self._new_frame(attachment.address)
                self._window.add(frame.window, is_own=False)
                async with attached(frame, engine) as console:
                    if in_front:
                        self._window.show_page(frame.window)
                    frame.window.restore_layout()
                    await self.run_until_closed(frame, console, attachment)
        except StarloomError as error:
            if isValid(strip):
                strip.withdraw(waiting)
                strip.show_trouble(ErrorMessage(fill(self.tr("%1 is not shown"), attachment.address), why_not(error)))
        finally:
            self._reaching.pop(attachment, None)

    async def run_until_closed(
        self, frame: WindowFrame, console: Console, attachment: Attachment, files: Sequence[str] = ()
    ) -> None:
        """Have a console over a server's engine among those that are shown; returns once it is closed."""
        tip = fill(self.tr("The engine of a server: %1. Its runs go on when it is shown no more."), attachment.address)
        self._window.say(frame.window, console.engine.where, tip)
        self._wire(frame, console)
        console.running_plans.begin()
        console.examples.begin()
        console.files.last_tabs.begin(files)
        self.consoles[attachment] = console
        await console.closed()
        del self.consoles[attachment]

    def wire_own(self, frame: WindowFrame, console: Console) -> None:
        """Have the console over the program's own engine among the others."""
        tip = self.tr("The engine of this program. You are asked about its runs before the window is closed.")
        self._window.say(frame.window, self.tr("Own engine"), tip)
        self._wire(frame, console)

    def _wire(self, frame: WindowFrame, console: Console) -> None:
        LayoutAutosave(frame.window).begin()
        frame.engine_asked.connect(lambda wanted: self.show(wanted, console.strip))
        notices = console.notifications.notices
        notices.changed.connect(lambda: self._window.show_unread(frame.window, notices.unseen))


async def live_attached(
    frame: WindowFrame, attachments: Sequence[Attachment], others: ServerConsoles, files: Sequence[str] = ()
) -> None:
    """Show a console over the engine of each of these servers in a window, until that is closed.

    Args:
        frame: the page of the first.
        attachments: which servers, and who attaches; there is one at least.
        others: shows the engines of the others, and what is connected to later; all of them are waited for.
        files: to open at once.

    Raises:
        StarloomError: the first of them is not reached.
    """
    accessible.install()
    async with attached_engine(attachments[0]) as engine, attached(frame, engine) as console:
        calm_collector()
        for other in attachments[1:]:
            others.show(other, console.strip, in_front=False)
        await others.run_until_closed(frame, console, attachments[0], files)
    await others.background_tasks.settled()


async def live(
    frame: WindowFrame, others: ServerConsoles, *, files: Sequence[str] = (), fleet: str = "", demo: bool = False
) -> None:
    """Show a console over an engine of its own in a window, until that is closed.

    Args:
        frame: the page of that.
        others: shows engines of servers in the same window; they are waited for.
        files: to open at once.
        fleet: the fleet file to begin with; empty: the one that was opened or saved last.
        demo: whether to run the demo at once.

    Raises:
        SettingsError: the engine's settings cannot be used.
    """
    accessible.install()
    async with opened(frame) as console:
        calm_collector()
        others.wire_own(frame, console)
        console.carried_over.tell()
        console.running_plans.begin()
        console.examples.begin()
        console.window_actions.controllers.fleet.begin(fleet)
        console.files.begin(files)
        if demo:
            console.starter.run_demo()
        await console.closed()
    await others.background_tasks.settled()
    if console.files.leaving.hands_over:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)  # the loop would cancel what runs, which another program looks after from now on
