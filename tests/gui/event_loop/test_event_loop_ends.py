"""How the console's loops end, are interrupted, and answer to what must not be done with them."""

from __future__ import annotations

import asyncio
import gc
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import pytest
from PySide6.QtCore import QAbstractEventDispatcher, QEventLoop, Qt, QTimer
from PySide6.QtWidgets import QDialog
from tests.gui.event_loop.loops import BOUND, OURS, run_on
from tests.waiting import until

from starloom_gui.event_loop import QtEventLoop, run


@pytest.fixture(params=OURS)
def factory(app, request):
    return OURS[request.param]


def loop() -> Any:
    return asyncio.get_running_loop()


# ---- nested loops, quitting, interrupts


def nested_loop() -> None:
    nested = QEventLoop()
    QTimer.singleShot(5, nested.quit)
    nested.exec()


def nested_dialog() -> None:
    dialog = QDialog()
    QTimer.singleShot(5, dialog.accept)
    dialog.exec()


@pytest.mark.parametrize("open_nested", [nested_loop, nested_dialog])
def test_a_nested_qt_loop_in_a_task_is_reported_and_no_task_is_lost(factory, open_nested):
    async def main() -> tuple[list[str], int]:
        reports: list[str] = []
        ticks = 0
        loop().set_exception_handler(lambda _loop, context: reports.append(context["message"]))

        async def tick() -> None:
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0)

        ticking = asyncio.create_task(tick())
        await asyncio.sleep(0.001)
        loop().call_soon_threadsafe(int)
        open_nested()
        before = ticks
        await asyncio.sleep(0.001)
        ticking.cancel()
        return reports, ticks - before

    reports, ticks = run_on(factory, main)
    assert ticks > 0
    if factory is QtEventLoop:  # where input is pushed, nobody looks before the nested loop has ended
        assert len(reports) == 1
        assert "started from within a task" in reports[0]


def test_a_task_goes_on_in_a_nested_loop_that_a_slot_has_opened(factory):
    """Dragging opens one, and cannot do without: from a mouse event, which asyncio knows nothing of."""

    async def main() -> int:
        nested = QEventLoop()
        QTimer.singleShot(0, nested.exec)
        await until(nested.isRunning)
        ticks = 0
        while nested.isRunning():
            ticks += 1
            await asyncio.sleep(0.001)
            await asyncio.to_thread(int)
            if ticks == 5:
                nested.quit()
        return ticks

    assert run_on(factory, main) == 5


def test_it_refuses_to_run_within_a_running_qt_loop(factory):
    refused: list[str] = []
    nested = QEventLoop()

    def start() -> None:
        ours = factory()
        try:
            ours.run_forever()
        except RuntimeError as error:
            refused.append(str(error))
        ours.close()
        nested.quit()

    QTimer.singleShot(0, start)
    nested.exec()
    assert "runs already" in refused[0]


def test_qt_that_quits_ends_the_program_and_what_runs_is_cancelled(factory, app):
    ended: list[str] = []

    async def main() -> None:
        app.quit()
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cleaned up")

    with asyncio.Runner(loop_factory=factory) as runner:
        with pytest.raises(RuntimeError, match="before Future completed"):
            runner.run(main())
        end_tasks(runner)
    assert ended == ["cleaned up"]


def end_tasks(runner: asyncio.Runner) -> None:
    """Do what leaving the runner would do, which a guard of all tests takes for carelessness."""
    tasks = asyncio.all_tasks(runner.get_loop())
    for task in tasks:
        task.cancel()
    runner.get_loop().run_until_complete(asyncio.wait(tasks))


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_what_ends_a_program_comes_out_of_the_loop(factory, error):
    def fail() -> None:
        raise error

    async def main() -> None:
        loop().call_soon(fail)
        await asyncio.Event().wait()

    with asyncio.Runner(loop_factory=factory) as runner:
        with pytest.raises(error):
            runner.run(main())
        end_tasks(runner)


def test_stop_lets_everything_run_that_was_due(factory):
    seen: list[str] = []
    ours = factory()

    def stop() -> None:
        ours.stop()
        ours.call_soon(seen.append, "next time")

    ours.call_soon(stop)
    for number in range(3):
        ours.call_soon(_spin, 0.003)  # more than a turn's time, together
        ours.call_soon(seen.append, str(number))
    ours.run_forever()
    assert seen == ["0", "1", "2"]
    assert not ours.is_running()
    ours.stop()  # before it runs: a single iteration
    ours.run_forever()
    assert seen[3:] == ["next time"]
    ours.close()
    assert ours.is_closed()
    with pytest.raises(RuntimeError, match="closed"):
        ours.call_soon(int)


