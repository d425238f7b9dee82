"""Agents at a running engine: asked as tasks end, waited for, and never in anybody's way for longer than agreed."""

from __future__ import annotations

import asyncio
import gc
import weakref
from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import task as make
from tests.virtual_time import engine, loop, pass_time, run
from tests.waiting import until

from starloom import (
    AddDependency,
    AddTask,
    CommandRefused,
    Dependency,
    Orchestrator,
    Plan,
    RemoveTask,
    RunState,
    SimulatedDevice,
    Task,
)
from starloom import events as ev
from starloom.agents.base import AgentView, FinishedTask, Proposal
from starloom.constellation.edits import ALL_KINDS, UpdateTask
from starloom.model.status import Fence, TaskStatus
from starloom.testing import chain

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from starloom.constellation.edits import Edit

    Thought = Callable[[AgentView, Sequence[FinishedTask]], Awaitable[Any]]


class Thinking:
    """An agent that thinks by a function, and notes what it was asked and whether it was given up."""

    def __init__(self, think: Thought, name: str = "x") -> None:
        self.name = name
        self.think = think
        self.asked: list[tuple[str, ...]] = []
        self.given_up = 0

    async def propose(self, view: AgentView, finished: Sequence[FinishedTask]) -> Proposal | None:
        self.asked.append(tuple(one.id for one in finished))
        try:
            answer: Proposal | None = await self.think(view, finished)
        except asyncio.CancelledError:
            self.given_up += 1
            raise
        return answer


def saying(seconds: float, *edits: Edit, name: str = "x") -> Thinking:
    """An agent that thinks for so long and then proposes these edits; the next times it proposes nothing."""
    left = [Proposal(edits=edits, reason="as told")] if edits else []

    async def think(_view: AgentView, _finished: Sequence[FinishedTask]) -> Proposal | None:
        await asyncio.sleep(seconds)
        return left.pop() if left else None

    return Thinking(think, name)


def timed(name: str, seconds: float = 1.0, **fields: Any) -> Task:
    return make(name, simulate=seconds, **fields)


def edge(parent: str, child: str) -> Dependency:
    return Dependency(parent=parent, child=child)


def fork() -> Plan:
    """`a` and `b` start at once; `c` depends on `a`, `d` on `b`."""
    tasks = (timed("a"), timed("b", 3), timed("c"), timed("d"))
    return Plan(tasks=tasks, dependencies=(edge("a", "c"), edge("b", "d")))


def starts(orchestrator: Orchestrator) -> dict[str, float]:
    """When each task started, as it is told from now on."""
    known: dict[str, float] = {}

    def note(event: Any) -> None:
        known.setdefault(event.task_id, event.at)

    orchestrator.events.subscribe(note, ev.TaskStarted)
    return known


def test_the_seeds_race_on_a_running_engine():
    async def main() -> None:
        agent = saying(5, RemoveTask("c"), AddTask(timed("c2")), AddDependency(edge("a", "c2")))
        async with engine(SimulatedDevice("s", slots=8)) as orchestrator:
            began = starts(orchestrator)
            handle = await orchestrator.start(fork(), paused=True)
            await handle.attach(agent)
            await handle.start()
            summary = await handle.finished()
            assert began == {"a": 0, "b": 0, "c2": 11, "d": 11}
            assert (summary.state, summary.tasks.completed) == (RunState.COMPLETED, 4)
            assert [set(batch) for batch in agent.asked] == [{"a"}, {"b"}, {"c2", "d"}]

    run(main())


@pytest.mark.parametrize(
    ("fence", "began"),
    [(Fence.GLOBAL, {"c": 11, "d": 11}), (Fence.DESCENDANTS, {"c": 6, "d": 11}), (Fence.NONE, {"c": 1, "d": 3})],
)
def test_only_what_the_fence_keeps_back_waits_for_the_agent(fence: Fence, began: dict[str, float]):
    """The agent thinks for 5 s: about `a` from 1 to 6, and then about `b`, which ended at 3, until 11."""

    async def main() -> None:
        async with engine(SimulatedDevice("s", slots=8)) as orchestrator:
            known = starts(orchestrator)
            handle = await orchestrator.start(fork(), paused=True)
            await handle.attach(saying(5))
            await handle.set_fence(fence)
            await handle.start()
            await handle.finished()
            assert known == {"a": 0, "b": 0, **began}

    run(main())


