"""`starloom run` as people start it: real runs, runs that cannot go on, bad input, each with its exit code."""

from __future__ import annotations

import json
import re

import pytest
from tests.end2end.shell import MIXED, Shell, posix

# ---- a real run


@posix
def test_a_run_tells_failures_retries_and_skips_and_ends_with_1(shell: Shell) -> None:
    done = shell.run("run", shell.plan(MIXED))
    assert done.returncode == 1, done.stderr
    assert re.search(r"failed +broken: exit code 3\.\n +\| one\n +\| two", done.stderr)
    assert re.search(r"retry +again: attempt 1 failed: exit code 1\. Trying again\.\n +\| try 1", done.stderr)
    assert re.search(r"failed +slow: It was stopped after its timeout of 0\.2s\.", done.stderr)
    assert "never" not in done.stdout + done.stderr
    assert "partially failed: mixed" in done.stdout
    assert "8 (4 completed, 2 failed, 2 skipped)" in done.stdout
    assert "makespan" in done.stdout
    assert "critical path" in done.stdout
    assert "here  4 slots" in done.stdout
    assert "broken failed: exit code 3.\n  | one\n  | two\n" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr


@posix
def test_json_is_one_object_on_stdout_with_the_agreed_shape(shell: Shell) -> None:
    done = shell.run("run", shell.plan(MIXED), "--json")
    assert done.returncode == 1
    assert done.stdout.count("\n") == 1
    found = json.loads(done.stdout)
    assert {"run_id", "state", "tasks", "makespan_s", "statistics", "devices", "scheduler"} <= set(found)
    assert found["state"] == "partially_failed"
    assert found["tasks"] == {"total": 8, "completed": 4, "failed": 2, "cancelled": 0, "skipped": 2}
    assert set(found["statistics"]) == {
        "longest_path_length",
        "longest_path_tasks",
        "max_width",
        "critical_path_length",
        "critical_path_tasks",
        "total_work",
        "parallelism_ratio",
        "longest_chain_length",
        "longest_chain_tasks",
    }
    (device,) = found["devices"]
    assert set(device) == {"id", "slots", "busy_s", "utilization"}
    assert (device["id"], device["slots"]) == ("here", 4)
    assert 0.2 < device["busy_s"] <= 4 * found["makespan_s"]
    seeds = {"enabled", "activeCount", "queuedCount", "totalSubmitted", "totalCompleted"}
    seeds |= {"highPriorityCompleted", "lowPriorityCompleted", "starvationPromotions"}
    assert seeds <= set(found["scheduler"])
    assert (found["scheduler"]["totalSubmitted"], found["scheduler"]["attempts"]) == (8, 7)


@posix
def test_quiet_leaves_stderr_empty(shell: Shell) -> None:
    done = shell.run("run", shell.plan(MIXED), "--quiet")
    assert done.stderr == ""
    assert "partially failed" in done.stdout


