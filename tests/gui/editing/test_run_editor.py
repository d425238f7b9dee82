"""Editing a run: live, staged, committed, and taken back while the run goes on."""

from __future__ import annotations

from typing import Any

import pytest
from tests.driver import edge, task
from tests.gui.editing.run_editor_bench import RunEditorBench, three_in_a_row

from starloom import events as ev
from starloom.constellation.edits import AddDependency, AddTask, RemoveDependency, RemoveTask, UpdateTask
from starloom.scheduling import commands as c
from starloom_gui.editing.base import Mode, Step
from starloom_gui.specs.action_spec import Verb
from starloom_gui.viewmodel.stage import Stage


def timeout_of(bench: RunEditorBench, id: str) -> Any:
    return bench.run().graph.task(id).timeout


# ---- live


def test_a_live_step_is_one_batch_on_the_revision_that_was_seen() -> None:
    bench = RunEditorBench()
    bench.editor.do(Step(label="Add x", edits=(AddTask(task("x")), AddDependency(edge("a", "x")))))
    [(_, command)] = bench.engine.sent
    assert isinstance(command, c.EditConstellation)
    assert (len(command.batch.edits), command.batch.base_revision, command.batch.reason) == (2, 0, "Add x")
    assert not bench.editor.history.entries, "it is on the stack before the engine has said yes"
    bench.settle()
    assert [entry.label for entry in bench.editor.history.entries] == ["Add x"]


def test_undo_and_redo_give_back_the_same_plan() -> None:
    bench = RunEditorBench()
    before = bench.graph()
    bench.add("x", "a")
    after = bench.graph()
    bench.undo()
    assert bench.graph() == before
    bench.redo()
    assert bench.graph() == after
    assert not bench.said


def test_a_refused_step_says_which_rule_and_leaves_nothing() -> None:
    bench = RunEditorBench()
    before = bench.graph()
    bench.do(AddDependency(edge("c", "b")), label="Add dependency c → b")
    [(what, why)] = bench.said
    assert what == "Add dependency c → b"
    assert "close the cycle" in why
    assert "Remove another dependency" in why
    assert bench.graph() == before
    assert not bench.editor.history.entries


def test_nothing_is_undone_while_an_answer_is_to_come() -> None:
    bench = RunEditorBench()
    bench.add("x")
    bench.editor.do(Step(label="Add y", edits=(AddTask(task("y")),)))
    assert bench.editor.is_busy
    assert not bench.editor.undo_offer().verdict.ok
    bench.editor.undo()
    assert len(bench.engine.sent) == 1
    bench.settle()
    assert bench.editor.undo_offer().verdict.ok


def test_what_is_undone_is_told_as_that_and_not_as_the_opposite() -> None:
    bench = RunEditorBench()
    bench.do(RemoveTask("e"), label="Remove e")
    bench.undo()
    bench.redo()
    edits = [one for one in bench.driver.events if isinstance(one, ev.ConstellationModified)]
    assert [one.reason for one in edits[-3:]] == ["Remove e", "Undo “Remove e”", "Redo “Remove e”"]


def test_steps_of_one_drag_are_undone_at_once() -> None:
    bench = RunEditorBench()
    before = bench.graph()
    for seconds in (1, 2, 3):
        bench.do(UpdateTask("b", timeout=seconds), label=f"Timeout {seconds} s", merges="slider")
    assert [entry.label for entry in bench.editor.history.entries] == ["Timeout 3 s"]
    bench.undo()
    assert bench.graph() == before


def test_an_undo_that_the_run_has_overtaken_is_refused_with_the_reason_and_passed_over() -> None:
    bench = RunEditorBench()
    bench.do(UpdateTask("b", timeout=5), label="First")
    bench.do(UpdateTask("e", timeout=5), label="Second")
    bench.driver.end("d")
    assert "is running" in bench.editor.undo_offer().verdict.reason, "the menu has to say so beforehand"
    bench.undo()
    [(what, why)] = bench.said
    assert what == "Undo “Second”"
    assert "'e' cannot change: it is running" in why
    assert bench.editor.undo_offer().label == "First"


