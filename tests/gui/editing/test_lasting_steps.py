"""The history of a run: what nothing takes back stands in it and says why, and every step in the order it was done."""

from __future__ import annotations

from typing import Any

import pytest
from tests.driver import RUN, task
from tests.gui.editing.engines import Desk
from tests.gui.editing.test_rearranged import Shelf, ids

from starloom.constellation.edits import AddTask
from starloom.scheduling import commands as c
from starloom_gui.editing.base import Mode, Step
from starloom_gui.editing.steering import lasting
from starloom_gui.specs.action_spec import Verb


def labels(desk: Desk) -> list[str]:
    return [entry.label for entry in desk.editor.history.entries]


def fail_a(desk: Desk) -> None:
    desk.driver.fail("a")
    desk.tell()


def send_new_task(desk: Desk, id: str) -> None:
    """Have a task added that the engine has not answered for."""
    desk.editor.do(Step(label=f"Add {id}", edits=(AddTask(task(id)),)))


# ---- what nothing takes back


def test_what_nothing_takes_back_is_in_the_history_and_undo_says_why() -> None:
    desk = Desk()
    desk.add("x")
    fail_a(desk)
    desk.steer(Verb.RETRY, "a", label="Change and retry a", fields={"priority": 80})
    assert labels(desk) == ["Add x", "Change and retry a"]
    offer = desk.editor.undo_offer()
    assert (offer.label, offer.verdict.ok) == ("Change and retry a", False)
    assert "cannot be taken back: a new attempt has been asked for" in offer.verdict.reason
    assert "x" in ids(desk.editor)


@pytest.mark.parametrize("verb", [Verb.CANCEL, Verb.MARK, Verb.RERUN, Verb.RUN_UNTIL])
def test_each_verb_that_nothing_takes_back_says_why(verb: Verb) -> None:
    desk = Desk()
    if verb is Verb.RERUN:
        fail_a(desk)
    desk.steer(verb, "b" if verb is Verb.MARK else "a", label="It")
    assert not desk.said
    assert labels(desk) == ["It"]
    assert not desk.editor.undo_offer().verdict.ok
    assert "cannot be taken back: " in desk.editor.undo_offer().verdict.reason


def test_only_the_skip_of_a_task_that_has_started_lasts() -> None:
    desk = Desk()
    assert not lasting(desk.run(), None, c.SkipTasks(run_id=RUN, task_ids=("b",)))
    assert "had started" in lasting(desk.run(), None, c.SkipTasks(run_id=RUN, task_ids=("a",)))


def test_what_is_refused_is_not_in_the_history() -> None:
    desk = Desk()
    desk.steer(Verb.RETRY, "b")
    assert desk.said
    assert not desk.editor.history.entries


def test_going_back_past_it_says_so_and_takes_back_the_rest() -> None:
    desk = Desk()
    desk.add("x")
    desk.steer(Verb.CANCEL, "e", label="Cancel e")
    desk.add("y")
    desk.editor.go_to(0)
    desk.settle()
    assert {"x", "y"}.isdisjoint(ids(desk.editor))
    [(what, why)] = desk.said
    assert what == "Undo “Cancel e”"
    assert "cannot be taken back" in why
    assert desk.editor.redo_offer().label == "Add x"
    for _ in range(2):
        desk.redo()
    assert {"x", "y"} <= set(ids(desk.editor))
    assert (labels(desk), desk.editor.history.index) == (["Add x", "Cancel e", "Add y"], 3)


def test_going_forth_passes_it_and_stops_where_it_was_asked_to() -> None:
    desk = Desk()
    desk.add("x")
    for id in ("d", "e"):
        desk.steer(Verb.CANCEL, id, label=f"Cancel {id}")
    desk.editor.go_to(0)
    desk.settle()
    desk.editor.go_to(2)
    desk.settle()
    assert desk.editor.history.index == 2
    desk.editor.go_to(3)
    assert desk.editor.history.index == 3
    assert not desk.editor.redo_offer().label
    desk.editor.redo()
    assert desk.editor.history.index == 3


def test_it_stays_when_what_was_taken_back_is_forgotten() -> None:
    desk = Desk()
    desk.add("x")
    desk.steer(Verb.CANCEL, "e", label="Cancel e")
    desk.editor.go_to(0)
    desk.settle()
    desk.add("y")
    assert labels(desk) == ["Cancel e", "Add y"]
    desk.undo()
    assert "y" not in ids(desk.editor)


# ---- devices and limits


