"""What a click on a badge of the canvas shows: the question, the output, the staged changes, or the fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom_gui.canvas.badges import BadgeAct
from starloom_gui.widgets.offers import LookAtAgents

if TYPE_CHECKING:
    from starloom.scheduling.read.run_view import RunView
    from starloom_gui.workspace.document_view import DocumentView

_PANES: Final = {BadgeAct.OUTPUT: "output", BadgeAct.CHANGES: "changes"}


def show_act(view: DocumentView, number: int, act: BadgeAct) -> None:
    """Show what the badge of a task of a view is about; the task is selected."""
    run = view.reader.view()
    if act is BadgeAct.FIELDS:
        view.inspect_asked.emit()
    elif act in _PANES:
        view.pane_asked.emit(_PANES[act])
    elif run is not None:
        view.agents_asked.emit(_question(run, number) if act is BadgeAct.QUESTION else LookAtAgents(""))


def _question(run: RunView, number: int) -> LookAtAgents:
    """What a task asks: the question of its attempt, or as a gate."""
    asked = (question for question, facts in run.facts.questions.items() if facts.task == number)
    question = next(asked, 0)
    return LookAtAgents("", question=question) if question else LookAtAgents("", gate=run.task(number).id)
