"""`starloom run --script`: what is checked before anything runs, and what is said when nothing goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from starloom.cli.app import app
from starloom.journal.base import JournalError
from starloom.journal.stream_file import StreamFile
from starloom.orchestration.replaying import Replaying

if TYPE_CHECKING:
    from pathlib import Path

PLAN = "starloom: 1\ntasks: {build: {simulate: 0.01s}, tell: {simulate: 0.01s, needs: [build]}}"


def run(folder: Path, script: str, *more: str) -> tuple[int, str]:
    """The exit code and what was said of running the plan with a script."""
    (folder / "plan.yaml").write_text(PLAN, encoding="utf-8")
    (folder / "s.yaml").write_text(script, encoding="utf-8")
    asked = [
        "run",
        str(folder / "plan.yaml"),
        "--script",
        str(folder / "s.yaml"),
        "--journal",
        str(folder / "j"),
        *more,
    ]
    done = CliRunner().invoke(app, asked)
    return done.exit_code, done.output


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (PLAN, "this is not a script. One starts with 'script: 1'"),
        ("script: 2\nentries: []", "line 1: script: this version reads scripts of version 1, not 2."),
        ("script: 1", "entries: must be a list, not nothing."),
        ("script: 1\nentries: []\nmore: 1", "more: unknown field 'more'."),
        ("script: 1\nentries: [3]", "entry 1: must be a mapping with after, started, wait, by, why, do, not 3."),
        ("script: 1\nentries: [{do: {hold: tel}}]", "entry 1: there is no task 'tel'. Did you mean 'tell'?"),
        ("script: 1\nentries:\n - do: pause\n - after: x\n   do: resume", "entry 2: there is no task 'x'. Neither the"),
        ("script: 1\nentries:\n - {do: {holt: tell}}", "line 3: entry 1.do.holt: unknown command 'holt'. Did you mean"),
        ("script: 1\nentries:\n - {wait: soon, do: pause}", "line 3: entry 1.wait: 'soon' is not a duration"),
        ("script: 1\nentries:\n - {wait: 1}", "line 3: entry 1: does not say in 'do' what is done."),
        ("script: 1\nentries:\n - {do: {pause: 3}}", "entry 1.do.pause: stands by itself, without 3."),
        (
            "script: 1\nentries:\n - do: {edit: [{update_task: {task: tell, timeout: never}}]}",
            "entry 1.do.edit.0.update_task.timeout: 'never' is not a duration",
        ),
        ("script: 1\nentries: [{do: {edit: []}}]", "entry 1.do.edit: holds no edits. Give at least one."),
    ],
)
def test_what_is_wrong_is_said_by_entry_and_line_and_nothing_runs(script: str, said: str, tmp_path: Path) -> None:
    code, output = run(tmp_path, script)
    assert code == 2
    assert said in output
    assert not (tmp_path / "j").exists()


def test_it_does_not_go_with_a_simulation(tmp_path: Path) -> None:
    code, output = run(tmp_path, "script: 1\nentries: []", "--simulate")
    assert code == 2
    assert "--script: a simulation is over before anything is done to it" in output


def test_a_task_that_is_added_above_may_be_named(tmp_path: Path) -> None:
    script = """script: 1
entries:
 - do: {edit: [{add_task: {id: more, simulate: 0.01s}}]}
 - {after: more, do: {set_limit: 1}}
"""
    code, output = run(tmp_path, script)
    assert code == 0, output
    assert "The script: 2 entries done, 0 refused." in output


def test_a_run_that_stands_when_its_script_is_over_is_cancelled_and_says_why(tmp_path: Path) -> None:
    script = "script: 1\nentries: [{do: {hold: tell}}, {after: build, wait: 0.05s, do: {set_limit: 1}}]"
    code, output = run(tmp_path, script)
    assert code == 1
    assert "Nothing can start any more: 'tell' is held. The run is cancelled." in output
    assert "The script: 2 entries done, 0 refused." in output


@pytest.mark.parametrize("is_there", [True, False])
def test_journals_that_cannot_be_kept_are_bad_input_and_nothing_is_promised(is_there: bool, tmp_path: Path) -> None:
    (tmp_path / "plan.yaml").write_text(PLAN, encoding="utf-8")
    (tmp_path / "file").touch()
    folder = tmp_path / "file" if is_there else tmp_path / "file" / "j"
    done = CliRunner().invoke(app, ["run", str(tmp_path / "plan.yaml"), "--journal", str(folder)])
    assert done.exit_code == 2
    assert "The journals cannot be kept" in done.output
    assert "resume" not in done.output


def test_journal_trouble_in_a_run_is_a_failure_and_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(self: StreamFile, *_: object, **__: object) -> None:
        raise JournalError("There is no room.")

    begin = Replaying.begin

    async def then_none(self: Replaying) -> None:
        await begin(self)
        monkeypatch.setattr(StreamFile, "commit", no_room)

    monkeypatch.setattr(Replaying, "begin", then_none)
    code, output = run(tmp_path, "script: 1\nentries: []")
    assert code == 1
    assert output.index("There is no room.") < output.find("`starloom resume` goes on with it"), output


@pytest.mark.parametrize("form", ["  box: {kind: local,\n    cgroup: 7}", "  - id: box\n    options:\n      cgroup: 7"])
def test_a_refused_option_of_a_device_has_its_line(form: str, tmp_path: Path) -> None:
    plan = tmp_path / "plan.yaml"
    plan.write_text(f"starloom: 1\ndevices:\n{form}\ntasks: {{a: {{shell: x}}}}\n", encoding="utf-8")
    line = plan.read_text(encoding="utf-8").split("\n").index(next(x for x in form.split("\n") if "cgroup" in x)) + 1
    told = f"plan.yaml: line {line}: Device 'box' of kind local has no option 'cgroup'"
    for command in (["validate"], ["run", "--durability", "off"]):
        done = CliRunner().invoke(app, [*command, str(plan)])
        assert done.exit_code == 2
        assert told in " ".join(done.output.split()), command
    good, fleet = tmp_path / "good.yaml", plan.rename(tmp_path / "fleet.yaml")
    fleet.write_text(f"starloom: 1\ndevices:\n{form}\n", encoding="utf-8")
    good.write_text("starloom: 1\ntasks: {a: {shell: x}}\n", encoding="utf-8")
    done = CliRunner().invoke(app, ["run", str(good), "--fleet", str(fleet), "--durability", "off"])
    assert told.replace("plan.yaml", "fleet.yaml") in " ".join(done.output.split())
