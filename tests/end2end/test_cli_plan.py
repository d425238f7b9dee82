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
