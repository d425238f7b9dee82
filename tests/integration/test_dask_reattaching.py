"""Attempts on a Dask cluster that outlives the program that started them: the next one takes them up."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from tests.dask_clusters import ONE_WORKER, Cluster
from tests.integration.dask_harness import BOUND, one_of, within_bound
from tests.integration.local_harness import Attempt, alive
from tests.integration.test_reattaching import Place, end_all_in, program_dies, resumed, script
from tests.integration.test_reattaching import (
    test_a_running_attempt_goes_on_in_its_slot_and_ends_as_if_nothing_had_happened as test_it_goes_on_in_its_slot,
)
from tests.integration.test_reattaching import (
    test_cancelled_after_that_it_is_ended_for_real as test_cancelled_after_that_it_is_ended_for_real,
)
from tests.integration.test_reattaching import (
    test_it_outlives_as_many_programs_as_die_in_between as test_it_outlives_as_many_programs_as_die_in_between,
)
from tests.integration.test_reattaching import (
    test_its_timeout_has_run_while_no_program_did as test_its_timeout_has_run_while_no_program_did,
)
from tests.integration.test_reattaching import (
    test_one_that_ends_while_it_is_taken_up_again_is_not_lost as test_one_that_ends_meanwhile_is_not_lost,
)
from tests.integration.test_reattaching import (
    test_whoever_wants_it_begun_anew_gets_that as test_whoever_wants_it_begun_anew_gets_that,
)
from tests.waiting import POLL, until

from starloom import OutcomeStatus, RunState, Task
from starloom.devices.dask import scheduler_side
from starloom.devices.dask.cluster_workers import WorkerInfo
from starloom.devices.dask.link import DaskLink
from starloom.devices.dask.scheduler_side import KEEPER

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from distributed import Scheduler, Worker

__all__ = [
    "test_cancelled_after_that_it_is_ended_for_real",
    "test_it_goes_on_in_its_slot",
    "test_it_outlives_as_many_programs_as_die_in_between",
    "test_its_timeout_has_run_while_no_program_did",
    "test_one_that_ends_meanwhile_is_not_lost",
    "test_whoever_wants_it_begun_anew_gets_that",
]


GONE = WorkerInfo("0", "", 0, frozenset(), {})


@pytest.fixture(scope="module", name="cluster", autouse=True)
def _cluster() -> Iterator[Cluster]:
    with ONE_WORKER.stands():
        yield ONE_WORKER


@pytest.fixture
def place(cluster: Cluster, tmp_path: Path) -> Iterator[Place]:
    """A folder for one test, and the cluster unless the test says otherwise."""
    folder = tmp_path / "here"
    folder.mkdir()
    try:
        yield Place(folder, {"id": "d", "kind": "dask", "slots": 3, "options": {"address": cluster.address}}, "d-0")
    finally:
        end_all_in(folder)


@contextlib.asynccontextmanager
async def linked(cluster: Cluster) -> AsyncIterator[DaskLink]:
    link = DaskLink(cluster.address)
    await link.open()
    try:
        yield link
    finally:
        await link.close()


def kept(dask_scheduler: Scheduler) -> list[str]:
    """What the scheduler keeps for later programs."""
    return [str(task.key) for task in dask_scheduler.clients[KEEPER].wants_what]


def spools(dask_worker: Worker) -> int:
    """Of how many attempts a worker keeps what they have printed."""
    side: Any = dask_worker.plugins["starloom"]
    return len(side._spools)


def has_ended(dask_scheduler: Scheduler) -> bool:
    """Whether what came of everything that is kept is known."""
    return all(task.state == "memory" for task in dask_scheduler.clients[KEEPER].wants_what)


def test_nothing_of_attempts_is_left_in_the_cluster_once_somebody_has_come_for_them(
    cluster: Cluster, place: Place
) -> None:
    program_dies(place, {"a": script(place), "b": {"shell": "echo told", "needs": ["a"]}})

    async def scenario() -> None:
        async with linked(cluster) as link:
            client = link.client
            assert await client.run_on_scheduler(kept)
            place.let_go()
            await until(lambda: client.run_on_scheduler(has_ended), every=POLL)
            async with resumed(place) as run:
                assert (await run.finished()).state is RunState.COMPLETED
                assert run.results["a"].output == "first\nsecond\n[7]\n"
                assert run.results["a"].output_length == 17
                (file,) = (place.folder / "journal").glob("runs/*/output/a-*.log")
                assert file.read_bytes() == b"first\nsecond\n[7]\n"
            await until(lambda: _is_empty(link), every=POLL)

    within_bound(scenario)
    assert len(place.begun()) == 1


async def _is_empty(link: DaskLink) -> bool:
    return not await link.client.run_on_scheduler(kept) and not any((await link.client.run(spools)).values())


def test_what_came_of_an_attempt_moves_on_when_its_worker_is_retired(place: Place) -> None:
    own = Cluster(workers=2, threads=1)

    async def scenario() -> None:
        async with linked(own) as link:
            client = link.client
            place.let_go()
            await until(lambda: client.run_on_scheduler(has_ended), every=POLL)
            workers = await link.look()
            await client.retire_workers([workers["0"].address])
        async with resumed(place) as run:
            assert (await run.finished()).state is RunState.COMPLETED
            (attempt,) = run.task("a").attempts
            assert attempt.result.value == [7]
            assert attempt.result.output == "first\nsecond\n[7]\n"
            assert attempt.result.error.code == "output_lost"

    with own.stands():
        place.device["options"]["address"] = own.address
        program_dies(place, {"a": script(place, device="d-0")})
        within_bound(scenario)
    assert len(place.begun()) == 1


def test_an_attempt_whose_worker_died_while_no_program_ran_is_begun_anew(place: Place) -> None:
    own = Cluster(workers=1, threads=1)

    async def scenario() -> None:
        async with linked(own) as link:
            gone = (await link.look())["0"].address
            worker = psutil.Process(place.begun()[0]).parent()
            assert worker is not None
            worker.kill()
            await until(lambda: not alive(place.begun()[0]), every=POLL)
            await until(lambda: _is_back(link, gone), every=POLL)
        place.let_go()
        async with resumed(place) as run:
            assert (await run.finished()).state is RunState.COMPLETED
            assert [attempt.status for attempt in run.task("a").attempts] == ["interrupted", "completed"]

    with own.stands():
        place.device["options"]["address"] = own.address
        program_dies(place, {"a": script(place)})
        within_bound(scenario)


async def _is_back(link: DaskLink, gone: str) -> bool:
    return (await link.look()).get("0", GONE).address not in ("", gone)


def test_what_nobody_has_come_for_is_let_go_of_one_day_but_nothing_that_runs(cluster: Cluster, place: Place) -> None:
    program_dies(place, {"a": script(place)})

    async def scenario() -> None:
        async with linked(cluster) as link:
            client = link.client
            assert await client.run_on_scheduler(scheduler_side.sweep, older_than=-BOUND) == 0
            place.let_go()
            await until(lambda: client.run_on_scheduler(has_ended), every=POLL)
            assert await client.run_on_scheduler(scheduler_side.sweep) == 0
            assert await client.run_on_scheduler(scheduler_side.sweep, older_than=-BOUND) == 1
            await until(lambda: _is_empty(link), every=POLL)

    within_bound(scenario)


def test_an_attempt_that_nobody_waits_for_is_lost_with_the_link_and_ended_in_the_cluster(cluster: Cluster) -> None:
    async def scenario() -> None:
        async with one_of(cluster) as device:
            device.lost_after = 0.0
            attempt = Attempt(device, Task(id="t", shell="echo pid $$; echo ready; exec sleep 3600"), kept=None)
            running = await attempt.started()
            (pid,) = attempt.pids()
            comm: Any = device.link.client.scheduler_comm
            comm.abort()
            assert (await running).status is OutcomeStatus.LOST
            await until(lambda: not alive(pid), every=POLL)
            await device.link.restore()
            await until(lambda: _is_empty(device.link), every=POLL)

    within_bound(scenario)
