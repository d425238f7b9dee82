"""What a running task asks a person, as rows of the inspector."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.model.question import legible
from starloom.scheduling.read.open_questions import questions_of
from starloom_gui.text.words import fill, moment, translate
from starloom_gui.widgets.offers import LookAtAgents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starloom.scheduling.read.run_view import RunView, TaskView


def question_rows(run: RunView, task: TaskView) -> Iterator[tuple[str, str, tuple[LookAtAgents]]]:
    """Each open question of a task: what is asked, since when, and the way to its answer."""
    for one in questions_of(run.facts):
        if one.task_id == task.id:
            text = fill(translate("Inspector", "Waits for you: %1"), legible(one.question.text))
            since = fill(translate("Inspector", "Since %1"), moment(run.wall(one.at)))
            yield text, since, (LookAtAgents(translate("Inspector", "Answer…"), question=one.number),)
