"""A served engine that is followed as a whole, and a run of it that had ended before."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING

import pytest
from tests.integration.served import runtime, served
from tests.integration.test_resume import RUN, Gated, a_ended, abc, dies
from tests.integration.test_server_engine import caught_up, check_same, following

from starloom import CommandRefused, RunState
from starloom.events import RunRecovered
from starloom.scheduling.commands import RerunFrom
from starloom.server import row_sender
from starloom.server.reopening import reopen

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.events import Event

pytestmark = pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED"), reason="no Unix sockets that tell who connects")

__all__ = ["runtime"]


def test_of_a_run_that_had_ended_before_nothing_is_told_until_it_is_reopened_and_then_all(tmp_path: Path) -> None:
    async def main() -> None:
        device = Gated()
        async with served(tmp_path, device) as engine, engine.client() as client:
            run = await engine.orchestrator.start(abc())
            device.open("a", "b", "c")
            await run.finished()
            async with following(client) as (found, turns):
                await run.set_limit(2)
                await engine.orchestrator.set_limits(max_concurrency=3)
                await caught_up(found, turns, engine.orchestrator)
                assert not found.replica.runs
                await run.rerun_from("a")
                await caught_up(found, turns, engine.orchestrator)
                while list(found.replica.scheduler.live) != list(engine.orchestrator.pump.scheduler.live):
                    await anext(turns)  # it has ended meanwhile
                check_same(found.replica, engine.orchestrator)

    asyncio.run(main())


def test_a_client_that_comes_back_far_behind_is_told_all_of_a_run_that_had_ended_and_is_reopened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It begins with the fleet's facts then, and lets go of what had ended."""
    monkeypatch.setattr(row_sender, "FAR", 3)

    async def main() -> None:
        device = Gated()
        async with served(tmp_path, device) as engine, engine.client() as client:
            run = await engine.orchestrator.start(abc())
            async with following(client) as (found, turns):
                device.open("a", "b", "c")
                await run.finished()
                await caught_up(found, turns, engine.orchestrator)
                while not found.replica.runs[run.id].state.has_ended:
                    await anext(turns)
                for session in list(engine.server._sessions.values()):
                    session.abort()
                await run.set_limit(2)
                for limit in range(1, 6):
                    await engine.orchestrator.set_limits(max_concurrency=limit)
                await caught_up(found, turns, engine.orchestrator)
                await run.rerun_from("a")
                await caught_up(found, turns, engine.orchestrator)
                while list(found.replica.scheduler.live) != list(engine.orchestrator.pump.scheduler.live):
                    await anext(turns)  # it has ended meanwhile
                check_same(found.replica, engine.orchestrator)

    asyncio.run(main())


def test_a_run_of_an_earlier_server_is_reopened_for_whoever_asks_and_all_are_told(tmp_path: Path) -> None:
    async def first() -> str:
        device = Gated()
        device.open("a", "b", "c")
        async with served(tmp_path, device) as engine:
            run = await engine.orchestrator.start(abc())
            await run.finished()
            return run.id

    async def second(run_id: str) -> None:
        device = Gated()
        device.open("a", "b", "c")
        async with served(tmp_path, device) as engine, engine.client() as client, engine.client("bob") as bob:
            async with following(client) as (found, turns):
                await caught_up(found, turns, engine.orchestrator)
                assert not found.replica.runs
                await reopen(bob, run_id)
                await reopen(bob, run_id)  # it is there already
                while run_id not in found.replica.runs:
                    await anext(turns)
                assert found.replica.runs[run_id].state is RunState.COMPLETED
                check_same(found.replica, engine.orchestrator)
                await bob.command(run_id, RerunFrom(run_id=run_id, task_id="a"))
                ended = await engine.orchestrator.run(run_id).finished()
                while found.replica.runs[run_id].seq < engine.orchestrator.run(run_id).facts.seq:
                    await anext(turns)
                assert found.replica.runs[run_id].state is ended.state
                check_same(found.replica, engine.orchestrator)
            assert device.began == ["a", "b", "c"]

    asyncio.run(second(asyncio.run(first())))


