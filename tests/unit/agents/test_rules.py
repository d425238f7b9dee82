"""Rules: what is declared in a plan is read with sentences about what is wrong, and followed as tasks end."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.virtual_time import engine, run

from starloom import PlanError, RunState, SimulatedDevice
from starloom import events as ev
from starloom.agents.allowance import Caps
from starloom.agents.rules import RuleAgent
from starloom.agents.rules_text import fill_text
from starloom.formats import dump_plan, parse_plan
from starloom.formats.rules import read_rules
from starloom.model.templates import resolve_text

if TYPE_CHECKING:
    from starloom.scheduling.state.run_facts import RunFacts

PLAN = """
starloom: 1
name: rules
tasks:
  list: {simulate: {duration: 1, value: {files: [{path: a.txt}, {path: b.txt}], score: 0.2}}}
  other: {simulate: {duration: 1, outcome: failed}}
  report: {simulate: 1, needs: [list]}
  search-1: {simulate: 1, needs: [list]}
  search-2: {simulate: 1, needs: [list]}
"""


def followed(rules: list[dict[str, Any]], caps: Caps | None = None, plan: str = PLAN) -> tuple[RunFacts, list[Any]]:
    """What a run under these rules came to, and what was told of its edits and its agent."""
    told: list[Any] = []

    async def main() -> RunFacts:
        async with engine(SimulatedDevice("s", slots=8)) as orchestrator:
            kinds = (ev.ConstellationModified, ev.EditRejected)
            orchestrator.events.subscribe(told.append, *kinds)
            handle = await orchestrator.start(parse_plan(plan), paused=True)
            await handle.attach(RuleAgent(read_rules(rules), caps=caps))
            await handle.start()
            await handle.finished()
            return handle.facts

    return run(main()), told


def ended(facts: RunFacts) -> dict[str, str]:
    graph = facts.graph
    return {graph.ids[number]: str(facts.status_of(number)) for number, _ in graph.present()}


CHECK = {"id": "check-${index}", "simulate": 1, "needs": ["${task.id}"], "before": "report"}
FAN_OUT = {"on": {"task": "list"}, "for_each": "${task.value.files}", "do": [{"add_task": CHECK}]}


def test_a_rule_makes_a_task_for_each_item_of_a_result_before_the_one_that_joins_them():
    facts, _ = followed([FAN_OUT])
    graph = facts.graph
    assert ended(facts)["check-0"] == ended(facts)["check-1"] == "completed"
    parents = {graph.ids[number] for number in graph.parents[graph.place["report"]]}
    assert parents == {"list", "check-0", "check-1"}


def test_a_rule_adds_a_fallback_when_a_task_has_failed():
    add = {"add_task": {"id": "instead-of-${task.id}", "simulate": 1}}
    facts, _ = followed([{"name": "fallback", "on": {"status": "failed"}, "do": [add]}])
    assert ended(facts)["instead-of-other"] == "completed"
    assert len(ended(facts)) == 6


def test_a_rule_stops_a_search_early_and_only_what_may_still_change_is_removed():
    when = "has(value.score) && value.score < 0.5"
    facts, told = followed([{"on": {"task": "list", "when": when}, "do": [{"remove_task": "*"}]}])
    assert set(ended(facts)) == {"list", "other"}
    assert told[-1].changes


def test_a_rule_changes_fields_of_the_tasks_that_a_pattern_means():
    facts, _ = followed([{"on": {"task": "list"}, "do": [{"update_task": {"task": "search-*", "timeout": "5m"}}]}])
    timeouts = {task.id: task.timeout for _, task in facts.graph.present()}
    assert timeouts == {"list": None, "other": None, "report": None, "search-1": 300, "search-2": 300}


def test_a_condition_that_does_not_hold_changes_nothing():
    facts, told = followed([{"on": {"task": "list", "when": "value.score > 0.5"}, "do": [{"remove_task": "*"}]}])
    assert len(ended(facts)) == 5
    assert not [event for event in told if isinstance(event, ev.ConstellationModified)]


def test_what_one_rule_wants_in_vain_does_not_refuse_what_another_one_wants():
    twice = {"name": "twice", "on": {"task": "list"}, "do": [{"add_task": {"id": "report", "simulate": 1}}]}
    facts, told = followed([twice, FAN_OUT])
    assert "check-1" in ended(facts)
    reason = next(event.reason for event in told if isinstance(event, ev.ConstellationModified))
    assert "twice" in reason
    assert "left out" in reason


def test_a_rule_that_feeds_itself_ends_at_its_number_of_times():
    again = {"on": {"task": "*"}, "times": 7, "do": [{"add_task": {"id": "${task.id}+", "simulate": 1}}]}
    facts, _ = followed([again])
    assert len(ended(facts)) == 5 + 7


def test_an_agent_ends_at_its_caps_and_the_run_goes_on():
    again = {"on": {"task": "*"}, "times": 1000, "do": [{"add_task": {"id": "${task.id}+", "simulate": 1}}]}
    facts, _ = followed([again], Caps(edits=6))
    assert 5 < len(ended(facts)) <= 5 + 6
    assert facts.state is RunState.PARTIALLY_FAILED


def test_a_path_that_leads_nowhere_is_said_and_harms_nothing():
    lost = {"on": {"task": "list"}, "do": [{"add_task": {"id": "x", "command": ["see", "${task.value.nothing}"]}}]}
    facts, _ = followed([lost])
    assert facts.cycles is not None
    assert facts.cycles.agents["rules"].errors == 1
    assert len(ended(facts)) == 5


def test_results_get_into_arguments_and_the_environment_as_they_are_and_are_no_templates():
    nasty = "$(rm -rf x); ${list.value.score} $${HOME}"
    value = {"list": {"value": {"score": 1}}}
    for text in ("${item}", "a ${item} b", "x$${y}${item}", "${list.value.score}:${item}"):
        kept = fill_text(text, {"item": nasty}, kept=True)
        expected = text.replace("$${", "${").replace("${item}", nasty).replace("${list.value.score}:", "1:")
        assert resolve_text(kept, value.get) == expected


@pytest.mark.parametrize("left", ["$", "a$", "$$"])
def test_no_template_comes_about_where_a_result_meets_other_text(left: str):
    kept = fill_text("${item}${index}", {"item": left, "index": "{list.value.score}"}, kept=True)
    assert resolve_text(kept, {"list": {"value": {"score": 1}}}.get) == left + "{list.value.score}"


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (7, "rules[0]: must be a mapping with name, on, for_each, most, times, do, not 7."),
        ({"on": {}, "doo": 1, "do": [{"remove_task": "a"}]}, "rules[0]: unknown field 'doo'. Did you mean 'do'?"),
        (
            {"on": {"status": "skipped"}, "do": [{"remove_task": "a"}]},
            "rules[0].on.status: must be completed or failed",
        ),
        ({"on": {"when": "value >"}, "do": [{"remove_task": "a"}]}, "rules[0].on.when: the condition is wrong"),
        ({"on": {}, "do": []}, "rules[0].do: must be a list of edits, not an empty list."),
        ({"on": {}, "do": [{"delete_task": "a"}]}, "rules[0].do[0]: unknown kind of edit 'delete_task'."),
        ({"on": {}, "do": [{"remove_task": 3}]}, "rules[0].do[0].remove_task: must be the id of a task, not 3."),
        ({"on": {}, "times": 0, "do": [{"remove_task": "a"}]}, "rules[0].times: must be a whole number from 1"),
        ({"on": {}, "for_each": "x", "do": [{"remove_task": "a"}]}, "rules[0].for_each: must name a list"),
        (
            {"on": {}, "for_each": "${task.value} x", "do": [{"remove_task": "a"}]},
            "rules[0].for_each: must name a list",
        ),
        ({"on": {}, "do": [{"remove_task": "${item}"}]}, "rules[0].do[0]: names an item, but no list"),
        (
            {"on": {}, "do": [{"add_task": {"id": "a", "shell": "rm ${task.value}"}}]},
            "rules[0].do[0].add_task.shell: what comes from a result must not get in here.",
        ),
        (
            {"on": {}, "do": [{"update_task": {"task": "a", "cwd": "${task.value}"}}]},
            "rules[0].do[0].update_task.cwd: what comes from a result must not get in here.",
        ),
        ({"on": {}, "do": [{"add_task": {"id": "a", "tmeout": 1, "simulate": 1}}]}, "rules[0].do[0].add_task.tmeout:"),
        ({"on": {}, "do": [{"update_task": {"task": "a", "tmeout": 1}}]}, "Did you mean 'timeout'?"),
        ({"on": {}, "do": [{"add_task": {"id": "a", "simulate": 1, "needs": [4]}}]}, "add_task.needs[0]: must be"),
        ({"on": {}, "do": [{"add_task": {}}]}, "rules[0].do[0].add_task.id: the field 'id' is missing"),
        ({"on": {}, "do": [{"add_dependency": {}}]}, "rules[0].do[0].add_dependency.parent: the field"),
        ({"on": {}, "do": [{"add_dependency": {"parent": "a"}}]}, "add_dependency.child: the field 'child' is missing"),
    ],
)
def test_a_rule_that_cannot_be_read_is_told_with_its_place(rule: Any, said: str):
    with pytest.raises(PlanError) as refusal:
        read_rules([rule])
    assert said in str(refusal.value)


def test_rules_that_are_no_list_are_refused():
    with pytest.raises(PlanError, match="rules: must be a list of rules, not 'x'"):
        read_rules("x")


@pytest.mark.parametrize("syntax", ["yaml", "json"])
def test_a_plan_keeps_its_rules_in_a_file(syntax: str):
    plan = parse_plan(PLAN + "rules: [{on: {task: list}, do: [{remove_task: 'search-*'}]}]\n")
    again = parse_plan(dump_plan(plan, syntax), format=syntax)
    assert again.rules == plan.rules != ()


def test_rules_of_a_file_that_are_no_list_are_refused_with_their_place():
    with pytest.raises(PlanError, match="rules: must be a list, not 3"):
        parse_plan(PLAN + "rules: 3\n")


def test_one_agent_counts_the_times_of_each_run_apart():
    once = {"on": {"task": "list"}, "times": 1, "do": [{"add_task": {"id": "more", "simulate": 1}}]}

    async def main() -> list[int]:
        async with engine(SimulatedDevice("s", slots=8)) as orchestrator:
            agent = RuleAgent(read_rules([once]))
            handles = [await orchestrator.start(parse_plan(PLAN), paused=True) for _ in range(2)]
            for handle in handles:
                await handle.attach(agent)
                await handle.start()
            await asyncio.gather(*(handle.finished() for handle in handles))
            return [len(ended(handle.facts)) for handle in handles]

    assert run(main()) == [6, 6]