def test_what_somebody_else_has_changed_since_is_not_undone() -> None:
    bench = RunEditorBench()
    bench.do(UpdateTask("b", timeout=5), label="Timeout")
    bench.driver.edit(UpdateTask("b", timeout=9), origin="agent")
    bench.undo()
    assert timeout_of(bench, "b") == 9
    assert "agent changed 'b'" in bench.said[0][1].lower()
    assert bench.editor.undo_offer().label == ""


def test_edits_of_others_are_not_on_the_stack() -> None:
    bench = RunEditorBench()
    bench.driver.edit(AddTask(task("x")), origin="agent")
    bench.tell()
    assert not bench.editor.history.entries


def test_going_back_in_the_history_takes_every_step_on_the_way() -> None:
    bench = RunEditorBench()
    before = bench.graph()
    for id in "xyz":
        bench.add(id)
    after = bench.graph()
    bench.editor.go_to(0)
    bench.settle()
    assert bench.graph() == before
    bench.editor.go_to(3)
    bench.settle()
    assert bench.graph() == after


def test_going_back_ends_at_what_is_refused() -> None:
    bench = RunEditorBench()
    bench.add("x")
    bench.do(UpdateTask("e", timeout=5), label="Timeout")
    bench.add("y")
    bench.driver.edit(UpdateTask("e", timeout=9), origin="agent")
    bench.editor.go_to(0)
    bench.settle()
    assert "x" in bench.run().graph
    assert bench.editor.undo_offer().label == "Add x"


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
    bench = RunEditorBench()
    number = bench.run().graph.place["b"]
    bench.steer(Verb.PRIORITISE, "b", priority=20)
    before = read(bench.run(), number)
    bench.steer(verb, "b", label="Steer b", **given)
    after = read(bench.run(), number)
    assert after != before
    bench.undo()
    assert read(bench.run(), number) == before
    bench.redo()
    assert read(bench.run(), number) == after
    assert not bench.said


def test_each_task_gets_back_its_own_priority() -> None:
    bench = RunEditorBench()
    bench.steer(Verb.PRIORITISE, "b", priority=20)
    bench.steer(Verb.PRIORITISE, "b", "c", priority=80)
    bench.undo()
    place, priority = bench.run().graph.place, bench.run().priority
    assert (priority[place["b"]], priority[place["c"]]) == (20, 50)


def test_steering_that_somebody_else_has_changed_is_not_taken_back() -> None:
    bench = RunEditorBench()
    bench.steer(Verb.PRIORITISE, "b", priority=80, label="Raise b")
    bench.driver.ask(c.SetPriority, "b", priority=5, origin="agent")
    assert not bench.editor.undo_offer().verdict.ok
    bench.undo()
    assert bench.run().priority[bench.run().graph.place["b"]] == 5
    assert "steered otherwise since" in bench.said[0][1]


def test_a_held_task_that_has_started_since_cannot_go_back_and_the_menu_says_so() -> None:
    bench = RunEditorBench()
    bench.steer(Verb.PRIORITISE, "c", priority=80, label="Raise c")
    bench.driver.end("a")
    bench.driver.end_all()
    assert "Priority matters only before a task starts" in bench.editor.undo_offer().verdict.hint
    bench.undo()
    assert bench.said[0][0] == "Undo “Raise c”"
    assert not bench.editor.undo_offer().label


# ---- staged


