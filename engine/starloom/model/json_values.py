"""What plans hold as free JSON has to be JSON: it goes into files, into journals and over wires."""

from __future__ import annotations

import json
from typing import Annotated, Any

from pydantic import AfterValidator


def json_problem(value: Any) -> str | None:
    """Why a value is not JSON, as half a sentence; None when it is. Tuples count as lists."""
    try:
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return "it holds text with half a character (a lone surrogate)"
    except (TypeError, ValueError, RecursionError) as error:
        return str(error)[:200]
    return None


def _check(value: Any) -> Any:
    if value:
        problem = json_problem(value)
        if problem is not None:
            raise ValueError(f"this is not JSON: {problem}")
    return value


JsonChecked = AfterValidator(_check)
"""Marks a field whose value has to be JSON."""

JsonValue = Annotated[Any, JsonChecked]
