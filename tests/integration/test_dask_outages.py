"""An outage of the link to a Dask scheduler loses nothing that goes on there: a real cluster behind a bad link."""

from __future__ import annotations

import socket
import time
from typing import TYPE_CHECKING, Any

import pytest
from tests.dask_clusters import ONE_WORKER, Cluster
from tests.integration.dask_harness import BOUND, within_bound
from tests.integration.local_harness import alive
from tests.integration.test_reattaching import end_all_in
from tests.proxies import Proxy
from tests.waiting import POLL, until

from starloom import Orchestrator, Plan, RunState, Task
from starloom.devices.dask import DaskCluster, scheduler_side
from starloom.devices.dask.device import DaskDevice
from starloom.devices.dask.link import DaskLink
from starloom.devices.dask.scheduler_side import KEEPER
from starloom.events import (
    AttemptEndedLate,
    AttemptTimed,
    DeviceConnected,
    DeviceLost,
    TaskRetryScheduled,
)
from starloom.journal.base import NullJournal
from starloom.journal.library import Library
from starloom.model.task import Retry
from starloom.orchestration.left_behind import may_still_run, orphans
from starloom.scheduling.decide.late_ends import NOTICEABLE
from starloom.settings import SchedulerSettings

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from pathlib import Path

    from distributed import Scheduler, Worker

    from starloom.events import Event
    from starloom.orchestration.run import Run

SCRIPT = """\
cd {here}; echo $$ >>begun; echo first
echo second; echo {name} >>said
until [ -e go ]; do sleep 0.02; done; echo third; echo {name} >>ended; echo '[{name}]'
"""


@pytest.fixture(scope="module", name="cluster", autouse=True)
def _cluster() -> Iterator[Cluster]:
    with ONE_WORKER.stands():
        yield ONE_WORKER


@pytest.fixture(autouse=True)
def _in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DaskDevice, "heartbeat_interval", 1.0)
    monkeypatch.setattr("starloom.devices.dask.attempt._PATIENCE", 0.05)
    monkeypatch.setattr("starloom.devices.dask.link._PAUSE_SECONDS", 0.05)


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Path]:
    """Where the tasks of one test leave what they have to say."""
    folder = tmp_path / "here"
    folder.mkdir()
    try:
        yield folder
    finally:
        end_all_in(folder)


def scripts(here: Path, count: int, **fields: Any) -> list[Task]:
    return [Task(id=f"t{n}", shell=SCRIPT.format(here=here, name=n), **fields) for n in range(count)]


def lines(here: Path, name: str) -> list[str]:
    path = here / name
    return path.read_text().splitlines() if path.exists() else []


class Program:
    """A program with a journal, and a link to the cluster that the test breaks and mends.

    Attributes:
        events: of the fleet, and some of the run.
        keeps_journal: whether it does.
    """

    def __init__(self, cluster: Cluster, here: Path) -> None:
        self.events: list[Event] = []
        self.keeps_journal = True
        self._server = int(cluster.address.rpartition(":")[2])
        self._here = here
        self._port = _free_port()

    def lives(self, live: Callable[[Orchestrator, Proxy], Awaitable[Any]], **options: Any) -> None:
        """From its start to its end; told again, there is another one, with the same journal if it keeps one."""

        async def scenario() -> None:
            async with Proxy(self._server, port=self._port) as proxy:
                device = DaskCluster("c", address=f"tcp://127.0.0.1:{proxy.port}", **options)
                with Library(self._here.parent / "journal") as library:
                    journal = library if self.keeps_journal else NullJournal()
                    async with Orchestrator(journal=journal, settings=SchedulerSettings()) as orchestrator:
                        await orchestrator.fleet.add(device)
                        orchestrator.events.subscribe(self.events.append)
                        await live(orchestrator, proxy)

        within_bound(scenario)

    def runs(
        self, tasks: list[Task], live: Callable[[Orchestrator, Run, Proxy], Awaitable[Any]], **options: Any
    ) -> None:
        """It runs tasks, and once all have begun, lives."""

        async def scenario(orchestrator: Orchestrator, proxy: Proxy) -> None:
            run = await orchestrator.start(Plan(tasks=tuple(tasks)), run_id="night")
            await until(lambda: len(lines(self._here, "said")) == len(tasks), every=POLL)
            await live(orchestrator, run, proxy)

        self.lives(scenario, **options)

    def told(self, kind: type[Any]) -> list[Any]:
        """The events of a kind, of the fleet's the fleet's own."""
        is_fleets = kind in (DeviceLost, DeviceConnected)
        return [event for event in self.events if isinstance(event, kind) and not (is_fleets and event.run_id)]


