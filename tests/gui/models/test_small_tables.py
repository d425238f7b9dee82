"""Devices, the queue, the event log and the runs as rows."""

from __future__ import annotations

import asyncio
import os
import socket
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPersistentModelIndex, Qt
from tests.driver import RUN, Driver, plan, task
from tests.gui.gateway.driven_bridge import DrivenBridge
from tests.gui.models.cells import Painted, cells, steps_of, texts
from tests.virtual_time import engine, loop, pass_time, run
from typing_extensions import override

from starloom import events as ev
from starloom.devices.base import Metrics
from starloom.devices.simulated import SimulatedDevice
from starloom.journal.lock import Holder
from starloom.journal.records import RunRecord
from starloom.scheduling import commands as c
from starloom.scheduling.read.line import in_line
from starloom_gui.gateway.bridge import Bridge
from starloom_gui.gateway.changes import Changes
from starloom_gui.gateway.device_load import DeviceLoad
from starloom_gui.gateway.event_log import EventLog
from starloom_gui.gateway.local_engine import LocalEngine
from starloom_gui.models import device_table, event_table, queue_table, run_table
from starloom_gui.models.device_table import DeviceTable
from starloom_gui.models.event_table import EventFilter, EventTable
from starloom_gui.models.queue_table import QueueTable
from starloom_gui.models.run_table import RunTable
from starloom_gui.specs.event_spec import EventSort
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.roles import ItemRole

pytestmark = pytest.mark.usefixtures("app")


def test_a_device_shows_slots_work_failures_and_load():
    driver = Driver(slots=2, devices=("one", "two"))
    driver.create(plan([task(name, device="one", retry=1) for name in "abc"]))
    driver.fail("a")
    table = DeviceTable(
        lambda: driver.scheduler.fleet,
        lambda: [driver.run()],
        lambda: 100.0,
        lambda device: 86.0 if device == "one" else None,
        lambda device: (Metrics(cpu=0.61), (0.1, 0.61)) if device == "one" else (None, ()),
    )
    cells = [table.data(table.index(0, column)) for column in device_table.DeviceColumn]
    assert cells == ["one", "Busy", "2 of 2", "b, a", "1", "14 s", "61 %", ""] or cells[3] == "a, b"
    assert table.data(table.index(0, 0), ItemRole.SAMPLES) == (0.1, 0.61)
    assert [table.data(table.index(1, column)) for column in device_table.DeviceColumn] == [
        "two",
        "Idle",
        "0 of 2",
        *[""] * 6,
    ]
    steps = steps_of(table)
    driver.ask(c.CancelRun)
    table.rebuild()
    assert steps == ["data"] or steps == []
    driver.add_device("three")
    driver.do(c.DrainDevice(device_id="three"))
    table.rebuild()
    assert "reset" not in steps
    driver.do(c.DrainDevice(device_id="one"))
    table.rebuild()
    assert texts(table, device_table.DeviceColumn.STATUS)[0] == "Draining"
    assert texts(table, device_table.DeviceColumn.STATUS)[2] == "Drained", "the last task has left"


def test_the_queue_stands_in_the_order_of_its_starts_with_base_and_effective_priority_and_wait():
    driver = Driver(slots=1)
    driver.create(plan([task("first", priority=100), task("low", priority=0), task("high", priority=80)]))
    driver.advance(6)
    table = QueueTable(lambda most: in_line(driver.scheduler, driver.now, most), lambda _: driver.run())
    rows = [tuple(table.data(table.index(row, column)) for column in range(5)) for row in range(2)]
    assert rows == [("1", "high", "80", "92", "0:06"), ("2", "low", "0", "12", "0:06")]
    assert table.total == 2
    named = QueueTable(
        lambda most: in_line(driver.scheduler, driver.now, most), lambda _: driver.run(), name_of=lambda *_: "plan · 2"
    )
    assert named.index(0, queue_table.QueueColumn.RUN).data() == "plan · 2"
    driver.ask(c.SetPriority, "low", priority=100)
    table.rebuild()
    assert texts(table, 1) == ["low", "high"]


