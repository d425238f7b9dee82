"""Facts as plain values that can be compared: equal for equal facts, whatever way they came about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from starloom.scheduling.codes import REMOVED
from starloom.scheduling.cycle_facts import CycleFacts

if TYPE_CHECKING:
    from starloom.scheduling.run_facts import RunFacts


def canonical(run: RunFacts) -> dict[str, Any]:
    """All facts of a run; of tasks that were removed, only that they were."""
    plain: dict[str, Any] = {}
    for name in type(run).__slots__:
        if name not in {"fleet", "graph"}:
            plain[name] = _plain(getattr(run, name))
    plain["graph"] = run.graph.canonical_bytes().decode()
    present = run.graph.place.values()
    for name in ("tries", "ready_at", "started_at", "ended_at", "slot_of", "device_of", "results", "unmet"):
        values = getattr(run, name)
        plain[name] = {number: _plain(values[number]) for number in sorted(present)}
    return plain


def _plain(value: Any) -> Any:
    if isinstance(value, bytearray):
        return value.rstrip(bytes([REMOVED])).hex()
    if isinstance(value, CycleFacts):
        return value.copy()
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, dict):
        return sorted(([str(key), msgspec.to_builtins(item)] for key, item in value.items()), key=lambda pair: pair[0])
    return value
