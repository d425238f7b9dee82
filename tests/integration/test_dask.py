"""The workers of a Dask cluster as devices of a fleet: found and lost, killed in the middle of a task, and stopped."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from tests.dask_clusters import THREE_WORKERS, Cluster
from tests.integration.dask_harness import of, one_of, started, within_bound
from tests.integration.local_harness import Attempt, alive, error_of
from tests.waiting import POLL, until

from starloom import Dependency, DeviceError, Orchestrator, OutcomeStatus, Plan, Retry, RunState, Task
from starloom import events as ev
from starloom.devices.base import TaskContext
from starloom.devices.dask import DaskCluster, DaskDevice
from starloom.devices.dask.link import DaskLink
from starloom.model.device import DeviceSpec
from starloom.orchestration.channel import OutputChunk, Progress

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module", name="standing")
def _standing() -> Iterator[Cluster]:
    """A cluster for tests that leave it as it was."""
    with THREE_WORKERS.stands():
        yield THREE_WORKERS


@pytest.fixture(name="own")
def _own() -> Iterator[Cluster]:
    """A cluster for one test that spoils it."""
    cluster = Cluster(workers=3, threads=1)
    with cluster.stands():
        yield cluster


def outcome_of(cluster: Cluster, task: Task, **context: Any) -> Any:
    async def scenario() -> Any:
        async with one_of(cluster) as device:
            return await Attempt(device, task, **context).run()

    return within_bound(scenario)


def test_an_exit_code_in_a_worker_means_what_the_plan_says(standing: Cluster) -> None:
    table: Any = {75: "warning", "else": "critical"}
    task = Task(id="t", shell="exit 75", severity=table)
    assert task.severity_of(outcome_of(standing, task).result) == "warning"


# ---- a cluster in a fleet


def test_each_worker_is_a_device_with_its_threads_as_slots_and_tasks_spread_over_all_of_them(
    standing: Cluster, tmp_path: Path
) -> None:
    folder = str(tmp_path)

    async def scenario() -> None:
        async with Orchestrator() as orchestrator:
            # None ends before all of them run, so no slot can do for two.
            arrive_and_wait = (
                f"touch {folder}/$STARLOOM_TASK_ID; until [ $(ls {folder} | wc -l) = 6 ]; do sleep 0.02; done"
            )
            tasks = [Task(id=f"t{n}", shell=arrive_and_wait) for n in range(6)]
            run = await orchestrator.start(Plan(devices=[of(standing)], tasks=tasks))
            facts = orchestrator.fleet.devices
            assert {id: device.slots for id, device in facts.items()} == {"c-0": 2, "c-1": 2, "c-2": 2}
            assert (await run.finished()).state is RunState.COMPLETED
            used = sorted(run.task(task.id).attempts[0].device_id or "" for task in tasks)
            assert used == ["c-0", "c-0", "c-1", "c-1", "c-2", "c-2"]

    within_bound(scenario)


def test_a_task_pinned_to_a_worker_runs_there_and_capabilities_are_found_out(standing: Cluster) -> None:
    async def scenario() -> None:
        async with Orchestrator() as orchestrator:
            spec = of(standing, capabilities=frozenset({"fast"}), slots=1)
            task = Task(id="t", shell="true", device="c-1", requires=frozenset({"fast", sys.platform}))
            run = await orchestrator.start(Plan(devices=[spec], tasks=[task]))
            assert (await run.finished()).state is RunState.COMPLETED
            assert run.task("t").attempts[0].device_id == "c-1"
            assert orchestrator.fleet.devices["c-1"].slots == 1

    within_bound(scenario)


def test_a_worker_killed_while_running_is_a_lost_device_a_retry_elsewhere_and_found_again(own: Cluster) -> None:
    async def scenario() -> None:
        async with Orchestrator() as orchestrator:
            lost: list[str] = []
            orchestrator.events.subscribe(lambda event: lost.append(event.device_id), ev.DeviceLost)
            printed: dict[int, str] = {}

            def hear(said: OutputChunk | Progress) -> None:
                if isinstance(said, OutputChunk):
                    printed[said.attempt] = said.text

            orchestrator.channel.listen(hear)
            # The first attempt goes on for ever; the second one finds that it is not the first.
            shell = 'echo $$; [ "$STARLOOM_ATTEMPT" = 2 ] || exec sleep 3600'
            tasks = [Task(id="t", shell=shell, retry=Retry(attempts=2)), Task(id="other", shell="sleep 1")]
            run = await orchestrator.start(Plan(devices=[of(own)], tasks=tasks))
            await until(lambda: 1 in printed, every=POLL)
            process = psutil.Process(int(printed[1]))
            worker = process.parent()
            assert worker is not None
            worker.kill()
            assert (await run.finished()).state is RunState.COMPLETED
            first, second = run.task("t").attempts
            assert first.device_id != second.device_id
            assert first.result is not None
            assert first.result.error is not None
            assert first.result.error.code == "device_lost"
            assert set(lost) == {first.device_id}  # told anew with each attempt to reach it in vain
            assert [attempt.device_id for attempt in run.task("other").attempts] != [first.device_id]
            await until(lambda: not alive(process.pid), every=POLL)  # nobody has told it to end but the guardian
            await until(lambda: orchestrator.fleet.devices[first.device_id or ""].connected, every=POLL)
            again = await orchestrator.start(Plan(tasks=[Task(id="u", shell="true", device=first.device_id)]))
            assert (await again.finished()).state is RunState.COMPLETED

    within_bound(scenario)


def test_a_worker_that_comes_later_joins_and_one_without_a_name_leaves_for_good(own: Cluster) -> None:
    async def scenario() -> None:
        async with Orchestrator() as orchestrator:
            await orchestrator.fleet.add(DaskCluster("c", address=own.address))
            assert set(orchestrator.fleet.devices) == {"c-0", "c-1", "c-2"}
            command = (sys.executable, "-m", "distributed.cli.dask_worker", own.address, "--no-nanny", "--no-dashboard")
            with started(command) as worker:
                try:
                    await until(lambda: len(orchestrator.fleet.devices) == 4, every=POLL)
                    (late,) = set(orchestrator.fleet.devices) - {"c-0", "c-1", "c-2"}
                    await until(lambda: orchestrator.fleet.devices[late].connected, every=POLL)
                    run = await orchestrator.start(Plan(tasks=[Task(id="t", shell="true", device=late)]))
                    assert (await run.finished()).state is RunState.COMPLETED
                finally:
                    worker.kill()
            await until(lambda: set(orchestrator.fleet.devices) == {"c-0", "c-1", "c-2"}, every=POLL)

    within_bound(scenario)


def test_a_cluster_can_be_taken_out_of_the_fleet_and_put_into_it_again(standing: Cluster) -> None:
    async def scenario() -> None:
        async with Orchestrator() as orchestrator:
            for _ in range(2):
                await orchestrator.fleet.add(DaskCluster("c", address=standing.address))
                await orchestrator.fleet.add(DaskCluster("c", address=standing.address))  # an equal one is shared
                with pytest.raises(DeviceError, match="two different devices 'c'"):
                    await orchestrator.fleet.add(DaskCluster("c", address="tcp://elsewhere:1"))
                assert len(orchestrator.fleet.devices) == 3
                await orchestrator.fleet.remove("c")
                assert not orchestrator.fleet.devices

    within_bound(scenario)


def test_a_worker_that_was_removed_by_itself_is_back_and_works_once_the_cluster_is_added_again(
    standing: Cluster,
) -> None:
    async def scenario() -> None:
        async with Orchestrator() as orchestrator:
            fleet = orchestrator.fleet
            await fleet.add(DaskCluster("c", address=standing.address), origin="operator")
            members = set(fleet.devices)
            gone = min(members)
            await fleet.remove(gone)
            await fleet.add(DaskCluster("c", address=standing.address))
            assert set(fleet.devices) == members - {gone}
            await fleet.add(DaskCluster("c", address=standing.address), origin="operator")
            await until(lambda: set(fleet.devices) == members)
            run = await orchestrator.start(Plan(name="p", tasks=(Task(id="a", command=("true",), device=gone),)))
            assert (await run.finished()).state is RunState.COMPLETED
            specs = [await fleet.remove(member) for member in sorted(members)]
            assert not any(specs[:-1])
            assert not fleet.has("c"), "the cluster goes with its last worker"

    within_bound(scenario)


def test_a_cluster_of_this_machine_is_started_and_ends_with_the_engine() -> None:
    async def scenario() -> None:
        async with Orchestrator() as orchestrator:
            spec = DeviceSpec(id="here", kind="dask", options={"workers": 1, "threads": 3})
            run = await orchestrator.start(Plan(devices=[spec], tasks=[Task(id="t", python="os:getpid")]))
            assert (await run.finished()).state is RunState.COMPLETED
            assert {id: device.slots for id, device in orchestrator.fleet.devices.items()} == {"here-0": 3}
            assert run.results["t"].value != 0

    within_bound(scenario)  # conftest fails the test if a process of the cluster is left


def test_a_scheduler_that_is_not_there_is_told_and_a_plan_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("starloom.devices.dask.link.ANSWER_SECONDS", 0.5)

    async def scenario() -> None:
        async with Orchestrator() as orchestrator:
            told = r"scheduler at 127\.0\.0\.1:1 cannot be reached.*Check the address"
            with pytest.raises(DeviceError, match=told):
                await orchestrator.fleet.add(DaskCluster("c", address="127.0.0.1:1"))
            assert not orchestrator.fleet.devices
            spec = DeviceSpec(id="c", kind="dask", options={"address": "127.0.0.1:1"})
            run = await orchestrator.start(Plan(devices=[spec], tasks=[Task(id="t", shell="true")]))
            await until(lambda: re.search(told, orchestrator.fleet.devices["c"].trouble), every=POLL)
            await orchestrator.fleet.add(DaskCluster("c", address="127.0.0.1:1"))  # an equal one is shared
            assert orchestrator.fleet.specs == (spec,)
            await run.cancel()
            await run.finished()
            await orchestrator.fleet.remove("c")
            assert not orchestrator.fleet.devices

    within_bound(scenario)


# ---- one attempt


def test_a_link_that_cannot_look_around_is_let_go(standing: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    async def blind(_link: DaskLink) -> None:
        raise DeviceError("nothing can be seen")

    async def scenario() -> None:
        link = DaskLink(standing.address)
        with monkeypatch.context() as patched:
            patched.setattr(DaskLink, "look", blind)
            with pytest.raises(DeviceError, match="nothing can be seen"):
                await link.open()
        with pytest.raises(DeviceError, match="no connection"):
            _ = link.client

    within_bound(scenario)


def test_a_connection_made_anew_is_news_as_nobody_was_told_who_came_meanwhile(standing: Cluster) -> None:
    async def scenario() -> None:
        link = DaskLink(standing.address)
        await link.open()
        known = await link.news(0)
        await link.client.close()
        await link.restore()
        assert await link.news(known) > known
        comm: Any = link.client.scheduler_comm
        assert comm.interval < 0.01, "what it asks for waits as long as Dask's own client has it"
        await link.close()

    within_bound(scenario)


def test_output_is_heard_while_it_runs_and_kept_whole_in_the_file(standing: Cluster, tmp_path: Path) -> None:
    async def scenario() -> Any:
        async with one_of(standing) as device:
            shell = "echo one; echo two >&2; while [ ! -e go ]; do sleep 0.02; done; printf ünf"
            attempt = Attempt(
                device, Task(id="t", shell=shell, cwd=str(tmp_path)), output_path=tmp_path / "out" / "t.log"
            )
            running = await attempt.started("two\n")
            (tmp_path / "go").touch()
            return await running

    result = within_bound(scenario).result
    assert sorted(result.output.splitlines()) == ["one", "two", "ünf"]
    assert result.output_length == len("one\ntwo\nünf".encode())
    assert result.output_file == "t.log"
    assert (tmp_path / "out" / "t.log").read_bytes().endswith("ünf".encode())


def test_a_python_task_gets_its_inputs_and_gives_its_value_and_its_error_is_told(standing: Cluster) -> None:
    good = outcome_of(standing, Task(id="t", python="json:dumps", inputs={"obj": {"a": 1}}))
    assert good.result.value == '{"a": 1}'
    bad = outcome_of(standing, Task(id="t", python="json:loads", inputs={"s": "{"}))
    assert "JSONDecodeError" in error_of(bad).message


def test_what_came_of_a_task_is_told_with_its_end_and_fetched_only_if_it_is_large(standing: Cluster) -> None:
    small = Task(id="t", python="json:loads", inputs={"s": "7"})
    large = Task(id="t", shell="printf '\"%0100000d\"' 7")

    async def fetched(device: DaskDevice) -> int:
        events = await device.link.client.get_events("all")
        return sum(said.get("action") == "gather" for _, said in events)

    async def scenario() -> None:
        async with one_of(standing) as device:
            before = await fetched(device)
            assert (await Attempt(device, small).run()).result.value == 7
            assert await fetched(device) == before
            assert (await Attempt(device, large).run()).result.value == f"{7:0100000}"
            assert await fetched(device) == before + 1

    within_bound(scenario)


def test_upstream_results_reach_the_worker(standing: Cluster) -> None:
    async def scenario() -> Any:
        async with Orchestrator() as orchestrator:
            tasks = [
                Task(id="a", shell="echo 7"),
                Task(id="b", shell='cp "$STARLOOM_UPSTREAM" "$STARLOOM_RESULT"', upstream=True),
            ]
            run = await orchestrator.start(
                Plan(devices=[of(standing)], tasks=tasks, dependencies=[Dependency(parent="a", child="b")])
            )
            assert (await run.finished()).state is RunState.COMPLETED
            return run.results["b"].value

    assert within_bound(scenario)["a"]["value"] == 7


def test_a_stopped_attempt_ends_with_everything_it_hasstarted(standing: Cluster) -> None:
    async def scenario() -> tuple[OutcomeStatus, list[int]]:
        async with one_of(standing) as device:
            shell = (
                "trap '' TERM; setsid sleep 3600 & echo pid $!; sleep 3600 & echo pid $!; echo pid $$; echo ready; wait"
            )
            attempt = Attempt(device, Task(id="t", shell=shell))
            running = await attempt.started()
            running.cancel()
            running.cancel()
            return (await running).status, attempt.pids()

    status, pids = within_bound(scenario)
    assert status is OutcomeStatus.STOPPED
    assert len(pids) == 3
    assert not [pid for pid in pids if alive(pid)]


def test_what_an_earlier_program_left_running_is_ended_before_it_counts_as_interrupted(
    standing: Cluster, tmp_path: Path
) -> None:
    async def scenario() -> None:
        task = Task(id="t", shell="echo pid $$; echo ready; exec sleep 3600")
        async with one_of(standing) as earlier, one_of(standing) as later:
            attempt = Attempt(earlier, task, kept=tmp_path / "attempts" / "t-1")
            running = await attempt.started()
            (pid,) = attempt.pids()
            context = TaskContext("run 1", "t", 1, "dev", 0, kept=tmp_path / "attempts" / "t-1")
            assert alive(pid)
            assert await later.recover(task, context) is None
            assert not alive(pid)
            assert (await running).status is OutcomeStatus.STOPPED
            later.release(tmp_path / "attempts" / "t-1")
            await until(lambda: not list((tmp_path / "attempts").iterdir()), every=POLL)

    within_bound(scenario)


def test_the_scheduler_tells_how_loaded_the_workers_machine_is(standing: Cluster) -> None:
    async def scenario() -> Any:
        async with one_of(standing) as device:
            return await until(device.metrics, every=POLL)  # told with the worker's next heartbeat

    metrics = within_bound(scenario)
    assert metrics.memory_total == psutil.virtual_memory().total
    assert 0 <= metrics.memory <= 1


# ---- options


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"address": "nowhere"}, "address cannot be 'nowhere'.*like tcp://host:8786"),
        ({"workers": 0}, "workers cannot be 0; give it 1 to 1000"),
        ({"address": "tcp://a:1", "workers": 2}, "cannot have both the `address`"),
    ],
)
def test_options_that_cannot_be_used_are_refused_in_a_sentence(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(DeviceError, match=sentence):
        DaskCluster("c", **options)


def test_a_worker_that_is_not_there_is_told_with_what_starts_it(standing: Cluster) -> None:
    async def scenario() -> None:
        await DaskDevice("d", link=DaskLink(standing.address), worker="nobody").connect()

    with pytest.raises(
        DeviceError, match=r"has no worker 'nobody' now. Start it with: dask worker tcp://.* --name nobody"
    ):
        within_bound(scenario)
