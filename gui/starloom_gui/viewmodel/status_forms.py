"""The form of a task: that of its status, but a failure that is a warning has one of its own.

Those that are counted or painted by the thousand are read from the engine's arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom.model.status import TaskStatus
from starloom.scheduling.state.codes import FAILED, REMOVED, is_terminal
from starloom_gui.text.words import status_word, translate
from starloom_gui.theme.status_form import StatusForm

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom.scheduling.read.run_view import RunView, TaskView
    from starloom.scheduling.state.run_facts import RunFacts

_FORMS: Final = tuple(StatusForm)
_FORM_OF_STATE: Final = {
    "created": StatusForm.WAITING,
    "ready": StatusForm.WAITING,
    "completed": StatusForm.COMPLETED,
    "failed": StatusForm.FAILED,
    "partially_failed": StatusForm.FAILED,
    "unreadable": StatusForm.FAILED,
    "cancelled": StatusForm.CANCELLED,
    "executing": StatusForm.RUNNING,
    "paused": StatusForm.PENDING,
    "interrupted": StatusForm.PENDING,
}


def form_of_run(state: str, cancelled: int = 0) -> StatusForm | None:
    """The form whose glyph stands for a state of a run; None: nobody knows it.

    Args:
        state: a `RunState`, `interrupted` or `unreadable`.
        cancelled: how many tasks were cancelled; a run that is done without these is marked as cancelled.
    """
    form = _FORM_OF_STATE.get(state)
    return StatusForm.CANCELLED if form is StatusForm.COMPLETED and cancelled else form


def form_of(task: TaskView) -> StatusForm:
    """The form in which a task is painted."""
    is_warning = task.status is TaskStatus.FAILED and task.is_warning
    return StatusForm.WARNED if is_warning else StatusForm.of(task.status)


def form_at(facts: RunFacts, number: int) -> StatusForm:
    """The form in which one of thousands of tasks is painted.

    Args:
        facts: of its run.
        number: of the task, present or removed.
    """
    code = facts.status[number]
    return StatusForm.WARNED if code == FAILED and facts.is_warning(number) else _FORMS[code]


def form_codes(facts: RunFacts) -> bytearray:
    """The form of each task of a run, by its number."""
    codes = bytearray(facts.status)
    for number in facts.with_status(FAILED) if FAILED in codes else ():
        codes[number] = form_at(facts, number)
    return codes


def is_marked_held(facts: RunFacts, number: int) -> bool:
    """Whether a task is marked as held: one that has ended stays held for its next attempt, which is no news yet."""
    return number in facts.held and not is_terminal(facts.status[number])


def form_counts(run: RunView, numbers: Iterable[int] | None = None) -> tuple[int, ...]:
    """The number of tasks of each form, by `StatusForm`: a failure that is a warning is not among the failed.

    Args:
        run: the one they are of.
        numbers: of the tasks that are counted; None: all of the run that are present.
    """
    facts = run.facts
    if numbers is None:
        codes: bytes | bytearray = facts.status
        warned = facts.warnings() if FAILED in codes else 0
    else:
        some = tuple(numbers)
        codes = bytes(map(facts.status.__getitem__, some))  # with each picture, and three times as fast so
        failed = (number for number in some if facts.status[number] == FAILED) if FAILED in codes else ()
        warned = sum(map(facts.is_warning, failed))
    counts = [codes.count(code) for code in range(REMOVED)]
    counts[FAILED] -= warned
    return (*counts, 0, warned)


def bypassed_count(run: RunView) -> int:
    """The number of tasks that complete, or have completed, without running."""
    facts = run.facts
    return sum(task.is_bypassed for _, task in facts.graph.present()) if facts.steered else 0


def form_word(form: StatusForm) -> str:
    """The name of a form, e.g. `Done`; not for removed tasks."""
    if form is StatusForm.WARNED:
        return translate("Words", "Failed, a warning")
    return status_word(form.status)