@pytest.fixture(name="program")
def _program(cluster: Cluster, here: Path) -> Iterator[Program]:
    """Nothing of what it has run is left in the cluster afterwards."""
    yield Program(cluster, here)

    async def scenario() -> None:
        link = DaskLink(cluster.address)
        await link.open()
        await until(lambda: _is_empty(link), every=POLL)
        await link.close()

    within_bound(scenario)


async def _is_empty(link: DaskLink) -> bool:
    return not await link.client.run_on_scheduler(kept) and not any((await link.client.run(spools)).values())


def kept(dask_scheduler: Scheduler) -> int:
    keeper = dask_scheduler.clients.get(KEEPER)
    return 0 if keeper is None else len(keeper.wants_what)


def spools(dask_worker: Worker) -> int:
    side: Any = dask_worker.plugins.get("starloom")
    return 0 if side is None else len(side._spools)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


async def until_silent(orchestrator: Orchestrator) -> None:
    await until(lambda: not orchestrator.fleet.devices["c-0"].connected, every=POLL)


async def until_back(orchestrator: Orchestrator) -> None:
    await until(lambda: orchestrator.fleet.devices["c-0"].connected, every=POLL)


def test_of_tasks_that_end_during_an_outage_none_is_lost_or_run_twice(program: Program, here: Path) -> None:
    async def live(orchestrator: Orchestrator, run: Run, proxy: Proxy) -> None:
        await proxy.close_off()
        await until_silent(orchestrator)
        (reason,) = run.why("t0")
        assert reason.code == "unreachable"
        assert "unreachable for" in reason.text
        (here / "go").touch()
        await until(lambda: len(lines(here, "ended")) == 4, every=POLL)
        ended = time.monotonic()
        await until(lambda: time.monotonic() - ended > 2 * NOTICEABLE, every=POLL)
        proxy.open_up()
        assert (await run.finished()).state is RunState.COMPLETED
        await until_back(orchestrator)
        for n in range(4):
            assert run.results[f"t{n}"].value == [n]
            assert run.results[f"t{n}"].output == f"first\nsecond\nthird\n[{n}]\n"

    program.runs(scripts(here, 4, retry=Retry(2)), live)
    assert len(lines(here, "begun")) == 4
    assert not program.told(TaskRetryScheduled)
    assert [len(program.told(kind)) for kind in (DeviceLost, DeviceConnected)] == [1, 1]
    assert sorted(event.task_id for event in program.told(AttemptTimed)) == [f"t{n}" for n in range(4)]


def test_without_a_journal_nothing_is_lost_either_and_the_cluster_forgets_it(program: Program, here: Path) -> None:
    program.keeps_journal = False

    async def live(orchestrator: Orchestrator, run: Run, proxy: Proxy) -> None:
        await proxy.close_off()
        await until_silent(orchestrator)
        (reason,) = run.why("t0")
        assert reason.code == "unreachable"
        (here / "go").touch()
        await until(lambda: len(lines(here, "ended")) == 2, every=POLL)
        proxy.open_up()
        assert (await run.finished()).state is RunState.COMPLETED
        for n in range(2):
            assert run.results[f"t{n}"].output == f"first\nsecond\nthird\n[{n}]\n"

    program.runs(scripts(here, 2, retry=Retry(2)), live)
    assert len(lines(here, "begun")) == 2
    assert not program.told(TaskRetryScheduled)


