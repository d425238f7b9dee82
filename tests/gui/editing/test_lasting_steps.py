"""The history of a run: what nothing takes back stands in it and says why, and every step in the order it was done."""

from __future__ import annotations

from typing import Any

import pytest
from tests.driver import RUN, edge, task
from tests.gui.editing.run_editor_bench import RunEditorBench
from tests.gui.editing.test_rearranged import Shelf, ids

from starloom.constellation.edits import AddDependency, AddTask, RemoveDependency, UpdateTask
from starloom.scheduling import commands as c
from starloom.scheduling.reservation_commands import BreakReservation, Reserve
from starloom_gui.editing.base import Lasting, Mode, Step
from starloom_gui.editing.steering import lasting
from starloom_gui.specs.action_spec import Verb


def labels(bench: RunEditorBench) -> list[str]:
    return [entry.label for entry in bench.editor.history.entries]


def fail_a(bench: RunEditorBench) -> None:
    bench.driver.fail("a")
    bench.tell()


def send_new_task(bench: RunEditorBench, id: str) -> None:
    """Have a task added that the engine has not answered for."""
    bench.editor.do(Step(label=f"Add {id}", edits=(AddTask(task(id)),)))


# ---- what nothing takes back


def test_what_nothing_takes_back_is_in_the_history_and_undo_says_why() -> None:
    bench = RunEditorBench()
    fail_a(bench)
    bench.steer(Verb.RETRY, "a", label="Change and retry a", fields={"priority": 80})
    assert labels(bench) == ["Change and retry a"]
    offer = bench.editor.undo_offer()
    assert (offer.label, offer.verdict.ok) == ("Change and retry a", False)
    assert offer.verdict.reason == "“Change and retry a” cannot be taken back: a new attempt has been asked for."
    bench.editor.undo()
    assert (bench.editor.history.index, bench.said) == (1, [])


def test_undo_says_what_nothing_takes_back_before_it_takes_back_the_step_before_that() -> None:
    bench = RunEditorBench()
    bench.add("x")
    fail_a(bench)
    bench.steer(Verb.RETRY, "a", label="Retry a")
    bench.steer(Verb.CANCEL, "e", label="Cancel e")
    offer = bench.editor.undo_offer()
    assert (offer.label, offer.verdict.ok, offer.passes) == ("Cancel e", False, True)
    bench.undo()
    assert "x" in ids(bench.editor), "he may have thought of the last one"
    [(what, why)] = bench.said
    assert what == "Undo “Cancel e”"
    assert why.endswith("Undo again to take back “Add x”, done before it.")
    offer = bench.editor.undo_offer()
    assert (offer.label, offer.verdict.ok) == ("Add x", True)
    bench.undo()
    assert "x" not in ids(bench.editor)
    assert bench.editor.redo_offer().label == "Add x"
    assert not bench.editor.undo_offer().label
    bench.redo()
    assert "x" in ids(bench.editor)
    assert labels(bench) == ["Add x", "Retry a", "Cancel e"]


def test_what_cannot_be_undone_any_more_stays_in_the_history_and_says_why() -> None:
    bench = RunEditorBench()
    bench.add("x")
    bench.add("y")
    bench.driver.do(c.MarkTasks(run_id=RUN, task_ids=("y",)))
    bench.tell()
    bench.undo()
    [(what, why)] = bench.said
    assert what == "Undo “Add y”"
    assert "has ended" in why
    first, second = bench.editor.history.entries
    assert (first.label, second.label, second.is_lasting) == ("Add x", "Add y", True)
    assert isinstance(second.back, Lasting)
    assert "has ended" in second.back.reason
    assert bench.editor.undo_offer().label == "Add x"
    bench.undo()
    assert "x" not in ids(bench.editor)
    bench.redo()
    assert "x" in ids(bench.editor)
    assert labels(bench) == ["Add x", "Add y"]


