"""An outage of the link to a machine loses nothing that goes on there: a real sshd that goes away and comes back."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from tests.integration.ssh_harness import BOUND, alive, device_on, folders_of, left_of
from tests.integration.ssh_harness import mortal_server as mortal_server
from tests.waiting import POLL, until

from starloom import Orchestrator, Plan, RunState, Task
from starloom.events import AttemptEndedLate, AttemptTimed, DeviceConnected, DeviceLost, TaskRetryScheduled, TaskStarted
from starloom.model.task import Retry
from starloom.settings import SchedulerSettings
from starloom.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    import pytest
    from tests.ssh_servers import OpensshServer

    from starloom.events import Event
    from starloom.orchestration.run import Run

SCRIPT = "echo $$ >>begun; until [ -e go ]; do sleep 0.02; done; echo {name} >>ended; echo '[{name}]'"


def run_through(
    server: OpensshServer,
    tasks: Sequence[Task],
    live: Callable[[Orchestrator, Run], Awaitable[Any]],
    **options: Any,
) -> list[Event]:
    """Run tasks on the server while `live` makes its links come and go; returns the events."""
    events: list[Event] = []

    async def scenario() -> None:
        device = device_of(server, **options)
        async with asyncio.timeout(2 * BOUND), Orchestrator([device], settings=SchedulerSettings()) as orchestrator:
            orchestrator.events.subscribe(events.append)
            run = await orchestrator.start(Plan(tasks=tuple(tasks)))
            await until(lambda: len(lines(server, "begun")) == len(tasks), every=POLL)
            await live(orchestrator, run)

    asyncio.run(scenario())
    return [event for event in events if not event.run_id or isinstance(event, TaskStarted | TaskRetryScheduled)]


def device_of(server: OpensshServer, **options: Any) -> Any:
    return device_on(server, **{"slots": 8, "heartbeat_interval": 0.2, "grace": 0.5, **options})


def lines(server: OpensshServer, name: str) -> list[str]:
    path = server.folder / "work" / name
    return path.read_text().splitlines() if path.exists() else []


def scripts(count: int, **fields: Any) -> list[Task]:
    return [Task(id=f"t{n}", shell=SCRIPT.format(name=n), **fields) for n in range(count)]


async def until_silent(orchestrator: Orchestrator) -> None:
    await until(lambda: not orchestrator.fleet.devices["there"].connected, every=POLL)


def test_of_eight_tasks_that_end_during_an_outage_none_is_lost_or_run_twice(mortal_server: OpensshServer) -> None:
    timed: list[AttemptTimed] = []

    async def live(orchestrator: Orchestrator, run: Run) -> None:
        orchestrator.events.subscribe(timed.append, AttemptTimed)
        mortal_server.kill()
        await until_silent(orchestrator)
        (reason,) = run.why("t0")
        assert reason.code == "unreachable"
        assert "unreachable for" in reason.text
        assert "waited for for another" in reason.text
        (mortal_server.folder / "work" / "go").touch()
        await until(lambda: len(lines(mortal_server, "ended")) == 8, every=POLL)
        mortal_server.start()
        assert (await run.finished()).state is RunState.COMPLETED
        await until(lambda: orchestrator.fleet.devices["there"].connected, every=POLL)
        assert sorted(str(run.results[f"t{n}"].value) for n in range(8)) == [f"[{n}]" for n in range(8)]
        assert sorted(event.task_id for event in timed) == [f"t{n}" for n in range(8)]
        assert all(event.ended_at is not None and event.ended_at < event.at for event in timed), [
            (e.task_id, e.at, e.started_at, e.ended_at) for e in timed
        ]

    events = run_through(mortal_server, scripts(8, retry=Retry(2)), live)
    assert len(lines(mortal_server, "begun")) == 8
    assert not [event for event in events if isinstance(event, TaskRetryScheduled)]
    lost = [event.reason for event in events if isinstance(event, DeviceLost) and not event.run_id]
    assert len([reason for reason in lost if "cannot be reached" not in reason]) == 1, "what comes after says why"
    assert len([event for event in events if isinstance(event, DeviceConnected) and not event.run_id]) == 1


def test_why_it_is_away_is_told_once_that_is_known_and_again_whenever_somebody_has_it_tried(
    mortal_server: OpensshServer,
) -> None:
    told: list[DeviceLost] = []

    async def live(orchestrator: Orchestrator, run: Run) -> None:
        orchestrator.events.subscribe(told.append, DeviceLost)
        mortal_server.kill()
        await until_silent(orchestrator)
        await until(lambda: "cannot be reached" in orchestrator.fleet.devices["there"].trouble, every=POLL)
        for _ in range(6):  # more often than failures suspend it
            before = len(told)
            await orchestrator.fleet.try_again("there")
            await until(lambda before=before: len(told) > before, every=POLL)  # type: ignore[misc]
            assert "cannot be reached" in orchestrator.fleet.devices["there"].trouble
        assert orchestrator.fleet.devices["there"].failures == 1, "it is one loss"
        mortal_server.start()
        await until(lambda: orchestrator.fleet.devices["there"].connected, every=POLL)
        (mortal_server.folder / "work" / "go").touch()
        assert (await run.finished()).state is RunState.COMPLETED

    run_through(mortal_server, scripts(1), live)
    assert all(event.waits_until for event in told)
    assert len(lines(mortal_server, "begun")) == 1


def test_what_still_runs_when_the_link_is_back_goes_on_and_its_output_is_whole(mortal_server: OpensshServer) -> None:
    async def live(orchestrator: Orchestrator, run: Run) -> None:
        mortal_server.kill()
        await until_silent(orchestrator)
        mortal_server.start()
        await until(lambda: orchestrator.fleet.devices["there"].connected, every=POLL)
        (mortal_server.folder / "work" / "go").touch()
        assert (await run.finished()).state is RunState.COMPLETED
        assert [len(run.task(f"t{n}").attempts) for n in range(3)] == [1, 1, 1]

    run_through(mortal_server, scripts(3), live)
    assert len(lines(mortal_server, "begun")) == 3


def test_after_lost_after_it_is_tried_again_and_what_is_left_is_ended_first(mortal_server: OpensshServer) -> None:
    async def live(orchestrator: Orchestrator, run: Run) -> None:
        mortal_server.kill()
        await until(lambda: run.task("t0").status == "pending", every=POLL)
        assert alive(int(lines(mortal_server, "begun")[0]))
        mortal_server.start()
        await until(lambda: len(lines(mortal_server, "begun")) == 2, every=POLL)
        first, second = map(int, lines(mortal_server, "begun"))
        assert (alive(first), alive(second)) == (False, True)
        (mortal_server.folder / "work" / "go").touch()
        assert (await run.finished()).state is RunState.COMPLETED
        assert [attempt.status for attempt in run.task("t0").attempts] == ["failed", "completed"]

    run_through(mortal_server, scripts(1, retry=Retry(2)), live, lost_after=0.5)
    assert left_of(mortal_server) == []
    assert len(lines(mortal_server, "ended")) == 1


def test_an_attempt_that_ends_after_it_was_given_up_is_told_and_is_not_the_next_ones_end(
    mortal_server: OpensshServer,
) -> None:
    told: list[AttemptEndedLate] = []

    async def live(orchestrator: Orchestrator, run: Run) -> None:
        orchestrator.events.subscribe(told.append, AttemptEndedLate)
        mortal_server.kill()
        await until(lambda: run.task("t0").status == "pending", every=POLL)
        (mortal_server.folder / "work" / "go").touch()
        await until(lambda: len(lines(mortal_server, "ended")) == 1, every=POLL)
        (mortal_server.folder / "work" / "go").unlink()
        mortal_server.start()
        await until(lambda: len(lines(mortal_server, "begun")) == 2, every=POLL)
        assert run.task("t0").status == "running"
        (mortal_server.folder / "work" / "go").touch()
        assert (await run.finished()).state is RunState.COMPLETED
        assert [attempt.number for attempt in run.task("t0").attempts] == [1, 2]

    run_through(mortal_server, scripts(1, retry=Retry(2)), live, lost_after=0.5)
    (late,) = told
    assert (late.task_id, late.attempt, late.device_id, late.exit_code) == ("t0", 1, "there", 0)
    assert late.ended_at is not None
    assert late.ended_at < late.at


def test_what_was_cancelled_during_an_outage_is_ended_when_the_link_is_back(mortal_server: OpensshServer) -> None:
    async def live(orchestrator: Orchestrator, run: Run) -> None:
        mortal_server.kill()
        await until_silent(orchestrator)
        await run.cancel()
        assert (await run.finished()).state is RunState.CANCELLED
        (pid,) = map(int, lines(mortal_server, "begun"))
        assert alive(pid)
        assert run.facts.reasons[0] == "may still run on 'there' until it is reached"
        assert orchestrator.fleet.unended("there") == 1
        mortal_server.start()
        await until(lambda: not (alive(pid) or folders_of(mortal_server) or left_of(mortal_server)), every=POLL)
        await until(lambda: run.facts.reasons[0] == "ended once its device was reached", every=POLL)
        assert orchestrator.fleet.unended("there") == 0

    run_through(mortal_server, scripts(1), live)


def test_what_cannot_be_stopped_during_an_outage_takes_nothing_else_with_it(
    mortal_server: OpensshServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is to end before heartbeats are missed, as by its timeout, and nobody can be told to end it."""
    monkeypatch.setattr("starloom.devices.ssh.remote_steps.PATIENCE", 0.1)

    async def live(orchestrator: Orchestrator, run: Run) -> None:
        mortal_server.kill()
        await run.cancel_tasks("late")
        await until(lambda: run.task("late").status == "cancelled", every=POLL)
        mortal_server.start()
        await until(lambda: not any(map(alive, map(int, lines(mortal_server, "late")))), every=POLL)
        (mortal_server.folder / "work" / "go").touch()
        await run.finished()
        assert [len(run.task(f"t{n}").attempts) for n in range(3)] == [1, 1, 1]

    late = Task(id="late", shell="echo $$ >late; echo $$ >>begun; sleep 600")
    events = run_through(mortal_server, [*scripts(3, retry=Retry(2)), late], live, heartbeat_interval=60.0)
    assert not [event for event in events if isinstance(event, TaskRetryScheduled)]
    assert len(lines(mortal_server, "begun")) == 4


def test_a_timeout_counts_from_the_start_of_work_and_not_the_wait_for_a_link(mortal_server: OpensshServer) -> None:
    clock = FakeClock()

    async def scenario() -> None:
        device = device_on(mortal_server, heartbeat_interval=10 * BOUND)  # that the link is down is noticed by nobody
        async with asyncio.timeout(2 * BOUND), Orchestrator([device], clock=clock) as orchestrator:
            mortal_server.kill()
            run = await orchestrator.start(Plan(tasks=(Task(id="t", shell="true", timeout=60),)))
            await until(lambda: run.task("t").status == "running", every=POLL)
            await until(lambda: orchestrator.pump.scheduler.runs[run.id].unbegun, every=POLL)
            clock.advance(3600)
            await run.pause()  # the engine looks at its clock
            await run.resume()
            mortal_server.start()
            await run.finished()
            assert run.results["t"].error is None
            started = run.task("t").attempts[0].started  # before now, as its machine measured, whose clock goes on
            assert started >= 3600 - 2 * BOUND

    asyncio.run(scenario())
