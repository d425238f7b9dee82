"""Gates and breakpoints on the command line: at the prompt, without anybody there, and after the program's death."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.end2end.shell import posix
from tests.end2end.test_cli_agents import RULED, ask, completed

if TYPE_CHECKING:
    from tests.end2end.shell import Shell

GATED = """
starloom: 1
tasks:
  build: {shell: echo built}
  ship: {gate: 'Ship it?', needs: [build]}
  tell: {command: [echo, '${ship.value}'], needs: [ship]}
  mend: {shell: echo mended, needs: [{task: ship, kind: failure}]}
"""


@pytest.mark.parametrize(
    ("answers", "failed"), [("y all green\n", 0), ("what?\nYES", 0), ("n not today\n", 1), ("no", 1)]
)
def test_a_gate_is_answered_at_the_prompt(shell: Shell, answers: str, failed: int):
    done = ask(shell, answers, "run", shell.plan(GATED), "--json", "--quiet")
    tasks = json.loads(done.stdout)["tasks"]
    assert (done.returncode, tasks["failed"], tasks["skipped"]) == (failed, failed, 1), done.stderr
    assert "The gate ship asks: Ship it?" in done.stderr
    assert done.stderr.count("Approve? y or n") == 1 + answers.startswith("what")


def test_a_note_becomes_the_value(shell: Shell):
    done = ask(shell, "y all green\n", "run", shell.plan(GATED), "--output", str(shell.folder / "out"))
    assert done.returncode == 0, done.stderr
    assert any("all green" in path.read_text() for path in (shell.folder / "out").rglob("*") if path.is_file())


def test_without_anybody_a_gate_is_rejected_and_it_says_what_to_do(shell: Shell):
    done = ask(shell, "", "run", shell.plan(GATED))
    assert done.returncode == 1
    assert "Nobody answers" in done.stderr
    assert "--gates approve" in done.stderr
    assert "ship: it was rejected: nobody answers at the prompt" in done.stderr


def test_without_anybody_a_countdown_still_decides(shell: Shell):
    text = "starloom: 1\ntasks: {ship: {gate: {message: 'Ship?', after: 0.2s, then: proceed}}}"
    done = ask(shell, "", "run", shell.plan(text), "--json")
    assert (done.returncode, completed(done)) == (0, 1), done.stderr
    assert "in 0.2s nobody is waited for: go on without" in done.stderr


@pytest.mark.parametrize(("way", "code"), [("approve", 0), ("reject", 1)])
def test_all_gates_can_be_answered_alike_beforehand(shell: Shell, way: str, code: int):
    done = ask(shell, "", "run", shell.plan(GATED), "--gates", way)
    assert done.returncode == code, done.stderr
    assert "Approve?" not in done.stderr


def test_another_way_is_refused(shell: Shell):
    done = ask(shell, "", "run", shell.plan(GATED), "--gates", "aprove")
    assert (done.returncode, done.stderr.strip()) == (2, "--gates: there is no 'aprove'; did you mean 'approve'?")


def test_a_breakpoint_waits_for_enter_and_is_passed_where_nobody_is(shell: Shell):
    text = "starloom: 1\ntasks: {a: {shell: echo a, breakpoint: true}, b: {shell: echo b, needs: [a]}}"
    for answers in ("\n", ""):
        done = ask(shell, answers, "run", shell.plan(text), "--json")
        assert (done.returncode, completed(done)) == (0, 2), done.stderr
        assert "a has stopped at its breakpoint. Press Enter to let it go on" in done.stderr
    done = ask(shell, "", "run", shell.plan(text), "--json", "--gates", "approve")
    assert (done.returncode, completed(done)) == (0, 2)
    assert "Press Enter" not in done.stderr


def test_a_simulation_asks_nobody(shell: Shell):
    done = ask(shell, "", "run", shell.plan(GATED), "--simulate", "--json")
    assert (done.returncode, completed(done)) == (0, 3), done.stderr


def killed_at_its_prompt(shell: Shell, plan: str, prompt: str, *options: str) -> None:
    """Run a plan and kill the program as soon as it asks."""
    arguments = [sys.executable, "-m", "starloom.cli", "run", shell.plan(plan), *options]
    with subprocess.Popen(
        arguments, cwd=shell.folder, env=shell.env, text=True, stdin=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if prompt in line:
                break
        process.send_signal(signal.SIGKILL)


@posix
def test_a_run_whose_program_died_at_a_gate_asks_again_when_it_goes_on(shell: Shell):
    killed_at_its_prompt(shell, GATED, "Approve?")
    done = ask(shell, "y\n", "resume", "--json")
    assert (done.returncode, completed(done)) == (0, 3), done.stderr
    assert "The gate ship asks: Ship it?" in done.stderr


@posix
def test_a_run_that_goes_on_finds_the_rules_of_its_plan(shell: Shell):
    text = RULED.replace("  list: {", "  ship: {gate: 'Go?'}\n  list: {needs: [ship], ")
    killed_at_its_prompt(shell, text, "Approve?")
    done = ask(shell, "", "resume", "--gates", "approve", "--agent", "rules", "--approve", "auto", "--json")
    assert (done.returncode, completed(done)) == (0, 5), done.stderr
    assert "by rules: one each: list completed" in done.stderr


@posix
def test_a_run_without_rules_has_none_when_it_goes_on(shell: Shell):
    killed_at_its_prompt(shell, GATED, "Approve?")
    done = ask(shell, "", "resume", "--agent", "rules")
    assert done.returncode == 2
    assert "the plan declares none" in done.stderr


def test_rules_are_judged_when_a_plan_is_loaded(shell: Shell):
    done = ask(shell, "", "run", shell.plan(RULED.replace("task: list", "taks: list")))
    assert done.returncode == 2
    assert "line 9: rules[0].on: unknown field 'taks'. Did you mean 'task'?" in done.stderr
