"""A served engine followed as a whole over a real socket: its fleet and its live runs, by whole turns only."""

from __future__ import annotations

import asyncio
import random
import shutil
import socket
import time
from contextlib import aclosing, asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from tests.driver import task
from tests.integration.served import greeted, runtime, served, talker
from tests.integration.test_resume import Gated, abc
from tests.properties.followed import about_run, fleet_plain
from tests.waiting import until

from starloom.constellation.edits import AddTask
from starloom.errors import CommandRefused
from starloom.foresight.projection import project
from starloom.journal.base import JournalError
from starloom.journal.library import Library
from starloom.journal.stream_file import StreamFile
from starloom.model.plan import Plan
from starloom.orchestration.foresight import fork_of
from starloom.scheduling import commands as c
from starloom.scheduling.decide.questions import idle, refusal
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.read.line import in_line
from starloom.scheduling.read.summary import elapsed
from starloom.scheduling.state.folded_run import FoldedRun
from starloom.server import following as following_room
from starloom.server import row_sender
from starloom.server.links import SocketLink
from starloom.server.messages import FollowEngine
from starloom.server.wire import frame
from starloom.testing import independent, invariants

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable
    from pathlib import Path

    from starloom.events import Event
    from starloom.orchestration.orchestrator import Orchestrator
    from starloom.server.client import EngineClient
    from starloom.server.engine_replica import EngineReplica
    from starloom.server.following import EngineFollowing

pytestmark = pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED"), reason="no Unix sockets that tell who connects")

__all__ = ["runtime"]
NIGHTLY = Plan(name="nightly", tasks=(task("a"), task("b")))


@asynccontextmanager
async def following(client: EngineClient) -> AsyncIterator[tuple[EngineFollowing, AsyncGenerator[list[Event]]]]:
    """An engine that is followed, once all of it is there."""
    found = client.follow_engine()
    async with aclosing(found.turns()) as turns:
        assert await anext(turns) == []
        yield found, turns


async def caught_up(found: EngineFollowing, turns: AsyncGenerator[list[Event]], engine: Orchestrator) -> list[Event]:
    """Follow until the replica has come to where the engine is; returns the events until then."""
    seen: list[Event] = []

    def is_there() -> bool:
        scheduler, runs = engine.pump.scheduler, found.replica.runs
        return found.replica.fleet.seq == scheduler.fleet.seq and all(
            run_id in runs and runs[run_id].seq == index.run.seq for run_id, index in scheduler.live.items()
        )

    while not is_there():
        seen += await anext(turns)
    return seen


async def hinted(found: EngineFollowing, turns: AsyncGenerator[list[Event]], run_id: str) -> None:
    """Have the replica have all that the facts lack."""
    before = found.replica.hints
    await found.ask_hints(run_id)
    while found.replica.hints is before or not found.knows_durations(run_id):
        await anext(turns)


def check_same(replica: EngineReplica, engine: Orchestrator) -> None:
    ours, theirs = replica.scheduler, engine.pump.scheduler
    assert list(ours.live) == list(theirs.live)
    assert fleet_plain(ours) == fleet_plain(theirs)
    ours.now = theirs.now  # seconds are in the reasons
    for run_id in theirs.live:
        assert ours.run(run_id).canonical() == theirs.run(run_id).canonical()
        assert about_run(ours, run_id) == about_run(theirs, run_id)
    assert in_line(ours, theirs.now, 50) == in_line(theirs, theirs.now, 50)


def check_answers(found: EngineFollowing, engine: Orchestrator, run_id: str) -> None:
    """What would be refused, and what is foreseen."""
    replica, pump = found.replica, engine.pump
    for command in (c.PauseRun(run_id=run_id), c.ResumeRun(run_id=run_id), c.HoldTasks(run_id=run_id, task_ids=("a",))):
        ours, theirs = refusal(replica.scheduler, command), refusal(pump.scheduler, command)
        assert str(ours) == str(theirs)
        if theirs is None:
            assert idle(replica.scheduler, command) == idle(pump.scheduler, command)
    fork = pump.past_runs.added_to(fork_of(pump, run_id), run_id)
    assert project(replica.fork(run_id, fork.now), run_id, samples=5) == project(fork, run_id, samples=5)


