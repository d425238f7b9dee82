"""What an edit that undoes another one gives back stands in its form, and only what may be given back."""

from __future__ import annotations

from typing import Any

import pytest

from starloom.constellation.edits import AddTask, UpdateTask
from starloom.formats.edit_forms import read_edits
from starloom.formats.edit_writer import edit_forms
from starloom.model.task import Task


def test_it_comes_back_as_it_was() -> None:
    edit = UpdateTask("a", priority=50, device=None).with_steering({"priority": 90, "device": "two"})
    forms = edit_forms([edit])
    (read,), problems = read_edits(forms)
    assert problems == []
    assert isinstance(read, UpdateTask)
    assert (read.fields.keys(), read.steering) == (edit.fields.keys(), edit.steering)


@pytest.mark.parametrize(
    ("steering", "where"),
    [
        ("high", "edits[0].update_task.steering"),
        ({"priority": 101}, "edits[0].update_task.steering.priority"),
        ({"priority": True}, "edits[0].update_task.steering.priority"),
        ({"device": ""}, "edits[0].update_task.steering.device"),
        ({"held": True}, "edits[0].update_task.steering.held"),
    ],
)
def test_anything_else_is_refused_in_a_sentence(steering: Any, where: str) -> None:
    form = {"update_task": {"task": "a", "priority": 50, "device": None, "steering": steering}}
    _, problems = read_edits([form])
    assert where in [problem.where for problem in problems]


def test_a_field_that_the_edit_does_not_change_is_not_steered() -> None:
    _, problems = read_edits([{"update_task": {"task": "a", "timeout": 5, "steering": {"priority": 90}}}])
    assert [problem.where for problem in problems] == ["edits[0].update_task.steering.priority"]


def test_a_task_that_comes_back_keeps_its_place_in_line() -> None:
    edits = (AddTask(Task(id="a", command=("true",)), 3), AddTask(Task(id="new", command=("true",))))
    assert read_edits(edit_forms(edits)) == (edits, [])


@pytest.mark.parametrize("place", [-1, True, "first", 1.0])
def test_a_place_that_is_none_is_refused_in_a_sentence(place: Any) -> None:
    edits, problems = read_edits([{"add_task": {"id": "a", "command": ["true"], "place": place}}])
    assert (edits, [problem.where for problem in problems]) == ((), ["edits[0].add_task.place"])
