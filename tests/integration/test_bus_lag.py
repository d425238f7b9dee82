"""Subscribers that fall behind or join late, and a run's stream."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

import pytest
from tests.virtual_time import engine, pass_time, run
from tests.waiting import until

from starloom import events as ev
from starloom.devices.simulated import SimulatedDevice
from starloom.model.status import RunState
from starloom.orchestration import bus as bus_module
from starloom.orchestration.bus import EventBus
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.folded_run import FoldedRun
from starloom.testing import chain, independent

if TYPE_CHECKING:
    from collections.abc import Collection

    from starloom.events import Event


def ready(number: int, run_id: str = "r") -> ev.TaskReady:
    return ev.TaskReady(number, 0.0, run_id, f"t{number}")


def started(number: int, run_id: str = "r") -> ev.TaskStarted:
    return ev.TaskStarted(number, 0.0, run_id, f"t{number}", 1, "d", 0)


def numbers(seen: list[Event]) -> list[int]:
    return [event.seq for event in seen]


# ---- lag


def snapshots(state: dict[str, FoldedRun]) -> Any:
    def make(_also: Collection[str]) -> list[ev.Snapshot]:
        return [ev.Snapshot(view.run.seq, 0.0, name, 0, view) for name, view in state.items()]

    return make


class Gated:
    """An observer that waits at the first event until it may go on."""

    def __init__(self) -> None:
        self.seen: list[Any] = []
        self.gate = asyncio.Event()

    async def __call__(self, event: Event) -> None:
        self.seen.append(event)
        await self.gate.wait()


def test_one_that_lags_is_told_how_many_it_missed_and_hears_what_comes_after() -> None:
    async def main() -> None:
        bus, observer = EventBus(snapshots({"r": FoldedRun("r")})), Gated()
        subscription = bus.subscribe(observer, max_pending=10)
        await until(lambda: observer.seen)
        for first, last in ((1, 8), (8, 13), (13, 14)):
            bus.publish([ready(number) for number in range(first, last)])
            await pass_time(1)
        observer.gate.set()
        await bus.drained()
        joined, told, after = observer.seen
        assert [type(event).__name__ for event in observer.seen] == ["Snapshot", "Snapshot", "TaskReady"]
        assert (joined.missed, told.missed, subscription.missed, after.seq) == (0, 12, 12, 13)

    run(main())


def test_missed_counts_only_what_was_never_delivered() -> None:
    async def main() -> None:
        bus, observer = EventBus(snapshots({"r": FoldedRun("r")})), Gated()
        subscription = bus.subscribe(observer, ev.TaskReady, ev.Snapshot, max_pending=10)
        observer.gate.set()
        bus.publish([ready(number) for number in range(1, 6)])
        await bus.drained()
        observer.gate.clear()
        bus.publish([ready(number) for number in range(6, 11)])
        await pass_time(1)
        bus.publish([ready(number) for number in range(11, 21)])
        await pass_time(1)
        observer.gate.set()
        await bus.drained()
        heard = [event.seq for event in observer.seen if not isinstance(event, ev.Snapshot)]
        assert heard == [1, 2, 3, 4, 5, 6]
        assert subscription.missed == observer.seen[-1].missed == 14

    run(main())


@pytest.mark.expects_log
def test_a_subscriber_to_types_that_lags_has_it_counted_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    """It did not ask for snapshots; nobody calls it with an event of a type it does not know."""

    async def main() -> None:
        bus, observer = EventBus(snapshots({"r": FoldedRun("r")})), Gated()
        subscription = bus.subscribe(observer, ev.TaskReady, max_pending=3)
        for first, last in ((1, 2), (2, 7), (7, 8)):
            bus.publish([ready(number) for number in range(first, last)])
            await pass_time(1)
        observer.gate.set()
        await bus.drained()
        assert (numbers(observer.seen), subscription.missed) == ([1, 7], 5)

    run(main())
    assert "missed 5 events" in caplog.text


def test_one_that_lags_behind_the_end_of_a_run_still_learns_of_it() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=50)) as orchestrator:
            seen: list[Any] = []
            gate = asyncio.Event()

            async def observer(event: Event) -> None:
                await gate.wait()
                seen.append(event)

            orchestrator.events.subscribe(observer, max_pending=20)
            handle = await orchestrator.start(independent(50, simulate=1.0))
            await handle.finished()
            gate.set()
            await until(lambda: seen and isinstance(seen[-1], ev.Snapshot))
            assert seen[-1].run_id == handle.id
            assert seen[-1].state.run.state is RunState.COMPLETED
            assert seen[-1].missed > 0

    run(main())


def test_folding_on_from_the_snapshot_after_a_lag_gives_the_live_state() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=5)) as orchestrator:
            views: dict[str, FoldedRun] = {}
            pause = 0.3

            async def observer(event: Event) -> None:
                if isinstance(event, ev.Snapshot):
                    views[event.run_id] = event.state
                elif event.run_id in views and event.seq > views[event.run_id].run.seq:
                    fold(views[event.run_id], [event])
                await asyncio.sleep(pause)

            subscription = orchestrator.events.subscribe(observer, max_pending=30)
            handle = await orchestrator.start(independent(60, simulate=1.0))
            await handle.finished()
            pause = 0.0
            await orchestrator.events.drained(patience=1000)
            assert subscription.missed > 0
            assert views[handle.id].run.canonical() == handle.facts.canonical()

    run(main())


# ---- late joiners


def test_one_that_joins_late_gets_a_snapshot_and_then_every_event() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=3)) as orchestrator:
            handle = await orchestrator.start(independent(30, simulate=1.0))
            await pass_time(4.5)
            seen: list[Any] = []
            orchestrator.events.subscribe(seen.append)
            await handle.finished()
            assert isinstance(seen[0], ev.Snapshot)
            assert (seen[0].missed, seen[0].run_id) == (0, handle.id)
            rest = [event for event in seen[1:] if event.run_id == handle.id]
            assert numbers(rest)[0] == seen[0].seq + 1
            assert fold(seen[0].state, rest).run.canonical() == handle.facts.canonical()

    run(main())


def test_who_subscribes_to_event_is_told_of_the_live_runs_as_who_names_no_type_is() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            handle = await orchestrator.start(chain(3, simulate=1.0), paused=True)
            seen = list[Any]()
            orchestrator.events.subscribe(seen.append, ev.Event)
            await until(lambda: seen)
            assert isinstance(seen[0], ev.Snapshot)
            await handle.start()
            await handle.finished()
            assert {ev.TaskReady, ev.TaskStarted, ev.TaskCompleted, ev.RunEnded} <= {type(event) for event in seen}

    run(main())


def test_a_snapshot_is_nobody_elses() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=3)) as orchestrator:
            handle = await orchestrator.start(independent(9, simulate=1.0))
            seen: list[Any] = []
            orchestrator.events.subscribe(seen.append, ev.Snapshot)
            orchestrator.events.subscribe(seen.append, ev.Snapshot)
            await until(lambda: len(seen) == 2)
            before = seen[1].state.run.canonical()
            fold(seen[0].state, [ev.RunPaused(seen[0].seq + 1, 0.0, handle.id)])
            await handle.finished()
            assert seen[1].state.run.canonical() == before

    run(main())


def test_a_subscriber_to_other_types_gets_no_snapshot() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            await orchestrator.start(independent(2, simulate=1.0))
            seen: list[Any] = []
            orchestrator.events.subscribe(seen.append, ev.TaskCompleted)
            await until(lambda: len(seen) == 2)
            assert {type(event) for event in seen} == {ev.TaskCompleted}

    run(main())


# ---- a run's stream


def test_a_runs_stream_opens_with_a_snapshot_and_ends_with_its_end() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            handle = await orchestrator.start(chain(5, simulate=1.0))
            other = await orchestrator.start(chain(9, simulate=1.0))
            seen = [event async for event in handle.events()]
            assert isinstance(seen[0], ev.Snapshot)
            assert isinstance(seen[-1], ev.RunEnded)
            assert {event.run_id for event in seen} == {handle.id}
            assert numbers(seen) == list(range(seen[0].seq, seen[-1].seq + 1))
            await other.finished()

    run(main())


def test_the_stream_of_an_ended_run_is_its_last_picture() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            handle = await orchestrator.start(chain(2, simulate=1.0))
            await handle.finished()
            (only,) = [event async for event in handle.events()]
            assert isinstance(only, ev.Snapshot)
            assert only.state.run.state is RunState.COMPLETED

    run(main())


def test_a_slow_reader_of_a_stream_falls_behind_rather_than_filling_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bus_module, "_AHEAD", 10)
    monkeypatch.setattr(EventBus.subscribe, "__kwdefaults__", {"max_pending": 50, "prompt": False})

    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=100)) as orchestrator:
            handle = await orchestrator.start(independent(500, simulate=1.0))
            seen = []
            async for event in handle.events():
                seen.append(event)
                await asyncio.sleep(1.0)
            assert len(seen) < 100
            assert sum(event.missed for event in seen if isinstance(event, ev.Snapshot)) > 500
            assert handle.state is RunState.COMPLETED

    run(main())


def test_a_reader_may_leave_a_stream_early_and_leaves_nothing_behind() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=100)) as orchestrator:
            handle = await orchestrator.start(independent(200, simulate=1.0))
            async for event in handle.events():
                if isinstance(event, ev.TaskCompleted):
                    break
            await handle.finished()

    run(main())


def test_real_time_passes_for_a_subscriber_too() -> None:
    """Once without virtual time: what was published is heard within a moment."""

    async def main() -> float:
        bus, heard = EventBus(), asyncio.Event()
        bus.subscribe(lambda _event: heard.set())
        began = time.perf_counter()
        bus.publish([ready(1)])
        await asyncio.wait_for(heard.wait(), 10)
        return time.perf_counter() - began

    assert asyncio.run(main()) < 5.0