def test_without_a_journal_what_is_lost_is_ended_once_the_link_is_back(program: Program, here: Path) -> None:
    program.keeps_journal = False

    async def live(orchestrator: Orchestrator, run: Run, proxy: Proxy) -> None:
        await proxy.close_off()
        await until_silent(orchestrator)
        await run.cancel()
        assert (await run.finished()).state is RunState.CANCELLED
        (pid,) = map(int, lines(here, "begun"))
        assert sum(device.unended for device in orchestrator.dispatcher.devices.values()) == 1
        proxy.open_up()
        await until(lambda: not alive(pid), every=POLL)
        await until(lambda: not any(device.unended for device in orchestrator.dispatcher.devices.values()), every=POLL)

    program.runs(scripts(here, 1), live)


def test_without_a_journal_what_no_program_asks_for_any_more_is_ended_by_its_worker(
    program: Program, here: Path, cluster: Cluster
) -> None:
    program.keeps_journal = False

    async def live(orchestrator: Orchestrator, run: Run, proxy: Proxy) -> None:
        await proxy.close_off()
        await until_silent(orchestrator)
        await run.cancel()
        await run.finished()

    program.runs(scripts(here, 1), live, lost_after=3.0)
    (pid,) = map(int, lines(here, "begun"))

    async def ends() -> None:
        await until(lambda: not alive(pid), every=POLL)
        link = DaskLink(cluster.address)
        await link.open()
        await until(lambda: link.client.run_on_scheduler(scheduler_side.sweep, older_than=-BOUND), every=POLL)
        await link.close()

    within_bound(ends)


def test_what_still_runs_when_the_link_is_back_goes_on_and_its_output_is_whole(program: Program, here: Path) -> None:
    async def live(orchestrator: Orchestrator, run: Run, proxy: Proxy) -> None:
        await proxy.close_off()
        await until_silent(orchestrator)
        proxy.open_up()
        await until_back(orchestrator)
        (here / "go").touch()
        assert (await run.finished()).state is RunState.COMPLETED
        for n in range(3):
            (attempt,) = run.task(f"t{n}").attempts
            assert attempt.result is not None
            assert attempt.result.output == f"first\nsecond\nthird\n[{n}]\n"
            (file,) = (here.parent / "journal").glob(f"runs/night/output/t{n}-*.log")
            assert file.read_text() == attempt.result.output

    program.runs(scripts(here, 3), live)
    assert len(lines(here, "begun")) == 3


def test_an_outage_that_nobody_notices_loses_nothing_either(program: Program, here: Path) -> None:
    async def live(orchestrator: Orchestrator, run: Run, proxy: Proxy) -> None:
        for _ in range(3):
            await proxy.cut(standing=False)
            await until(lambda: proxy.passing, every=POLL)
        (here / "go").touch()
        assert (await run.finished()).state is RunState.COMPLETED, run.task("t0").attempts
        assert run.results["t0"].output == "first\nsecond\nthird\n[0]\n"

    program.runs(scripts(here, 1), live)
    assert len(lines(here, "begun")) == 1


def test_after_lost_after_it_is_tried_again_and_what_is_left_is_ended_first(program: Program, here: Path) -> None:
    async def live(orchestrator: Orchestrator, run: Run, proxy: Proxy) -> None:
        await proxy.close_off()
        await until(lambda: run.task("t0").status == "pending", every=POLL)
        assert alive(int(lines(here, "begun")[0]))
        proxy.open_up()
        await until(lambda: len(lines(here, "begun")) == 2, every=POLL)
        first, second = map(int, lines(here, "begun"))
        assert (alive(first), alive(second)) == (False, True)
        (here / "go").touch()
        assert (await run.finished()).state is RunState.COMPLETED
        assert [attempt.status for attempt in run.task("t0").attempts] == ["failed", "completed"]

    program.runs(scripts(here, 1, retry=Retry(2)), live, lost_after=0.5)
    assert len(lines(here, "ended")) == 1
    assert [event.exit_code for event in program.told(AttemptEndedLate)] == [None]
    assert orphans(here.parent / "journal") == []


