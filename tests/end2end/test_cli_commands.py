"""Simulations, examples, the demo, and the commands besides `run`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.benchmarks.bench_makespan import traces_folder
from tests.end2end.shell import PATIENCE, Shell, posix

from starloom.formats import load_plan

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "resources" / "starloom_resources" / "examples").glob("*.yaml"))
TRACES = sorted(traces_folder().glob("*.json"))


# ---- simulations


@pytest.mark.skipif(not TRACES, reason=f"there are no recorded workflows in {traces_folder()}")
@pytest.mark.parametrize("trace", TRACES, ids=lambda path: path.stem)
def test_a_recorded_workflow_is_simulated_in_no_time(shell: Shell, trace: Path) -> None:
    options = ("--speeds", "1,1,2,4", "--placement", "critical_path", "--json")
    done = shell.run("run", str(trace), "--simulate", *options)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["state"] == "completed"
    assert found["tasks"]["completed"] == found["tasks"]["total"] == len(load_plan(trace).tasks)
    assert [device["id"] for device in found["devices"]] == ["sim-1", "sim-2", "sim-3", "sim-4"]
    assert found["statistics"]["critical_path_length"] <= found["makespan_s"] + 1e-6
    assert all(0 <= device["utilization"] <= 1 + 1e-9 for device in found["devices"])


@posix
def test_a_simulation_runs_nothing(shell: Shell) -> None:
    plan = shell.plan("starloom: 1\ntasks: {a: {shell: touch ran, estimate: 1h}}\n")
    found = json.loads(shell.run("run", plan, "--simulate", "--json").stdout)
    assert (found["state"], found["makespan_s"]) == ("completed", 3600.0)
    assert not (shell.folder / "ran").exists()


# ---- the other commands


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_is_good_and_completes(shell: Shell, example: Path) -> None:
    checked = shell.run("validate", str(example))
    assert (checked.returncode, checked.stderr) == (0, "")
    assert "good" in checked.stdout
    done = shell.run("run", str(example), "--simulate", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["state"] == "completed"


@posix
def test_the_shorter_examples_run(shell: Shell) -> None:
    for name in ("hello.yaml", "pipeline.yaml"):
        done = shell.run("run", str(next(path for path in EXAMPLES if path.name == name)), "--json")
        assert done.returncode == 0, done.stderr


@posix
def test_the_demo_shows_what_it_promises_and_completes(shell: Shell) -> None:
    done = shell.run("demo", "--json")
    assert done.returncode == 0, done.stderr
    first, *rest = done.stderr.splitlines()
    assert "The demo runs" in first
    found = json.loads(done.stdout)
    assert found["state"] == "completed"
    assert 25 <= found["tasks"]["total"] <= 40
    assert (found["tasks"]["failed"], found["tasks"]["skipped"]) == (1, 2)
    assert 8 <= found["makespan_s"] <= 40
    assert {device["id"] for device in found["devices"] if device["busy_s"] > 0} == {"local", "north", "south"}
    for word in ("done", "retry", "warning", "skipped"):
        assert any(line.startswith(word) for line in rest), word
    assert sorted(path.name for path in shell.folder.iterdir()) == ["settings.toml"]


def test_all_plans_are_checked_even_after_a_bad_one(shell: Shell) -> None:
    bad = shell.plan("starloom: 1\ntasks: {a: {}}\n", "bad.yaml")
    good = shell.plan("starloom: 1\ntasks: {a: {simulate: 0}, b: {simulate: 0, needs: [a]}}\n", "good.yaml")
    done = shell.run("validate", bad, good)
    assert done.returncode == 2
    assert done.stdout == f"{good}: good: 2 tasks, 1 dependency, 0 devices\n"
    assert "bad.yaml" in done.stderr


def test_the_schema_is_json(shell: Shell) -> None:
    done = shell.run("schema")
    assert done.returncode == 0
    assert json.loads(done.stdout)["$schema"].startswith("https://json-schema.org/")


def test_the_version_is_told(shell: Shell) -> None:
    done = shell.run("--version")
    assert done.returncode == 0
    assert re.fullmatch(r"starloom \d+\.\d+\.\d+\S*\n", done.stdout)


def test_the_installed_program_is_the_same() -> None:
    program = Path(sys.executable).with_name("starloom")
    if not program.exists():
        pytest.skip(f"there is no {program}: the package is not installed in this environment")
    done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout.split()[0]) == (0, "starloom")


def test_alone_it_opens_an_installed_console(shell: Shell) -> None:
    (shell.folder / "aconsole.py").write_text("def start():\n    print('the console is open')\n    return 5\n")
    info = shell.folder / "aconsole-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: aconsole\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[starloom.console]\na = aconsole:start\n")
    done = shell.run(PYTHONPATH=str(shell.folder))
    assert (done.returncode, done.stdout) == (5, "the console is open\n"), done.stderr


def test_a_broken_console_is_named(shell: Shell) -> None:
    info = shell.folder / "aconsole-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: aconsole\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[starloom.console]\na = aconsole:start\n")
    done = shell.run(PYTHONPATH=str(shell.folder))
    assert done.returncode == 1
    assert "aconsole:start" in done.stderr
    assert "Traceback" not in done.stderr
