"""Single tasks submitted by a program: their results, their failures, and what becomes of them when nobody waits."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import task as make
from tests.virtual_time import engine, loop, pass_time, run
from tests.waiting import until

from starloom import (
    CommandRefused,
    InProcessDevice,
    QueueFull,
    RemoveTask,
    SimulatedDevice,
    SubmissionFailed,
    Task,
)

if TYPE_CHECKING:
    from starloom.orchestration.orchestrator import Orchestrator


async def give(task: Task, _context: Any) -> Any:
    return task.inputs["value"]


def standing(orchestrator: Orchestrator) -> Any:
    (handle,) = orchestrator.runs.values()
    return handle


def test_a_submitted_task_returns_its_own_result() -> None:
    async def main() -> None:
        async with engine(InProcessDevice("here", handlers={"give": give})) as orchestrator:
            tasks = [make(f"t{n}", call="give", inputs={"value": n}) for n in range(50)]
            results = await asyncio.gather(*(orchestrator.submit(task) for task in tasks))
            assert [result.value for result in results] == list(range(50))
            assert len(orchestrator.runs) == 1

    run(main())


def test_a_task_that_fails_raises_with_its_status_result_and_reason() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            with pytest.raises(SubmissionFailed) as failure:
                await orchestrator.submit(make("bad", simulate={"outcome": "failed"}))
            assert (failure.value.task_id, failure.value.status) == ("bad", "failed")
            assert failure.value.result is not None
            assert "the task is to fail" in str(failure.value)
            assert (await orchestrator.submit(make("good", simulate={"value": 1}))).value == 1

    run(main())


def test_submissions_start_by_priority() -> None:
    async def main() -> None:
        order: list[int] = []

        async def note(task: Task, _context: Any) -> None:
            await asyncio.sleep(1)
            order.append(task.priority)

        async with engine(InProcessDevice("here", slots=1, handlers={"note": note})) as orchestrator:
            first = asyncio.ensure_future(orchestrator.submit(make("first", call="note", priority=99)))
            await until(lambda: orchestrator.counters().active_count == 1)
            await asyncio.gather(
                *(orchestrator.submit(make(f"t{n}", call="note", priority=n)) for n in (10, 50, 90)), first
            )
            assert order == [99, 90, 50, 10]

    run(main())


def test_a_full_queue_refuses_and_takes_the_next_one_when_one_has_ended() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d"), max_queue=2) as orchestrator:
            waiting = [asyncio.ensure_future(orchestrator.submit(make(f"t{n}", simulate=1))) for n in range(3)]
            await until(lambda: orchestrator.counters().queued_count == 2)
            with pytest.raises(QueueFull, match="2/2"):
                await orchestrator.submit(make("refused", simulate=1))
            await until(lambda: waiting[0].done())
            await orchestrator.submit(make("refused", simulate=1))
            await asyncio.gather(*waiting)
            counters = orchestrator.counters()
            assert (counters.total_submitted, counters.completed, counters.rejected) == (4, 4, 1)

    run(main())


def test_a_queue_that_was_full_at_the_first_submission_does_not_spoil_the_later_ones() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d"), max_queue=1) as orchestrator:
            from starloom.testing import independent

            handle = await orchestrator.start(independent(2, simulate=1.0))
            with pytest.raises(QueueFull):
                await orchestrator.submit(make("a", simulate=1))
            await handle.finished()
            await orchestrator.submit(make("a", simulate=1))

    run(main())


def test_an_id_that_was_submitted_before_is_refused_and_the_first_one_goes_on() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            first = asyncio.ensure_future(orchestrator.submit(make("a", simulate={"duration": 1, "value": 1})))
            await until(lambda: orchestrator.counters().active_count)
            with pytest.raises(CommandRefused):
                await orchestrator.submit(make("a", simulate=1))
            assert (await first).value == 1
            with pytest.raises(CommandRefused):
                await orchestrator.submit(make("a", simulate=1))

    run(main())


def test_whoever_gives_up_a_running_task_stops_it() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(orchestrator.submit(make("a", simulate=1000)), 1)
            await orchestrator.submit(make("b", simulate=1))
            assert standing(orchestrator).task("a").status == "cancelled"
            assert loop().time() < 3

    run(main())


def test_whoever_gives_up_a_queued_task_takes_it_out_of_line() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            first = asyncio.ensure_future(orchestrator.submit(make("a", simulate=5)))
            second = asyncio.ensure_future(orchestrator.submit(make("b", simulate=5)))
            await pass_time(1)
            second.cancel()
            await asyncio.gather(second, return_exceptions=True)
            await first
            assert standing(orchestrator).task("b").attempts == []

    run(main())


def test_whoever_gives_up_at_once_leaves_nothing_running_whatever_the_moment() -> None:
    """The submission may still be on its way when its sender is cancelled."""

    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            await orchestrator.submit(make("warm-up", simulate=1))
            for turns in range(6):
                giving_up = asyncio.ensure_future(orchestrator.submit(make(f"t{turns}", simulate=1000)))
                for _ in range(turns):
                    await asyncio.sleep(0)
                giving_up.cancel()
                await asyncio.gather(giving_up, return_exceptions=True)
                await pass_time(1)
                assert orchestrator.counters().active_count == 0, f"after {turns} turns"

    run(main())


def test_an_operator_who_cancels_skips_or_removes_it_is_an_answer_too() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            blocker = asyncio.ensure_future(orchestrator.submit(make("blocker", simulate=10)))
            waiting = {
                name: asyncio.ensure_future(orchestrator.submit(make(name, simulate=1)))
                for name in ("cancelled", "skipped", "removed", "marked")
            }
            await until(lambda: orchestrator.counters().queued_count == 4)
            handle = standing(orchestrator)
            await handle.cancel_tasks("cancelled", reason="not needed")
            await handle.skip("skipped")
            await handle.edit(RemoveTask("removed"))
            await handle.mark("marked", value=7)
            answers: list[Any] = await asyncio.wait_for(asyncio.gather(*waiting.values(), return_exceptions=True), 5)
            assert [type(answer).__name__ for answer in answers] == ["SubmissionFailed"] * 3 + ["Result"]
            assert "not needed" in str(answers[0])
            assert "taken out" in str(answers[2])
            assert answers[3].value == 7
            await blocker

    run(main())


def test_after_the_standing_run_was_cancelled_submissions_go_into_a_new_one() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            running = asyncio.ensure_future(orchestrator.submit(make("a", simulate=10)))
            await until(lambda: orchestrator.counters().active_count)
            await standing(orchestrator).cancel()
            with pytest.raises(SubmissionFailed, match="cancelled"):
                await running
            assert (await orchestrator.submit(make("a", simulate={"value": 2}))).value == 2

    run(main())


def test_after_the_standing_run_was_let_end_submissions_reopen_it() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            await orchestrator.submit(make("a", simulate=1))
            await standing(orchestrator).hold_open(False)
            assert standing(orchestrator).state == "completed"
            assert (await orchestrator.submit(make("b", simulate={"value": 2}))).value == 2

    run(main())


def test_a_flood_of_events_does_not_cost_a_submitter_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A subscriber that falls behind loses events; an answer must not be among them."""
    from starloom.orchestration.bus import EventBus
    from starloom.testing import independent

    monkeypatch.setattr(EventBus.subscribe, "__kwdefaults__", {"max_pending": 10, "prompt": False})

    async def main() -> None:
        async with engine(SimulatedDevice("d", slots=None)) as orchestrator:
            waiting = asyncio.ensure_future(orchestrator.submit(make("a", simulate=1)))
            await pass_time(0.5)
            handle = await orchestrator.start(independent(300, simulate=0.5))
            await asyncio.wait_for(waiting, 10)
            await handle.finished()

    run(main())
