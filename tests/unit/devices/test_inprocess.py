"""The in-process device: handlers, what becomes of their values and exceptions, and what it refuses."""

from __future__ import annotations

import asyncio
import functools

import msgspec
import pytest
from typing_extensions import override

from starloom.devices.base import TaskContext
from starloom.devices.inprocess import MAX_MESSAGE, MAX_TRACEBACK, Handler, InProcessDevice
from starloom.errors import DeviceError
from starloom.model.device import DeviceSpec
from starloom.model.result import DONE, ErrorCode, ErrorInfo, Outcome, OutcomeStatus
from starloom.model.task import Simulate, Task
from starloom.testing import noop


def run(task: Task, **handlers: Handler) -> Outcome:
    device = InProcessDevice("here", handlers=handlers)
    return asyncio.run(device.run(task, TaskContext("run", task.id, 1, "here", 0)))


def error_of(outcome: Outcome) -> ErrorInfo:
    assert outcome.status is OutcomeStatus.FAILED
    assert outcome.result.error is not None
    return outcome.result.error


CALL = Task(id="t", call="work", inputs={"x": 2})


def test_the_value_a_handler_returns_is_the_result() -> None:
    async def work(task: Task, context: TaskContext) -> object:
        return {"x": task.inputs["x"], "attempt": context.attempt}

    outcome = run(CALL, work=work)
    assert outcome.status is OutcomeStatus.COMPLETED
    assert outcome.result.value == {"x": 2, "attempt": 1}


def test_a_handler_that_returns_none_gives_the_shared_done() -> None:
    assert run(CALL, work=noop) is DONE


@pytest.mark.parametrize("value", [0, False, "", [], {}])
def test_an_empty_value_is_still_a_value(value: object) -> None:
    async def work(_task: Task, _context: TaskContext) -> object:
        return value

    assert run(CALL, work=work).result.value == value


def test_an_exception_is_a_failed_outcome_with_its_traceback_in_the_detail() -> None:
    async def work(_task: Task, _context: TaskContext) -> None:
        raise ValueError("no such tile")

    error = error_of(run(CALL, work=work))
    assert error.code == ErrorCode.EXCEPTION
    assert error.message == "ValueError: no such tile"
    assert "in work" in error.detail
    assert "devices/inprocess.py" not in error.detail.replace("\\", "/")


def test_an_exception_without_text_is_named_by_its_type() -> None:
    async def work(_task: Task, _context: TaskContext) -> None:
        raise KeyError

    assert error_of(run(CALL, work=work)).message == "KeyError"


def test_an_exception_whose_text_cannot_be_read_does_not_hide_itself() -> None:
    class BrokenError(Exception):
        @override
        def __str__(self) -> str:
            raise RuntimeError("no text")

    async def work(_task: Task, _context: TaskContext) -> None:
        raise BrokenError

    assert error_of(run(CALL, work=work)).message.startswith("BrokenError: ")


def test_message_and_traceback_are_bounded_and_can_be_written_as_json() -> None:
    async def work(_task: Task, _context: TaskContext) -> None:
        raise OSError("file \udcff " + "x" * 1_000_000)

    error = error_of(run(CALL, work=work))
    assert len(error.message) <= MAX_MESSAGE + 10  # an escaped surrogate is longer
    assert len(error.detail) <= MAX_TRACEBACK + 10
    msgspec.json.encode(error)


def test_deep_recursion_in_a_handler_is_a_bounded_failure() -> None:
    def deeper(n: int) -> int:
        return deeper(n + 1)

    async def work(_task: Task, _context: TaskContext) -> int:
        return deeper(0)

    error = error_of(run(CALL, work=work))
    assert error.message.startswith("RecursionError")
    assert len(error.detail) <= MAX_TRACEBACK


def test_cancellation_of_the_attempt_goes_through_the_handler() -> None:
    seen: list[str] = []

    async def scenario() -> None:
        started = asyncio.Event()

        async def work(_task: Task, _context: TaskContext) -> None:
            started.set()
            try:
                await asyncio.Event().wait()
            finally:
                seen.append("cleaned up")

        device = InProcessDevice("here", handlers={"work": work})
        attempt = asyncio.create_task(device.run(CALL, TaskContext("run", "t", 1, "here", 0)))
        await started.wait()
        attempt.cancel()
        with pytest.raises(asyncio.CancelledError):
            await attempt

    asyncio.run(scenario())
    assert seen == ["cleaned up"]


