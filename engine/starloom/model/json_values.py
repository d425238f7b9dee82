"""Checks that free JSON in plans is JSON, as it is written to files, journals and wires."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import AfterValidator

MAX_NESTING: Final = 100


def json_problem(value: Any) -> str | None:
    """The reason why a value is not JSON, as half a sentence; None when it is. Tuples count as lists."""
    try:
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return "it holds text with half a character (a lone surrogate)"
    except (TypeError, ValueError, RecursionError) as error:
        return str(error)[:200]
    return f"it is nested more than {MAX_NESTING} levels deep" if is_too_deep(value) else None


def is_too_deep(value: Any) -> bool:
    """Whether a value is nested more than `MAX_NESTING` levels deep, so that not everything that reads it could."""
    level = [value]
    for _ in range(MAX_NESTING + 1):
        level = [
            inner
            for outer in level
            if isinstance(outer, Mapping | list | tuple)
            for inner in (outer.values() if isinstance(outer, Mapping) else outer)
        ]
        if not level:
            return False
    return True


def _check(value: Any) -> Any:
    if value:
        problem = json_problem(value)
        if problem is not None:
            raise ValueError(f"this is not JSON: {problem}")
    return value


JsonChecked = AfterValidator(_check)
"""Marks a field whose value has to be JSON."""

JsonValue = Annotated[Any, JsonChecked]