@posix
def test_a_run_in_which_all_goes_well_ends_with_0(shell: Shell) -> None:
    done = shell.run("run", shell.plan("starloom: 1\ntasks: {a: {shell: echo a}}\n"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "completed" in done.stdout


def test_a_plan_without_tasks_completes(shell: Shell) -> None:
    done = shell.run("run", shell.plan("starloom: 1\nname: nothing\ntasks: {}\n"), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["state"] == "completed"


@posix
def test_the_global_limit_holds(shell: Shell) -> None:
    plan = shell.plan(
        "starloom: 1\ndevices: [{id: d, kind: local, slots: 8}]\ndefaults: {timeout: 20s}\ntasks:\n"
        + "".join(f"  t{n}: {{shell: 'mkdir lock && sleep 0.02 && rmdir lock'}}\n" for n in range(12))
    )
    assert shell.run("run", plan, "--max-concurrency", "1", "--quiet").returncode == 0


@posix
def test_set_changes_a_task(shell: Shell) -> None:
    plan = shell.plan("starloom: 1\ntasks: {a: {shell: exit 1}, a.b: {shell: exit 1}}\n")
    done = shell.run("run", plan, "--set", "a.shell=echo changed > it", "--set", "a.b.shell=true")
    assert done.returncode == 0, done.stderr
    assert (shell.folder / "it").read_text() == "changed\n"


@posix
def test_output_keeps_whole_outputs_in_files(shell: Shell) -> None:
    plan = shell.plan(
        "starloom: 1\ntasks: {many: {shell: 'i=0; while [ $i -lt 9000 ]; do echo $i; i=$((i+1)); done'}}\n"
    )
    assert shell.run("run", plan, "--output", "kept/here").returncode == 0
    (file,) = (shell.folder / "kept" / "here").rglob("*.log")
    assert file.read_text().splitlines() == [str(n) for n in range(9000)]


@posix
def test_a_fleet_file_gives_the_devices(shell: Shell) -> None:
    plan = shell.plan("starloom: 1\ntasks: {a: {shell: echo a, requires: paint}}\n")
    fleet = shell.plan("starloom: 1\ndevices: [{id: easel, kind: local, capabilities: paint}]\n", "fleet.yaml")
    found = json.loads(shell.run("run", plan, "--fleet", fleet, "--json").stdout)
    assert (found["state"], [device["id"] for device in found["devices"]]) == ("completed", ["easel"])


@posix
@pytest.mark.parametrize("limits", ["{max_concurrency: 1}", "{groups: {g: 1}}"])
def test_the_limits_of_a_fleet_file_hold(shell: Shell, limits: str) -> None:
    plan = shell.plan(
        "starloom: 1\nlimits: {groups: {g: 8}}\ndefaults: {timeout: 20s, groups: g}\ntasks:\n"
        + "".join(f"  t{n}: {{shell: 'mkdir lock && sleep 0.02 && rmdir lock'}}\n" for n in range(12))
    )
    fleet = shell.plan(f"starloom: 1\ndevices: [{{id: d, kind: local, slots: 8}}]\nlimits: {limits}\n", "fleet.yaml")
    done = shell.run("run", plan, "--fleet", fleet)
    assert done.returncode == 0, done.stderr


# ---- runs that cannot go on


@pytest.mark.parametrize("how", [(), ("--simulate",)])
def test_a_stalled_run_says_why_is_cancelled_and_ends_with_1(shell: Shell, how: tuple[str, ...]) -> None:
    plan = shell.plan("starloom: 1\ntasks: {a: {simulate: 0}, lost: {simulate: 0, requires: gpu}}\n")
    done = shell.run("run", plan, "--json", *how)
    assert done.returncode == 1
    assert "Nothing can start any more: 'lost' needs a device that offers gpu, and there is none." in done.stderr
    assert json.loads(done.stdout)["state"] == "cancelled"
    assert json.loads(done.stdout)["tasks"]["completed"] == 1


def test_a_device_that_is_not_reached_at_first_is_waited_for(shell: Shell) -> None:
    device = "{id: far, kind: simulated, connect_failures: 1}"
    done = shell.run("run", shell.plan(f"starloom: 1\ndevices: [{device}]\ntasks: {{a: {{simulate: 0}}}}\n"), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["tasks"]["completed"] == 1


# ---- bad input


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("starloom: 1\ntasks: {a: {shel: x}}\n", "Did you mean 'shell'?"),
        ("starloom: 1\ntasks: {a: {shell: x, needs: [b]}, b: {shell: x, needs: [a]}}\n", "cycle"),
        ("tasks: [", "plan.yaml"),
        ("starloom: 99\ntasks: {}\n", "version 99"),
        ("starloom: 1\ndevices: [{id: d, kind: lokal}]\ntasks: {a: {shell: x}}\n", "Did you mean 'local'?"),
    ],
)
def test_a_bad_plan_is_explained_and_ends_with_2(shell: Shell, text: str, said: str) -> None:
    plan = shell.plan(text)
    for command in ("run", "validate"):
        done = shell.run(command, plan)
        assert (done.returncode, done.stdout) == (2, ""), done.stderr
        assert said in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere.yaml",), "does not exist"),
        (("plan.yaml", "--fleet", "nowhere.yaml"), "does not exist"),
        (("plan.yaml", "--set", "b.timeout=3"), "there is no task 'b'"),
        (("plan.yaml", "--placement", "best"), "--placement"),
        (("plan.yaml", "--max-concurrency", "0"), "--max-concurrency"),
        (("plan.yaml", "--max-concurrency", "many"), "--max-concurrency"),
        (("plan.yaml", "--speeds", "1,2"), "--speeds"),
        (("plan.yaml", "--simulate", "--speeds", "fast"), "'fast' is not a speed"),
        (("plan.yaml", "--output", "plan.yaml/x"), "--output"),
        (("plan.yaml", "--nonsense"), "--nonsense"),
        ((), "PLAN"),
    ],
)
def test_a_bad_option_is_explained_and_ends_with_2(shell: Shell, arguments: tuple[str, ...], said: str) -> None:
    shell.plan("starloom: 1\ntasks: {a: {simulate: 0}}\n")
    done = shell.run("run", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_bad_setting_is_explained_and_ends_with_2(shell: Shell) -> None:
    plan = shell.plan("starloom: 1\ntasks: {a: {simulate: 0}}\n")
    done = shell.run("run", plan, STARLOOM_SCHEDULER_MAX_CONCURRENCY="lots")
    assert (done.returncode, done.stdout) == (2, "")
    assert "STARLOOM_SCHEDULER_MAX_CONCURRENCY" in done.stderr
    assert "Traceback" not in done.stderr
