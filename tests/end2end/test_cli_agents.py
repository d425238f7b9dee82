"""`starloom run --agent`: plans that change as their tasks end, with and without somebody who approves."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.integration.agents.llm_server import completion, endpoint

from starloom.formats import load_plan

if TYPE_CHECKING:
    from tests.end2end.shell import Shell

PATIENCE = 120

RULED = """
starloom: 1
name: ruled
tasks:
  list: {shell: 'echo "[1, 2]" > $STARLOOM_RESULT'}
  join: {shell: echo joined, needs: [list]}
rules:
  - name: one each
    on: {task: list}
    for_each: ${task.value}
    do:
      - add_task: {id: 'do-${item}', command: [echo, 'got ${item}'], needs: ['${task.id}'], before: join}
"""


def ask(shell: Shell, answers: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command that is answered at its prompt."""
    return subprocess.run(
        [sys.executable, "-m", "starloom.cli", *arguments],
        cwd=shell.folder,
        env=shell.env,
        input=answers,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def completed(done: subprocess.CompletedProcess[str]) -> int:
    count: int = json.loads(done.stdout)["tasks"]["completed"]
    return count


def test_rules_of_a_plan_are_followed_without_asking_if_nobody_has_to_approve(shell: Shell):
    done = ask(shell, "", "run", shell.plan(RULED), "--agent", "rules", "--approve", "auto", "--json")
    assert (done.returncode, completed(done)) == (0, 4), done.stderr
    assert "by rules: one each: list completed" in done.stderr


def test_a_plan_with_rules_runs_as_it_is_without_an_agent(shell: Shell):
    done = ask(shell, "", "run", shell.plan(RULED), "--json")
    assert (done.returncode, completed(done)) == (0, 2), done.stderr


@pytest.mark.parametrize(("answers", "count"), [("perhaps\ny\n", 4), ("n\n", 2), ("YES", 4), ("2-3\n1-3", 3)])
def test_each_change_is_shown_and_made_if_it_is_approved(shell: Shell, answers: str, count: int):
    done = ask(shell, answers, "run", shell.plan(RULED), "--agent", "rules", "--json", "--quiet")
    assert (done.returncode, completed(done)) == (0, count), done.stderr
    assert "The agent rules proposes 6 edits: one each: list completed" in done.stderr
    assert '+ task do-1: command ["echo", "got 1"]' in done.stderr
    assert "+ join after do-2" in done.stderr
    assert done.stderr.count("Apply all of them? y or n") == 1 + answers.startswith(("perhaps", "2-3"))
    assert done.stderr.count("That cannot be done") == answers.startswith("2-3")


def test_nothing_is_changed_if_nobody_answers(shell: Shell):
    done = ask(shell, "", "run", shell.plan(RULED), "--agent", "rules", "--json")
    assert (done.returncode, completed(done)) == (0, 2), done.stderr
    assert "Nobody answers: this and all later proposals are rejected." in done.stderr


def test_what_nobody_had_answered_when_the_program_died_is_asked_again_by_the_next_one(shell: Shell):
    arguments = [sys.executable, "-m", "starloom.cli", "run", shell.plan(RULED), "--agent", "rules"]
    with subprocess.Popen(
        arguments,
        cwd=shell.folder,
        env=shell.env,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith("Apply all of them?"):
                process.kill()
    done = ask(shell, "y\n", "resume", "--json")
    assert (done.returncode, completed(done)) == (0, 4), done.stderr
    assert "The agent rules proposes 6 edits" in done.stderr


def test_a_python_function_changes_a_run(shell: Shell):
    code = """
def propose(view, finished):
    if finished[0]["id"] == "list":
        return [{"update_task": {"task": "join", "shell": "echo changed"}}]
"""
    (shell.folder / "helper.py").write_text(code, encoding="utf-8")
    plan = shell.plan(RULED)
    done = ask(shell, "y\n", "run", plan, "--agent", "python:helper:propose", "--fence", "descendants", "--json")
    assert (done.returncode, completed(done)) == (0, 2), done.stderr
    assert '~ task join: shell "echo joined" -> "echo changed"' in done.stderr


def test_a_language_model_changes_a_run_once_somebody_approves(shell: Shell):
    pytest.importorskip("pydantic_ai")
    calls = ("update_task", {"task_id": "join", "command": ["echo", "by model"]})
    answers = (completion(None, calls), completion("Shorter."), completion("Nothing."))

    async def main() -> tuple[int | None, str, set[str]]:
        async with endpoint(*answers) as there:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "starloom.cli", "run", shell.plan(RULED), "--agent", f"llm:m@{there.url}"),
                cwd=shell.folder,
                env={**shell.env, "STARLOOM_AGENT_KEY": "k", "NO_PROXY": "127.0.0.1"},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            async with asyncio.timeout(PATIENCE):
                _, told = await process.communicate(b"y\n")
            return process.returncode, told.decode(), set(there.keys)

    code, told, keys = asyncio.run(main())
    assert (code, keys) == (0, {"k"}), told
    assert "The agent llm:m proposes 1 edit: Shorter." in told
    assert '-> ["echo", "by model"]' in told


def test_an_agent_that_fails_is_told_and_the_run_goes_on(shell: Shell):
    done = ask(shell, "", "run", shell.plan(RULED), "--agent", "python:nowhere:propose", "--json")
    assert (done.returncode, completed(done)) == (0, 2), done.stderr
    assert "The agent nowhere:propose could not answer:" in done.stderr
    assert "No module named 'nowhere'" in done.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--agent", "rulez"), "--agent: there is no agent 'rulez'; write rules"),
        (("--agent", "python:x"), "'x' does not name a function; write module:function"),
        (("--agent", "rules", "--agent", "rules"), "--agent: rules is given twice"),
        (("--agent", "rules", "--approve", "maybe"), "--approve: there is no 'maybe'; use ask or auto."),
        (("--agent", "rules", "--fence", "globl"), "--fence: there is no 'globl'; did you mean 'global'?"),
        (("--fence", "none"), "--fence: nothing is waited for without an agent"),
        (("--modification-timeout", "5m"), "--modification-timeout: nothing is waited for without an agent"),
        (("--agent", "rules", "--modification-timeout", "0"), "--modification-timeout: nobody can be waited for '0'"),
        (("--overdue-factor", "0.5"), "--overdue-factor: '0.5' is no factor; write how many times its estimate"),
        (("--agent", "rules", "--simulate"), "--agent: agents are asked while a plan really runs"),
    ],
)
def test_options_that_cannot_be_used_are_refused(shell: Shell, options: tuple[str, ...], said: str):
    done = ask(shell, "", "run", shell.plan(RULED), *options)
    assert done.returncode == 2
    assert said in done.stderr