# ---- following


@pytest.mark.parametrize("full", [False, True], ids=["default", "full"])
def test_a_client_answers_as_the_engine_does(tmp_path: Path, full: bool) -> None:
    async def main() -> None:
        device = Gated()
        async with served(tmp_path, device, full=full) as engine, engine.client() as client:
            first = await engine.orchestrator.start(abc())
            await until(lambda: device.began)
            async with following(client) as (found, turns):
                check_same(found.replica, engine.orchestrator)
                second = await engine.orchestrator.start(independent(6))
                await engine.orchestrator.set_limits(max_concurrency=3)
                await first.edit(AddTask(task("d")))
                device.open("a")
                await until(lambda: first.task("a").status == "completed")
                await engine.orchestrator.pump.at_rest()
                await caught_up(found, turns, engine.orchestrator)
                check_same(found.replica, engine.orchestrator)
                for run in (first, second):
                    await hinted(found, turns, run.id)
                    check_answers(found, engine.orchestrator, run.id)

    asyncio.run(main())


def test_runs_that_have_ended_tell_how_long_tasks_take_also_those_of_earlier_programs(tmp_path: Path) -> None:
    async def main() -> None:
        for number in (1, 2):
            async with served(tmp_path, talker(3)) as engine:
                for time in (1, 2):
                    run = await engine.orchestrator.start(NIGHTLY, run_id=f"night-{number}-{time}")
                    await run.finished()
        async with served(tmp_path, talker(3)) as engine, engine.client() as client:
            ended = await engine.orchestrator.start(NIGHTLY, run_id="ended")
            await ended.finished()
            run = await engine.orchestrator.start(NIGHTLY, run_id="tonight", paused=True)
            async with following(client) as (found, turns):
                assert list(found.replica.runs) == ["tonight"]
                await hinted(found, turns, run.id)
                check_answers(found, engine.orchestrator, run.id)
                assert project(found.replica.fork(run.id, 0.0), run.id, samples=0).unestimated == 0
                await run.start()
                await run.finished()
                while not found.replica.runs["tonight"].state.has_ended:
                    await anext(turns)
                again = await engine.orchestrator.start(NIGHTLY, run_id="again", paused=True)
                await caught_up(found, turns, engine.orchestrator)
                await hinted(found, turns, again.id)
                check_answers(found, engine.orchestrator, again.id)

    asyncio.run(main())


@pytest.mark.parametrize("seed", range(4))
def test_over_connections_that_break_each_event_comes_once_and_turns_are_whole(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)

    async def main() -> None:
        async with served(tmp_path, talker(50)) as engine, engine.client() as client:
            runs = [await engine.orchestrator.start(independent(40), paused=True) for _ in range(3)]
            async with following(client) as (found, turns):
                begun = {run.id: found.replica.runs[run.id].seq for run in runs} | {"": found.replica.fleet.seq}
                seen: list[Event] = []
                for run in runs:
                    await run.start()
                while not all(run.state.has_ended for run in found.replica.runs.values()):
                    seen += await anext(turns)
                    if chance.random() < 0.2:
                        for session in list(engine.server._sessions.values()):
                            session.abort()
                seen += await caught_up(found, turns, engine.orchestrator)
                for run in runs:
                    assert found.replica.runs[run.id].canonical() == run.facts.canonical()
        for stream, path in {run.id: tmp_path / "runs" / run.id / "journal.db" for run in runs}.items():
            with StreamFile(path, read_only=True) as file:
                assert [event for event in seen if event.run_id == stream] == list(file.committed())[begun[stream] :]
        with StreamFile(tmp_path / "fleet.db", read_only=True) as file:
            told = [event for event in seen if not event.run_id]
            assert told == list(file.committed())[begun[""] :][: len(told)], "then the engine ended"

    asyncio.run(main())