@pytest.mark.parametrize("verb", [Verb.CANCEL, Verb.MARK, Verb.RERUN, Verb.RUN_UNTIL])
def test_each_verb_that_nothing_takes_back_says_why(verb: Verb) -> None:
    bench = RunEditorBench()
    if verb is Verb.RERUN:
        fail_a(bench)
    bench.steer(verb, "b" if verb is Verb.MARK else "a", label="It")
    assert not bench.said
    assert labels(bench) == ["It"]
    assert not bench.editor.undo_offer().verdict.ok
    assert bench.editor.undo_offer().verdict.reason.startswith("“It” cannot be taken back: ")


def test_a_device_that_was_removed_lasts() -> None:
    bench = RunEditorBench()
    bench.driver.add_device("spare", slots=0)
    bench.editor.steer(c.DrainDevice(device_id="lab-a"), "Drain lab-a")
    bench.settle()
    bench.editor.steer(c.RemoveDevice(device_id="spare"), "Remove spare")
    bench.settle()
    assert not bench.said
    assert labels(bench) == ["Drain lab-a", "Remove spare"]
    bench.undo()
    assert bench.driver.scheduler.fleet.devices["lab-a"].draining, "nobody has thought of that"
    assert "added again" in bench.said[0][1]


def test_only_the_skip_of_a_task_that_has_started_lasts() -> None:
    bench = RunEditorBench()
    assert not lasting(bench.run(), None, c.SkipTasks(run_id=RUN, task_ids=("b",)))
    assert "had started" in lasting(bench.run(), None, c.SkipTasks(run_id=RUN, task_ids=("a",)))


def test_what_is_refused_is_not_in_the_history() -> None:
    bench = RunEditorBench()
    bench.steer(Verb.RETRY, "b")
    assert bench.said
    assert not bench.editor.history.entries


def test_going_back_past_it_says_so_and_takes_back_the_rest() -> None:
    bench = RunEditorBench()
    bench.add("x")
    bench.steer(Verb.CANCEL, "e", label="Cancel e")
    bench.add("y")
    bench.editor.go_to(0)
    bench.settle()
    assert {"x", "y"}.isdisjoint(ids(bench.editor))
    [(what, why)] = bench.said
    assert what == "Undo “Cancel e”"
    assert "cannot be taken back" in why
    assert bench.editor.redo_offer().label == "Add x"
    for _ in range(2):
        bench.redo()
    assert {"x", "y"} <= set(ids(bench.editor))
    assert (labels(bench), bench.editor.history.index) == (["Add x", "Cancel e", "Add y"], 3)


def test_going_forth_passes_it_and_stops_where_it_was_asked_to() -> None:
    bench = RunEditorBench()
    bench.add("x")
    for id in ("d", "e"):
        bench.steer(Verb.CANCEL, id, label=f"Cancel {id}")
    bench.editor.go_to(0)
    bench.settle()
    bench.editor.go_to(2)
    bench.settle()
    assert bench.editor.history.index == 2
    bench.editor.go_to(3)
    assert bench.editor.history.index == 3
    assert not bench.editor.redo_offer().label
    bench.editor.redo()
    assert bench.editor.history.index == 3


def test_it_stays_when_what_was_taken_back_is_forgotten() -> None:
    bench = RunEditorBench()
    bench.add("x")
    bench.steer(Verb.CANCEL, "e", label="Cancel e")
    bench.editor.go_to(0)
    bench.settle()
    bench.add("y")
    assert labels(bench) == ["Cancel e", "Add y"]
    bench.undo()
    assert "y" not in ids(bench.editor)


# ---- devices and limits


def slots(bench: RunEditorBench, count: int) -> None:
    bench.editor.steer(c.SetSlots(device_id="lab-a", slots=count), f"Slots {count}")
    bench.settle()


def test_slots_of_a_device_are_taken_back_and_set_again() -> None:
    bench = RunEditorBench()
    device = bench.driver.scheduler.fleet.devices["lab-a"]
    before = device.offered
    slots(bench, 4)
    slots(bench, 6)
    for count in (4, before):
        bench.undo()
        assert device.offered == count
    for count in (4, 6):
        bench.redo()
        assert device.offered == count
    assert not bench.said


