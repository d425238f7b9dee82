"""What an agent proposes in words and as ghosts, and taking back edits that the event log tells of."""

from __future__ import annotations

from tests.driver import RUN, edge, task
from tests.gui.editing.engines import Desk

from starloom import events as ev
from starloom.constellation.edits import AddDependency, AddTask, EditBatch, RemoveTask, UpdateTask
from starloom.errors import Problem
from starloom.scheduling import commands as c
from starloom_gui.editing.base import Mode
from starloom_gui.editing.proposals import changes_of, runs_of, steps_of
from starloom_gui.viewmodel.stage import Stage

X = AddTask(task("x", command=("run", "it now"), env={"DEBUG": "1"}))
BEFORE_C = AddDependency(edge("x", "c"))


def agents_edit(desk: Desk, *edits, origin: str = "agent", reason: str = "because") -> ev.ConstellationModified:
    """An edit that somebody else makes; the event that tells of it."""
    batch = EditBatch(edits=edits, origin=origin, reason=reason)
    desk.driver.do(c.EditConstellation(run_id=RUN, batch=batch))
    desk.tell()
    return next(event for event in reversed(desk.driver.events) if isinstance(event, ev.ConstellationModified))


# ---- in words


def test_a_new_task_is_one_row_with_its_dependencies_and_all_else_stands_alone():
    edits = (UpdateTask("b", timeout=60.0), X, BEFORE_C, AddDependency(edge("a", "x")), RemoveTask("e"))
    assert [len(step.edits) for step in steps_of(edits)] == [1, 3, 1]
    rows = changes_of(Desk().run(), edits)
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
    rows = changes_of(Desk().run(), (X, UpdateTask("a", timeout=1.0)), (wrong,))
    assert [bool(row.problem) for row in rows] == [False, True]


# ---- as ghosts


def test_a_proposal_is_a_ghost_that_changes_nothing_and_follows_the_run():
    desk = Desk()
    before = desk.graph()
    desk.editor.show_proposal((X, BEFORE_C))
    ghosts = desk.editor.ghosts
    assert ghosts is not None
    assert Stage.ADDED in ghosts.stages.values()
    facts = desk.editor.facts()
    assert facts is not None
    assert "x" in facts.graph
    assert desk.editor.steps == ()
    assert desk.graph() == before
    desk.add("z")  # the run goes on beside it
    facts = desk.editor.facts()
    assert facts is not None
    assert {"x", "z"} <= set(facts.graph.place)
    desk.editor.show_proposal(())
    assert desk.editor.ghosts is None
    assert desk.editor.facts() is desk.run()


def test_the_ghost_goes_when_the_proposal_no_longer_fits():
    desk = Desk()
    desk.editor.show_proposal((X, BEFORE_C))
    desk.add("x")
    assert desk.editor.ghosts is None
    facts = desk.editor.facts()
    assert facts is desk.run()


def test_what_is_staged_is_shown_before_what_is_proposed():
    desk = Desk(Mode.STAGED)
    desk.editor.show_proposal((X,))
    desk.add("mine")
    ghosts = desk.editor.ghosts
    assert ghosts is not None
    assert "x" not in ghosts.facts.graph
    desk.editor.staging.discard()
    ghosts = desk.editor.ghosts
    assert ghosts is not None
    assert "x" in ghosts.facts.graph


# ---- taking back


def test_an_edit_is_reverted_as_one_step_that_can_be_undone():
    desk = Desk()
    before = desk.graph()
    event = agents_edit(desk, X, BEFORE_C)
    after = desk.graph()
    assert desk.editor.reverting.verdict(event).ok
    desk.editor.reverting.revert(event)
    desk.settle()
    assert desk.graph() == before
    assert [entry.label for entry in desk.editor.history.entries] == ["Revert revision 1 by agent"]
    told = next(one for one in reversed(desk.driver.events) if isinstance(one, ev.ConstellationModified))
    assert (told.origin, told.reason) == ("operator", "Revert revision 1 by agent")
    desk.undo()
    assert desk.graph() == after
    desk.redo()
    assert desk.graph() == before


def test_what_was_taken_back_already_is_not_reverted_twice():
    desk = Desk()
    event = agents_edit(desk, X)
    desk.editor.reverting.revert(event)
    desk.settle()
    verdict = desk.editor.reverting.verdict(event)
    assert (verdict.ok, verdict.reason) == (False, "x is no longer there.")


def test_what_somebody_has_changed_since_is_not_overwritten_not_even_by_oneself():
    desk = Desk()
    event = agents_edit(desk, UpdateTask("b", timeout=60.0))
    desk.do(UpdateTask("b", timeout=90.0))
    verdict = desk.editor.reverting.verdict(event)
    assert not verdict.ok
    assert "revision 2 by operator" in verdict.reason


def test_what_the_run_has_overtaken_is_refused_with_its_reason():
    desk = Desk()
    event = agents_edit(desk, UpdateTask("b", timeout=60.0))
    desk.driver.end("a")
    desk.tell()
    verdict = desk.editor.reverting.verdict(event)
    assert not verdict.ok
    assert "is running" in verdict.reason
    desk.editor.reverting.revert(event)
    desk.settle()
    assert desk.said
    assert not desk.editor.history.entries


def test_an_edit_of_another_run_is_none_of_this_editors():
    desk = Desk()
    event = ev.ConstellationModified(1, 0.0, "other", revision=1, inverse=(RemoveTask("b"),))
    assert not desk.editor.reverting.verdict(event).ok
