"""Quiet tasks: those that run and have printed nothing for long, where it is known that output is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest
from tests.driver import Driver, plan
from tests.gui.gateway.driven_bridge import DrivenBridge

from starloom.orchestration.channel import Channel, OutputChunk
from starloom.scheduling.read.run_view import RunView
from starloom_gui.gateway.changes import Changes
from starloom_gui.gateway.output import OutputHub
from starloom_gui.gateway.quiet_tasks import QuietTasks, quiet_in

if TYPE_CHECKING:
    from starloom_gui.gateway.run_reader import RunReader

pytestmark = pytest.mark.usefixtures("app")
WALL = 1_800_000_000.0


class QuietBench:
    """Two tasks that run on a device, and a third on another one that tells no output."""

    def __init__(self) -> None:
        self.driver, self.channel = Driver(slots=2, devices=("telling", "mute")), Channel()
        self.driver.create(plan(["a", "b", "c", "d"]))
        self.hub = OutputHub(self.channel, now=self.wall)
        self.watch = QuietTasks(self.hub, DrivenBridge(self.driver).facts, lambda at: WALL + at)
        self.watch.after = 600.0
        self.fell: list[str] = []
        self.watch.fell_quiet.connect(lambda _, task_id: self.fell.append(task_id))
        device_of = self.driver.run().device_of
        self.on_telling = [id for id, number in self.driver.run().graph.place.items() if device_of[number] == "telling"]

    def wall(self) -> float:
        return WALL + self.driver.now

    def print(self, task_id: str) -> None:
        self.channel.send(OutputChunk("r", task_id, 1, "building\n"))
        self.hub.flush()

    def pass_by(self, seconds: float) -> None:
        self.driver.advance(seconds)
        self.watch.on_changes(Changes(run_id="r", second=True))

    @property
    def quiet(self) -> set[str]:
        return {task_id for _, task_id in self.hub.quiet}


def test_a_task_that_prints_nothing_for_so_long_is_quiet_until_it_prints() -> None:
    bench = QuietBench()
    one, other = bench.on_telling
    bench.print(one)
    bench.pass_by(599)
    assert not bench.quiet
    bench.print(one)
    bench.pass_by(1)
    assert bench.quiet == {other}, "it has never printed, but another one there has"
    assert bench.hub.quiet["r", other] == WALL
    bench.pass_by(598)
    assert bench.quiet == {other}
    bench.pass_by(1)
    assert bench.quiet == {one, other}
    assert bench.hub.quiet["r", one] == WALL + 599
    bench.print(one)
    assert bench.quiet == {other}
    bench.driver.end(other)
    bench.pass_by(1)
    assert not bench.quiet
    bench.pass_by(600)
    assert bench.fell == [other, one, one], "each time it falls quiet it is told once"


class FixedReader:
    """Reads one run."""

    is_past = False

    def __init__(self, driver: Driver) -> None:
        self._driver = driver

    def view(self) -> RunView:
        return RunView(self._driver.run())


def test_the_quiet_tasks_of_a_run_are_known_by_number_except_in_the_past() -> None:
    bench = QuietBench()
    reader = FixedReader(bench.driver)
    shown = cast("RunReader", reader)
    assert quiet_in(shown, bench.hub) == {}
    bench.hub.quiet.update({("r", "b"): 7.0, ("r", "gone"): 8.0, ("another", "a"): 9.0})
    assert quiet_in(shown, bench.hub) == {1: 7.0}
    reader.is_past = True
    assert quiet_in(shown, bench.hub) == {}


def test_of_a_device_that_has_told_no_output_nothing_is_said() -> None:
    bench = QuietBench()
    bench.pass_by(10_000)
    assert not bench.quiet
    bench.print(bench.on_telling[0])
    bench.pass_by(600)
    assert bench.quiet == set(bench.on_telling)


def test_it_can_be_switched_off_and_what_was_printed_before_the_console_listened_is_not_guessed() -> None:
    bench = QuietBench()
    bench.print(bench.on_telling[0])
    bench.watch.after = 0.0
    bench.pass_by(10_000)
    assert not bench.quiet
    bench.hub.since = bench.wall()
    bench.watch.after = 600.0
    bench.pass_by(599)
    assert not bench.quiet
    bench.pass_by(1)
    assert bench.quiet == set(bench.on_telling)
