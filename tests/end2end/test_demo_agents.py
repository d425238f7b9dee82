"""`starloom demo agents`: three scripted agents, of which one asks and one fails, and all keep to the protocol."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from tests.end2end.shell import Shell, posix
from tests.end2end.test_cli_agents import ask

from starloom.devices.acp.scripted_agent import command_line
from starloom_resources.demo import SPEED, agents_plan

pytestmark = posix


@pytest.fixture
def fast(shell: Shell) -> Shell:
    shell.env[SPEED] = "20"
    return shell


def counts(done: subprocess.CompletedProcess[str]) -> dict[str, int]:
    found: dict[str, int] = json.loads(done.stdout)["tasks"]
    return {name: found[name] for name in ("completed", "failed", "skipped")}


def test_one_asks_one_fails_and_what_is_allowed_is_done(fast: Shell) -> None:
    done = ask(fast, "1\n", "demo", "agents", "--json")
    assert done.returncode == 0, done.stderr
    assert counts(done) == {"completed": 4, "failed": 1, "skipped": 0}
    assert done.stderr.count("asks (question") == 1
    assert "Coder asks for permission: Change greeting.py" in done.stderr
    assert '+    return f"Hello {name or' in done.stderr
    assert "used up all the tokens" in done.stderr


def test_where_nobody_answers_nothing_is_changed(fast: Shell) -> None:
    done = ask(fast, "", "demo", "agents", "--json")
    assert done.returncode == 0, done.stderr
    assert counts(done) == {"completed": 1 + 1, "failed": 0, "skipped": 3}
    assert '{"changed": false}' in done.stderr


def test_an_unknown_demo_is_told_with_those_there_are(fast: Shell) -> None:
    done = ask(fast, "", "demo", "agent")
    assert done.returncode == 2
    assert "agents" in done.stderr


def test_its_devices_are_three_agents_and_each_prompt_has_a_script() -> None:
    from starloom.devices.acp.scripted_agent import ScriptedAgent

    plan = agents_plan()
    assert {device.kind for device in plan.devices} == {"acp"}
    assert len(plan.devices) == 3
    for task in plan.tasks:
        assert task.prompt is not None
        assert hasattr(ScriptedAgent, f"do_{task.prompt.split()[0].lower()}"), task.id
        assert task.pin in {device.id for device in plan.devices}


def said(*messages: dict[str, Any]) -> list[dict[str, Any]]:
    """What an agent says to these messages, up to its answer to the last request of them."""
    (*_, last) = (one["id"] for one in messages if "id" in one)
    heard: list[dict[str, Any]] = []
    pipe = subprocess.PIPE
    with subprocess.Popen(command_line("coder"), stdin=pipe, stdout=pipe, env={SPEED: "100"}) as agent:
        assert agent.stdin is not None
        assert agent.stdout is not None
        for one in messages:
            agent.stdin.write(json.dumps({"jsonrpc": "2.0", **one}).encode() + b"\n")
        agent.stdin.flush()
        for line in agent.stdout:
            heard.append(json.loads(line))
            if heard[-1].get("id") == last and "result" in heard[-1]:
                break
        agent.stdin.close()
    assert agent.returncode == 0
    return heard


@pytest.mark.parametrize("prompt", ["Plan it", "Review it", "Measure it", "Sum up", "Dance"])
def test_what_it_says_fits_the_published_schema(prompt: str) -> None:
    schema = pytest.importorskip("acp.schema")
    heard = said(
        {"id": 1, "method": "initialize", "params": {"protocolVersion": 1}},
        {"id": 2, "method": "session/new", "params": {"cwd": "/", "mcpServers": []}},
        {"id": 3, "method": "session/prompt", "params": {"prompt": [{"type": "text", "text": prompt}]}},
    )
    answers = {one["id"]: one["result"] for one in heard if "result" in one}
    schema.InitializeResponse.model_validate(answers[1])
    schema.NewSessionResponse.model_validate(answers[2])
    assert schema.PromptResponse.model_validate(answers[3]).usage.total_tokens > 0
    updates = [one["params"] for one in heard if one.get("method") == "session/update"]
    assert updates
    for update in updates:
        schema.SessionNotification.model_validate(update)


def test_told_to_stop_it_stops() -> None:
    heard = said(
        {"id": 1, "method": "session/prompt", "params": {"prompt": [{"type": "text", "text": "Review it"}]}},
        {"method": "session/cancel", "params": {"sessionId": "scripted"}},
    )
    assert heard[-1]["result"]["stopReason"] == "cancelled"
    assert sys.executable in command_line("coder")