def slots(desk: Desk, count: int) -> None:
    desk.editor.steer(c.SetSlots(device_id="lab-a", slots=count), f"Slots {count}")
    desk.settle()


def test_slots_of_a_device_are_taken_back_and_set_again() -> None:
    desk = Desk()
    device = desk.driver.scheduler.fleet.devices["lab-a"]
    before = device.offered
    slots(desk, 4)
    slots(desk, 6)
    for count in (4, before):
        desk.undo()
        assert device.offered == count
    for count in (4, 6):
        desk.redo()
        assert device.offered == count
    assert not desk.said


def test_slots_that_somebody_else_has_changed_are_not_taken_back() -> None:
    desk = Desk()
    slots(desk, 4)
    desk.engine.do(c.SetSlots(device_id="lab-a", slots=5))
    desk.settle()
    assert not desk.editor.undo_offer().verdict.ok
    desk.undo()
    assert desk.driver.scheduler.fleet.devices["lab-a"].offered == 5
    assert "“lab-a” has been steered otherwise" in desk.said[0][1]


def test_slots_of_a_device_without_a_limit_say_that_they_last() -> None:
    desk = Desk()
    desk.driver.add_device("wide", slots=None)
    desk.editor.steer(c.SetSlots(device_id="wide", slots=2), "Slots 2")
    desk.settle()
    assert "the device had no limit of slots" in desk.editor.undo_offer().verdict.reason


@pytest.mark.parametrize(("kind", "field"), [(c.DrainDevice, "draining"), (c.DisableDevice, "enabled")])
def test_what_is_said_of_a_device_is_taken_back(kind: type[c.DeviceCommand], field: str) -> None:
    desk = Desk()
    device = desk.driver.scheduler.fleet.devices["lab-a"]
    before = getattr(device, field)
    desk.editor.steer(kind(device_id="lab-a"), "It")
    desk.settle()
    assert getattr(device, field) is not before
    desk.undo()
    assert getattr(device, field) is before
    desk.redo()
    assert getattr(device, field) is not before
    assert not desk.said


@pytest.mark.parametrize(
    "limits",
    [{"max_concurrency": 7}, {"groups": {"db": 2}}, {"placement": "round_robin"}, {"starvation_timeout": 5.0}],
    ids=lambda limits: next(iter(limits)),
)
def test_limits_of_all_runs_are_taken_back(limits: dict[str, Any]) -> None:
    desk = Desk()
    fleet = desk.driver.scheduler.fleet
    name, value = next(iter(limits.items()))
    before = getattr(fleet, name)
    desk.editor.steer(c.SetLimits(**limits), "It")
    desk.settle()
    assert getattr(fleet, name) == value
    desk.undo()
    assert getattr(fleet, name) == before
    desk.redo()
    assert getattr(fleet, name) == value
    assert not desk.said


# ---- in order


def test_each_step_has_its_place_by_when_it_was_done_and_not_by_when_it_was_answered() -> None:
    desk, shelf = Desk(), Shelf()
    send_new_task(desk, "x")
    shelf.move(desk.editor, 1)
    send_new_task(desk, "y")
    shelf.move(desk.editor, 2)
    desk.settle()
    assert labels(desk) == ["Add x", "Move to 1", "Add y", "Move to 2"]


def test_answers_in_another_order_change_none_in_the_history() -> None:
    desk, shelf = Desk(), Shelf()
    send_new_task(desk, "x")
    shelf.move(desk.editor, 1)
    send_new_task(desk, "y")
    desk.engine.sent.reverse()
    desk.settle()
    assert labels(desk) == ["Add x", "Move to 1", "Add y"]


def test_what_is_refused_leaves_the_others_in_order() -> None:
    desk, shelf = Desk(), Shelf()
    send_new_task(desk, "x")
    send_new_task(desk, "a")
    shelf.move(desk.editor, 1)
    send_new_task(desk, "y")
    desk.settle()
    assert len(desk.said) == 1
    assert labels(desk) == ["Add x", "Move to 1", "Add y"]


def test_what_is_staged_after_a_move_that_waits_is_taken_back_before_it() -> None:
    desk, shelf = Desk(Mode.STAGED), Shelf()
    desk.editor.steer(c.HoldTasks(run_id=RUN, task_ids=("c",)), "Hold c")
    shelf.move(desk.editor, 1)
    desk.editor.do(Step(label="Add x", edits=(AddTask(task("x")),)))
    desk.settle()
    undone = []
    for _ in range(2):
        undone.append(desk.editor.undo_offer().label)
        desk.editor.undo()
    assert undone == ["Add x", "Move to 1"]
