"""Runs that nobody watches, on clusters and machines that cannot be reached as they begin or go on."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING, Any

import pytest
from tests.dask_clusters import ONE_WORKER, Cluster
from tests.end2end.shell import posix
from tests.end2end.test_refused_devices import BOUND, Bench, Program
from tests.end2end.test_refused_devices import bench as bench
from tests.proxies import Proxy
from tests.waiting import POLL, until

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = posix


@pytest.fixture(scope="module", name="cluster")
def _cluster() -> Iterator[Cluster]:
    with ONE_WORKER.stands():
        yield ONE_WORKER


@pytest.fixture
def port() -> int:
    """Where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        number: int = listening.getsockname()[1]
        return number


def plan(port: int, **task: Any) -> dict[str, Any]:
    """A task on a cluster that is reached by this port, and one here."""
    cluster = {"id": "farm", "kind": "dask", "options": {"address": f"tcp://127.0.0.1:{port}"}}
    tasks = [{"id": "t", "shell": "touch done", "device": "here"}, {"id": "u", "device": "farm-0", **task}]
    return {"devices": [{"id": "here", "kind": "local", "slots": 1}, cluster], "tasks": tasks}


def ended_with(program: Program, cluster: Cluster, port: int) -> int:
    """The exit code of a program that may reach the cluster now."""

    async def reachable() -> int:
        async with Proxy(int(cluster.address.rpartition(":")[2]), port=port):
            return await asyncio.to_thread(program.ended)

    return asyncio.run(reachable())


def test_a_cluster_that_cannot_be_reached_is_waited_for_while_other_devices_go_on(
    bench: Bench, cluster: Cluster, port: int
) -> None:
    program = bench.run(plan(port, shell="true"))
    lost = program.line("lost", "device farm")
    assert f"The Dask scheduler at tcp://127.0.0.1:{port} cannot be reached" in lost
    assert "Check the address, and that `dask scheduler` runs there." in lost
    program.line("Waiting", "farm", "Ctrl-C")
    assert (bench.folder / "done").exists()
    told = bench.devices()["farm"]
    assert (told["kind"], told["error"] in lost) == ("dask", True)
    assert told["next_try"] > told["since"]
    assert ended_with(program, cluster, port) == 0, program.lines
    assert [line for line in program.lines if "farm:" in line and line.startswith("back")]


def test_who_wants_to_fail_then_gets_2_once_nothing_else_goes_on(bench: Bench, port: int) -> None:
    program = bench.run(plan(port, shell="true"), "--fail-when-stalled")
    assert program.ended() == 2
    assert (bench.folder / "done").exists()
    assert f"127.0.0.1:{port} cannot be reached" in program.line("Nothing can start any more", "farm")
    assert program.process.stdout is not None
    assert "farm  0 slots, " in program.process.stdout.read()


def test_a_machine_that_was_never_reached_is_not_waited_for_by_who_wants_to_fail_then(bench: Bench) -> None:
    bench.server.stop()
    program = bench.start("--fail-when-stalled")
    assert program.ended() == 2
    program.line("Nothing can start any more", "there")


def test_a_run_goes_on_elsewhere_while_its_cluster_cannot_be_reached_and_its_attempt_goes_on_there(
    bench: Bench, cluster: Cluster, port: int
) -> None:
    go, begun, later = bench.folder / "go", bench.folder / "begun", bench.folder / "later"
    wanted = plan(port, shell=f"echo x >>{begun}; until test -e {go}; do sleep 0.05; done")
    wanted["tasks"][0]["shell"] = f"until test -e {later}; do sleep 0.05; done"
    wanted["tasks"].append({"id": "v", "shell": "touch done", "device": "here", "needs": ["t"]})

    async def dies() -> None:
        async with Proxy(int(cluster.address.rpartition(":")[2]), port=port):
            program = bench.run(wanted)
            await until(begun.exists, within=BOUND, every=POLL)
            await asyncio.to_thread(program.close)

    asyncio.run(dies())
    program = bench.program("resume")
    assert f"127.0.0.1:{port} cannot be reached" in program.line("lost", "device farm:")
    later.touch()
    asyncio.run(until((bench.folder / "done").exists, within=BOUND, every=POLL))
    go.touch()
    assert ended_with(program, cluster, port) == 0, program.lines
    assert begun.read_text() == "x\n"
