"""Draws every view of the console in both themes, while the demo runs. `make screenshots` runs it.

The real window is driven, on a display that nobody sees if Xvfb is installed, else off screen. The moments are waited
for: the first pictures are of a board that has just failed and is to be tried again, the last of a run that has ended.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication
from virtual_screen import has_virtual_screen, virtual_screen

from starloom import events as ev
from starloom.agents.rules import RuleAgent
from starloom.constellation.edits import ALL_KINDS
from starloom.formats.rules import read_rules
from starloom.model.status import Fence
from starloom_gui import event_loop
from starloom_gui.app import opened
from starloom_gui.gateway.local_engine import LocalEngine
from starloom_gui.headless import told
from starloom_gui.settings import Settings
from starloom_gui.shell.frame import WindowFrame
from starloom_gui.shell.perspectives import ORDER, Perspective
from starloom_gui.text import translations
from starloom_gui.theme.appearance import Theme
from starloom_gui.widgets.offers import LookAtAgents

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starloom.orchestration.run import Run
    from starloom_gui.composition.console import Console
    from starloom_gui.gateway.changes import Changes

THEMES: Final = (Theme.LIGHT, Theme.DARK)
FRAMES: Final = 0.2
"""Seconds in which a view that came into sight has been told and has painted."""
TURNS: Final = 10
"""Of the loop within that time, however slow they are."""
PROPOSING: Final = [
    {
        "name": "watch sizes",
        "on": {"task": "compile-*", "status": "completed"},
        "do": [
            {
                "add_task": {
                    "id": "size-${task.id}",
                    "command": ["size", "${task.id}.o"],
                    "needs": ["${task.id}"],
                    "before": "release",
                }
            }
        ],
    }
]
SELECTED: Final = "coverage"
"""It waits then for a place in its group."""


class Photographer:
    """Saves pictures of a console's window.

    Args:
        console: it is open, and its window is in sight.
        folder: where they go.
    """

    def __init__(self, console: Console, folder: Path) -> None:
        self._console, self._folder = console, folder

    async def shoot(self, name: str, arrange: Callable[[], object] = lambda: None) -> None:
        """Save what is in sight after `arrange`, in both themes."""
        arrange()
        for theme in THEMES:
            self._console.appearance.choose(theme)
            await told(self._console)
            for _ in range(TURNS):  # layouts tell each other one after the other, each in a turn of the loop
                await asyncio.sleep(FRAMES / TURNS)
            await told(self._console)
            path = self._folder / f"{name}-{theme.value}.png"
            if not self._console.window.grab().save(str(path)):
                raise OSError(f"The picture {path} could not be written.")
            print(path)  # noqa: T201 - what a tool for developers has to say


async def happened(console: Console, is_it: Callable[[ev.Event], bool]) -> None:
    """Return once an event has come that is the one, or at once if it has come already."""
    heard, seen = asyncio.Event(), 0

    def look(_changes: Changes | None = None) -> None:
        nonlocal seen
        if any(is_it(event) for _, event in console.bridge.log.since(seen)):
            heard.set()
        seen = console.bridge.log.end

    feed = console.bridge.feed(parent=console)
    feed.changed.connect(look)
    look()
    await heard.wait()
    feed.close()


def is_selected_ready(event: ev.Event) -> bool:
    """Whether the task that is going to be selected could start, were it not for its group."""
    return isinstance(event, ev.TaskReady) and event.task_id == SELECTED


def is_board_backing_off(event: ev.Event) -> bool:
    """Whether the board that does not answer has just failed."""
    return isinstance(event, ev.TaskRetryScheduled) and event.task_id == "flash-lab-c"


def is_end(event: ev.Event) -> bool:
    """Whether the run has ended."""
    return isinstance(event, ev.RunEnded)


async def attend(console: Console) -> Run:
    """Have an agent take part in the run in front: it proposes a check after each compilation, and nothing waits."""
    await happened(console, lambda event: isinstance(event, ev.RunCreated))
    assert isinstance(console.engine, LocalEngine), "it is this program's own"
    run = console.engine.orchestrator.run(console.documents.runs[0].run_id)
    await run.set_fence(Fence.NONE)
    await run.attach(RuleAgent(read_rules(PROPOSING), name="size-watch"), asks=ALL_KINDS)
    return run


async def shoot_agents(console: Console, run: Run, photographer: Photographer) -> None:
    """Save pictures of a proposal with what waits for it, and of the agent; then nothing waits any more."""
    await happened(console, lambda event: isinstance(event, ev.ProposalStaged))
    await run.set_fence(Fence.GLOBAL)
    look = console.window_actions.controllers.agents.look
    await photographer.shoot("agents-proposal", lambda: look(LookAtAgents("", approval=run.approvals[0].number)))
    await photographer.shoot("agents-agent", lambda: look(LookAtAgents("", agent="size-watch")))
    await run.set_fence(Fence.NONE)
    await run.detach("size-watch", "the pictures are taken")
    for approval in run.approvals:
        await run.answer_approval(approval.number, accept=False)


async def shoot_all(application: QApplication, folder: Path, settings: Settings, size: QSize | None) -> None:
    """Save all pictures of a window of a size; None: of the usual one."""
    async with opened(WindowFrame(application, settings)) as console:
        window, bench = console.window, console.window.workbench
        console.appearance.reduced_motion = True
        window.restore_layout()
        if size is not None:
            window.resize(size)
        window.show()
        photographer = Photographer(console, folder)
        await photographer.shoot("welcome")
        console.starter.run_demo()
        run = await attend(console)
        await happened(console, is_selected_ready)
        window.tool_bar.search.setText(SELECTED)
        window.tool_bar.search.stepped.emit(1)
        await happened(console, is_board_backing_off)
        await photographer.shoot("first-sight")
        await shoot_agents(console, run, photographer)
        for pane in ORDER:
            window.show_perspective(Perspective.OPERATE)
            await photographer.shoot(f"pane-{pane}", partial(bench.show_pane, pane))
        for perspective in Perspective:
            await photographer.shoot(f"perspective-{perspective.value}", partial(window.show_perspective, perspective))
        window.show_perspective(Perspective.OPERATE)
        await photographer.shoot("critical-path")  # it is shown from the start
        await happened(console, is_end)
        await photographer.shoot("ended")


def _size(text: str) -> QSize:
    width, _, height = text.partition("x")
    return QSize(int(width), int(height))


def main() -> None:
    """Save all pictures in the folder that is named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--language", default="en", help="what the window speaks")
    parser.add_argument("--size", type=_size, help="of the window in pixels, e.g. 1000x600")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        private = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        environment: Mapping[str, str] = {"QT_QPA_PLATFORM": "offscreen"}
        if has_virtual_screen():
            environment = stack.enter_context(virtual_screen())
        os.environ.update(environment, STARLOOM_JOURNAL=str(private / "journal"))
        application = QApplication(["starloom"])
        application.setQuitOnLastWindowClosed(False)
        translations.install(application, given.language)
        event_loop.run(shoot_all(application, given.folder, Settings(private / "settings.ini"), given.size))
        application.shutdown()  # before the display goes


if __name__ == "__main__":
    main()
