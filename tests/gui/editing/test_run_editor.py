"""Editing a run: live, staged, committed, and taken back while the run goes on."""

from __future__ import annotations

from typing import Any

import pytest
from tests.driver import edge, task
from tests.gui.editing.engines import Desk, three_in_a_row

from starloom.constellation.edits import AddDependency, AddTask, RemoveDependency, RemoveTask, UpdateTask
from starloom.scheduling import commands as c
from starloom_gui.editing.base import Mode, Step
from starloom_gui.specs.action_spec import Verb
from starloom_gui.viewmodel.stage import Stage


def timeout_of(desk: Desk, id: str) -> Any:
    return desk.run().graph.task(id).timeout


# ---- live


def test_a_live_step_is_one_batch_on_the_revision_that_was_seen() -> None:
    desk = Desk()
    desk.editor.do(Step(label="Add x", edits=(AddTask(task("x")), AddDependency(edge("a", "x")))))
    [(_, command)] = desk.engine.sent
    assert isinstance(command, c.EditConstellation)
    assert (len(command.batch.edits), command.batch.base_revision, command.batch.reason) == (2, 0, "Add x")
    assert not desk.editor.history.entries, "it is on the stack before the engine has said yes"
    desk.settle()
    assert [entry.label for entry in desk.editor.history.entries] == ["Add x"]


def test_undo_and_redo_give_back_the_same_plan() -> None:
    desk = Desk()
    before = desk.graph()
    desk.add("x", "a")
    after = desk.graph()
    desk.undo()
    assert desk.graph() == before
    desk.redo()
    assert desk.graph() == after
    assert not desk.said


def test_a_refused_step_says_which_rule_and_leaves_nothing() -> None:
    desk = Desk()
    before = desk.graph()
    desk.do(AddDependency(edge("c", "b")), label="Add dependency c → b")
    [(what, why)] = desk.said
    assert what == "Add dependency c → b"
    assert "close the cycle" in why
    assert "Remove another dependency" in why
    assert desk.graph() == before
    assert not desk.editor.history.entries


def test_nothing_is_undone_while_an_answer_is_to_come() -> None:
    desk = Desk()
    desk.add("x")
    desk.editor.do(Step(label="Add y", edits=(AddTask(task("y")),)))
    assert desk.editor.is_busy
    assert not desk.editor.undo_offer().verdict.ok
    desk.editor.undo()
    assert len(desk.engine.sent) == 1
    desk.settle()
    assert desk.editor.undo_offer().verdict.ok


def test_steps_of_one_drag_are_undone_at_once() -> None:
    desk = Desk()
    before = desk.graph()
    for seconds in (1, 2, 3):
        desk.do(UpdateTask("b", timeout=seconds), label=f"Timeout {seconds} s", merges="slider")
    assert [entry.label for entry in desk.editor.history.entries] == ["Timeout 3 s"]
    desk.undo()
    assert desk.graph() == before


def test_an_undo_that_the_run_has_overtaken_is_refused_with_the_reason_and_passed_over() -> None:
    desk = Desk()
    desk.do(UpdateTask("b", timeout=5), label="First")
    desk.do(UpdateTask("e", timeout=5), label="Second")
    desk.driver.end("d")
    assert "is running" in desk.editor.undo_offer().verdict.reason, "the menu has to say so beforehand"
    desk.undo()
    [(what, why)] = desk.said
    assert what == "Undo “Second”"
    assert "'e' cannot change: it is running" in why
    assert desk.editor.undo_offer().label == "First"


def test_what_somebody_else_has_changed_since_is_not_undone() -> None:
    desk = Desk()
    desk.do(UpdateTask("b", timeout=5), label="Timeout")
    desk.driver.edit(UpdateTask("b", timeout=9), origin="agent")
    desk.undo()
    assert timeout_of(desk, "b") == 9
    assert "agent changed 'b'" in desk.said[0][1].lower()
    assert desk.editor.undo_offer().label == ""


def test_edits_of_others_are_not_on_the_stack() -> None:
    desk = Desk()
    desk.driver.edit(AddTask(task("x")), origin="agent")
    desk.tell()
    assert not desk.editor.history.entries


def test_going_back_in_the_history_takes_every_step_on_the_way() -> None:
    desk = Desk()
    before = desk.graph()
    for id in "xyz":
        desk.add(id)
    after = desk.graph()
    desk.editor.go_to(0)
    desk.settle()
    assert desk.graph() == before
    desk.editor.go_to(3)
    desk.settle()
    assert desk.graph() == after


def test_going_back_ends_at_what_is_refused() -> None:
    desk = Desk()
    desk.add("x")
    desk.do(UpdateTask("e", timeout=5), label="Timeout")
    desk.add("y")
    desk.driver.edit(UpdateTask("e", timeout=9), origin="agent")
    desk.editor.go_to(0)
    desk.settle()
    assert "x" in desk.run().graph
    assert desk.editor.undo_offer().label == "Add x"


# ---- steering


