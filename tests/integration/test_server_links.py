"""Connections that break: what was asked for is done once, and who follows a run misses nothing."""

from __future__ import annotations

import asyncio
import random
import shutil
import socket
import time
from contextlib import aclosing
from itertools import chain
from typing import TYPE_CHECKING, Any

import pytest
from tests.integration.served import followed, greeted, runtime, served, talker
from tests.integration.test_resume import Gated, abc
from tests.waiting import until

from starloom.errors import CommandRefused, EditRefused
from starloom.events import CommandAnswered, ConstellationModified
from starloom.formats import dump_plan
from starloom.journal.library import Library
from starloom.journal.stream_file import StreamFile
from starloom.model.status import RunState
from starloom.scheduling.state import kept_answers
from starloom.server import requests
from starloom.server.client import EngineClient
from starloom.server.messages import FollowRun, GiveCommand, RequestAnswer, RequestRefusal, SubmitPlan
from starloom.server.sessions import ClientSession
from starloom.server.socket_path import ServerError
from starloom.server.wire import REPLIES, frame, read_message
from starloom.testing import independent

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.integration.served import Served

    from starloom.events import Event

pytestmark = pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED"), reason="no Unix sockets that tell who connects")


__all__ = ["runtime"]
PLAN = dump_plan(abc(), "json")


def later(timeout: float) -> dict[str, Any]:
    return {"edit": [{"update_task": {"task": "b", "timeout": timeout}}]}


@pytest.fixture
def cut(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[bool], bool]], None]:
    """Has the server cut connections at requests to do something: it is asked with whether that is done already."""

    def install(wanted: Callable[[bool], bool]) -> None:
        answered = ClientSession._answered

        async def answered_or_cut(session: ClientSession, request: Any) -> Any:
            acts = isinstance(request, GiveCommand | SubmitPlan)
            if acts and wanted(False):
                session.abort()
                raise ConnectionResetError
            reply = await answered(session, request)
            if acts and wanted(True):
                session.abort()
                raise ConnectionResetError
            return reply

        monkeypatch.setattr(ClientSession, "_answered", answered_or_cut)

    return install


def once(at: bool) -> Callable[[bool], bool]:
    """Cuts the first connection before, or after, what was asked for is done."""
    left = [at]

    def wanted(is_done: bool) -> bool:
        if left == [is_done]:
            left.clear()
            return True
        return False

    return wanted


def fleet_events(journals: Path) -> list[Event]:
    with StreamFile(journals / "fleet.db", read_only=True) as file:
        return list(file.committed())


# ---- done once


@pytest.mark.parametrize("at", [False, True], ids=["before", "after"])
def test_a_command_whose_connection_breaks_is_carried_out_once(tmp_path: Path, cut: Any, at: bool) -> None:
    cut(once(at))

    async def main() -> None:
        async with served(tmp_path, Gated()) as engine, engine.client("grace") as client:
            run = await engine.orchestrator.start(abc())
            assert await client.command(run.id, later(9)) == 1
            assert await client.command(run.id, later(8)) == 2
            assert run.task("b").task.timeout == 8
            answers = [event for event in fleet_events(tmp_path) if isinstance(event, CommandAnswered)]
            assert [(event.origin, event.answer, event.code) for event in answers] == [
                ("grace", 1, ""),
                ("grace", 2, ""),
            ]

    asyncio.run(main())


@pytest.mark.parametrize("at", [False, True], ids=["before", "after"])
def test_a_refusal_stays_one_although_it_would_be_possible_by_now(tmp_path: Path, cut: Any, at: bool) -> None:
    cut(once(at))

    async def main() -> None:
        async with served(tmp_path, Gated()) as engine, engine.client() as client:
            run = await engine.orchestrator.start(abc())
            await until(lambda: run.task("a").status == "running")
            with pytest.raises(CommandRefused, match="'a' cannot be held: it is running"):
                await client.command(run.id, {"hold": "a"})
            with pytest.raises(EditRefused) as refused:
                await client.command(run.id, {"edit": [{"remove_task": "z"}, {"remove_task": "y"}]})
            assert len(refused.value.problems) == 2

    asyncio.run(main())


