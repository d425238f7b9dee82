"""`starloom resume` of a run that has ended: what runs again, and that it has to be said."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from starloom.cli.app import app

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result


def starloom(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, list(map(str, arguments)))


class Ended:
    """A run of three commands that each add their names to a file; the second fails unless `good` is there."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.journal, self.done = folder, folder / "journal", folder / "done"
        tasks = {
            "a": {"shell": f"echo a >> {self.done}"},
            "b": {"name": "the middle", "shell": f"echo b >> {self.done}; test -e {folder / 'good'}", "needs": ["a"]},
            "c": {"shell": f"echo c >> {self.done}", "needs": ["b"]},
        }
        (folder / "plan.json").write_text(json.dumps({"starloom": 1, "name": "p", "tasks": tasks}), encoding="utf-8")
        assert starloom("run", folder / "plan.json", "--journal", self.journal, "--quiet").exit_code == 1
        (run,) = (self.journal / "runs").iterdir()
        self.run = run.name

    def resume(self, *arguments: str) -> Result:
        return starloom("resume", self.run, *arguments, "--journal", self.journal)

    def lines(self) -> str:
        return self.done.read_text(encoding="utf-8").replace("\n", "")


@pytest.fixture
def ended(tmp_path: Path) -> Ended:
    return Ended(tmp_path)


def test_what_failed_is_retried_with_what_was_skipped_for_it(ended: Ended) -> None:
    assert ended.lines() == "ab"
    (ended.folder / "good").touch()
    found = ended.resume("--retry", "--json")
    assert found.exit_code == 0, found.output
    assert json.loads(found.stdout)["state"] == "completed"
    assert ended.lines() == "abbc"
    listed = json.loads(starloom("runs", "--journal", ended.journal, "--json").stdout)
    assert [(one["state"], one["counts"]["completed"]) for one in listed] == [("completed", 3)]


def test_it_may_fail_again_and_be_retried_again(ended: Ended) -> None:
    assert ended.resume("--retry").exit_code == 1
    assert ended.resume("--retry").exit_code == 1
    (ended.folder / "good").touch()
    assert ended.resume("--retry").exit_code == 0
    assert ended.lines() == "abbbbc"


@pytest.mark.parametrize("named", ["b", "the middle"])
def test_a_task_is_rerun_with_all_after_it(ended: Ended, named: str) -> None:
    (ended.folder / "good").touch()
    assert ended.resume("--retry").exit_code == 0
    found = ended.resume("--rerun-from", named)
    assert found.exit_code == 0, found.output
    assert ended.lines() == "abbcbc"


def test_what_runs_again_has_to_be_said(ended: Ended) -> None:
    found = ended.resume()
    assert found.exit_code == 2
    assert "has ended: partially failed. Say what runs again: --retry" in " ".join(found.output.split())
    found = ended.resume("--retry", "--rerun-from", "b")
    assert "leave one of the two out" in " ".join(found.output.split())
    found = ended.resume("--rerun-from", "bb")
    assert "there is no task 'bb'" in " ".join(found.output.split())
    assert ended.lines() == "ab"


def test_where_nothing_failed_there_is_nothing_to_retry(ended: Ended) -> None:
    (ended.folder / "good").touch()
    assert ended.resume("--retry").exit_code == 0
    found = ended.resume("--retry")
    assert found.exit_code == 2
    assert "Nothing of the run" in found.output
