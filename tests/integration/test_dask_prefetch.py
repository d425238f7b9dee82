"""A Dask worker is given more attempts than it has threads: they wait there, and have not begun before they do."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, NamedTuple

import psutil
import pytest
from tests.dask_clusters import Cluster
from tests.integration.dask_harness import within_bound
from tests.integration.test_reattaching import Place, end_all_in, program_dies, resumed, script
from tests.waiting import POLL, until

from starloom import DeviceError, Orchestrator, Plan, Retry, RunState, Task
from starloom import events as ev
from starloom.devices.dask import DaskCluster
from starloom.model.device import DeviceSpec

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from starloom.orchestration.run import Run

THREADS = 2
PREFETCH = 2
NAMES = ("a", "b", "c", "d")


@pytest.fixture(scope="module", name="cluster")
def _cluster() -> Iterator[Cluster]:
    cluster = Cluster(workers=1, threads=THREADS)
    with cluster.stands():
        yield cluster


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "here"
    folder.mkdir()
    try:
        yield folder
    finally:
        end_all_in(folder)


class Busy(NamedTuple):
    """A run of which two attempts have begun on the only worker, and two more wait there."""

    orchestrator: Orchestrator
    run: Run
    folder: Path
    heard: list[ev.Event]

    @property
    def begun(self) -> list[str]:
        """The tasks of which something has run, each as often as it did."""
        return [path.name.partition(".")[0] for path in self.folder.glob("?.*")]

    @property
    def waiting(self) -> set[str]:
        """The tasks that the engine knows to wait at their worker."""
        index = self.orchestrator.pump.scheduler.runs[self.run.id]
        return {index.run.graph.ids[number] for number in index.unbegun}

    def let_go(self) -> None:
        (self.folder / "go").touch()


@contextlib.asynccontextmanager
async def busy(cluster: Cluster, folder: Path, **fields: Any) -> AsyncIterator[Busy]:
    shell = f"echo $$ > {folder}/$STARLOOM_TASK_ID.$STARLOOM_ATTEMPT; until [ -e {folder}/go ]; do sleep 0.02; done"
    spec = DeviceSpec(id="c", kind="dask", options={"address": cluster.address, "prefetch": PREFETCH})
    async with Orchestrator() as orchestrator:
        heard: list[ev.Event] = []
        orchestrator.events.subscribe(heard.append)
        tasks = [Task(id=name, shell=shell, timeout=3600, **fields) for name in NAMES]
        run = await orchestrator.start(Plan(devices=[spec], tasks=tasks))
        bench = Busy(orchestrator, run, folder, heard)
        await until(lambda: sorted(bench.begun) == ["a", "b"] and bench.waiting == {"c", "d"}, every=POLL)
        yield bench


def test_more_are_given_than_run_and_each_counts_as_started_when_it_begins(cluster: Cluster, folder: Path) -> None:
    async def scenario() -> None:
        async with busy(cluster, folder) as bench:
            assert bench.orchestrator.fleet.devices["c-0"].slots == THREADS + PREFETCH
            assert {bench.run.task(name).status for name in NAMES} == {"running"}
            bench.let_go()
            assert (await bench.run.finished()).state is RunState.COMPLETED
            begins = [event.task_id for event in bench.heard if isinstance(event, ev.AttemptBegan)]
            assert sorted(begins) == ["c", "d"]
            started = {name: bench.run.task(name).attempts[0].started for name in NAMES}
            assert max(started["a"], started["b"]) < min(started["c"], started["d"])

    within_bound(scenario)


def test_of_one_that_is_cancelled_while_it_waits_nothing_runs(cluster: Cluster, folder: Path) -> None:
    async def scenario() -> None:
        async with busy(cluster, folder) as bench:
            await bench.run.cancel_tasks("c")
            await until(lambda: bench.run.task("c").status == "cancelled", every=POLL)
            bench.let_go()
            await bench.run.finished()
            assert sorted(bench.begun) == ["a", "b", "d"]
            assert {bench.run.task(name).status for name in "abd"} == {"completed"}

    within_bound(scenario)


def test_what_waits_at_a_worker_that_dies_is_lost_with_it_and_runs_once_it_is_back(folder: Path) -> None:
    own = Cluster(workers=1, threads=THREADS)

    async def scenario() -> None:
        async with busy(own, folder, retry=Retry(attempts=3)) as bench:
            await until(lambda: (folder / "a.1").read_text().strip(), every=POLL)
            worker = psutil.Process(int((folder / "a.1").read_text())).parent()
            assert worker is not None
            worker.kill()
            bench.let_go()
            assert (await bench.run.finished()).state is RunState.COMPLETED
            first: list[Any] = [bench.run.task(name).attempts[0].result for name in NAMES]
            assert {result.error.code for result in first} == {"device_lost"}
            assert sorted(bench.begun) == ["a", "a", "b", "b", "c", "d"]

    with own.stands():
        within_bound(scenario)


def test_what_waits_there_when_the_program_dies_is_taken_up_and_runs_once(cluster: Cluster, folder: Path) -> None:
    options = {"address": cluster.address, "prefetch": PREFETCH}
    place = Place(folder, {"id": "d", "kind": "dask", "options": options}, "d-0")
    program_dies(place, {name: script(place) for name in NAMES}, begun=THREADS)

    async def scenario() -> None:
        heard: list[ev.Event] = []
        async with resumed(place, heard) as run:
            place.let_go()
            assert (await run.finished()).state is RunState.COMPLETED
        assert {"a", "b"} <= {event.task_id for event in heard if isinstance(event, ev.AttemptReattached)}

    within_bound(scenario)
    assert len(place.begun()) == len(NAMES)


def test_what_cannot_be_prefetched_is_said() -> None:
    for count in (-1, True, "2", 1.5):
        with pytest.raises(DeviceError, match="prefetch cannot be"):
            DaskCluster("c", address="tcp://h:1", prefetch=count)  # type: ignore[arg-type]


def test_a_member_that_is_expected_has_the_slots_it_had() -> None:
    cluster = DaskCluster("c", address="tcp://h:1", prefetch=PREFETCH)
    member = cluster.expected("c-0", THREADS + PREFETCH)
    assert member is not None
    assert member.slots == THREADS + PREFETCH
    asyncio.run(cluster.disconnect())
