"""What an agent proposes in words and as ghosts, and taking back edits that the event log tells of."""

from __future__ import annotations

from tests.driver import RUN, edge, task
from tests.gui.editing.run_editor_bench import RunEditorBench

from starloom import events as ev
from starloom.constellation.edits import AddDependency, AddTask, EditBatch, RemoveTask, UpdateTask
from starloom.errors import Problem
from starloom.scheduling import commands as c
from starloom_gui.editing.base import Mode
from starloom_gui.editing.proposals import changes_of, runs_of, steps_of
from starloom_gui.viewmodel.stage import Stage

X = AddTask(task("x", command=("run", "it now"), env={"DEBUG": "1"}))
BEFORE_C = AddDependency(edge("x", "c"))


def agents_edit(
    bench: RunEditorBench, *edits, origin: str = "agent", reason: str = "because"
) -> ev.ConstellationModified:
    """An edit that somebody else makes; the event that tells of it."""
    batch = EditBatch(edits=edits, origin=origin, reason=reason)
    bench.driver.do(c.EditConstellation(run_id=RUN, batch=batch))
    bench.tell()
    return next(event for event in reversed(bench.driver.events) if isinstance(event, ev.ConstellationModified))


# ---- in words


def test_a_new_task_is_one_row_with_its_dependencies_and_all_else_stands_alone():
    edits = (UpdateTask("b", timeout=60.0), X, BEFORE_C, AddDependency(edge("a", "x")), RemoveTask("e"))
    assert [len(step.edits) for step in steps_of(edits)] == [1, 3, 1]
    rows = changes_of(RunEditorBench().run(), edits)
    assert [(row.sign, row.title) for row in rows] == [
        (Stage.CHANGED, "b"),
        (Stage.ADDED, "x"),
        (Stage.REMOVED, "e"),
    ]
    assert rows[1].task_ids == ("x", "c", "a")


def test_a_dependency_between_two_new_tasks_goes_with_the_later_one():
    y = AddTask(task("y"))
    assert [step.edits for step in steps_of((X, y, AddDependency(edge("x", "y"))))] == [
        (X,),
        (y, AddDependency(edge("x", "y"))),
    ]


def test_nothing_that_would_be_run_is_left_out_or_shortened():
    long = "echo " + "very " * 200 + "long"
    runs = runs_of((X, UpdateTask("b", shell=long, timeout=3.0), UpdateTask("c", timeout=3.0), RemoveTask("d")))
    assert runs["x"].splitlines() == ["Command: run 'it now'", 'Variables: {"DEBUG": "1"}']
    assert long in runs["b"]
    assert set(runs) == {"x", "b"}


def test_what_does_not_fit_any_more_is_said_at_its_row():
    wrong = Problem(message="it is running.", where="edits[1]")
    rows = changes_of(RunEditorBench().run(), (X, UpdateTask("a", timeout=1.0)), (wrong,))
    assert [bool(row.problem) for row in rows] == [False, True]


# ---- as ghosts


def test_a_proposal_is_a_ghost_that_changes_nothing_and_follows_the_run():
    bench = RunEditorBench()
    before = bench.graph()
    bench.editor.show_proposal((X, BEFORE_C))
    ghosts = bench.editor.ghosts
    assert ghosts is not None
    assert Stage.ADDED in ghosts.stages.values()
    facts = bench.editor.facts()
    assert facts is not None
    assert "x" in facts.graph
    assert bench.editor.steps == ()
    assert bench.graph() == before
    bench.add("z")  # the run goes on beside it
    facts = bench.editor.facts()
    assert facts is not None
    assert {"x", "z"} <= set(facts.graph.place)
    bench.editor.show_proposal(())
    assert bench.editor.ghosts is None
    assert bench.editor.facts() is bench.run()


def test_the_ghost_goes_when_the_proposal_no_longer_fits():
    bench = RunEditorBench()
    bench.editor.show_proposal((X, BEFORE_C))
    bench.add("x")
    assert bench.editor.ghosts is None
    facts = bench.editor.facts()
    assert facts is bench.run()


def test_what_is_staged_is_shown_before_what_is_proposed():
    bench = RunEditorBench(Mode.STAGED)
    bench.editor.show_proposal((X,))
    bench.add("mine")
    ghosts = bench.editor.ghosts
    assert ghosts is not None
    assert "x" not in ghosts.facts.graph
    bench.editor.staging.discard()
    ghosts = bench.editor.ghosts
    assert ghosts is not None
    assert "x" in ghosts.facts.graph


# ---- taking back


def test_an_edit_is_reverted_as_one_step_that_can_be_undone():
    bench = RunEditorBench()
    before = bench.graph()
    event = agents_edit(bench, X, BEFORE_C)
    after = bench.graph()
    assert bench.editor.reverting.verdict(event).ok
    bench.editor.reverting.revert(event)
    bench.settle()
    assert bench.graph() == before
    assert [entry.label for entry in bench.editor.history.entries] == ["Revert revision 1 by agent"]
    told = next(one for one in reversed(bench.driver.events) if isinstance(one, ev.ConstellationModified))
    assert (told.origin, told.reason) == ("operator", "Revert revision 1 by agent")
    bench.undo()
    assert bench.graph() == after
    bench.redo()
    assert bench.graph() == before


def test_what_was_taken_back_already_is_not_reverted_twice():
    bench = RunEditorBench()
    event = agents_edit(bench, X)
    bench.editor.reverting.revert(event)
    bench.settle()
    verdict = bench.editor.reverting.verdict(event)
    assert (verdict.ok, verdict.reason) == (False, "x is no longer there.")


def test_what_somebody_has_changed_since_is_not_overwritten_not_even_by_oneself():
    bench = RunEditorBench()
    event = agents_edit(bench, UpdateTask("b", timeout=60.0))
    bench.do(UpdateTask("b", timeout=90.0))
    verdict = bench.editor.reverting.verdict(event)
    assert not verdict.ok
    assert "revision 2 by operator" in verdict.reason


def test_what_the_run_has_overtaken_is_refused_with_its_reason():
    bench = RunEditorBench()
    event = agents_edit(bench, UpdateTask("b", timeout=60.0))
    bench.driver.end("a")
    bench.tell()
    verdict = bench.editor.reverting.verdict(event)
    assert not verdict.ok
    assert "is running" in verdict.reason
    bench.editor.reverting.revert(event)
    bench.settle()
    assert bench.said
    assert not bench.editor.history.entries


def test_an_edit_of_another_run_is_none_of_this_editors():
    bench = RunEditorBench()
    event = ev.ConstellationModified(1, 0.0, "other", revision=1, inverse=(RemoveTask("b"),))
    assert not bench.editor.reverting.verdict(event).ok
