"""The comparison with other engines and other ways: it measures what it says, and makes nothing up."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from tests.benchmarks import (
    peers,
    peers_child,
    peers_commands,
    peers_commands_child,
    peers_engines,
    peers_overlap,
    peers_polling,
)
from tests.benchmarks.peers_engines import NotMeasured, Peer, run_peer
from tests.benchmarks.workloads import TINY
from tests.end2end.shell import until

from starloom.orchestration import orchestrator as wiring
from starloom.orchestration.pump import Pump
from starloom.testing import chain, diamond, independent, layered

if TYPE_CHECKING:
    from starloom.model.plan import Plan

PYTHON = Path(sys.executable)
DIAMOND = {"A": [[], [0], [0], [1, 2]]}


# ---- other engines


def test_our_engine_is_measured_in_a_process_of_its_own() -> None:
    found = run_peer(PYTHON, ["starloom", "limit 16", "2"], Peer("starloom").graphs(TINY))
    assert found["version"]
    assert list(found["graphs"]) == ["A", "B", "C"]
    for graph in found["graphs"].values():
        assert graph["tasks"] == 20
        assert len(graph["seconds"]) == 2
        assert peers_engines.rate(graph) > 0


@pytest.mark.skipif(find_spec("parsl") is not None, reason="this Python has parsl")
def test_a_peer_that_is_not_there_is_said_to_have_failed() -> None:
    with pytest.raises(NotMeasured, match=r"failed: ModuleNotFoundError: No module named 'parsl'"):
        run_peer(PYTHON, ["parsl", "1 thread", "1"], DIAMOND)


def test_a_peer_that_cannot_be_installed_is_reported_beside_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_python: Path, peer: Peer) -> None:
        raise NotMeasured(f"cannot be installed: no {peer.packages[0]}")

    monkeypatch.setattr(peers_engines, "install", refuse)
    monkeypatch.setattr(peers_engines, "make_environment", lambda _folder: PYTHON)
    text, found = peers_engines.report(tmp_path, tiny=True, peers=[Peer("parsl", ("parsl",))])
    assert found[1] == {"name": "parsl", "not_measured": "cannot be installed: no parsl"}
    assert "NOT MEASURED: cannot be installed: no parsl" in text
    assert found[0]["name"] == "starloom"


def test_of_our_runs_the_middling_one_counts() -> None:
    runs: list[Any] = [
        {"version": "1", "graphs": {"A": {"tasks": 10, "seconds": [best, 9.0]}}} for best in (2.0, 1.0, 4.0)
    ]
    assert peers_engines.middle(runs)["graphs"]["A"]["seconds"] == [2.0, 9.0]
    assert peers_engines.middle(runs[1:])["graphs"]["A"]["seconds"] == [4.0, 9.0]
    assert peers_engines.rate(runs[2]["graphs"]["A"]) == 2.5


def test_only_what_is_missing_is_installed_and_what_cannot_be_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    peers_engines.install(PYTHON, Peer("pytest", ("pytest",)))
    with pytest.raises(NotMeasured, match=r"cannot be installed: .*no-such-peer-of-starloom"):
        peers_engines.install(PYTHON, Peer("none", ("no-such-peer-of-starloom",)))


@pytest.mark.skipif(sys.platform == "win32", reason="there a process tree has no group to kill")
def test_a_peer_that_takes_too_long_is_ended_with_all_it_has_started(tmp_path: Path) -> None:
    child = tmp_path / "child.py"
    child.write_text(
        "import os, pathlib, subprocess, sys\n"
        "grandchild = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "path = pathlib.Path(__file__).with_name('pid')\n"
        "path.with_suffix('.new').write_text(str(grandchild.pid))\n"
        "path.with_suffix('.new').rename(path)\n"
        "grandchild.wait()\n"
    )
    with pytest.raises(NotMeasured, match="longer than 2 s"):
        run_peer(PYTHON, [], DIAMOND, limit=2.0, child=child)
    pid = int((tmp_path / "pid").read_text())
    until(lambda: _is_gone(pid), "the grandchild is gone")  # it was killed, and the system takes its moment


def _is_gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def test_a_run_that_left_something_out_or_mixed_up_the_order_is_no_figure() -> None:
    peers_child.begin(DIAMOND["A"])
    peers_child.step(0)
    with pytest.raises(RuntimeError, match="task 3 ran before its parent 1"):
        peers_child.step(3)
    with pytest.raises(RuntimeError, match="1 of 4 tasks ran once"):
        peers_child.finish()
    for number in (1, 2, 3):
        peers_child.step(number)
    assert peers_child.finish() is True
    peers_child.step(0)
    with pytest.raises(RuntimeError, match="3 of 4 tasks ran once"):
        peers_child.finish()
    assert peers_child.sinks(DIAMOND["A"]) == [3]


def test_every_peer_can_be_measured_and_gets_graphs_whose_parents_come_first() -> None:
    for peer in (peers_engines.OURS, *peers_engines.PEERS):
        assert peers_child.SETTINGS[peer.name]
        assert peers_child.PACKAGES[peer.name]
        for parents in peer.graphs(TINY).values():
            assert all(parent < number for number, above in enumerate(parents) for parent in above)


# ---- commands


@pytest.mark.skipif(sys.platform == "win32", reason="the commands are those of a Unix shell")
def test_programs_that_run_commands_are_measured_beside_ours(tmp_path: Path) -> None:
    text, found = peers_commands.report(tmp_path, tiny=True, peers=[Peer("asyncio"), Peer("GNU make")])
    assert [entry["name"] for entry in found] == ["starloom", "asyncio", "GNU make"]
    for entry in found:
        assert {name: graph["tasks"] for name, graph in entry["graphs"].items()} == {"independent": 8, "layers": 8}
        assert f"{entry['name']} {entry['version']}" in text


@pytest.mark.skipif(sys.platform == "win32", reason="the commands are those of a Unix shell")
def test_a_program_that_runs_commands_twice_or_out_of_order_is_no_figure(tmp_path: Path) -> None:
    first, second = (peers_commands_child.command(number, [[], [0]][number]) for number in (0, 1))
    shell = partial(subprocess.run, shell=True, cwd=tmp_path, check=False)
    assert shell(second).returncode != 0
    assert shell(first).returncode == 0
    assert shell(second).returncode == 0
    peers_commands_child.check([[], [0]], tmp_path)
    shell(first)
    with pytest.raises(RuntimeError, match="1 of 2 commands ran once"):
        peers_commands_child.check([[], [0]], tmp_path)


def test_of_graphs_that_a_program_cannot_run_nothing_is_told() -> None:
    with pytest.raises(LookupError, match="no dependencies"):
        peers_commands_child.by_parallel([[], [0]], Path(), 8)
    for peer in (peers_engines.OURS, *peers_commands.PEERS):
        assert peer.name in peers_commands_child.PROGRAMS


# ---- polling


def test_the_switch_turns_engines_by_a_clock_and_back() -> None:
    with peers_polling.turned_by("polling"):
        assert vars(wiring)["Pump"] is peers_polling.PollingPump
    assert vars(wiring)["Pump"] is Pump
    with peers_polling.turned_by("event-driven"):
        assert vars(wiring)["Pump"] is Pump


def test_polling_delays_what_events_would_start_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = layered(3, 2)
    monkeypatch.setattr(peers_polling, "INTERVAL", 0.04)
    driven, polled = (peers_polling.run_once(mode, plan) for mode in peers_polling.MODES)
    assert polled["makespan"] > 3 * 0.04
    assert driven["p50"] < polled["p99"]


def test_a_delay_begins_with_the_end_of_the_last_parent() -> None:
    begun = {"a": 0.0, "b": 1.0, "c": 1.5, "d": 5.0}
    ended = {"a": 0.5, "b": 2.0, "c": 4.0, "d": 9.0}
    assert peers_polling.dispatch_delays(diamond(), begun, ended) == [500.0, 1000.0, 1000.0]


# ---- overlap


@pytest.mark.parametrize("way", peers_overlap.WAYS)
def test_an_agent_that_takes_no_time_and_lets_nothing_wait_changes_nothing(way: str) -> None:
    seconds, edits = peers_overlap.makespan(chain(6, simulate=10.0), way, 0.0)
    assert seconds == pytest.approx(60.0, abs=0.1)
    assert edits == (4 if way == "none" else 5)


def test_what_waits_for_the_agent_is_what_the_way_says() -> None:
    """Two tasks, of 10 s and of 20 s, each with a child of 10 s; an agent that thinks for 2 s."""
    plan = _two_branches()
    share = 0.16
    think = share * 12.5
    found = {way: peers_overlap.makespan(plan, way, share)[0] for way in peers_overlap.WAYS}
    assert found["phases"] == pytest.approx(20 + think + 10, abs=0.1)
    assert found["descendants"] == pytest.approx(20 + think + 10, abs=0.1)
    assert found["global"] == pytest.approx(20 + think + 10, abs=0.1)
    assert found["none"] == pytest.approx(30, abs=0.1)


def _two_branches() -> Plan:
    from starloom import Dependency, Plan, Task

    seconds: dict[str, Any] = {"a": 10, "b": 20, "a-child": 10, "b-child": 10}
    return Plan(
        tasks=tuple(Task(id=name, simulate=duration) for name, duration in seconds.items()),
        dependencies=(Dependency(parent="a", child="a-child"), Dependency(parent="b", child="b-child")),
    )


def test_a_run_without_dependencies_knows_no_phases() -> None:
    found = [peers_overlap.makespan(independent(8, simulate=5.0), way, 0.5)[0] for way in peers_overlap.WAYS]
    assert found == pytest.approx([5.0] * len(found), abs=0.1)


# ---- the whole


def test_the_parts_are_written_and_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STARLOOM_SHARED", os.devnull)
    path = tmp_path / "results" / "peers.json"
    peers.main(["--tiny", "--only", "polling", "overlap", "--output", str(path)])
    written = json.loads(path.read_text(encoding="utf-8"))
    assert [entry["mode"] for entry in written["polling"]] == ["event-driven", "polling"]
    assert len(written["overlap"]) == 2 * len(peers_overlap.SHARES)
    shown = capsys.readouterr().out
    assert "dispatch delay, p99 (ms)" in shown
    assert "geometric mean, made" in shown


def test_absent_recorded_workflows_are_said_to_be_absent(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STARLOOM_SHARED", str(tmp_path))
    monkeypatch.setattr(peers_overlap, "generated_plans", lambda: [("small", _two_branches(), False)])
    text, found = peers_overlap.report()
    assert "No recorded workflows in" in text
    assert {entry["plan"] for entry in found} == {"small"}
