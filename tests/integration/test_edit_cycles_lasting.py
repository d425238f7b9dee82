"""Agents at a running engine whose journal fails, which dies, and which runs real commands."""

from __future__ import annotations

import asyncio
import shutil
import sys
from typing import TYPE_CHECKING

import pytest
from tests.driver import as_journalled
from tests.driver import task as make
from tests.integration.test_edit_cycles import Thinking, edge, forever, saying, timed
from tests.virtual_time import engine, pass_time, run
from tests.waiting import until

from starloom import (
    AddTask,
    JournalError,
    LocalDevice,
    MemoryJournal,
    Orchestrator,
    Plan,
    RemoveTask,
    SimulatedDevice,
)
from starloom import events as ev
from starloom.agents.base import Agent, AgentView, FinishedTask, Proposal
from starloom.journal.library import Library
from starloom.model.status import Fence, TaskStatus
from starloom.scheduling.restore import restore
from starloom.settings import SchedulerSettings
from starloom.testing import chain

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from starloom.constellation.edits import Edit
    from starloom.events import Event


class Failing(MemoryJournal):
    """A journal that can be made to fail."""

    def repair(self) -> None:
        self.failure = None


@pytest.mark.expects_log("halted at its last commit")
def test_an_answer_outlives_a_commit_that_fails():
    async def main() -> None:
        journal = Failing()
        agent = saying(5, AddTask(timed("more")))
        async with engine(SimulatedDevice("s", slots=8), journal=journal) as orchestrator:
            handle = await orchestrator.start(chain(2, simulate=1.0), paused=True)
            await handle.attach(agent)
            await handle.start()
            await pass_time(3)
            journal.failure = "The disk is full."
            await until(lambda: orchestrator.halted is not None)
            with pytest.raises(JournalError):
                await handle.finished()
            await pass_time(50)
            journal.repair()
            orchestrator.retry_commit()
            assert (await handle.finished()).tasks.completed == 3
        events = [as_journalled(event) for turn in journal.turns for event in turn]
        twin = restore(events)
        assert twin.run(handle.id).canonical() == handle.facts.canonical()

    run(main())


def test_a_run_taken_up_by_another_program_keeps_its_approvals_and_has_lost_its_agents(tmp_path: Path):
    async def first() -> None:
        plan = Plan(tasks=(timed("a", 0), timed("c", 0)), dependencies=(edge("a", "c"),))
        with Library(tmp_path / "first") as library:
            async with Orchestrator([SimulatedDevice("s")], settings=SchedulerSettings(), journal=library) as engine:
                handle = await engine.start(plan, run_id="r", paused=True)
                await handle.attach(saying(0, RemoveTask("c")), asks=("remove_task",))
                await handle.attach(Thinking(forever, "slow"))
                await handle.start()
                async with asyncio.timeout(60):
                    async for event in handle.events():
                        if isinstance(event, ev.ProposalSettled | ev.ProposalStaged):
                            break
                shutil.copytree(tmp_path / "first", tmp_path / "second")
                await engine.shutdown("now")

    async def second() -> None:
        heard: list[Event] = []
        with Library(tmp_path / "second") as library:
            async with Orchestrator([SimulatedDevice("s")], settings=SchedulerSettings(), journal=library) as engine:
                engine.events.subscribe(heard.append, ev.EditCycleClosed, ev.AgentDetached)
                handle = await engine.resume(next((tmp_path / "second" / "runs").iterdir()))
                assert handle.agents == {}
                assert handle.task("c").status is TaskStatus.PENDING
                (approval,) = handle.approvals
                await handle.answer_approval(approval.number, accept=True)
                async with asyncio.timeout(60):
                    summary = await handle.finished()
                assert summary.tasks.total == 1
        assert [event.how for event in heard if isinstance(event, ev.EditCycleClosed)] == ["interrupted"]
        assert [event.agent for event in heard if isinstance(event, ev.AgentDetached)] == ["x", "slow"]

    asyncio.run(first())
    asyncio.run(second())


@pytest.mark.parametrize("brought", [("slow", "other"), ("slow",)])
def test_an_agent_that_is_brought_again_is_asked_once_more_and_about_what_ended_meanwhile(
    tmp_path: Path, brought: tuple[str, ...]
):
    """The first program dies as two agents think about `a`, and before it has heard of the end of `b`."""

    async def first() -> None:
        begun = tmp_path / "begun"
        script = (
            "import os, sys, time; was = os.path.exists(sys.argv[1]); open(sys.argv[1], 'w'); was or time.sleep(60)"
        )
        plan = Plan(
            tasks=(timed("a", 0), make("b", command=[sys.executable, "-c", script, str(begun)])), fence=Fence.NONE
        )
        with Library(tmp_path / "first") as library:
            async with Orchestrator(
                [LocalDevice("s", slots=2)], settings=SchedulerSettings(), journal=library
            ) as engine:
                handle = await engine.start(plan, run_id="r", paused=True)
                slow, other = Thinking(forever, "slow"), Thinking(forever, "other")
                await handle.attach(slow)
                await handle.attach(other)
                await handle.start()
                await until(lambda: slow.asked and other.asked and begun.exists())
                shutil.copytree(tmp_path / "first", tmp_path / "second")
                await engine.shutdown("now")

    async def second() -> None:
        heard: list[Event] = []
        with Library(tmp_path / "second") as library:
            async with Orchestrator([LocalDevice("s")], settings=SchedulerSettings(), journal=library) as engine:
                engine.events.subscribe(heard.append, ev.EditCycleClosed, ev.AgentDetached)
                agents = {"slow": saying(0, AddTask(timed("more", 0)), name="slow"), "other": saying(0, name="other")}
                handle = await engine.resume(
                    next((tmp_path / "second" / "runs").iterdir()),
                    agents=lambda _run: [agents[name] for name in brought],
                )
                async with asyncio.timeout(60):
                    summary = await handle.finished()
                assert summary.tasks.total == 3, "its edit was applied"
        asked = [task_id for batch in agents["slow"].asked for task_id in batch]
        assert asked[0] == "a"
        assert set(asked) == {"a", "b", "more"}
        assert [event.agent for event in heard if isinstance(event, ev.AgentDetached)] == (
            [] if "other" in brought else ["other"]
        )

    asyncio.run(first())
    asyncio.run(second())


def test_an_agent_fans_out_over_the_result_of_a_real_command():
    """Local commands: the first prints a list as its result, an agent makes a task of each entry."""

    async def think(_view: AgentView, finished: Sequence[FinishedTask]) -> Proposal | None:
        edits: list[Edit] = []
        for one in finished:
            for entry in one.result.value if one.id == "list" else ():
                edits.append(AddTask(make(f"do-{entry}", command=[sys.executable, "-c", f"print({entry!r})"])))
        return Proposal(edits=tuple(edits)) if edits else None

    async def main() -> None:
        script = "import json, os; open(os.environ['STARLOOM_RESULT'], 'w').write(json.dumps(['p', 'q']))"
        plan = Plan(tasks=(make("list", command=[sys.executable, "-c", script]),))
        async with Orchestrator([LocalDevice("here", slots=2)], settings=SchedulerSettings()) as orchestrator:
            handle = await orchestrator.start(plan, paused=True)
            agent: Agent = Thinking(think)
            await handle.attach(agent)
            await handle.start()
            async with asyncio.timeout(60):
                summary = await handle.finished()
            assert summary.tasks.completed == 3
            assert {handle.results[id].output.strip() for id in ("do-p", "do-q")} == {"p", "q"}

    asyncio.run(main())
