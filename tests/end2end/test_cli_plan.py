"""`starloom plan` as people call it: a forecast, an exit code, and nothing that was run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.end2end.shell import Shell

PLAN = """
starloom: 1
name: careful
devices: [{id: here, kind: local, slots: 2}]
tasks:
  a: {shell: touch ran, estimate: 10s}
  b: {shell: touch ran, estimate: 20s, needs: [a]}
"""


def test_a_forecast_runs_nothing(shell: Shell) -> None:
    done = shell.run("plan", shell.plan(PLAN))
    assert (done.returncode, done.stderr) == (0, "")
    assert "forecast: careful" in done.stdout
    assert "after 30.0s" in done.stdout
    assert "a → b" in done.stdout
    assert not (shell.folder / "ran").exists()


SHAPED = """
starloom: 1
tasks:
  a: {shell: x}
  b: {shell: x, needs: a}
  c: {shell: x, needs: [a, b]}
  d: {shell: x, needs: c}
  e: {shell: x}
"""


def test_it_tells_the_shape_of_the_graph_what_is_redundant_and_what_a_removal_cuts_off(shell: Shell) -> None:
    lines = shell.run("plan", shell.plan(SHAPED), "--without", "b", "--without", "c").stdout.splitlines()
    assert "  graph         2 separate parts, up to 2 tasks at one level" in lines
    assert "  longest chain 4 tasks: a → b → c → d" in lines
    assert "  redundant     a → c" in lines
    assert "  cut off       d without b, c" in lines
    found = json.loads(shell.run("plan", shell.plan(SHAPED), "--without", "a", "--json").stdout)["graph"]
    assert (found["components"], found["width"], found["redundant"]) == ([4, 1], 2, [["a", "c"]])
    assert (found["removed"], found["cut_off"]) == (["a"], ["b", "c", "d"])
    wrong = shell.run("plan", shell.plan(SHAPED), "--without", "f")
    assert wrong.returncode == 2
    assert "There is no task 'f'" in wrong.stderr


def test_a_fleet_of_ones_own_and_json(shell: Shell) -> None:
    fleet = shell.plan("starloom: 1\ndevices: [{id: here, kind: simulated, slots: 1, speed: 2}]\n", "fleet.yaml")
    done = shell.run("plan", shell.plan(PLAN), "--fleet", fleet, "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["end_s"], found["tasks"][0]["device"]) == (0, 15.0, "here")


def test_a_plan_that_can_never_end_on_that_fleet_has_exit_code_1_and_no_plan_2(shell: Shell) -> None:
    done = shell.run("plan", shell.plan(PLAN + "  g: {shell: echo, requires: gpu}\n"))
    assert done.returncode == 1
    assert "gpu" in done.stdout
    missing = shell.run("plan", "nowhere.yaml")
    assert missing.returncode == 2
    assert "nowhere.yaml" in missing.stderr
    assert "Traceback" not in missing.stderr
