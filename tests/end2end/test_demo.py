"""The demo: what it promises to show, really run on this computer, only faster."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.end2end.shell import Shell, posix

from starloom import Orchestrator
from starloom.errors import SettingsError
from starloom.foresight.virtual import VirtualRun
from starloom.model.task import Prefer
from starloom.settings import SchedulerSettings
from starloom_resources.demo import SPEED, demo_plan

if TYPE_CHECKING:
    from starloom.model.task import Task

FAST = "20"


def longest(task: Task) -> float:
    return task.expected_duration or 0.0


def test_it_is_about_forty_tasks_of_mixed_kinds_on_several_devices():
    plan = demo_plan(1)
    assert 36 <= len(plan.tasks) <= 44
    assert {task.action for task in plan.tasks} == {"shell", "python", "simulate"}
    assert [spec.kind for spec in plan.devices].count("simulated") in (3, 4)
    assert {str(dependency.kind) for dependency in plan.dependencies} == {"success", "always", "failure", "condition"}
    assert len({task.priority for task in plan.tasks}) >= 4
    assert plan.limits.groups
    assert all(task.metadata.get("group") for task in plan.tasks), "the outline has no room for it"


def test_what_really_runs_is_bound_to_this_computer():
    """On a simulated device it would only seem to run."""
    for task in demo_plan(1).tasks:
        assert not isinstance(task.device, Prefer)
        assert (task.simulate is None) == (task.device == "local"), task.id


def test_it_takes_about_a_minute():
    plan = demo_plan(1)
    virtual = VirtualRun(plan, plan.devices)
    while virtual.step():
        pass
    assert 45 <= virtual.now <= 75


def test_at_another_speed_everything_is_as_it_was_but_shorter():
    usual, fast = demo_plan(1), demo_plan(4)
    assert [task.id for task in fast.tasks] == [task.id for task in usual.tasks]
    assert fast.dependencies == usual.dependencies
    for before, after in zip(usual.tasks, fast.tasks, strict=True):
        assert longest(after) == pytest.approx(longest(before) / 4)
        assert after.retry.delay == pytest.approx(before.retry.delay / 4)
        assert after.inputs.get("seconds", 0) == pytest.approx(before.inputs.get("seconds", 0) / 4)
        assert after.action == before.action


@pytest.mark.parametrize("text", ["fast", "0", "-1", "nan", "1e9"])
def test_a_speed_that_is_none_is_refused_in_a_sentence(monkeypatch, text):
    monkeypatch.setenv(SPEED, text)
    with pytest.raises(SettingsError, match=f"{SPEED} cannot be '{text}'"):
        demo_plan()


@pytest.fixture
def demo(shell: Shell) -> tuple[dict[str, Any], list[str]]:
    done = shell.run("demo", "--json", **{SPEED: FAST})
    assert done.returncode == 0, done.stderr
    assert [path.name for path in shell.folder.iterdir()] == ["settings.toml"], "it promises to write nothing"
    return json.loads(done.stdout), done.stderr.splitlines()


@posix
def test_it_shows_a_retry_a_failure_and_skips_and_completes(demo):
    found, (first, *rest) = demo
    assert "The demo runs 40 tasks" in first
    assert found["state"] == "completed"
    assert found["tasks"] == {"total": 40, "completed": 36, "failed": 1, "cancelled": 0, "skipped": 3}
    said = {(line[:9].strip(), line[10:].split(":")[0].split(" ")[0]) for line in rest}
    assert ("retry", "flash-lab-c") in said
    assert ("warning", "compile-ble") in said
    assert {name for word, name in said if word == "skipped"} == {"unit-ble", "tune-power", "notify"}
    assert {name for word, name in said if word == "done"} >= {
        "triage-ble",
        "bisect-ble",
        "hotfix",
        "release",
        "report",
    }
    assert {device["id"] for device in found["devices"] if device["busy_s"] > 0} == {
        spec.id for spec in demo_plan(1).devices
    }


@posix
def test_what_failed_succeeds_when_an_operator_retries_it():
    """The second draft compiles: whoever presses "Retry failed" sees it work, and what was skipped for it run."""

    async def run_and_retry() -> list[tuple[str, int, int, int]]:
        async with Orchestrator(settings=SchedulerSettings()) as orchestrator:
            run = await orchestrator.start(demo_plan(float(FAST)))
            ends = [await run.finished()]
            await run.retry("compile-ble")
            ends.append(await run.finished())
        return [(end.state.value, end.tasks.completed, end.tasks.failed, end.tasks.skipped) for end in ends]

    assert asyncio.run(run_and_retry()) == [("completed", 36, 1, 3), ("completed", 38, 0, 2)]
