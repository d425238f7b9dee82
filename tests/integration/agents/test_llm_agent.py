"""Agents that ask a language model, over the real wire format: an endpoint answers well, badly, late and never."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.integration.agents.llm_server import Answer, Endpoint, completion, endpoint, failing, models

from starloom import DeviceSpec, Orchestrator, Plan, RunState, SimulatedDevice, Task
from starloom import events as ev
from starloom.agents.llm import LlmAgent, LlmLimits
from starloom.errors import AgentError
from starloom.testing import chain

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.scheduling.state.run_facts import RunFacts

pytest.importorskip("pydantic_ai")

NOTHING = completion("Nothing needs to change.")
SECRET = "sk-very-secret"


@pytest.fixture(autouse=True)
def _direct(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def agent_of(there: Endpoint, **limits: Any) -> LlmAgent:
    return LlmAgent("m", there.url, name="mind", goal="be done", limits=LlmLimits(**limits), key=lambda _: SECRET)


class Ran:
    """What a run with an agent came to."""

    def __init__(self) -> None:
        self.facts: RunFacts
        self.errors: list[str] = []
        self.reasons: list[str] = []
        self.agent: LlmAgent

    @property
    def task_ids(self) -> set[str]:
        return {task.id for _, task in self.facts.graph.present()}


async def under(agent: LlmAgent, plan: Plan) -> Ran:
    ran = Ran()
    ran.agent = agent
    async with Orchestrator([SimulatedDevice("s", slots=2)]) as orchestrator:
        orchestrator.events.subscribe(lambda event: ran.errors.append(event.error), ev.AgentAnswered)
        orchestrator.events.subscribe(lambda event: ran.reasons.append(event.reason), ev.ConstellationModified)
        handle = await orchestrator.start(plan, paused=True)
        await handle.attach(agent)
        await handle.start()
        await handle.finished()
        ran.facts = handle.facts
    ran.errors = [error for error in ran.errors if error]
    return ran


def asked(
    *answers: Answer | Callable[[dict[str, Any]], Answer], plan: Plan | None = None, **limits: Any
) -> tuple[Ran, Endpoint]:
    """A run of a chain of two tasks by default, with a model that answers so."""

    async def main() -> tuple[Ran, Endpoint]:
        async with endpoint(*answers) as there:
            return await under(agent_of(there, **limits), plan or chain(2, simulate=0)), there

    return asyncio.run(main())


def test_the_seven_tools_change_a_run_as_one_proposal():
    tasks = ("a", "b", "c", "d")
    plan = Plan(tasks=[*chain(1, simulate=0).tasks, *(Task(id=id, simulate=0, device="far") for id in tasks)])
    ran, there = asked(
        completion(
            None,
            ("add_task", {"task_id": "new", "name": "New", "description": "Look", "tips": ["closely"]}),
            ("remove_task", {"task_id": "a"}),
            ("update_task", {"task_id": "b", "name": "Better", "target_device_id": "s"}),
            ("add_dependency", {"dependency_id": "e1", "from_task_id": "t0", "to_task_id": "b"}),
            ("add_dependency", {"from_task_id": "b", "to_task_id": "c"}),
            ("update_dependency", {"dependency_id": "e1", "condition_description": "if it is fine"}),
            ("remove_dependency", {"dependency_id": "b->c"}),
            ("build_constellation", {"config": {"tasks": [{"task_id": "x"}, {"task_id": "y"}]}}),
            ("remove_task", {"task_id": "c"}),
            ("remove_task", {"task_id": "d"}),
            ("remove_task", {"task_id": "new"}),
            ("remove_task", {"task_id": "x"}),
            ("remove_task", {"task_id": "y"}),
        ),
        completion("As asked."),
        NOTHING,
        plan=plan,
    )
    assert ran.errors == []
    assert (ran.task_ids, ran.facts.state) == ({"t0", "b"}, RunState.COMPLETED)
    assert ran.facts.revision == 1
    assert ran.reasons == ["As asked."]
    assert ran.facts.graph.task("b").name == "Better"
    (edge,) = ran.facts.graph.dependencies()
    assert (edge.parent, edge.child, edge.metadata) == ("t0", "b", {"note": "if it is fine"})
    names = {tool["function"]["name"] for tool in there.asked[0]["tools"]}
    assert names == {
        *("add_task", "remove_task", "update_task", "build_constellation"),
        *("add_dependency", "remove_dependency", "update_dependency"),
    }
    question = json.loads(there.asked[0]["messages"][-1]["content"])
    assert question["goal"] == "be done"
    assert question["ended"][0]["id"] == "t0"
    assert [task["id"] for task in question["constellation"]["tasks"]] == ["t0", "a", "b", "c", "d"]


def test_what_would_be_refused_is_told_to_the_model_which_then_mends_it():
    good = {"task_id": "more", "command": ["true"], "target_device_id": "s"}
    ran, there = asked(
        completion(None, ("add_dependency", {"from_task_id": "t1", "to_task_id": "t0"})),
        completion(None, ("add_task", {"task_id": "t1", "description": "again"})),
        completion(None, ("add_task", good), ("remove_task", {"task_id": "more"})),
        completion("Better."),
        NOTHING,
    )
    told = [message["content"] for message in there.asked[3]["messages"] if message["role"] == "tool"]
    assert "'t0'" in told[0]
    assert "'t1'" in told[1]
    assert told[2].startswith("Accepted; 1 edits")
    assert (ran.errors, ran.facts.revision, ran.task_ids) == ([], 1, {"t0", "t1"})


@pytest.mark.parametrize(
    "text",
    [
        '{"edits": [{"update_task": {"task": "t1", "name": "Named"}}], "reason": "Clearer."}',
        '```json\n{"edits": [{"update_task": {"task": "t1", "name": "Named"}}], "reason": "Clearer."}\n```',
    ],
)
def test_a_model_without_tools_may_write_its_edits_down(text: str):
    ran, _ = asked(completion(text), NOTHING)
    assert (ran.errors, ran.reasons) == ([], ["Clearer."])
    assert ran.facts.graph.task("t1").name == "Named"


def test_a_model_that_only_talks_changes_nothing_and_its_words_are_kept():
    ran, _ = asked(NOTHING)
    assert (ran.errors, ran.facts.revision) == ([], 0)
    said = ran.agent.conversation(ran.facts.run_id)
    assert [one.who for one in said] == ["starloom", "model"] * 2
    assert said[0].text == "t0 completed"
    assert said[1].text == "Nothing needs to change."
    assert ran.agent.tokens(ran.facts.run_id) == 30


def test_a_conversation_is_bounded():
    ran, _ = asked(completion("x" * 10_000), plan=chain(5, simulate=0), said=3)
    said = ran.agent.conversation(ran.facts.run_id)
    assert len(said) == 3
    assert max(len(one.text) for one in said) <= 4_001


GARBAGE = {
    "no json at all": (200, {"content-type": "application/json"}, b"<html>"),
    "another shape": (200, {"content-type": "application/json"}, b'{"hello": 1}'),
    "no choices": (200, {"content-type": "application/json"}, b'{"id": "c", "choices": [], "object": "x"}'),
    "an unknown tool": completion(None, ("format_disk", {})),
    "arguments that are no json": completion(None, ("add_task", "{oops")),
    "wrong arguments": completion(None, ("add_task", {"task_id": ["a"], "shell": "rm"})),
    "edits that are none": completion('{"edits": [{"explode": 1}]}'),
    "tasks that are none": completion('{"tasks": 7}'),
}


@pytest.mark.parametrize("answer", GARBAGE.values(), ids=GARBAGE.keys())
def test_a_model_that_answers_garbage_is_told_and_the_run_goes_on(answer: Answer):
    ran, there = asked(answer, plan=chain(1, simulate=0), retries=2)
    assert (ran.facts.state, ran.facts.revision) == (RunState.COMPLETED, 0)
    (error,) = ran.errors
    assert "AgentError: the model m at http://127.0.0.1:" in error
    assert len(there.asked) <= 3


def test_a_model_that_is_asked_too_often_is_asked_again_and_then_answers():
    ran, there = asked(failing(429, **{"retry-after": "0"}), NOTHING, plan=chain(1, simulate=0))
    assert (ran.errors, len(there.asked)) == ([], 2)


def test_a_model_that_is_always_asked_too_often_is_told_and_the_run_goes_on():
    ran, there = asked(failing(429, "slow down", **{"retry-after": "0"}), plan=chain(1, simulate=0))
    assert ran.facts.state is RunState.COMPLETED
    assert "is asked too often just now" in ran.errors[0]
    assert "slow down" in ran.errors[0]
    assert len(there.asked) == 3


def test_the_key_is_sent_and_never_told():
    ran, there = asked(failing(401, f"Incorrect API key provided: {SECRET}"), plan=chain(1, simulate=0))
    assert there.keys == [SECRET]
    assert "answers with 401" in ran.errors[0]
    assert "Incorrect API key provided: …" in ran.errors[0]
    assert SECRET not in repr(ran.errors) + repr(ran.agent.conversation(ran.facts.run_id))


def test_a_model_that_never_answers_is_given_up_after_its_time():
    ran, there = asked(None, plan=chain(1, simulate=0), seconds=0.5)
    assert ran.facts.state is RunState.COMPLETED
    assert ran.errors == ["AgentError: the model m has not answered within 0.5 s."]
    assert len(there.asked) <= 1


def test_a_model_nobody_waits_for_any_more_is_let_go_at_once():
    async def main() -> None:
        async with endpoint(None) as there, Orchestrator([SimulatedDevice("s")]) as orchestrator:
            handle = await orchestrator.start(chain(1, simulate=0), paused=True)
            await handle.attach(agent_of(there))
            await handle.start()
            async with asyncio.timeout(60):
                await there.heard.wait()
            await handle.cancel()
            await handle.finished()

    asyncio.run(main())


def test_an_endpoint_that_is_not_there_is_said():
    async def main() -> Ran:
        async with endpoint(NOTHING) as there:
            agent = agent_of(there)
        return await under(agent, chain(1, simulate=0))

    (error,) = asyncio.run(main()).errors
    assert "cannot be asked" in error


def test_a_model_that_never_stops_comes_to_its_limit_of_requests():
    again = completion(None, ("update_task", {"task_id": "t1", "name": "again"}))
    ran, _there = asked(again, requests=4)
    assert "has come to no end within its limits" in ran.errors[0]
    assert ran.facts.revision == 0
    assert ran.facts.state is RunState.COMPLETED


def test_a_model_has_so_many_tokens_in_a_run_and_says_once_that_they_are_used_up():
    ran, there = asked(completion("No.", tokens=100), plan=chain(5, simulate=0), tokens=200)
    assert len(there.asked) == 2
    assert [("200 tokens; 200 are allowed" in error) for error in ran.errors] == [True]


def test_one_question_does_not_use_more_tokens_than_the_run_has():
    again = completion(None, ("update_task", {"task_id": "t1", "name": "again"}), tokens=100)
    ran, there = asked(again, tokens=250, requests=20)
    assert "has come to no end within its limits" in ran.errors[0]
    assert len(there.asked) == 3


def test_a_model_has_so_many_edits_in_one_answer():
    many = {"config": {"tasks": [{"task_id": f"n{number}"} for number in range(4)]}}
    ran, there = asked(completion(None, ("build_constellation", many)), NOTHING, plan=chain(1, simulate=0), edits=3)
    told = [message["content"] for message in there.messages if message["role"] == "tool"]
    assert "No more than 3 edits may be proposed" in told[0]
    assert (ran.errors, ran.facts.revision) == ([], 0)


def test_a_model_has_so_many_rounds_in_a_run():
    def rename(request: dict[str, Any]) -> Answer:
        if request["messages"][-1]["role"] == "tool":
            return completion("Renamed.")
        number = len(json.loads(request["messages"][-1]["content"])["ended"])
        return completion(None, ("update_task", {"task_id": "t4", "name": f"n{number}"}))

    ran, _ = asked(rename, plan=chain(5, simulate=0), rounds=2)
    assert ran.facts.revision == 2
    assert "proposed something 2 times" in ran.errors[0]


FORM = {
    "tasks": [
        {
            "task_id": "fetch",
            "name": "Fetch",
            "description": "Fetch ${x.value} it",
            "target_device_id": "pc",
            "tips": [],
        },
        {"task_id": "read", "name": "Read", "description": "Read it", "target_device_id": None, "tips": ["slowly"]},
    ],
    "dependencies": [{"from_task_id": "fetch", "to_task_id": "read", "condition_description": "when it is there"}],
}


@pytest.mark.parametrize(
    "answers",
    [
        (completion(None, ("build_constellation", {"config": FORM})), completion("Two steps.")),
        (completion(json.dumps(FORM)),),
        (
            completion(None, ("build_constellation", {"config": {"tasks": "none"}})),
            completion(None, ("build_constellation", {"config": FORM, "clear_existing": True})),
            completion("Two steps."),
        ),
    ],
    ids=["with the tool", "written down", "after a correction"],
)
def test_a_request_in_words_becomes_a_plan(answers: tuple[Answer, ...]):
    async def main() -> Plan:
        async with endpoint(*answers) as there:
            plan = await agent_of(there).create_plan("Read the news", [DeviceSpec(id="pc", kind="simulated")])
            question = json.loads(there.asked[0]["messages"][-1]["content"])
            assert question == {"request": "Read the news", "devices": [{"device_id": "pc", "capabilities": []}]}
            return plan

    plan = asyncio.run(main())
    assert (plan.name, [task.id for task in plan.tasks]) == ("Read the news", ["fetch", "read"])
    fetch, read = plan.tasks
    assert (fetch.prompt, fetch.device, read.tips) == ("Fetch $${x.value} it", "pc", ("slowly",))
    (edge,) = plan.dependencies
    assert (edge.parent, edge.child, edge.metadata) == ("fetch", "read", {"note": "when it is there"})


def test_a_request_that_becomes_no_task_is_said():
    async def main() -> None:
        async with endpoint(completion("I would rather not.")) as there:
            await agent_of(there).create_plan("Do it")

    with pytest.raises(AgentError, match="the model m has planned no task"):
        asyncio.run(main())


# ---- trying an endpoint


@pytest.mark.parametrize(
    ("answer", "lists"),
    [(models("other", "m"), True), (models("other"), False), (failing(404), True), (failing(405), True)],
)
def test_an_endpoint_is_tried_by_its_list_of_models_if_it_has_one(answer: Answer, lists: bool) -> None:
    async def main() -> None:
        async with endpoint(answer) as there:
            assert await agent_of(there).probe() is lists
            assert there.keys == [SECRET]

    asyncio.run(main())


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (failing(401, f"wrong key {SECRET}"), "does not take the key (401: "),
        (failing(500), "answers with 500: "),
        ((200, {"content-type": "application/json"}, b"[1]"), "something else than a list of models"),
        ((200, {"content-type": "application/json"}, b"garbage"), "something else than a list of models"),
        (None, "cannot be reached: "),
    ],
)
def test_an_endpoint_that_cannot_be_used_says_so_without_its_key(answer: Answer, words: str) -> None:
    async def main() -> None:
        async with endpoint(answer) as there:
            with pytest.raises(AgentError) as told:
                await agent_of(there, seconds=0.5).probe()
            assert words in str(told.value)
            assert there.url in str(told.value)
            assert SECRET not in str(told.value)

    asyncio.run(main())
