"""The bridge tells views what changed, once a frame, in a bounded time, and does nothing while nothing happens."""

from __future__ import annotations

import time

import pytest
import shiboken6
from PySide6.QtCore import QObject, QTimer
from tests.driver import edge, plan, task
from tests.gui.event_loop.loops import run_on
from tests.gui.gateway.frames import View, soon, told
from tests.gui.models.cells import Painted, cells
from tests.virtual_time import engine, run
from tests.waiting import until

from starloom.constellation.edits import AddDependency, AddTask
from starloom.devices.simulated import SimulatedDevice
from starloom.orchestration import subscription
from starloom.orchestration.orchestrator import Orchestrator
from starloom.scheduling.stimuli import DeviceConnectedNoticed, DeviceLostNoticed
from starloom.testing import independent
from starloom_gui.event_loop import QtEventLoop
from starloom_gui.gateway.bridge import FRAME, Bridge
from starloom_gui.gateway.changes import FLEET, Changes
from starloom_gui.gateway.health import LONGEST
from starloom_gui.gateway.local_engine import LocalEngine
from starloom_gui.models.task_table import TaskTable

pytestmark = pytest.mark.usefixtures("app")


def steps(*names: str, seconds: float = 1.0):
    return [task(name, simulate=seconds) for name in names]


def test_a_view_is_told_which_tasks_and_devices_changed():
    async def main():
        async with engine(SimulatedDevice("d", slots=2)) as orchestrator:
            bridge = Bridge(LocalEngine(orchestrator))
            view = View(bridge)
            started = await orchestrator.start(plan(steps("a", "b", "c"), ["a>c", "b>c"]), run_id="r")
            await told(orchestrator, bridge)
            assert any(changes.everything and changes.run_id == "r" for changes in view.seen)
            view.seen.clear()
            await started.finished()
            await told(orchestrator, bridge)
            of_run = [changes for changes in view.seen if changes.run_id == "r"]
            assert view.tasks() == {0, 1, 2}
            assert any(changes.run for changes in of_run)
            assert any(changes.load for changes in of_run)
            view.seen.clear()
            await orchestrator.fleet.drain("d")
            await told(orchestrator, bridge)
            assert [changes.devices for changes in view.seen if changes.run_id == FLEET] == [frozenset({"d"})]
            bridge.close()

    run(main())


def test_a_parents_end_is_told_of_its_children_too_as_their_second_line_counts_parents():
    async def main():
        async with engine(SimulatedDevice("d", slots=1)) as orchestrator:
            bridge = Bridge(LocalEngine(orchestrator))
            held = await orchestrator.start(plan(steps("a", "b", "c"), ["a>c", "b>c"]), run_id="r", paused=True)
            await held.hold("b")
            await told(orchestrator, bridge)
            view = View(bridge, "r")
            await held.start()
            await soon(lambda: held.task("a").status == "completed")
            await told(orchestrator, bridge)
            assert view.tasks() == {0, 2}
            await held.release("b")
            bridge.close()

    run(main())


def test_an_edit_is_told_with_its_origin_and_the_tasks_it_is_about():
    async def main():
        async with engine() as orchestrator:
            bridge = Bridge(LocalEngine(orchestrator))
            held = await orchestrator.start(plan(steps("a", "b")), run_id="r", paused=True)
            await told(orchestrator, bridge)
            view = View(bridge, "r")
            await held.edit(AddTask(task("c")), AddDependency(edge("a", "c")), origin="agent")
            await told(orchestrator, bridge)
            (changes,) = view.seen
            assert [batch.origin for batch in changes.edits] == ["agent"]
            assert changes.tasks == {2}
            await held.cancel()
            bridge.close()

    run(main())


def test_a_hidden_view_is_told_nothing_and_then_once_that_everything_changed():
    async def main():
        async with engine(SimulatedDevice("d", slots=4)) as orchestrator:
            bridge = Bridge(LocalEngine(orchestrator))
            hidden, shown = View(bridge), View(bridge)
            hidden.feed.set_shown(False)
            for name in ("r", "s"):
                await (await orchestrator.start(independent(20, simulate=1), run_id=name)).finished()
            await told(orchestrator, bridge)
            assert shown.seen
            assert not hidden.seen
            assert not hidden.feed.backlog
            hidden.feed.set_shown(True)
            await told(orchestrator, bridge)
            assert sorted(changes.run_id for changes in hidden.seen) == ["r", "s"]
            assert all(changes.everything for changes in hidden.seen)
            bridge.close()

    run(main())


def test_a_view_hears_only_of_the_runs_it_wants():
    async def main():
        async with engine(SimulatedDevice("d", slots=4)) as orchestrator:
            bridge = Bridge(LocalEngine(orchestrator))
            view = View(bridge, "r")
            for name in ("r", "s"):
                await (await orchestrator.start(independent(3, simulate=1), run_id=name)).finished()
            await told(orchestrator, bridge)
            assert {changes.run_id for changes in view.seen} == {"r"}
            bridge.close()

    run(main())