def test_slots_that_somebody_else_has_changed_are_not_taken_back() -> None:
    bench = RunEditorBench()
    slots(bench, 4)
    bench.engine.do(c.SetSlots(device_id="lab-a", slots=5))
    bench.settle()
    assert not bench.editor.undo_offer().verdict.ok
    bench.undo()
    assert bench.driver.scheduler.fleet.devices["lab-a"].offered == 5
    assert "“lab-a” has been steered otherwise" in bench.said[0][1]


def test_slots_of_a_device_without_a_limit_say_that_they_last() -> None:
    bench = RunEditorBench()
    bench.driver.add_device("wide", slots=None)
    bench.editor.steer(c.SetSlots(device_id="wide", slots=2), "Slots 2")
    bench.settle()
    assert "the device had no limit of slots" in bench.editor.undo_offer().verdict.reason


@pytest.mark.parametrize(("kind", "field"), [(c.DrainDevice, "draining"), (c.DisableDevice, "enabled")])
def test_what_is_said_of_a_device_is_taken_back(kind: type[c.DeviceCommand], field: str) -> None:
    bench = RunEditorBench()
    device = bench.driver.scheduler.fleet.devices["lab-a"]
    before = getattr(device, field)
    bench.editor.steer(kind(device_id="lab-a"), "It")
    bench.settle()
    assert getattr(device, field) is not before
    bench.undo()
    assert getattr(device, field) is before
    bench.redo()
    assert getattr(device, field) is not before
    assert not bench.said


@pytest.mark.parametrize(
    "limits",
    [{"max_concurrency": 7}, {"groups": {"db": 2}}, {"placement": "round_robin"}, {"starvation_timeout": 5.0}],
    ids=lambda limits: next(iter(limits)),
)
def test_limits_of_all_runs_are_taken_back(limits: dict[str, Any]) -> None:
    bench = RunEditorBench()
    fleet = bench.driver.scheduler.fleet
    name, value = next(iter(limits.items()))
    before = getattr(fleet, name)
    bench.editor.steer(c.SetLimits(**limits), "It")
    bench.settle()
    assert getattr(fleet, name) == value
    bench.undo()
    assert getattr(fleet, name) == before
    bench.redo()
    assert getattr(fleet, name) == value
    assert not bench.said


# ---- in order


def test_each_step_has_its_place_by_when_it_was_done_and_not_by_when_it_was_answered() -> None:
    bench, shelf = RunEditorBench(), Shelf()
    send_new_task(bench, "x")
    shelf.move(bench.editor, 1)
    send_new_task(bench, "y")
    shelf.move(bench.editor, 2)
    bench.settle()
    assert labels(bench) == ["Add x", "Move to 1", "Add y", "Move to 2"]


def test_answers_in_another_order_change_none_in_the_history() -> None:
    bench, shelf = RunEditorBench(), Shelf()
    send_new_task(bench, "x")
    shelf.move(bench.editor, 1)
    send_new_task(bench, "y")
    bench.engine.sent.reverse()
    bench.settle()
    assert labels(bench) == ["Add x", "Move to 1", "Add y"]


def test_what_is_refused_leaves_the_others_in_order() -> None:
    bench, shelf = RunEditorBench(), Shelf()
    send_new_task(bench, "x")
    send_new_task(bench, "a")
    shelf.move(bench.editor, 1)
    send_new_task(bench, "y")
    bench.settle()
    assert len(bench.said) == 1
    assert labels(bench) == ["Add x", "Move to 1", "Add y"]


def test_what_is_staged_after_a_move_that_waits_is_taken_back_before_it() -> None:
    bench, shelf = RunEditorBench(Mode.STAGED), Shelf()
    bench.editor.steer(c.HoldTasks(run_id=RUN, task_ids=("c",)), "Hold c")
    shelf.move(bench.editor, 1)
    bench.editor.do(Step(label="Add x", edits=(AddTask(task("x")),)))
    bench.settle()
    undone = []
    for _ in range(2):
        undone.append(bench.editor.undo_offer().label)
        bench.editor.undo()
    assert undone == ["Add x", "Move to 1"]