def test_staged_steps_are_seen_and_not_done() -> None:
    bench = RunEditorBench(Mode.STAGED)
    before = bench.graph()
    bench.add("x", "b")
    bench.do(RemoveTask("c"), label="Remove c")
    facts, ghosts = bench.editor.facts(), bench.editor.ghosts
    assert facts is not None
    assert ghosts is not None
    assert "x" in facts.graph
    assert "c" not in facts.graph
    number = bench.run().graph.place["c"]
    assert ghosts.facts.graph.tasks[number] is not None
    assert ghosts.stages == {number: Stage.REMOVED, facts.graph.place["x"]: Stage.ADDED}
    assert set(ghosts.edge_stages.values()) == {Stage.ADDED, Stage.REMOVED}
    assert bench.graph() == before
    assert not bench.engine.sent


def test_a_commit_is_one_batch_and_one_step_of_undo() -> None:
    bench = RunEditorBench(Mode.STAGED)
    before = bench.graph()
    bench.add("x", "b")
    bench.do(UpdateTask("e", timeout=5))
    bench.editor.staging.commit()
    assert len(bench.engine.sent) == 1
    bench.settle()
    assert "x" in bench.run().graph
    assert bench.run().revision == 1
    assert not bench.editor.steps
    assert bench.editor.ghosts is None
    bench.undo()
    assert bench.graph() == before


def test_discarding_leaves_nothing() -> None:
    bench = RunEditorBench(Mode.STAGED)
    bench.add("x", "b")
    bench.editor.staging.discard()
    assert bench.editor.facts() is bench.run()
    assert bench.editor.undo_offer().label == "Discard of 1 change(s)"
    assert not bench.editor.redo_offer().label


def test_discarded_steps_come_back_by_undo_until_edits_take_effect_at_once() -> None:
    bench = RunEditorBench(Mode.STAGED)
    bench.add("x", "b")
    bench.add("y", "b")
    bench.editor.staging.discard()
    bench.undo()
    assert len(bench.editor.steps) == 2
    bench.editor.staging.discard()
    bench.editor.set_mode(Mode.LIVE)
    assert not bench.editor.undo_offer().label
    assert not bench.editor.steps


def test_what_would_break_a_rule_is_not_staged() -> None:
    bench = RunEditorBench(Mode.STAGED)
    bench.do(AddDependency(edge("e", "b")))
    bench.do(AddDependency(edge("c", "e")), label="Add dependency c → e")
    assert len(bench.editor.steps) == 1
    assert bench.said[0][0] == "Add dependency c → e"
    assert "cycle c → e → b → c" in bench.said[0][1]


def test_staged_steps_are_taken_back_one_by_one_and_dropped_ones_come_back() -> None:
    bench = RunEditorBench(Mode.STAGED)
    bench.add("x")
    bench.add("y")
    bench.editor.staging.drop(bench.editor.steps[0].key)
    assert [one.step.label for one in bench.editor.steps] == ["Add y"]
    bench.undo()
    assert [one.step.label for one in bench.editor.steps] == ["Add x", "Add y"]
    bench.undo()
    bench.undo()
    assert not bench.editor.steps
    bench.redo()
    assert [one.step.label for one in bench.editor.steps] == ["Add x"]


def test_a_staged_drag_is_one_step() -> None:
    bench = RunEditorBench(Mode.STAGED)
    for seconds in (1, 2, 3):
        bench.do(UpdateTask("b", timeout=seconds), label="Timeout", merges="slider")
    [staged] = bench.editor.steps
    assert staged.step.edits == (UpdateTask("b", timeout=3),)


def test_what_the_run_overtakes_is_shown_with_its_reason_while_the_rest_still_fits() -> None:
    bench = RunEditorBench(Mode.STAGED)
    bench.do(UpdateTask("e", timeout=5))
    bench.add("x", "c")
    bench.driver.end("d")
    bench.tell()
    late, _fine = bench.editor.steps
    assert set(bench.editor.staging.problems) == {late.key}
    assert bench.editor.facts() is not bench.run(), "what still fits is still shown"
    [problem] = bench.editor.staging.problems[late.key]
    assert problem.code == "immutable"
    assert not bench.editor.staging.can_commit().ok
    bench.editor.staging.commit()
    assert not bench.engine.sent
    bench.editor.staging.drop_unfit()
    assert bench.editor.staging.can_commit().ok


