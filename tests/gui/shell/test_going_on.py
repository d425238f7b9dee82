"""Closing a window whose runs go on in the background: at once, or once what runs in the console itself has ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QApplication
from tests.gui.documents.plans import on_qt, shown
from tests.gui.shell.leaving_bench import Bench, bench
from tests.waiting import until

from starloom.errors import CommandRefused
from starloom.model.status import RunState
from starloom.server.socket_path import ServerError
from starloom_gui.dialogs.closing import BACKGROUND, CANCEL, KEEP, WAIT, ClosingDialog, ClosingStage, UnfinishedRun

if TYPE_CHECKING:
    from starloom_gui.theme.appearance import Appearance

__all__ = ["bench"]


def test_runs_go_on_in_the_background_at_once_where_nothing_is_interrupted(bench: Bench):
    bench.engine.start("r")
    bench.engine.can_go_on, bench.engine.agents = True, ["helper"]

    async def main() -> None:
        bench.leaving.leave()
        dialog = await shown(bench.window, ClosingDialog)
        assert WAIT not in dialog.choices.buttons, "it would come to the same"
        assert dialog.choices.sentence.text().endswith(
            "Agents end with this window, and are not asked any more: helper."
        )
        dialog.choices.choose(BACKGROUND)
        assert dialog.stage is ClosingStage.HANDING_OVER
        assert not bench.agreed
        bench.engine.may_hand_over.set()
        await bench.leaving.settled()

    on_qt(main)
    assert bench.agreed == [True]
    assert bench.leaving.hands_over
    assert bench.engine.handed_over == [frozenset()], "no run was paused for it"


def test_what_would_be_interrupted_is_named_and_waited_for_while_nothing_more_is_started(bench: Bench):
    bench.engine.start("r")
    bench.engine.can_go_on, bench.engine.interrupted = True, ["a (d)"]
    bench.engine.may_hand_over.set()

    async def main() -> None:
        bench.leaving.leave()
        dialog = await shown(bench.window, ClosingDialog)
        assert "ends first, and nothing more is started until then: a (d)." in dialog.choices.sentence.text()
        dialog.choices.choose(BACKGROUND)
        (run,) = bench.engine.runs()
        await until(lambda: run.state is RunState.PAUSED)
        assert "end first: a (d)" in dialog.choices.sentence.text()
        assert not bench.engine.handed_over
        bench.engine.interrupted.clear()
        bench.leaving.on_changes()
        await bench.leaving.settled()

    on_qt(main)
    assert bench.agreed == [True]
    assert bench.engine.handed_over == [frozenset({"r"})], "it goes on there"


@pytest.mark.parametrize("key", ["", CANCEL])
def test_who_does_not_hand_over_after_all_goes_on_as_before_or_cancels(bench: Bench, key: str):
    bench.engine.start("r")
    bench.engine.can_go_on, bench.engine.interrupted = True, ["a (d)"]

    async def main() -> None:
        bench.leaving.leave()
        dialog = await shown(bench.window, ClosingDialog)
        dialog.choices.choose(BACKGROUND)
        await until(lambda: next(iter(bench.engine.runs())).state is RunState.PAUSED)
        dialog.choices.choose(key)
        if key == CANCEL:
            assert not bench.engine.handed_over
            bench.engine.driver.end_all("r")
            bench.leaving.on_changes()
        await bench.leaving.settled()
        (run,) = bench.engine.runs()
        assert run.state is (RunState.EXECUTING if key == "" else RunState.CANCELLED)

    on_qt(main)
    assert bench.agreed == ([True] if key == CANCEL else [])
    assert not bench.leaving.hands_over


def test_why_runs_cannot_be_handed_over_is_said_and_something_started_meanwhile_is_waited_for(bench: Bench):
    bench.engine.start("r")
    bench.engine.can_go_on = True
    bench.engine.may_hand_over.set()
    bench.engine.refusals = [
        CommandRefused("would_interrupt", "Something has just been started.", "Wait."),
        ServerError("The server does not come up."),
    ]

    async def main() -> None:
        bench.leaving.leave()
        dialog = await shown(bench.window, ClosingDialog)
        dialog.choices.choose(BACKGROUND)
        await until(
            lambda: dialog.choices.sentence.text().startswith("The server does not come up. 1 run(s) not finished.")
        )
        assert set(dialog.choices.buttons) == {CANCEL, KEEP, WAIT, ""}
        dialog.choices.choose("")
        await bench.leaving.settled()

    on_qt(main)
    assert not bench.agreed
    assert not bench.leaving.hands_over


def test_a_closing_dialog_has_room_for_its_texts_at_each_stage(bench: Bench, appearance: Appearance):
    bench.window.show()
    dialog = ClosingDialog(appearance, [UnfinishedRun("night", 2, 4)], bench.window, goes_on=True)
    dialog.show()
    sentence = dialog.choices.sentence

    def is_whole() -> bool:
        QApplication.processEvents()
        return sentence.height() >= sentence.heightForWidth(sentence.width())

    assert is_whole()
    dialog.choices.choose(BACKGROUND)
    assert is_whole()
    dialog.show_interrupted(["a rather long name of a task (with its device)", "another one (there)"])
    assert is_whole()
    dialog.show_trouble("The server does not come up. See the log for why, which is in the folder of the journals.")
    assert is_whole()
