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


def a_console(folder: Path, text: str) -> str:
    """A package that brings a console, on a path to put it on; its name comes before that of the real one."""
    (folder / "aconsole.py").write_text(text)
    info = folder / "aconsole-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: aconsole\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[starloom.console]\na = aconsole:start\n")
    return str(folder)


@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        ((), []),
        (("console",), ["--"]),
        (("console", "--demo"), ["--demo", "--"]),
        (("console", "one.yaml", "--", "-two.yaml"), ["--", "one.yaml", "-two.yaml"]),
    ],
)
def test_an_installed_console_is_opened_and_its_exit_code_is_ours(
    shell: Shell, arguments: tuple[str, ...], given: list[str]
) -> None:
    path = a_console(shell.folder, "def start(given):\n    print(given)\n    return 5\n")
    done = shell.run(*arguments, PYTHONPATH=path)
    assert (done.returncode, done.stdout) == (5, f"{given}\n"), done.stderr


def test_a_broken_console_is_named(shell: Shell) -> None:
    done = shell.run(PYTHONPATH=a_console(shell.folder, "raise ImportError('no wheels')\n"))
    assert done.returncode == 1
    assert "aconsole:start" in done.stderr
    assert "no wheels" in done.stderr
    assert "Traceback" not in done.stderr