def test_one_that_ended_before_a_client_came_is_told_once_it_asks(tmp_path: Path) -> None:
    async def main() -> None:
        device = Gated()
        device.open("a", "b", "c")
        async with served(tmp_path, device) as engine, engine.client() as client, engine.client("bob") as bob:
            run = await engine.orchestrator.start(abc())
            await run.finished()
            async with following(client) as (found, turns):
                await caught_up(found, turns, engine.orchestrator)
                await reopen(bob, run.id)
                while run.id not in found.replica.runs:
                    await anext(turns)
                check_same(found.replica, engine.orchestrator)

    asyncio.run(main())


def test_one_that_was_interrupted_goes_on_and_what_is_none_is_refused(tmp_path: Path) -> None:
    picture = dies(tmp_path, abc(), a_ended)

    async def main() -> None:
        device = Gated()
        device.open("b", "c")
        async with served(picture, device) as engine, engine.client() as client:
            await reopen(client, RUN)
            run = engine.orchestrator.run(RUN)
            assert (await run.finished()).state is RunState.COMPLETED
            assert set(device.began) == {"b", "c"}
            with pytest.raises(CommandRefused, match="There is no run 'nobody' here"):
                await reopen(client, "nobody")
            with pytest.raises(CommandRefused, match=r"There is no run '\.\./\.\./x' here"):
                await reopen(client, "../../x")

    asyncio.run(main())


def test_a_server_of_an_earlier_version_is_not_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with served(tmp_path, Gated()) as engine, engine.client() as client:
            monkeypatch.setattr(type(client.welcome), "reopens", False)
            with pytest.raises(CommandRefused, match="leaves runs that have ended as they are"):
                await reopen(client, "any")

    asyncio.run(main())


def test_a_run_that_ended_under_an_earlier_server_is_reopened_under_the_eyes_of_a_client_that_saw_its_end(
    tmp_path: Path,
) -> None:
    async def main() -> None:
        device = Gated()
        device.open("a", "b", "c")
        async with served(tmp_path, device) as engine:
            client = engine.client()
            await client.__aenter__()
            found = client.follow_engine()
            turns = found.turns()
            await anext(turns)
            run = await engine.orchestrator.start(abc(), run_id="night")
            await run.finished()
            while "night" not in found.replica.runs or not found.replica.runs["night"].state.has_ended:
                await anext(turns)
        async with served(tmp_path, device) as engine, engine.client("bob") as bob:
            while "night" in found.replica.runs:
                await anext(turns)
            await reopen(bob, "night")
            seen: list[Event] = []
            while "night" not in found.replica.runs:
                seen += await anext(turns)
            check_same(found.replica, engine.orchestrator)
            of_run = [event for event in seen if event.run_id == "night"]
            assert isinstance(of_run[0], RunRecovered), "what was before is no news, and of another clock"
            assert "night" in found.replica.take_skipped()
            await bob.command("night", RerunFrom(run_id="night", task_id="a"))
            await engine.orchestrator.run("night").finished()
            while found.replica.runs["night"].seq < engine.orchestrator.run("night").facts.seq:
                await anext(turns)
            check_same(found.replica, engine.orchestrator)
            await turns.aclose()
            await client.__aexit__(None, None, None)

    asyncio.run(main())


@pytest.mark.parametrize("asks", [False, True])
def test_a_run_that_a_client_has_let_go_of_is_there_again_once_it_goes_on(tmp_path: Path, asks: bool) -> None:
    async def main() -> None:
        device = Gated()
        device.open("a", "b", "c")
        async with (
            served(tmp_path, device) as engine,
            engine.client() as client,
            engine.client("bob") as bob,
            following(client) as (found, turns),
        ):
            run = await engine.orchestrator.start(abc())
            await run.finished()
            while run.id not in found.replica.runs or not found.replica.runs[run.id].state.has_ended:
                await anext(turns)
            found.replica.forget(run.id)
            device.gates["b"].clear()
            if asks:
                await reopen(bob, run.id)
            else:
                await bob.command(run.id, RerunFrom(run_id=run.id, task_id="b"))
            while run.id not in found.replica.runs or found.replica.runs[run.id].seq < run.facts.seq:
                await anext(turns)
            check_same(found.replica, engine.orchestrator)
            device.open("b")

    asyncio.run(main())
