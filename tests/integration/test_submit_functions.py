"""Async functions and handlers' names submitted by a program: what the handle gives, raises and stops."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from tests.virtual_time import engine, pass_time, run
from tests.waiting import until

from starloom import CommandRefused, InProcessDevice, QueueFull, SimulatedDevice, SubmissionFailed

if TYPE_CHECKING:
    from starloom import Orchestrator, Task


class OwnError(Exception):
    """An error of the program's own, with more than a text."""

    def __init__(self, code: int) -> None:
        self.code = code
        super().__init__(f"code {code}")


async def double(n: int) -> int:
    await asyncio.sleep(1)
    return 2 * n


async def fail(code: int) -> None:
    raise OwnError(code)


async def square(task: Task, _context: Any) -> int:
    return int(task.inputs["n"]) ** 2


def standing(orchestrator: Orchestrator) -> Any:
    (found,) = orchestrator.runs.values()
    return found


def test_b19_an_async_function_is_called_with_its_inputs_and_gives_what_it_returns() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("elsewhere")) as orchestrator:
            handles = [orchestrator.submit(double, inputs={"n": n}, priority="high") for n in range(20)]
            assert await asyncio.gather(*handles) == [2 * n for n in range(20)]
            assert len({handle.get_name() for handle in handles}) == 20
            task = standing(orchestrator).task(handles[3].get_name())
            assert (task.priority, task.status, task.task.inputs, task.task.call) == (
                80,
                "completed",
                {"n": 3},
                "double",
            )

    run(main())


def test_functions_start_in_the_order_in_which_they_were_submitted() -> None:
    order: list[int] = []

    async def note(n: int) -> None:
        order.append(n)

    async def main() -> None:
        async with engine(max_concurrency=1) as orchestrator:
            await asyncio.gather(*(orchestrator.submit(note, inputs={"n": n}) for n in range(10)))
            await asyncio.gather(*(orchestrator.submit(note, inputs={"n": n}) for n in range(10, 20)))
            assert order == list(range(20))

    run(main())


def test_it_begins_without_being_awaited() -> None:
    async def main() -> None:
        async with engine() as orchestrator:
            handle = orchestrator.submit(double, inputs={"n": 4})
            await pass_time(5)
            assert handle.done()
            assert handle.result() == 8

    run(main())


def test_partials_bound_methods_and_callable_objects_are_functions_too() -> None:
    class Adder:
        async def __call__(self, a: int, b: int) -> int:
            return a + b

        async def method(self, a: int) -> int:
            return a

    async def main() -> None:
        async with engine() as orchestrator:
            of_partial = orchestrator.submit(partial(double, n=3))
            assert await of_partial == 6
            assert of_partial.get_name() == "double#1"
            assert await orchestrator.submit(Adder(), inputs={"a": 1, "b": 2}) == 3
            of_method = orchestrator.submit(Adder().method, inputs={"a": 7})
            assert await of_method == 7
            assert of_method.get_name() == "Adder.method#3"

    run(main())


def test_what_it_raises_is_raised_where_it_is_awaited_and_stands_in_the_run_as_text() -> None:
    async def main() -> None:
        async with engine() as orchestrator:
            handle = orchestrator.submit(fail, inputs={"code": 7})
            with pytest.raises(OwnError) as raised:
                await handle
            assert raised.value.code == 7
            assert raised.value.__context__ is None
            task = standing(orchestrator).task(handle.get_name())
            assert task.status == "failed"
            assert "OwnError: code 7" in task.result.error.message

    run(main())


def test_of_several_attempts_the_last_error_is_raised_and_a_success_raises_none() -> None:
    calls = 0

    async def flaky(good: int) -> int:
        nonlocal calls
        calls += 1
        if calls < good:
            raise OwnError(calls)
        return calls

    async def main() -> None:
        nonlocal calls
        async with engine() as orchestrator:
            assert await orchestrator.submit(flaky, inputs={"good": 3}, retry=2) == 3
            calls = 0
            with pytest.raises(OwnError, match="code 2"):
                await orchestrator.submit(flaky, inputs={"good": 9}, retry=1)

    run(main())


