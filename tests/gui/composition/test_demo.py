"""What the demo brings into a session goes with it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG, started
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.devices.local import LocalDevice
from starloom.model.device import DeviceSpec
from starloom.model.plan import Limits
from starloom.scheduling.state.device_facts import DeviceRequirements
from starloom_resources.demo import demo_plan

BROUGHT = {spec.id for spec in demo_plan().devices}
GROUPS = set(demo_plan().limits.groups)


@pytest.mark.parametrize("is_running", [True, False], ids=["closed while it runs", "closed after its end"])
def test_devices_and_limit_groups_of_the_demo_go_with_it(desktop: Desktop, *, is_running: bool) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            fleet = orchestrator_of(console).fleet
            await fleet.add(LocalDevice("mine"))
            console.starter.run_demo()
            await until(lambda: console.documents.runs and set(fleet.devices) == BROUGHT | {"mine"})
            assert set(console.bridge.fleet.groups) >= GROUPS
            assert GROUPS, "the demo has some"
            await at_rest(console)
            (tab,) = console.documents.runs
            run = orchestrator_of(console).run(tab.run_id)
            await until(lambda: not run.state.has_ended and console.starter.demo._runs)
            if is_running:
                console.documents.close(tab.key)
                await at_rest(console)
                assert set(fleet.devices) == BROUGHT | {"mine"}, "it still runs"
            await run.cancel()
            await until(lambda: run.state.has_ended)
            if not is_running:
                assert set(fleet.devices) == BROUGHT | {"mine"}, "it is still looked at"
                console.documents.close(tab.key)
            await until(lambda: set(fleet.devices) == {"mine"})
            await until(lambda: not GROUPS & set(console.bridge.fleet.groups))

    desktop.run(main)


def test_what_other_runs_use_stays(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            fleet = orchestrator_of(console).fleet
            console.starter.run_demo()
            await until(lambda: console.documents.runs and set(fleet.devices) == BROUGHT and console.starter.demo._runs)
            (tab,) = console.documents.runs
            group, device = sorted(GROUPS)[0], "build-1"
            own = replace(plan([task("a", simulate=LONG, groups=(group,), device=device)]), name="own", limits=Limits())
            other = await started(console, own)
            run = orchestrator_of(console).run(other.run_id)
            await until(lambda: run.facts.running == 1 or run.facts.status.count(1) == 1)
            await orchestrator_of(console).run(tab.run_id).cancel()
            await until(lambda: run.facts.running == 1)
            console.documents.close(tab.key)
            await until(lambda: set(fleet.devices) == {device})
            await until(lambda: GROUPS & set(console.bridge.fleet.groups) == {group})
            await run.cancel()

    desktop.run(main)


def test_beside_one_s_own_devices_of_the_same_names_it_brings_others(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            fleet = orchestrator_of(console).fleet
            await fleet.add(LocalDevice("local", slots=2))
            console.starter.run_demo()
            await until(lambda: len(console.documents.runs) == 1)
            assert set(fleet.devices) == BROUGHT | {"demo-local"}
            run = orchestrator_of(console).run(console.documents.runs[0].run_id)
            await until(lambda: any(one.device_id == "demo-local" for task in run.tasks for one in task.attempts))
            assert not any(one.device_id == "local" for task in run.tasks for one in task.attempts)

    desktop.run(main)


def test_once_it_has_ended_its_devices_are_in_nobody_s_way(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            fleet = orchestrator_of(console).fleet
            console.starter.run_demo()
            await until(lambda: len(console.documents.runs) == 1 and console.starter.demo._runs)
            run = orchestrator_of(console).run(console.documents.runs[0].run_id)
            await until(lambda: not run.state.has_ended)
            await run.cancel()
            await until(lambda: run.state.has_ended)
            mine = DeviceSpec(id="local", kind="local", slots=2)
            own = replace(plan([task("a", command=("true",))]), name="own", devices=(mine,))
            await console.starter.start(own, None, "")
            assert set(fleet.devices) == {"local"}

    desktop.run(main)


def test_devices_of_the_user_get_none_of_its_tasks(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            fleet = orchestrator_of(console).fleet
            for name in ("lab", "lab2"):
                await fleet.add(
                    LocalDevice(name, slots=8, capabilities=frozenset({"linux", "board", "camera", "sources"}))
                )
            console.starter.run_demo()
            await until(lambda: console.documents.runs and console.starter.demo._runs)
            (tab,) = console.documents.runs
            facts = console.bridge.run(tab.run_id)
            assert facts is not None
            mine = [console.bridge.fleet.devices[name] for name in ("lab", "lab2")]
            taken = [
                task.id
                for _, task in facts.graph.present()
                if task.gate is None and any(DeviceRequirements.of(task).fits(one) for one in mine)
            ]
            assert taken == []
            ours = [one for one in console.bridge.fleet.devices.values() if one not in mine]
            for _, task in facts.graph.present():
                assert task.gate is not None or any(DeviceRequirements.of(task).fits(one) for one in ours), task.id
            assert console.strip.shown is None, "nothing is to be warned of"
            await orchestrator_of(console).run(tab.run_id).cancel()

    desktop.run(main)
