"""The outputs of two attempts side by side: what differs, what was left out, and what is not there any more."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from tests.gui.event_loop.loops import run_on
from tests.gui.panels.printing_task import Printing
from tests.waiting import until

from starloom.journal.library import output_path
from starloom.model.result import Result
from starloom_gui.diff.baseline_run import BaselineRun
from starloom_gui.event_loop import QtEventLoop
from starloom_gui.panels.attempt_outputs import MOST_COMPARED, AttemptOutput, text_of
from starloom_gui.panels.output_difference import OutputDifferenceDialog

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

    from starloom_gui.theme.appearance import Appearance

BEFORE = "\n".join(["same"] * 3 + [f"line {number}" for number in range(20)]) + "\n"


def compared(
    appearance: Appearance, outputs: list[AttemptOutput], look: Callable[[OutputDifferenceDialog], None]
) -> None:
    """Open the dialog on a loop, wait for what it finds, and look at it."""

    async def main() -> None:
        dialog = OutputDifferenceDialog(appearance, outputs, (0, 1), None)
        dialog.open()
        await until(lambda: not dialog.told.endswith("…"))
        look(dialog)
        dialog.close()
        await dialog.background_tasks.settled()

    run_on(QtEventLoop, main)


def filed(folder: Path, name: str, text: str) -> AttemptOutput:
    path = folder / f"{name}.log"
    path.write_text(text, encoding="utf-8")
    return AttemptOutput(name, path, None)


def test_lines_are_aligned_marked_gone_through_and_copied(
    app: QApplication, appearance: Appearance, tmp_path: Path
) -> None:
    after = BEFORE.replace("line 4\n", "\x1b[31mline four\x1b[0m\nand more\n").replace("line 17\n", "")
    outputs = [filed(tmp_path, "one", BEFORE), filed(tmp_path, "other", after)]

    def look(dialog: OutputDifferenceDialog) -> None:
        left, right = (side.toPlainText().split("\n") for side in (dialog.shown.left, dialog.shown.right))
        assert dialog.told == "2 difference(s)."
        assert len(left) == len(right), "the rows are aligned"
        assert left[:5] == ["… 4 equal line(s)", "  line 1", "  line 2", "  line 3", "- line 4"]
        assert right[4:6] == ["+ line four", "+ and more"]
        assert left[5] == ""
        assert dialog.shown.at == 0
        dialog.activateWindow()
        QTest.keyClick(dialog.shown.left, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
        dialog.next.click() if dialog.shown.at == 0 else None
        assert dialog.shown.at == 1
        row = dialog.shown.left.textCursor().blockNumber()
        assert (left[row], right[row]) == ("- line 17", "")
        dialog.copy.click()
        assert QGuiApplication.clipboard().text().startswith("--- one\n+++ other\n@@ -5,7 +5,8 @@\n")

    compared(appearance, outputs, look)


def test_equal_empty_lost_and_unreadable_outputs_say_so(
    app: QApplication, appearance: Appearance, tmp_path: Path
) -> None:
    same = [filed(tmp_path, "a", "x\n"), filed(tmp_path, "b", "x\n")]
    compared(appearance, same, lambda dialog: _says(dialog, "Both are equal."))
    none = [AttemptOutput("a", None, Result()), AttemptOutput("b", tmp_path / "gone.log", None)]
    compared(appearance, none, lambda dialog: _says(dialog, "Neither of the two has printed anything."))
    lost = [same[0], AttemptOutput("c", tmp_path / "gone.log", Result(output="y\n", output_length=99))]
    compared(appearance, lost, lambda dialog: _says(dialog, "of that output only its end was kept."))


def _says(dialog: OutputDifferenceDialog, words: str) -> None:
    assert dialog.told.endswith(words), dialog.told


def test_of_a_large_output_the_end_is_compared(tmp_path: Path) -> None:
    found = text_of(filed(tmp_path, "large", "".join(f"{number}\n" for number in range(MOST_COMPARED + 5))))
    assert (len(found.lines), found.lines[0], found.is_whole) == (MOST_COMPARED, "5", False)


def test_a_task_with_one_attempt_has_nothing_to_compare_and_says_what_to_do(
    app: QApplication, appearance: Appearance
) -> None:
    with Printing(appearance) as printing:
        printing.select("fuzz")
        assert printing.pane.comparing.why_not().startswith("There is no other attempt.")
        assert printing.pane.comparing.ask() is None
        menu = printing.pane.open_menu(printing.pane.pos())
        (entry,) = [action for action in menu.actions() if action.text() == "Compare attempts…"]
        assert not entry.isEnabled()
        menu.close()


def test_attempts_of_a_compared_run_are_read_where_that_run_has_its_output(
    app: QApplication, appearance: Appearance, tmp_path: Path
) -> None:
    with Printing(appearance, tmp_path / "now") as printing:
        output = partial(output_path, tmp_path / "then")
        earlier = BaselineRun(printing.run, printing.driver.scheduler.now, "yesterday", output)
        printing.pane.comparing.compare(earlier)
        printing.select("fuzz")
        outputs, place = printing.pane.comparing.outputs()
        assert [one.path for one in outputs] == [
            output_path(tmp_path / "then", "fuzz", 1),
            printing.file_of("r", "fuzz", 1),
        ]
        assert (place, outputs[0].name.startswith("yesterday: Attempt 1")) == (1, True)
        assert printing.pane.comparing.why_not() == ""


def test_of_an_attempt_that_goes_on_it_is_said_until_when_it_is_compared(
    app: QApplication, appearance: Appearance, tmp_path: Path
) -> None:
    outputs = [filed(tmp_path, "one", BEFORE), replace(filed(tmp_path, "other", BEFORE), is_running=True)]

    def look(dialog: OutputDifferenceDialog) -> None:
        assert dialog.told.startswith("Both are equal. One of them still ran at ")

    compared(appearance, outputs, look)
