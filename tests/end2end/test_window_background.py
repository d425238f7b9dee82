"""A window that is closed while a run goes on in the background, and opened again: the same run, and nothing twice."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.end2end.operators import Operator, at_work, with_a_display
from tests.end2end.shell import is_gone, numbers, until
from tests.end2end.test_handover import HANDED

from starloom import events as ev
from starloom.journal.lock import holder_of
from starloom.journal.names import JOURNAL

HERE = Path(__file__).parent

pytestmark = with_a_display


def started(operator: Operator) -> None:
    """The plan is started with its rules, and its second task runs."""
    operator.ask("node", "second")
    operator.take_keyboard("Starloom")
    operator.press("F5")
    operator.click(*operator.ask("answer", "Start"))
    operator.click(*operator.ask("answer", "Are applied"))
    operator.click(*operator.ask("answer", "Start with rules"))
    operator.wait_for(ev.TaskStarted, task_id="second")


def holder(folder: Path) -> int:
    """The process that has the run; 0: none has."""
    (journal,) = folder.glob(f"journal/runs/*/{JOURNAL}")
    found = holder_of(journal)
    return 0 if found is None else found.pid or 0


def test_a_run_goes_on_without_its_window_and_is_there_when_one_is_opened_again(tmp_path: Path) -> None:
    plan = tmp_path / "handed.yaml"
    plan.write_text(HANDED, encoding="utf-8")
    command = (sys.executable, str(HERE / "pointing_console.py"))
    with at_work(tmp_path, (*command, str(plan))) as operator:
        started(operator)
        (pid,) = until(lambda: numbers(tmp_path / "pid"), "the second task has begun")
        operator.take_keyboard("Starloom")
        operator.press("ctrl+q")
        operator.click(*operator.ask("answer", "Go on in the background"))
        assert operator.program.wait(60) == 0, operator.errors()
        assert operator.errors() == ""
    server = until(lambda: holder(tmp_path), "a server has the run")
    assert server != operator.program.pid
    assert not is_gone(pid), "the task has gone on"

    with at_work(tmp_path, command) as operator:
        until(lambda: holder(tmp_path) == operator.program.pid, "the console has it again")
        operator.ask("node", "second")
        assert is_gone(server)
        assert not is_gone(pid)
        (tmp_path / "go").touch()
        operator.wait_for(ev.RunEnded)
        assert sorted((tmp_path / "effects").read_text().split()) == ["by-rule", "first", "second", "third"]
        assert not operator.sees(ev.AgentDetached), "its rules have gone on"
        operator.take_keyboard("Starloom")
        operator.press("ctrl+q")
        assert operator.program.wait(60) == 0, operator.errors()
        assert operator.errors() == ""
