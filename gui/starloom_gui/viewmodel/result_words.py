"""The value that a task has returned as text: in one line, and as a page of its own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from starloom_gui.text.words import fill, plain, translate

if TYPE_CHECKING:
    from starloom.model.result import Result

_IN_A_TIP: Final = 120
"""Characters of a value in a tooltip."""


def json_text(value: Any) -> str:
    """A JSON value as text; a text stands without its quotation marks."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def value_text(value: Any, most: int = 200) -> str:
    """A JSON value in one line, an object as its entries, `lines 0.912`; empty: there is none.

    Args:
        value: of JSON.
        most: characters.
    """
    if value is None:
        return ""
    if isinstance(value, dict):
        return plain("  ".join(f"{key} {json_text(entry)}" for key, entry in value.items()), most) or "{}"
    return plain(json_text(value), most)


def value_page(value: Any) -> str:
    """A JSON value as it is copied and read at length: indented."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2, default=str)


def result_line(result: Result | None) -> str:
    """The value of a task's result as a line of a tooltip; empty: it has none."""
    words = "" if result is None else value_text(result.value, _IN_A_TIP)
    return fill(translate("Task", "Result: %1"), words) if words else ""
