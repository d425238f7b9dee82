"""Who joins after a run has ended learns of it when it is reopened, as whoever joins late learns of one that lives."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from tests.waiting import until

from starloom import InProcessDevice, Orchestrator, Plan, RunState, Task
from starloom.events import RunReopened, Snapshot
from starloom.scheduling.fold.apply import fold
from starloom.settings import SchedulerSettings

if TYPE_CHECKING:
    from starloom.events import Event


def test_an_observer_that_joined_after_its_end_gets_a_snapshot_when_it_is_reopened() -> None:
    early: list[Event] = []
    late: list[Event] = []
    typed: list[Event] = []

    async def scenario() -> Any:
        async with Orchestrator([InProcessDevice("here")], settings=SchedulerSettings()) as orchestrator:
            orchestrator.events.subscribe(early.append)
            run = await orchestrator.start(Plan(tasks=(Task(id="a", simulate={"duration": 0}),)))  # type: ignore[arg-type]
            await run.finished()
            orchestrator.events.subscribe(late.append)
            orchestrator.events.subscribe(typed.append, RunReopened)
            await run.rerun_from("a")
            assert (await run.finished()).state is RunState.COMPLETED
            await until(lambda: late and type(late[-1]) is type(early[-1]) and late[-1] == early[-1])
            return run.id, run.facts.canonical()

    run_id, facts = asyncio.run(scenario())
    first, *rest = [event for event in late if event.run_id == run_id]
    assert isinstance(first, Snapshot)
    assert first.state is not None
    assert [event.seq for event in rest] == list(range(first.seq + 1, first.seq + 1 + len(rest)))
    assert fold(first.state, rest).run.canonical() == facts
    assert not [event for event in early if isinstance(event, Snapshot)]
    own = [event.seq for event in early if event.run_id == run_id]
    assert own == list(range(1, len(own) + 1))
    assert len(typed) == 1