def test_what_only_followed_from_a_dropped_step_says_what_it_misses() -> None:
    bench = RunEditorBench(Mode.STAGED)
    bench.add("x")
    bench.do(AddDependency(edge("x", "e")), label="Connect")
    bench.editor.staging.drop(bench.editor.steps[0].key)
    [staged] = bench.editor.steps
    assert bench.editor.staging.problems[staged.key][0].code == "unknown_task"
    assert bench.editor.ghosts is None


def test_what_somebody_else_changes_is_a_conflict_until_it_is_meant() -> None:
    bench = RunEditorBench(Mode.STAGED)
    bench.do(UpdateTask("b", timeout=5))
    bench.do(UpdateTask("c", timeout=5))
    bench.driver.edit(UpdateTask("b", timeout=9), origin="agent")
    bench.tell()
    [staged, other] = bench.editor.steps
    assert [problem.code for problem in bench.editor.staging.problems[staged.key]] == ["conflict"]
    assert other.key not in bench.editor.staging.problems
    bench.editor.staging.keep(staged.key)
    assert not bench.editor.staging.problems
    bench.editor.staging.commit()
    bench.settle()
    assert timeout_of(bench, "b") == 5


def test_a_change_between_the_last_look_and_the_commit_is_refused_and_nothing_is_lost() -> None:
    bench = RunEditorBench(Mode.STAGED)
    bench.do(UpdateTask("b", timeout=5))
    bench.add("x")
    bench.editor.staging.commit()
    bench.driver.edit(UpdateTask("b", timeout=9), origin="agent")
    bench.settle()
    assert "agent changed 'b'" in bench.said[0][1].lower()
    assert len(bench.editor.steps) == 2
    assert [problem.code for found in bench.editor.staging.problems.values() for problem in found] == ["conflict"]
    assert "x" not in bench.run().graph


def test_edits_go_live_only_when_nothing_is_staged() -> None:
    bench = RunEditorBench(Mode.STAGED)
    bench.add("x")
    bench.editor.set_mode(Mode.LIVE)
    assert bench.editor.mode is Mode.STAGED
    assert "Commit or discard" in bench.said[0][1]
    bench.editor.staging.discard()
    bench.editor.set_mode(Mode.LIVE)
    assert bench.editor.mode.value == "live"


def test_statuses_stay_live_while_edits_are_staged() -> None:
    bench = RunEditorBench(Mode.STAGED)
    bench.add("x", "c")
    ghosts = bench.editor.ghosts
    assert ghosts is not None
    drawn = ghosts.facts
    bench.driver.end("a")
    bench.tell()
    assert bench.editor.ghosts is not None
    assert bench.editor.ghosts.facts is drawn, "what is on the screen reads these facts"
    assert drawn.status[: len(bench.run().status)] == bench.run().status


def test_a_dependency_that_turns_round_is_drawn_both_ways() -> None:
    bench = RunEditorBench(Mode.STAGED)
    bench.do(RemoveDependency("b", "c"), AddDependency(edge("c", "b")), label="Turn round")
    ghosts, place = bench.editor.ghosts, bench.run().graph.place
    assert ghosts is not None
    assert ghosts.extra == ((place["b"], place["c"]),)
    assert ghosts.order[place["c"]] < ghosts.order[place["b"]]


def test_an_editor_that_is_closed_hears_nothing() -> None:
    bench = RunEditorBench()
    bench.editor.do(Step(label="Add x", edits=(AddTask(task("x")),)))
    bench.editor.close()
    bench.engine.answer()
    assert not bench.editor.history.entries


def test_three_in_a_row_is_what_these_tests_take_it_for() -> None:
    driver = three_in_a_row()
    assert sorted(name for _, name in driver.ordered) == ["a", "d"]
