"""What programs that know qasync expect of its loop, done by the console's."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from typing import Any

import PySide6.QtCore
import pytest
from PySide6.QtCore import QSocketNotifier, QThread, QTimer, Signal
from PySide6.QtWidgets import QDialog, QWidget
from tests.gui.event_loop.loops import OURS, run_on
from tests.waiting import until
from typing_extensions import override

from starloom_gui.event_loop import QtEventLoop, run
from starloom_gui.qt_bindings import qasync


@pytest.fixture(params=OURS)
def factory(app, request):
    return OURS[request.param]


def test_the_consoles_loop_is_one_of_qasync_on_every_system(factory, app):
    ours = factory(app)
    assert isinstance(ours, qasync.QEventLoop)
    ours.close()


@pytest.mark.skipif(sys.platform == "win32", reason="there, qasync waits in a thread")
def test_no_descriptor_gets_a_notifier_of_its_own(app, monkeypatch):
    made: list[Any] = []

    class Counted(QSocketNotifier):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            made.append(given)

    ours = QtEventLoop()
    monkeypatch.setattr(PySide6.QtCore, "QSocketNotifier", Counted)

    async def main() -> int:
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", "", stdout=asyncio.subprocess.PIPE)
        await process.communicate()
        return len(made)

    assert ours.run_until_complete(main()) == 0
    ours.run_until_complete(ours.shutdown_default_executor())
    ours.close()
    stock = qasync.QEventLoop(app)
    stock.close()
    assert len(made) == 1  # the count works: qasync's own loop makes one for its pipe to itself


# ---- slots


class Window(QWidget):
    """A widget whose slots and closing await."""

    asked = Signal(int, str)

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[Any] = []
        self.asked.connect(self.number_only)
        self.asked.connect(self.both)

    @qasync.asyncSlot(int)
    async def number_only(self, number: int) -> None:
        await asyncio.sleep(0.001)
        self.seen.append(number)

    @qasync.asyncSlot(int, str)
    async def both(self, number: int, text: str) -> None:
        await asyncio.to_thread(time.sleep, 0.01)
        self.seen.append((number, text))

    @qasync.asyncSlot()
    async def fail(self) -> None:
        await asyncio.sleep(0)
        raise ValueError("in a slot")

    @override
    @qasync.asyncClose
    async def closeEvent(self, event: Any) -> None:
        self.seen.append("closing")
        await asyncio.sleep(0.002)
        self.seen.append("closed")


def test_async_slots_await(factory):
    async def main() -> list[Any]:
        window = Window()
        QTimer.singleShot(1, lambda: window.asked.emit(7, "x"))
        await until(lambda: len(window.seen) == 2)
        window.deleteLater()
        return window.seen

    assert run_on(factory, main) == [7, (7, "x")]


def test_what_an_async_slot_raises_reaches_the_excepthook(factory, monkeypatch):
    raised: list[BaseException] = []
    monkeypatch.setattr(sys, "excepthook", lambda _kind, error, _trace: raised.append(error))

    async def main() -> None:
        window = Window()
        QTimer.singleShot(0, window.fail)
        await until(lambda: raised)
        window.deleteLater()

    run_on(factory, main)
    assert [str(error) for error in raised] == ["in a slot"]


def test_async_close_returns_when_what_it_awaits_is_done(factory):
    async def main() -> list[Any]:
        window = Window()
        window.show()

        def close() -> None:
            window.close()
            window.seen.append("returned")

        QTimer.singleShot(1, close)
        await until(lambda: "returned" in window.seen)
        window.deleteLater()
        return window.seen

    assert run_on(factory, main) == ["closing", "closed", "returned"]


def test_async_wrap_has_a_nested_dialog_while_tasks_go_on(factory):
    async def main() -> tuple[int, bool]:
        ticks = 0
        dialog = QDialog()

        async def tick() -> None:
            nonlocal ticks
            while True:
                await asyncio.sleep(0.001)
                ticks += 1
                if ticks == 5:
                    dialog.accept()

        ticking = asyncio.create_task(tick())
        answer = await qasync.asyncWrap(dialog.exec)
        ticking.cancel()
        return answer, ticks >= 5

    assert run_on(factory, main) == (QDialog.DialogCode.Accepted, True)


def test_async_wrap_passes_on_what_is_raised(factory):
    async def main() -> None:
        with pytest.raises(ZeroDivisionError):
            await qasync.asyncWrap(divmod, 1, 0)

    run_on(factory, main)


# ---- threads


def where() -> tuple[int, bool]:
    return threading.get_ident(), isinstance(QThread.currentThread(), qasync._QThreadWorker)


def test_an_executor_of_qthreads_is_used_when_it_is_given(factory):
    async def main() -> tuple[int, bool]:
        with qasync.QThreadExecutor(1) as executor:
            with pytest.raises(ZeroDivisionError):
                await asyncio.get_running_loop().run_in_executor(executor, divmod, 1, 0)
            return await asyncio.get_running_loop().run_in_executor(executor, where)

    thread, is_qt = run_on(factory, main)
    assert is_qt
    assert thread != threading.get_ident()


def test_an_executor_of_qthreads_can_be_the_default_one(factory):
    """It is shut down with the loop, by asyncio's way to do so."""

    async def main() -> bool:
        asyncio.get_running_loop().set_default_executor(executor)
        return bool((await asyncio.get_running_loop().run_in_executor(None, where))[1])

    executor = qasync.QThreadExecutor(2)
    assert run_on(factory, main)
    with pytest.raises(RuntimeError, match="shutdown"):
        executor.submit(where)


def test_a_loop_that_is_only_closed_waits_for_the_threads_of_its_executor(factory):
    """Qt aborts the whole program when the object of a thread that runs is deleted."""
    executor = qasync.QThreadExecutor(1)
    ended: list[str] = []

    def work() -> None:
        QThread.msleep(20)
        ended.append("ended")

    ours = factory()
    ours.set_default_executor(executor)
    ours.run_in_executor(None, work)
    del executor
    ours.close()
    assert ended == ["ended"]


def test_an_executor_that_was_shut_down_by_its_owner_does_not_keep_the_loop_from_closing(factory):
    ours = factory()
    with qasync.QThreadExecutor(1) as executor:
        ours.set_default_executor(executor)
    ours.close()


def test_no_other_executor_than_of_threads_can_be_the_default_one(factory):
    ours = factory()
    with pytest.raises(TypeError):
        ours.set_default_executor(object())
    ours.close()


# ---- how programs run


def test_a_program_that_waits_for_qt_to_quit_ends_by_itself(factory, app):
    async def main() -> str:
        quitting = asyncio.Event()
        app.aboutToQuit.connect(quitting.set)
        QTimer.singleShot(1, app.quit)
        await quitting.wait()
        await asyncio.sleep(0)
        app.aboutToQuit.disconnect(quitting.set)
        return "ended"

    assert run_on(factory, main) == "ended"


def test_a_loop_can_be_used_as_a_context_that_stops_and_closes_it(factory, app):
    with factory(app) as ours:
        asyncio.set_event_loop(ours)
        ours.call_later(0.001, ours.stop)
        ours.run_forever()
    asyncio.set_event_loop(None)
    assert ours.is_closed()


def test_run_is_like_that_of_asyncio_with_an_application(app):
    async def main() -> bool:
        return isinstance(asyncio.get_running_loop(), qasync.QEventLoop)

    assert run(main())
