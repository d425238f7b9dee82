"""What is ahead of a run is projected once its graph is drawn, and only while it is in front."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from tests.gui.editing.engine_by_hand import build
from tests.gui.event_loop.loops import run_on
from tests.gui.timeline.scenes import projection
from tests.waiting import until

from starloom_gui.event_loop import QtEventLoop
from starloom_gui.workspace.outlook_controller import OutlookController

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom.foresight.projection import Projection

TURNS = 20


def test_nothing_is_projected_before_the_graph_is_drawn(app: QApplication) -> None:
    run = build().facts()
    asked: list[str] = []

    async def foresee() -> Projection:
        asked.append(run.run_id)
        return projection(run, {})

    async def main() -> None:
        reader = SimpleNamespace(facts=lambda: run, is_past=False)
        source: Any = SimpleNamespace(foresee=foresee, reader=reader, feed=None, travel=None, run_id=run.run_id)
        controller = OutlookController(source)
        controller.follow()
        controller.set_front(True)
        controller.ask()
        for _ in range(TURNS):
            await asyncio.sleep(0)
        assert not asked
        controller.begin()
        await until(lambda: asked)
        controller.close()

    run_on(QtEventLoop, main)


def test_of_a_run_that_is_not_in_front_nothing_is_projected(app: QApplication) -> None:
    asked: list[str] = []

    async def foresee() -> Projection:
        asked.append("")
        raise AssertionError

    async def main() -> None:
        reader = SimpleNamespace(facts=build().facts, is_past=False)
        source: Any = SimpleNamespace(foresee=foresee, reader=reader, feed=None, travel=None, run_id="r")
        controller = OutlookController(source)
        controller.begin()
        controller.ask()
        for _ in range(TURNS):
            await asyncio.sleep(0)
        assert not asked
        controller.close()

    run_on(QtEventLoop, main)
