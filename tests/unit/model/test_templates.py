from __future__ import annotations

from typing import Any

import pytest

from starloom.model.task import Task
from starloom.model.templates import (
    MAX_DEPTH,
    TemplateError,
    has_templates,
    references,
    resolve,
    resolve_task,
    resolve_text,
)

RESULTS: dict[str, dict[str, Any]] = {
    "build": {
        "value": {"files": ["a.o", "b.o"], "n": 3, "ok": True, "none": None, "7": "seven"},
        "output": "done\n",
        "exit_code": 0,
        "status": "completed",
    },
    "stage.1/é β": {"value": [1, [2, 3]], "output": "", "exit_code": None, "status": "completed"},
    "text": {"value": "plain ${build.value}", "output": "", "exit_code": 0, "status": "completed"},
    "nul": {"value": "a\0b", "output": "", "exit_code": 0, "status": "completed"},
}


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("${build.value}", RESULTS["build"]["value"]),
        ("${build.value.n}", 3),
        ("${build.value.ok}", True),
        ("${build.value.none}", None),
        ("${build.value.files}", ["a.o", "b.o"]),
        ("${build.value.files[1]}", "b.o"),
        ("${build.value.files.0}", "a.o"),
        ("${build.value.7}", "seven"),
        ("${build.value[7]}", "seven"),
        ("${build.output}", "done\n"),
        ("${build.exit_code}", 0),
        ("${build.status}", "completed"),
        ("${stage.1/é β.value[1][0]}", 2),
    ],
)
def test_a_lone_template_in_inputs_keeps_its_type(template, expected):
    resolved = resolve({"x": [template]}, RESULTS.get)["x"][0]
    assert resolved == expected
    assert type(resolved) is type(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("n=${build.value.n}", "n=3"),
        ("${build.value.files}", '["a.o","b.o"]'),
        ("${build.value.ok}/${build.value.none}", "true/null"),
        ("${build.value.files[0]}${build.value.files[1]}", "a.ob.o"),
        ("$${build.value.n}", "${build.value.n}"),
        ("$$${build.value.n}", "$${build.value.n}"),
        ("${HOME} and ${build}", "${HOME} and ${build}"),
        ("${open ${build.value.n}", "${open 3"),
        ("${build.values} $build.value {build.value}", "${build.values} $build.value {build.value}"),
        ("nothing", "nothing"),
    ],
)
def test_inside_text_a_template_becomes_text(text, expected):
    assert resolve_text(text, RESULTS.get) == expected


def test_text_around_a_template_makes_text_of_inputs_too():
    assert resolve(["n=${build.value.n}", "$${x.value}", 5, None], RESULTS.get) == ["n=3", "${x.value}", 5, None]


def test_what_a_template_stands_for_is_not_searched_again():
    assert resolve("${text.value}", RESULTS.get) == "plain ${build.value}"
    assert resolve_text("<${text.value}>", RESULTS.get) == "<plain ${build.value}>"


def test_the_known_id_wins_when_a_template_can_be_read_in_two_ways():
    parts = {"output": "", "exit_code": 0, "status": "completed"}
    short = {"a": {"value": {"value": {"n": 1}}, **parts}}
    long = {"a.value": {"value": {"n": 2}, **parts}}
    assert resolve("${a.value.value.n}", short.get) == 1
    assert resolve("${a.value.value.n}", long.get) == 2
    assert references("${a.value.value.n}") == {"a"}
    assert references("${a.value.value.n}", {"a.value"}) == {"a.value"}
    assert references("${a.value.value.n}", {"a", "a.value"}) == {"a"}


def test_references_finds_every_task_named():
    value = {"a": ["${x.value} ${y.output[0]}", {"b": ("${z.1.status}",)}], "${key.value}": 1, "c": "$${no.value}"}
    assert references(value) == {"x", "y", "z.1"}
    assert references(["${HOME}", 1, None, b"${x.value}"]) == frozenset()


def test_has_templates_is_false_only_when_nothing_would_change():
    assert not has_templates({"a": ["x", 1, None, {"b": "$HOME"}]})
    assert not has_templates({})
    assert has_templates({"a": ["x", {"b": "${t.value}"}]})
    assert has_templates("$${x")


