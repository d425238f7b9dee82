"""WfFormat: recorded workflows are read as simulations and written back with everything they said."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from starloom.errors import PlanError
from starloom.formats import dump_plan, load_plan, parse_plan, save_plan
from starloom.formats.losses import losses
from starloom.model.dependency import Dependency
from starloom.model.task import Simulate

SHARED = Path(os.environ.get("STARLOOM_SHARED") or Path(__file__).parents[3].parent / "shared")
INSTANCES = sorted((SHARED / "data" / "wfinstances").glob("*.json"))


def sample() -> dict[str, Any]:
    return {
        "name": "sample",
        "createdAt": "2024-01-01",
        "schemaVersion": "1.5",
        "author": {"name": "N"},
        "workflow": {
            "repo": "r",
            "specification": {
                "tasks": [
                    {"name": "same", "id": "a", "parents": [], "children": ["b"], "inputFiles": ["f"]},
                    {"name": "same", "id": "b", "parents": [], "children": []},
                    {"name": "last", "id": "c", "parents": ["b"], "odd": 1},
                ],
                "files": [{"id": "f", "sizeInBytes": 1}],
            },
            "execution": {
                "makespanInSeconds": 3,
                "tasks": [
                    {"id": "b", "runtimeInSeconds": 0, "machines": "m"},
                    {"id": "a", "runtimeInSeconds": 1.5, "command": {"program": "rm", "arguments": ["-rf", "/"]}},
                ],
                "machines": [{"nodeName": "m"}],
            },
        },
    }


def text(value: Any) -> str:
    return json.dumps(value, indent=1)


def test_tasks_are_simulated_never_run() -> None:
    plan = parse_plan(text(sample()))
    assert [task.simulate for task in plan.tasks] == [Simulate(1.5), Simulate(0.0), Simulate(0.0)]
    assert [task.estimate for task in plan.tasks] == [1.5, 0.0, None]
    assert all(task.command is None for task in plan.tasks)
    assert [task.title for task in plan.tasks] == ["same", "same", "last"]


def test_a_dependency_counts_whichever_side_names_it() -> None:
    plan = parse_plan(text(sample()))
    assert plan.dependencies == (Dependency(parent="a", child="b"), Dependency(parent="b", child="c"))


def test_what_the_plan_does_not_model_is_written_back() -> None:
    plan = parse_plan(text(sample()))
    written = json.loads(dump_plan(plan, "wfformat"))
    assert written["author"] == {"name": "N"}
    assert written["workflow"]["specification"]["files"] == [{"id": "f", "sizeInBytes": 1}]
    assert written["workflow"]["execution"]["machines"] == [{"nodeName": "m"}]
    first, _second, third = written["workflow"]["specification"]["tasks"]
    assert first["inputFiles"] == ["f"]
    assert third["odd"] == 1
    runs = {task["id"]: task for task in written["workflow"]["execution"]["tasks"]}
    assert runs["a"]["command"]["program"] == "rm"
    assert runs["b"]["machines"] == "m"
    assert "c" not in runs


def test_a_file_without_execution_stays_without() -> None:
    value = sample()
    del value["workflow"]["execution"]
    plan = parse_plan(text(value))
    assert "execution" not in json.loads(dump_plan(plan, "wfformat"))["workflow"]
    assert parse_plan(dump_plan(plan, "wfformat")) == plan


def test_the_suffix_wf_json_means_wfformat(tmp_path: Path) -> None:
    plan = parse_plan(text(sample()))
    save_plan(plan, tmp_path / "x.wf.json")
    assert "workflow" in json.loads((tmp_path / "x.wf.json").read_text())
    assert load_plan(tmp_path / "x.wf.json") == plan


def test_another_plan_keeps_structure_durations_and_commands() -> None:
    native = "starloom: 1\ntasks: {a: {command: [x, y], estimate: 2s}, b: {shell: z, needs: a}}"
    written = json.loads(dump_plan(parse_plan(native), "wfformat"))
    assert written["workflow"]["execution"]["tasks"] == [
        {"id": "a", "runtimeInSeconds": 2.0, "command": {"program": "x", "arguments": ["y"]}}
    ]
    again = parse_plan(json.dumps(written))
    assert again.dependencies == (Dependency(parent="a", child="b"),)


WORD = re.compile(r"[0-9a-zA-Z\-_.]*")


def faults(value: Any) -> list[str]:
    """What the published schema of version 1.5 would refuse of a file with structure, runtimes and commands."""
    found = [name for name in ("name", "schemaVersion") if not value.get(name)]
    found += ["description"] if value.get("description") == "" else []
    tasks = value["workflow"]["specification"]["tasks"]
    for task in tasks:
        found += [f"{task['id']}: {name}" for name in ("name", "id") if not task[name]]
        found += [one for one in (task["id"], *task["parents"], *task["children"]) if not WORD.fullmatch(one)]
    execution = value["workflow"].get("execution")
    if execution is None:
        return found
    found += [] if isinstance(execution.get("makespanInSeconds"), int | float) else ["makespanInSeconds"]
    found += [] if execution.get("executedAt") else ["executedAt"]
    found += [] if execution["tasks"] else ["no tasks"]
    for task in execution["tasks"]:
        found += [] if isinstance(task.get("runtimeInSeconds"), int | float) else [f"{task['id']}: runtimeInSeconds"]
        command = task.get("command", {"program": "x", "arguments": []})
        found += [] if command["program"] and all(command["arguments"]) else [f"{task['id']}: command"]
    return found


@pytest.mark.parametrize(
    "native",
    [
        "starloom: 1\ntasks: {a: {command: [x, y], estimate: 2s}, b: {command: [z], needs: a}}",
        "starloom: 1\ntasks: {a: {command: [x, y]}}",
        "starloom: 1\ntasks: {a: {command: [x, ''], estimate: 1s}, b: {shell: z}, c: {simulate: 3s, needs: a}}",
        "starloom: 1\ntasks: {'a b': {command: [x], estimate: 1s}, 'ä/b': {command: [y], needs: 'a b'}}",
    ],
)
def test_what_is_written_of_a_plan_with_commands_is_what_the_published_schema_wants(native: str) -> None:
    plan = parse_plan(native)
    written = json.loads(dump_plan(plan, "wfformat"))
    assert faults(written) == []
    again = parse_plan(json.dumps(written))
    assert [task.estimate for task in again.tasks] == [task.expected_duration for task in plan.tasks]
    assert faults(json.loads(dump_plan(again, "wfformat"))) == []


def test_a_command_without_a_duration_stands_where_no_runtime_has_to_be_made_up() -> None:
    native = "starloom: 1\ntasks: {a: {command: [x, y], estimate: 2s}, b: {command: [z], needs: a}}"
    workflow = json.loads(dump_plan(parse_plan(native), "wfformat"))["workflow"]
    assert [task.get("command") for task in workflow["specification"]["tasks"]] == [
        None,
        {"program": "z", "arguments": []},
    ]
    assert [task["id"] for task in workflow["execution"]["tasks"]] == ["a"]
    assert workflow["execution"]["makespanInSeconds"] == 2.0


def test_ids_with_other_letters_than_the_schemas_are_written_as_words_and_read_back_as_they_were() -> None:
    native = """
        starloom: 1
        tasks:
          - {id: a b, name: Build it, command: [x], estimate: 2s}
          - {id: a_b, command: [y], needs: [a b]}
          - {id: a/b, command: [z], needs: [a_b, a b]}
    """
    plan = parse_plan(native)
    written = json.loads(dump_plan(plan, "wfformat"))
    tasks = written["workflow"]["specification"]["tasks"]
    assert [(task["id"], task["name"], task["parents"]) for task in tasks] == [
        ("a_b-2", "Build it", []),
        ("a_b", "a_b", ["a_b-2"]),
        ("a_b-3", "a/b", ["a_b", "a_b-2"]),
    ]
    assert [task["id"] for task in written["workflow"]["execution"]["tasks"]] == ["a_b-2"]
    again = parse_plan(json.dumps(written))
    assert [(task.id, task.title, task.estimate) for task in again.tasks] == [
        (task.id, task.title, task.expected_duration) for task in plan.tasks
    ]
    assert set(again.dependencies) == set(plan.dependencies)
    assert json.loads(dump_plan(again, "wfformat"))["workflow"]["specification"]["tasks"] == tasks


@pytest.mark.parametrize(
    ("first", "second"), [(("x", "o"), ("x", "p")), (("x", "o"), ("y", "o")), (("x", "y"), ("y", None))]
)
def test_two_tasks_never_share_an_id_whichever_of_its_two_forms_says_it(
    first: tuple[str, str], second: tuple[str, str | None]
) -> None:
    value = sample()
    spec = value["workflow"]["specification"]["tasks"]
    spec[:] = [{"id": name, "starloomId": own, "parents": []} for name, own in (first, second)]
    del value["workflow"]["execution"]
    with pytest.raises(PlanError, match="more than one task"):
        parse_plan(text(value))


def test_what_the_schema_has_no_place_for_is_said() -> None:
    plan = parse_plan("starloom: 1\ntasks: {'a b': {command: [x, '']}, c: {command: [y], needs: 'a b'}}")
    told = " ".join(losses(plan, "wfformat"))
    assert "for other programs 'a b' is 'a_b'." in told
    assert "the commands of 1 task." in told


def broken(change: str, value: Any) -> dict[str, Any]:
    """The sample with the part at a path such as `workflow/specification/tasks/0/id` replaced."""
    whole = part = sample()
    *steps, last = (int(step) if step.isdigit() else step for step in change.split("/"))
    for step in steps:
        part = part[step]  # type: ignore[index]
    part[last] = value  # type: ignore[index]
    return whole


SPEC, RUN = "workflow/specification/tasks", "workflow/execution/tasks"


@pytest.mark.parametrize(
    ("path", "value", "where", "told"),
    [
        ("workflow", 3, "workflow", "must be a mapping, not 3"),
        ("workflow", {"tasks": []}, "workflow", "'specification' is missing. WfFormat is read from version 1.4"),
        (f"{SPEC}/0/id", 5, "workflow.specification.tasks[0].id", "must be text, not 5"),
        (f"{SPEC}/0/id", "", "workflow.specification.tasks[0].id", "must not be empty"),
        (f"{SPEC}/0", {}, "workflow.specification.tasks[0]", "the field 'id' is missing"),
        (f"{SPEC}/2/parents", ["zz"], "tasks.c", "names 'zz', which is not a task"),
        (f"{SPEC}/0/parents", ["c"], "dependencies", "form a cycle"),
        (f"{SPEC}/1/id", "a", "tasks.a", "more than one task"),
        (f"{RUN}/0/id", "q", "workflow.execution.tasks[0]", "not among the specified"),
        (f"{RUN}/0/id", "a", "workflow.execution.tasks[1]", "recorded twice"),
        (f"{RUN}/0/runtimeInSeconds", -1, "tasks.b.runtimeInSeconds", "a runtime cannot be -1.0"),
        (f"{RUN}/0/runtimeInSeconds", "x", "workflow.execution.tasks[0].runtimeInSeconds", "must be a number"),
        (f"{RUN}/1/command/arguments/0", {}, "workflow.execution.tasks[1].command.arguments[0]", "must be text"),
        ("name", 7, "name", "must be text or null, not 7"),
    ],
)
def test_each_fault_is_told_with_where_and_line(path: str, value: Any, where: str, told: str) -> None:
    with pytest.raises(PlanError) as caught:
        parse_plan(text(broken(path, value)))
    match = [problem for problem in caught.value.problems if told in str(problem)]
    assert match, str(caught.value)
    assert match[0].where == where
    assert match[0].line is not None


@pytest.mark.skipif(not INSTANCES, reason="the shared WfInstances are not beside the repository")
@pytest.mark.parametrize("path", INSTANCES, ids=lambda path: path.stem)
def test_a_published_instance_survives_the_round_trip(path: Path) -> None:
    plan = load_plan(path)
    written = dump_plan(plan, "wfformat")
    assert parse_plan(written) == plan
    assert parse_plan(dump_plan(plan, "yaml")) == plan
    assert in_any_order(json.loads(written)) == in_any_order(json.loads(path.read_text(encoding="utf-8")))


def in_any_order(value: dict[str, Any]) -> dict[str, Any]:
    for task in value["workflow"]["specification"]["tasks"]:
        task["parents"].sort()
        task["children"].sort()
    return value
