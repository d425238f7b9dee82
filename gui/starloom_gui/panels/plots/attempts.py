"""The attempts of a run as columns, read from its facts. No Qt here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from starloom.model.status import TaskStatus
from starloom.scheduling.read.ready_times import ready_times
from starloom.scheduling.state.codes import COMPLETED, RUNNING
from starloom.scheduling.state.codes import FAILED as FAILED_CODE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from starloom.scheduling.state.attempts import Attempt
    from starloom.scheduling.state.run_facts import RunFacts

OTHER: Final = 0
DONE: Final = 1
FAILED: Final = 2
_KIND: Final = {TaskStatus.COMPLETED.value: DONE, TaskStatus.FAILED.value: FAILED}


class Attempts(NamedTuple):
    """The attempts of a run in columns, N of them.

    Attributes:
        number: of the task.
        nth: which attempt of its task, from 0.
        device: its place in `devices`.
        ready, started, ended: seconds on the engine's clock; one that runs ends at infinity.
        kind: `DONE`, `FAILED` or `OTHER`, as one that runs or was cancelled.
        devices: their ids.
    """

    number: NDArray[np.int64]
    nth: NDArray[np.int64]
    device: NDArray[np.int64]
    ready: NDArray[np.float64]
    started: NDArray[np.float64]
    ended: NDArray[np.float64]
    kind: NDArray[np.int64]
    devices: tuple[str, ...]


def attempts_of(run: RunFacts) -> Attempts:
    """All attempts of a run, in no order."""
    places: dict[str | None, int] = {}
    for device in dict.fromkeys(run.device_of):
        places.setdefault(device, len(places))
    of_task = np.fromiter(map(places.__getitem__, run.device_of), np.int64, len(run.device_of))
    chosen = np.flatnonzero(of_task != places[None]) if None in places else np.arange(len(of_task))
    code = np.frombuffer(bytes(run.status), np.uint8)[chosen]
    nth = np.zeros(len(run.status), np.int64)
    for number, past in run.history.items():
        nth[number] = len(past)
    latest = [
        chosen,
        nth[chosen],
        of_task[chosen],
        np.array(ready_times(run), np.float64)[chosen],
        np.array(run.started_at, np.float64)[chosen],
        np.where(code == RUNNING, np.inf, np.array(run.ended_at, np.float64)[chosen]),
        np.where(code == COMPLETED, DONE, np.where(code == FAILED_CODE, FAILED, OTHER)),
    ]
    before = [(number, at, one) for number, past in run.history.items() for at, one in enumerate(past)]
    earlier = _columns(before, places)
    return _made([np.concatenate(pair) for pair in zip(latest, earlier, strict=True)], places)


def some_attempts(found: Iterable[tuple[int, int, Attempt]]) -> Attempts:
    """Attempts as columns.

    Args:
        found: the number of the task, which of its attempts it is, and the attempt.
    """
    places: dict[str | None, int] = {}
    return _made(_columns(list(found), places), places)


def _made(columns: list[NDArray[Any]], places: dict[str | None, int]) -> Attempts:
    number, nth, device, ready, started, ended, kind = columns
    return Attempts(number, nth, device, ready, started, ended, kind, tuple(id or "" for id in places))


def _columns(found: list[tuple[int, int, Attempt]], places: dict[str | None, int]) -> list[NDArray[Any]]:
    rows = [
        (
            number,
            nth,
            places.setdefault(one.device_id, len(places)),
            one.ready,
            one.started,
            np.inf if one.ended is None else one.ended,
            OTHER if one.ended is None else _KIND.get(one.status, OTHER),
        )
        for number, nth, one in found
    ]
    table = np.array(rows, np.float64).reshape(len(rows), 7)
    whole = (0, 1, 2, 6)
    return [table[:, at].astype(np.int64) if at in whole else table[:, at] for at in range(7)]