@pytest.mark.parametrize("at", [False, True], ids=["before", "after"])
def test_a_plan_whose_connection_breaks_is_run_once(tmp_path: Path, cut: Any, at: bool) -> None:
    cut(once(at))

    async def main() -> None:
        async with served(tmp_path, Gated()) as engine, engine.client() as client:
            assert await client.submit(abc(), "night-1") == "night-1"
            assert list(engine.orchestrator.runs) == ["night-1"]
            with pytest.raises(CommandRefused, match="There is a run 'night-1' already"):
                await client.submit(abc(), "night-1")

    asyncio.run(main())


@pytest.mark.parametrize("seed", range(6))
def test_many_commands_over_connections_that_break_at_random_are_each_carried_out_once(
    tmp_path: Path, cut: Any, seed: int
) -> None:
    chance = random.Random(seed)
    cut(lambda _is_done: chance.random() < 0.3)

    async def one(engine: Served, run_id: str, name: str) -> list[Any]:
        async with engine.client(name) as client:
            return [await client.command(run_id, later(chance.randrange(1, 99))) for _ in range(12)]

    async def main() -> None:
        async with served(tmp_path, Gated()) as engine:
            run = await engine.orchestrator.start(abc())
            revisions = await asyncio.gather(*(one(engine, run.id, name) for name in ("ada", "grace", "joan")))
            assert sorted(chain.from_iterable(revisions)) == list(range(1, 37))
        with StreamFile(tmp_path / "runs" / run.id / "journal.db", read_only=True) as file:
            edits = [event.revision for event in file.committed() if isinstance(event, ConstellationModified)]
        assert edits == list(range(1, 37))

    asyncio.run(main())


# ---- over the end of a server


async def asked(engine: Served, request: GiveCommand | SubmitPlan) -> RequestAnswer | RequestRefusal:
    """What a server answers to a request, asked by a client of its own."""
    async with engine.raw() as (reader, writer):
        await greeted(reader, writer, name="ada")
        writer.write(frame(request))
        reply: RequestAnswer | RequestRefusal = await read_message(reader, REPLIES)
        return reply


def killed(journals: Path, into: Path) -> Path:
    """The journals as a server leaves them that is killed now."""
    shutil.copytree(journals, into, ignore=shutil.ignore_patterns("*.lock", "server*"))
    return into


def test_the_server_after_one_that_was_killed_knows_what_that_has_answered(tmp_path: Path) -> None:
    async def main() -> None:
        hold = GiveCommand(1, "night", {"hold": "b"}, "c1", time.time())
        refused = GiveCommand(1, "night", {"hold": "a"}, "c2", time.time())
        async with served(tmp_path / "one", Gated()) as engine:
            await engine.orchestrator.start(abc(), run_id="night")
            await until(lambda: engine.orchestrator.run("night").task("a").status == "running")
            assert await asked(engine, hold) == RequestAnswer(1, None)
            assert isinstance(await asked(engine, refused), RequestRefusal)
            await engine.orchestrator.run("night").release("b")
            journals = killed(tmp_path / "one", tmp_path / "two")
        async with served(journals, Gated()) as engine:
            assert "night" not in engine.orchestrator.runs, "it has not gone on with it"
            again = GiveCommand(2, hold.run_id, hold.form, hold.command_id, hold.given, again=True)
            assert await asked(engine, again) == RequestAnswer(2, None)
            again = GiveCommand(3, refused.run_id, refused.form, refused.command_id, refused.given, again=True)
            reply = await asked(engine, again)
            assert isinstance(reply, RequestRefusal)
            assert reply.reason == "'a' cannot be held: it is running."
            assert await asked(engine, SubmitPlan(4, PLAN, "night", again=True)) == RequestAnswer(4, "night")
            assert list(engine.orchestrator.runs) == []
            run = await engine.orchestrator.resume(journals / "runs" / "night")
            assert not run.facts.held, "the command that was taken back is not carried out again"

    asyncio.run(main())


