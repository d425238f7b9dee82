"""What a plan says of itself: read as its file says it, judged by the reader, and written as one step of undo."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.gui.documents.plans import loaded

from starloom.constellation.edits import AddTask
from starloom.errors import PlanError
from starloom.formats import dump_plan, parse_plan
from starloom.formats.schema import plan_schema
from starloom.model.plan import Plan
from starloom.model.task import Retry, Task
from starloom_gui.documents.change import PROPERTIES, change_of_properties
from starloom_gui.documents.open_documents import OpenDocuments
from starloom_gui.documents.properties import problems_of, properties_of, read_properties
from starloom_gui.editing.adding import GROUND, add_step
from starloom_gui.editing.base import Step
from starloom_gui.editing.plan_editor import PlanEditor

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

FILE = Path("/plans/firmware.yaml")
RULE = {"on": {"task": "list-*", "when": "exit_code == 0"}, "do": [{"remove_task": "${task.id}"}]}
SAID: dict[str, Any] = {
    "name": "firmware",
    "description": "Two boards,\none queue.",
    "devices": [{"id": "box", "slots": 4}],
    "limits": {"max_concurrency": 3, "groups": {"db": 1}},
    "metadata": {"owner": "lab", "board": {"rev": 2}},
    "rules": [RULE],
    "agents": [{"name": "rules", "on": {"task": "list-*"}, "scope": {"tasks": ["a", "b"]}}],
    "fence": "descendants",
    "placement": "critical_path",
    "modification_timeout": "10m",
    "overdue_factor": "none",
    "notes": [{"text": "Mind the gap"}],
    "defaults": {"retry": 2, "timeout": "10m"},
}
WRONG: dict[str, Any] = {
    "name": "",
    "description": ["a"],
    "devices": [{"id": "box", "slots": 0}],
    "limits": {"groups": {"db": -1}},
    "metadata": ["owner"],
    "rules": [{"on": {"when": "1 +"}, "do": [{"remove_task": "a"}]}],
    "agents": [{"name": "rules", "scope": "some"}],
    "fence": "all",
    "placement": "best",
    "modification_timeout": "soon",
    "overdue_factor": 0.5,
    "notes": [{"text": " "}],
    "defaults": {"retry": -1},
}


class Bench:
    """A document with its editor, and what it refused."""

    def __init__(self, plan: Plan) -> None:
        self.documents = OpenDocuments()
        self.key = self.documents.put_loaded(loaded(plan, FILE)).key
        self.editor = PlanEditor(self.documents, self.key)
        self.refusals: list[tuple[str, str]] = []
        self.editor.refused.connect(lambda what, why: self.refusals.append((what, why)))

    @property
    def plan(self) -> Plan:
        document = self.documents.document(self.key)
        assert document is not None
        return document.plan

    def say(self, **said: Any) -> None:
        """Have the plan say this besides what it says, or no more what is None."""
        known = {**properties_of(self.plan), **said}
        wanted = read_properties({name: value for name, value in known.items() if value is not None})
        self.editor.apply(change_of_properties(self.plan, wanted), "Plan properties")


@pytest.fixture
def bench(app: QApplication) -> Bench:
    return Bench(Plan(name="plan", tasks=(Task(id="a", shell="x"), Task(id="b", shell="y", retry=Retry(attempts=5)))))


def test_every_property_of_the_schema_is_known() -> None:
    of_the_canvas = {"starloom", "tasks", "dependencies", "layout"}
    assert set(PROPERTIES) == set(plan_schema()["properties"]) - of_the_canvas == SAID.keys() == WRONG.keys()


@pytest.mark.parametrize("name", sorted(SAID))
def test_each_is_set_cleared_and_undone_and_a_file_says_it(bench: Bench, name: str):
    before = bench.plan
    bench.say(**{name: SAID[name]})
    assert properties_of(bench.plan)[name] == SAID[name]
    assert parse_plan(dump_plan(bench.plan)) == bench.plan
    assert bench.editor.undo_offer().label == "Plan properties"
    bench.say(**{name: None})
    assert getattr(bench.plan, name) == getattr(Plan(), name)
    bench.editor.undo()
    bench.editor.undo()
    assert bench.plan == before
    assert not bench.refusals


@pytest.mark.parametrize("name", sorted(WRONG))
def test_a_wrong_value_is_told_of_where_it_stands(name: str) -> None:
    found = problems_of({**SAID, name: WRONG[name]})
    assert list(found) == [name]
    assert all(problem.message.endswith(".") for problem in found[name])
    with pytest.raises(PlanError):
        read_properties({**SAID, name: WRONG[name]})


def test_tasks_follow_a_default_unless_they_say_something_else(bench: Bench):
    bench.say(defaults={"retry": 2})
    assert [task.retry.attempts for task in bench.plan.tasks] == [3, 5]
    bench.say(defaults={"retry": 3, "timeout": "1m"})
    assert [(task.retry.attempts, task.timeout) for task in bench.plan.tasks] == [(4, 60.0), (5, 60.0)]
    bench.editor.undo()
    assert [(task.retry.attempts, task.timeout) for task in bench.plan.tasks] == [(3, None), (5, None)]
    bench.editor.redo()
    bench.say(defaults=None)
    assert [(task.retry.attempts, task.timeout) for task in bench.plan.tasks] == [(1, None), (5, None)]


def test_a_new_task_has_the_defaults_and_a_pasted_one_stays_as_it_was(bench: Bench):
    bench.say(defaults={"retry": 2, "timeout": "1m"})
    facts = bench.editor.facts()
    assert facts is not None
    bench.editor.do(add_step(Task(id="new", shell="z", timeout=5), facts, GROUND))
    bench.editor.do(Step(label="Paste", edits=(AddTask(Task(id="pasted", shell="z")),)))
    new, pasted = bench.plan.tasks[2:]
    assert (new.retry.attempts, new.timeout, pasted.retry.attempts) == (3, 5.0, 1)
    assert parse_plan(dump_plan(bench.plan)) == bench.plan


def test_what_somebody_else_changes_in_the_file_can_be_taken_back_too(bench: Bench):
    before = bench.plan
    other = read_properties(SAID)
    plan = Plan(**{name: getattr(other, name) for name in PROPERTIES}, tasks=bench.plan.tasks)
    bench.documents.put_loaded(loaded(plan, FILE))
    assert bench.plan == plan
    bench.editor.undo()
    assert bench.plan == before
