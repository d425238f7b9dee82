"""A plan's file tells of its last run, also if it got its name only after that run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.driver import Driver, plan, task

from starloom.model.status import RunState
from starloom.scheduling import commands as c
from starloom_gui.documents.open_documents import OpenDocuments
from starloom_gui.gateway.changes import Changes
from starloom_gui.settings import RecentFile, Settings
from starloom_gui.shell.recent_row import ended_words
from starloom_gui.workspace.recent import RecentRuns

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

FILE = Path("/plans/drawn.yaml")


@pytest.mark.parametrize("is_closed", [False, True])
def test_a_file_tells_of_the_last_run_that_its_plan_had_before_it_was_saved(
    app: QApplication, tmp_path: Path, *, is_closed: bool
) -> None:
    driver, documents, settings = Driver(), OpenDocuments(), Settings(tmp_path / "console.ini")
    drawn = documents.put_new()
    gone = set[str]()
    facts = lambda run_id: None if run_id in gone else driver.run(run_id)  # noqa: E731
    recent = RecentRuns(documents, settings, facts, lambda: None)
    for run_id, hold_open in (("first", True), ("second", False)):
        driver.create(drawn.plan, run_id, hold_open=hold_open)
        documents.put_run(run_id, drawn)
        recent.on_changes(Changes(run_id=run_id, everything=True))
    assert not settings.recent
    if is_closed:
        documents.close(next(tab.key for tab in documents.runs if tab.run_id == "second"))
        gone.add("second")
    settings.remember(RecentFile(path=str(FILE), at=driver.run("second").wall_time + 60))
    documents.note_saved(drawn.key, drawn.plan, FILE, "yaml", None)
    (known,) = settings.recent
    assert (known.run_id, known.state) == ("second", RunState.COMPLETED)
    assert known.ran_at < known.at, "it ended before it was saved"


def test_of_a_run_whose_tasks_were_only_simulated_a_file_says_so(app: QApplication, tmp_path: Path) -> None:
    driver, documents, settings = Driver(devices=()), OpenDocuments(), Settings(tmp_path / "console.ini")
    drawn = documents.put_plan(plan([task("a", shell="make")]))
    documents.note_saved(drawn.key, drawn.plan, FILE, "yaml", None)
    settings.remember(RecentFile(path=str(FILE)))
    recent = RecentRuns(documents, settings, driver.run, lambda: None)
    driver.add_device("d1", kind="simulated")
    driver.create(drawn.plan)
    documents.put_run("r", drawn)
    driver.end("a")
    recent.on_changes(Changes(run_id="r", everything=True))
    (known,) = Settings(tmp_path / "console.ini").recent
    assert ended_words(known) == "Done, 1 only simulated"


def test_of_a_run_in_which_nothing_was_done_a_file_does_not_say_done(app: QApplication, tmp_path: Path) -> None:
    driver, documents, settings = Driver(), OpenDocuments(), Settings(tmp_path / "console.ini")
    drawn = documents.put_plan(plan(["a"]))
    documents.note_saved(drawn.key, drawn.plan, FILE, "yaml", None)
    settings.remember(RecentFile(path=str(FILE)))
    recent = RecentRuns(documents, settings, driver.run, lambda: None)
    driver.create(drawn.plan)
    documents.put_run("r", drawn)
    driver.turn(c.CancelTasks(run_id="r", task_ids=("a",)))
    driver.end("a", ok=False)
    recent.on_changes(Changes(run_id="r", everything=True))
    (known,) = settings.recent
    assert ended_words(known) == "Nothing done, 1 cancelled"
