"""Workers and schedulers that come back are used again: real processes, killed and started anew."""

from __future__ import annotations

import contextlib
import socket
import sys
from typing import TYPE_CHECKING

from tests.dask_clusters import ONE_WORKER
from tests.integration.dask_harness import BOUND, of, started, within_bound
from tests.waiting import POLL, until

from starloom import Orchestrator, Plan, RunState, Task
from starloom.devices.dask import DaskCluster
from starloom.devices.dask.cluster_workers import ClusterWorkers
from starloom.model.status import Breaker

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest


@contextlib.contextmanager
def _stands(module: str, *arguments: str) -> Iterator[None]:
    command = (sys.executable, "-m", f"distributed.cli.{module}", *arguments, "--no-dashboard")
    with started(command) as process:
        try:
            yield
        finally:
            process.kill()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def _is_listening(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1.0):
        return True
    return False


def test_a_worker_that_comes_back_is_used_at_once_however_long_it_was_suspended_for() -> None:
    async def scenario() -> None:
        async with Orchestrator() as orchestrator:
            facts = orchestrator.fleet.devices
            task = Task(id="t", shell="true", device="c-late")
            spec = of(ONE_WORKER, trip_after=1, cool_down=10 * BOUND)
            run = await orchestrator.start(Plan(devices=[spec], tasks=[task]))
            for _ in range(2):
                with _stands("dask_worker", ONE_WORKER.address, "--no-nanny", "--name", "late"):
                    assert (await run.finished()).state is RunState.COMPLETED
                await until(lambda: facts["c-late"].breaker is Breaker.OPEN, every=POLL)
                run = await orchestrator.start(Plan(tasks=[task]))
            await run.cancel()

    with ONE_WORKER.stands():
        within_bound(scenario)


def test_a_scheduler_that_is_started_again_at_its_address_is_found_with_its_workers() -> None:
    port = _free_port()
    address = f"tcp://127.0.0.1:{port}"

    async def scenario() -> None:
        async with Orchestrator() as orchestrator:
            facts = orchestrator.fleet.devices
            for _ in range(2):
                with (
                    _stands("dask_scheduler", "--host", "127.0.0.1", "--port", str(port)),
                    _stands("dask_worker", address, "--no-nanny", "--name", "w"),
                ):
                    await until(lambda: _is_listening(port), every=POLL)
                    await orchestrator.fleet.add(DaskCluster("c", address=address))  # the second time it is there
                    await until(lambda: "c-w" in facts, every=POLL)
                    run = await orchestrator.start(Plan(tasks=[Task(id="t", shell="true", device="c-w")]))
                    assert (await run.finished()).state is RunState.COMPLETED
                await until(lambda: not facts["c-w"].connected, every=POLL)

    within_bound(scenario)


def test_a_worker_of_which_the_scheduler_told_nobody_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    async def unheard(_workers: ClusterWorkers, _event: object) -> None:
        """It came before the scheduler had heard that we want to be told."""

    monkeypatch.setattr(ClusterWorkers, "notice", unheard)

    async def scenario() -> None:
        async with Orchestrator() as orchestrator:
            await orchestrator.fleet.add(DaskCluster("c", address=ONE_WORKER.address))
            with _stands("dask_worker", ONE_WORKER.address, "--no-nanny", "--name", "unheard"):
                await until(lambda: "c-unheard" in orchestrator.fleet.devices, every=POLL)

    with ONE_WORKER.stands():
        within_bound(scenario)
