"""Running tasks that wait for a person's answer: what they have asked, and for how long they wait.

The time for which an attempt waits for answers is none of its own: its timeout, and what is expected and learnt of its
duration, leave it out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starloom.scheduling.state.run_facts import RunFacts


def numbers_of(run: RunFacts, task: int) -> list[int]:
    """The numbers of the open questions of a task, oldest first."""
    if task not in run.awaiting:
        return []
    return [number for number, asked in run.questions.items() if asked.task == task]


def number_by_key(run: RunFacts, task: int, key: int) -> int | None:
    """The number of the open question that an attempt knows by a key; None: it is closed."""
    return next((number for number in numbers_of(run, task) if run.questions[number].key == key), None)


def last_number(run: RunFacts) -> int:
    """The number of the latest question; 0: there was none."""
    return len(run.questions) + len(run.answered_by)


def awaited(run: RunFacts, task: int, now: float) -> float:
    """The seconds for which the last attempt of a task has waited for answers by now."""
    since = run.awaiting.get(task)
    return run.awaited.get(task, 0.0) + (0.0 if since is None else max(0.0, now - since))


def worked(run: RunFacts, task: int) -> float:
    """The seconds of the last attempt of a task, which is over, without those for which it waited for answers."""
    return max(0.0, run.ended_at[task] - run.started_at[task] - run.awaited.get(task, 0.0))


def due_after(run: RunFacts, task: int, seconds: float) -> float | None:
    """When the running attempt of a task has worked for so long, on the engine's clock; None: it waits for an answer.

    Args:
        run: its facts.
        task: the number of the task.
        seconds: without those for which it has waited for answers.
    """
    if task in run.awaiting:
        return None
    return run.started_at[task] + seconds + run.awaited.get(task, 0.0)
