"""Links that are slow or stand still: what is urgent does not wait for what is large, and all of that arrives."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.integration.ssh_harness import BOUND, COMPLETED, STOPPED, Attempt, device_on, left_of, shell
from tests.integration.ssh_harness import mortal_server as mortal_server
from tests.proxies import Proxy
from tests.waiting import POLL, until

from starloom import Orchestrator, Plan, Task
from starloom.devices.ssh.errors import LinkLost
from starloom.devices.ssh.session import SshSession
from starloom.events import AttemptBegan, AttemptWorkEnded, Event, TaskCompleted, TaskStarted
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.folded_run import FoldedRun
from starloom.scheduling.state.late_facts import overhead

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from tests.ssh_servers import OpensshServer

    from starloom.devices.ssh import SshDevice

MUCH = "head -c 5000000 /dev/zero | tr '\\0' x"
"""Prints more than a connection of these tests lets through before it stands still."""
LINES = "seq 1000000"
"""Prints what a slow link takes minutes for."""
_FREES = (AttemptWorkEnded, TaskCompleted)
"""Whichever comes first frees the slot."""
ALLOWED = 1_000_000
"""Bytes that a connection lets through: enough to log in and to ask many times what becomes of a task."""


def through(
    server: OpensshServer,
    scenario: Callable[[SshDevice, Proxy], Awaitable[Any]],
    *,
    is_connected: bool = True,
    **link: Any,
) -> Any:
    """Run the scenario on a device that is connected through a proxy, or is to be."""

    async def within_bound() -> Any:
        async with asyncio.timeout(2 * BOUND), Proxy(server.port, **link) as proxy:
            known = server.known_hosts.read_text()
            server.known_hosts.write_text(known + known.replace(str(server.port), str(proxy.port)))
            # Nothing is sent only to keep the link alive: a link that stands still does not end by that.
            device = device_on(server, port=proxy.port, heartbeat_interval=10 * BOUND, grace=0.5)
            if not is_connected:
                return await scenario(device, proxy)
            await device.connect()
            try:
                return await scenario(device, proxy)
            finally:
                await device.disconnect()

    return asyncio.run(within_bound())


async def made_anew(proxy: Proxy, count: int) -> None:
    await until(lambda: proxy.made >= count, every=POLL)


def test_while_output_stands_still_the_machine_answers_and_what_is_stopped_is_ended(mortal_server: OpensshServer):
    async def scenario(device: SshDevice, proxy: Proxy) -> Any:
        running = [asyncio.ensure_future(Attempt(device, shell(f"{MUCH}; sleep 1000")).run()) for _ in range(4)]
        await until(lambda: proxy.standing, every=POLL)
        for _ in range(3):
            await device.ping()
        for one in running:
            one.cancel()
        await until(lambda: not left_of(mortal_server), every=POLL)
        assert proxy.standing
        proxy.release()
        return await asyncio.gather(*running)

    outcomes = through(mortal_server, scenario, most=ALLOWED)
    assert [outcome.status for outcome in outcomes] == [STOPPED] * 4


def test_while_output_stands_still_another_task_is_started(mortal_server: OpensshServer):
    async def scenario(device: SshDevice, proxy: Proxy) -> Any:
        talking = asyncio.ensure_future(Attempt(device, shell(MUCH)).run())
        await until(lambda: proxy.standing, every=POLL)
        other = asyncio.ensure_future(Attempt(device, shell("touch begun")).run())
        await until(lambda: (mortal_server.folder / "work" / "begun").exists(), every=POLL)
        proxy.release()
        return await talking, await other

    outcomes = through(mortal_server, scenario, most=ALLOWED)
    assert [outcome.status for outcome in outcomes] == [COMPLETED] * 2


def test_output_is_whole_however_often_only_its_connection_is_cut(mortal_server: OpensshServer, tmp_path: Path):
    async def scenario(device: SshDevice, proxy: Proxy) -> Any:
        task = shell("seq 600000; echo '[3]'")
        running = asyncio.ensure_future(Attempt(device, task, output_path=tmp_path / "log").run())
        cuts = 0
        while not running.done():
            await until(lambda: proxy.standing or running.done(), every=POLL)
            cuts += proxy.standing
            await proxy.cut(standing=True)
        assert cuts > 1
        return await running

    outcome = through(mortal_server, scenario, most=ALLOWED)
    assert (outcome.status, outcome.result.value) == (COMPLETED, [3])
    assert (tmp_path / "log").read_text() == "".join(f"{n}\n" for n in range(1, 600001)) + "[3]\n"


def test_a_connection_that_stands_still_is_given_up_with_the_one_for_what_is_urgent(mortal_server: OpensshServer):
    async def scenario(device: SshDevice, proxy: Proxy) -> Any:
        running = asyncio.ensure_future(Attempt(device, shell(f"{MUCH}; echo; echo '[3]'")).run())
        while not running.done():
            await until(lambda: proxy.standing or running.done(), every=POLL)
            if proxy.standing:
                before = proxy.made
                await proxy.cut(standing=False)
                await made_anew(proxy, before + 2)
        return await running

    assert through(mortal_server, scenario, most=ALLOWED).result.value == [3]


def test_where_nobody_may_log_in_twice_output_comes_over_the_one_login_there_is(mortal_server: OpensshServer):
    async def scenario(device: SshDevice, _proxy: Proxy) -> Any:
        return await Attempt(device, shell("seq 100000")).run()

    outcome = through(mortal_server, scenario, links=1)
    assert (outcome.status, outcome.result.value) == (COMPLETED, 100000)


def test_over_a_slow_link_output_is_whole(mortal_server: OpensshServer, tmp_path: Path):
    async def scenario(device: SshDevice, _proxy: Proxy) -> Any:
        tasks = [shell(f"seq {n} 9000") for n in (1, 2)]
        attempts = [Attempt(device, task, output_path=tmp_path / task.id) for task in tasks]
        await asyncio.gather(*(attempt.run() for attempt in attempts))
        return [(tmp_path / task.id).read_text() for task in tasks]

    both = through(mortal_server, scenario, rate=60_000)
    assert both == ["".join(f"{line}\n" for line in range(n, 9001)) for n in (1, 2)]


def test_of_what_is_stopped_only_the_end_of_its_output_is_waited_for(mortal_server: OpensshServer, tmp_path: Path):
    async def scenario(device: SshDevice, _proxy: Proxy) -> Any:
        task = shell(f"echo begins; {LINES}; echo ends; : >printed; sleep 1000")
        running = asyncio.ensure_future(Attempt(device, task, output_path=tmp_path / "log").run())
        await until(lambda: (mortal_server.folder / "work" / "printed").exists(), every=POLL)
        running.cancel()
        return await running

    outcome = through(mortal_server, scenario, rate=40_000)
    assert outcome.status is STOPPED
    first, *_, last = (tmp_path / "log").read_text().splitlines()
    assert (first, last) == ("begins", "ends")
    assert "bytes of stdout were not brought over]" in (tmp_path / "log").read_text()
    assert outcome.result.output.endswith("\nends\n")


def test_what_is_stopped_is_ended_before_its_files_are_read_again(
    mortal_server: OpensshServer, monkeypatch: pytest.MonkeyPatch
):
    read, markers, stopping = SshSession.read, [], asyncio.Event()

    async def read_late(session: SshSession, path: str, limit: int) -> bytes | None:
        if stopping.is_set():
            await until(lambda: not left_of(mortal_server), every=POLL)
        data = await read(session, path, limit)
        markers.extend([data] if data and path.endswith("/marker") else [])
        return data

    async def scenario(device: SshDevice, _proxy: Proxy) -> Any:
        running = asyncio.ensure_future(Attempt(device, shell("sleep 1000")).run())
        await until(lambda: markers, every=POLL)
        stopping.set()
        running.cancel()
        return await running

    monkeypatch.setattr(SshSession, "read", read_late)
    assert through(mortal_server, scenario).status is STOPPED


def test_a_task_that_has_ended_is_let_go_too_while_its_output_is_read(mortal_server: OpensshServer, tmp_path: Path):
    async def scenario(device: SshDevice, _proxy: Proxy) -> Any:
        running = asyncio.ensure_future(Attempt(device, shell(f"{LINES}; echo '[3]'")).run())
        (marker,) = await until(lambda: list((mortal_server.folder / "state").glob("attempts/*/marker")), every=POLL)
        await until(lambda: "end 0" in marker.read_text(), every=POLL)
        running.cancel()
        return await running

    outcome = through(mortal_server, scenario, rate=40_000)
    assert (outcome.status, outcome.result.value) == (STOPPED, None)


# ---- how long it took


def events_of(server: OpensshServer, task: Task, **link: Any) -> list[Event]:
    """What is told of a run of one task on a device that is connected through a proxy."""
    events: list[Event] = []

    async def scenario(device: SshDevice, _proxy: Proxy) -> None:
        async with Orchestrator([device]) as orchestrator:
            orchestrator.events.subscribe(events.append)
            run = await orchestrator.start(Plan(tasks=(task,)))
            await run.finished()

    through(server, scenario, is_connected=False, **link)
    run_id = next(event.run_id for event in events if event.run_id)
    return [event for event in events if event.run_id == run_id]


async def until_it_has_ended(server: OpensshServer) -> None:
    markers = (server.folder / "state").glob
    await until(lambda: any("end 0" in one.read_text() for one in markers("attempts/*/marker")), every=POLL)


def test_however_late_the_news_of_its_begin_come_no_task_is_shown_shorter_than_it_was(
    mortal_server: OpensshServer, monkeypatch: pytest.MonkeyPatch
):
    ask = SshSession.ask

    async def told_late(session: SshSession, text: bytes) -> list[list[str]]:
        answers = await ask(session, text)
        if any(words[0] == "started" for words in answers):
            await until_it_has_ended(mortal_server)
        return answers

    monkeypatch.setattr(SshSession, "ask", told_late)
    events = events_of(mortal_server, Task(id="a", shell="sleep 1; echo"), rate=60_000)
    (attempt,) = fold(FoldedRun(events[0].run_id), events).run.attempts(0)
    assert attempt.ended is not None
    assert attempt.ended - attempt.started >= 1.0 - 1e-6


def test_of_work_whose_begin_was_told_to_a_link_that_broke_its_machine_tells_when_it_began(
    mortal_server: OpensshServer, monkeypatch: pytest.MonkeyPatch
):
    ask, is_lost = SshSession.ask, False

    async def told_to_nobody(session: SshSession, text: bytes) -> list[list[str]]:
        nonlocal is_lost
        answers = await ask(session, text)
        if not is_lost and any(words[0] == "started" for words in answers):
            is_lost = True
            await until_it_has_ended(mortal_server)
            raise LinkLost("The answer was lost.")
        return answers

    monkeypatch.setattr(SshSession, "ask", told_to_nobody)
    events = events_of(mortal_server, Task(id="a", shell="sleep 0.2", timeout=600))
    began = next(event for event in events if isinstance(event, AttemptBegan))
    assert is_lost
    assert began.began_at is not None
    assert began.began_at < began.at


def test_what_a_task_held_its_slot_for_besides_its_work_is_known_of_it(mortal_server: OpensshServer):
    events = events_of(mortal_server, Task(id="a", shell="sleep 0.5; echo", estimate=0.5), rate=60_000)
    run = fold(FoldedRun(events[0].run_id), events).run
    (attempt,) = run.attempts(0)
    assert attempt.ended is not None
    started, heard = (next(event.at for event in events if isinstance(event, kind)) for kind in (TaskStarted, _FREES))
    assert 0 < overhead(run, 0) == pytest.approx(heard - started - (attempt.ended - attempt.started))
