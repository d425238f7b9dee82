"""The edit tools of a language model: what they make of what it says, and that a refused call leaves no trace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from starloom.agents.edit_tools import EditTools, Rejected
from starloom.constellation.edits import AddDependency, AddTask, EditBatch, RemoveTask, UpdateTask
from starloom.constellation.graph import Graph
from starloom.constellation.transaction import Rules, rehearse
from starloom.model.task import Task

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.constellation.edits import Edit
    from starloom.errors import Problem


def edit_tools(*ids: str, most: int = 20) -> EditTools:
    """Tools over a graph of these tasks, all of which may change."""
    graph = Graph()
    graph.extend([Task(id=id, prompt="as before") for id in ids])
    rules = Rules(lambda _: None, lambda *_: None)

    def problems(edits: Sequence[Edit]) -> Sequence[Problem]:
        return rehearse(graph, EditBatch(edits=tuple(edits)), rules).problems

    return EditTools(problems, most, ids, ids)


def test_a_description_is_what_is_to_be_done_unless_there_is_a_command():
    made = edit_tools("a")
    made.add_task("b", description="Look at ${a.value}")
    made.add_task("c", description="List", command=["ls"])
    made.update_task("a", description="Other")
    made.update_task("c", description="List all")
    prompt, command, asked, told = made.edits
    assert isinstance(prompt, AddTask)
    assert prompt.task.prompt == "Look at $${a.value}"
    assert isinstance(command, AddTask)
    assert (command.task.command, command.task.prompt) == (("ls",), None)
    assert asked == UpdateTask("a", description="Other", prompt="Other")
    assert told == UpdateTask("c", description="List all")


def test_a_call_that_is_refused_leaves_no_trace():
    made = edit_tools("a", "b")
    made.add_dependency("a", "b", "e")
    with pytest.raises(Rejected, match="cycle"):
        made.add_dependency("b", "a", "e")
    made.update_dependency("e", "why not")
    assert [type(edit) for edit in made.edits][:1] == [AddDependency]
    assert len(made.edits) == 2


def test_clearing_removes_what_may_change_and_nothing_else():
    made = edit_tools("a", "b")
    made.build_constellation({"tasks": {"c": {"name": "C"}}}, clear_existing=True)
    assert made.edits[:2] == [RemoveTask("a"), RemoveTask("b")]
    assert len(made.edits) == 3


def test_plain_words_are_a_reason_and_no_edits():
    made = edit_tools()
    assert made.take_text(" All is well. ") == "All is well."
    assert made.take_text('{"answer": 42}') == '{"answer": 42}'
    assert made.edits == []


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"tasks": "many"}, "tasks: must be a list of mappings"),
        ({"tasks": [{"name": "x"}]}, "must be text, not nothing"),
        ({"tasks": [], "dependencies": [{"from_task_id": "a"}]}, "child"),
        ({"tasks": [{"task_id": f"t{n}"} for n in range(30)]}, "No more than 20 edits"),
        ({"dependencies": [{"from_task_id": "a", "to_task_id": "nowhere"}]}, "nowhere"),
    ],
)
def test_a_constellation_that_cannot_be_is_refused_with_its_place(config: dict[str, Any], said: str):
    made = edit_tools("a")
    with pytest.raises(Rejected, match=said):
        made.build_constellation(config)
    assert made.edits == []


def test_a_dependency_that_is_not_known_is_refused():
    with pytest.raises(Rejected, match=r"There is no dependency 'e'\. Write from_task_id->to_task_id"):
        edit_tools("a").remove_dependency("e")
