"""For how long agents are waited for in runs to come, and the statistics of edit cycles once runs have ended."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from tests.integration.test_edit_cycles import Thinking, forever, saying
from tests.virtual_time import engine, loop, run

from starloom import CommandRefused, Library, PlanError
from starloom.cli.report import summary_lines
from starloom.devices.simulated import SimulatedDevice
from starloom.foresight.virtual import SimulatedSpec, VirtualRun
from starloom.formats.files import dump_plan, parse_plan
from starloom.model.status import Fence
from starloom.reporting import json as json_report
from starloom.reporting.folding import build
from starloom.reporting.html import page
from starloom.scheduling.read.counters import counters
from starloom.testing import chain

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.model.plan import Plan
    from starloom.orchestration.orchestrator import Orchestrator
    from starloom.reporting.report import Report

NAMES = ("total_modifications", "completed_modifications", "timeout_modifications")


async def ask_about(orchestrator: Orchestrator, agent: Any, plan: Plan | None = None, run_id: str | None = None) -> Any:
    """A run of one task of a second about which an agent is asked, until it has ended."""
    handle = await orchestrator.start(plan or chain(1, simulate=1.0), paused=True, run_id=run_id)
    await handle.attach(agent)
    await handle.start()
    await handle.finished()
    return handle


# ---- for how long agents are waited for


def test_a_timeout_given_before_there_are_agents_holds_for_later_runs() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("s")) as orchestrator:
            await orchestrator.synchronizer.set_modification_timeout(20)
            await ask_about(orchestrator, Thinking(forever))
            assert loop().time() == pytest.approx(21, abs=0.1)
            await ask_about(orchestrator, Thinking(forever))
            assert loop().time() == pytest.approx(42, abs=0.1)

    run(main())


def test_a_timeout_given_to_a_run_that_has_no_agents_yet_holds_once_it_has_whatever_else_is_said_first() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("s")) as orchestrator:
            handle = await orchestrator.start(chain(1, simulate=1.0), paused=True)
            await orchestrator.synchronizer.set_modification_timeout(20)
            await handle.set_fence(Fence.DESCENDANTS)
            await handle.attach(Thinking(forever))
            await handle.start()
            await handle.finished()
            assert loop().time() == pytest.approx(21, abs=0.1)

    run(main())


def test_a_setting_holds_and_a_plan_goes_before_it() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("s"), modification_timeout=50.0) as orchestrator:
            await ask_about(orchestrator, Thinking(forever))
            assert loop().time() == pytest.approx(51, abs=0.1)
            await ask_about(orchestrator, Thinking(forever), replace(chain(1, simulate=1.0), modification_timeout=5.0))
            assert loop().time() == pytest.approx(57, abs=0.1)
            fenced = replace(chain(1, simulate=1.0), fence=Fence.NONE)
            await ask_about(orchestrator, Thinking(forever), fenced)
            assert loop().time() == pytest.approx(108, abs=0.1)

    run(main())


def test_a_wrong_timeout_is_refused_and_changes_nothing() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("s")) as orchestrator:
            with pytest.raises(CommandRefused, match="A timeout cannot be 0"):
                await orchestrator.synchronizer.set_modification_timeout(0)
            assert orchestrator.pump.scheduler.fleet.modification_timeout == 600.0

    run(main())


PLAN = "starloom: 1\nmodification_timeout: 20m\noverdue_factor: none\ntasks: {a: {shell: x}}\n"


def test_a_plan_file_says_both_and_keeps_them() -> None:
    plan = parse_plan(PLAN)
    assert (plan.modification_timeout, plan.overdue_factor) == (1200.0, 0.0)
    for syntax in ("yaml", "json"):
        again = parse_plan(dump_plan(plan, syntax))
        assert (again.modification_timeout, again.overdue_factor) == (1200.0, 0.0)
    assert "modification_timeout: 20m" in dump_plan(plan)


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("modification_timeout: 0", "nobody can be waited for 0; write more than 0"),
        ("modification_timeout: soon", "'soon' is not a duration"),
        (
            "overdue_factor: 0.5",
            "'0.5' is no factor; write how many times its estimate a task may run, 1 or more",
        ),
        ("overdue_factor: true", "'True' is no factor"),
    ],
)
def test_what_cannot_be_used_is_told_with_its_place(written: str, told: str) -> None:
    with pytest.raises(PlanError) as caught:
        parse_plan(f"starloom: 1\n{written}\ntasks: {{a: {{shell: x}}}}\n")
    (problem,) = caught.value.problems
    assert (problem.where, problem.line) == (written.partition(":")[0], 2)
    assert told in problem.message


# ---- statistics


def told_as_json(report: Report) -> str:
    file = io.BytesIO()
    json_report.write(report, file)
    return file.getvalue().decode()


def test_statistics_stay_once_the_runs_have_ended() -> None:
    async def main() -> None:
        async with engine(SimulatedDevice("s")) as orchestrator:
            synchronizer = orchestrator.synchronizer
            first = await ask_about(orchestrator, saying(1), chain(3, simulate=1.0))
            await synchronizer.set_modification_timeout(20)
            second = await ask_about(orchestrator, Thinking(forever))
            assert tuple(synchronizer.get_statistics().values()) == (4, 3, 1)
            assert tuple(synchronizer.get_statistics(first.id).values()) == (3, 3, 0)
            assert tuple(synchronizer.get_statistics(second.id).values()) == (1, 0, 1)
            told = counters(orchestrator.pump.scheduler)
            assert tuple(getattr(told, name) for name in NAMES) == (4, 3, 1)
            summary = second.summary().to_dict()["scheduler"]
            assert (summary["totalModifications"], summary["timeoutModifications"]) == (1, 1)

    run(main())


def test_statistics_stay_when_ended_runs_are_let_go_of(tmp_path: Path) -> None:
    async def main() -> None:
        with Library(tmp_path) as library:
            device = SimulatedDevice("s")
            async with engine(device, journal=library, runs_in_memory=0) as orchestrator:
                for number in range(3):
                    await ask_about(orchestrator, saying(1), run_id=f"run-{number}")
                synchronizer = orchestrator.synchronizer
                assert "run-0" not in orchestrator.pump.scheduler.runs
                assert tuple(synchronizer.get_statistics().values()) == (3, 3, 0)
                assert tuple(synchronizer.get_statistics("run-0").values()) == (1, 1, 0)

    run(main())


def test_the_report_tells_them(tmp_path: Path) -> None:
    async def main() -> None:
        with Library(tmp_path) as library:
            async with engine(SimulatedDevice("s"), journal=library) as orchestrator:
                await orchestrator.synchronizer.set_modification_timeout(20)
                handle = await ask_about(orchestrator, Thinking(forever), chain(2, simulate=1.0))
                await orchestrator.events.drained()
            events = [event for event in library.committed() if event.run_id == handle.id]
        report = build(handle.id, events)
        assert (report.modifications.total, report.modifications.completed, report.modifications.timeout) == (1, 0, 1)
        assert '"modifications"' in told_as_json(report)
        told = "1 ended task handed to agents, 0 answered, 1 timed out"
        assert f"Edit cycles: {told}." in page(report)
        assert f"  edit cycles   {told}" in [text for text, _ in summary_lines(handle.summary(), handle.facts)]

    run(main())


def test_a_run_without_agents_tells_no_statistics_of_edit_cycles() -> None:
    events: list[Any] = []
    virtual = VirtualRun(chain(2, simulate=1.0), [SimulatedSpec("s")], on_events=events.extend)
    while virtual.step():
        pass
    report = build(virtual.run.run_id, [event for event in events if event.run_id == virtual.run.run_id])
    assert "dit cycles" not in page(report)
    assert not any("edit cycles" in text for text, _ in summary_lines(virtual.summary(), virtual.run))
