"""The verdicts of dependencies: counted by the children when parents end, run again or get another end.

Part of the fold: `RunFacts.unmet` and `RunFacts.no` of every task always say what all of its parents say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.scheduling.fold.stops import withdraw
from starloom.scheduling.state.codes import COMPLETED, PENDING, WAITING
from starloom.scheduling.state.run_facts import NO, READY, YES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from starloom.scheduling.state.run_facts import RunFacts


def tell_children(run: RunFacts, number: int, at: float) -> list[int]:
    """Count the verdicts of a parent that has just ended; returns the children concerned."""
    heard = []
    for child in run.graph.children[number]:
        answer = run.answer(number, child)
        if answer == YES:
            run.unmet[child] -= 1
        elif answer == NO:
            run.no[child] = run.no.get(child, 0) + 1
        else:
            continue
        heard.append(child)
    if run.backoff:
        go_on_pausing(run, heard, at)
    return heard


def forget_verdicts(run: RunFacts, number: int) -> None:
    """Drop the verdicts of conditions on the earlier end of a task."""
    if run.verdicts:
        for child in run.graph.children[number]:
            forget_verdict(run, number, child)


def forget_verdict(run: RunFacts, parent: int, child: int) -> None:
    """Drop the verdict of the condition between two tasks, if there is one."""
    run.verdicts.pop((parent, child), None)
    run.unevaluated.pop((parent, child), None)


def answers(run: RunFacts, number: int) -> list[int]:
    """The verdict of a parent for each of its children, in their order."""
    children = run.graph.children[number]
    if run.plain and children:
        return [run.answer(number, children[0])] * len(children)
    return [run.answer(number, child) for child in children]


def answer_otherwise(run: RunFacts, number: int, said: Sequence[int], at: float) -> Sequence[int]:
    """Correct the counts of the children after a parent's verdicts changed; returns the children.

    Args:
        run: the run whose facts change.
        number: the parent.
        said: what it has said to each of them before, as of `answers`.
        at: the time of the event, in seconds on the engine's clock.
    """
    children, unmet = run.graph.children[number], run.unmet
    for child, before, answer in zip(children, said, answers(run, number), strict=True):
        if answer != before:
            unmet[child] += (before == YES) - (answer == YES)
            if NO in (before, answer):
                _count_noes(run, child, run.no.get(child, 0) + (answer == NO) - (before == NO))
        _wait_again(run, child, at)
    return children


def _count_noes(run: RunFacts, number: int, noes: int) -> None:
    if noes:
        run.no[number] = noes
    else:
        run.no.pop(number, None)


def _wait_again(run: RunFacts, number: int, at: float) -> None:
    """Set a ready task that lacks a verdict to waiting; a pause before a retry continues meanwhile."""
    if run.status[number] == PENDING and run.standing(number) != READY:
        withdraw(run, number)
        run.status[number] = WAITING
    elif run.backoff:
        go_on_pausing(run, (number,), at)


def recount(run: RunFacts, number: int, at: float) -> None:
    """Recount the verdicts of all parents of a task; a ready task without all of them waits again.

    Args:
        run: the run whose facts change.
        number: the task.
        at: the time of the event, in seconds on the engine's clock.
    """
    parents, status = run.graph.parents[number], run.status
    told = [run.answer(parent, number) for parent in parents if status[parent] >= COMPLETED]
    run.unmet[number] = len(parents) - told.count(YES)
    _count_noes(run, number, told.count(NO))
    _wait_again(run, number, at)


def go_on_pausing(run: RunFacts, numbers: Iterable[int], at: float) -> None:
    """Put tasks that wait for nothing but their backoff back into it."""
    for number in numbers:
        if run.status[number] == WAITING and run.backoff.get(number, at) > at and run.standing(number) == READY:
            run.status[number] = PENDING
