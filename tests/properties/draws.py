"""What random histories choose from."""

from __future__ import annotations

from typing import Any

ENDS: tuple[dict[str, Any], ...] = (
    {},
    {},
    {},
    {"value": 2},
    {"ok": False},
    {"ok": False},
    {"lost": True},
    {"stopped": True},
    {"faulted": True},
)
GATES: tuple[dict[str, Any], ...] = (
    {},
    {"message": "Well?"},
    {"after": 5, "then": "proceed"},
    {"after": 0, "then": "proceed"},
    {"after": 30, "then": "skip"},
    {"after": 30, "then": "abort"},
)
CHANGES: tuple[dict[str, Any], ...] = (
    {"timeout": 3},
    {"priority": 90},
    {"groups": ("g",)},
    {"groups": ()},
    {"join": "any"},
    {"join": "all"},
    {"device": "d0"},
    {"requires": ["gpu"]},
    {"command": ["true"]},
    {"retry": 2},
    {"gate": "Well?"},
    {"gate": {"after": 3, "then": "proceed"}},
    {"breakpoint": True},
    {"breakpoint": False},
    {"bogus": 1},
    {"timeout": -1},
    {},
)