def test_a_view_is_told_that_the_time_waited_goes_on_before_it_has():
    driver = Driver(slots=1)
    driver.create(plan(["first", "second"]))
    driver.do(c.PauseRun(run_id=RUN))
    table = QueueTable(lambda most: in_line(driver.scheduler, driver.now, most), lambda _: driver.run())
    painted = Painted(table)
    assert texts(table, queue_table.QueueColumn.WAITED) == ["–"]
    driver.do(c.ResumeRun(run_id=RUN))
    table.rebuild()
    assert texts(table, queue_table.QueueColumn.WAITED) == ["0:00"]
    assert painted.rows == cells(table)


def test_the_event_log_is_filtered_by_sort_and_task_and_forgets_the_oldest():
    driver = Driver(slots=1)
    driver.create(plan(["a", "b"]))
    bridge = DrivenBridge(driver)
    driver.fail("a")
    changes = list(bridge.news())
    table = EventTable(bridge.log, lambda at: at)
    for one in changes:
        table.on_changes(one)
    assert "a failed, attempt 1: It exited with 1" in texts(table, event_table.EventColumn.TEXT)
    table.set_filter(EventFilter(sorts=frozenset({EventSort.ENDS})))
    assert texts(table, event_table.EventColumn.TASK) == ["a"]
    table.set_filter(EventFilter(task_id="b"))
    assert set(texts(table, event_table.EventColumn.TASK)) == {"b"}
    table.set_filter(EventFilter(run_id="no such run"))
    assert all(table.event_at(row).run_id == "" for row in range(table.rowCount()))


def test_a_long_log_is_bounded_and_new_rows_come_in_one_step():
    log = EventLog(2_000)
    table = EventTable(log, lambda at: at)
    steps = steps_of(table)
    for begin in range(0, 30_000, 500):
        for number in range(begin, begin + 500):
            log.add(ev.TaskReady(number, 0.0, "r", f"t{number}"))
        table.on_changes(Changes(run_id="r", log=True))
    assert steps.count("inserted") == 60
    assert "reset" not in steps
    assert table.rowCount() <= 12_500
    assert table.data(table.index(table.rowCount() - 1, event_table.EventColumn.TASK)) == "t29999"
    assert [event.seq for _, event in log.since(29_998)] == [29_998, 29_999]
    assert log.get(29_999).seq == 29_999
    with pytest.raises(IndexError, match="is not kept"):
        log.get(0)


def test_runs_are_listed_with_state_and_how_far_they_are():
    counts = {"submitted": 5, "removed": 1, "completed": 2, "failed": 1}
    made = [
        RunRecord(
            run_id="x",
            folder=Path("x"),
            name="night",
            state="interrupted",
            created=1.0,
            took=725.0,
            size=1_500_000,
            counts=counts,
        ),
        RunRecord(run_id="y", folder=Path("y"), state="unreadable", trouble="row 3 is damaged"),
    ]
    table = RunTable(made)
    assert texts(table, 0) == ["night", "y"]
    assert texts(table, 1) == ["Interrupted", "Unreadable"]
    assert texts(table, run_table.RunColumn.TASKS) == ["2 of 4", ""], "what failed is not done"
    assert texts(table, run_table.RunColumn.FAILED) == ["1", ""]
    assert texts(table, run_table.RunColumn.TOOK) == ["12:05", ""]
    assert texts(table, run_table.RunColumn.SIZE) == ["1.5 MB", ""]
    assert texts(table, run_table.RunColumn.REMARK) == ["can be resumed", "row 3 is damaged"]
    selected = table.index(1, 0)
    steps = steps_of(table)
    table.sort(run_table.RunColumn.NAME, Qt.SortOrder.DescendingOrder)
    assert steps == ["layout"]
    assert table.data(table.index(0, 0), ItemRole.ID) == "y"
    assert selected.isValid()


