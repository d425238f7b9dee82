"""Asks before an edit lets tasks start at once, as what has started cannot be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from starloom.constellation.edits import RemoveTask
from starloom_gui.editing import steps
from starloom_gui.editing.change_words import names
from starloom_gui.editing.early_starts import starts_at_once
from starloom_gui.text.words import fill
from starloom_gui.widgets.question import Choice, ChoiceDialog

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from starloom.scheduling.read.run_view import RunView
    from starloom_gui.editing.base import Step
    from starloom_gui.editing.run_editor import RunEditor
    from starloom_gui.theme.appearance import Appearance

START: Final = "start"
RECONNECT: Final = "reconnect"


class EarlyStartsQuestion(QObject):
    """Asks about one step, and offers to connect what is around removed tasks where that keeps the others waiting.

    Args:
        appearance: the colours.
        window: what the question stands over.
    """

    def __init__(self, appearance: Appearance, window: QWidget) -> None:
        super().__init__(window)
        self._appearance, self._window = appearance, window

    def ask(self, editor: RunEditor, step: Step, numbers: tuple[int, ...]) -> None:
        """Ask, and carry out what is chosen.

        Args:
            editor: of the run.
            step: what was asked for.
            numbers: the tasks that would start.
        """
        run = editor.view()
        if run is None:
            return
        instead = _reconnecting(run, step)
        is_one = len(numbers) == 1
        sentence = (
            self.tr("%1 would start at once: nothing else keeps it waiting. What has started cannot be undone.")
            if is_one
            else self.tr("%1 would start at once: nothing else keeps them waiting. What has started cannot be undone.")
        )
        choices = [
            Choice(START, self.tr("Let it start") if is_one else self.tr("Let them start"), is_apart=True),
            Choice("", self.tr("Cancel"), is_default=instead is None),
        ]
        if instead is not None:
            choices.append(Choice(RECONNECT, self.tr("Remove and reconnect"), is_default=True))
        question = ChoiceDialog(
            self._appearance,
            fill(self.tr("%1?"), step.label),
            fill(sentence, names(map(run.facts.graph.names.label, numbers))),
            choices,
            parent=self._window,
        )

        def carry_out(key: str) -> None:
            wanted = {START: step, RECONNECT: instead}.get(key)
            if wanted is not None:
                editor.do_confirmed(wanted)

        question.choices.answered.connect(carry_out)
        question.open()


def _reconnecting(run: RunView, step: Step) -> Step | None:
    """The step that connects the parents of removed tasks with their children; None: these would start all the same."""
    gone = [run.facts.graph.place[edit.task_id] for edit in step.edits if isinstance(edit, RemoveTask)]
    if not gone or len(gone) < len(step.edits):
        return None
    instead = steps.remove_and_reconnect(run.facts, gone)
    return None if starts_at_once(run.facts, instead.edits) else instead
