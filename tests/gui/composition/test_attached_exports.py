"""Runs of a server on another machine are exported here, those that have ended and those that go on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec
import pytest
from PySide6.QtWidgets import QFileDialog
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_attached_archive import elsewhere, end, opened_from_history, over
from tests.gui.composition.test_exporting import export_into
from tests.gui.composition.test_history import choose, shown
from tests.gui.file_dialogs import name_file
from tests.waiting import until

from starloom.journal.library import output_path
from starloom.journal.records import RunRecord, record
from starloom.journal.taking_in import take_in
from starloom.server import kept_runs

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("app")
__all__ = ["elsewhere"]


def test_a_run_that_ended_there_is_exported_here_as_a_report_and_as_one_file(
    desktop: Desktop, elsewhere: Path, tmp_path: Path
) -> None:
    async def main() -> None:
        async with over(desktop, elsewhere) as console:
            await end(console)
            await export_into(console, tmp_path / "ended.json")
            await console.files.exporting.settled()
            told = json.loads((tmp_path / "ended.json").read_bytes())
            assert (told["run_id"], told["state"], told["has_ended"]) == ("goes-on", "cancelled", True)
            await opened_from_history(console, "past")
            await export_into(console, tmp_path / "past.starloom")
            await console.files.exporting.settled()
            folder = take_in(tmp_path / "past.starloom", tmp_path / "mine")
            assert record(folder).run_id == "past"
            there = output_path(elsewhere / "runs" / "past", "a", 1)
            assert output_path(folder, "a", 1).read_bytes() == there.read_bytes()

    desktop.run(main)


@pytest.mark.parametrize("by", ["its tab", "history"])
def test_a_run_that_goes_on_there_is_exported_as_it_stands_by_the_clock_there(
    desktop: Desktop, elsewhere: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    ahead_s = 7200.0

    def read_there(folder: Path) -> RunRecord:
        here = record(folder)
        return msgspec.structs.replace(here, as_of=here.as_of + ahead_s)

    monkeypatch.setattr(kept_runs, "record", read_there)

    async def main() -> None:
        async with over(desktop, elsewhere) as console:
            console.documents.put_run("goes-on")
            await at_rest(console)
            if by == "its tab":
                await export_into(console, tmp_path / "now.json")
            else:
                dialog = await shown(console)
                choose(dialog, "goes-on")
                dialog.export.click()
                await until(lambda: dialog.findChildren(QFileDialog))
                await name_file(dialog.findChildren(QFileDialog)[0], tmp_path / "now.json")
            await console.files.exporting.settled()
            told = json.loads((tmp_path / "now.json").read_bytes())
            assert (told["run_id"], told["state"], told["has_ended"]) == ("goes-on", "executing", False)
            statuses = {one["id"]: one["status"] for one in told["tasks"]}
            assert statuses["a"] == "running"
            assert told["seconds"] == pytest.approx(ahead_s, abs=60.0), "up to now, by the clock there"
            assert record(elsewhere / "runs" / "goes-on").state == "executing"

    desktop.run(main)