def test_a_run_that_waits_for_a_person_says_so_as_its_tab_does():
    idle = RunRecord(run_id="x", folder=Path("x"), state="executing", waits=1, held_by=Holder(), created=4.0)
    busy = replace(idle, run_id="y", folder=Path("y"), counts={"running": 1}, created=3.0)
    paused = replace(idle, run_id="z", folder=Path("z"), state="paused", created=2.0)
    left = replace(idle, run_id="l", folder=Path("l"), state="interrupted", held_by=None, created=1.0)
    said = ["Waits for you", "Executing, waits for you", "Paused, waits for you", "Interrupted"]
    assert texts(RunTable([idle, busy, paused, left]), run_table.RunColumn.STATE) == said
    forms = [run_table.form_of_record(one) for one in (idle, busy, paused, left)]
    assert forms == [StatusForm.PENDING, StatusForm.RUNNING, StatusForm.PENDING, StatusForm.PENDING]


def test_a_run_that_has_ended_is_not_called_open_as_this_program_keeps_it_in_memory():
    mine = Holder(os.getpid(), socket.gethostname())
    over = RunRecord(run_id="x", folder=Path("x"), state="completed", held_by=mine)
    going = replace(over, run_id="y", folder=Path("y"), state="executing")
    theirs = replace(over, run_id="z", folder=Path("z"), held_by=Holder(mine.pid + 1, mine.host))
    said = texts(RunTable([over, going, theirs]), run_table.RunColumn.REMARK)
    assert said[:2] == ["", "open in this program"]
    assert said[2].startswith("open in ")


def test_what_is_chosen_stays_while_more_runs_are_read_and_some_go():
    runs = [RunRecord(run_id=str(at), folder=Path(str(at)), state="completed", created=float(at)) for at in range(9)]
    table = RunTable(runs[1:8:2])
    chosen = QPersistentModelIndex(table.index(1, 0))
    steps = steps_of(table)
    assert chosen.data() == "5"
    table.show(runs[:8])
    assert texts(table, 0) == list("76543210")
    assert (chosen.data(), chosen.row()) == ("5", 2)
    table.show([runs[1], runs[5], runs[8]])
    assert texts(table, 0) == list("851")
    assert (chosen.data(), chosen.row()) == ("5", 1)
    assert "reset" not in steps
    table.show(runs[:3])
    assert not chosen.isValid()


class Hanging(SimulatedDevice):
    """A device that gives no more signs of life once it hangs."""

    hangs = False

    @override
    async def ping(self) -> None:
        if self.hangs:
            await asyncio.Event().wait()
        await super().ping()


def test_a_device_that_misses_a_sign_of_life_is_late_before_it_is_given_up():
    async def main():
        device = Hanging("d", slots=2, heartbeat_interval=1.0)
        async with engine(device) as orchestrator:
            bridge = Bridge(LocalEngine(orchestrator))
            await pass_time(5)
            assert not bridge.is_late("d")
            assert not bridge.is_late("unknown")
            device.hangs = True
            await pass_time(2.5)
            assert bridge.is_late("d")
            assert bridge.fleet.devices["d"].connected, "it is not given up yet"
            device.hangs = False
            await pass_time(2)
            assert not bridge.is_late("d")
            bridge.close()

    run(main())


def test_devices_are_asked_for_their_load_only_while_somebody_looks_and_signs_of_life_are_known():
    async def main():
        device = SimulatedDevice("d", slots=2, heartbeat_interval=1.0)
        async with engine(device, SimulatedDevice("e")) as orchestrator:
            local = LocalEngine(orchestrator)
            bridge, load = Bridge(local), DeviceLoad(local.devices, every=2.0)
            seen: list[float] = []
            load.measured.connect(lambda: seen.append(loop().time()))
            await pass_time(10)
            assert not seen
            load.set_watched(True)
            await pass_time(4.5)
            load.set_watched(False)
            await pass_time(10)
            assert len(seen) == 3
            assert load.of("d") == (Metrics(cpu=0.0), (0.0, 0.0, 0.0))
            assert bridge.now() - bridge.heard("d") <= 1.0
            assert bridge.heard("e") is None
            bridge.close()

    run(main())
