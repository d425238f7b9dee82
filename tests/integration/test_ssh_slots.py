"""A slot is free when the work has ended: what it has left comes over a slow link while the next task works there."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.integration.ssh_harness import BOUND, device_on
from tests.integration.ssh_harness import mortal_server as mortal_server
from tests.integration.test_ssh_files import known
from tests.proxies import Proxy
from tests.waiting import POLL, until

from starloom import Dependency, Orchestrator, Plan, RunState, Task
from starloom.events import AttemptWorkEnded, Event, TaskCompleted, TaskStarted

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from tests.ssh_servers import OpensshServer

    from starloom.orchestration.run import Run

ALLOWED = 1_000_000
"""Bytes that a connection lets through before it stands still."""
MUCH = "head -c 5000000 /dev/zero | tr '\\0' x"
FETCHES: dict[str, Any] = {"shell": f"{MUCH} >made", "files": {"fetch": ["made"]}}


def run_through(
    server: OpensshServer, plan: Plan, live: Callable[[Run, Proxy], Awaitable[Any]], **options: Any
) -> list[Event]:
    """Run a plan on a machine with one slot, whose connections stand still after a while; its events."""
    events: list[Event] = []

    async def scenario() -> None:
        async with asyncio.timeout(2 * BOUND), Proxy(server.port, most=ALLOWED) as proxy:
            device = device_on(
                server, slots=1, port=known(server, proxy), heartbeat_interval=10 * BOUND, grace=0.5, **options
            )
            async with Orchestrator([device]) as orchestrator:
                orchestrator.events.subscribe(events.append)
                await live(await orchestrator.start(plan), proxy)

    asyncio.run(scenario())
    return [event for event in events if event.run_id]


@pytest.mark.parametrize("first", [{"shell": MUCH}, FETCHES], ids=["output", "file"])
def test_the_second_task_begins_before_what_the_first_one_left_is_here(
    mortal_server: OpensshServer, first: Any
) -> None:
    begun: Path = mortal_server.folder / "work" / "begun"
    tasks = (Task(id="first", **first), Task(id="second", shell="touch begun"), Task(id="after", shell="true"))

    async def live(run: Run, proxy: Proxy) -> None:
        await until(begun.exists, every=POLL)
        await until(lambda: proxy.standing, every=POLL)
        assert (run.task("first").status, run.task("after").status) == ("running", "waiting_dependency")
        (reason,) = run.why("first")
        assert reason.code == "fetching"
        proxy.release()
        assert (await run.finished()).state is RunState.COMPLETED

    plan = Plan(tasks=tasks, dependencies=(Dependency(parent="first", child="after"),))
    events = run_through(mortal_server, plan, live)
    kinds = (TaskStarted, AttemptWorkEnded, TaskCompleted)
    told = [(type(event).__name__, event.task_id) for event in events if isinstance(event, kinds)]
    assert told[:3] == [("TaskStarted", "first"), ("AttemptWorkEnded", "first"), ("TaskStarted", "second")]
    assert told.index(("TaskCompleted", "first")) < told.index(("TaskStarted", "after"))


def test_cancelled_while_its_output_comes_it_is_let_go(mortal_server: OpensshServer) -> None:
    async def live(run: Run, proxy: Proxy) -> None:
        await until(lambda: run.why("first")[0].code == "fetching", every=POLL)
        await run.cancel()
        proxy.release()
        assert (await run.finished()).state is RunState.CANCELLED

    run_through(mortal_server, Plan(tasks=(Task(id="first", shell=MUCH),)), live)
