"""What a screen reader says of a row of the outline: everything that the canvas shows of a task, as one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from starloom.model.quantities import PRIORITY_NAMES
from starloom.scheduling.state.codes import COMPLETED, FAILED, REMOVED, RUNNING, STATUS_OF, WAITING
from starloom.scheduling.state.run_facts import UNANSWERED
from starloom_gui.models.task_cells import title
from starloom_gui.text.words import (
    amount,
    breakpoint_word,
    clock,
    fill,
    held_word,
    noun,
    priority_word,
    status_word,
    tasks,
    took,
    translate,
)
from starloom_gui.viewmodel.task_words import duration, form_word, second_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.scheduling.state.run_facts import RunFacts

_MOST_NAMES: Final = 3
_NORMAL: Final = PRIORITY_NAMES["normal"]


class _SpokenPlurals(QObject):
    """Counts with their nouns; an object as the tool that gathers texts knows plurals from `self.tr` alone."""

    def needed_by(self, count: int) -> str:
        return self.tr("needed by %n task(s)", "", count)

    def more(self, count: int) -> str:
        return self.tr("and %n more", "", count)


def spoken(run: RunFacts, number: int, now: float) -> str:
    """A task with all there is to say of it: `fuzz ui, running on build-1 for 0:42, attempt 2, needed by 1 task`.

    Args:
        run: the facts.
        number: of a task, present or removed.
        now: seconds on the engine's clock.
    """
    priority, tries = run.priority[number], run.tries[number]
    children = len(run.graph.children[number])
    parts = (
        title(run, number),
        _standing(run, number, now),
        held_word().lower() if number in run.held else "",
        noun(breakpoint_word()) if number in run.breakpoints and not run.is_stopped(number) else "",
        fill(translate("Outline", "attempt %1"), tries) if tries > 1 else "",
        fill(translate("Outline", "priority %1"), priority_word(priority)) if priority != _NORMAL else "",
        _SpokenPlurals().needed_by(children) if children else "",
    )
    return ", ".join(filter(None, parts))


def _standing(run: RunFacts, number: int, now: float) -> str:
    code, place = run.status[number], run.device_of[number] or ""
    if code == RUNNING:
        return fill(translate("Outline", "running on %1 for %2"), place, clock(now - run.started_at[number]))
    if code == COMPLETED and run.has_last_attempt(number):
        return fill(translate("Outline", "done on %1 in %2"), place, took(duration(run, number, now)))
    if code == FAILED and place and run.is_warning(number):
        return fill(translate("Outline", "failed, a warning, on %1: %2"), place, second_line(run, number, now))
    if code == FAILED and place:
        return fill(translate("Outline", "failed on %1: %2"), place, second_line(run, number, now))
    if code == WAITING:
        names = [title(run, one) for one in sorted(run.graph.parents[number]) if run.answer(one, number) == UNANSWERED]
        if names:
            return fill(translate("Outline", "waits for %1"), _listed(names))
    word = translate("Outline", "removed") if code == REMOVED else status_word(STATUS_OF[code]).lower()
    line = second_line(run, number, now)
    return fill(translate("Outline", "%1, %2"), word, line) if line and line != word else word


def _listed(names: Sequence[str]) -> str:
    """The first of some names, and how many there are besides."""
    listed = ", ".join(names[:_MOST_NAMES])
    rest = len(names) - _MOST_NAMES
    return fill("%1 %2", listed, _SpokenPlurals().more(rest)) if rest > 0 else listed


def spoken_group(name: str, counts: Sequence[int]) -> str:
    """A group with how its tasks stand: `Group Build, 15 tasks: 14 done, 1 failed`.

    Args:
        name: of the group.
        counts: how many tasks have each code of `scheduling.state.codes`.
    """
    standing = ", ".join(
        fill(translate("Outline", "%1 %2"), amount(count), form_word(code).lower())
        for code, count in enumerate(counts)
        if count
    )
    return fill(translate("Outline", "Group %1, %2: %3"), name, tasks(sum(counts)), standing)