def test_rules_are_wanted_of_a_plan_that_has_some(shell: Shell):
    done = ask(shell, "", "run", shell.plan("{starloom: 1, tasks: {a: {simulate: 0}}}"), "--agent", "rules")
    assert done.returncode == 2
    assert "--agent rules: the plan declares none" in done.stderr


def test_validate_says_what_is_wrong_with_rules(shell: Shell):
    done = ask(shell, "", "validate", shell.plan(RULED.replace("before: join", "befor: join")))
    assert done.returncode == 2
    assert "plan.yaml: line 12: rules[0].do[0].add_task.befor: unknown field 'befor'." in done.stderr


DRAFTED = (
    completion(None, ("add_task", {"task_id": "fetch", "name": "fetch", "description": "Fetch the news"})),
    completion(None, ("add_task", {"task_id": "read", "name": "read", "description": "Read them"})),
    completion("Two steps."),
)


async def drafted(shell: Shell, *arguments: str) -> tuple[int | None, str, str]:
    """What `starloom draft` says to a request, asking a model on loopback."""
    async with endpoint(*DRAFTED) as there:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "starloom.cli", "draft", "Read the news", "--agent", f"llm:m@{there.url}"),
            *arguments,
            cwd=shell.folder,
            env={**shell.env, "STARLOOM_AGENT_KEY": "k", "NO_PROXY": "127.0.0.1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        async with asyncio.timeout(PATIENCE):
            out, told = await process.communicate()
    return process.returncode, out.decode(), told.decode()


def test_a_request_in_words_becomes_a_file_that_is_a_plan(shell: Shell):
    code, out, told = asyncio.run(drafted(shell, "-o", "news.yaml"))
    assert (code, out) == (0, "news.yaml: tasks: 2, dependencies: 0. Look at it, then: starloom run news.yaml\n"), told
    plan = load_plan(shell.folder / "news.yaml")
    assert ([task.id for task in plan.tasks], plan.description) == (["fetch", "read"], "Read the news")
    code, _, told = asyncio.run(drafted(shell, "-o", "news.yaml"))
    assert (code, "There is a file news.yaml already" in told) == (2, True), told


@pytest.mark.parametrize("agent", ["rules", "python:a:b", "llm:", "llm"])
def test_only_a_model_plans_from_words(shell: Shell, agent: str):
    done = ask(shell, "", "draft", "Do it", "--agent", agent)
    why = "no model is named; write llm:model@url" if agent.startswith("llm") else "plans nothing from words; write llm"
    assert (done.returncode, why in done.stderr) == (2, True), done.stderr


def test_no_model_is_asked_for_a_plan_that_could_not_be_kept(shell: Shell):
    done = ask(shell, "", "draft", "Do it", "--agent", "llm:m@http://127.0.0.1:1/v1", "-o", "no-folder/news.yaml")
    assert (done.returncode, "news.yaml cannot be written: No such file" in done.stderr) == (2, True), done.stderr
    assert "Asking" not in done.stderr


def test_a_model_that_makes_no_plan_leaves_no_file(shell: Shell):
    before = sorted(shell.folder.iterdir())
    done = ask(shell, "", "draft", "Do it", "--agent", "llm:m@http://127.0.0.1:1/v1", "-o", "news.yaml")
    assert (done.returncode, "Asking llm:m" in done.stderr) == (2, True), done.stderr
    assert sorted(shell.folder.iterdir()) == before
