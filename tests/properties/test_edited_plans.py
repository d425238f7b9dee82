"""A plan that edits have made, without being checked again, is the very plan that checks itself."""

from __future__ import annotations

import random
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import edge, plan, task
from tests.gui.documents.plans import loaded

from starloom.constellation.edits import (
    AddDependency,
    AddTask,
    RemoveDependency,
    RemoveTask,
    UpdateDependency,
    UpdateTask,
)
from starloom.model.plan import Limits, Plan, PlanIndex
from starloom.scheduling import commands as c
from starloom_gui.documents.facts import facts_of
from starloom_gui.documents.open_documents import OpenDocuments
from starloom_gui.editing.base import Step
from starloom_gui.editing.plan_editor import PlanEditor

if TYPE_CHECKING:
    from starloom.constellation.edits import Edit

STORIES = 60
STEPS = 40
KINDS = ("success", "always", "failure")


class Story:
    """Random edits, undone and done again, of a random plan."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        ids = [f"t{at}" for at in range(self.draw.randint(2, 8))]
        pairs = [f"{a}>{b}" for at, a in enumerate(ids) for b in ids[at + 1 :] if self.draw.random() < 0.4]
        self.documents = OpenDocuments()
        self.key = self.documents.put_loaded(loaded(plan(ids, pairs), Path("/plans/one.yaml"))).key
        self.editor = PlanEditor(self.documents, self.key)
        self.names = iter(f"n{at}" for at in range(1000))
        self.gone: list[str] = []

    @property
    def plan(self) -> Plan:
        document = self.documents.document(self.key)
        assert document is not None
        return document.plan

    def go_on(self) -> None:
        moves = [self.edit] * 6 + [self.editor.undo, self.editor.redo, self.limit]
        self.draw.choice(moves)()

    def edit(self) -> None:
        """One step of a few edits; many are refused, whole."""
        some = tuple(self.one() for _ in range(self.draw.choice((1, 1, 2, 4))))
        self.editor.do(Step(label="edit", edits=some))

    def one(self) -> Edit:
        draw, ids = self.draw, [*(each.id for each in self.plan.tasks), "missing"]
        first, other = draw.choice(ids), draw.choice(ids)
        links = [(one.parent, one.child) for one in self.plan.dependencies] or [(first, other)]
        parent, child = draw.choice(links)
        if draw.random() < 0.2:
            self.gone.append(first)
            return RemoveTask(first)
        made: list[Edit] = [
            AddTask(task(draw.choice(self.gone) if self.gone and draw.random() < 0.5 else next(self.names))),
            UpdateTask(first, **draw.choice(({"priority": "high"}, {"timeout": 5}, {"join": "any"}, {"group": "g"}))),
            AddDependency(edge(first, other, draw.choice(KINDS))),
            AddDependency(edge(first, other)),
            UpdateDependency(edge(parent, child, draw.choice(KINDS))),
            RemoveDependency(parent, child),
        ]
        return draw.choice(made)

    def limit(self) -> None:
        self.editor.steer(c.SetRunLimit(run_id=self.key, max_concurrency=self.draw.randint(1, 9)), "Limit")


def checked(made: Plan) -> Plan:
    """The plan of the same fields, checked from the ground up."""
    given = {each.name: getattr(made, each.name) for each in fields(made) if each.init}
    return Plan(**given)


def parts(index: PlanIndex) -> dict[str, Any]:
    return {name: getattr(index, name) for name in PlanIndex.__slots__}


@pytest.mark.parametrize("seed", range(STORIES))
def test_it_equals_the_plan_that_checks_itself(seed: int) -> None:
    story = Story(seed)
    for _ in range(STEPS):
        story.go_on()
        made, other = story.plan, checked(story.plan)
        assert made == other
        assert (type(made.tasks), type(made.dependencies)) == (type(other.tasks), type(other.dependencies))
        assert parts(made.index) == parts(other.index)
        shown = story.editor.facts()
        assert shown is not None
        again = facts_of(other).graph
        assert sorted(map(repr, shown.graph.dependencies())) == sorted(map(repr, again.dependencies()))


def test_a_field_of_the_plan_itself_is_still_checked() -> None:
    story = Story(0)
    story.editor.steer(c.SetRunLimit(run_id=story.key, max_concurrency=3), "Limit")
    assert story.plan.limits == Limits(max_concurrency=3)
    with pytest.raises(ValueError, match="max_concurrency"):
        story.editor.steer(c.SetRunLimit(run_id=story.key, max_concurrency=-1), "Limit")
