"""Devices and clusters that cannot be reached when a run begins or goes on: they are waited for, and others go on."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from tests.integration.local_harness import alive
from tests.integration.ssh_harness import mortal_server as mortal_server
from tests.integration.test_reattaching import Place, end_all_in, engine_resumed, program_dies, resumed, script
from tests.integration.test_ssh_refusals import REFUSALS, Guarded
from tests.waiting import POLL, until

from starloom import RunState
from starloom.events import AttemptReattached, TaskInterrupted
from starloom.orchestration.left_behind import may_still_run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.ssh_servers import OpensshServer

    from starloom.events import Event
    from starloom.orchestration.run import Run


@pytest.fixture
def place(mortal_server: OpensshServer, tmp_path: Path) -> Iterator[Place]:
    folder = tmp_path / "here"
    folder.mkdir()
    options = {**mortal_server.options(), "grace": 0.5, "heartbeat_interval": 0.2, "timeout": 2.0}
    try:
        yield Place(folder, {"id": "d", "kind": "ssh", "slots": 3, "options": options})
    finally:
        end_all_in(folder)


async def until_awaited(run: Run, device_id: str = "d") -> None:
    await until(lambda: run.facts.fleet.devices[device_id].waits_until > 0, every=POLL)


def kinds(events: list[Event]) -> list[type[Event]]:
    return [type(event) for event in events if isinstance(event, AttemptReattached | TaskInterrupted)]


def test_an_attempt_goes_on_whose_machine_cannot_be_reached_when_its_run_does(
    place: Place, mortal_server: OpensshServer
) -> None:
    program_dies(place, {"a": script(place)})
    before = place.begun()
    mortal_server.stop()
    events: list[Event] = []

    async def scenario() -> None:
        async with resumed(place, events) as run:
            assert run.task("a").status == "running"
            await until_awaited(run)
            (reason,) = run.why("a")
            assert reason.code == "unreachable"
            mortal_server.start()
            await until(lambda: run.facts.fleet.devices["d"].connected, every=POLL)
            place.let_go()
            assert (await run.finished()).state is RunState.COMPLETED
            assert run.results["a"].value == [7]

    asyncio.run(scenario())
    assert place.begun() == before
    assert kinds(events) == [AttemptReattached]


@pytest.mark.parametrize("how", REFUSALS)
def test_an_attempt_goes_on_whose_machine_refuses_us_when_its_run_does(
    place: Place, mortal_server: OpensshServer, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr("starloom.orchestration.unavailable.REFUSED_PAUSE", 3600.0)  # nothing is told by a second try
    program_dies(place, {"a": script(place)})
    before = place.begun()
    guarded = Guarded(mortal_server, how)
    guarded.refuse()

    async def scenario() -> None:
        async with engine_resumed(place) as (orchestrator, run):
            assert run.task("a").status == "running"
            await until_awaited(run)
            assert REFUSALS[how] in run.facts.fleet.devices["d"].refusal
            (reason,) = run.why("a")
            assert (reason.code, REFUSALS[how] in reason.text) == ("unreachable", True)
            guarded.mend()
            await orchestrator.fleet.try_again("d")
            await until(lambda: run.facts.fleet.devices["d"].connected, every=POLL)
            place.let_go()
            assert (await run.finished()).state is RunState.COMPLETED

    asyncio.run(scenario())
    assert place.begun() == before


def test_what_refuses_us_for_too_long_when_its_run_goes_on_counts_as_lost(
    place: Place, mortal_server: OpensshServer
) -> None:
    place.device["options"]["lost_after"] = 1.5
    program_dies(place, {"a": script(place)})
    guarded = Guarded(mortal_server, "another key")
    guarded.refuse()

    async def scenario() -> None:
        async with resumed(place) as run:
            await until_awaited(run)
            assert (await run.finished()).state is RunState.FAILED
            assert run.results["a"].error.code == "device_lost"
            guarded.mend()

    asyncio.run(scenario())


def test_a_task_that_is_to_run_again_does_so_only_once_its_attempt_has_ended_there(
    place: Place, mortal_server: OpensshServer
) -> None:
    program_dies(place, {"a": script(place, on_interrupt="rerun")})
    (before,) = place.begun()
    mortal_server.stop()

    async def scenario() -> None:
        async with resumed(place) as run:
            await until_awaited(run)
            assert place.begun() == [before]
            mortal_server.start()
            await until(lambda: len(place.begun()) == 2, every=POLL)
            assert not alive(before)
            place.let_go()
            assert (await run.finished()).state is RunState.COMPLETED
            assert [attempt.status for attempt in run.task("a").attempts] == ["interrupted", "completed"]

    asyncio.run(scenario())


def test_a_task_that_is_to_fail_then_fails(place: Place, mortal_server: OpensshServer) -> None:
    program_dies(place, {"a": script(place, on_interrupt="fail")})
    mortal_server.stop()

    async def scenario() -> None:
        async with resumed(place) as run:
            await until_awaited(run)
            mortal_server.start()
            assert (await run.finished()).state is RunState.FAILED
            assert run.results["a"].error.code == "interrupted"

    asyncio.run(scenario())


def test_a_task_that_asks_is_held_then(place: Place, mortal_server: OpensshServer) -> None:
    program_dies(place, {"a": script(place, on_interrupt="ask")})
    mortal_server.stop()

    async def scenario() -> None:
        async with resumed(place) as run:
            await until_awaited(run)
            mortal_server.start()
            await until(lambda: run.task("a").status == "pending", every=POLL)
            assert run.facts.graph.place["a"] in run.facts.held

    asyncio.run(scenario())


def test_what_is_not_reached_in_time_counts_as_lost_and_is_ended_by_whoever_reaches_it(
    place: Place, mortal_server: OpensshServer
) -> None:
    place.device["options"]["lost_after"] = 1.5
    program_dies(place, {"a": script(place)})
    (pid,) = place.begun()
    mortal_server.stop()

    async def scenario() -> None:
        async with resumed(place) as run:
            assert (await run.finished()).state is RunState.FAILED
            assert run.results["a"].error.code == "device_lost"
            (folder,) = (place.folder / "journal" / "runs").iterdir()
            assert sum(may_still_run(folder).values()) == 1
            assert alive(pid)
            mortal_server.start()
            await until(lambda: not alive(pid), every=POLL)

    asyncio.run(scenario())


def test_a_task_that_is_cancelled_while_its_machine_is_waited_for_is_ended_once_that_is_reached(
    place: Place, mortal_server: OpensshServer
) -> None:
    program_dies(place, {"a": script(place)})
    (pid,) = place.begun()
    mortal_server.stop()

    async def scenario() -> None:
        async with resumed(place) as run:
            await run.cancel_tasks("a")
            await run.finished()
            assert run.task("a").status == "cancelled"
            mortal_server.start()
            await until(lambda: not alive(pid), every=POLL)

    asyncio.run(scenario())
