"""`starloom plan`, and the projected end that `starloom run` shows."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from starloom.cli import forecast
from starloom.cli.forecast import MOST_TASKS, Lookout, forecast_file, left_in_words
from starloom.cli.job import RunOptions
from starloom.cli.narration import Narrator
from starloom.cli.screen import Screen
from starloom.devices.simulated import SimulatedDevice
from starloom.errors import PlanError, SettingsError
from starloom.foresight.projection import Certainty, Projection, project
from starloom.foresight.virtual import VirtualRun
from starloom.model.status import Placement
from starloom.orchestration.orchestrator import Orchestrator
from starloom.settings import SchedulerSettings
from starloom.testing import FakeClock, independent

if TYPE_CHECKING:
    from pathlib import Path

PLAN = """
starloom: 1
name: small
devices: [{id: here, kind: simulated, slots: 1}]
tasks:
  a: {simulate: 2s}
  b: {simulate: 3s, needs: [a]}
  c: {simulate: 4s, needs: [a]}
"""


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing but defaults: neither the user's settings file nor the environment."""
    for name in ("ENABLED", "MAX_CONCURRENCY", "STARVATION_TIMEOUT", "MAX_QUEUE", "PLACEMENT"):
        monkeypatch.delenv(f"STARLOOM_SCHEDULER_{name}", raising=False)
    empty = tmp_path / "settings.toml"
    empty.touch()
    monkeypatch.setenv("STARLOOM_SETTINGS", str(empty))


def told(folder: Path, capsys: pytest.CaptureFixture[str], text: str = PLAN, **options: Any) -> tuple[int, str]:
    """Exit code and stdout of `starloom plan`."""
    path = folder / "plan.yaml"
    path.write_text(text, encoding="utf-8")
    code = forecast_file(path, RunOptions(simulate=True, **options), Screen())
    return code, capsys.readouterr().out


