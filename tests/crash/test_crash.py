"""A program that is killed at any moment loses nothing and runs nothing twice. `make test-crash` tries it 350 times."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

import pytest
from tests.crash.harness import check, disturbed, reach, undisturbed
from tests.dask_clusters import ONE_WORKER, Cluster
from tests.integration.ssh_harness import left_of
from tests.ssh_servers import OpensshServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FEW = 8
"""Runs for which no cluster is started, as that takes longer than they do."""
RUNS = int(os.environ.get("STARLOOM_CRASH_RUNS", FEW))
ELSEWHERE = max(1, RUNS // 4)
MOST_PROGRAMS = 5
"""Each of which a slow machine may give too little time to remove everything."""
pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="the scripts are for a POSIX shell"),
    pytest.mark.timeout(600),  # each starts many programs one after another
]


@pytest.mark.parametrize("seed", range(RUNS))
def test_nothing_is_lost_and_nothing_runs_twice(tmp_path: Path, seed: int) -> None:
    check(disturbed(seed, tmp_path / "disturbed"), undisturbed(seed, tmp_path / "peaceful"))


@pytest.fixture(params=["wrapped", "ssh", *(["dask", "dask, prefetched"] if RUNS > FEW else [])])
def device(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[dict[str, Any]]:
    """A device of another kind, as in a plan: a wrapper that starts a shell here, a real sshd, a real Dask cluster."""
    if request.param == "wrapped":
        yield {"id": "here", "kind": "wrapped", "slots": 3, "options": {"wrapper": ["env"]}}
        return
    if request.param == "dask":
        with ONE_WORKER.stands():
            yield {"id": "here", "kind": "dask", "slots": 3, "options": {"address": ONE_WORKER.address}}
        return
    if request.param == "dask, prefetched":
        cluster = Cluster(workers=1, threads=1)
        with cluster.stands():
            yield {"id": "here", "kind": "dask", "options": {"address": cluster.address, "prefetch": 2}}
        return
    with OpensshServer(tmp_path / "ssh") as server:
        device = {"id": "here", "kind": "ssh", "slots": 3, "options": server.options()}
        yield device
        _check_nothing_is_left(server, tmp_path, device)


def _check_nothing_is_left(server: OpensshServer, folder: Path, device: dict[str, Any]) -> None:
    """Whatever the last program had no time to remove is on record, and later programs that reach the machine do."""
    attempts = server.folder / "state" / "attempts"
    for _ in range(MOST_PROGRAMS):
        left = {str(path) for path in attempts.iterdir()}
        records = folder.glob("*/journal/runs/*/attempts/*.ssh")
        known = {json.loads(record.read_text())["folder"] for record in records}
        assert left <= known, "folders of attempts were left on the machine of which nobody knows any more"
        if not left:
            break
        for journal in folder.glob("*/journal"):
            reach(journal, device)
    assert list(attempts.iterdir()) == [], "folders of attempts are left that no program removes"
    assert left_of(server) == [], "processes of attempts are left"


@pytest.mark.parametrize("seed", range(1000, 1000 + ELSEWHERE))
def test_nor_elsewhere(tmp_path: Path, seed: int, device: dict[str, Any]) -> None:
    check(disturbed(seed, tmp_path / "disturbed", device), undisturbed(seed, tmp_path / "peaceful", device))