def test_an_attempt_that_ends_after_it_was_given_up_is_told_and_is_not_the_next_ones_end(
    program: Program, here: Path
) -> None:
    async def live(orchestrator: Orchestrator, run: Run, proxy: Proxy) -> None:
        await proxy.close_off()
        await until(lambda: run.task("t0").status == "pending", every=POLL)
        (here / "go").touch()
        await until(lambda: len(lines(here, "ended")) == 1, every=POLL)
        (here / "go").unlink()
        proxy.open_up()
        await until(lambda: len(lines(here, "begun")) == 2, every=POLL)
        (here / "go").touch()
        assert (await run.finished()).state is RunState.COMPLETED
        assert [attempt.number for attempt in run.task("t0").attempts] == [1, 2]

    program.runs(scripts(here, 1, retry=Retry(2)), live, lost_after=0.5)
    (late,) = program.told(AttemptEndedLate)
    assert (late.task_id, late.attempt, late.device_id, late.exit_code) == ("t0", 1, "c-0", 0)


def test_what_was_cancelled_during_an_outage_is_ended_when_the_link_is_back(program: Program, here: Path) -> None:
    async def live(orchestrator: Orchestrator, run: Run, proxy: Proxy) -> None:
        await proxy.close_off()
        await until_silent(orchestrator)
        await run.cancel()
        assert (await run.finished()).state is RunState.CANCELLED
        (pid,) = map(int, lines(here, "begun"))
        assert alive(pid)
        assert may_still_run(here.parent / "journal" / "runs" / "night")
        proxy.open_up()
        await until(lambda: not alive(pid), every=POLL)
        await until(lambda: not orphans(here.parent / "journal"), every=POLL)

    program.runs(scripts(here, 1), live)


def test_what_one_program_could_not_end_is_listed_and_ended_by_the_next_one_that_gets_there(
    program: Program, here: Path
) -> None:
    async def first(orchestrator: Orchestrator, run: Run, proxy: Proxy) -> None:
        await proxy.close_off()
        await until_silent(orchestrator)
        await run.cancel()
        assert (await run.finished()).state is RunState.CANCELLED
        assert sum(device.unended for device in orchestrator.dispatcher.devices.values()) == 1

    program.runs(scripts(here, 1), first)
    (pid,) = map(int, lines(here, "begun"))
    assert alive(pid)
    (orphan,) = orphans(here.parent / "journal")
    assert (orphan.device_id, orphan.run_id, orphan.task_id, orphan.attempt) == ("c-0", "night", "t0", 1)
    assert orphan.is_unended
    assert "It runs on worker '0' of tcp://127.0.0.1" in orphan.known

    async def second(_orchestrator: Orchestrator, _proxy: Proxy) -> None:
        await until(lambda: not alive(pid), every=POLL)
        await until(lambda: not orphans(here.parent / "journal"), every=POLL)

    program.lives(second)


def test_a_release_that_was_under_way_when_the_program_died_is_made_up_for_by_the_next_one(
    program: Program, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts = here.parent / "journal" / "runs" / "night" / "attempts"

    async def first(_orchestrator: Orchestrator, run: Run, _proxy: Proxy) -> None:
        (here / "go").touch()
        assert (await run.finished()).state is RunState.COMPLETED

    with monkeypatch.context() as patched:
        patched.setattr(DaskLink, "release", lambda _link, _order_ids: None)  # it never gets as far as the scheduler
        patched.setattr("starloom.devices.dask.leftovers._PATIENCE", 0.1)
        program.runs(scripts(here, 2), first)
    assert len(list(attempts.iterdir())) == 2

    async def second(_orchestrator: Orchestrator, _proxy: Proxy) -> None:
        await until(lambda: not list(attempts.iterdir()), every=POLL)

    program.lives(second)