@pytest.mark.parametrize(
    ("verb", "given", "read"),
    [
        (Verb.HOLD, {}, lambda run, n: n in run.held),
        (Verb.PRIORITISE, {"priority": "high"}, lambda run, n: run.priority[n]),
        (Verb.PIN, {"device_id": "lab-b"}, lambda run, n: run.pins.get(n)),
        (Verb.SKIP, {}, lambda run, n: run.status[n]),
        (Verb.SET_BREAKPOINT, {}, lambda run, n: n in run.breakpoints),
    ],
    ids=["hold", "priority", "pin", "skip", "breakpoint"],
)
def test_steering_before_a_start_is_taken_back_and_done_again(verb: Verb, given: dict[str, Any], read: Any) -> None:
    desk = Desk()
    number = desk.run().graph.place["b"]
    desk.steer(Verb.PRIORITISE, "b", priority=20)
    before = read(desk.run(), number)
    desk.steer(verb, "b", label="Steer b", **given)
    after = read(desk.run(), number)
    assert after != before
    desk.undo()
    assert read(desk.run(), number) == before
    desk.redo()
    assert read(desk.run(), number) == after
    assert not desk.said


def test_each_task_gets_back_its_own_priority() -> None:
    desk = Desk()
    desk.steer(Verb.PRIORITISE, "b", priority=20)
    desk.steer(Verb.PRIORITISE, "b", "c", priority=80)
    desk.undo()
    place, priority = desk.run().graph.place, desk.run().priority
    assert (priority[place["b"]], priority[place["c"]]) == (20, 50)


def test_steering_that_somebody_else_has_changed_is_not_taken_back() -> None:
    desk = Desk()
    desk.steer(Verb.PRIORITISE, "b", priority=80, label="Raise b")
    desk.driver.ask(c.SetPriority, "b", priority=5, origin="agent")
    assert not desk.editor.undo_offer().verdict.ok
    desk.undo()
    assert desk.run().priority[desk.run().graph.place["b"]] == 5
    assert "steered otherwise since" in desk.said[0][1]


def test_a_held_task_that_has_started_since_cannot_go_back_and_the_menu_says_so() -> None:
    desk = Desk()
    desk.steer(Verb.PRIORITISE, "c", priority=80, label="Raise c")
    desk.driver.end("a")
    desk.driver.end_all()
    assert "Priority matters only before a task starts" in desk.editor.undo_offer().verdict.hint
    desk.undo()
    assert desk.said[0][0] == "Undo “Raise c”"
    assert not desk.editor.undo_offer().label


# ---- staged


def test_staged_steps_are_seen_and_not_done() -> None:
    desk = Desk(Mode.STAGED)
    before = desk.graph()
    desk.add("x", "b")
    desk.do(RemoveTask("c"), label="Remove c")
    facts, ghosts = desk.editor.facts(), desk.editor.ghosts
    assert facts is not None
    assert ghosts is not None
    assert "x" in facts.graph
    assert "c" not in facts.graph
    number = desk.run().graph.place["c"]
    assert ghosts.facts.graph.tasks[number] is not None
    assert ghosts.stages == {number: Stage.REMOVED, facts.graph.place["x"]: Stage.ADDED}
    assert set(ghosts.edge_stages.values()) == {Stage.ADDED, Stage.REMOVED}
    assert desk.graph() == before
    assert not desk.engine.sent


def test_a_commit_is_one_batch_and_one_step_of_undo() -> None:
    desk = Desk(Mode.STAGED)
    before = desk.graph()
    desk.add("x", "b")
    desk.do(UpdateTask("e", timeout=5))
    desk.editor.staging.commit()
    assert len(desk.engine.sent) == 1
    desk.settle()
    assert "x" in desk.run().graph
    assert desk.run().revision == 1
    assert not desk.editor.steps
    assert desk.editor.ghosts is None
    desk.undo()
    assert desk.graph() == before


def test_discarding_leaves_nothing() -> None:
    desk = Desk(Mode.STAGED)
    desk.add("x", "b")
    desk.editor.staging.discard()
    assert desk.editor.facts() is desk.run()
    assert not desk.editor.undo_offer().label
    assert not desk.editor.redo_offer().label


def test_what_would_break_a_rule_is_not_staged() -> None:
    desk = Desk(Mode.STAGED)
    desk.do(AddDependency(edge("e", "b")))
    desk.do(AddDependency(edge("c", "e")), label="Add dependency c → e")
    assert len(desk.editor.steps) == 1
    assert desk.said[0][0] == "Add dependency c → e"
    assert "cycle c → e → b → c" in desk.said[0][1]


def test_staged_steps_are_taken_back_one_by_one_and_dropped_ones_come_back() -> None:
    desk = Desk(Mode.STAGED)
    desk.add("x")
    desk.add("y")
    desk.editor.staging.drop(desk.editor.steps[0].key)
    assert [one.step.label for one in desk.editor.steps] == ["Add y"]
    desk.undo()
    assert [one.step.label for one in desk.editor.steps] == ["Add x", "Add y"]
    desk.undo()
    desk.undo()
    assert not desk.editor.steps
    desk.redo()
    assert [one.step.label for one in desk.editor.steps] == ["Add x"]