def test_nothing_runs_while_the_loop_does_not(factory):
    seen: list[str] = []
    ours = factory()
    ours.call_soon(seen.append, "soon")
    ours.call_later(0, seen.append, "later")
    nested = QEventLoop()
    QTimer.singleShot(5, nested.quit)
    nested.exec()
    assert seen == []
    ours.run_until_complete(until(lambda: len(seen) == 2))
    assert seen == ["soon", "later"]
    ours.close()


@pytest.mark.skipif(sys.platform == "win32", reason="os.kill does not interrupt there")
def test_an_interrupt_cancels_the_program_while_qt_waits(app):
    seen: list[str] = []

    async def main() -> None:
        _interrupt_when_idle()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            seen.append("cleaned up")

    with pytest.raises(KeyboardInterrupt):
        run(main())
    assert seen == ["cleaned up"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.skipif(sys.platform == "win32", reason="os.kill does not interrupt there")
def test_a_second_interrupt_ends_a_program_that_does_not_want_to(app):
    async def main() -> None:
        _interrupt_when_idle()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            _interrupt_when_idle()
            await asyncio.Event().wait()

    with asyncio.Runner(loop_factory=QtEventLoop) as runner:
        with pytest.raises(KeyboardInterrupt):
            runner.run(main())
        end_tasks(runner)


def _interrupt_when_idle() -> None:
    """Have a thread send the signal once Qt waits."""
    idle = threading.Event()
    dispatcher = QAbstractEventDispatcher.instance()
    dispatcher.aboutToBlock.connect(idle.set, Qt.ConnectionType.SingleShotConnection)

    def send() -> None:
        if idle.wait(BOUND):
            signal.raise_signal(signal.SIGINT)

    threading.Thread(target=send).start()


def test_a_running_loop_is_neither_closed_nor_run_again(factory):
    async def main() -> bool:
        with pytest.raises(RuntimeError, match="Cannot close a running event loop"):
            loop().close()
        with pytest.raises(RuntimeError, match="already running"):
            loop().run_forever()
        return bool(loop().is_running())

    assert run_on(factory, main)


def test_a_program_that_ends_itself_has_no_exception_that_nobody_retrieved(factory):
    async def main() -> None:
        raise SystemExit(3)

    ours = factory()
    with pytest.raises(SystemExit):
        ours.run_until_complete(main())
    ours.close()
    gc.collect()  # the task would say so now, which fails the test


@pytest.mark.expects_log
def test_errors_that_nobody_handles_are_logged_as_asyncio_does(factory, caplog):
    def fail() -> None:
        raise ValueError("in a callback")

    async def main() -> None:
        loop().call_soon(fail)
        loop().call_exception_handler({"message": "said", "what": [1, 2]})
        await asyncio.sleep(0)

    said = []
    for each in (asyncio.SelectorEventLoop, factory):
        caplog.clear()
        run_on(each, main)
        said.append([(record.name, record.levelname, record.getMessage()) for record in caplog.records])
    assert said[0] == said[1]
    assert len(said[0]) == 2


# ---- debug mode, and being made


@pytest.mark.expects_log
def test_debug_mode_tells_of_slow_callbacks_and_wrong_threads(factory, caplog):
    async def main() -> None:
        loop().slow_callback_duration = 0.01
        loop().call_soon(_spin, 0.02)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        with pytest.raises(TypeError):
            loop().call_soon(asyncio.sleep)
        with pytest.raises(RuntimeError, match="Non-thread-safe"):
            await asyncio.to_thread(loop().call_soon, int)
        with pytest.raises(RuntimeError, match="Non-thread-safe"):
            await asyncio.to_thread(loop().call_later, 1, int)

    run_on(factory, main, debug=True)
    assert "_spin" in caplog.text
    assert "painting and input had to wait" in caplog.text


def _spin(seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass


def test_without_an_application_it_says_so():
    code = "import starloom_gui.event_loop as e\ntry: e.QtEventLoop()\nexcept RuntimeError as error: print(error)"
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "no QApplication" in done.stdout
