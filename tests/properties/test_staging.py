"""Edits that are staged while a run goes on: giving up leaves no trace, committing touches nothing that has started."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import Driver, assert_same, edge, plan, task
from tests.gui.editing.run_editor_bench import RunEditorBench

from starloom import events as ev
from starloom.constellation.edits import (
    AddDependency,
    AddTask,
    Edit,
    EditBatch,
    RemoveDependency,
    RemoveTask,
    UpdateDependency,
    UpdateTask,
)
from starloom.constellation.validation import must_not_have_started
from starloom.errors import CommandRefused
from starloom.scheduling.state.codes import RUNNING
from starloom_gui.editing.base import Mode, Step
from starloom_gui.editing.preview import Preview
from starloom_gui.specs.action_spec import Verb

if TYPE_CHECKING:
    from starloom.scheduling.state.run_facts import RunFacts

INTERLEAVINGS = 1000
STEPS = 14


class Interleaving:
    """One random story of editing, committing, giving up and running."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        driver = Driver(slots=2, checked=False)
        size = self.draw.randint(4, 9)
        ids = [f"t{at}" for at in range(size)]
        pairs = [f"{a}>{b}" for at, a in enumerate(ids) for b in ids[at + 1 :] if self.draw.random() < 0.3]
        driver.create(plan(ids, pairs))
        self.bench = RunEditorBench(Mode.STAGED, driver=driver)
        self.editor, self.driver = self.bench.editor, driver
        self.names = iter(f"n{at}" for at in range(1000))
        self.expected = self.plan()

    def go_on(self) -> None:
        """Let one thing happen; nothing but the engine's own events may have changed the plan."""
        moves = [self.stage] * 5 + [self.drop, self.discard, self.commit, self.commit, self.end]
        moves += [self.undo, self.redo, self.of_an_agent, self.steer]
        self.draw.choice(moves)()
        self.bench.tell()
        self.compare()

    # ---- what may happen

    def stage(self) -> None:
        drawn = (tuple(self.edit() for _ in range(self.draw.randint(1, 2))) for _ in range(5))
        edits = next((each for each in drawn if self.editor.verdict(each).ok), (self.edit(),))
        before, fits = self.editor.steps, self.editor.verdict(edits).ok
        self.editor.do(Step(label="step", edits=edits, merges=self.draw.choice(["", "", "drag"])))
        said = before[-1].step.edits if before else ()  # a drag that says it again changes nothing
        repeats = all(edit in said for edit in edits)
        assert (self.editor.steps != before) is fits or repeats

    def drop(self) -> None:
        if self.editor.steps:
            self.editor.staging.drop(self.draw.choice(self.editor.steps).key)

    def discard(self) -> None:
        before, offered = self.editor.steps, self.editor.undo_offer().label
        self.editor.staging.discard()
        self.assert_nothing_is_staged()
        if not before:
            assert self.editor.undo_offer().label == offered
            return
        self.editor.undo()
        assert self.editor.steps == before
        self.editor.redo()
        self.assert_nothing_is_staged()

    def assert_nothing_is_staged(self) -> None:
        assert not self.editor.steps
        assert not self.editor.staging.problems
        assert self.editor.ghosts is None
        assert self.editor.facts() is self.driver.run()

    def commit(self) -> None:
        staged = tuple(edit for one in self.editor.steps for edit in one.step.edits)
        foreseen = graph_of(self.editor.facts())
        heard = len(self.driver.events)
        self.editor.staging.commit()
        if self.draw.random() < 0.3:
            self.end()  # the run goes on while the commit is on its way
            self.of_an_agent()
        else:
            self.bench.engine.answer()
            if any(isinstance(event, ev.ConstellationModified) for event in self.driver.events[heard:]):
                assert graph_of(self.driver.run()) == foreseen
                assert not self.editor.steps
                self.untouched(staged)
        self.bench.engine.answer()
        self.expected = self.plan()

    def untouched(self, edits: tuple[Edit, ...]) -> None:
        """Nothing that a committed edit changes had started, but for what the commit itself has let start."""
        run = self.driver.run()
        begun = {event.task_id for event in self.driver.turns[-1].events if isinstance(event, ev.TaskStarted)}
        for edit in edits:
            for number in must_not_have_started(run.graph, edit):
                assert run.status[number] < RUNNING or run.graph.ids[number] in begun or is_over(run, number)

    def undo(self) -> None:
        self.editor.undo()
        self.bench.engine.answer()
        self.expected = self.plan()

    def redo(self) -> None:
        self.editor.redo()
        self.bench.engine.answer()
        self.expected = self.plan()

    def end(self) -> None:
        if self.driver.ordered:
            _, name = self.draw.choice(sorted(self.driver.ordered))
            self.driver.end(name, ok=self.draw.random() < 0.8)
        self.expected = self.plan()

    def of_an_agent(self) -> None:
        try:
            self.driver.apply(EditBatch(edits=(self.edit(),), origin="agent"))
        except CommandRefused:
            return
        self.expected = self.plan()

    def steer(self) -> None:
        verb = self.draw.choice([Verb.HOLD, Verb.RELEASE, Verb.PRIORITISE, Verb.SKIP])
        given: dict[str, Any] = {"priority": self.draw.choice([20, 80])} if verb is Verb.PRIORITISE else {}
        self.bench.steer(verb, self.some_id(), **given)
        self.expected = self.plan()

    # ---- what is drawn

    def some_id(self) -> str:
        facts = self.editor.facts()
        assert facts is not None
        return self.draw.choice([*facts.graph.place, "nobody"])

    def edit(self) -> Edit:
        one, other = self.some_id(), self.some_id()
        kind = self.draw.choice(["success", "always", "failure"])
        offered: list[Edit] = [
            AddTask(task(next(self.names))),
            AddTask(task(one)),
            RemoveTask(one),
            UpdateTask(one, timeout=self.draw.choice([1, 2, None])),
            AddDependency(edge(one, other, kind)),
            RemoveDependency(one, other),
            UpdateDependency(edge(one, other, kind)),
        ]
        return self.draw.choice(offered)

    # ---- what must hold

    def plan(self) -> bytes:
        return self.driver.graph_bytes()

    def compare(self) -> None:
        assert self.plan() == self.expected, "staging has changed the plan itself"
        facts, run = self.editor.facts(), self.driver.run()
        assert facts is not None
        if self.editor.ghosts is None:
            return
        fitting = tuple(
            e for one in self.editor.steps if one.key not in self.editor.staging.problems for e in one.step.edits
        )
        fresh = Preview(run, fitting)
        assert_same(facts.canonical(), fresh.after.canonical(), "what is shown")
        drawn, anew = self.editor.ghosts, fresh.ghosts
        assert_same(drawn.facts.canonical(), anew.facts.canonical(), "what is drawn")
        assert (drawn.stages, drawn.edge_stages, drawn.extra) == (anew.stages, anew.edge_stages, anew.extra)


def is_over(run: RunFacts, number: int) -> bool:
    """Whether it ended without a start: what a commit makes impossible is skipped in the same turn."""
    return not run.tries[number]


def graph_of(facts: Any) -> Any:
    """A graph without the places in line: a batch that comes and goes leaves gaps that no one sees."""
    graph = facts.graph
    return {id: graph.task(id) for id in graph.place}, {(one.parent, one.child): one for one in graph.dependencies()}


@pytest.mark.parametrize("part", range(10))
def test_a_thousand_interleavings_of_editing_and_running_leave_only_what_was_committed(
    part: int,
) -> None:
    for seed in range(part * INTERLEAVINGS // 10, (part + 1) * INTERLEAVINGS // 10):
        story = Interleaving(seed)
        for _ in range(STEPS):
            story.go_on()
        story.driver.check()


def test_the_stories_commit_refuse_and_give_up() -> None:
    committed = refused = unfit = 0
    for seed in range(60):
        story = Interleaving(seed)
        for _ in range(STEPS):
            story.go_on()
            unfit += bool(story.editor.staging.problems)
        committed += len([one for one in story.driver.of(ev.ConstellationModified) if one.origin != "agent"])
        refused += len(story.bench.said)
    assert min(committed, refused, unfit) > 10