def test_a_staged_drag_is_one_step() -> None:
    desk = Desk(Mode.STAGED)
    for seconds in (1, 2, 3):
        desk.do(UpdateTask("b", timeout=seconds), label="Timeout", merges="slider")
    [staged] = desk.editor.steps
    assert staged.step.edits == (UpdateTask("b", timeout=3),)


def test_what_the_run_overtakes_is_shown_with_its_reason_while_the_rest_still_fits() -> None:
    desk = Desk(Mode.STAGED)
    desk.do(UpdateTask("e", timeout=5))
    desk.add("x", "c")
    desk.driver.end("d")
    desk.tell()
    late, _fine = desk.editor.steps
    assert set(desk.editor.staging.problems) == {late.key}
    assert desk.editor.facts() is not desk.run(), "what still fits is still shown"
    [problem] = desk.editor.staging.problems[late.key]
    assert problem.code == "immutable"
    assert not desk.editor.staging.can_commit().ok
    desk.editor.staging.commit()
    assert not desk.engine.sent
    desk.editor.staging.drop_unfit()
    assert desk.editor.staging.can_commit().ok


def test_what_only_followed_from_a_dropped_step_says_what_it_misses() -> None:
    desk = Desk(Mode.STAGED)
    desk.add("x")
    desk.do(AddDependency(edge("x", "e")), label="Connect")
    desk.editor.staging.drop(desk.editor.steps[0].key)
    [staged] = desk.editor.steps
    assert desk.editor.staging.problems[staged.key][0].code == "unknown_task"
    assert desk.editor.ghosts is None


def test_what_somebody_else_changes_is_a_conflict_until_it_is_meant() -> None:
    desk = Desk(Mode.STAGED)
    desk.do(UpdateTask("b", timeout=5))
    desk.do(UpdateTask("c", timeout=5))
    desk.driver.edit(UpdateTask("b", timeout=9), origin="agent")
    desk.tell()
    [staged, other] = desk.editor.steps
    assert [problem.code for problem in desk.editor.staging.problems[staged.key]] == ["conflict"]
    assert other.key not in desk.editor.staging.problems
    desk.editor.staging.keep(staged.key)
    assert not desk.editor.staging.problems
    desk.editor.staging.commit()
    desk.settle()
    assert timeout_of(desk, "b") == 5


def test_a_change_between_the_last_look_and_the_commit_is_refused_and_nothing_is_lost() -> None:
    desk = Desk(Mode.STAGED)
    desk.do(UpdateTask("b", timeout=5))
    desk.add("x")
    desk.editor.staging.commit()
    desk.driver.edit(UpdateTask("b", timeout=9), origin="agent")
    desk.settle()
    assert "agent changed 'b'" in desk.said[0][1].lower()
    assert len(desk.editor.steps) == 2
    assert [problem.code for found in desk.editor.staging.problems.values() for problem in found] == ["conflict"]
    assert "x" not in desk.run().graph


def test_edits_go_live_only_when_nothing_is_staged() -> None:
    desk = Desk(Mode.STAGED)
    desk.add("x")
    desk.editor.set_mode(Mode.LIVE)
    assert desk.editor.mode is Mode.STAGED
    assert "Commit or discard" in desk.said[0][1]
    desk.editor.staging.discard()
    desk.editor.set_mode(Mode.LIVE)
    assert desk.editor.mode.value == "live"


def test_statuses_stay_live_while_edits_are_staged() -> None:
    desk = Desk(Mode.STAGED)
    desk.add("x", "c")
    ghosts = desk.editor.ghosts
    assert ghosts is not None
    drawn = ghosts.facts
    desk.driver.end("a")
    desk.tell()
    assert desk.editor.ghosts is not None
    assert desk.editor.ghosts.facts is drawn, "what is on the screen reads these facts"
    assert drawn.status[: len(desk.run().status)] == desk.run().status


def test_a_dependency_that_turns_round_is_drawn_both_ways() -> None:
    desk = Desk(Mode.STAGED)
    desk.do(RemoveDependency("b", "c"), AddDependency(edge("c", "b")), label="Turn round")
    ghosts, place = desk.editor.ghosts, desk.run().graph.place
    assert ghosts is not None
    assert ghosts.extra == ((place["b"], place["c"]),)
    assert ghosts.order[place["c"]] < ghosts.order[place["b"]]


def test_an_editor_that_is_closed_hears_nothing() -> None:
    desk = Desk()
    desk.editor.do(Step(label="Add x", edits=(AddTask(task("x")),)))
    desk.editor.close()
    desk.engine.answer()
    assert not desk.editor.history.entries


def test_three_in_a_row_is_what_these_tests_take_it_for() -> None:
    driver = three_in_a_row()
    assert sorted(name for _, name in driver.ordered) == ["a", "d"]
