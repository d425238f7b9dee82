"""A served engine and its clients over a real socket: they see what the journal says, and nobody waits for them."""

from __future__ import annotations

import asyncio
import socket
from contextlib import aclosing
from typing import TYPE_CHECKING

import pytest
from tests.integration.served import (
    check_replica,
    followed,
    greeted,
    journal,
    runtime,
    served,
    talker,
    to_its_end,
)
from tests.integration.test_resume import Gated, abc
from tests.properties.test_checkpoints import checkpoints
from tests.waiting import until
from typing_extensions import override

from starloom.constellation.edits import AddTask
from starloom.devices.local import LocalDevice
from starloom.devices.simulated import SimulatedDevice
from starloom.errors import CommandRefused, DeviceError, EditRefused
from starloom.events import FORMAT_VERSION
from starloom.journal import sent_rows
from starloom.model.plan import Plan
from starloom.model.status import Breaker
from starloom.model.task import Task
from starloom.scheduling import commands as c
from starloom.server import listening, row_sender
from starloom.server.listings import ListRuns
from starloom.server.messages import CheckpointHead, FollowRun, RequestRefusal, RowBatch, SubmitPlan
from starloom.server.wire import REPLIES, frame, read_message
from starloom.testing import independent

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.events import Event

pytestmark = pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED"), reason="no Unix sockets that tell who connects")


__all__ = ["runtime"]


# ---- following


@pytest.mark.parametrize("full", [False, True], ids=["default", "full"])
def test_clients_that_join_at_any_time_see_each_event_once_and_the_run_as_it_is(tmp_path: Path, full: bool) -> None:
    async def main() -> None:
        device = Gated()
        async with served(tmp_path, device, full=full) as engine:
            run = await engine.orchestrator.start(abc())
            async with engine.client() as early, engine.client() as late:
                first = asyncio.create_task(followed(early, run.id))
                await until(lambda: device.began)
                device.open("a")
                await until(lambda: len(device.began) == 3)
                second = asyncio.create_task(followed(late, run.id))
                await run.edit(AddTask(Task(id="d", call="noop")))
                device.open("b", "c", "d")
                for replica, events in (await first, await second):
                    seqs = [event.seq for event in events]
                    assert seqs == list(range(seqs[0], replica.view.run.seq + 1))
                    check_replica(replica, journal(tmp_path, run.id))

    asyncio.run(main())


def test_a_run_that_has_ended_and_was_let_go_of_can_still_be_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In many batches, of which only the run as it is now is told."""
    monkeypatch.setattr(sent_rows, "BATCH_BYTES", 1)

    async def main() -> None:
        device = Gated()
        device.open("a", "b", "c")
        async with served(tmp_path, device) as engine:
            engine.orchestrator.pump.ended_runs.most = 0
            run = await engine.orchestrator.start(abc())
            await run.finished()
            await until(lambda: run.id in engine.orchestrator.ended_runs.released)
            async with engine.client() as client:
                (listed,) = await client.runs()
                assert (listed.state, listed.total, listed.done) == ("completed", 3, 3)
                replica, events = await followed(client, run.id)
                assert not events
            check_replica(replica, journal(tmp_path, run.id))

    asyncio.run(main())


def test_a_client_far_behind_begins_at_a_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_sender, "FAR", 3)

    async def main() -> None:
        device = Gated()
        async with served(tmp_path, device) as engine:
            run = await engine.orchestrator.start(abc())
            path = journal(tmp_path, run.id)
            device.open("a")
            await until(lambda: len(device.began) == 3)
            await run.edit(AddTask(Task(id="d", call="noop")))
            await run.pause()
            await until(lambda: checkpoints(path))
            async with engine.raw() as (reader, writer):
                await greeted(reader, writer)
                writer.write(frame(FollowRun(1, run.id)))
                last = (await read_message(reader, REPLIES)).value
                head = await read_message(reader, REPLIES)
                assert isinstance(head, CheckpointHead)
                assert (head.row, len(head.turns)) == (last, 2)
            async with engine.client() as client:
                events: list[Event] = []
                async for replica, more in to_its_end(client, run.id):
                    if not events and not more:
                        check_replica(replica, path)
                        await run.resume()
                        device.open("b", "c", "d")
                    events += more
                assert [event.seq for event in events] == list(range(events[0].seq, replica.view.run.seq + 1))
                check_replica(replica, path)

    asyncio.run(main())


def test_a_client_that_reads_nothing_costs_a_bounded_memory_and_delays_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it has not read is ten times as much; when it reads again, it begins anew at a checkpoint."""
    monkeypatch.setattr(row_sender, "FAR", 20)

    async def main() -> None:
        async with served(tmp_path, talker(100_000)) as engine:
            run = await engine.orchestrator.start(independent(200), paused=True)
            async with engine.raw() as (reader, writer), engine.client() as other:
                await greeted(reader, writer)
                writer.write(frame(FollowRun(1, run.id)))
                await read_message(reader, REPLIES)
                follow = asyncio.create_task(followed(other, run.id))
                session = next(iter(engine.server._sessions.values()))
                most = 0
                await run.start()
                while not follow.done():
                    most = max(most, session._writer.transport.get_write_buffer_size())
                    await asyncio.sleep(0)
                replica, _ = await follow
                path = journal(tmp_path, run.id)
                check_replica(replica, path)
                assert path.stat().st_size > 0
                assert isinstance(session._sender, row_sender.RowSender)
                behind = session._sender.row
                assert behind < replica.row
                assert 0 < most < 1_000_000
                await until(lambda: checkpoints(path))
                heads: list[CheckpointHead] = []
                rows: list[RowBatch] = []
                while not rows or rows[-1].first + len(rows[-1].rows) <= replica.row:
                    message = await read_message(reader, REPLIES)
                    heads += [message] if isinstance(message, CheckpointHead) else []
                    rows += [message] if isinstance(message, RowBatch) else []
                    if heads and heads[-1].row == replica.row:
                        break
                assert heads
                assert heads[-1].row > behind

    asyncio.run(main())


