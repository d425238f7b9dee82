"""The lines that tell what happens in a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.driver import RUN, Driver, plan, task

from starloom.cli.narration import Narrator
from starloom.cli.screen import Screen
from starloom.scheduling.commands import CancelTasks

if TYPE_CHECKING:
    import pytest


def test_who_watches_is_told_of_cancelled_tasks_and_of_gates_that_wait(capsys: pytest.CaptureFixture[str]) -> None:
    driver = Driver()
    driver.create(plan([task("ship", gate="Ship it?"), task("a")]))
    driver.do(CancelTasks(run_id=RUN, task_ids=("a",)))
    driver.end("a", stopped=True)
    narrator = Narrator(Screen(), tells_all=True)
    narrator.run = driver.run()
    narrator.tell_all(driver.events)
    told = capsys.readouterr().err.splitlines()
    assert "gate      ship waits for an answer: Ship it?" in told
    assert [line for line in told if line.startswith("cancelled a")] == ["cancelled a: stopped while it ran"]
