"""The text of a screen reader for a row of the outline: everything that the canvas shows of a task."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from starloom.model.quantities import PRIORITY_NAMES
from starloom.model.status import TaskStatus
from starloom.scheduling.state.stops import is_bypassed
from starloom_gui.text.words import (
    amount,
    breakpoint_word,
    bypassed_word,
    clock,
    fill,
    held_word,
    noun,
    priority_word,
    status_word,
    straight,
    tasks,
    took,
    translate,
)
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.status_forms import form_word
from starloom_gui.viewmodel.task_words import second_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.scheduling.read.run_view import TaskView

_MOST_NAMES: Final = 3
_NORMAL: Final = PRIORITY_NAMES["normal"]


class _SpokenPlurals(QObject):
    """Counts with their nouns; an object as the tool that gathers texts knows plurals from `self.tr` alone."""

    def needed_by(self, count: int) -> str:
        return self.tr("needed by %n task(s)", "", count)

    def more(self, count: int) -> str:
        return self.tr("and %n more", "", count)


def spoken(task: TaskView, now: float) -> str:
    """A task in a sentence: `fuzz ui, running on build-1 for 0:42, attempt 2, needed by 1 task`.

    Args:
        task: present or removed.
        now: seconds on the engine's clock.
    """
    children = len(task.children)
    parts = (
        straight(task.title),
        _standing(task, now),
        held_word().lower() if task.is_held else "",
        noun(breakpoint_word()) if task.has_breakpoint and not task.is_stopped else "",
        _bypassed(task),
        fill(translate("Outline", "attempt %1"), task.attempt) if task.attempt > 1 else "",
        fill(translate("Outline", "priority %1"), priority_word(task.priority)) if task.priority != _NORMAL else "",
        _SpokenPlurals().needed_by(children) if children else "",
    )
    return ", ".join(filter(None, parts))


def _bypassed(task: TaskView) -> str:
    """That a task is bypassed, where its status does not say it already; empty: it is not."""
    is_unsaid = task.is_held or task.status is TaskStatus.WAITING_DEPENDENCY
    return bypassed_word().lower() if is_unsaid and is_bypassed(task.run.facts, task.number) else ""


def _standing(task: TaskView, now: float) -> str:
    status, place = task.status, task.device or ""
    if status is TaskStatus.RUNNING:
        return fill(translate("Outline", "running on %1 for %2"), place, clock(now - task.started_at))
    if status is TaskStatus.COMPLETED and task.has_last_attempt:
        return fill(translate("Outline", "done on %1 in %2"), place, took(task.ran_for(now)))
    if status is TaskStatus.FAILED and place and task.is_warning:
        return fill(translate("Outline", "failed, a warning, on %1: %2"), place, second_line(task, now))
    if status is TaskStatus.FAILED and place:
        return fill(translate("Outline", "failed on %1: %2"), place, second_line(task, now))
    if status is TaskStatus.WAITING_DEPENDENCY:
        names = [straight(parent.title) for parent in task.unanswered]
        if names:
            return fill(translate("Outline", "waits for %1"), _listed(names))
    word = translate("Outline", "removed") if status is None else status_word(status).lower()
    line = second_line(task, now)
    return fill(translate("Outline", "%1, %2"), word, line) if line and line != word else word


def _listed(names: Sequence[str]) -> str:
    """The first of some names, and how many there are besides."""
    listed = ", ".join(names[:_MOST_NAMES])
    rest = len(names) - _MOST_NAMES
    return fill("%1 %2", listed, _SpokenPlurals().more(rest)) if rest > 0 else listed


def spoken_group(name: str, counts: Sequence[int]) -> str:
    """A group with the statuses of its tasks: `Group Build, 15 tasks: 14 done, 1 failed`.

    Args:
        name: of the group.
        counts: how many tasks have each form, by `StatusForm`.
    """
    standing = ", ".join(
        fill(translate("Outline", "%1 %2"), amount(count), form_word(StatusForm(form)).lower())
        for form, count in enumerate(counts)
        if count
    )
    return fill(translate("Outline", "Group %1, %2: %3"), name, tasks(sum(counts)), standing)