def test_a_forecast_names_end_path_and_devices(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = told(tmp_path, capsys)
    assert code == 0
    assert "forecast: small" in text
    assert "3 (3 with an estimate)" in text
    assert "after 9.00s\n" in text
    assert "9.00s: a → b → c" in text
    assert "here  1 slot, busy for 9.00s, 100% used" in text


def test_another_fleet_gives_another_forecast(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fleet = tmp_path / "fleet.yaml"
    fleet.write_text("starloom: 1\ndevices: [{id: more, kind: simulated, slots: 4}]\n", encoding="utf-8")
    _, text = told(tmp_path, capsys, fleet=fleet)
    assert "after 6.00s" in text
    _, limited = told(tmp_path, capsys, fleet=fleet, max_concurrency=1)
    assert "after 9.00s" in limited


def test_a_change_and_a_placement_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, text = told(tmp_path, capsys, changes=("c.simulate=10s",), placement="critical_path")
    assert "after 15.0s" in text


def test_a_forecast_in_json_holds_every_task(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = told(tmp_path, capsys, as_json=True)
    found = json.loads(text)
    assert (code, found["end_s"], found["p90_s"], found["certainty"]) == (0, 9.0, 9.0, "expected")
    assert [task["id"] for task in found["tasks"]] == ["a", "b", "c"]
    assert {task["estimate_from"] for task in found["tasks"]} == {"declared"}
    assert [step["waited_for"] for step in found["critical_path"]] == ["nothing", "dependency", "slot"]
    assert found["devices"][0]["attempts"] == 3


def test_a_task_without_an_estimate_makes_it_a_bound(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = told(tmp_path, capsys, PLAN + "  d: {shell: 'true', needs: [c]}\n")
    assert code == 0
    assert "after about 9.00s or later" in text
    assert "1 of 4 tasks has no estimate" in text


def test_without_any_estimate_the_end_is_unknown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = told(tmp_path, capsys, "starloom: 1\ntasks: {a: {shell: 'true'}}\n")
    assert code == 0
    assert "unknown" in text
    assert "critical path" not in text


def test_declared_estimates_come_with_what_half_and_nine_of_ten_runs_take(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, text = told(tmp_path, capsys, "starloom: 1\ntasks: {a: {shell: 'true', estimate: 10s}}\n")
    assert "after 10.0s; half of all runs within" in text


def test_a_task_that_no_device_takes_is_said_with_exit_code_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, text = told(tmp_path, capsys, PLAN + "  g: {simulate: 1s, requires: gpu}\n")
    assert code == 1
    assert "'g': It needs a device that offers gpu" in text


def test_what_would_fail_and_not_run_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = "  x: {simulate: {duration: 1s, outcome: failed}}\n  y: {simulate: 1s, needs: [x]}\n"
    _, text = told(tmp_path, capsys, PLAN + broken)
    assert "would fail    x" in text
    assert "would not run y" in text


def test_many_names_and_devices_are_cut_short(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    devices = ", ".join(f"{{id: d{n}, kind: simulated}}" for n in range(50))
    tasks = "".join(f"  t{n}: {{simulate: {{duration: 1s, outcome: failed}}}}\n" for n in range(60))
    _, text = told(tmp_path, capsys, f"starloom: 1\ndevices: [{devices}]\ntasks:\n{tasks}")
    assert "and 50 more" in text
    assert "and 10 more" in text


def test_an_empty_plan_ends_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = told(tmp_path, capsys, "starloom: 1\ntasks: {}\n")
    assert code == 0
    assert "after 0.00s" in text


def test_a_bad_plan_and_a_bad_option_are_sentences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(PlanError):
        told(tmp_path, capsys, "starloom: 1\ntasks: {a: {}}\n")
    with pytest.raises(SettingsError):
        told(tmp_path, capsys, placement="anywhere")


# ---- while a run goes on


def projection(**fields: Any) -> Projection:
    virtual = VirtualRun(independent(1, simulate=1.0), [])
    return msgspec.structs.replace(project(virtual.fork(), "simulated"), certainty=Certainty.EXPECTED, **fields)


@pytest.mark.parametrize(
    ("fields", "passed", "words"),
    [
        ({"p50": 100.0, "p90": 130.0, "samples": 40}, 10.0, "about 1m30s left (p90 2m)"),
        ({"p50": 100.0, "p90": 130.0, "samples": 40}, 95.2, "about 5s left (p90 35s)"),
        ({"p50": 100.0, "p90": 130.0, "samples": 40}, 110.0, "about to end (p90 20s)"),
        ({"p50": 100.0, "p90": 130.0, "samples": 40}, 140.0, "later than expected"),
        ({"p50": 9.0, "p90": 9.0, "samples": 1}, 1.0, "about 8s left"),
        ({"p50": None, "p90": None, "samples": 1}, 1.0, ""),
    ],
)
def test_what_is_left_is_said_in_few_words(fields: dict[str, Any], passed: float, words: str) -> None:
    assert left_in_words(projection(at=0.0, **fields), passed) == words


def test_what_counts_only_in_part_is_told_as_a_guess_and_no_bound() -> None:
    bound = msgspec.structs.replace(projection(at=0.0, p50=9.0, p90=9.0, samples=1), certainty=Certainty.LOWER_BOUND)
    assert left_in_words(bound, 2.0) == "about 7s or more left"
    assert left_in_words(bound, 8.5) == "", "where all that counts is about to end, that tells nothing"
    assert left_in_words(bound, 20.0) == ""


def test_progress_tells_what_is_ahead_where_that_is_known() -> None:
    counts = {"submitted": 3, "removed": 0, "running": 1, "completed": 1, "failed": 0, "cancelled": 0, "skipped": 0}
    narrator = Narrator(Screen())
    assert narrator.progress(counts, 2.0, "about 5s left") == "1 of 3 tasks ended, 1 running, 2.00s, about 5s left"
    assert narrator.progress(counts, 2.0) == "1 of 3 tasks ended, 1 running, 2.00s"


def engine() -> Orchestrator:
    settings = SchedulerSettings(
        enabled=None, max_concurrency=None, starvation_timeout=30.0, max_queue=0, placement=Placement.LOAD_BALANCE
    )
    return Orchestrator([SimulatedDevice("sim", slots=2)], settings=settings, clock=FakeClock())


def test_a_lookout_knows_nothing_at_first_and_then_what_is_left() -> None:
    async def main() -> None:
        async with engine() as orchestrator:
            run = await orchestrator.start(independent(4, simulate=3600.0))
            lookout = Lookout(run)
            assert lookout.words() == ""
            assert await lookout.look() > 0
            assert lookout.words() == "about 2h left"
            await run.cancel()

    asyncio.run(main())


def test_a_lookout_keeps_looking_until_it_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecast, "FIRST_LOOK", 0.0)
    monkeypatch.setattr(forecast, "LOOK_EVERY", 0.0)

    async def main() -> None:
        async with engine() as orchestrator:
            run = await orchestrator.start(independent(4, simulate=3600.0))
            lookout = Lookout(run)
            looking = asyncio.create_task(lookout.keep_looking())
            async with asyncio.timeout(60):
                while not lookout.words():
                    await asyncio.wait([looking], timeout=0.01)
            looking.cancel()
            await asyncio.gather(looking, return_exceptions=True)
            await run.cancel()

    asyncio.run(main())


def test_a_run_with_very_many_tasks_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecast, "MOST_TASKS", 3)

    async def main() -> None:
        async with engine() as orchestrator:
            run = await orchestrator.start(independent(4, simulate=3600.0))
            lookout = Lookout(run)
            await lookout.look()
            assert lookout.words() == ""
            await run.cancel()

    asyncio.run(main())
    assert MOST_TASKS > 10_000


def test_a_device_is_foreseen_to_take_only_what_its_kind_can_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = """
starloom: 1
name: mixed
devices:
  - {id: coder, kind: acp, command: [agent]}
  - {id: here, kind: local, slots: 1}
tasks:
  a: {shell: "true", estimate: 10s}
  b: {shell: "true", estimate: 10s}
"""
    code, said = told(tmp_path, capsys, text, as_json=True)
    assert code == 0
    found = json.loads(said)
    assert found["end_s"] == pytest.approx(20.0)