def test_an_agent_sees_results_and_fields_as_they_were_when_it_was_asked():
    seen: list[Any] = []

    async def think(view: AgentView, finished: Sequence[FinishedTask]) -> Proposal | None:
        (one,) = finished
        await asyncio.sleep(5)
        if one.id == "a":
            seen.extend([one.status, one.result.value, one.attempts, view.revision, view.task_ids])
            seen.extend([view.status("b"), view.may_change("b"), view.result("a").value])  # type: ignore[union-attr]
            seen.append([problem.code for problem in view.problems([RemoveTask("a"), UpdateTask("b", timeout=1)])])
            seen.append([dependency.child for dependency in view.children("a")])
        return None

    async def main() -> None:
        plan = Plan(
            tasks=(make("a", simulate={"duration": 1, "value": [7]}), timed("b")), dependencies=(edge("a", "b"),)
        )
        async with engine(SimulatedDevice("s", slots=8)) as orchestrator:
            handle = await orchestrator.start(plan, paused=True)
            await handle.attach(Thinking(think))
            await handle.start()
            await pass_time(2)
            await handle.edit(AddTask(timed("later")))
            await handle.finished()

    run(main())
    assert seen == [TaskStatus.COMPLETED, [7], 1, 0, ("a", "b"), TaskStatus.PENDING, True, [7], ["immutable"], ["b"]]


async def forever(_view: AgentView, _finished: Sequence[FinishedTask]) -> None:
    await asyncio.Event().wait()


async def _raises(_view: AgentView, _finished: Sequence[FinishedTask]) -> Any:
    raise ValueError("no idea")


async def _babbles(_view: AgentView, _finished: Sequence[FinishedTask]) -> Any:
    return "remove everything"


async def _cancels_itself(_view: AgentView, _finished: Sequence[FinishedTask]) -> Any:
    raise asyncio.CancelledError


async def _unspeakable(_view: AgentView, _finished: Sequence[FinishedTask]) -> Any:
    return Proposal(edits=(), reason="\ud800")


async def _not_even_edits(_view: AgentView, _finished: Sequence[FinishedTask]) -> Any:
    return Proposal(edits=("rm -rf",))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("think", "error"),
    [
        (_raises, "ValueError: no idea"),
        (_babbles, "it answered 'remove everything', which is no Proposal"),
        (_cancels_itself, "it was cancelled by its own doing"),
        (_unspeakable, "its answer cannot be read"),
        (_not_even_edits, ""),
    ],
)
def test_an_agent_that_fails_is_an_agent_that_says_nothing_and_an_event_says_why(think: Thought, error: str):
    async def main() -> None:
        answers: list[ev.AgentAnswered] = []
        async with engine(SimulatedDevice("s", slots=8)) as orchestrator:
            orchestrator.events.subscribe(answers.append, ev.AgentAnswered)
            handle = await orchestrator.start(Plan(tasks=(timed("a"),)), paused=True)
            await handle.attach(Thinking(think))
            await handle.start()
            assert (await handle.finished()).state is RunState.COMPLETED
        assert [answer.error.startswith(error) for answer in answers] == [True]
        assert handle.agents["x"].errors == bool(error)

    run(main())


def test_an_agent_that_never_answers_costs_its_timeout_and_is_given_up_with_the_run():
    async def main() -> None:
        agent = Thinking(forever)
        async with engine(SimulatedDevice("s", slots=8)) as orchestrator:
            handle = await orchestrator.start(chain(3, simulate=1.0), paused=True)
            await handle.attach(agent)
            await orchestrator.synchronizer.set_modification_timeout(20, handle.id)
            await handle.start()
            summary = await handle.finished()
            assert loop().time() == pytest.approx(23, abs=0.1)
            assert summary.tasks.completed == 3
            assert agent.asked == [("t0",)]
            await until(lambda: agent.given_up == 1)
            assert orchestrator.synchronizer.get_statistics(handle.id) == {
                "total_modifications": 1,
                "completed_modifications": 0,
                "timeout_modifications": 1,
            }

    run(main())


def test_the_seeds_names_tell_what_is_pending():
    async def main() -> None:
        async with engine(SimulatedDevice("s", slots=8)) as orchestrator:
            synchronizer = orchestrator.synchronizer
            handle = await orchestrator.start(fork(), paused=True)
            await handle.attach(saying(5))
            await handle.start()
            assert not synchronizer.has_pending_modifications()
            await pass_time(4)
            assert synchronizer.has_pending_modifications()
            assert synchronizer.get_pending_task_ids() == ["a", "b"]
            assert not await synchronizer.wait_for_pending_modifications(timeout=1)
            assert await synchronizer.wait_for_pending_modifications(run_id=handle.id)
            assert loop().time() == pytest.approx(11, abs=0.1)
            await handle.finished()
            assert synchronizer.get_statistics(handle.id)["completed_modifications"] == 4

    run(main())


