"""Runs share one fleet: which devices of other plans may take tasks of a plan is said as it starts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.model.device import DeviceSpec

if TYPE_CHECKING:
    from starloom.model.plan import Plan
    from starloom_gui.composition.console import Console


def made(name: str, own: str, **fields: str) -> Plan:
    work = plan([task("a", command=["true"], **fields)])
    return replace(work, name=name, devices=(DeviceSpec(id=own, kind="local"),))


def message(console: Console) -> str:
    shown = console.strip.shown
    return shown.what if shown is not None else ""


def test_a_plan_that_starts_beside_devices_of_others_says_where_its_tasks_may_run(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            first = orchestrator_of(console).run(await console.starter.start(made("first", "here"), None, ""))
            await first.finished()
            assert message(console) == ""
            bound = orchestrator_of(console).run(
                await console.starter.start(made("bound", "there", device="there"), None, "")
            )
            await bound.finished()
            assert message(console) == "", "its task is bound to a device"
            await at_rest(console)
            await until(lambda: len(console.bridge.fleet.devices) == 2)
            await console.starter.start(made("third", "third"), None, "")
            assert message(console) == "Tasks of “third” may also run on here, there"

    desktop.run(main)


def test_what_is_said_of_shared_devices_goes_with_them(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            orchestrator = orchestrator_of(console)
            for name, own in (("first", "here"), ("second", "there")):
                work = plan([task("a", command=["true"], device=own)])
                only = replace(work, name=name, devices=(DeviceSpec(id=own, kind="local"),))
                await orchestrator.run(await console.starter.start(only, None, "")).finished()
            await console.starter.start(made("third", "third"), None, "")
            await at_rest(console)
            assert message(console) == "Tasks of “third” may also run on here, there"
            await orchestrator.fleet.drain("here")
            await until(lambda: message(console) == "Tasks of “third” may also run on there")
            await orchestrator.fleet.remove("there")
            await until(lambda: message(console) == "")

    desktop.run(main)


def test_where_there_are_only_devices_of_others_it_is_said_that_tasks_run_there(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await orchestrator_of(console).run(await console.starter.start(made("first", "here"), None, "")).finished()
            await at_rest(console)
            await console.starter.start(replace(made("bare", "here"), devices=()), None, "")
            assert message(console) == "Tasks of “bare” run on here"

    desktop.run(main)
