"""What the console's loops promise beyond asyncio's behaviour: Qt gets its turns, timers are exact, idling is free."""

from __future__ import annotations

import asyncio
import random
import socket
import sys
import time
from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import QAbstractEventDispatcher, QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget
from tests.gui.event_loop.loops import BOUND, OURS, run_on
from tests.waiting import until
from typing_extensions import override

from starloom_gui.event_loop import run
from starloom_gui.event_loop.loop import SWITCH_INTERVAL

PINGS = 20


@pytest.fixture(params=OURS)
def factory(app, request):
    return OURS[request.param]


def loop() -> Any:
    return asyncio.get_running_loop()


# ---- Qt gets its turns


def test_threads_change_often_while_the_console_runs_and_as_before_afterwards(app):
    before = sys.getswitchinterval()

    async def main() -> float:
        return sys.getswitchinterval()

    assert run(main()) == pytest.approx(SWITCH_INTERVAL)
    assert sys.getswitchinterval() == before


class Painted(QWidget):
    """Counts how often it was painted and told of events that were posted to it."""

    POSTED = QEvent.Type(QEvent.registerEventType())

    def __init__(self) -> None:
        super().__init__()
        self.paints = 0
        self.told = 0

    @override
    def paintEvent(self, event: Any) -> None:
        self.paints += 1

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == self.POSTED:
            self.told += 1
            return True
        return super().event(event)


def test_a_queue_that_is_never_empty_starves_neither_timers_nor_painting_nor_input(factory):
    async def main() -> None:
        widget, ticker = Painted(), QTimer()
        widget.show()
        ticks = 0

        def tick() -> None:
            nonlocal ticks
            ticks += 1
            widget.update()
            QCoreApplication.postEvent(widget, QEvent(Painted.POSTED))

        def again() -> None:
            if min(ticks, widget.paints, widget.told) < PINGS:
                loop().call_soon(again)

        ticker.timeout.connect(tick)
        ticker.start(1)
        for _ in range(1000):
            loop().call_soon(again)
        await until(lambda: min(ticks, widget.paints, widget.told) >= PINGS)
        ticker.stop()
        widget.deleteLater()

    run_on(factory, main)


def test_a_hundred_thousand_callbacks_are_done_in_many_turns_with_qt_in_between(factory):
    async def main() -> None:
        ticker, done = QTimer(), loop().create_future()
        ticks = 0

        def tick() -> None:
            nonlocal ticks
            ticks += 1

        ticker.timeout.connect(tick)
        ticker.start(0)
        for _ in range(100_000):
            loop().call_soon(int)
        loop().call_soon(done.set_result, None)
        before = loop().turns
        await done
        ticker.stop()
        assert loop().turns - before >= 5
        assert ticks >= 3

    run_on(factory, main)


def test_the_loop_is_behind_while_callbacks_are_left_over_and_not_while_it_waits(factory):
    async def main() -> None:
        ticker, seen = QTimer(), set[bool]()
        ticker.timeout.connect(lambda: seen.add(loop().is_behind))
        ticker.start(0)
        for _ in range(100_000):
            loop().call_soon(int)
        await until(lambda: True in seen)
        seen.clear()
        await until(lambda: False in seen)
        ticker.stop()

    run_on(factory, main)


def test_qt_that_is_always_busy_does_not_starve_asyncio(factory):
    class Flood(QObject):
        open = True

        @override
        def event(self, event: QEvent) -> bool:
            if self.open:
                QCoreApplication.postEvent(self, QEvent(QEvent.Type.User))
            return True

    async def main() -> None:
        flood = Flood()
        QCoreApplication.postEvent(flood, QEvent(QEvent.Type.User))
        for _ in range(PINGS):
            await asyncio.sleep(0.001)
            await asyncio.to_thread(int)
        flood.open = False

    run_on(factory, main)


def test_a_turn_ends_when_its_time_is_up_and_the_rest_keeps_its_order(factory):
    seen: list[int] = []

    async def main() -> list[int]:
        at_turn: list[int] = []

        def work(number: int) -> None:
            seen.append(number)
            at_turn.append(loop().turns)
            until = time.monotonic() + 0.003
            while time.monotonic() < until:
                pass

        for number in range(20):
            loop().call_soon(work, number)
        await until(lambda: len(seen) == 20)
        return at_turn

    at_turn = run_on(factory, main)
    assert seen == list(range(20))
    assert max(at_turn.count(turn) for turn in at_turn) <= 2  # two of 3 ms are more than 4 ms


# ---- timers


