"""`starloom convert`: one file in, another out, and a sentence for whatever is lost."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from starloom.cli.app import app
from starloom.formats import dump_plan, load_plan

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result

PLAN = """
starloom: 1
name: sample
tasks:
  a: {shell: echo a, retry: 2}
  b: {shell: echo b, needs: [{task: a, kind: always}]}
"""
UFO = {
    "constellation_id": "c",
    "tasks": [{"task_id": "a", "name": "n", "description": "d", "target_device_id": "box"}],
    "dependencies": [],
}


def convert(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["convert", *map(str, arguments)])


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan.yaml"
    path.write_text(PLAN, encoding="utf-8")
    return path


@pytest.fixture
def ufo(tmp_path: Path) -> Path:
    path = tmp_path / "c.json"
    path.write_text(json.dumps(UFO), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["x.json", "x.yml", "x.wf.json", "x.ufo.json", "x.dot", "x.gv", "x.graphml", "x.mmd"])
def test_the_ending_of_the_target_says_the_format(plan: Path, tmp_path: Path, name: str) -> None:
    target = tmp_path / name
    done = convert(plan, target)
    assert done.exit_code == 0
    assert "tasks: 2, dependencies: 1" in done.stdout
    written = {"x.json": "json", "x.yml": "yaml", "x.wf.json": "wfformat", "x.ufo.json": "ufo"}
    drawn = {"x.dot": "dot", "x.gv": "dot", "x.graphml": "graphml", "x.mmd": "mermaid"}
    assert target.read_text(encoding="utf-8") == dump_plan(load_plan(plan), (written | drawn)[name])


def test_what_is_lost_is_said_on_stderr(plan: Path, tmp_path: Path) -> None:
    done = convert(plan, tmp_path / "x.mmd")
    assert "Mermaid does not hold everything; left out: shell (2 tasks), retry (1 task)." in done.stderr
    assert "as labels only" in done.stderr
    assert convert(plan, tmp_path / "x.json").stderr == ""
    assert convert(plan, tmp_path / "x.mmd", "--quiet").stderr == ""


def test_what_was_assumed_of_the_source_is_said(ufo: Path, tmp_path: Path) -> None:
    done = convert(ufo, tmp_path / "x.yaml")
    assert "UFO does not say what the devices 'box' are" in done.stderr
    assert "from UFO to YAML" in done.stdout
    assert load_plan(tmp_path / "x.yaml") == load_plan(ufo)
    assert convert(ufo, tmp_path / "y.ufo.json").stderr == ""


def test_a_graph_becomes_a_plan_that_is_simulated(tmp_path: Path) -> None:
    (tmp_path / "dag").write_text("digraph { a -> b }", encoding="utf-8")
    done = convert(tmp_path / "dag", tmp_path / "x.yaml")
    assert done.exit_code == 0
    assert "every task is simulated and takes one second" in done.stderr
    assert "simulate: 1s" in (tmp_path / "x.yaml").read_text(encoding="utf-8")


def test_a_dash_writes_to_stdout_in_the_given_format(plan: Path) -> None:
    done = convert(plan, "-", "--to", "json", "--from", "yaml")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["name"] == "sample"
    assert convert(plan, "-").exit_code == 2


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("x.txt",), "the ending '.txt' says no format"),
        (("x.json", "--to", "xml"), "'xml' is no format"),
        (("x.json", "--from", "xml"), "'xml' is no format"),
        (("x.json", "--from", "graphml"), "graphml is written by Starloom, but not read"),
        (("x.json", "--from", "wfformat"), "is not valid JSON"),
        (("folder/x.json",), "the file or its folder does not exist"),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_is_written(
    plan: Path, tmp_path: Path, options: tuple[str, ...], expected: str
) -> None:
    done = convert(plan, tmp_path / options[0], *options[1:])
    assert done.exit_code == 2
    assert expected in done.stderr
    assert "Traceback" not in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["plan.yaml"]


def test_a_bad_source_leaves_the_target_as_it_was(tmp_path: Path) -> None:
    source, target = tmp_path / "bad.yaml", tmp_path / "x.json"
    source.write_text("starloom: 1\ntasks: 3\n", encoding="utf-8")
    target.write_text("precious", encoding="utf-8")
    assert convert(source, target).exit_code == 2
    assert target.read_text(encoding="utf-8") == "precious"