async def check_each_whole_turn(journals: Path, *, full: bool) -> None:
    """Follow three runs that take slots of one device from each other, and check what holds between them each time."""
    async with served(journals, talker(10), full=full) as engine, engine.client() as client:
        runs = [await engine.orchestrator.start(independent(60), paused=True) for _ in range(3)]
        async with following(client) as (found, turns):
            for run in runs:
                await run.start()
            while not all(run.state.has_ended for run in found.replica.runs.values()):
                await anext(turns)
                invariants.check(found.replica.scheduler)


@pytest.mark.parametrize("full", [False, True], ids=["default", "full"])
def test_streams_fit_together_whenever_turns_are_told(tmp_path: Path, full: bool) -> None:
    asyncio.run(check_each_whole_turn(tmp_path, full=full))


def test_a_run_that_ends_while_the_connection_is_down_is_told_to_its_end(tmp_path: Path) -> None:
    async def main() -> None:
        device = Gated()
        async with served(tmp_path, device) as engine, engine.client() as client:
            run = await engine.orchestrator.start(abc())
            async with following(client) as (found, turns):
                for session in list(engine.server._sessions.values()):
                    session.abort()
                device.open("a", "b", "c")
                await run.finished()
                while not found.replica.runs[run.id].state.has_ended:
                    await anext(turns)
                assert found.replica.runs[run.id].canonical() == run.facts.canonical()
                assert list(found.replica.scheduler.live) == []
                again = await engine.orchestrator.start(abc(), paused=True)
                await caught_up(found, turns, engine.orchestrator)
                assert list(found.replica.scheduler.live) == [again.id]
                check_same(found.replica, engine.orchestrator)

    asyncio.run(main())


def test_what_an_earlier_server_left_behind_is_not_among_the_runs_until_it_is_resumed(tmp_path: Path) -> None:
    """As after `kill -9`: the client goes on with the next server, and shows of it what there is."""

    async def main() -> None:
        async with served(tmp_path / "one", Gated()) as engine:
            device = Gated()
            run = await engine.orchestrator.start(abc(), run_id="night")
            await engine.orchestrator.start(abc(), run_id="other")
            client = engine.client()
            await client.__aenter__()
            found = client.follow_engine()
            turns = found.turns()
            await anext(turns)
            assert set(found.replica.runs) == {"night", "other"}
            shutil.copytree(tmp_path / "one", tmp_path / "two", ignore=shutil.ignore_patterns("*.lock", "server*"))
            del run, device
        client._connection.link = SocketLink(tmp_path / "two")
        async with served(tmp_path / "two", Gated()) as engine:
            while "night" in found.replica.runs:
                await anext(turns)
            check_same(found.replica, engine.orchestrator)
            await engine.orchestrator.resume(tmp_path / "two" / "runs" / "night")
            await caught_up(found, turns, engine.orchestrator)
            assert list(found.replica.runs) == ["night"]
            check_same(found.replica, engine.orchestrator)
            await turns.aclose()
            await client.__aexit__(None, None, None)

    asyncio.run(main())


def test_who_is_far_behind_begins_at_checkpoints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_sender, "FAR", 3)

    async def main() -> None:
        device = Gated()
        async with served(tmp_path, device) as engine, engine.client() as client:
            run = await engine.orchestrator.start(abc())
            device.open("a")
            await until(lambda: len(device.began) == 3)
            await run.edit(AddTask(task("d")))
            await run.pause()
            async with following(client) as (found, turns):
                check_same(found.replica, engine.orchestrator)
                await run.resume()
                await caught_up(found, turns, engine.orchestrator)
                check_same(found.replica, engine.orchestrator)
                past = found.replica.past(run.id)
                assert 0 < past.first < run.facts.seq, "it began at a checkpoint, and more has come"
                with StreamFile(tmp_path / "runs" / run.id / "journal.db", read_only=True) as file:
                    events = list(file.committed())
                for seq in range(past.first, len(events) + 1):
                    then = fold(FoldedRun(run.id), events[:seq])
                    assert past.moment(seq).view.run.canonical() == then.run.canonical()
                with pytest.raises(JournalError, match="nothing is here before its event"):
                    past.moment(past.first - 1)

    asyncio.run(main())