def test_values_nested_too_deep_are_refused_with_a_sentence() -> None:
    value: Any = "${build.value.n}"
    for _ in range(MAX_DEPTH):
        value = [value]
    assert references(value) == {"build"}
    resolve(value, RESULTS.get)
    for _ in range(10_000):
        value = [value]
    for walk in (references, has_templates, lambda v: resolve(v, RESULTS.get)):
        with pytest.raises(TemplateError, match="nested deeper than 100"):
            walk(value)


@pytest.mark.parametrize(
    ("template", "sentence"),
    [
        ("${gone.value}", "${gone.value}: there is no task 'gone' whose result can be used here."),
        (
            "${build.value.m}",
            "${build.value.m}: the value of task 'build' has no 'm'; it has 'files', 'n', 'ok', 'none', '7'.",
        ),
        (
            "${build.value.files[2]}",
            "${build.value.files[2]}: the value.files of task 'build' has no item 2; it is a list of 2, "
            "counted from 0.",
        ),
        (
            "${build.value.files.name}",
            "${build.value.files.name}: the value.files of task 'build' has no item name; it is a list of 2, "
            "counted from 0.",
        ),
        ("${build.value.n.x}", "${build.value.n.x}: the value.n of task 'build' is a number, so it has no 'x'."),
        ("${build.output[0]}", "${build.output[0]}: the output of task 'build' is text, so it has no '0'."),
        (
            "${build.value[x]}",
            "${build.value[x]}: '[x]' is no path into the value of task 'build'; write .name, .0 or [0].",
        ),
        (
            "${build.value.}",
            "${build.value.}: '.' is no path into the value of task 'build'; write .name, .0 or [0].",
        ),
    ],
)
def test_an_error_names_the_template_the_task_and_what_is_there(template, sentence):
    for resolved in (resolve, resolve_text):
        with pytest.raises(TemplateError) as caught:
            resolved(template, RESULTS.get)
        assert str(caught.value) == sentence


def test_a_task_without_templates_is_returned_itself():
    task = Task(id="t", command=("echo", "x"), env={"A": "b"}, inputs={"x": 1})
    assert resolve_task(task, RESULTS.get) is task


def test_command_env_and_inputs_of_a_task_are_resolved():
    task = Task(
        id="t",
        command=("cp", "${build.value.files[0]}", "${build.value.ok}"),
        env={"N": "${build.value.n}", "HOME": "${HOME}"},
        inputs={"files": "${build.value.files}"},
    )
    resolved = resolve_task(task, RESULTS.get)
    assert resolved.command == ("cp", "a.o", "true")
    assert resolved.env == {"N": "3", "HOME": "${HOME}"}
    assert resolved.inputs == {"files": ["a.o", "b.o"]}
    assert resolved.id == "t"
    assert task.command == ("cp", "${build.value.files[0]}", "${build.value.ok}")


def test_a_prompt_is_resolved_and_shell_text_never():
    assert resolve_task(Task(id="p", prompt="see ${build.output}"), RESULTS.get).prompt == "see done\n"
    shell = Task(id="s", shell="echo ${build.value.n} ${HOME}")
    assert resolve_task(shell, RESULTS.get) is shell


def test_a_result_longer_than_a_plan_may_say_still_fits_in():
    long = {"value": "x" * 1_040_000, "output": "", "exit_code": 0, "status": "completed"}
    resolved = resolve_task(Task(id="t", prompt="${a.value}"), {"a": long}.get)
    assert resolved.prompt is not None
    assert len(resolved.prompt) == 1_040_000


@pytest.mark.parametrize(
    "task",
    [Task(id="t", command=("echo", "${nul.value}")), Task(id="t", command=("env",), env={"X": "${nul.value}"})],
)
def test_nul_characters_are_refused_where_a_program_would_get_them(task):
    with pytest.raises(TemplateError, match="NUL character"):
        resolve_task(task, RESULTS.get)


def test_a_long_text_full_of_openings_is_read_in_linear_time():
    text = "${" * 200_000
    assert resolve_text(text, RESULTS.get) == text
    many = "${" + ".value" * 160_000 + "}"
    with pytest.raises(TemplateError, match="there is no task"):
        resolve_text(many, RESULTS.get)