def test_a_batch_is_framed_once_for_all_who_follow(tmp_path: Path) -> None:
    async def main() -> None:
        device = Gated()
        async with served(tmp_path, device) as engine:
            run = await engine.orchestrator.start(abc())
            feeds = engine.server._feeds
            one, other = feeds.open(run.id), feeds.open(run.id)
            assert one is other
            first, second = one.batch_after(0, one.last), other.batch_after(0, other.last)
            assert first is not None
            assert second is not None
            assert first[1] is second[1]
            feeds.leave(one)
            assert run.id in feeds._feeds
            feeds.leave(other)
            assert not feeds._feeds

    asyncio.run(main())


def test_a_client_of_an_older_format_lists_and_commands_but_follows_nothing(tmp_path: Path) -> None:
    async def main() -> None:
        device = Gated()
        async with served(tmp_path, device) as engine:
            run = await engine.orchestrator.start(abc())
            async with engine.raw() as (reader, writer):
                await greeted(reader, writer, format=FORMAT_VERSION - 1)
                writer.write(frame(ListRuns(1)))
                assert (await read_message(reader, REPLIES)).runs[0].run_id == run.id
                writer.write(frame(FollowRun(2, run.id)))
                refused = await read_message(reader, REPLIES)
                assert isinstance(refused, RequestRefusal)
                assert (refused.number, refused.code) == (2, "older_format")

    asyncio.run(main())


# ---- commands


def test_commands_are_carried_out_in_the_name_of_their_sender_or_refused_as_here(tmp_path: Path) -> None:
    async def main() -> None:
        device = Gated()
        async with served(tmp_path, device) as engine, engine.client("grace") as client:
            run_id = await client.submit(abc(), "first")
            run = engine.orchestrator.run(run_id)
            assert run.facts.name == "abc"
            assert await client.command(run_id, {"edit": [{"update_task": {"task": "b", "timeout": 9}}]}) == 1
            assert run.task("b").task.timeout == 9
            assert {origin for _, origin in run.facts.touched.values()} == {"grace"}
            assert await client.command(run_id, c.PauseRun(run_id=run_id)) is None
            assert str(run.state) == "paused"
            with pytest.raises(EditRefused) as edit:
                await client.command(run_id, {"edit": [{"remove_task": "nope"}, {"remove_task": "neither"}]})
            assert len(edit.value.problems) == 2
            with pytest.raises(CommandRefused, match=r"unknown command|Known commands|Did you mean"):
                await client.command(run_id, {"paus": None})
            with pytest.raises(CommandRefused, match="There is no run 'other' here"):
                await client.command("other", "pause")
            with pytest.raises(CommandRefused, match="none is named"):
                await client.command("", "pause")
            with pytest.raises(CommandRefused, match="not a plan"):
                await client._give(SubmitPlan(99, "{}", "none"))
            await client.command("", {"drain_device": "here"})
            assert engine.orchestrator.pump.scheduler.fleet.devices["here"].draining
            (listed,) = await client.runs()
            assert (listed.run_id, listed.state) == (run_id, "paused")

    asyncio.run(main())