def test_a_client_goes_on_with_the_server_that_takes_the_place_of_another(tmp_path: Path) -> None:
    async def main() -> None:
        async with served(tmp_path, Gated()) as engine:
            client = engine.client()
            await client.__aenter__()
        async with served(tmp_path, Gated()) as engine:
            assert await client.submit(abc(), "night") == "night"
            await client.__aexit__(None, None, None)

    asyncio.run(main())


def test_a_client_that_finds_no_server_any_more_says_that_nothing_is_known(tmp_path: Path) -> None:
    async def main() -> None:
        async with served(tmp_path, Gated()) as engine:
            client = EngineClient(engine.journals, "ada", patience=0.2)
            await client.__aenter__()
        with pytest.raises(ServerError, match=r"is gone.*Whether it has done what was asked is not known"):
            await client.submit(abc(), "night")
        await client.__aexit__(None, None, None)

    asyncio.run(main())


# ---- what is not known any more


async def unknown(engine: Served, given: float) -> bool:
    """Whether a command that was given before, at this time, is refused since nobody knows what came of it."""
    run = await engine.orchestrator.start(abc())
    reply = await asked(engine, GiveCommand(1, run.id, "pause", f"of {given}", given, again=True))
    is_paused = run.facts.state is RunState.PAUSED
    assert is_paused is isinstance(reply, RequestAnswer)
    return isinstance(reply, RequestRefusal) and reply.code == "unknown_command"


def test_a_command_that_was_never_received_is_carried_out_when_it_is_given_again(tmp_path: Path) -> None:
    async def main() -> None:
        async with served(tmp_path, Gated()) as engine:
            assert not await unknown(engine, time.time() - 3600)
            assert await unknown(engine, time.time() - requests.REMEMBERED - 60), "a day is over"

    asyncio.run(main())


def test_nothing_unknown_is_carried_out_again_once_answers_were_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_answers, "MOST", 2)

    async def main() -> None:
        async with served(tmp_path, Gated()) as engine:
            run = await engine.orchestrator.start(abc())
            async with engine.client() as client:
                for timeout in (1, 2, 3):
                    await client.command(run.id, later(timeout))
            assert await unknown(engine, time.time() - 60)
            assert not await unknown(engine, time.time()), "what was forgotten was answered before"

    asyncio.run(main())


def test_a_server_whose_fleet_another_program_keeps_knows_of_its_own_commands_only(tmp_path: Path) -> None:
    async def main() -> None:
        before = time.time()
        with Library(tmp_path):
            async with served(tmp_path, Gated()) as engine:
                assert not engine.server._feeds.keeps_fleet
                assert await unknown(engine, before - 1)
                assert not await unknown(engine, time.time())

    asyncio.run(main())


# ---- following


@pytest.mark.parametrize("seed", range(4))
def test_who_follows_over_connections_that_break_sees_each_event_once(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)

    async def main() -> None:
        async with served(tmp_path, talker(200)) as engine, engine.client() as client:
            run = await engine.orchestrator.start(independent(120), paused=True)
            seen: list[Event] = []
            async with aclosing(client.follow(run.id)) as following:
                replica, _ = await anext(following)
                begun = replica.view.run.seq
                await run.start()
                async for replica, events in following:
                    seen += events
                    if chance.random() < 0.2:
                        for session in list(engine.server._sessions.values()):
                            session.abort()
                    if replica.view.run.state.has_ended:
                        break
            with StreamFile(tmp_path / "runs" / run.id / "journal.db", read_only=True) as file:
                assert [event.seq for event in seen] == [event.seq for event in file.committed()][begun:]
        assert replica.view.run.canonical() == run.facts.canonical()

    asyncio.run(main())


def test_who_asks_for_rows_that_are_not_there_is_refused(tmp_path: Path) -> None:
    async def main() -> None:
        async with served(tmp_path, talker(1)) as engine, engine.client() as client:
            run = await engine.orchestrator.start(independent(2))
            await followed(client, run.id)
            async with engine.raw() as (reader, writer):
                await greeted(reader, writer)
                writer.write(frame(FollowRun(1, run.id, 10_000)))
                reply = await read_message(reader, REPLIES)
                assert isinstance(reply, RequestRefusal)
                assert reply.code == "unknown_row"

    asyncio.run(main())
