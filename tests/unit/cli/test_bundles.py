"""`starloom export`, and what is done with its files elsewhere: reports, and `runs --import`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.unit.journal.test_bundle import a_run
from typer.testing import CliRunner

from starloom.cli.app import app

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result


def starloom(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, list(map(str, arguments)))


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    a_run(tmp_path / "here")
    done = starloom("export", "r", "-o", tmp_path / "run.starloom", "--journal", tmp_path / "here")
    assert done.exit_code == 0, done.output
    assert "the run r, with 2 files of output," in done.stdout
    return tmp_path / "run.starloom"


def test_a_report_is_made_of_the_file_alone(bundle: Path, tmp_path: Path) -> None:
    for journal, run in ((tmp_path / "here", "r"), (tmp_path / "nowhere", str(bundle))):
        done = starloom("report", run, "-o", tmp_path / f"{journal.name}.json", "--journal", journal)
        assert done.exit_code == 0, done.output
    told = [json.loads((tmp_path / f"{name}.json").read_bytes()) for name in ("here", "nowhere")]
    assert told[0] == told[1]
    assert not (tmp_path / "nowhere").exists()


def test_a_run_is_put_among_the_others_and_listed_as_imported(bundle: Path, tmp_path: Path) -> None:
    done = starloom("runs", "--import", bundle, "--journal", tmp_path / "there")
    assert done.exit_code == 0, done.output
    assert "(imported)" in starloom("runs", "--journal", tmp_path / "there").stdout
    (known,) = json.loads(starloom("runs", "--json", "--journal", tmp_path / "there").stdout)
    assert (known["id"], known["imported"]) == ("r", True)
    again = starloom("runs", "--import", bundle, "--journal", tmp_path / "there")
    assert again.exit_code == 0
    assert "is there already" in again.stdout


def test_a_run_that_is_there_in_another_state_is_refused_and_named_for_programs(bundle: Path, tmp_path: Path) -> None:
    known = starloom("runs", "--import", bundle, "--json", "--journal", tmp_path / "here")
    assert known.exit_code == 2
    assert "Move that away to have this." in known.stderr
    (told,) = json.loads(known.stdout)
    assert (told["id"], told["imported"], told["folder"]) == ("r", False, str(tmp_path / "here" / "runs" / "r"))


def test_a_file_that_is_no_bundle_is_said(tmp_path: Path) -> None:
    (tmp_path / "x.starloom").write_text("no", encoding="utf-8")
    for arguments in (
        ("report", tmp_path / "x.starloom", "-o", tmp_path / "x.html"),
        ("runs", "--import", "y.starloom"),
    ):
        done = starloom(*arguments, "--journal", tmp_path)
        assert done.exit_code == 2
        assert "is no whole run" in done.stderr or "There is no file" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.starloom"]


def test_a_name_without_the_ending_is_refused(tmp_path: Path) -> None:
    a_run(tmp_path / "here")
    done = starloom("export", "r", "-o", tmp_path / "run.zip", "--journal", tmp_path / "here")
    assert done.exit_code == 2
    assert "ends in .starloom" in done.stderr


def test_a_file_that_cannot_be_written_leaves_the_one_that_is_there(bundle: Path, tmp_path: Path) -> None:
    before = bundle.read_bytes()
    (tmp_path / "here" / "runs" / "r" / "output" / "link-ab12-1.log").unlink()
    (tmp_path / "here" / "runs" / "r" / "journal.db").write_bytes(b"no journal")
    done = starloom("export", "r", "-o", bundle, "--journal", tmp_path / "here")
    assert done.exit_code == 2
    assert bundle.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")] == []
