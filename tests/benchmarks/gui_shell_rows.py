"""The window: made and shown with its welcome page, its header painted anew, and asking what is possible now."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication, QWidget
from tests.benchmarks.measuring import Row, interleaved, row
from tests.driver import plan, task
from tests.virtual_time import engine, run

from starloom.devices.simulated import SimulatedDevice
from starloom.model.status import RunState
from starloom_gui.gateway.commands import Commands
from starloom_gui.gateway.local_engine import LocalEngine
from starloom_gui.settings import Settings
from starloom_gui.shell.main_window import MainWindow, Rooms
from starloom_gui.shell.run_header import RunHeader
from starloom_gui.specs.action_spec import Target
from starloom_gui.theme.appearance import Appearance, Theme
from starloom_gui.viewmodel.figures import Figures
from starloom_gui.widgets.actions import MOST_ASKED, Actions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.benchmarks.workloads import Sizes

MILLI: Final = 1e3


def shell(sizes: Sizes) -> Iterator[Row]:
    """All rows of the window."""
    application = QApplication.instance() or QApplication(["starloom"])
    assert isinstance(application, QApplication)
    application.setQuitOnLastWindowClosed(False)
    appearance = Appearance(application, Theme.LIGHT, reduced_motion=True)
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(Path(folder) / "console.ini")
        (taken,) = interleaved(sizes.rounds, lambda: _milliseconds(lambda: _welcome(application, appearance, settings)))
        note = "without imports, with empty rooms; until the first picture is painted"
        yield row("shell", "window made and shown with its welcome page", "ms", taken, note=note)
    (taken,) = interleaved(sizes.rounds, _repainting(appearance))
    yield row("shell", "run header painted anew", "ms", taken, note="1,200 wide, into a pixmap")
    asked = _asking(appearance, sizes.rounds)
    yield row("shell", f"what is possible now of {MOST_ASKED:,} selected tasks", "ms", asked, note="all verbs")


def _milliseconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return (time.perf_counter() - begun) * MILLI


def _welcome(application: QApplication, appearance: Appearance, settings: Settings) -> None:
    window = MainWindow(Actions(appearance, Target), appearance, settings, Rooms(QWidget()))
    window.restore_layout()
    window.show_welcome()
    window.show()
    application.processEvents()
    window.hide()
    window.deleteLater()


def _repainting(appearance: Appearance) -> Callable[[], float]:
    header = RunHeader(appearance)
    header.resize(1_200, 32)
    header.show()
    elapsed = iter(range(1_000_000))

    def repaint() -> float:
        counts = (900, 20, 40, 9_000, 3, 2, 1, 0, 0)
        header.line.show_figures(Figures(state=RunState.EXECUTING, counts=counts, elapsed=next(elapsed)))
        return _milliseconds(header.grab)

    return repaint


def _asking(appearance: Appearance, rounds: int) -> list[float]:
    async def main() -> list[float]:
        async with engine(SimulatedDevice("d")) as orchestrator:
            ids = tuple(f"t{number}" for number in range(MOST_ASKED))
            await orchestrator.start(plan([task(name) for name in ids]), run_id="r", paused=True)
            commands = Commands(LocalEngine(orchestrator))
            actions = Actions(appearance, lambda: Target("r", ids, "d"), lambda: commands)
            return [_milliseconds(actions.refresh) for _ in range(rounds)]

    return run(main())
