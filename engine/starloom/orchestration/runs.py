"""The handles of an engine's runs: kept for those in memory, created on demand for the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from typing_extensions import override

from starloom.orchestration.run import Run
from starloom.scheduling.commands import OPERATOR

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from starloom.orchestration.bus import EventBus
    from starloom.orchestration.pump import Pump
    from starloom.orchestration.synchronizer import Synchronizer


class RunHandles(Mapping[str, Run]):
    """The handles of all runs by id, also of released ones; there are never two of one run."""

    def __init__(self, pump: Pump, events: EventBus, synchronizer: Synchronizer) -> None:
        self._parts = pump, events, synchronizer
        self._released = pump.ended_runs.released
        self._held: dict[str, Run] = {}
        self._lent: WeakValueDictionary[str, Run] = WeakValueDictionary()

    def add(self, run_id: str, origin: str) -> Run:
        """The handle of a run that is about to be made, or taken up."""
        run = self._held[run_id] = Run(run_id, *self._parts, origin)
        return run

    def discard(self, run_id: str) -> None:
        """Forget a run that was refused."""
        del self._held[run_id]

    def release(self, run_id: str) -> None:
        """Hold the handle of a released run only weakly."""
        run = self._held.pop(run_id, None)
        if run is not None:
            self._lent[run_id] = run

    def hold(self, run_id: str) -> None:
        """Hold the handle of a run that was taken into memory again."""
        self._held[run_id] = self[run_id]

    def by_id(self) -> Mapping[str, Run]:
        """The runs there are now; others that are made later do not join it."""
        return _Chosen(self, dict.fromkeys(self))

    def wake_waiters(self, run_ids: Iterable[str]) -> None:
        """Wake those who wait for the end of these runs, to check again."""
        for run_id in run_ids:
            if run_id in self:
                self[run_id].wake_waiters()

    def wake_all_waiters(self) -> None:
        """Wake those who wait for the end of a run in memory, to check again."""
        for run in tuple(self._held.values()):
            run.wake_waiters()

    def close(self) -> None:
        """Wake those who wait for the end of a run in memory, as no more events will come."""
        for run in tuple(self._held.values()):
            run.close()

    @override
    def __getitem__(self, run_id: str) -> Run:
        known = self._held.get(run_id) or self._lent.get(run_id)
        if known is None:
            if run_id not in self._released:
                raise KeyError(run_id)
            known = self._lent[run_id] = Run(run_id, *self._parts, OPERATOR)
        return known

    @override
    def __iter__(self) -> Iterator[str]:
        yield from self._released
        yield from (run_id for run_id in self._held if run_id not in self._released)

    @override
    def __len__(self) -> int:
        return sum(1 for _ in self)

    @override
    def __contains__(self, run_id: object) -> bool:
        return run_id in self._held or run_id in self._released


class _Chosen(Mapping[str, Run]):
    """Some of the runs."""

    def __init__(self, runs: RunHandles, ids: Mapping[str, None]) -> None:
        self._runs, self._ids = runs, ids

    @override
    def __getitem__(self, run_id: str) -> Run:
        if run_id not in self._ids:
            raise KeyError(run_id)
        return self._runs[run_id]

    @override
    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    @override
    def __len__(self) -> int:
        return len(self._ids)

    @override
    def __repr__(self) -> str:
        return f"<runs {', '.join(self._ids)}>"
