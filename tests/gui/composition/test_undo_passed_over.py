"""Undo where the last step cannot be taken back any more: it stays, says why, and keeps no earlier step from undo."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.driver import plan
from tests.gui.composition.conftest import at_rest
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom import InProcessDevice
from starloom.devices.kinds import make_device
from starloom.model.device import DeviceSpec
from starloom.scheduling.commands import DrainDevice, HoldTasks, SetPriority

if TYPE_CHECKING:
    from tests.gui.composition.conftest import Desktop

    from starloom import Task


def test_a_step_that_cannot_be_taken_back_any_more_keeps_none_before_it_from_that(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            gates: dict[str, asyncio.Event] = {}

            async def work(one: Task, _context: object) -> None:
                await gates.setdefault(one.id, asyncio.Event()).wait()

            await orchestrator_of(console).fleet.add(InProcessDevice("box", slots=1, handlers={"noop": work}))
            run = await orchestrator_of(console).start(plan(["first", "next", "kept"]))
            console.documents.put_run(run.id)
            await until(lambda: run.task("first").status == "running")
            gateway = console.gateway()
            gateway.do(HoldTasks(run_id=run.id, task_ids=("kept",)))
            await until(lambda: bool(run.facts.held))
            gateway.do(SetPriority(run_id=run.id, task_ids=("next",), priority=90))
            await until(lambda: run.facts.priority[1] == 90)
            gates["first"].set()
            await until(lambda: run.task("next").status == "running")
            await at_rest(console)
            undo = console.actions["undo"]
            await until(lambda: "stays, and the step before it is next" in undo.statusTip())
            assert undo.statusTip().startswith("Take back the last edit. “")
            title, *said = undo.toolTip().splitlines()
            assert (title.startswith("Undo “"), " ".join(said)) == (True, undo.statusTip())
            assert max(map(len, said)) <= 96, "it would cover the window"
            assert undo.isEnabled()
            undo.trigger()
            await until(lambda: "Hold" in undo.text())
            assert console.strip.shown is not None
            assert "Priority matters only before a task starts" in console.strip.shown.reason
            undo.trigger()
            await until(lambda: not run.facts.held)
            gates["next"].set()

    desktop.run(main)


def test_a_device_that_was_added_is_no_reason_to_take_back_what_was_done_before(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            fleet = orchestrator_of(console).fleet
            await fleet.add(InProcessDevice("box", slots=1, handlers={}))
            run = await orchestrator_of(console).start(plan(["a"]), paused=True)
            console.documents.put_run(run.id)
            await at_rest(console)
            console.gateway().do(DrainDevice(device_id="box"))
            await until(lambda: console.bridge.fleet.devices["box"].draining)
            choices = console.window_actions.controllers.choices
            choices._add(make_device(DeviceSpec(id="zeta", kind="simulated", slots=1)))
            await until(lambda: "Add device: zeta" in console.actions["undo"].text())
            console.actions["undo"].trigger()
            await until(lambda: console.strip.shown is not None and "cannot be taken back" in console.strip.shown.text)
            await at_rest(console)
            assert console.bridge.fleet.devices["box"].draining, "nobody has thought of that"
            await until(lambda: "Drain" in console.actions["undo"].text())
            console.actions["undo"].trigger()
            await until(lambda: not console.bridge.fleet.devices["box"].draining)
            await console.window_actions.controllers.fleet.settled()

    desktop.run(main)
