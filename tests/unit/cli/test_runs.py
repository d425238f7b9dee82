"""`starloom runs`: a line for each run says how many of its tasks are done, and how the others ended."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from starloom.cli import runs
from starloom.cli.screen import Screen
from starloom.journal.records import RunRecord

if TYPE_CHECKING:
    import pytest


def test_what_failed_or_was_cancelled_is_not_counted_as_done(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    counts = dict.fromkeys(("completed", "removed", "skipped"), 0) | {"submitted": 11, "failed": 2, "cancelled": 9}
    made = RunRecord(run_id="x", folder=Path("x"), name="night", state="cancelled", counts=counts)
    monkeypatch.setattr(runs, "records", lambda _: [made])
    assert runs.list_runs(Path(), Screen(), as_json=False) == 0
    assert "0 of 11 tasks done, 2 failed, 9 cancelled  night" in capsys.readouterr().out


def test_a_run_that_goes_on_paused_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    counts = dict.fromkeys(("completed", "removed", "skipped", "failed", "cancelled"), 0) | {"submitted": 3}
    made = RunRecord(run_id="x", folder=Path("x"), name="night", state="interrupted", counts=counts, is_paused=True)
    monkeypatch.setattr(runs, "records", lambda _: [made])
    assert runs.list_runs(Path(), Screen(), as_json=False) == 0
    assert "night  (paused)" in capsys.readouterr().out