def test_many_events_of_a_frame_are_one_telling():
    async def main():
        async with engine(SimulatedDevice("d", slots=None)) as orchestrator:
            bridge = Bridge(LocalEngine(orchestrator))
            quiet = View(bridge)
            started = await orchestrator.start(independent(500, simulate=1), run_id="r")
            await started.finished()
            await orchestrator.events.drained()
            before = len(quiet.seen)
            await told(orchestrator, bridge)
            assert len(quiet.seen) - before <= 3
            assert bridge.flushes < 20
            assert len(bridge.log) > 1_500
            bridge.close()

    run(main())


def test_what_takes_too_long_for_a_frame_is_told_in_the_next_and_nobody_is_left_out():
    async def main():
        async with engine() as orchestrator:
            bridge = Bridge(LocalEngine(orchestrator), budget=0.001)
            frames: list[int] = []
            views = [View(bridge, "r") for _ in range(5)]

            def slow(_changes: Changes) -> None:
                until = time.perf_counter() + 0.001 * LONGEST / FRAME  # as much as any frame may spend
                while time.perf_counter() < until:
                    pass
                frames.append(bridge.flushes)

            for view in views:
                view.feed.changed.connect(slow)
            held = await orchestrator.start(plan(steps("a")), run_id="r", paused=True)
            await told(orchestrator, bridge)
            assert all(view.seen for view in views)
            assert len(set(frames)) == len(frames), "two slow views had their turn in one frame"
            await held.cancel()
            bridge.close()

    run(main())


def test_a_lagging_bridge_tells_views_to_read_everything_anew_and_counts_what_was_lost():
    async def main():
        async with engine(SimulatedDevice("d", slots=4)) as orchestrator:
            bridge = Bridge(LocalEngine(orchestrator), max_pending=50)
            await told(orchestrator, bridge)
            view = View(bridge)
            started = await orchestrator.start(independent(200, simulate=1), run_id="r")
            await started.finished()
            await told(orchestrator, bridge)
            assert bridge.health.missed > 0
            assert bridge.log.lost == bridge.health.missed
            assert any(changes.everything and changes.run_id == "r" for changes in view.seen)
            assert any(changes.everything and changes.run_id == FLEET for changes in view.seen)
            bridge.close()

    run(main())


def test_no_timer_runs_and_no_frame_comes_while_nothing_happens():
    async def main():
        async with engine(SimulatedDevice("d")) as orchestrator:
            bridge = Bridge(LocalEngine(orchestrator))
            View(bridge)
            await (await orchestrator.start(independent(3, simulate=1), run_id="r")).finished()
            await told(orchestrator, bridge)
            await soon(lambda: not any(timer.isActive() for timer in bridge.findChildren(QTimer)))
            assert bridge.health.backlog == 0
            bridge.close()

    run(main())


def test_seconds_are_told_while_something_runs_that_somebody_sees():
    async def main():
        async with engine(SimulatedDevice("d")) as orchestrator:
            bridge = Bridge(LocalEngine(orchestrator))
            view = View(bridge, "r")
            started = await orchestrator.start(plan(steps("a", seconds=1e6)), run_id="r", paused=True)
            await started.start()
            await soon(lambda: any(changes.second for changes in view.seen))
            view.feed.set_shown(False)
            await soon(lambda: not any(timer.isActive() for timer in bridge.findChildren(QTimer)))
            await started.cancel()
            bridge.close()

    run(main())


def test_seconds_are_told_while_it_is_counted_down_to_a_device_though_no_run_goes_on():
    async def main():
        async with engine(SimulatedDevice("d")) as orchestrator:
            bridge = Bridge(LocalEngine(orchestrator))
            view = View(bridge)
            await soon(lambda: not any(timer.isActive() for timer in bridge.findChildren(QTimer)))
            orchestrator.pump.post(DeviceLostNoticed("d", "no sign of life", lost_after=1e6))
            await soon(lambda: any(changes.second for changes in view.seen))
            orchestrator.pump.post(DeviceConnectedNoticed("d"))
            await soon(lambda: not any(timer.isActive() for timer in bridge.findChildren(QTimer)))
            bridge.close()

    run(main())


def test_a_closed_bridge_tells_nothing_more():
    async def main():
        async with engine(SimulatedDevice("d")) as orchestrator:
            bridge = Bridge(LocalEngine(orchestrator))
            view = View(bridge)
            bridge.close()
            bridge.close()
            await (await orchestrator.start(independent(3, simulate=1))).finished()
            await orchestrator.events.drained()
            assert not view.seen
            assert not any(timer.isActive() for timer in bridge.findChildren(QTimer))

    run(main())