def test_pausing_and_detaching_stop_the_thinking_and_open_the_fence():
    async def main() -> None:
        for stop in ("pause_agent", "detach"):
            agent = saying(1000)
            async with engine(SimulatedDevice("s", slots=8)) as orchestrator:
                handle = await orchestrator.start(chain(2, simulate=1.0), paused=True)
                await handle.attach(agent)
                await handle.start()
                await pass_time(2)
                assert handle.task("t1").status is TaskStatus.PENDING
                await getattr(handle, stop)("x")
                assert handle.task("t1").status is TaskStatus.RUNNING
                await handle.finished()
                assert agent.given_up == 1

    run(main())


def test_an_agent_that_has_no_part_any_more_is_let_go_when_another_one_comes():
    async def main() -> None:
        async with engine(SimulatedDevice("s", slots=8)) as orchestrator:
            handle = await orchestrator.start(chain(2, simulate=1.0), paused=True)
            agent = saying(0)
            gone = weakref.ref(agent)
            await handle.attach(agent)
            await handle.attach(saying(0, name="stays"))
            await handle.detach("x")
            del agent
            await handle.attach(saying(0, name="y"))
            gc.collect()
            assert gone() is None
            await handle.start()
            await handle.finished()
            stats = orchestrator.synchronizer.get_statistics(handle.id)
            assert stats["total_modifications"] == stats["completed_modifications"] == 2, "the others are asked"

    run(main())


def test_a_second_agent_of_the_same_name_is_refused_and_the_first_goes_on():
    async def main() -> None:
        first, second = saying(1), saying(1)
        async with engine(SimulatedDevice("s", slots=8)) as orchestrator:
            handle = await orchestrator.start(chain(1, simulate=1.0), paused=True)
            await handle.attach(first)
            with pytest.raises(CommandRefused, match="has an agent of that name already"):
                await handle.attach(second)
            await handle.start()
            await handle.finished()
            assert (first.asked, second.asked) == ([("t0",)], [])

    run(main())


def test_shutting_down_gives_up_whoever_still_thinks():
    async def main() -> None:
        agent = saying(10_000)
        async with engine(SimulatedDevice("s", slots=8)) as orchestrator:
            handle = await orchestrator.start(chain(2, simulate=1.0), paused=True)
            await handle.attach(agent)
            await handle.start()
            await pass_time(2)
            await orchestrator.shutdown("now")
            assert agent.given_up == 1
            assert handle.state is RunState.CANCELLED

    run(main())


def test_draining_does_not_wait_for_a_person_who_is_to_approve():
    async def main() -> None:
        agent = saying(1, AddTask(timed("more")))
        async with engine(SimulatedDevice("s", slots=8)) as orchestrator:
            handle = await orchestrator.start(chain(1, simulate=1.0), paused=True)
            await handle.attach(agent, asks=ALL_KINDS)
            await handle.start()
            await until(lambda: handle.approvals)
            await orchestrator.shutdown("drain")
            assert not handle.state.has_ended

    run(main())


def test_a_person_approves_of_what_an_agent_wants():
    async def main() -> None:
        agent = saying(1, AddTask(timed("more")))
        async with engine(SimulatedDevice("s", slots=8)) as orchestrator:
            handle = await orchestrator.start(chain(1, simulate=1.0), paused=True)
            await handle.attach(agent, asks=ALL_KINDS)
            await handle.start()
            await until(lambda: handle.approvals)
            await pass_time(10_000)
            (approval,) = handle.approvals
            receipt = await handle.answer_approval(approval.number, accept=True, note="go")
            assert receipt is not None
            assert (await handle.finished()).tasks.completed == 2

    run(main())


def test_once_closed_the_synchronizer_asks_nobody_any_more():
    async def main():
        async with engine(SimulatedDevice("s")) as orchestrator:
            handle = await orchestrator.start(chain(1, simulate=1.0), paused=True)
            agent = saying(1.0)
            await handle.attach(agent)
            await orchestrator.synchronizer.close()
            await handle.start()
            await handle.finished()
            assert handle.agents["x"].timeouts == 1
            assert agent.asked == []

    run(main())
