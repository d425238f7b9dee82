"""The terms of agents: which ends they are asked about, what they may change, and what waits for that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import RUN, Driver, codes, edge, plan, refused, task

from starloom import events as ev
from starloom.agents.base import AgentView
from starloom.constellation import edits as ed
from starloom.errors import CommandRefused
from starloom.model.agent_terms import EditScope, EndFilter, ScopeKind
from starloom.model.status import Fence, TaskStatus
from starloom.scheduling import commands as c
from starloom.scheduling.instructions import AskAgent

if TYPE_CHECKING:
    from starloom.constellation.edits import Edit
    from starloom.scheduling.state.cycle_facts import CycleFacts

BELOW = EditScope(ScopeKind.DESCENDANTS)
ALL = EditScope(ScopeKind.ALL)
FAILURES = EndFilter(statuses=(TaskStatus.FAILED,))


def tasks(*patterns: str) -> EditScope:
    return EditScope(ScopeKind.TASKS, patterns)


def driving(plan_of: Any, fence: Fence | None = None, **agents: dict[str, Any]) -> Driver:
    """A run with agents on these terms."""
    driver = Driver()
    driver.create(plan_of, start=False)
    for name, terms in agents.items():
        driver.ask(c.AttachAgent, agent=name, **terms)
    if fence is not None:
        driver.ask(c.SetFence, fence=fence)
    driver.ask(c.StartRun)
    return driver


def asked(driver: Driver) -> list[tuple[str, tuple[str, ...]]]:
    orders = [order for turn in driver.turns for order in turn.instructions if isinstance(order, AskAgent)]
    return [(order.agent, order.task_ids) for order in orders]


def answer(driver: Driver, agent: str, *edits: Edit, cycle: int | None = None) -> None:
    proposal = ed.EditBatch(edits=edits) if edits else None
    number = cycles(driver).cycles if cycle is None else cycle
    driver.ask(c.AnswerEditCycle, agent=agent, cycle=number, proposal=proposal)


def cycles(driver: Driver) -> CycleFacts:
    known = driver.run().cycles
    assert known is not None
    return known


def problems(driver: Driver) -> list[str]:
    return [code for event in driver.of(ev.EditRejected) for code in codes(event.problems)]


# ---- which ends


def test_an_end_nobody_wants_to_hear_of_opens_no_cycle_and_keeps_nothing_back():
    driver = driving(plan(["a", "b", "c"], ["a>c"]), x={"on": (FAILURES,)}, y={"on": (EndFilter(("b*",)),)})
    driver.end("a")
    assert driver.of(ev.EditCycleOpened) == []
    assert driver.started() == ["a", "b", "c"]
    driver.fail("b")
    assert asked(driver) == [("x", ("b",)), ("y", ("b",))]


def test_each_agent_is_asked_about_its_own_ends_and_a_cycle_tells_all_of_them():
    driver = driving(plan(["a", "b", "c"]), x={"on": (EndFilter(("a",)), EndFilter(("c",)))}, y={})
    driver.turn(driver.ended("a"), driver.ended("b"), driver.ended("c"))
    assert asked(driver) == [("x", ("a", "c")), ("y", ("a", "b", "c"))]
    assert driver.of(ev.EditCycleOpened)[0].task_ids == ("a", "c", "b")


@pytest.mark.parametrize(("score", "is_asked"), [(0.5, True), (0.95, False), (None, True)])
def test_a_condition_decides_about_an_end_and_one_that_fails_asks(score, is_asked):
    driver = driving(plan(["a", "b"], ["a>b"]), x={"on": (EndFilter(when="value.score < 0.9"),)})
    driver.end("a", value={} if score is None else {"score": score})
    assert asked(driver) == ([("x", ("a",))] if is_asked else [])
    assert [event.task_id for event in driver.of(ev.EndPassedOver)] == ([] if is_asked else ["a"])
    assert ("b" in driver.started()) is not is_asked, "what nobody is asked about keeps nothing back"


def test_one_filter_without_a_condition_is_enough():
    low = EndFilter(("a*",), when="value > 1")
    driver = driving(plan(["a", "a2", "b"]), x={"on": (low, EndFilter(("a2",)))})
    for name in ("a", "a2", "b"):
        driver.end(name, value=0)
    assert asked(driver) == [("x", ("a2",))]
    assert len(driver.of(ev.EndPassedOver)) == 1, "an end that no filter names is passed over without a word"


@pytest.mark.parametrize("how", ["marked", "bypassed", "failed"])
def test_conditions_are_asked_however_a_task_ends(how):
    wanted = {"on": (EndFilter(when="status == 'cancelled'"),)}
    driver = driving(plan([task("a", bypass=how == "bypassed"), "b"], ["a>b>always"]), x=wanted)
    if how == "marked":
        driver.ask(c.CancelTasks, "a")
        driver.end("a", stopped=True)
        driver.ask(c.MarkTasks, "a", status="completed")
    elif how == "failed":
        driver.fail("a")
    assert asked(driver) == []
    assert "b" in driver.started()


def test_a_gate_behind_an_end_that_is_passed_over_opens_at_once():
    gated = plan(["a", task("g", shell=None, gate={"message": "go?"})], ["a>g"])
    driver = driving(gated, x={"on": (EndFilter(when="false"),)})
    driver.end("a")
    assert [event.task_id for event in driver.of(ev.GateOpened)] == ["g"]


def test_an_end_that_is_passed_over_leaves_those_before_it():
    driver = driving(plan(["a", "b", "c"]), x={"on": (EndFilter(when="value == 1"),)})
    driver.end("a", value=1)
    driver.turn(driver.ended("b", value=1), driver.ended("c", value=2))
    answer(driver, "x")
    assert asked(driver) == [("x", ("a",)), ("x", ("b",))]


# ---- what may be changed


@pytest.mark.parametrize(
    ("scope", "edits", "is_fine"),
    [
        (BELOW, (ed.UpdateTask("b", timeout=5),), True),
        (BELOW, (ed.RemoveTask("b"),), True),
        (BELOW, (ed.AddDependency(edge("c", "b")),), True),
        (BELOW, (ed.UpdateTask("c", timeout=5),), False),
        (BELOW, (ed.RemoveTask("c"),), False),
        (BELOW, (ed.AddDependency(edge("b", "c")),), False),
        (BELOW, (ed.AddDependency(edge("a", "c")), ed.UpdateTask("c", timeout=5)), False),
        (BELOW, (ed.RemoveDependency("d", "c"),), False),
        (BELOW, (ed.AddTask(task("n")), ed.AddDependency(edge("c", "n")), ed.UpdateTask("n", timeout=5)), True),
        (BELOW, (ed.AddTask(task("n")), ed.AddDependency(edge("n", "c"))), False),
        (BELOW, (ed.RemoveTask("b"), ed.AddTask(task("b")), ed.AddDependency(edge("a", "b"))), True),
        (BELOW, (ed.RemoveTask("c"), ed.AddTask(task("c"))), False),
        (tasks("c", "e-*"), (ed.UpdateTask("c", timeout=5), ed.UpdateTask("e-1", timeout=5)), True),
        (tasks("c", "e-*"), (ed.UpdateTask("b", timeout=5),), False),
        (tasks(), (ed.AddTask(task("n")),), True),
        (tasks(), (ed.UpdateTask("b", timeout=5),), False),
        (EditScope(ScopeKind.GROUP, ("gpu",)), (ed.UpdateTask("e-1", timeout=5),), True),
        (EditScope(ScopeKind.GROUP, ("gpu",)), (ed.UpdateTask("b", groups=("gpu",)),), False),
        (
            EditScope(ScopeKind.GROUP, ("gpu",)),
            (ed.UpdateTask("e-1", groups=()), ed.UpdateTask("e-1", timeout=5)),
            True,
        ),
        (ALL, (ed.UpdateTask("c", timeout=5),), True),
    ],
)
def test_what_is_removed_changed_or_given_a_dependency_lies_in_scope_by_the_graph_before_the_batch(
    scope, edits, is_fine
):
    made = plan(["a", "b", "c", "d", task("e-1", groups=("gpu",))], ["a>b", "d>c", "d>e-1"])
    driver = driving(made, x={"scope": scope})
    driver.end("a")
    view = AgentView(driver.run(), "x")
    answer(driver, "x", *edits)
    assert problems(driver)[:1] == ([] if is_fine else ["out_of_scope"])
    assert len(driver.of(ev.ConstellationModified)) == is_fine
    assert codes(view.problems(edits))[:1] == ([] if is_fine else ["out_of_scope"])


def test_the_refusal_names_the_task_and_the_scope_and_says_what_to_do():
    driver = driving(plan(["a", "b", "c"], ["a>b"]), x={"scope": tasks("b*")})
    driver.end("a")
    answer(driver, "x", ed.UpdateTask("c", timeout=5))
    (problem,) = driver.of(ev.EditRejected)[0].problems
    assert problem.message == "'c' lies outside the scope of the agent: tasks:b*."
    assert "wider" in problem.hint


def test_a_person_is_bound_by_no_scope():
    driver = driving(plan(["a", "b", "c"], ["a>b", "a>c"]), x={"scope": tasks("b")})
    driver.edit(ed.UpdateTask("c", timeout=5))
    assert refused(driver, ed.UpdateTask("a", timeout=5))


def test_a_late_answer_keeps_to_what_the_agent_was_asked_about():
    driver = driving(plan(["a", "b", "c", "d"], ["a>b", "c>d"]), Fence.NONE, x={"scope": BELOW})
    driver.ask(c.HoldTasks, "b", "d")
    driver.end("a")
    driver.end("c")
    driver.advance(700)
    answer(driver, "x", ed.UpdateTask("d", timeout=5), cycle=1)
    assert problems(driver) == ["out_of_scope"]
    answer(driver, "x", ed.UpdateTask("d", timeout=5))
    assert driver.run().revision == 1


def test_an_approval_keeps_to_the_scope_by_the_graph_when_it_is_answered():
    driver = driving(plan(["a", "b", "c"], ["a>b"]), x={"scope": BELOW, "asks": ("update_task",)})
    driver.ask(c.HoldTasks, "b")
    driver.end("a")
    answer(driver, "x", ed.UpdateTask("b", timeout=5))
    driver.ask(c.DetachAgent, agent="x")
    driver.edit(ed.RemoveDependency("a", "b"))
    driver.restart()
    with pytest.raises(CommandRefused, match="outside the scope"):
        driver.ask(c.AnswerApproval, approval=1, accept=True)
    driver.edit(ed.AddDependency(edge("a", "b")))
    driver.ask(c.AnswerApproval, approval=1, accept=True)
    assert driver.run().graph.task("b").timeout == 5


def test_a_view_says_beforehand_what_the_agent_may_change():
    driver = driving(plan(["a", "b", "c", "d"], ["a>b", "b>d"]), x={"scope": BELOW})
    driver.end("a")
    view = AgentView(driver.run(), "x")
    assert [name for name in view.task_ids if view.may_change(name)] == ["b", "d"]
    assert str(view.scope) == "descendants"
    assert AgentView(driver.run()).may_change("d"), "without an agent it is nobody's in particular"


# ---- what waits


def test_only_what_may_be_changed_waits_where_agents_have_scopes():
    driver = driving(plan(["a", "b", "c", "d"], ["a>b", "a>c", "a>d"]), x={"scope": tasks("b")})
    driver.end("a")
    assert driver.started() == ["a", "c", "d"]
    assert [reason.code for reason in driver.why("b")] == ["fence"]
    answer(driver, "x", ed.UpdateTask("b", timeout=5))
    assert driver.started()[-1] == "b"


def test_several_scopes_are_united_and_an_agent_without_one_keeps_everything_back():
    terms = {"x": {"scope": tasks("b")}, "y": {"scope": tasks("c")}, "z": {"on": (EndFilter(("e",)),)}}
    driver = driving(plan(["a", "b", "c", "d", "e", "f"], ["a>b", "a>c", "a>d", "d>f"]), **terms)
    driver.end("a")
    assert driver.started() == ["a", "e", "d"]
    answer(driver, "y")
    assert driver.started()[-1] == "c", "an agent that has answered may change nothing any more"
    driver.end("e")
    driver.end("d")
    assert "f" not in driver.started(), "z, which may change everything, is asked next"
    answer(driver, "x")
    assert driver.started()[-1] == "c"
    answer(driver, "z")
    answer(driver, "x")
    answer(driver, "y")
    assert driver.started()[-2:] == ["f", "b"]


def test_an_explicit_fence_wins_and_may_be_taken_back():
    driver = driving(plan(["a", "b", "c"], ["a>b", "a>c"]), Fence.GLOBAL, x={"scope": tasks("b")})
    assert cycles(driver).fence_in_force is Fence.GLOBAL
    driver.end("a")
    assert driver.started() == ["a"]
    driver.ask(c.SetFence, fence=None)
    assert cycles(driver).fence_in_force is Fence.SCOPE
    assert driver.started() == ["a", "c"]


def test_without_scopes_the_default_is_the_global_fence():
    driver = driving(plan(["a", "b", "c"], ["a>b"]), x={})
    driver.ask(c.SetFence, modification_timeout=5)
    assert cycles(driver).fence_in_force is Fence.GLOBAL
    driver.end("a")
    assert driver.started() == ["a", "c"]


def test_what_an_edit_brings_into_a_scope_waits_and_what_it_takes_out_starts():
    driver = driving(plan(["a", "b", "c", "d"], ["a>b", "c>d"]), x={"scope": BELOW}, y={"scope": tasks("n*")})
    driver.ask(c.HoldTasks, "b", "d")
    driver.end("a")
    driver.end("c")
    driver.edit(ed.AddTask(task("n")), ed.AddTask(task("m")), ed.AddDependency(edge("a", "m")))
    assert "n" not in driver.started()
    assert "m" not in driver.started(), "it depends on an end that x is asked about"
    driver.edit(ed.RemoveDependency("a", "m"))
    assert driver.started()[-1] == "m"
    answer(driver, "y")
    assert "n" not in driver.started(), "y is asked about c next"


def test_a_staged_proposal_keeps_back_what_its_agent_might_change():
    made = plan(["a", "b", "c"], ["a>b", "a>c"])
    driver = driving(made, x={"scope": tasks("b"), "asks": ("update_task",)})
    driver.end("a")
    answer(driver, "x", ed.UpdateTask("b", timeout=5))
    assert driver.started() == ["a", "c"]
    driver.ask(c.AnswerApproval, approval=1, accept=True)
    assert driver.started() == ["a", "c", "b"]


def test_scopes_outlive_the_program_with_what_waits_for_approval():
    driver = driving(plan(["a", "b", "c"], ["a>b", "a>c"]), x={"scope": tasks("b"), "asks": ("update_task",)})
    driver.end("a")
    answer(driver, "x", ed.UpdateTask("b", timeout=5))
    driver.restart()
    assert cycles(driver).approvals[1].proposed.scope == tasks("b")
    assert cycles(driver).fence_in_force is Fence.SCOPE


# ---- bad terms


@pytest.mark.parametrize(
    "terms",
    [
        {"on": (EndFilter(when="nope >"),)},
        {"on": (EndFilter(tasks=()),)},
        {"on": (EndFilter(statuses=()),)},
        {"on": (EndFilter(statuses=(TaskStatus.SKIPPED,)),)},
        {"scope": EditScope(ScopeKind.GROUP)},
        {"scope": EditScope(ScopeKind.ALL, ("a",))},
    ],
)
def test_terms_that_make_no_sense_are_refused(terms):
    driver = Driver()
    driver.create(plan(["a"]))
    with pytest.raises(CommandRefused) as caught:
        driver.ask(c.AttachAgent, agent="x", run_id=RUN, **terms)
    assert caught.value.code == "bad_terms"


@pytest.mark.parametrize("terms", [{"on": ["a"]}, {"scope": "descendants"}, {"on": (EndFilter(tasks=["a"]),)}])  # type: ignore[arg-type]
def test_terms_of_another_type_are_refused(terms):
    driver = Driver()
    driver.create(plan(["a"]))
    with pytest.raises(CommandRefused) as caught:
        driver.ask(c.AttachAgent, agent="x", **terms)
    assert caught.value.code == "bad_argument"