def test_nobody_is_waited_for_who_follows_an_engine_and_does_not_read(tmp_path: Path) -> None:
    async def main() -> None:
        async with served(tmp_path, talker(50_000)) as engine, engine.raw(limit=100) as (reader, writer):
            await greeted(reader, writer)
            writer.write(frame(FollowEngine(1)))
            await until(lambda: engine.server._feeds._feeds)
            reader._transport.pause_reading()  # type: ignore[attr-defined]  # asyncio reads ahead otherwise
            run = await engine.orchestrator.start(independent(60))
            await run.finished()
            (session,) = engine.server._sessions.values()
            assert session._writer.transport.get_write_buffer_size() < 2**20
            async with engine.client() as client, following(client) as (found, _):
                assert list(found.replica.runs) == []
                check_same(found.replica, engine.orchestrator)

    asyncio.run(main())


def test_files_of_runs_that_have_ended_are_closed(tmp_path: Path) -> None:
    async def main() -> None:
        async with served(tmp_path, talker(1)) as engine:
            async with engine.client() as client, following(client) as (found, turns):
                for _ in range(5):
                    run = await engine.orchestrator.start(independent(2))
                    await run.finished()
                while len(found.replica.runs) < 5 or not all(r.state.has_ended for r in found.replica.runs.values()):
                    await anext(turns)
                await until(lambda: set(engine.server._feeds._feeds) == {""})
            await until(lambda: not engine.server._feeds._feeds)

    asyncio.run(main())


def test_an_engine_whose_fleet_another_program_keeps_is_not_followed(tmp_path: Path) -> None:
    async def main() -> None:
        with Library(tmp_path):
            async with served(tmp_path, Gated()) as engine, engine.client() as client:
                with pytest.raises(CommandRefused, match="Another program keeps the journal of the fleet"):
                    await anext(client.follow_engine().turns())

    asyncio.run(main())


# ---- time


def test_elapsed_times_are_the_engine_s_whatever_its_clock_shows_and_over_its_death(tmp_path: Path) -> None:
    """The clock of the second server begins hours before that of the first, which moves the times of the run."""

    def shifted(by: float) -> Callable[[], float]:
        return lambda: time.monotonic() + by

    async def main() -> None:
        async with served(tmp_path / "one", Gated(), clock=shifted(3 * 3600)) as engine:
            run = await engine.orchestrator.start(abc(), run_id="night")
            client = engine.client()
            await client.__aenter__()
            found = client.follow_engine()
            turns = found.turns()
            await anext(turns)
            check_time(found, engine.orchestrator, run.id)
            shutil.copytree(tmp_path / "one", tmp_path / "two", ignore=shutil.ignore_patterns("*.lock", "server*"))
        client._connection.link = SocketLink(tmp_path / "two")
        async with served(tmp_path / "two", Gated(), clock=shifted(-1800)) as engine:
            while "night" in found.replica.runs:
                await anext(turns)
            await engine.orchestrator.resume(tmp_path / "two" / "runs" / "night")
            await caught_up(found, turns, engine.orchestrator)
            check_time(found, engine.orchestrator, "night")
            await turns.aclose()
            await client.__aexit__(None, None, None)

    asyncio.run(main())


def check_time(found: EngineFollowing, engine: Orchestrator, run_id: str) -> None:
    before = engine.pump.clock()
    told = found.now()
    assert before - 1.0 <= told <= engine.pump.clock() + 1.0, "not hours"
    facts = engine.run(run_id).facts
    ours, theirs = elapsed(found.replica.runs[run_id], told), elapsed(facts, told)
    assert ours == theirs
    assert ours is not None
    assert 0 <= ours < 60


def test_the_clock_is_read_again_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following_room, "MEASURES_EVERY", 0.01)
    jump = [0.0]

    async def main() -> None:
        async with (
            served(tmp_path, Gated(), clock=lambda: time.monotonic() + jump[0]) as engine,
            engine.client() as client,
            following(client) as (found, turns),
        ):
            reading = asyncio.ensure_future(anext(turns))
            jump[0] = 500.0  # the machine slept, and this program did not
            await until(lambda: found.now() > time.monotonic() + 400)
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)

    asyncio.run(main())
