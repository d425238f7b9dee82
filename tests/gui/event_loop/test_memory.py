"""The collector keeps away from frames, and the installed PySide loses no reference to None."""

from __future__ import annotations

import asyncio
import gc
import sys
import threading

import pytest
from PySide6.QtCore import QObject, QTimer, QTimerEvent
from tests.gui.event_loop.loops import OURS, run_on
from typing_extensions import override

from starloom_gui.event_loop import garbage_collection
from starloom_gui.event_loop.garbage_collection import BULK, THRESHOLDS, calm_collector, collect_if_due, note_loaded

CALLS = 2_000
SLACK = 200
"""How many references to None may come and go by themselves; a loss is one for each call, or more."""
mortal_none = pytest.mark.skipif(sys.version_info >= (3, 12), reason="None cannot be lost any more")


@pytest.fixture
def collector():
    before, was_enabled = gc.get_threshold(), gc.isenabled()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)
    if was_enabled:
        gc.enable()


def test_the_collector_passes_over_what_was_alive_and_runs_less_often(collector):
    class Ring:
        def __init__(self) -> None:
            self.me = self

    was_garbage, alive = Ring(), Ring()
    known = {id(was_garbage), id(alive)}
    del was_garbage
    calm_collector()
    assert gc.get_threshold() == THRESHOLDS
    assert not any(id(one) in known for one in gc.get_objects())
    assert alive.me is alive


def test_a_thread_that_makes_many_objects_collects_nothing_and_the_loop_does(app, collector):
    """A window that is collected in a thread that reads a journal ends the program."""
    threads: list[int] = []

    class Ring:
        def __init__(self) -> None:
            self.me = self

        def __del__(self) -> None:
            threads.append(threading.get_ident())

    def make_many() -> list[list[int]]:
        return [[number] for number in range(THRESHOLDS[0] + 1000)]

    async def main() -> None:
        Ring()
        kept.append(await asyncio.to_thread(make_many))
        await asyncio.sleep(0)

    kept: list[object] = []
    calm_collector()
    run_on(OURS["polled"], main)
    assert threads == [threading.get_ident()]


def test_what_was_loaded_in_bulk_is_not_gone_over(collector):
    """A plan of 50,000 tasks has 300,000 objects, over which a collection takes 0.1 s."""
    seen: list[int] = []

    def count(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            seen.append(sum(len(gc.get_objects(generation)) for generation in range(info["generation"] + 1)))

    calm_collector()
    loaded = [[number] for number in range(BULK + 1000)]
    gc.callbacks.append(count)
    collect_if_due()
    assert not seen
    made = [[number] for number in range(THRESHOLDS[0] + 1000)]
    collect_if_due()
    gc.callbacks.remove(count)
    assert len(seen) == 1
    assert seen[0] < BULK < len(loaded) + len(made)


def test_a_large_plan_is_taken_for_old_as_soon_as_it_is_loaded(collector):
    calm_collector()
    loaded = [[number] for number in range(100)]
    before = gc.get_freeze_count()
    note_loaded(100)
    assert gc.get_freeze_count() == before, "it is collected as everything else"
    note_loaded(50_000)
    assert gc.get_freeze_count() >= before + len(loaded)


def test_a_full_collection_finds_what_was_loaded_in_bulk(collector, monkeypatch):
    ended: list[int] = []

    class Ring:
        def __init__(self) -> None:
            self.me = self

        def __del__(self) -> None:
            ended.append(1)

    calm_collector()
    Ring()
    loaded = [[number] for number in range(BULK + 1000)]
    collect_if_due()
    assert not ended
    monkeypatch.setattr(garbage_collection, "THRESHOLDS", (THRESHOLDS[0], 1, 1))
    loaded += [[number] for number in range(THRESHOLDS[0] + 1000)]
    collect_if_due()
    assert ended == [1]


def lost(calls: object) -> int:
    """How many references to None are gone after so many calls."""
    before = sys.getrefcount(None)
    calls()  # type: ignore[operator]  # a function
    return before - sys.getrefcount(None)


@mortal_none
def test_calls_into_qt_lose_no_reference_to_none(app):
    """PySide6 6.12.0 loses one for each call before Python 3.12, and ends the program after some 5,000."""

    class Listening(QObject):
        @override
        def timerEvent(self, event: QTimerEvent) -> None:
            pass

    def call() -> None:
        thing = Listening()
        for _ in range(CALLS):
            thing.setObjectName("name")
            thing.killTimer(thing.startTimer(1000))

    assert abs(lost(call)) < SLACK


@mortal_none
@pytest.mark.parametrize("name", OURS)
def test_turns_of_the_loop_lose_no_reference_to_none(app, name):
    async def main() -> int:
        loop = asyncio.get_running_loop()
        done, ticker, ticks = loop.create_future(), QTimer(), 0

        def tick() -> None:
            nonlocal ticks
            ticks += 1
            loop.call_soon(int)
            if ticks == CALLS // 4:
                ticker.stop()
                done.set_result(None)

        ticker.timeout.connect(tick)
        before = sys.getrefcount(None)
        ticker.start(0)
        await done
        return before - sys.getrefcount(None)

    assert abs(run_on(OURS[name], main)) < SLACK
