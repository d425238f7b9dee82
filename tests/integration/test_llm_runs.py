"""Language models in runs of a real engine: limited rates, tokens, time-outs, programs that are killed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.integration.chat_server import InThread, Talk, answer, chat_server, failing
from tests.integration.llm_harness import SECRET, device
from tests.integration.llm_harness import alone as alone
from tests.integration.local_harness import BOUND
from tests.integration.test_reattaching import Place, program_dies, resumed
from tests.waiting import until
from typing_extensions import override

from starloom import Dependency, Library, Orchestrator, Plan, RunState, Task
from starloom.events import (
    BreakerClosed,
    BreakerHalfOpened,
    BreakerOpened,
    DeviceFaulted,
    TaskFailed,
    TaskInterrupted,
    TasksHeld,
)
from starloom.model.result import AgentUsage
from starloom.model.status import Expects

if TYPE_CHECKING:
    from pathlib import Path

    from tests.integration.chat_server import Script

    from starloom.events import Event
    from starloom.orchestration.fleet import Fleet

pytest.importorskip("openai")


async def ran(plan: Plan, *scripts: Script, look: Any = None, **options: Any) -> tuple[Any, list[Event], list[Talk]]:
    """The results of a run with one model, the events, and what the model was asked."""
    events: list[Event] = []
    async with (
        asyncio.timeout(BOUND),
        chat_server(*scripts) as there,
        Orchestrator(devices=[device(there, **options)]) as orchestrator,
    ):
        orchestrator.events.subscribe(events.append)
        run = await orchestrator.start(plan)
        if look is not None:
            await look(run, there, orchestrator.fleet)
        await run.finished()
        return run, events, there.talks


def test_a_limited_rate_holds_the_tasks_that_wait_fails_none_and_ends() -> None:
    plan = Plan(tasks=[Task(id=name, prompt=name) for name in "abc"])

    async def look(run: Any, *_: Any) -> None:
        (reason,) = await until(lambda: [one for one in run.why("c") if one.code == "device_unavailable"])
        assert "dev is suspended for another" in reason.text
        assert "(rate limited until " in reason.text

    run, events, talks = asyncio.run(ran(plan, failing(429, retry_after="1"), answer("ok"), look=look, slots=1))
    assert run.facts.state is RunState.COMPLETED
    assert [talk.prompt for talk in talks] == ["a", "a", "b", "c"]
    assert not [event for event in events if isinstance(event, TaskFailed | DeviceFaulted)]
    assert {event.failures for event in events if isinstance(event, BreakerOpened)} == {0}
    assert [event for event in events if isinstance(event, BreakerClosed)]
    assert all(len(run.task(name).attempts) == 1 for name in "abc")


def test_whoever_has_it_tried_again_sees_at_once_whether_it_may_be_asked_by_one_request() -> None:
    plan = Plan(tasks=[Task(id=name, prompt=name) for name in "abcd"])
    refused, asked = failing(429, retry_after="3600"), []

    async def look(run: Any, there: Any, fleet: Fleet) -> None:
        async def held() -> str:
            found = await until(lambda: [one for one in run.why("d") if one.code == "device_unavailable"])
            asked.append(len(there.talks))
            return str(found[0].text)

        await held()
        await fleet.try_again("dev")
        await until(lambda: len(there.talks) > asked[-1])
        assert "(rate limited until " in await held()
        await fleet.try_again("dev")

    run, events, _ = asyncio.run(ran(plan, refused, refused, answer("ok"), look=look, slots=1))
    assert run.facts.state is RunState.COMPLETED
    assert asked == [1, 2]
    assert {one.origin for one in events if isinstance(one, BreakerHalfOpened)} == {"operator"}


def test_where_it_does_not_end_the_timeout_of_the_task_decides() -> None:
    plan = Plan(tasks=[Task(id="a", prompt="a", timeout=0.5)])
    run, _, _ = asyncio.run(ran(plan, failing(429, retry_after="3600")))
    (attempt,) = run.task("a").attempts
    assert attempt.result.error.code == "timeout"


def test_one_that_hangs_is_ended_by_the_timeout_of_its_task() -> None:
    async def hangs(talk: Talk) -> None:
        await talk.wait()

    plan = Plan(tasks=[Task(id="a", prompt="a", timeout=0.5)])
    run, _, talks = asyncio.run(ran(plan, hangs))
    assert run.task("a").attempts[0].result.error.code == "timeout"
    assert talks[0].closed.is_set()


def test_results_and_tokens_flow_through_a_run() -> None:
    plan = Plan(
        tasks=[Task(id="a", prompt="first", expects=Expects.JSON), Task(id="b", prompt="then ${a.value.x}")],
        dependencies=[Dependency(parent="a", child="b")],
    )
    run, _, talks = asyncio.run(ran(plan, answer('{"x": 7}', total_tokens=4), answer("done", total_tokens=5)))
    assert run.results["b"].value == "done"
    assert [run.results[name].usage for name in "ab"] == [AgentUsage(4), AgentUsage(5)]
    texts = [part["text"] for part in talks[1].request["messages"][-1]["content"]]
    assert texts[0] == "then 7"
    assert "begins: value of 'a' (application/json)\n{\"x\":7}\n" in texts[1]


def test_the_key_stands_in_no_file_of_a_run(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with chat_server(answer(f"{SECRET}\n"), failing(400, SECRET)) as there:
            with Library(tmp_path / "journal") as library:
                async with Orchestrator(devices=[device(there)], journal=library) as orchestrator:
                    run = await orchestrator.start(Plan(tasks=[Task(id=name, prompt="x") for name in "ab"]))
                    await run.finished()

    asyncio.run(scenario())
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert [path for path in files if SECRET.encode() in path.read_bytes()] == []


class ModelPlace(Place):
    """Where what has begun is seen at the model."""

    model: InThread

    @override
    def begun(self) -> list[Any]:
        return self.model.talks


def test_what_a_killed_program_has_asked_is_asked_again_only_if_a_person_says_so(tmp_path: Path) -> None:
    model = InThread()
    events: list[Event] = []
    with model.stands():
        made = {"id": "d", "kind": "llm", "options": {"model": "m", "url": model.url}}
        place = ModelPlace(tmp_path, made)
        place.model = model
        program_dies(place, {"a": {"prompt": "wait"}})

        async def told() -> None:
            async with resumed(place, events):
                await until(lambda: any(isinstance(event, TasksHeld) for event in events))

        asyncio.run(told())
        assert len(model.talks) == 1
    assert [event.task_id for event in events if isinstance(event, TaskInterrupted)] == ["a"]
