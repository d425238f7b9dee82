"""Devices and a run to look at, and somebody who answers as the bridge's commands do, on an engine driven by hand."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tests.driver import Driver, edge, task
from typing_extensions import override

from starloom.devices.base import Metrics
from starloom.errors import CommandRefused
from starloom.model.plan import Limits, Plan
from starloom.scheduling import commands as c
from starloom.scheduling.decide.questions import idle, refusal
from starloom.scheduling.decide.required_statuses import AnyCommand, possible_part
from starloom_gui.gateway.command_gateway import CommandGateway
from starloom_gui.models.device_table import DeviceTable
from starloom_gui.specs.action_spec import Verdict

if TYPE_CHECKING:
    from starloom.scheduling.state.run_facts import RunFacts

TOTAL = 16_000_000_000


class ByHand(CommandGateway):
    """The commands of the bridge, carried out at once by a scheduler that is driven by hand.

    Attributes:
        sent: what was asked for, in order.
    """

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.sent: list[c.Command] = []

    @override
    def can(self, command: c.Command) -> Verdict:
        refused = refusal(self.driver.scheduler, command)
        if isinstance(refused, CommandRefused):
            return Verdict(False, refused.reason, refused.hint)
        nothing = idle(self.driver.scheduler, command)
        return Verdict(not nothing, nothing)

    @override
    def possible_part(self, command: AnyCommand) -> AnyCommand:
        return possible_part(self.driver.scheduler, command)

    @override
    def do(self, command: c.Command) -> int:
        self.sent.append(command)
        self.driver.do(command)
        return len(self.sent)


def coverage() -> tuple[Driver, RunFacts]:
    """A run in which `coverage` is ready, with all its parents done, and waits for a group that `fuzz` holds."""
    driver = Driver(devices=(), checked=False)
    driver.add_device("local", slots=4)
    driver.add_device("build-1", slots=4)
    tests = ("unit hal", "unit net", "unit usb")
    coverage = task(
        "coverage",
        command=("gcovr", "--xml", "-o", "cov.xml"),
        groups="licences",
        timeout=120,
        retry={"attempts": 3, "delay": 5},
    )
    made = Plan(
        name="firmware",
        tasks=(task("fuzz", name="fuzz ui", groups="licences"), *map(task, tests), coverage, task("merge cov")),
        dependencies=(*(edge(one, "coverage") for one in tests), edge("coverage", "merge cov")),
        limits=Limits(groups={"licences": 1}),
    )
    run = driver.create(made)
    driver.do(c.SetRunLimit(run_id=run.run_id, max_concurrency=8))
    for name, share in zip(tests, (0.912, 0.874, 0.79), strict=True):
        driver.advance(9)
        driver.end(name, value={"lines": share})
    driver.advance(62)
    return driver, driver.run()


def table_of(driver: Driver) -> DeviceTable:
    """The devices of a driver, with figures made up for each."""

    def load(device_id: str) -> tuple[Metrics, tuple[float, ...]]:
        seed = sum(map(ord, device_id))
        samples = tuple(0.45 + 0.3 * math.sin(seed + at / 2) + 0.1 * math.sin(at * 2.1) for at in range(30))
        return Metrics(cpu=samples[-1], memory=0.61, memory_total=TOTAL), samples

    scheduler = driver.scheduler
    return DeviceTable(
        lambda: scheduler.fleet,
        lambda: [index.run for index in scheduler.runs.values()],
        lambda: scheduler.now,
        lambda device_id: scheduler.now - len(device_id) % 4,
        load,
    )
