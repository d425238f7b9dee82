"""What foreign code says cannot flood the log."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest
from typing_extensions import override

from starloom import Orchestrator, Plan, Task, TaskContext
from starloom.devices.base import Device
from starloom.orchestration.channel import Channel, Progress
from starloom.orchestration.log_limit import EVERY, LONGEST, LimitedLog, bounded

HUGE = "x" * 1_000_000


def test_a_long_text_keeps_its_beginning_and_its_end() -> None:
    text = bounded("begin" + HUGE + "end")
    assert text.startswith("begin")
    assert text.endswith("end")
    assert len(text) < LONGEST + 100
    assert bounded("short") == "short"


@pytest.mark.expects_log
def test_of_many_errors_on_one_subject_one_a_minute_is_logged_with_their_number(
    caplog: pytest.LogCaptureFixture,
) -> None:
    now = 0.0
    log = LimitedLog(logging.getLogger("test"), lambda: now)
    for _ in range(1000):
        log.error("a", "broken")
    log.error("b", "other")
    now = EVERY
    log.error("a", "broken")
    assert caplog.messages == ["broken", "other", "broken (999 more since the last entry)"]


@pytest.mark.expects_log
def test_a_listener_that_fails_for_every_message_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    def fail(_message: Any) -> None:
        raise ValueError(HUGE)

    channel = Channel()
    channel.listen(fail)
    for _ in range(1000):
        channel.send(Progress("r", "t", 1, 0.5))
    assert len(caplog.messages) == 1
    assert len(caplog.text) < 2 * LONGEST


class Broken(Device):
    """A device of somebody else that raises texts of any length."""

    @override
    async def run(self, task: Task, context: TaskContext) -> Any:
        raise RuntimeError(HUGE)


@pytest.mark.expects_log
def test_a_device_that_raises_for_every_task_is_logged_once_and_its_words_are_bounded(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def scenario() -> Any:
        device = Broken("d", slots=4)
        device.trip_after = 0
        async with Orchestrator([device]) as engine:
            run = await engine.start(Plan(name="p", tasks=tuple(Task(id=f"t{n}", shell="x") for n in range(200))))
            await run.finished()
            return run.facts.results

    results = asyncio.run(scenario())
    assert len(caplog.records) == 1
    assert len(caplog.text) < 2 * LONGEST
    assert max(len(one.error.message) + len(one.error.detail) for one in results) < 2 * LONGEST


@pytest.mark.expects_log
def test_an_observer_whose_error_is_huge_is_logged_in_bounds(caplog: pytest.LogCaptureFixture) -> None:
    def fail(_event: Any) -> None:
        raise ValueError(HUGE)

    async def scenario() -> None:
        async with Orchestrator() as engine:
            engine.events.subscribe(fail)
            await (await engine.start(Plan(name="p"))).finished()

    asyncio.run(scenario())
    assert 1 <= len(caplog.records) <= 2
    assert len(caplog.text) < 2 * LONGEST