def test_cancelling_the_handle_cancels_the_function_wherever_it_is() -> None:
    stopped: list[str] = []

    async def sleep(name: str) -> None:
        try:
            await asyncio.sleep(1000)
        except asyncio.CancelledError:
            stopped.append(name)
            raise

    async def main() -> None:
        async with engine(max_concurrency=1) as orchestrator:
            runs = orchestrator.submit(sleep, inputs={"name": "runs"})
            waits = orchestrator.submit(sleep, inputs={"name": "waits"})
            await until(lambda: orchestrator.counters().queued_count == 1)
            for handle in (waits, runs):
                handle.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await handle
            await until(lambda: not orchestrator.counters().active_count)
            assert stopped == ["runs"]
            statuses = [task.status for task in standing(orchestrator).tasks]
            assert statuses == ["cancelled", "cancelled"]

    run(main())


def test_a_timeout_a_result_that_is_no_json_and_a_persons_cancelling_are_said() -> None:
    async def unjson() -> object:
        return object()

    async def main() -> None:
        async with engine() as orchestrator:
            with pytest.raises(SubmissionFailed, match="JSON"):
                await orchestrator.submit(unjson)
            with pytest.raises(SubmissionFailed, match="after its timeout"):
                await orchestrator.submit(double, inputs={"n": 1}, timeout=0.5)
            handle = orchestrator.submit(double, inputs={"n": 1})
            await until(lambda: orchestrator.counters().active_count)
            await standing(orchestrator).cancel_tasks(handle.get_name(), reason="not needed")
            with pytest.raises(SubmissionFailed, match="stopped while it ran"):
                await handle

    run(main())


def test_a_full_queue_is_said_where_the_handle_is_awaited() -> None:
    async def main() -> None:
        async with engine(max_concurrency=1, max_queue=1) as orchestrator:
            first = [orchestrator.submit(double, inputs={"n": n}) for n in range(2)]
            await until(lambda: orchestrator.counters().queued_count == 1)
            with pytest.raises(QueueFull):
                await orchestrator.submit(double, inputs={"n": 3})
            assert await asyncio.gather(*first) == [0, 2]

    run(main())


def test_a_handlers_name_runs_where_the_handler_is() -> None:
    async def main() -> None:
        devices = (SimulatedDevice("other"), InProcessDevice("here", handlers={"square": square}))
        async with engine(*devices) as orchestrator:
            values = await asyncio.gather(*(orchestrator.submit("square", inputs={"n": n}) for n in range(10)))
            assert values == [n * n for n in range(10)]
            assert {task.device_id for task in standing(orchestrator).tasks} == {"here"}

    run(main())


def test_a_given_id_is_kept_and_refused_the_second_time() -> None:
    async def main() -> None:
        async with engine() as orchestrator:
            first = orchestrator.submit(double, inputs={"n": 1}, id="mine")
            assert first.get_name() == "mine"
            with pytest.raises(CommandRefused, match="submitted"):
                await orchestrator.submit(double, inputs={"n": 2}, id="mine")
            assert await first == 2

    run(main())


def test_after_the_shutdown_no_handle_is_left_waiting() -> None:
    async def main() -> None:
        async with engine() as orchestrator:
            handle = orchestrator.submit(double, inputs={"n": 1}, device="nowhere")
            await pass_time(1)
        assert handle.done()
        with pytest.raises(SubmissionFailed, match="shut down"):
            handle.result()

    run(main())


@pytest.mark.parametrize("mode", ["drain", "cancel_pending", "now"])
def test_a_shutdown_at_any_moment_of_a_submission_leaves_no_handle_waiting(mode: Any) -> None:
    async def main() -> None:
        for turns in range(12):
            async with engine() as orchestrator:
                handle = orchestrator.submit(double, inputs={"n": 1})
                for _ in range(turns):
                    await asyncio.sleep(0)
                await orchestrator.shutdown(mode)
                assert handle.done(), f"after {turns} turns"
                await asyncio.gather(handle, return_exceptions=True)

    run(main())
