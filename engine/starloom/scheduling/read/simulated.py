"""The tasks of a run that count as done though they have not run: simulated devices took them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.scheduling.state.codes import COMPLETED

if TYPE_CHECKING:
    from starloom.scheduling.state.run_facts import RunFacts


def was_simulated(run: RunFacts, number: int) -> bool:
    """Whether a task says what to run and counts as done, but was only simulated; of `simulate` tasks that is meant."""
    return number in run.simulated and run.status[number] == COMPLETED and run.has_last_attempt(number)


def simulations(run: RunFacts) -> int:
    """The number of tasks that count as done though they were only simulated."""
    status, device_of = run.status, run.device_of  # with each picture of a run
    return sum(status[number] == COMPLETED and device_of[number] is not None for number in run.simulated)
