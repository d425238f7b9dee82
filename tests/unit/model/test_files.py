"""The files of a task: how plans say which are copied, and what they may not say."""

from __future__ import annotations

from typing import Any

import pytest

from starloom.errors import PlanError
from starloom.formats import dump_plan, parse_plan
from starloom.formats.edit_forms import read_edits
from starloom.formats.edit_writer import edit_forms
from starloom.model.files import NO_FILES, FileCopy, Files
from starloom.model.task import Task

PLAN = """\
starloom: 1
name: p
tasks:
  a: {shell: x, files: {send: [data, {from: in/tool, to: ~/bin/tool}], fetch: {from: ../out, to: results/out}}}
  b: {shell: x, files: {fetch: out}}
"""


def test_a_path_stands_for_both_sides_and_a_pair_tells_them_apart() -> None:
    first, second = parse_plan(PLAN).tasks
    assert first.files.send == (FileCopy("data", "data"), FileCopy("in/tool", "~/bin/tool"))
    assert first.files.fetch == (FileCopy("../out", "results/out"),)
    assert second.files == Files(fetch=(FileCopy("out", "out"),))
    assert str(first.files) == "send data, in/tool → ~/bin/tool; fetch ../out → results/out"


@pytest.mark.parametrize("syntax", ["yaml", "json"])
def test_what_was_written_is_read_back(syntax: str) -> None:
    plan = parse_plan(PLAN)
    written = dump_plan(plan, syntax)
    assert parse_plan(written).tasks == plan.tasks
    assert "results/out" in written
    assert "files" not in dump_plan(parse_plan("starloom: 1\nname: p\ntasks: {a: {shell: x}}\n"), syntax)


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ("{send: [../a]}", "'../a' lies outside the folder of the files on this side"),
        ("{send: [{from: a/../../b, to: b}]}", "lies outside"),
        ("{send: [/etc/passwd]}", "'/etc/passwd' lies outside"),
        ("{fetch: [{from: /etc/passwd, to: ../b}]}", "'../b' lies outside"),
        ("{fetch: [/etc/passwd]}", "lies outside"),
        ("{snd: [a]}", "Did you mean 'send'?"),
        ("{send: 3}", "must be a list of paths"),
        ("{send: [3]}", "3 is not a path"),
        ("{send: ['']}", "'' is not a path"),
        ('{send: ["a\\0b"]}', "is not a path"),
        ("{send: [{from: a}]}", "a mapping with from and to, and nothing else"),
        ("{send: [{from: a, to: b, mode: c}]}", "a mapping with from and to, and nothing else"),
        ("{send: [a, {from: b, to: ./a}]}", "puts two files at 'a'"),
        ("{send: ['*.csv']}", "neither patterns nor results are filled in here"),
        ("{fetch: ['${a.value}']}", "neither patterns nor results are filled in here"),
        ("{fetch: [out/]}", "'out/' is a folder, and only files are copied"),
        ("{fetch: [..]}", "is a folder"),
        ("[a]", "must be a mapping, not a list"),
    ],
)
def test_what_cannot_be_copied_is_refused_in_a_sentence(files: str, words: str) -> None:
    with pytest.raises(PlanError) as refused:
        parse_plan(f"starloom: 1\nname: p\ntasks:\n  a: {{shell: x, files: {files}}}\n")
    assert "line 4: tasks.a.files" in str(refused.value)
    assert words in str(refused.value)


def test_an_edit_carries_files() -> None:
    forms = [{"update_task": {"task": "a", "files": {"send": ["b", {"from": "c", "to": "/d"}]}}}]
    edits, problems = read_edits(forms)
    assert problems == []
    assert edit_forms(edits) == forms


@pytest.mark.parametrize(
    ("fields", "needed"),
    [
        ({"shell": "x"}, "shell"),
        ({"shell": "x", "files": {"send": "a"}}, "files:shell"),
        ({"command": ("x",), "metadata": {"ssh": {"fetch": ["a"]}}}, "files:command"),
        ({"call": "f", "files": {"send": "a"}}, "files:call:f"),
        ({"simulate": 1, "files": {"send": "a"}}, "simulate"),
        ({"gate": "go?", "files": {"send": "a"}}, "gate"),
        ({"shell": "x", "files": {}}, "shell"),
    ],
)
def test_a_device_has_to_be_able_to_copy_the_files(fields: dict[str, Any], needed: str) -> None:
    assert Task(id="a", **fields).needs_action == needed


def test_metadata_of_earlier_versions_say_which_files() -> None:
    old = {"ssh": {"upload": ["a", {"from": "b", "to": "c"}], "fetch": ["d"]}}
    new = Files(send=["a", {"from": "b", "to": "c"}], fetch=["d"])  # type: ignore[arg-type]
    assert Task(id="a", shell="x", metadata=old).copied == new
    assert Task(id="a", shell="x", metadata=old, files=Files(fetch=new.fetch)).copied == Files(fetch=new.fetch)
    assert Task(id="a", shell="x").copied is NO_FILES


@pytest.mark.parametrize(
    ("old", "words"),
    [
        ({"upload": ["../a"]}, "metadata.ssh: '../a' lies outside"),
        ({"upload": 3}, "metadata.ssh: must be a list of paths"),
        ("box", "metadata.ssh must be a mapping with upload and fetch."),
    ],
)
def test_metadata_that_cannot_be_used_are_told_when_they_are_needed(old: object, words: str) -> None:
    task = Task(id="a", shell="x", metadata={"ssh": old})
    with pytest.raises(ValueError, match=r"metadata\.ssh") as told:
        _ = task.copied
    assert words in str(told.value)