def test_a_command_that_acts_at_once_is_taken_back_before_what_was_staged_earlier() -> None:
    bench = RunEditorBench(Mode.STAGED)
    bench.editor.do(Step(label="Add x", edits=(AddTask(task("x")),)))
    bench.editor.steer(c.HoldTasks(run_id=RUN, task_ids=("c",)), "Hold c")
    bench.settle()
    for label in ("Hold c", "Add x"):
        assert bench.editor.undo_offer().label == label
        bench.undo()
    assert not bench.run().held
    assert not bench.editor.steps
    for label in ("Add x", "Hold c"):
        assert bench.editor.redo_offer().label == label
        bench.redo()
    assert bench.run().held
    assert len(bench.editor.steps) == 1


def test_a_breakpoint_that_is_taken_back_lets_a_task_go_that_has_stopped_there() -> None:
    bench = RunEditorBench()
    bench.steer(Verb.SET_BREAKPOINT, "b", label="Set breakpoint")
    bench.driver.end("a")
    run = bench.run()
    b = run.graph.place["b"]
    assert run.is_stopped(b)
    bench.undo()
    assert b not in run.breakpoints
    assert b not in run.held, "nobody has held it"
    bench.redo()
    bench.undo()
    assert bench.said == []


@pytest.mark.parametrize("back", [True, False])
def test_what_is_refused_only_while_somebody_has_reserved_the_run_can_be_taken_back_later(back: bool) -> None:
    bench = RunEditorBench()
    bench.do(UpdateTask("b", timeout=5), label="First")
    bench.do(UpdateTask("e", timeout=5), label="Second")
    if not back:
        bench.undo()
    go = bench.undo if back else bench.redo
    bench.driver.do(Reserve(run_id=RUN, reason="maintenance", seconds=60.0, origin="ada"))
    offer = bench.editor.undo_offer() if back else bench.editor.redo_offer()
    assert (offer.label, offer.verdict.ok, offer.passes) == ("Second", False, False)
    go()
    assert "ada" in bench.said[0][1]
    assert bench.run().graph.task("e").timeout == (5 if back else None)
    bench.driver.do(BreakReservation(run_id=RUN, reason="now", origin="ben"))
    go()
    assert bench.run().graph.task("e").timeout == (None if back else 5)


def test_why_a_step_stays_is_told_as_things_are_now_not_as_they_were_when_it_was_refused() -> None:
    bench = RunEditorBench()
    bench.add("w")
    bench.add("x", priority=100)
    bench.driver.end("a")
    bench.tell()
    assert bench.driver.status("x") == "running"
    bench.undo()
    assert "running" in bench.said.pop()[1]
    bench.driver.end("x")
    bench.tell()
    bench.add("y")
    bench.undo()
    bench.undo()
    [(what, why)] = bench.said
    assert what == "Undo “Add x”"
    assert "has ended" in why
    assert "running" not in why


def test_a_step_that_was_refused_is_undone_once_it_can_be() -> None:
    bench = RunEditorBench()
    others = bench.driver.edit
    others(AddTask(task("x")), AddTask(task("y")), AddDependency(edge("b", "x")), AddDependency(edge("x", "y")))
    bench.tell()
    bench.do(RemoveDependency("x", "y"), label="Let go")
    others(AddDependency(edge("y", "x")))
    bench.tell()
    bench.undo()
    [(what, _)] = bench.said
    assert what == "Undo “Let go”"
    assert not bench.editor.undo_offer().label, "nothing before it, and it is still in the way"
    others(RemoveDependency("y", "x"))
    bench.tell()
    offer = bench.editor.undo_offer()
    assert (offer.label, offer.verdict.ok) == ("Let go", True)
    bench.undo()
    graph = bench.run().graph
    assert graph.place["y"] in graph.children[graph.place["x"]]
    assert bench.editor.redo_offer().label == "Let go"
    bench.redo()
    assert graph.place["y"] not in bench.run().graph.children[graph.place["x"]]
    assert len(bench.said) == 1
