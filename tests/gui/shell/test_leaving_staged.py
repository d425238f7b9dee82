"""Quitting asks before what is staged for a run that has ended is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.gui.documents.plans import on_qt, shown
from tests.gui.shell.leaving_bench import Bench

from starloom_gui.dialogs.closing import DISCARD, KEEP, ClosingDialog
from starloom_gui.widgets.question import ChoiceDialog

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.theme.appearance import Appearance


@pytest.fixture
def bench(documents: OpenDocuments, appearance: Appearance, parent: QWidget) -> Bench:
    return Bench(documents, appearance, parent)


@pytest.mark.parametrize("answer", [DISCARD, ""])
def test_what_is_staged_for_a_run_that_has_ended_is_not_lost_unasked(bench: Bench, answer: str):
    bench.engine.start("r")
    bench.documents.put_run("r", title="Run 12")
    bench.engine.driver.end_all("r")
    bench.engine.counts["r"] = 2

    async def main() -> None:
        bench.leaving.leave()
        dialog = await shown(bench.window, ChoiceDialog)
        assert "2 change(s)" in dialog.choices.sentence.text()
        assert "Run 12" in dialog.choices.sentence.text()
        assert dialog.choices.buttons[""].isDefault()
        dialog.choices.buttons[answer].click()
        await bench.leaving.settled()

    on_qt(main)
    assert bench.agreed == ([True] if answer else [])
    assert bench.engine.counts == ({} if answer else {"r": 2}), "what is discarded does not come back"


@pytest.mark.parametrize("stays", [True, False])
def test_whoever_stays_for_a_run_that_goes_on_loses_nothing_staged(bench: Bench, *, stays: bool):
    for run_id in ("r", "on"):
        bench.engine.start(run_id)
        bench.documents.put_run(run_id)
    bench.engine.driver.end_all("r")
    bench.engine.counts["r"] = 2

    async def main() -> None:
        bench.leaving.leave()
        (await shown(bench.window, ChoiceDialog)).choices.buttons[DISCARD].click()
        dialog = await shown(bench.window, ClosingDialog)
        assert bench.engine.counts == {"r": 2}
        if stays:
            dialog.reject()
        else:
            dialog.choices.buttons[KEEP].click()
            bench.engine.driver.end("a", "on")  # while which it waits
            bench.leaving.on_changes()
        await bench.leaving.settled()

    on_qt(main)
    assert bench.agreed == ([] if stays else [True])
    assert bench.engine.counts == ({"r": 2} if stays else {})
