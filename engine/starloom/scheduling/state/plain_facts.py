"""Facts as plain values for comparison: equal for equal facts, however they came about."""

from __future__ import annotations

from typing import Any

import msgspec

from starloom.scheduling.state.codes import REMOVED
from starloom.scheduling.state.cycle_facts import CycleFacts


def plain(value: Any) -> Any:
    """One fact as a plain value; a byte array is cut before trailing removed tasks."""
    if isinstance(value, bytearray):
        return value.rstrip(bytes([REMOVED])).hex()
    if isinstance(value, CycleFacts):
        return value.copy()
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, dict):
        return sorted(([str(key), msgspec.to_builtins(item)] for key, item in value.items()), key=lambda pair: pair[0])
    return value
