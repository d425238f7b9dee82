"""Whoever gives the command line a file in the place of a command reads what to put before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typer.testing import CliRunner

from starloom.cli.app import app

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_a_file_is_no_command_and_what_opens_and_runs_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(app, ["my plan.yaml"])
    assert told.exit_code == 2
    assert "starloom console 'my plan.yaml'" in told.output
    assert "starloom run 'my plan.yaml'" in told.output


def test_a_file_with_the_name_of_a_command_is_not_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plan").touch()
    assert "is no command" not in CliRunner().invoke(app, ["plan", "--help"]).output
    assert "No such command 'planet'" in CliRunner().invoke(app, ["planet"]).output
