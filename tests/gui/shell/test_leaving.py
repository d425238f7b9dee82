"""Closing: unsaved plans and unfinished runs are asked about once; waiting shows what for and may be changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from shiboken6 import isValid
from tests.gui.documents.plans import on_qt, shown, small, written
from tests.gui.shell.leaving_bench import Bench, bench
from tests.waiting import until

from starloom.scheduling import commands as c
from starloom_gui.dialogs.closing import (
    CANCEL,
    DISCARD,
    KEEP,
    LEAVE,
    SAVE,
    WAIT,
    ClosingDialog,
    ClosingStage,
    UnsavedDialog,
)
from starloom_gui.documents.files import read

if TYPE_CHECKING:
    from pathlib import Path


__all__ = ["bench"]


def test_where_everything_is_saved_and_over_nobody_is_asked(bench: Bench):
    bench.engine.start("r")
    bench.engine.driver.end_all("r")

    async def main() -> None:
        bench.leaving.leave()
        await bench.leaving.settled()

    on_qt(main)
    assert bench.agreed == [True]


def test_waiting_shows_what_for_and_ends_by_itself(bench: Bench):
    bench.engine.start("r")
    bench.documents.put_run("r", title="Run 12")

    async def main() -> None:
        bench.leaving.leave()
        dialog = await shown(bench.window, ClosingDialog)
        assert dialog._list.text() == "Run 12: 1 running, 1 to go"
        assert dialog.choices.buttons[""].isDefault(), "to stay is what harms nobody"
        dialog.choices.buttons[WAIT].click()
        assert dialog.stage is ClosingStage.WAITING
        bench.engine.driver.end("a", "r")
        bench.leaving.on_changes()
        assert dialog._list.text() == "Run 12: 1 running, 0 to go"
        assert not bench.agreed
        bench.engine.driver.end_all("r")
        bench.leaving.on_changes()
        await bench.leaving.settled()

    on_qt(main)
    assert bench.agreed == [True]
    assert not bench.engine.cancelled


def test_the_button_that_cancels_counts_the_runs_that_are_left(bench: Bench):
    bench.engine.start("r")
    bench.engine.start("s")

    async def main() -> None:
        bench.leaving.leave()
        dialog = await shown(bench.window, ClosingDialog)
        assert "2 run(s)" in dialog.choices.buttons[CANCEL].text()
        bench.engine.driver.end_all("r")
        bench.leaving.on_changes()
        assert "1 run(s)" in dialog.choices.buttons[CANCEL].text()
        dialog.choices.buttons[""].click()
        await bench.leaving.settled()

    on_qt(main)


def test_whoever_waits_may_still_stay(bench: Bench):
    bench.engine.start("r")

    async def main() -> None:
        bench.leaving.leave()
        dialog = await shown(bench.window, ClosingDialog)
        dialog.choices.buttons[WAIT].click()
        dialog.choices.buttons[""].click()
        await bench.leaving.settled()
        bench.engine.driver.end_all("r")
        bench.leaving.on_changes()

    on_qt(main)
    assert not bench.agreed


def test_cancelling_cancels_every_run_once_and_waits_until_they_have_ended(bench: Bench):
    bench.engine.start("r")
    bench.engine.start("s")

    async def main() -> None:
        bench.leaving.leave()
        dialog = await shown(bench.window, ClosingDialog)
        dialog.choices.buttons[WAIT].click()
        dialog.choices.buttons[CANCEL].click()
        assert dialog.stage is ClosingStage.STOPPING
        assert list(dialog.choices.buttons) == [""]
        assert bench.engine.cancelled == ["r", "s"]
        bench.leaving.on_changes()
        assert not bench.agreed, "a task is stopped when it has ended"
        bench.engine.driver.end_all("r")
        bench.leaving.on_changes()
        await bench.leaving.settled()

    on_qt(main)
    assert bench.agreed == [True]


def test_a_paused_run_is_said_to_be_paused_for_nobody_should_wait_for_it_unknowing(bench: Bench):
    bench.engine.start("r")
    bench.documents.put_run("r", title="Run 12")
    bench.engine.driver.do(c.PauseRun(run_id="r"))

    async def main() -> None:
        bench.leaving.leave()
        dialog = await shown(bench.window, ClosingDialog)
        assert dialog._list.text() == "Run 12: paused, 1 running, 1 to go"
        dialog.reject()
        await bench.leaving.settled()

    on_qt(main)
    assert not bench.agreed


def test_what_would_become_of_the_runs_is_said_before_anything_is_chosen(bench: Bench):
    bench.engine.start("r")

    async def main() -> None:
        bench.leaving.leave()
        dialog = await shown(bench.window, ClosingDialog)
        assert "nothing more of it starts before you reopen it." in dialog.choices.sentence.text()
        assert "what runs now ends first, and the rest can be resumed" in dialog.choices.sentence.text()
        assert list(dialog.choices.buttons) == [CANCEL, KEEP, WAIT, ""]
        dialog.reject()
        await bench.leaving.settled()

    on_qt(main)


def test_runs_without_journals_are_said_not_to_be_resumable(bench: Bench):
    bench.engine.start("r")
    bench.engine.keeps_runs = False

    async def main() -> None:
        bench.leaving.leave()
        dialog = await shown(bench.window, ClosingDialog)
        assert "they cannot be resumed later" in dialog.choices.sentence.text()
        assert KEEP not in dialog.choices.buttons
        dialog.reject()
        await bench.leaving.settled()

    on_qt(main)


def test_paused_and_closed_it_closes_once_nothing_runs_and_the_rest_is_left(bench: Bench):
    bench.engine.start("r")
    bench.engine.start("s")
    bench.engine.driver.do(c.PauseRun(run_id="s"))

    async def main() -> None:
        bench.leaving.leave()
        dialog = await shown(bench.window, ClosingDialog)
        dialog.choices.buttons[KEEP].click()
        assert dialog.stage is ClosingStage.PAUSING
        assert "Staying leaves the runs paused." in dialog.choices.sentence.text()
        assert list(dialog.choices.buttons) == [CANCEL, ""]
        assert not bench.agreed, "a task runs"
        bench.engine.driver.end("a", "r")
        bench.leaving.on_changes()
        await bench.leaving.settled()

    on_qt(main)
    assert bench.agreed == [True]
    assert bench.leaving.leaves_runs
    assert not bench.engine.cancelled
    assert [str(run.state) for run in bench.engine.runs()] == ["paused", "paused"]


def test_paused_and_closed_where_nothing_runs_it_closes_at_once(bench: Bench):
    bench.engine.start("r")
    bench.engine.driver.do(c.PauseRun(run_id="r"))
    bench.engine.driver.end("a", "r")

    async def main() -> None:
        bench.leaving.leave()
        dialog = await shown(bench.window, ClosingDialog)
        dialog.choices.buttons[KEEP].click()
        await bench.leaving.settled()

    on_qt(main)
    assert bench.agreed == [True]


def test_the_window_is_asked_about_once_at_a_time(bench: Bench):
    bench.engine.start("r")

    async def main() -> None:
        bench.leaving.leave()
        bench.leaving.leave()
        dialog = await shown(bench.window, ClosingDialog)
        bench.leaving.leave()
        assert len(bench.window.findChildren(ClosingDialog)) == 1
        dialog.reject()
        await bench.leaving.settled()

    on_qt(main)


@pytest.mark.parametrize(("answer", "leaves"), [(SAVE, True), (DISCARD, True), ("", False)])
def test_unsaved_plans_are_asked_about_first(bench: Bench, answer: str, leaves: bool):
    for name in "ab":
        bench.documents.put_plan(small(name))

    async def main() -> None:
        bench.leaving.leave()
        dialog = await shown(bench.window, UnsavedDialog)
        dialog.choices.buttons[answer].click()
        await bench.leaving.settled()

    on_qt(main)
    assert bool(bench.agreed) is leaves
    assert len(bench.documents.documents) == (0 if answer == SAVE else 2)


def test_what_could_not_be_saved_keeps_the_window_open(bench: Bench):
    bench.documents.put_plan(small())
    bench.saves.works = False

    async def main() -> None:
        bench.leaving.leave()
        (await shown(bench.window, UnsavedDialog)).choices.buttons[SAVE].click()
        await bench.leaving.settled()

    on_qt(main)
    assert not bench.agreed
    assert len(bench.documents.documents) == 1


def test_a_clean_plan_and_a_run_close_unasked_and_the_run_goes_on(bench: Bench):
    bench.engine.start("r")
    bench.leaving.close_tab(bench.documents.put_run("r").key)
    assert not len(bench.documents)
    assert not bench.engine.cancelled


@pytest.mark.parametrize(("answer", "closes"), [(DISCARD, True), ("", False)])
def test_a_dirty_plan_is_closed_only_if_its_changes_may_be_lost(bench: Bench, answer: str, closes: bool):
    key = bench.documents.put_plan(small()).key

    async def main() -> None:
        bench.leaving.close_tab(key)
        (await shown(bench.window, UnsavedDialog)).choices.buttons[answer].click()
        await bench.leaving.settled()

    on_qt(main)
    assert (bench.documents.document(key) is None) is closes


@pytest.mark.parametrize("closes_all", [True, False])
def test_a_plan_whose_file_is_gone_is_asked_about_like_one_that_was_never_saved(
    bench: Bench, tmp_path: Path, closes_all: bool
) -> None:
    path = written(small(), tmp_path / "p.yaml")
    key = bench.documents.put_loaded(read(path)).key
    path.unlink()

    async def main() -> None:
        bench.leaving.leave() if closes_all else bench.leaving.close_tab(key)
        (await shown(bench.window, UnsavedDialog)).choices.buttons[""].click()
        await bench.leaving.settled()

    on_qt(main)
    assert not bench.agreed
    document = bench.documents.document(key)
    assert document is not None
    assert document.is_dirty


def test_a_plan_that_stands_in_its_file_is_closed_unasked(bench: Bench, tmp_path: Path) -> None:
    key = bench.documents.put_loaded(read(written(small(), tmp_path / "p.yaml"))).key

    async def main() -> None:
        bench.leaving.close_tab(key)
        await bench.leaving.settled()

    on_qt(main)
    assert bench.documents.document(key) is None


def test_a_question_that_is_taken_back_answers_nothing(bench: Bench):
    bench.engine.start("r")

    async def main() -> None:
        bench.leaving.leave()
        bench.leaving.cancel()
        await bench.leaving.settled()
        bench.leaving.leave()
        await shown(bench.window, ClosingDialog)
        bench.leaving.cancel()
        await bench.leaving.settled()
        await until(lambda: not any(each.isVisible() for each in bench.window.findChildren(ClosingDialog)))

    on_qt(main)
    assert not bench.agreed


def test_a_question_that_nobody_answers_closes_nothing(bench: Bench) -> None:
    bench.engine.start("r")

    async def main() -> None:
        bench.leaving.leave()
        dialog = await shown(bench.window, ClosingDialog)
        bench.engine.driver.end_all("r")
        bench.leaving.on_changes()
        assert dialog.stage is ClosingStage.ENDED
        assert not bench.agreed
        dialog.choices.buttons[LEAVE].click()
        await bench.leaving.settled()

    on_qt(main)
    assert bench.agreed == [True]


def test_changes_that_come_between_an_answer_and_its_being_read_meet_no_dialog(bench: Bench) -> None:
    bench.engine.start("r")

    async def main() -> None:
        bench.leaving.leave()
        dialog = await shown(bench.window, ClosingDialog)
        bench.engine.driver.end_all("r")
        bench.leaving.on_changes()
        dialog.choices.buttons[LEAVE].click()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        assert not isValid(dialog)
        bench.leaving.on_changes()
        await bench.leaving.settled()

    on_qt(main)
    assert bench.agreed == [True]