def test_a_feed_ends_with_its_view_even_within_a_frame():
    async def main():
        async with engine() as orchestrator:
            bridge = Bridge(LocalEngine(orchestrator))
            widgets = [QObject(), QObject()]
            feeds = [bridge.feed(parent=widget) for widget in widgets]
            heard: list[int] = []

            def end_the_other(number: int) -> None:
                heard.append(number)
                if shiboken6.isValid(widgets[1 - number]):
                    shiboken6.delete(widgets[1 - number])

            for number, feed in enumerate(feeds):
                feed.changed.connect(lambda _, number=number: end_the_other(number))
            held = await orchestrator.start(plan(steps("a")), run_id="r", paused=True)
            await soon(lambda: heard)
            await soon(lambda: bridge.is_resting)
            assert len(set(heard)) == 1
            await held.cancel()
            bridge.close()

    run(main())


def test_on_the_consoles_own_loop_a_table_follows_a_run_to_its_end():
    async def main():
        async with Orchestrator([SimulatedDevice("d", slots=4)]) as orchestrator:
            bridge = Bridge(LocalEngine(orchestrator))
            table = TaskTable(lambda: bridge.run("r"), bridge.now)
            feed = bridge.feed("r", FLEET)
            feed.changed.connect(table.on_changes)
            painted = Painted(table)
            started = await orchestrator.start(independent(40, simulate=0.01), run_id="r")
            await started.finished()
            await until(lambda: bridge.is_resting and table.rowCount() == 40)
            assert painted.rows == cells(TaskTable(lambda: bridge.run("r"), bridge.now))
            assert {row[0][0] for row in painted.rows} == {"Done"}
            assert bridge.health.frame > 0
            bridge.close()

    run_on(QtEventLoop, main)


@pytest.mark.parametrize(("took", "apart"), [(0.001, FRAME), (0.02, 0.04), (3.0, LONGEST)])
@pytest.mark.parametrize("is_behind", [True, False])
def test_frames_take_half_of_the_time_at_most_while_the_loop_is_behind(
    took: float, apart: float, is_behind: bool, monkeypatch: pytest.MonkeyPatch
):
    async def main():
        async with engine() as orchestrator:
            bridge = Bridge(LocalEngine(orchestrator))
            await told(orchestrator, bridge)
            flushes = bridge.flushes
            monkeypatch.setattr("starloom_gui.gateway.bridge._is_loop_behind", lambda: is_behind)
            bridge._frames.note_frame(took)
            bridge._last = time.perf_counter() + 10.0  # whatever this machine does meanwhile, it is not overdue
            bridge._wake()
            assert bridge._due - bridge._last == pytest.approx(FRAME)
            bridge._begin_frame()
            if is_behind and apart > FRAME:
                assert bridge.flushes == flushes
                assert bridge._due - bridge._last == pytest.approx(apart)
                bridge._begin_frame()
            assert bridge.flushes == flushes + 1, "it rests once, not again and again"
            bridge.close()

    run(main())


def test_a_bridge_that_is_never_done_is_only_as_far_behind_as_its_oldest_news(monkeypatch: pytest.MonkeyPatch):
    """News that come all the time leave it no rest, and still every view hears of everything within moments."""

    async def main():
        async with engine() as orchestrator:
            bridge = Bridge(LocalEngine(orchestrator), budget=0.0)
            held = await orchestrator.start(independent(3), run_id="r", paused=True)
            await told(orchestrator, bridge)
            views = [View(bridge) for _ in range(3)]
            seconds = 1000.0
            monkeypatch.setattr(time, "perf_counter", lambda: seconds)
            for _ in range(30):
                bridge.read_anew()
                seconds += 1.0
                bridge._flush()  # tells one view
                assert not bridge.is_resting
            assert 0.0 < bridge.behind < 10.0, "each of three views has its turn within a few frames of a second"
            assert all(view.seen for view in views)
            monkeypatch.undo()
            await held.cancel()
            bridge.close()

    run(main())


def test_a_bridge_that_has_not_heard_of_what_happened_does_not_rest(monkeypatch: pytest.MonkeyPatch):
    """Where the machine is busy it may hear of one event a turn; pictures must not be taken in between."""
    monkeypatch.setattr(subscription, "SLICE", 1e-9)

    async def main():
        async with engine() as orchestrator:
            bridge = Bridge(LocalEngine(orchestrator))
            view = View(bridge)
            held = await orchestrator.start(independent(30), run_id="r", paused=True)
            await soon(lambda: bridge.is_resting)
            view.seen.clear()
            await held.set_priority(*held.facts.graph.place, priority=80)
            assert not bridge.is_resting
            await soon(lambda: bridge.is_resting)
            assert view.tasks() == set(range(30))
            await held.cancel()
            bridge.close()

    run(main())


def test_what_waits_for_a_slow_console_is_its_backlog():
    async def main():
        async with engine() as orchestrator:
            bridge = Bridge(LocalEngine(orchestrator))
            view = View(bridge)
            held = await orchestrator.start(independent(30), run_id="r", paused=True)
            await told(orchestrator, bridge)
            await held.set_priority(*held.facts.graph.place, priority=80)
            await orchestrator.events.drained()
            assert bridge.health.backlog == 30
            view.seen.clear()
            await told(orchestrator, bridge)
            assert bridge.health.backlog == 0
            assert view.tasks() == set(range(30))
            await held.cancel()
            bridge.close()

    run(main())