def test_a_cancelled_error_that_nobody_asked_for_is_a_failure() -> None:
    async def work(_task: Task, _context: TaskContext) -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        future.cancel()
        await future

    error = error_of(run(CALL, work=work))
    assert error.code == ErrorCode.EXCEPTION
    assert error.message == "CancelledError"


def test_a_handler_that_swallows_its_cancellation_has_ended_only_when_it_returned() -> None:
    async def scenario() -> Outcome:
        started, refused, released = asyncio.Event(), asyncio.Event(), asyncio.Event()

        async def work(_task: Task, _context: TaskContext) -> str:
            started.set()
            while not released.is_set():
                try:
                    await released.wait()
                except asyncio.CancelledError:
                    refused.set()
            return "finished anyway"

        device = InProcessDevice("here", handlers={"work": work})
        attempt = asyncio.create_task(device.run(CALL, TaskContext("run", "t", 1, "here", 0)))
        await started.wait()
        attempt.cancel()
        await refused.wait()
        assert not attempt.done()
        released.set()
        return await attempt

    assert asyncio.run(scenario()).result.value == "finished anyway"


def test_a_plain_function_is_refused_with_a_sentence() -> None:
    def work(_task: Task, _context: TaskContext) -> int:
        return 1

    with pytest.raises(DeviceError, match=r"'work' of device 'here' .*not an async function.*async def"):
        InProcessDevice("here", handlers={"work": work})  # type: ignore[dict-item]


def test_methods_partials_and_callable_objects_are_handlers() -> None:
    class Worker:
        async def work(self, task: Task, _context: TaskContext) -> str:
            return task.id

        async def __call__(self, task: Task, context: TaskContext) -> str:
            return await self.work(task, context)

    for handler in (Worker().work, Worker(), functools.partial(Worker.work, Worker())):
        assert run(CALL, work=handler).result.value == "t"


def test_a_handler_can_be_registered_later_and_replaced() -> None:
    async def other(_task: Task, _context: TaskContext) -> str:
        return "other"

    device = InProcessDevice("here")
    device.register("work", noop)
    device.register("work", other)
    outcome = asyncio.run(device.run(CALL, TaskContext("run", "t", 1, "here", 0)))
    assert outcome.result.value == "other"


def test_an_unknown_handler_is_unsupported_and_the_nearest_is_named() -> None:
    error = error_of(run(Task(id="t", call="wrok"), work=noop, other=noop))
    assert error.code == ErrorCode.UNSUPPORTED
    assert "Did you mean 'work'?" in error.message
    assert "other, work" in error.message


def test_without_any_handler_the_sentence_says_who_registers_them() -> None:
    assert "The host program registers them" in error_of(run(CALL)).message


def test_thousands_of_handlers_do_not_fill_the_sentence() -> None:
    handlers = {f"handler-{n}": noop for n in range(3000)}
    message = error_of(run(CALL, **handlers)).message
    assert "and 2980 more" in message
    assert len(message) < 1000


@pytest.mark.parametrize(
    ("task", "place"),
    [
        (Task(id="t", command=("true",)), "a local device"),
        (Task(id="t", shell="true"), "a local device"),
        (Task(id="t", python="os:getcwd"), "a local device"),
        (Task(id="t", prompt="hello"), "an agent device"),
    ],
)
def test_other_actions_are_unsupported_and_the_sentence_says_who_can(task: Task, place: str) -> None:
    error = error_of(run(task))
    assert error.code == ErrorCode.UNSUPPORTED
    assert place in error.message
    assert task.action in error.message


def test_simulated_tasks_run_too() -> None:
    assert run(Task(id="t", simulate=Simulate(value=7))).result.value == 7
    assert error_of(run(Task(id="t", simulate=Simulate(outcome="failed")))).code == ErrorCode.SIMULATED


def test_a_plan_can_bring_no_options_and_so_no_handlers() -> None:
    device = InProcessDevice.from_spec(DeviceSpec(id="here", kind="inprocess", slots=3, speed=2.0))
    assert (device.slots, device.speed) == (3, 2.0)
    with pytest.raises(DeviceError, match="takes no options, but has 'handlers'"):
        InProcessDevice.from_spec(DeviceSpec(id="here", kind="inprocess", options={"handlers": {}}))


def test_the_grace_says_when_a_handler_that_will_not_stop_is_reported() -> None:
    device = InProcessDevice("here", grace=3.0)
    assert device.grace == device.stuck_after == 3.0
