"""The positions of a plan's tasks in its drawing, as its author has placed them. They have no effect on a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import BeforeValidator

from starloom.model.task import Identifier

FARTHEST: Final = 1_000_000
"""The largest coordinate of a node, either way."""


def _pair(value: Any) -> Any:
    """Two whole numbers that a drawing has room for; else the sentence that says what is wrong."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise ValueError("a position is two whole numbers, as in [120, -40].")
    for number in value:
        if type(number) is not int:  # a truth value is none
            raise ValueError("a position has whole numbers only, as in [120, -40].")
        if abs(number) > FARTHEST:
            raise ValueError(f"a position has numbers from -{FARTHEST} to {FARTHEST} only.")
    return tuple(value)


Position = Annotated[tuple[int, int], BeforeValidator(_pair)]
"""The middle of a node: to the right and down, in pixels at a scale of 1."""
Positions = Mapping[Identifier, Position]
"""By task id."""
