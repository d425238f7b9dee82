"""The terms of agents in a plan file and in words: read with sentences about what is wrong, and followed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.virtual_time import engine, run

from starloom import PlanError, SimulatedDevice
from starloom.agents.rules import RuleAgent
from starloom.cli.agents import make_agents
from starloom.errors import SettingsError
from starloom.formats import dump_plan, parse_plan
from starloom.formats.agent_terms import read_agents, scope_of
from starloom.formats.rules import read_rules
from starloom.model.agent_terms import ENDS, AgentTerms, EditScope, EndFilter, OnConflict, ScopeKind, matches
from starloom.model.status import TaskStatus

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starloom.agents.base import Proposal
    from starloom.scheduling.state.cycle_facts import AgentFacts

PLAN = """
starloom: 1
name: terms
tasks:
  a: {simulate: 1}
  b: {simulate: 1, needs: [a]}
rules:
  - on: {task: a, status: completed, when: value == 1}
    do: [{update_task: {task: b, timeout: 5}}]
agents:
  - name: x
    on: {task: [a, "b*"], status: failed, when: attempts > 1}
    scope: {tasks: b}
  - name: y
    scope: descendants
    on_conflict: next_attempt
"""


class Quiet:
    """Wants nothing; has terms of its own if they are given."""

    def __init__(self, name: str, terms: AgentTerms | None = None) -> None:
        self.name = name
        if terms is not None:
            self.terms = terms

    async def propose(self, *_: Any) -> Proposal | None:
        """Nothing."""
        await asyncio.sleep(0)
        return None


def attached(*agents: tuple[Any, dict[str, Any]]) -> Mapping[str, AgentFacts]:
    """The facts about these agents in a run of the plan."""

    async def main() -> Mapping[str, AgentFacts]:
        async with engine(SimulatedDevice("s")) as orchestrator:
            handle = await orchestrator.start(parse_plan(PLAN), paused=True)
            for agent, terms in agents:
                await handle.attach(agent, **terms)
            found = dict(handle.agents)
            await handle.cancel()
            return found

    return run(main())


# ---- patterns


@pytest.mark.parametrize(
    ("text", "patterns", "expected"),
    [
        ("a", ("a",), True),
        ("ab", ("a",), False),
        ("ab", ("x", "a*"), True),
        ("ab", ("a?",), True),
        ("a[1]", ("a[1]",), True),
        ("a1", ("a[1]", "?[1]"), False),
        ("a[2]", ("a[*]",), True),
        ("a\nb", ("a*",), True),
        ("a", (), False),
    ],
)
def test_only_star_and_question_mark_stand_for_other_characters(text, patterns, expected):
    assert matches(text, patterns) is expected


# ---- in a plan


def test_a_plan_says_on_which_terms_agents_are_attached():
    found = read_agents(parse_plan(PLAN).agents)
    assert found["x"] == AgentTerms(
        (EndFilter(("a", "b*"), (TaskStatus.FAILED,), "attempts > 1"),), EditScope(ScopeKind.TASKS, ("b",))
    )
    assert found["y"] == AgentTerms((), EditScope(ScopeKind.DESCENDANTS), OnConflict.NEXT_ATTEMPT)


@pytest.mark.parametrize("syntax", ["yaml", "json"])
def test_terms_come_back_from_a_file_as_they_were(syntax):
    plan = parse_plan(PLAN)
    assert parse_plan(dump_plan(plan, syntax)).agents == plan.agents


@pytest.mark.parametrize(
    ("agents", "told"),
    [
        ("3", "must be"),
        ("[3]", "agents[0]: must be a mapping with name, on, scope"),
        ("[{on: {}}]", "agents[0]: says no name."),
        ("[{name: x}, {name: x}]", "agents[1].name: 'x' is there twice."),
        ("[{name: x, asks: y}]", "agents[0]: unknown field 'asks'"),
        ("[{name: x, on: {task: []}}]", "agents[0].on.task: must be a task id"),
        ("[{name: x, on: {status: skipped}}]", "agents[0].on.status: must be completed or failed"),
        ("[{name: x, on: {when: 'nope >'}}]", "agents[0].on.when: "),
        ("[{name: x, scope: everything}]", "agents[0].scope: must be a scope, such as {tasks: build-*}"),
        ("[{name: x, scope: {group: []}}]", "agents[0].scope: must be a scope"),
        ("[{name: x, scope: {tasks: a, group: b}}]", "agents[0].scope: must be a scope"),
        (
            "[{name: x, on_conflict: stop}]",
            "agents[0].on_conflict: must be what becomes of an edit that",
        ),
        ("[{name: x, on_conflict: [drop]}]", "agents[0].on_conflict: must be what becomes of an edit"),
    ],
)
def test_bad_terms_are_told_with_their_place_and_line(agents, told):
    with pytest.raises(PlanError) as caught:
        parse_plan(f"starloom: 1\nagents: {agents}\n")
    (problem,) = caught.value.problems[:1]
    assert told in f"{problem.where}: {problem.message}" or told in str(problem)
    assert problem.line == 2


# ---- whose terms hold


def test_who_attaches_an_agent_decides_then_the_plan_then_the_agent_itself():
    own = AgentTerms((EndFilter(("z",)),), EditScope(ScopeKind.ALL), OnConflict.DROP)
    given = {"scope": "group:g", "on_conflict": "replace"}
    found = attached((Quiet("x", own), given), (Quiet("y", own), {}), (Quiet("z", own), {}))
    assert [found[name].on_conflict for name in "xyz"] == [OnConflict.REPLACE, OnConflict.NEXT_ATTEMPT, OnConflict.DROP]
    assert found["x"].on[0].when == "attempts > 1"
    assert found["x"].scope == EditScope(ScopeKind.GROUP, ("g",))
    assert (found["y"].on, found["y"].scope) == (own.on, EditScope(ScopeKind.DESCENDANTS))
    assert (found["z"].on, found["z"].scope) == (own.on, own.scope)


def test_rules_say_by_themselves_what_they_listen_to_and_change():
    found = attached((RuleAgent(read_rules(parse_plan(PLAN).rules)), {}))["rules"]
    assert found.on == (EndFilter(("a",), (TaskStatus.COMPLETED,), "value == 1"),)
    assert found.scope == EditScope(ScopeKind.TASKS, ("b",))


@pytest.mark.parametrize(
    ("do", "names"),
    [
        ([{"add_task": {"id": "n", "simulate": 1, "needs": "a", "before": ["b", "c-*"]}}], ("b", "c-*")),
        ([{"add_task": {"id": "n-${index}", "simulate": 1, "before": "x-${item.id}"}}], ("x-*",)),
        ([{"remove_task": "${task.id}-later"}], ("*-later",)),
        ([{"update_task": {"task": "b?", "timeout": 3}}, {"remove_task": "c"}], ("b?", "c")),
        ([{"add_dependency": {"parent": "a", "child": "b"}}], ("b",)),
        ([{"add_task": {"id": "n", "simulate": 1}}], ()),
        ([{"remove_task": "${item}"}], None),
    ],
)
def test_the_scope_of_a_rule_is_whatever_its_edits_can_mean(do, names):
    rules = read_rules([{"on": {"task": "a"}, "for_each": "${task.value.list}", "do": do}])
    wanted = EditScope(ScopeKind.ALL) if names is None else EditScope(ScopeKind.TASKS, names)
    assert RuleAgent(rules).terms == AgentTerms((EndFilter(("a",), ENDS),), wanted)


# ---- in words


@pytest.mark.parametrize("text", ["all", "descendants", "group:gpu", "tasks:build-*,deploy", "tasks:"])
def test_a_scope_in_words_comes_back_as_it_was(text):
    assert str(scope_of(text)) == text
    assert str(scope_of(text.replace(",", ", "))) == text


@pytest.mark.parametrize("text", ["", "everything", "group", "group:", "tasks", "all:x", "descendants:"])
def test_words_that_are_no_scope_are_refused_with_those_that_are(text):
    with pytest.raises(SettingsError, match="descendants, group with names"):
        scope_of(text)


def test_an_agent_on_the_command_line_has_its_terms_behind_it():
    terms = "task=build-*,deploy status=failed when='value.score < 0.9' scope=tasks:deploy on_conflict=replace"
    written = ["rules", f"python:m:f {terms}"]
    plain, bound = make_agents(written, parse_plan(PLAN))
    assert plain.terms == AgentTerms()
    assert (bound.agent.name, bound.terms.scope) == ("m:f", EditScope(ScopeKind.TASKS, ("deploy",)))
    assert bound.terms.on_conflict is OnConflict.REPLACE
    assert bound.terms.on == (EndFilter(("build-*", "deploy"), (TaskStatus.FAILED,), "value.score < 0.9"),)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("rules scopes=all", "after the agent, write task="),
        ("rules all", "after the agent, write task="),
        ("rules when='x", "close the quotes"),
        ("rules scope=some", "scope: there is no 'some'"),
        ("rules on_conflict=stop", "on_conflict: there is no 'stop'. Use one of drop, replace, next_attempt."),
        ("rules status=skipped", "must be completed or failed"),
    ],
)
def test_bad_terms_on_the_command_line_are_told(text, told):
    with pytest.raises((SettingsError, PlanError), match=told):
        make_agents([text], parse_plan(PLAN))
