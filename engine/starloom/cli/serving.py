"""`starloom serve`: an engine without a window, for other programs of the same user, until it is told to end."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

import msgspec

from starloom.cli.fleet_limits import set_limits_unless_chosen
from starloom.cli.job import RunOptions, fleet_and_limits, journal_directory
from starloom.cli.metrics import offered_metrics
from starloom.cli.screen import plain
from starloom.decodable import decodable
from starloom.devices.kinds import make_device
from starloom.errors import SettingsError, StarloomError
from starloom.journal.library import Library
from starloom.journal.records import records
from starloom.model.device import DeviceSpec
from starloom.model.quantities import parse_duration
from starloom.orchestration.closing import first_of
from starloom.orchestration.handover import Handover, resume_handed, take_over
from starloom.orchestration.orchestrator import Orchestrator
from starloom.orchestration.resuming import resume_together
from starloom.scheduling.commands import CloseAdmission
from starloom.server.added_devices import AddedDevices
from starloom.server.feeds import RunFeeds
from starloom.server.listening import EngineServer
from starloom.server.program import program
from starloom.server.server_lock import ServerLock
from starloom.server.starting import READY
from starloom.server.user_unit import advice, write_unit

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from starloom.cli.screen import Screen

_HERE: Final = DeviceSpec(id="local")
"""The device of a server that is given none."""
_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeOptions:
    """The options of `starloom serve` as given.

    Attributes:
        run: those that `starloom run` has too.
        idle_exit: after how long without clients and runs it ends; None: never.
        resume: whether interrupted runs go on in it.
        gives_way: whether it hands its runs over to a console that is opened.
        takes_over: whether another program hands its runs over: it writes them to the standard input and ends.
    """

    run: RunOptions
    idle_exit: str | None = None
    resume: bool = False
    gives_way: bool = False
    takes_over: bool = False


def serve(wanted: ServeOptions, screen: Screen) -> int:
    """Serve an engine until a signal ends it, or it has idled; returns the exit code.

    Raises:
        StarloomError: the folder has a server, or an option or a setting cannot be used.
    """
    return asyncio.run(_serve(wanted, _directory(wanted), _seconds(wanted.idle_exit), screen))


def write_service(wanted: ServeOptions, screen: Screen) -> int:
    """Write a systemd unit that serves with these options, and say how it is started; returns the exit code.

    Raises:
        StarloomError: it cannot be written, or an option cannot be used.
    """
    _seconds(wanted.idle_exit)
    fleet_and_limits(wanted.run)
    environment = {name: os.environ[name] for name in ("PATH", "STARLOOM_SETTINGS") if name in os.environ}
    path = write_unit((*program(), *_arguments(wanted, _directory(wanted))), environment)
    screen.note(f"Written: {plain(str(path))}. Its tasks get the PATH of this shell. Have it run by:")
    for command in advice():
        screen.result(command)
    if len(advice()) > 1:
        screen.note("Without the last command it ends at your logout, and its runs are interrupted.")
    return 0


def _directory(wanted: ServeOptions) -> Path:
    directory = journal_directory(wanted.run)
    if directory is None:
        raise SettingsError("--durability: a server keeps its runs always; use default or full.")
    return directory


def _seconds(text: str | None) -> float | None:
    try:
        return None if text is None else parse_duration(text)
    except ValueError as error:
        raise SettingsError(f"--idle-exit: {error}.") from None


def _arguments(wanted: ServeOptions, directory: Path) -> list[str]:
    """The command line of the options, with absolute paths."""
    run = wanted.run
    given = {
        "--journal": directory.absolute(),
        "--fleet": None if run.fleet is None else run.fleet.absolute(),
        "--max-concurrency": run.max_concurrency,
        "--placement": run.placement,
        "--metrics": run.metrics,
        "--durability": run.durability,
        "--idle-exit": wanted.idle_exit,
    }
    words = [word for name, value in given.items() if value is not None for word in (name, str(value))]
    return ["serve", *words, *(["--resume"] if wanted.resume else []), *(["--give-way"] if wanted.gives_way else [])]


async def _serve(wanted: ServeOptions, directory: Path, idle: float | None, screen: Screen) -> int:
    settings, specs, limits = fleet_and_limits(wanted.run)
    handover = await asyncio.to_thread(_handed_over, screen) if wanted.takes_over else None
    if handover is not None:
        specs = handover.devices
    with ServerLock(directory):
        added = AddedDevices(directory, lambda sentence: screen.note(plain(sentence), "yellow"))
        comes_back = handover is None and any(spec.id == _HERE.id for spec in added.specs)
        if not specs and not comes_back:
            specs = (_HERE,)
        devices = [make_device(spec) for spec in specs]
        with Library(directory, full=wanted.run.durability == "full") as library:
            if library.notice:
                screen.note(library.notice, "yellow")
            feeds = RunFeeds(library)
            async with (
                Orchestrator(devices, settings=settings, journal=library) as orchestrator,
                offered_metrics(orchestrator, settings.metrics_port, screen),
            ):
                await set_limits_unless_chosen(orchestrator, limits, screen)
                if handover is not None:
                    resume = partial(resume_handed, orchestrator, directory)
                    await take_over(handover, resume, partial(_say_refused, screen))
                await _with_added(orchestrator, added, specs, screen, is_new=handover is None)
                if wanted.resume:  # on the devices as they are by now, which may have been changed since
                    await _resume_all(orchestrator, directory, screen)
                async with EngineServer(orchestrator, directory, feeds) as server:
                    screen.note(f"Serving the runs in {directory} at {server.path}; `starloom submit PLAN` adds one.")
                    server.on_devices = partial(added.note_changed, orchestrator.fleet)
                    served = _Served(orchestrator, server, screen)
                    code = await served.until_told(idle, gives_way=wanted.gives_way)
    if served.is_handed_over:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)  # the loop would cancel what runs, which another program looks after from now on
    return code


async def _with_added(
    orchestrator: Orchestrator, added: AddedDevices, given: tuple[DeviceSpec, ...], screen: Screen, *, is_new: bool
) -> None:
    """Bring back what clients had added to earlier servers, unless the fleet was handed over as it is."""
    if not is_new:
        added.note_there(orchestrator.fleet)
    elif back := await added.bring_back(orchestrator.fleet, given):
        screen.note(f"Added to an earlier server, and here again: {plain(', '.join(back))}.")


def _handed_over(screen: Screen) -> Handover:
    """What another program hands over once it has ended; nothing, if it died before it had written all of it."""
    sys.stdout.write(f"{READY}\n")
    sys.stdout.flush()
    try:
        return msgspec.json.decode(sys.stdin.buffer.read(), type=decodable(Handover))
    except msgspec.MsgspecError:
        screen.note("Nothing whole was handed over: the program that wanted to has died. `starloom resume` goes on.")
        return Handover()


def _say_refused(screen: Screen, run_id: str, error: StarloomError) -> None:
    screen.error(f"{plain(run_id)} does not go on: {error}")


class _Served:
    """A served engine, until something ends it.

    Attributes:
        is_handed_over: whether its runs are another program's now.
    """

    def __init__(self, orchestrator: Orchestrator, server: EngineServer, screen: Screen) -> None:
        self._orchestrator, self._server, self._screen = orchestrator, server, screen
        self._handed_over = asyncio.Event()

    @property
    def is_handed_over(self) -> bool:
        return self._handed_over.is_set()

    async def until_told(self, idle: float | None, *, gives_way: bool) -> int:
        """Serve until a signal, idling, a halt or a console that takes over ends it; returns the exit code."""
        orchestrator, screen = self._orchestrator, self._screen
        if gives_way:
            self._server.on_handed_over = self._handed_over.set
        async with _told_to_leave(orchestrator, self._server, screen) as leaving:
            ends = [leaving.wait(), orchestrator.until_halted(), self._handed_over.wait()]
            await first_of(*ends, *([] if idle is None else [self._server.idle(idle)]))
            self._server.on_handed_over = None
            if self.is_handed_over:
                screen.note("A console has taken the runs over.")
                return 0
            if orchestrator.halted is None:
                await orchestrator.shutdown("drain")
        if orchestrator.halted is not None:
            screen.error(f"The engine halted: {orchestrator.halted} What was committed is kept.")
            return 1
        for run_id in orchestrator.pump.scheduler.live:
            screen.note(f"{plain(run_id)} waits for somebody and is kept: `starloom resume {plain(run_id)}` goes on.")
        return 0


@asynccontextmanager
async def _told_to_leave(
    orchestrator: Orchestrator, server: EngineServer, screen: Screen
) -> AsyncIterator[asyncio.Event]:
    """An event that is set when a signal or a client has the server stop; a second signal ends the runs.

    A signal that our parent ignores stays ignored.
    """
    loop, leaving = asyncio.get_running_loop(), asyncio.Event()
    ending: list[asyncio.Task[None]] = []

    async def end() -> None:
        await orchestrator.pump.ask(CloseAdmission(cancel_queued=True, cancel_running=True, origin="shutdown"))

    def signalled() -> None:
        if not leaving.is_set():
            screen.note("Draining: no new runs are taken, and those there are run to their ends. Again, and they end.")
            leaving.set()
        elif not ending:
            screen.note("Ending: the runs are cancelled, and what runs is stopped.", "yellow")
            ending.append(loop.create_task(end(), name="starloom ending"))

    def told(cancel: bool) -> None:
        if not leaving.is_set():
            signalled()
        if cancel and not ending:
            signalled()

    server.on_stop = told
    numbers = [getattr(signal, name) for name in _SIGNALS]
    heard = [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]
    for number in heard:
        loop.add_signal_handler(number, signalled)
    try:
        yield leaving
    finally:
        for number in heard:
            loop.remove_signal_handler(number)
        await asyncio.gather(*ending, return_exceptions=True)


async def _resume_all(orchestrator: Orchestrator, directory: Path, screen: Screen) -> None:
    """Take up all runs whose programs died; what keeps one from going on is said, and keeps no other one from it."""
    found = [one for one in reversed(await asyncio.to_thread(records, directory)) if one.can_resume]
    resumed = await resume_together([partial(orchestrator.resume, one.folder) for one in found])
    for one, came in zip(found, resumed, strict=True):
        if isinstance(came, StarloomError):
            _say_refused(screen, one.run_id, came)
        else:
            screen.note(f"Going on with {plain(one.run_id)}.")
