"""Editing a plan that is not run: by the engine's rules, whole or not at all, and each step can be taken back."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.driver import edge, plan, task
from tests.gui.documents.plans import commands, loaded, small

from starloom.constellation.edits import (
    AddDependency,
    AddTask,
    EditBatch,
    RemoveDependency,
    RemoveTask,
    UpdateDependency,
    UpdateTask,
)
from starloom.model.plan import Limits, Plan
from starloom.scheduling import commands as c
from starloom.scheduling.state.fleet_facts import FleetFacts
from starloom_gui.diff.plan_difference import difference
from starloom_gui.documents.facts import facts_of
from starloom_gui.documents.open_documents import OpenDocuments
from starloom_gui.editing.base import Editor, Mode, Step
from starloom_gui.editing.plan_editor import PlanEditor
from starloom_gui.editing.plan_gateway import PlanGateway
from starloom_gui.specs.action_spec import Verdict

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from starloom.constellation.edits import Edit
    from starloom.scheduling.commands import Command
    from starloom.scheduling.decide.required_statuses import AnyCommand
    from starloom_gui.gateway.changes import Changes

FILE = Path("/plans/firmware.yaml")
CHAIN = plan(["a", "b", "c"], ["a>b", "b>c"])


class Bench:
    """A document with its editor, and all it has told."""

    def __init__(self, made: Plan) -> None:
        self.documents = OpenDocuments()
        self.key = self.documents.put_loaded(loaded(made, FILE)).key
        self.editor = PlanEditor(self.documents, self.key)
        self.refusals: list[tuple[str, str]] = []
        self.applied: list[Changes] = []
        self.editor.refused.connect(lambda what, why: self.refusals.append((what, why)))
        self.editor.applied.connect(self.applied.append)

    @property
    def plan(self) -> Plan:
        plan: Plan = self.document.plan
        return plan

    @property
    def document(self) -> Any:
        return self.documents.document(self.key)

    def do(self, *edits: Edit, label: str = "Edit", merges: str = "") -> None:
        self.editor.do(Step(label=label, edits=edits, merges=merges))

    def check(self) -> None:
        """The facts say what the plan says, and hold nothing else."""
        facts = self.editor.facts()
        assert facts is not None
        anew = facts_of(self.plan, self.key)
        assert [one for _, one in facts.graph.present()] == [one for _, one in anew.graph.present()]
        assert _links(facts.graph.dependencies()) == _links(self.plan.dependencies)
        assert (facts.name, facts.limits, facts.open) == (anew.name, anew.limits, anew.open)
        numbers = facts.graph.place.values()
        assert [facts.unmet[one] for one in numbers] == [len(facts.graph.parents[one]) for one in numbers]


def _links(dependencies: Any) -> set[Any]:
    return {(one.parent, one.child, one.kind, one.condition) for one in dependencies}


@pytest.fixture
def bench(app: QApplication) -> Bench:
    return Bench(CHAIN)


def test_a_step_changes_the_plan_and_its_facts_at_once_and_makes_it_dirty(bench: Bench):
    bench.do(AddTask(task("d")), AddDependency(edge("c", "d")), UpdateTask("a", timeout="5m"))
    assert [one.id for one in bench.plan.tasks] == ["a", "b", "c", "d"]
    assert bench.plan.tasks[0].timeout == 300
    assert bench.plan.dependencies[-1] == edge("c", "d")
    assert bench.document.is_dirty
    editor: Editor = bench.editor
    assert editor.mode is Mode.LIVE
    bench.check()
    (told,) = bench.applied
    assert told.run_id == bench.key
    assert {0, 3} <= told.tasks
    assert len(told.edits) == 1


def test_a_bad_edit_refuses_the_whole_step_in_sentences_and_leaves_no_trace(bench: Bench):
    before = bench.plan
    bench.do(AddTask(task("d")), AddDependency(edge("c", "a")), label="Add dependency c → a")
    assert bench.plan is before
    assert not bench.document.is_dirty
    assert bench.editor.history.to_undo is None
    assert bench.refusals == [
        (
            "Add dependency c → a",
            "The dependency would close the cycle c → a → b → c. Remove another dependency of it first.",
        )
    ]
    assert not bench.editor.verdict([AddDependency(edge("c", "a"))]).ok
    assert bench.editor.verdict([AddDependency(edge("a", "c"))]).ok
    bench.check()


def test_undo_brings_back_the_very_plan_that_was_saved_and_redo_the_edited_one(bench: Bench):
    saved = bench.plan
    bench.do(RemoveTask("b"), label="Remove b")
    removed = bench.plan
    assert bench.editor.undo_offer().label == "Remove b"
    bench.editor.undo()
    assert bench.plan is saved
    assert not bench.document.is_dirty
    assert bench.editor.redo_offer().label == "Remove b"
    bench.editor.redo()
    assert bench.plan == removed
    assert bench.document.is_dirty
    bench.editor.undo()
    bench.check()
    bench.editor.undo()
    assert bench.plan is saved, "there is nothing more to undo"
    assert not bench.editor.undo_offer().label


def test_a_task_keeps_its_number_whatever_is_removed_before_it(bench: Bench):
    facts = bench.editor.facts()
    assert facts is not None
    bench.do(RemoveTask("a"))
    assert facts.graph.place == {"b": 1, "c": 2}
    bench.editor.undo()
    assert facts.graph.place == {"a": 0, "b": 1, "c": 2}
    assert bench.editor.facts() is facts


def test_steps_of_one_drag_are_one_step_of_undo(bench: Bench):
    for value in (60, 70, 80):
        bench.do(UpdateTask("a", priority=value), label="Priority of a", merges="priority a")
    bench.do(UpdateTask("a", priority=90), label="Priority of a")
    bench.editor.undo()
    assert bench.plan.tasks[0].priority == 80
    bench.editor.undo()
    assert bench.plan.tasks[0].priority == 50
    bench.check()
    bench.editor.redo()
    assert bench.plan.tasks[0].priority == 80


def test_what_gives_a_field_the_value_it_has_is_no_step(bench: Bench):
    bench.do(UpdateTask("a", priority=50))
    assert bench.editor.history.to_undo is None
    assert not bench.document.is_dirty
    assert not bench.refusals


def test_saving_moves_the_clean_mark(bench: Bench):
    bench.do(UpdateTask("a", priority=80))
    bench.documents.note_saved(bench.key, bench.plan, FILE, "yaml", None)
    assert bench.editor.history.is_clean
    bench.editor.undo()
    assert bench.document.is_dirty
    bench.editor.redo()
    assert not bench.document.is_dirty


def test_what_was_saved_while_it_was_edited_on_is_no_step_to_go_back_to(bench: Bench):
    bench.do(UpdateTask("a", priority=80))
    writing = bench.plan
    bench.do(UpdateTask("a", priority=90))
    bench.documents.note_saved(bench.key, writing, FILE, "yaml", None)
    assert bench.document.is_dirty
    assert not bench.editor.history.is_clean
    bench.editor.undo()
    assert not bench.document.is_dirty, "it says what the file says"
    bench.editor.undo()
    assert bench.document.is_dirty


def test_what_was_saved_in_the_middle_of_a_drag_is_never_handed_out_for_what_was_before_it(bench: Bench):
    bench.do(UpdateTask("a", priority=80), merges="priority a")
    writing = bench.plan
    bench.do(UpdateTask("a", priority=90), merges="priority a")
    bench.documents.note_saved(bench.key, writing, FILE, "yaml", None)
    bench.editor.undo()
    assert bench.plan.tasks[0].priority == 50
    assert bench.document.is_dirty
    bench.check()


def test_applying_the_edits_of_a_run_is_one_step_of_undo_with_its_name(bench: Bench):
    saved = bench.plan
    first, *others = saved.tasks
    taken = replace(
        saved,
        tasks=(replace(first, shell="make", call=None), *others[1:], task("z")),
        dependencies=(edge("a", "z"),),
        limits=Limits(max_concurrency=2),
    )
    bench.documents.change(bench.key, taken, reason="Apply the edits of “Run 1”")
    assert bench.plan is taken
    bench.check()
    assert bench.editor.undo_offer().label == "Apply the edits of “Run 1”"
    bench.editor.undo()
    assert bench.plan is saved
    bench.check()
    bench.editor.redo()
    assert not difference(bench.plan, taken)
    bench.check()


def test_a_file_that_was_read_anew_can_be_undone_and_is_clean(bench: Bench):
    bench.do(UpdateTask("a", priority=80))
    edited = bench.plan
    bench.documents.put_loaded(loaded(small("a", "x"), FILE))
    assert bench.editor.history.is_clean
    bench.check()
    bench.editor.undo()
    assert not difference(bench.plan, edited)
    assert bench.document.is_dirty
    bench.check()


def test_priority_pin_and_limit_are_fields_of_a_plan_and_other_verbs_are_for_runs(bench: Bench):
    both: dict[str, Any] = {"run_id": "", "task_ids": ("a", "b")}
    bench.editor.steer(c.SetPriority(**both, priority="high"), "Set priority")
    bench.editor.steer(c.PinTasks(**both, device_id="lab"), "Pin")
    bench.editor.steer(c.SetRunLimit(run_id="", max_concurrency=3), "Limit")
    assert [(one.priority, one.pin) for one in bench.plan.tasks] == [(80, "lab"), (80, "lab"), (50, None)]
    assert bench.plan.limits.max_concurrency == 3
    bench.check()
    assert not bench.editor.can(c.PinTasks(**both, device_id="lab")).ok, "they are pinned there"
    assert not bench.editor.can(c.PinTasks(run_id="", task_ids=("c",), device_id=None)).ok, "it is not pinned"
    assert bench.editor.can(c.PinTasks(**both, device_id=None)).ok
    bench.editor.steer(c.HoldTasks(**both), "Hold")
    assert bench.refusals == [("Hold", "This is a plan, not a run. Start it, or create a run of it.")]
    for label in ("Limit", "Pin", "Set priority"):
        assert bench.editor.undo_offer().label == label
        bench.editor.undo()
    assert bench.plan == CHAIN
    assert not bench.document.is_dirty


def test_nothing_is_cut_that_a_template_reads_so_that_the_saved_file_can_be_opened(app: QApplication):
    reader = task("b", command=("echo", "${a.value}"))
    bench = Bench(plan(["a", reader, "c"], ["a>b", "b>c"]))
    bench.do(RemoveDependency("a", "b"), label="Remove dependency a → b")
    ((what, why),) = bench.refusals
    assert what == "Remove dependency a → b"
    assert why == "'b' reads the result of 'a', but does not wait for it. Add needs: [a]."
    assert not bench.editor.verdict([RemoveTask("a")]).ok
    assert not bench.editor.verdict([UpdateTask("c", command=("echo", "${nobody.value}"))]).ok
    assert bench.editor.verdict([RemoveDependency("a", "b"), UpdateTask("b", command=("echo",))]).ok
    assert bench.editor.verdict([AddTask(task("m")), AddDependency(edge("a", "m")), AddDependency(edge("m", "b"))]).ok
    assert not bench.document.is_dirty
    bench.check()


def test_a_template_that_is_wrong_already_stands_in_nobodys_way(app: QApplication):
    bench = Bench(plan(["a", task("b", command=("echo", "${a.value}"))]))
    bench.do(UpdateTask("b", priority=80))
    assert bench.plan.tasks[1].priority == 80
    assert not bench.editor.verdict([UpdateTask("b", command=("echo", "${c.value}"))]).ok, "it would be another fault"


def test_a_closed_document_has_no_facts_and_its_editor_does_nothing_more(bench: Bench):
    bench.documents.close(bench.key)
    assert bench.editor.facts() is None
    bench.editor.close()
    bench.do(AddTask(task("d")))
    assert not bench.documents.documents


class Engine:
    """Is asked about devices only."""

    def __init__(self) -> None:
        self.asked: list[Command] = []

    def can(self, command: Command) -> Verdict:
        assert isinstance(command, c.DeviceCommand), "the engine knows nothing of a plan"
        return Verdict(True)

    def possible_part(self, command: AnyCommand) -> AnyCommand:
        return command

    def do(self, command: Command) -> int:
        self.asked.append(command)
        return 7


def test_the_panes_of_a_plan_ask_its_editor_and_about_devices_the_engine(bench: Bench):
    def edit(change: UpdateTask) -> Command:
        return c.EditConstellation(run_id=bench.key, batch=EditBatch(edits=(change,)))

    engine, started = Engine(), list[str]()
    asks = PlanGateway(bench.editor, engine, started.append)
    drain = c.DrainDevice(device_id="lab")
    a: dict[str, Any] = {"run_id": bench.key, "task_ids": ("a",)}
    assert asks.do(drain) == 7
    assert asks.do(c.StartRun(run_id=bench.key)) == 0
    assert asks.do(c.SetPriority(**a, priority="low")) == 0
    assert asks.do(edit(UpdateTask("a", timeout=9))) == 0
    assert (engine.asked, started) == ([drain], [bench.key])
    assert (bench.plan.tasks[0].priority, bench.plan.tasks[0].timeout) == (20, 9)
    assert bench.editor.undo_offer().label == "Edit a"
    assert asks.can(c.StartRun(run_id=bench.key)).ok
    assert asks.can(drain).ok
    assert not asks.can(c.HoldTasks(**a)).ok
    assert not asks.can(edit(UpdateTask("nobody", timeout=9))).ok


def test_a_new_plan_is_empty_clean_and_can_be_filled(app: QApplication):
    documents = OpenDocuments()
    first, second = documents.put_new(), documents.put_new()
    assert [first.title, second.title] == ["New plan", "New plan 2"]
    assert not second.is_dirty
    assert documents.front == second
    editor = PlanEditor(documents, second.key)
    editor.do(Step(label="Add a", edits=(AddTask(task("a")),)))
    (_, filled) = documents.documents
    assert [one.id for one in filled.plan.tasks] == ["a"]
    assert filled.is_dirty
    editor.undo()
    assert not documents.documents[1].is_dirty


def test_it_is_judged_by_the_devices_there_are_now(app: QApplication):
    documents, fleets = OpenDocuments(), [FleetFacts(), FleetFacts()]
    editor = PlanEditor(documents, documents.put_loaded(loaded(CHAIN, FILE)).key, lambda: fleets[0])
    facts = editor.facts()
    assert facts is not None
    assert facts.fleet is fleets[0]
    del fleets[0]  # the engine has made its facts anew, as after a commit that failed
    assert editor.facts() is facts
    assert facts.fleet is fleets[0]


def test_what_a_plan_would_run_is_worked_out_anew_after_an_edit(app: QApplication):
    bench = Bench(commands())
    bench.do(UpdateTask("a", command=("rm", "-r", "x")))
    assert bench.document.digest is None, "else it would start as if it had been looked at"


@pytest.mark.parametrize("seed", range(20))
def test_any_edits_and_all_of_them_undone_leave_the_plan_as_it_was(app: QApplication, seed: int):
    chance = random.Random(seed)
    bench = Bench(plan([f"t{n}" for n in range(6)], ["t0>t1", "t1>t2", "t0>t3>always", "t3>t4"]))
    saved = bench.plan
    for _ in range(60):
        bench.do(*(_any_edit(chance) for _ in range(chance.randint(1, 2))))
        if chance.random() < 0.1:
            bench.editor.undo()
        if chance.random() < 0.2:
            bench.editor.redo()
        bench.check()
    assert bench.refusals, "some of them were refused"
    bench.do(AddTask(task("last")))
    done = bench.plan
    steps = 0
    while bench.editor.undo_offer().label:
        bench.editor.undo()
        bench.check()
        steps += 1
    assert steps > 3
    assert bench.plan is saved
    while bench.editor.redo_offer().label:
        bench.editor.redo()
    assert not difference(bench.plan, done)


def _any_edit(chance: random.Random) -> Edit:
    one, other = f"t{chance.randrange(8)}", f"t{chance.randrange(8)}"
    edits: list[Edit] = [
        AddTask(task(one)),
        RemoveTask(one),
        UpdateTask(one, priority=chance.randrange(100)),
        UpdateTask(one, shell="true"),
        AddDependency(edge(one, other)),
        UpdateDependency(edge(one, other, "always")),
        RemoveDependency(one, other),
    ]
    return chance.choice(edits)
