"""Requests of agents for permission: what a policy answers, what a person is shown, and what the agent hears of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.integration.acp_harness import NO, YES, Context, device, outcome_of
from tests.integration.acp_harness import log as log
from tests.integration.local_harness import COMPLETED

from starloom.devices.acp import AcpDevice
from starloom.devices.acp.scripted_agent import SPEED, command_line
from starloom.model.question import Answer, Question

if TYPE_CHECKING:
    from pathlib import Path


def permitted(policy: str, *words: str, cwd: Path, answer: Answer = NO) -> tuple[dict[str, str], list[Question]]:
    context = Context(lambda _: answer)
    outcome = outcome_of(device("permission", *words, permissions=policy, cwd=str(cwd)), context=context)
    assert outcome.status is COMPLETED, outcome
    return json.loads(outcome.result.value), context.asked


ALLOWED = {"outcome": "selected", "optionId": "once"}
REJECTED = {"outcome": "selected", "optionId": "no"}


@pytest.mark.parametrize(
    ("policy", "place", "expected"),
    [("allow_within_cwd", "inside", "allowed"), ("allow_within_cwd", "out/x", "asked"), ("reject", "x", "rejected")],
)
def test_policies_answer_and_else_a_person_does(policy: str, place: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "out").symlink_to(tmp_path)
    (tmp_path / "link").symlink_to(tmp_path / "work")
    outcome, asked = permitted(policy, "edit", place, cwd=tmp_path / "link", answer=YES)
    assert outcome == (REJECTED if expected == "rejected" else ALLOWED)
    assert bool(asked) is (expected == "asked")


def test_a_task_may_have_a_policy_of_its_own(tmp_path: Path) -> None:
    context = Context()
    there = device("permission", "read", "x", permissions="allow_reads", cwd=str(tmp_path))
    assert json.loads(outcome_of(there, context=context, permissions="reject").result.value) == REJECTED
    assert context.asked == []


def test_a_question_has_the_exact_command_and_directory(tmp_path: Path) -> None:
    context = Context(lambda _: YES)
    outcome = outcome_of(device("command", cwd=str(tmp_path)), context=context)
    (question,) = context.asked
    assert question.text == "Scripted agent asks for permission: Remove"
    assert question.detail == f"rm -r 'my files'\nin {tmp_path}/sub\n" + '{\n  "timeout": 5\n}'
    assert (question.kind, question.detail_kind) == ("permission", "command")
    assert [(one.id, one.label, one.allows) for one in question.options] == [
        ("always", "Always", True), ("once", "Yes", True), ("no", "No", False),
    ]  # fmt: skip
    assert json.loads(outcome.result.value) == ALLOWED
    told = ["▸ execute: Remove", *(f"  │ {line}" for line in question.detail.splitlines()), "▸ allowed: Remove"]
    assert context.text.splitlines()[:7] == told, "what it does exactly is told once"


def test_a_question_about_a_change_has_its_diff(tmp_path: Path) -> None:
    context = Context()
    outcome_of(device("change", "a.py", cwd=str(tmp_path)), context=context)
    (question,) = context.asked
    assert question.detail == "--- a.py\n+++ a.py\n@@ -1,2 +1,2 @@\n one\n-two\n+2"
    assert question.detail_kind == "diff"
    assert context.text.splitlines()[:7] == [
        "▸ rejected: edit something", *(f"  │ {line}" for line in question.detail.splitlines())
    ]  # fmt: skip


def test_the_place_of_a_change_counts_as_one_that_was_declared(tmp_path: Path) -> None:
    for place, expected in (("a.py", 0), ("/etc/passwd", 1)):
        context = Context()
        outcome_of(device("change", place, cwd=str(tmp_path), permissions="allow_within_cwd"), context=context)
        assert len(context.asked) == expected


def test_what_a_person_adds_to_an_answer_is_told_next_in_the_same_session(log: Any) -> None:
    answers = iter([Answer("no", "Use git mv instead."), YES])
    context = Context(lambda _: next(answers))
    outcome = outcome_of(device("permission", "move"), "permission", context)
    prompts = [one["params"] for one in log() if one.get("method") == "session/prompt"]
    assert [one["prompt"][0]["text"] for one in prompts] == ["permission", "Use git mv instead."]
    assert {one["sessionId"] for one in prompts} == {"s-1"}
    assert outcome.status is COMPLETED


def test_a_change_too_large_for_a_person_is_rejected_unseen_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("starloom.devices.acp.permissions.LONGEST_DETAIL", 5)
    context = Context(lambda _: YES)
    outcome = outcome_of(device("change", "a.py"), context=context)
    assert json.loads(outcome.result.value) == REJECTED
    assert context.asked == []
    assert "nobody could be shown" in context.text


def test_what_the_agent_says_it_has_used_and_what_a_policy_answered_is_in_the_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SPEED, "50")
    there = AcpDevice("dev", command=command_line("coder"), permissions="allow_reads", cwd=str(tmp_path))
    context = Context(lambda _: YES)
    outcome = outcome_of(there, "Write it.", context, expects="json")
    assert outcome.result.value == {"changed": True}, outcome
    assert len(context.asked) == 1
    usage = outcome.result.usage
    assert usage is not None
    assert (usage.by_policy, usage.currency) == (1, "USD")
    assert usage.tokens > 0
    assert usage.cost == pytest.approx(usage.tokens / 100_000)
    assert outcome_of(device("echo")).result.usage is None, "it says nothing"
