"""`starloom diff`: two journals in, lines or JSON out, and an exit code that a script can ask."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from tests.unit.reporting.story import steered
from typer.testing import CliRunner

from starloom.cli.app import app
from starloom.journal.names import JOURNAL
from starloom.journal.stream_file import StreamFile

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    for name, most in (("one", None), ("same", None), ("near", None), ("short", 19), ("empty", 0)):
        folder = tmp_path / "runs" / name
        folder.mkdir(parents=True)
        with StreamFile(folder / JOURNAL, "r") as file:
            for event in steered()[:most]:
                file.commit([replace(event, at=later(event.at)) if name == "near" else event])
    return tmp_path


def later(at: float) -> float:
    """A moment of the run that was nearly as long: what ended last took less than a second more, or more than one."""
    return at + (2.0 if at > 161 else 0.4 if at > 100 else 0.0)


def diff(journal: Path, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["diff", *arguments, "--journal", str(journal)])


def test_runs_that_went_the_same_way(journal: Path) -> None:
    done = diff(journal, "one", "same")
    assert done.exit_code == 0
    assert "The graphs are the same." in done.stdout
    assert "Both went the same way from the first step to the last." in done.stdout


def test_runs_that_differ_say_in_what_and_where_they_parted(journal: Path) -> None:
    done = diff(journal, "one", "short")
    assert done.exit_code == 1
    assert "A: r, partially failed, 3:11" in done.stdout
    assert "  only in A: soak" in done.stdout
    assert "  flash lab-a: completed → waiting" in done.stdout
    assert "They went different ways after" in done.stdout
    assert "  B: it was over" in done.stdout


def test_durations_that_are_told_alike_are_no_difference(journal: Path) -> None:
    told = diff(journal, "one", "near").stdout
    longer = [line.split(": ")[1].split(" → ") for line in told.splitlines() if line.startswith("  ") and " → " in line]
    assert longer, told
    assert all(before != after for before, after in longer), told


def test_as_json_it_is_one_object(journal: Path) -> None:
    told = json.loads(diff(journal, "one", "short", "--json").stdout)
    assert told["removed"] == ["soak"]
    assert told["parted"]["after"] == ""
    assert told["parted"]["before"]


@pytest.mark.parametrize(("other", "sentence"), [("nobody", "There is no run"), ("empty", "has not begun")])
def test_what_cannot_be_compared_is_said(journal: Path, other: str, sentence: str) -> None:
    done = diff(journal, "one", other)
    assert done.exit_code == 2
    assert sentence in done.stderr