def test_a_command_about_a_device_does_with_it_what_belongs_to_that(tmp_path: Path) -> None:
    class Shut(SimulatedDevice):
        tries, let_go, is_open = 0, 0, False

        @override
        async def connect(self) -> None:
            self.tries += 1
            if not self.is_open:
                raise DeviceError("It is shut.")

        @override
        async def disconnect(self) -> None:
            self.let_go += 1

    async def main() -> None:
        device = Shut("far")
        device.cool_down = 600.0
        async with served(tmp_path, device) as engine, engine.client() as client:
            facts = engine.orchestrator.fleet.devices["far"]
            while facts.breaker is not Breaker.OPEN:
                engine.orchestrator.fleet._supervisor.hurry("far")
                await asyncio.sleep(0.01)
            tries, device.is_open = device.tries, True
            await client.command("", {"try_device_again": "far"})
            await until(lambda: device.tries > tries)
            await until(lambda: engine.orchestrator.fleet.devices["far"].connected)
            await client.command("", {"remove_device": "far"})
            assert device.let_go == 1
            assert not engine.orchestrator.fleet.has("far")

    asyncio.run(main())


def test_what_tasks_print_is_read_from_any_offset_on(tmp_path: Path) -> None:
    async def main() -> None:
        talk = Task(id="talk", shell="echo one; echo two >&2; test $STARLOOM_ATTEMPT -ge 2", retry=1)  # type: ignore[arg-type]
        async with served(tmp_path, LocalDevice("local")) as engine, engine.client() as client:
            plan = Plan(name="talking", tasks=(talk, Task(id="mute", shell="true")))
            run = await engine.orchestrator.start(plan, paused=True)
            waiting = await client.output(run.id, "talk", 0, 0)
            assert (waiting.attempt, waiting.data, waiting.is_over, waiting.last) == (0, b"", False, 0)
            with pytest.raises(CommandRefused, match="no attempt 1 of 'talk' yet"):
                await client.output(run.id, "talk", 1, 0)
            await run.start()
            await run.finished()
            first = await client.output(run.id, "talk", 1, 0)
            assert (first.attempt, sorted(first.data.split())) == (1, [b"one", b"two"])
            assert (first.is_over, first.last) == (True, 2)
            last = await client.output(run.id, "talk", 0, 4)
            assert (last.attempt, len(last.data)) == (2, 4)
            assert (await client.output(run.id, "talk", 0, 10_000)).data == b""
            assert (await client.output(run.id, "mute", 0, 0)).data == b""
            with pytest.raises(CommandRefused, match="Did you mean 'talk'"):
                await client.output(run.id, "tolk", 0, 0)
            with pytest.raises(CommandRefused, match="There is no run 'other' here"):
                await client.output("other", "talk", 0, 0)
            for attempt, offset in ((-1, 0), (1, -1), (1, 2**64 - 1)):
                with pytest.raises(CommandRefused):
                    await client.output(run.id, "talk", attempt, offset)

    asyncio.run(main())


def test_what_an_attempt_has_started_may_read_and_not_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "may_command", lambda _pid: False)

    async def main() -> None:
        device = Gated()
        async with served(tmp_path, device) as engine, engine.client() as client:
            run = await engine.orchestrator.start(abc())
            for asked in (client.command(run.id, "pause"), client.submit(abc(), "x")):
                with pytest.raises(CommandRefused, match="may look at runs here, and give no commands"):
                    await asked
            assert [one.run_id for one in await client.runs()] == [run.id]
            async with aclosing(client.follow(run.id)) as following:
                replica, _ = await anext(following)
                assert replica.view.run.run_id == run.id

    asyncio.run(main())
