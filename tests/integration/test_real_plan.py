"""A real plan of shell commands, with everything that can become of a task, ends as its events say."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.driver import assert_same, edge, task

from starloom import AddDependency, AddTask, LocalDevice, MemoryJournal, Orchestrator, Plan, SchedulerSettings
from starloom import events as ev
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.folded_run import FoldedRun

if TYPE_CHECKING:
    from pathlib import Path


def _plan(marks: Path) -> Plan:
    second_time = f'test -e "{marks}/once" || {{ touch "{marks}/once"; exit 1; }}; echo 42'
    tasks = (
        task("fails", shell="exit 7"),
        task("skipped", shell="touch never"),
        task("retried", shell=second_time, retry=1),
        task("slow", shell="sleep 60", timeout=0.3, severity="warning"),
        task("after_slow", shell="echo 'null'"),
        task("if_large", shell='echo "$FOUND"', env={"FOUND": "${retried.value}"}),
        task("if_small", shell="touch never"),
        task("gate", shell=f'while ! test -e "{marks}/edited"; do sleep 0.02; done'),
    )
    dependencies = (
        edge("fails", "skipped"),
        edge("slow", "after_slow"),
        edge("retried", "if_large", condition="value > 40"),
        edge("retried", "if_small", condition="value <= 40"),
    )
    return Plan(name="everything", tasks=tasks, dependencies=dependencies)


def test_a_failure_a_retry_a_skip_a_timeout_a_condition_and_a_live_edit_end_as_their_events_say(tmp_path: Path) -> None:
    journal = MemoryJournal()

    async def main() -> None:
        settings = SchedulerSettings()
        async with Orchestrator([LocalDevice("here", slots=8)], settings=settings, journal=journal) as orchestrator:
            run = await orchestrator.start(_plan(tmp_path))
            await run.edit(
                AddTask(task("added", command=["echo", '{"from": ${if_large.value}}'])),
                AddDependency(edge("if_large", "added")),
                AddDependency(edge("gate", "added")),
                reason="one more",
            )
            (tmp_path / "edited").touch()
            summary = await asyncio.wait_for(run.finished(), 30)
            assert summary.state == "partially_failed"
            assert {one.id: one.status.value for one in run.tasks} == {
                "fails": "failed",
                "skipped": "skipped",
                "retried": "completed",
                "slow": "failed",
                "after_slow": "completed",
                "if_large": "completed",
                "if_small": "skipped",
                "gate": "completed",
                "added": "completed",
            }
            assert run.results["fails"].exit_code == 7
            assert [attempt.status for attempt in run.task("retried").attempts] == ["failed", "completed"]
            slow = run.results["slow"].error
            assert slow is not None
            assert slow.code == "timeout"
            assert run.results["added"].value == {"from": 42}
            stream = [event for event in journal.committed() if event.run_id == run.id]
            folded = fold(FoldedRun(run.id), stream).run.canonical()
            assert_same(folded, run.facts.canonical(), "the fold of what was committed")
            edits = [event for event in stream if isinstance(event, ev.ConstellationModified)]
            assert [(event.revision, event.reason) for event in edits] == [(1, "one more")]

    asyncio.run(main())
