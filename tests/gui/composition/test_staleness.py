"""A console whose engine has halted shows what was, and says so."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import front
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.constellation.edits import UpdateTask
from starloom.journal.base import JournalError
from starloom.model.device import DeviceSpec
from starloom_gui.composition.journal_halt import JournalHalt
from starloom_gui.shell import stale_overlay as veil

if TYPE_CHECKING:
    from starloom_gui.composition.console import Console

pytestmark = pytest.mark.usefixtures("app")


def test_panes_are_greyed_while_the_engine_is_halted(desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(veil, "PATIENCE", 0.0005)

    def is_stale(console: Console) -> bool:
        console.staleness.look()
        return console.staleness.is_stale

    async def main() -> None:
        async with desktop.console() as console:
            run = await orchestrator_of(console).start(plan([task("a", simulate=3600.0)]), paused=True)
            console.documents.put_run(run.id)
            await at_rest(console)
            await until(lambda: not is_stale(console))
            error = JournalError("the disk is full")
            orchestrator_of(console).pump.halted = error
            orchestrator_of(console)._halted(error)
            await until(lambda: is_stale(console) and console.bridge.behind == 0.0)
            reader = front(console).reader
            halted_at = reader.now()
            await until(lambda: console.bridge.now() > halted_at + 0.1)
            assert reader.now() == pytest.approx(halted_at, abs=0.02), "what ended meanwhile is not shown as going on"
            orchestrator_of(console).pump.halted = None
            assert isinstance(console.outage, JournalHalt)
            console.outage.retry()
            await until(lambda: not is_stale(console))
            assert reader.now() == pytest.approx(console.bridge.now(), abs=0.05)

    desktop.run(main)


def test_a_bridge_at_rest_is_not_behind_and_one_with_news_is(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await until(lambda: console.bridge.behind == 0.0)
            console.bridge.read_anew()
            assert console.bridge.behind > 0.0
            await until(lambda: console.bridge.is_resting and console.bridge.behind == 0.0)

    desktop.run(main)


def test_who_else_has_edited_a_run_is_said(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            wanted = plan([task("a", simulate=3600.0), task("z", simulate=1.0)], ["a>z"])
            device = DeviceSpec(id="d", kind="simulated", slots=1)
            run = await orchestrator_of(console).start(replace(wanted, devices=(device,)))
            console.documents.put_run(run.id)
            await until(lambda: "a started" in console.window.status.last.accessibleName())
            await run.edit(UpdateTask("z", timeout=5.0), origin="bob")  # which nothing else follows
            said = console.window.status.last
            await until(lambda: " bob: Edited, revision 1" in said.accessibleName())
            await run.edit(UpdateTask("z", timeout=6.0))
            await until(lambda: ": Edited" not in said.accessibleName() and "revision 2" in said.accessibleName())

    desktop.run(main)
