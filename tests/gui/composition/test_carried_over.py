"""Limits and drains that outlive a session are said at the next start, and can be taken back there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG, small, started
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.model.device import DeviceSpec
from starloom.model.plan import Limits, Plan
from starloom.model.status import RunState
from starloom.scheduling import commands as c
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from starloom_gui.composition.console import Console


async def an_operator_says(console: Console) -> None:
    """A first session: a limit, a limit of a group, a drained device with another number of slots."""
    await started(console, small())
    console.commands.do(c.SetLimits(max_concurrency=4, groups={"licences": 1}))
    console.commands.do(c.DrainDevice(device_id="d"))
    console.commands.do(c.SetSlots(device_id="d", slots=1))
    await console.commands.answered()


def said(console: Console) -> str:
    """What the strip over the graph says."""
    return console.strip.shown.text if console.strip.shown is not None else ""


def test_what_still_holds_is_said_at_the_next_start_and_of_a_device_once_it_joins(desktop: Desktop) -> None:
    async def first() -> None:
        async with desktop.console() as console:
            console.carried_over.tell()
            assert console.strip.shown is None, "there was no session before"
            await an_operator_says(console)

    async def second() -> None:
        async with desktop.console() as console:
            console.carried_over.tell()
            shown = console.strip.shown
            assert shown is not None
            assert shown.is_notice
            for part in ("Still set from an earlier session", "at once", "licences: 1"):
                assert part in shown.text
            assert "drained" not in shown.text, "it is not there"
            assert console.bridge.fleet.max_concurrency == 4
            tab = await started(console, small(seconds=LONG))
            await until(lambda: orchestrator_of(console).run(tab.run_id).state is RunState.EXECUTING)
            await until(lambda: "drained: d" in said(console))
            for part in ("Still set from an earlier session", "at once", "licences: 1", "slots: d"):
                assert part in said(console)
            assert console.bridge.fleet.devices["d"].draining, "nobody took it back"

    desktop.run(first)
    desktop.run(second)


def test_undo_takes_all_of_it_back_and_what_is_said_of_devices_once_they_join(desktop: Desktop) -> None:
    async def first() -> None:
        async with desktop.console() as console:
            await an_operator_says(console)

    async def second() -> None:
        async with desktop.console() as console:
            console.carried_over.tell()
            shown = console.strip.shown
            assert shown is not None
            assert shown.act is not None
            shown.act()
            await console.commands.answered()
            fleet = console.bridge.fleet
            assert (fleet.max_concurrency, fleet.groups) == (None, {})
            assert not said(console)
            await started(console, small(seconds=LONG))
            await until(lambda: "drained: d; with other slots: d" in said(console))
            assert "at once" not in said(console)
            shown = console.strip.shown
            assert shown is not None
            assert shown.act is not None
            shown.act()
            await until(lambda: not fleet.devices["d"].draining and fleet.devices["d"].offered == 2)
            await at_rest(console)

    async def third() -> None:
        async with desktop.console() as console:
            console.carried_over.tell()
            assert console.strip.shown is None, "it was taken back for good"

    desktop.run(first)
    desktop.run(second)
    desktop.run(third)


def in_groups(**limits: int) -> Plan:
    """A plan with limits of groups."""
    return replace(small(seconds=LONG), limits=Limits(groups=limits))


def test_undo_gives_groups_of_a_run_their_plans_limits_and_leaves_others_alone(desktop: Desktop) -> None:
    async def first() -> None:
        async with desktop.console() as console:
            await started(console, small())
            console.commands.do(c.SetLimits(groups={"gpu": 2}))
            await console.commands.answered()

    async def second() -> None:
        async with desktop.console() as console:
            console.carried_over.tell()
            notice = console.strip.shown
            assert notice is not None
            assert notice.act is not None
            await started(console, in_groups(gpu=1, foo=3))
            await until(lambda: console.bridge.fleet.groups == {"gpu": 2, "foo": 3})
            notice.act()
            await console.commands.answered()
            assert console.bridge.fleet.groups == {"gpu": 1, "foo": 3}

    desktop.run(first)
    desktop.run(second)


def test_undo_leaves_what_was_set_since(desktop: Desktop) -> None:
    async def first() -> None:
        async with desktop.console() as console:
            await an_operator_says(console)

    async def second() -> None:
        async with desktop.console() as console:
            console.carried_over.tell()
            console.commands.do(c.SetLimits(max_concurrency=7, groups={"licences": 5}))
            await console.commands.answered()
            console.carried_over.undo()
            await console.commands.answered()
            assert (console.bridge.fleet.max_concurrency, console.bridge.fleet.groups) == (7, {"licences": 5})

    desktop.run(first)
    desktop.run(second)


def test_a_start_says_which_groups_have_another_limit_than_the_plan(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.commands.do(c.SetLimits(groups={"gpu": 2}))
            await console.commands.answered()
            console.strip.show_trouble(other := ErrorMessage("The devices are not kept", "The disk is full."))
            await started(console, in_groups(gpu=1, foo=3))
            await until(lambda: "gpu: 2, not 1 as the plan says" in said(console))
            assert "foo" not in said(console)
            notice = console.strip.shown
            assert notice is not None
            assert notice.act is not None
            notice.act()
            await until(lambda: console.bridge.fleet.groups == {"gpu": 1, "foo": 3})
            await until(lambda: console.strip.shown == other)

    desktop.run(main)


def test_what_a_start_says_of_limits_and_of_devices_is_one_notice(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            console.commands.do(c.SetLimits(groups={"gpu": 2}))
            await console.commands.answered()
            await started(console, small(seconds=LONG))
            own = replace(in_groups(gpu=1), devices=(DeviceSpec(id="other", kind="simulated", slots=1),))
            await started(console, own)
            await until(lambda: "gpu: 2, not 1 as the plan says" in said(console))
            assert "may also run on" in said(console)

    desktop.run(main)


def test_it_says_no_more_than_still_holds_when_that_is_changed(desktop: Desktop) -> None:
    async def first() -> None:
        async with desktop.console() as console:
            await an_operator_says(console)

    async def second() -> None:
        async with desktop.console() as console:
            console.carried_over.tell()
            assert "licences: 1" in said(console)
            console.commands.do(c.SetLimits(groups={"licences": 2}))
            await until(lambda: "licences" not in said(console))
            assert "at once" in said(console), "what nobody has changed is said still"
            console.commands.do(c.SetLimits(max_concurrency=9))
            await until(lambda: not said(console))

    desktop.run(first)
    desktop.run(second)


def test_of_a_device_alone_it_says_nothing_once_that_is_undone_elsewhere(desktop: Desktop) -> None:
    async def first() -> None:
        async with desktop.console() as console:
            await started(console, small())
            console.commands.do(c.DrainDevice(device_id="d"))
            await console.commands.answered()

    async def second() -> None:
        async with desktop.console() as console:
            console.carried_over.tell()
            assert not said(console)
            tab = await started(console, small(seconds=LONG))
            await until(lambda: orchestrator_of(console).run(tab.run_id).state is RunState.EXECUTING)
            await until(lambda: "drained: d" in said(console))
            await at_rest(console)
            console.commands.do(c.ResumeDevice(device_id="d"))
            await until(lambda: "drained" not in said(console))

    desktop.run(first)
    desktop.run(second)