def test_timers_are_never_early(factory):
    draw = random.Random(7)

    async def main() -> list[float]:
        late: list[float] = []
        left = 400
        done = asyncio.Event()

        def note(when: float) -> None:
            nonlocal left
            late.append(loop().time() - when)
            left -= 1
            if not left:
                done.set()

        for _ in range(left):
            when = loop().time() + draw.uniform(0, 0.1)
            loop().call_at(when, note, when)
        await done.wait()
        return late

    assert min(run_on(factory, main)) >= 0


def test_sleeps_are_never_short_not_even_those_below_a_millisecond(factory):
    async def main() -> None:
        for delay in (0.0002, 0.0009, 0.0011, 0.0101, 0.05):
            begun = time.monotonic()
            await asyncio.sleep(delay)
            assert time.monotonic() - begun >= delay

    run_on(factory, main)


def test_cancelled_timers_leave(factory):
    async def main() -> None:
        for _ in range(10_000):
            await asyncio.wait_for(asyncio.sleep(0), 3600)
        await asyncio.sleep(0.001)
        assert len(loop()._scheduled) <= 201
        timers = [loop().call_later(3600, int) for _ in range(10_000)]
        await asyncio.sleep(0)
        for timer in timers:
            timer.cancel()
        await asyncio.sleep(0.001)
        assert len(loop()._scheduled) <= 201

    run_on(factory, main)


def test_a_timer_that_is_set_while_qt_waits_for_a_later_one_is_in_time(factory):
    async def main() -> None:
        far = loop().call_later(3600, int)
        slot = QTimer()
        slot.setSingleShot(True)
        done = asyncio.Event()
        slot.timeout.connect(lambda: loop().call_later(0.002, done.set))
        slot.start(1)
        await done.wait()
        far.cancel()

    run_on(factory, main)


def test_tasks_are_started_and_woken_from_slots(factory):
    async def main() -> list[str]:
        said: list[str] = []
        slot, woken = QTimer(), asyncio.Event()
        slot.setSingleShot(True)

        async def work() -> None:
            said.append("began")
            await woken.wait()
            said.append("woken")

        tasks: list[asyncio.Task[None]] = []
        slot.timeout.connect(lambda: tasks.append(asyncio.create_task(work())))
        slot.start(1)
        await until(lambda: said)
        slot.timeout.disconnect()
        slot.timeout.connect(woken.set)
        slot.start(1)
        await tasks[0]
        return said

    assert run_on(factory, main) == ["began", "woken"]


# ---- idling


def test_an_idle_loop_is_not_woken_at_all(factory):
    """But for the end of the time it is looked at: cancelled timers, far timers and open readers wake nobody."""

    async def main() -> tuple[int, int]:
        far = [loop().call_later(3600, int) for _ in range(50)]
        await asyncio.gather(*(asyncio.to_thread(int) for _ in range(5)))
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", "")
        await process.wait()
        near = [loop().call_later(0.25 + 0.01 * number, pytest.fail, "cancelled") for number in range(10)]
        await asyncio.sleep(0.001)
        QTimer.singleShot(0, lambda: [timer.cancel() for timer in near])  # outside of a turn
        await asyncio.sleep(0.05)
        awakenings = 0

        def count() -> None:
            nonlocal awakenings
            awakenings += 1

        dispatcher = QAbstractEventDispatcher.instance()
        dispatcher.awake.connect(count)
        before = loop().turns
        await asyncio.sleep(0.3)
        dispatcher.awake.disconnect(count)
        turns = loop().turns - before
        for timer in far:
            timer.cancel()
        return turns, awakenings

    turns, awakenings = run_on(partial(factory, budget=BOUND), main)
    assert turns == 1  # the one that ends the sleep
    assert awakenings <= 3


def test_a_timer_that_a_slot_cancels_wakes_nobody(factory):
    async def main() -> int:
        timer = loop().call_later(0.08, pytest.fail, "cancelled")
        QTimer.singleShot(1, timer.cancel)
        before = loop().turns
        await asyncio.sleep(0.1)
        return int(loop().turns - before)

    assert run_on(partial(factory, budget=BOUND), main) == 1


# ---- input


def test_input_that_comes_while_time_is_up_is_seen_when_the_rest_is_done(factory):
    async def main() -> bytes:
        ours, theirs = socket.socketpair()
        read = loop().create_future()

        def spin(seconds: float) -> None:
            theirs.send(b"x")
            until = time.monotonic() + seconds
            while time.monotonic() < until:
                pass

        loop().add_reader(ours, lambda: read.done() or read.set_result(ours.recv(9)))
        for _ in range(2):
            loop().call_soon(spin, 0.005)
        data: bytes = await read
        loop().remove_reader(ours)
        ours.close()
        theirs.close()
        return data

    assert run_on(factory, main).startswith(b"x")
