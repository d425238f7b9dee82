"""UFO constellations: read in every form in which they are found, and written back with everything they said."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from starloom.errors import PlanError
from starloom.formats import dump_plan, load_plan, parse_plan, save_plan
from starloom.formats.losses import assumptions, losses
from starloom.model.dependency import Dependency
from starloom.model.plan import Plan
from starloom.model.status import DependencyKind
from starloom.model.task import Retry, Task

SHARED = Path(os.environ.get("STARLOOM_SHARED") or Path(__file__).parents[3].parent / "shared")
FOLDER = SHARED / "data" / "ufo"
needs_samples = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"there are no samples of UFO in {FOLDER}")


def task(task_id: str, **fields: Any) -> dict[str, Any]:
    return {"task_id": task_id, "name": f"the {task_id}", "description": f"do {task_id}", **fields}


def line(parent: str, child: str, kind: str = "success_only", **fields: Any) -> dict[str, Any]:
    ends = {"from_task_id": parent, "to_task_id": child, "dependency_type": kind}
    return {"line_id": f"{parent}-{child}", **ends, "condition_description": "", "metadata": {}, **fields}


def constellation(tasks: Any, lines: Any = (), **fields: Any) -> dict[str, Any]:
    return {"constellation_id": "c", "name": "sample", "state": "created", "tasks": tasks, "dependencies": lines} | (
        fields
    )


def read(value: Any) -> Plan:
    return parse_plan(json.dumps(value, indent=1), "c.json")


def written(plan: Plan) -> Any:
    return json.loads(dump_plan(plan, "ufo"))


def keyed(items: list[dict[str, Any]], key: str) -> dict[str, Any]:
    return {item[key]: item for item in items}


def told(value: Any) -> str:
    with pytest.raises(PlanError) as caught:
        read(value)
    return str(caught.value)


FULL = task(
    "a",
    tips=["slowly", "twice"],
    target_device_id="box",
    device_type="LINUX",
    priority="HIGH",
    status="COMPLETED",
    result={"x": [1]},
    error=None,
    timeout=30,
    retry_count=2,
    current_retry=1,
    task_data={"file": "${HOME}", "also": ["${b.value}"]},
    expected_output_type="text",
    created_at="2025-01-01",
    dependencies=[],
    dependents=["b"],
    task_description="do a",
)


def test_the_fields_of_a_task_become_those_of_a_plan() -> None:
    plan = read(constellation([FULL, task("b", dependencies=["a"])], [line("a", "b")]))
    first = plan.tasks[0]
    assert (first.id, first.name, first.prompt, first.tips) == ("a", "the a", "do a", ("slowly", "twice"))
    assert (first.device, first.requires, first.priority) == ("box", frozenset({"linux"}), 80)
    assert (first.timeout, first.retry) == (30.0, Retry(attempts=3))
    assert plan.tasks[1].priority == 50
    assert plan.name == "sample"


@pytest.mark.parametrize("form", ["list", "mapping"])
@pytest.mark.parametrize("letters", [str.upper, str.lower])
def test_lists_and_mappings_in_either_case_are_read_and_written_back_as_they_stood(form: str, letters: Any) -> None:
    tasks = [FULL | {"priority": letters("high"), "status": letters("running"), "device_type": letters("web")}]
    tasks.append(task("b", priority=4, tips=None, dependencies=["a"]))
    lines = [line("a", "b", letters("conditional"), condition_description="if it went well")]
    value = constellation(tasks, lines, state=letters("executing"), enable_visualization=True)
    if form == "mapping":
        value |= {"tasks": keyed(tasks, "task_id"), "dependencies": keyed(lines, "line_id")}
    plan = read(value)
    assert [found.priority for found in plan.tasks] == [80, 100]
    assert written(plan) == value


def test_the_short_form_of_an_agent_gets_ids_and_keeps_them() -> None:
    value = {
        "tasks": [
            {"name": "one", "description": "do one", "target_device_id": "x"},
            {"task_id": "task_001", "name": "two", "description": "do two"},
        ],
        "dependencies": [{"from_task_id": "task_001", "to_task_id": "task_002"}],
    }
    plan = read(value)
    assert [found.id for found in plan.tasks] == ["task_002", "task_001"]
    assert plan.dependencies[0].kind is DependencyKind.ALWAYS
    again = written(plan)
    assert again["tasks"][0] == {**value["tasks"][0], "task_id": "task_002"}
    assert again["dependencies"][0]["line_id"] == "line_001"
    assert read(again) == plan


def test_the_key_of_a_mapping_is_the_id_where_there_is_no_other() -> None:
    plan = read({"constellation_id": "c", "tasks": {"a": {"name": "n"}, "b": {"task_id": ""}}})
    assert [found.id for found in plan.tasks] == ["a", "b"]
    assert [found.prompt for found in plan.tasks] == ["n", "b"]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("unconditional", DependencyKind.ALWAYS),
        ("COMPLETION_ONLY", DependencyKind.ALWAYS),
        ("Success_Only", DependencyKind.SUCCESS),
        ("conditional", DependencyKind.SUCCESS),
    ],
)
def test_each_type_of_dependency_has_a_kind(kind: str, expected: DependencyKind) -> None:
    plan = read(constellation([task("a"), task("b")], [line("a", "b", kind)]))
    assert plan.dependencies[0].kind is expected


def test_a_condition_in_prose_is_a_note() -> None:
    plan = read(constellation([task("a"), task("b")], [line("a", "b", "conditional", condition_description="if fine")]))
    assert plan.dependencies[0].metadata["note"] == "if fine"
    assert plan.dependencies[0].condition is None
    assert any("decide nothing" in sentence for sentence in assumptions(plan, "ufo"))


def test_what_looks_like_a_template_stays_text() -> None:
    plan = read(constellation([task("a", description="say ${b.value} and $${x}", task_data=FULL["task_data"])]))
    assert plan.tasks[0].prompt == "say $${b.value} and $$${x}"
    assert plan.tasks[0].inputs == {"file": "$${HOME}", "also": ["$${b.value}"]}
    assert parse_plan(dump_plan(plan)) == plan
    assert written(plan)["tasks"][0]["description"] == "say ${b.value} and $${x}"


def test_what_has_changed_since_is_written_and_the_rest_as_it_stood() -> None:
    plan = read(constellation([FULL, task("b", dependencies=["a"]), task("c")], [line("a", "b")]))
    first, second, third = plan.tasks
    changed = replace(
        plan,
        name="other",
        tasks=(replace(first, priority=20, prompt="do more"), second, replace(third, name="third")),
        dependencies=(
            replace(plan.dependencies[0], kind=DependencyKind.ALWAYS),
            Dependency(parent="a", child="c", kind=DependencyKind.CONDITION, condition="value > 1"),
        ),
    )
    value = written(changed)
    tasks = keyed(value["tasks"], "task_id")
    assert value["name"] == "other"
    assert tasks["a"] == FULL | {"priority": 1, "description": "do more", "dependents": ["b", "c"]}
    assert tasks["b"] == task("b", dependencies=["a"])
    assert tasks["c"] == task("c") | {"name": "third"}
    assert value["dependencies"][0]["dependency_type"] == "completion_only"
    assert value["dependencies"][1] == {
        "line_id": "line_001",
        "from_task_id": "a",
        "to_task_id": "c",
        "dependency_type": "conditional",
        "condition_description": "value > 1",
        "metadata": {},
    }


def test_a_request_made_of_a_name_stays_when_the_name_changes() -> None:
    plan = read(constellation([{"task_id": "a", "name": "old"}]))
    renamed = replace(plan, tasks=(replace(plan.tasks[0], name="new"),))
    assert read(written(renamed)).tasks[0].prompt == "old"


def test_a_plan_of_ours_becomes_requests_and_says_what_is_lost() -> None:
    tasks = (
        Task(id="a", command=("make", "all it"), description="Build.", priority=60, env={"X": "1"}),
        Task(id="b", shell="echo hi", retry=Retry(attempts=2, delay=3)),
    )
    plan = Plan(name="p", tasks=tasks, dependencies=(Dependency(parent="a", child="b"),))
    value = written(plan)
    assert value["tasks"]["a"]["description"] == "Build.\nRun this command: make 'all it'"
    assert value["tasks"]["b"]["description"] == "Run this in a shell: echo hi"
    assert (value["tasks"]["a"]["priority"], value["tasks"]["b"]["retry_count"]) == (2, 1)
    assert (value["tasks"]["b"]["dependencies"], value["tasks"]["a"]["dependents"]) == (["a"], ["b"])
    sentence = losses(plan, "ufo")[0]
    for field in ("command (1 task)", "shell (1 task)", "priority (1 task)", "retry (1 task)", "env (1 task)"):
        assert field in sentence


def test_nothing_is_lost_of_what_came_from_ufo() -> None:
    plan = read(constellation([FULL, task("b", dependencies=["a"])], [line("a", "b")]))
    assert losses(plan, "ufo") == []
    assert losses(plan, "yaml") == []


def test_devices_nobody_has_described_are_named() -> None:
    plan = read(constellation([task("a", target_device_id="box", device_type="LINUX")]))
    assert any("'box'" in sentence for sentence in assumptions(plan, "ufo"))
    assert any(sentence.endswith("has to offer: linux.") for sentence in assumptions(plan, "ufo"))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (
            constellation([task("a", priority="urgent")]),
            "priority: must be one of low, medium, high, critical, a number",
        ),
        (constellation([task("a", priority="hihg")]), "Did you mean 'high'?"),
        (constellation([task("a", priority=5)]), "not 5."),
        (constellation([task("a", priority=True)]), "not true."),
        (constellation([task("a", status="done")]), "status: must be one of pending"),
        (constellation([task("a", device_type="toaster")]), "device_type: must be one of windows"),
        (constellation([task("a", device_type=["linux"])]), "device_type: must be one of windows"),
        (constellation([], state="odd"), "state: must be one of created"),
        (constellation([task("a"), task("b")], [line("a", "b", "maybe")]), "dependency_type: must be one of"),
        (constellation([task("a"), task("b")], [line("a", "")]), "'to_task_id' is missing"),
        (constellation([task("a"), task("b")], [line("a", "x")]), "names 'x', which is not a task"),
        (constellation([task("a"), task("b")], [line("a", "b"), line("a", "b", line_id="2")]), "depends on 'a' twice"),
        (constellation([task("a"), task("b")], [line("a", "b"), line("b", "a")]), "cycle"),
        (constellation([task("a"), task("b")], [line("a", "b", condition_description=3)]), "condition_description"),
        (constellation([task("a"), task("a")]), "used by more than one task"),
        (constellation([task("a", dependencies=["z"])]), "names 'z' among its dependencies"),
        (constellation([task("a"), task("b", dependents=["a"])]), "names 'a' among its dependents"),
        (
            constellation([task(x) for x in "abc"], [line("a", "b", line_id="l"), line("b", "c", line_id="l")]),
            "line_id 'l'",
        ),
        (constellation({"a": task("b")}), "differs from the key 'a'"),
        (constellation([task("a") | {"task_id": 7}]), "tasks[0].task_id: must be text, not 7."),
        (constellation([task("a", description=7)]), "tasks[0].description: must be text, not 7."),
        (constellation([task("a", timeout="soon")]), "tasks[0].timeout: "),
        (constellation([task("a", retry_count=-1)]), "tasks[0].retry_count: "),
        (constellation([task("a", retry_count="2")]), "tasks[0].retry_count: "),
        (constellation([task("a", task_data=[1])]), "tasks[0].task_data: must be a mapping"),
        (constellation([task("a", tips={"x": 1})]), "tasks[0].tips"),
        (constellation([task("a"), 3]), "tasks[1]: must be a mapping of fields, not 3."),
        (constellation("abc"), "tasks: must be a list or a mapping"),
        (constellation([], name=["x"]), "name: must be text"),
        (constellation([task("x" * 501)]), "tasks[0].task_id: must have at most 500 characters"),
        (constellation({"a\nb": task("a\nb")}), "must not hold control characters"),
        (constellation([task("a\x07b"), task("b")], [line("a\x07b", "b")]), "must not hold control characters"),
    ],
)
def test_what_means_nothing_is_reported_not_guessed(value: Any, expected: str) -> None:
    assert expected in told(value)


def test_everything_wrong_is_told_at_once_with_its_line() -> None:
    value = constellation([task("a", priority="odd"), task("b", status="odd")], [line("a", "b", "odd")])
    with pytest.raises(PlanError) as caught:
        read(value)
    text = json.dumps(value, indent=1).split("\n")
    assert [problem.line for problem in caught.value.problems] == [
        number for number, content in enumerate(text, 1) if '"odd"' in content
    ]


def test_a_file_can_be_said_to_be_ufo() -> None:
    assert parse_plan('{"tasks": [{"name": "n"}]}', format="ufo").tasks[0].id == "task_001"
    for text in ("[]", "{}", '"x"'):
        with pytest.raises(PlanError):
            parse_plan(text, format="ufo")


def test_a_plan_of_ours_is_not_taken_for_ufo() -> None:
    assert parse_plan("starloom: 1\ntasks: {task_id: {shell: x}}").tasks[0].id == "task_id"


def test_the_ending_says_ufo(tmp_path: Path) -> None:
    plan = read(constellation([task("a")]))
    save_plan(plan, tmp_path / "x.ufo.json")
    assert load_plan(tmp_path / "x.ufo.json") == plan


@needs_samples
def test_a_sample_of_ufo_is_read_and_written_back_whole() -> None:
    path = FOLDER / "example_constellation.json"
    plan = load_plan(path)
    assert [found.id for found in plan.tasks] == ["task_001", "task_002", "task_003"]
    assert [found.priority for found in plan.tasks] == [80, 50, 20]
    assert [edge.kind for edge in plan.dependencies] == [DependencyKind.SUCCESS, DependencyKind.ALWAYS]
    assert written(plan) == json.loads(path.read_text(encoding="utf-8"))
    assert parse_plan(dump_plan(plan, "yaml")) == plan


@needs_samples
def test_a_sample_whose_dependencies_lead_nowhere_is_refused_naming_them() -> None:
    with pytest.raises(PlanError, match="'task_001', which is not a task"):
        load_plan(FOLDER / "dict_format_example.json")
