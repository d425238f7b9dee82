"""The checks of every test: no thread, asyncio task, child process or unexpected log line may be left.

Warnings are errors by pytest's own setting. A test that provokes log lines says so with `@pytest.mark.expects_log` and
looks at them with `caplog`.
"""

from __future__ import annotations

import asyncio
import asyncio.runners
import gc
import logging
import os
import signal
import threading
import time
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from hypothesis import HealthCheck, settings
from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SETTLING_SECONDS = 2.0
"""How long a thread or process that is just ending may take."""
POLLING_SECONDS = 0.005

# A loaded machine is slow: time is for pytest-timeout and `make bench`, not for the properties.
settings.register_profile(
    "ci", derandomize=True, max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("STARLOOM_HYPOTHESIS", "ci"))


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "expects_log: the test provokes log lines of level warning or above")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a shell's background
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Freeze the collected tests, which would slow each round of the garbage collector.

    From then on it runs between tests alone: in a thread of the next test it might free a window of the one before.
    """
    _freeze()
    gc.disable()


def _freeze() -> None:
    gc.collect()
    gc.freeze()
    thawed.clear()


thawed: list[bool] = []
"""Filled as soon as a test that tunes the collector has thawed the collected tests; to count what is frozen is slow."""
_unfreeze = gc.unfreeze


def _unfreeze_and_note() -> None:
    _unfreeze()
    thawed.append(True)


gc.unfreeze = _unfreeze_and_note


def pytest_runtest_logfinish() -> None:
    """Collect the garbage of the tests so far in this thread."""
    if thawed:
        _freeze()
    young, middle, old = gc.get_count()
    if young > 700:
        gc.collect(2 if old > 10 else 1 if middle > 10 else 0)


def _settled(remaining: Callable[[], list[Any]]) -> list[Any]:
    """What remains after a moment in which ending objects can end."""
    deadline = time.monotonic() + SETTLING_SECONDS
    while (left := remaining()) and time.monotonic() < deadline:
        time.sleep(POLLING_SECONDS)
    return left


@pytest.fixture(autouse=True)
def no_thread_left() -> Iterator[None]:
    """Fail a test that leaves a thread behind."""
    before = set(threading.enumerate())
    yield
    if left := _settled(lambda: [thread for thread in threading.enumerate() if thread not in before]):
        pytest.fail(f"threads left behind: {left}")


@pytest.fixture(autouse=True)
def no_task_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail a test whose `asyncio.run` had to cancel tasks that nobody awaited."""
    left: list[str] = []
    # There is no public place between the end of the main coroutine and the cancelling of the rest.
    cancel_all = asyncio.runners._cancel_all_tasks  # type: ignore[attr-defined]  # private, see above

    def note_and_cancel(loop: asyncio.AbstractEventLoop) -> None:
        left.extend(repr(task) for task in asyncio.all_tasks(loop))
        cancel_all(loop)

    monkeypatch.setattr("asyncio.runners._cancel_all_tasks", note_and_cancel)
    yield
    if left:
        pytest.fail(f"asyncio tasks left running: {left}")


def _children() -> list[psutil.Process]:
    if hasattr(os, "waitid"):
        try:  # one system call in the usual case that there is none
            os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return []
    return psutil.Process().children(recursive=True)


@pytest.fixture(autouse=True)
def no_child_left() -> Iterator[None]:
    """Fail a test that leaves a child process behind, running or not waited for."""
    before = _children()
    yield
    if left := _settled(lambda: [child for child in _children() if child not in before]):
        pytest.fail(f"child processes left behind: {left}")


class _Collector(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    @override
    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.levelname} {record.name}: {record.getMessage()}")


@pytest.fixture(autouse=True)
def no_unexpected_log_line(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test during which something logged a warning or worse, unless it is marked `expects_log`."""
    collector = _Collector()
    logging.getLogger().addHandler(collector)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(collector)
    if collector.lines and request.node.get_closest_marker("expects_log") is None:
        pytest.fail(f"unexpected log lines: {collector.lines}")
