"""Short ways in which a file gives a field of a task, such as `retry: 2`, and the mappings they stand for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_FIRST: Final = {"gate": "message", "simulate": "duration"}
"""Fields of which a file may give this one alone."""


def expanded(raw: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a task with shorthands replaced by mappings."""
    made = dict(raw)
    retry = made.get("retry")
    if isinstance(retry, int) and not isinstance(retry, bool):
        made["retry"] = {"attempts": retry + 1}
    for name, first in _FIRST.items():
        if name in made and not isinstance(made[name], Mapping):
            made[name] = {first: made[name]}
    return made


def collapsed(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of a task as short as a file can give them."""
    made = dict(raw)
    retry = made.get("retry")
    if isinstance(retry, Mapping) and retry.keys() == {"attempts"} and isinstance(retry["attempts"], int):
        made["retry"] = retry["attempts"] - 1
    for name, first in _FIRST.items():
        if isinstance(made.get(name), Mapping) and made[name].keys() == {first}:
            made[name] = made[name][first]
    return made
