"""The templates of rules, `${task.value.path}`, `${item.path}` and `${index}`, as far as reading rules needs them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

TOKEN: Final = re.compile(r"\$\$\{|\$\{(task|item|index)((?:\.[^.\[\]{}$]+|\[\d{1,9}\])*)\}")
"""A template, its root and its path; or a `${` that is to be none."""


def is_filled(value: Any) -> bool:
    """Whether a value holds a template of a rule."""
    return any(token[1] for text in _texts(value) for token in TOKEN.finditer(text))


def names_item(value: Any) -> bool:
    """Whether a value names an item of a list that is gone through."""
    return any(token[1] in {"item", "index"} for text in _texts(value) for token in TOKEN.finditer(text))


def without_templates(text: str) -> str:
    """The text as a pattern: whatever a template may be filled with is any characters."""
    return TOKEN.sub(lambda token: "*" if token[1] else token[0], text)


def _texts(value: Any) -> Iterator[str]:
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, Mapping):
            stack.extend(item.values())
        elif isinstance(item, list | tuple):
            stack.extend(item)
