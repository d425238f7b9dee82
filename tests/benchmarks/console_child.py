"""A console in a process of its own: `console_child.py start|idle|open|run|headless …`. Prints JSON.

`start TIME` says how long it took from that time, in seconds since 1970, until the welcome page was painted.
`idle SECONDS` runs a small plan to its end and then does nothing: CPU seconds, and how often anything was painted.
`open TASKS` opens the file of a plan of so many tasks: seconds until its graph was painted, and the longest stop of the
loop until everything had settled. `run TASKS SECONDS SLOTS` runs so many tasks that take so long each on one simulated
device, with the panes that are in front at first: how long that took, the intervals between frames while there was
something to show, and the processor time of Qt's thread in each. `headless` does the same without a console.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimerEvent
from typing_extensions import override

from starloom.orchestration.bus import MAX_PENDING

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

if TYPE_CHECKING:
    from starloom.model.plan import Plan
    from starloom_gui.composition.console import Console

TICK: Final = 0.002
TICK_MS: Final = 2
SETTLED: Final = 2.0


def main(arguments: list[str]) -> dict[str, Any]:
    """Do what the arguments say."""
    what, *figures = arguments
    with tempfile.TemporaryDirectory() as folder:
        os.environ["STARLOOM_JOURNAL"] = str(Path(folder) / "journal")
        if what == "headless":
            return asyncio.run(headless(wanted(*map(float, figures))))
        return in_console(what, [float(one) for one in figures], Path(folder))


def in_console(what: str, figures: list[float], folder: Path) -> dict[str, Any]:
    """Open a console and do something in it."""
    from starloom_gui import event_loop, first_sight
    from starloom_gui.settings import Settings
    from starloom_gui.shell.frame import WindowFrame

    async def scenario() -> dict[str, Any]:
        frame = WindowFrame(application, Settings(folder / "console.ini"))
        await frame.shown()
        begun = figures[0] if what == "start" else time.time()
        shown = time.time() - begun
        from starloom_gui import app
        from starloom_gui.event_loop.garbage_collection import calm_collector

        async with app.opened(frame) as console:
            calm_collector()  # as `app.live` has it
            done: dict[str, Any] = {"shown": shown, "ready": time.time() - begun}
            painted = Painted(console)
            if what == "idle":
                done |= await idle(console, painted, figures[0])
            elif what == "open":
                done |= await open_plan(console, folder, int(figures[0]))
            elif what == "run":
                done |= await run(console, painted, wanted(*figures))
            console.window.asks_before_closing = False
            console.window.close()
            return done

    application = first_sight.new_application()
    return event_loop.run(scenario())


class Painted(QObject):
    """When anything of the window was painted, and how long that was waited for; in seconds.

    Attributes:
        at: when.
        intervals: from each picture to the next, without the time before the first event that the last one did not
            show: while nothing happens, nothing is to be painted.
        busy: the processor time of Qt's thread from each picture to the next.
    """

    def __init__(self, console: Console) -> None:
        super().__init__(console.window)
        self._bridge = console.bridge
        self._waits_since: float | None = None
        self.clear()
        console.engine.subscribe(self._note, max_pending=MAX_PENDING)
        console.window.installEventFilter(self)

    def clear(self) -> None:
        """Forget what was painted."""
        self.at, self.intervals, self.busy = list[float](), list[float](), list[float]()
        self._cpu = time.thread_time()

    def _note(self, _event: object) -> None:
        if self._waits_since is None and self._bridge.behind:  # it has been told before
            self._waits_since = time.perf_counter()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.UpdateRequest:
            now, cpu = time.perf_counter(), time.thread_time()
            if self.at:
                self.busy.append(cpu - self._cpu)
                if self._waits_since is not None:
                    self.intervals.append(now - max(self.at[-1], self._waits_since))
            self.at.append(now)
            self._cpu = cpu
            if not self._bridge.behind:
                self._waits_since = None
        return False


def wanted(tasks: float, seconds: float, slots: float) -> Plan:
    """A layered plan of so many tasks that take so long each, on a device of so many slots."""
    from starloom.model.device import DeviceSpec
    from starloom.model.task import Simulate
    from starloom.testing import layered

    width = min(100, int(tasks))
    plan = layered(int(tasks) // width, width)
    long = Simulate(duration=seconds)
    steps = tuple(replace(one, call=None, simulate=long) for one in plan.tasks)
    return replace(plan, tasks=steps, devices=(DeviceSpec(id="d", kind="simulated", slots=int(slots)),))


async def open_plan(console: Console, folder: Path, tasks: int) -> dict[str, Any]:
    """Open a large plan from its file, as users do."""
    from tests.montage import montage
    from tests.waiting import until

    from starloom.formats import save_plan

    path = folder / "montage.json"
    save_plan(montage(tasks), path)
    await asyncio.sleep(1.0)
    watch = StopWatch()
    begun = time.perf_counter()
    console.files.opening.open(path)
    await until(lambda: (view := console.views.front) is not None and view.canvas.graph.picture is not None, every=TICK)
    view = console.views.front
    assert view is not None
    assert view.canvas.graph.picture is not None
    view.canvas.viewport().repaint()
    took = time.perf_counter() - begun
    await asyncio.sleep(SETTLED)
    watch.deleteLater()
    return {"took": took, "stop": watch.longest, "nodes": len(view.canvas.graph.picture)}


class StopWatch(QObject):
    """How long the window was stopped at longest: Qt handled no event for that many seconds."""

    def __init__(self) -> None:
        super().__init__()
        self.longest, self._before = 0.0, time.perf_counter()
        self.startTimer(TICK_MS, Qt.TimerType.PreciseTimer)

    @override
    def timerEvent(self, event: QTimerEvent) -> None:
        now = time.perf_counter()
        self.longest = max(self.longest, now - self._before - TICK)
        self._before = now


async def run(console: Console, painted: Painted, plan: Plan) -> dict[str, Any]:
    """Run a plan in the console, to its end."""
    began = time.perf_counter()
    from starloom_gui.gateway.local_engine import LocalEngine

    assert isinstance(console.engine, LocalEngine)
    started = await console.engine.orchestrator.start(plan, paused=True)
    console.documents.put_run(started.id)
    painted.clear()
    begun = time.perf_counter()
    await started.start()
    await started.finished()
    took = time.perf_counter() - begun
    return {"took": took, "opened": begun - began, "frames": painted.intervals, "busy": painted.busy}


async def headless(plan: Plan) -> dict[str, Any]:
    """Run it in an engine alone, with a journal as the console's has."""
    from starloom.journal.library import Library
    from starloom.orchestration.orchestrator import Orchestrator
    from starloom.settings import journal_path

    with Library(journal_path()) as library:
        async with Orchestrator(journal=library) as engine:
            started = await engine.start(plan, paused=True)
            begun = time.perf_counter()
            await started.start()
            await started.finished()
            return {"took": time.perf_counter() - begun}


async def idle(console: Console, painted: Painted, seconds: float) -> dict[str, Any]:
    """Do nothing after a run has ended."""
    await run(console, painted, wanted(100, 0.001, 8))
    await asyncio.sleep(2.0)
    painted.clear()
    cpu, begun = time.process_time(), time.perf_counter()
    await asyncio.sleep(seconds)
    return {"cpu": time.process_time() - cpu, "seconds": time.perf_counter() - begun, "painted": len(painted.at)}


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    print(json.dumps(main(sys.argv[1:])))  # noqa: T201
