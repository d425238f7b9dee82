"""What agents have used by their own account, added up by device."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from starloom.model.result import Result
    from starloom.scheduling.state.run_facts import RunFacts


class UsedByAgents(msgspec.Struct):
    """The attempts on a device and what they have used; of those that still run nothing is known yet.

    Attributes:
        sessions: how many attempts there were.
        tokens: of all of them together.
        costs: of all of them together, by currency.
    """

    sessions: int = 0
    tokens: int = 0
    costs: dict[str, float] = {}


def used_on(device_ids: Collection[str], runs: Iterable[RunFacts]) -> dict[str, UsedByAgents]:
    """What the attempts of these runs have used on each of these devices; of one without attempts there is nothing."""
    found: dict[str, UsedByAgents] = {}
    for run in runs if device_ids else ():
        for device_id, result in _attempts(run):
            if device_id in device_ids:
                _add(found.setdefault(device_id, UsedByAgents()), result)
    return found


def _attempts(run: RunFacts) -> Iterator[tuple[str, Result | None]]:
    """The device and result of each attempt."""
    for device_id, result in zip(run.device_of, run.results, strict=True):
        if device_id is not None:
            yield device_id, result
    for past in run.history.values():
        for attempt in past:
            yield attempt.device_id, attempt.result


def _add(used: UsedByAgents, result: Result | None) -> None:
    used.sessions += 1
    if result is not None and (told := result.usage) is not None:
        used.tokens += told.tokens
        if told.currency:
            used.costs[told.currency] = used.costs.get(told.currency, 0.0) + told.cost
