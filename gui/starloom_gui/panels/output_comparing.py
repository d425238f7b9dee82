"""Comparing the output of an attempt with that of another one of the task, or of an earlier run's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom.scheduling.read.run_view import RunView
from starloom_gui.panels.attempt_outputs import AttemptOutput
from starloom_gui.panels.output_attempts import attempt_words
from starloom_gui.panels.output_difference import OutputDifferenceDialog
from starloom_gui.text.words import fill

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from starloom.scheduling.read.run_view import TaskView
    from starloom_gui.diff.baseline_run import BaselineRun
    from starloom_gui.panels.output_source import FileOf
    from starloom_gui.theme.appearance import Appearance


class OutputComparing(QObject):
    """Gathers the attempts whose outputs can be compared, and opens the dialog.

    Args:
        appearance: the colours.
        shown: gives the task that is shown and the number of its attempt; None: none is.
        file_of: gives where an attempt's whole output is.
        over: the widget that the dialog lies over; it owns this.
    """

    def __init__(
        self,
        appearance: Appearance,
        shown: Callable[[], tuple[TaskView, int] | None],
        file_of: FileOf,
        over: QWidget,
    ) -> None:
        super().__init__(over)
        self._appearance, self._shown, self._file_of, self._over = appearance, shown, file_of, over
        self._earlier: BaselineRun | None = None

    def compare(self, earlier: BaselineRun | None) -> None:
        """Offer the attempts of an earlier run too; None: of none."""
        self._earlier = earlier

    def outputs(self) -> tuple[list[AttemptOutput], int]:
        """The attempts that can be compared, earlier ones first, and the place of the one that is shown."""
        shown = self._shown()
        if shown is None:
            return [], 0
        task, number = shown
        found = self._of_earlier_run(task.id)
        attempts = task.attempts
        place = len(found) + next((at for at, one in enumerate(attempts) if one.number == number), 0)
        run_id = task.run.run_id
        found += [
            AttemptOutput(
                attempt_words(one), self._file_of(run_id, task.id, one.number), one.result, is_running=one.ended is None
            )
            for one in attempts
        ]
        return found, place

    def _of_earlier_run(self, task_id: str) -> list[AttemptOutput]:
        earlier = self._earlier
        number = earlier.run.number(task_id) if earlier is not None else None
        if earlier is None or number is None:
            return []
        return [
            AttemptOutput(
                fill(self.tr("%1: %2"), earlier.title, attempt_words(one)),
                earlier.output(task_id, one.number),
                one.result,
            )
            for one in RunView(earlier.run).task(number).attempts
        ]

    def why_not(self) -> str:
        """The reason why nothing can be compared, as a sentence; empty: something can."""
        if len(self.outputs()[0]) > 1:
            return ""
        return self.tr("There is no other attempt. Compare the run with an earlier one to have its attempts here.")

    def ask(self) -> OutputDifferenceDialog | None:
        """Open the dialog: the attempt that is shown beside the one before it; None: there is no other one."""
        outputs, place = self.outputs()
        if len(outputs) < 2:
            return None
        sides = (place - 1, place) if place else (0, 1)
        dialog = OutputDifferenceDialog(self._appearance, outputs, sides, self._over.window())
        dialog.open()
        return dialog
