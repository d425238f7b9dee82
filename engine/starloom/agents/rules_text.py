"""The templates of rules: `${task.value.path}`, `${item.path}` and `${index}`, filled in when the rule applies.

Any other `${…}` is left as it is: it is replaced when the new task starts, like everywhere. What a result brings in is
never searched for templates again, neither here nor then.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from starloom.errors import AgentError
from starloom.formats.rule_templates import TOKEN

_STEP: Final = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")


def fill(value: Any, known: Mapping[str, Any], *, kept: bool) -> Any:
    """The value with the templates of rules filled in; text that is one template and nothing else becomes the value.

    Args:
        value: JSON.
        known: what `task`, `item` and `index` stand for.
        kept: whether the text is searched for templates again when a task starts, so that what comes from a result has
            to be written such that it is none.

    Raises:
        AgentError: a path leads nowhere.
    """
    if isinstance(value, str):
        whole = TOKEN.fullmatch(value)
        if whole is not None and whole[1]:
            found = _value_of(whole, known)
            return in_texts(found, _literal) if kept else found
        return fill_text(value, known, kept=kept)
    if isinstance(value, Mapping):
        return {key: fill(item, known, kept=kept) for key, item in value.items()}
    return [fill(item, known, kept=kept) for item in value] if isinstance(value, list | tuple) else value


def fill_text(text: str, known: Mapping[str, Any], *, kept: bool) -> str:
    """The text with the templates filled in by text: strings as they are, any other JSON in its compact form.

    Raises:
        AgentError: a path leads nowhere.
    """
    pieces: list[str] = []
    ours: list[bool] = []
    at = 0
    for token in TOKEN.finditer(text):
        if token[1]:
            pieces += [text[at : token.start()], as_text(_value_of(token, known))]
            ours += [True, False]
            at = token.end()
    pieces.append(text[at:])
    ours.append(True)
    return _joined(pieces, ours) if kept else "".join(pieces)


def as_text(value: Any) -> str:
    """A JSON value as it stands among other text."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _joined(pieces: Sequence[str], ours: Sequence[bool]) -> str:
    """The pieces as one text in which no `${` is a template unless all of it stood in the rule."""
    is_ours = [mine for piece, mine in zip(pieces, ours, strict=True) for _ in piece]
    text = "".join(pieces)
    return "".join(
        "$$" if char == "$" and text[at + 1 : at + 2] == "{" and not (is_ours[at] and is_ours[at + 1]) else char
        for at, char in enumerate(text)
    )


def _literal(text: str) -> str:
    return text.replace("${", "$${")


def in_texts(value: Any, change: Callable[[str], str]) -> Any:
    """JSON with every text in it changed; the keys of mappings stay."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {key: in_texts(item, change) for key, item in value.items()}
    return [in_texts(item, change) for item in value] if isinstance(value, list | tuple) else value


def _value_of(token: re.Match[str], known: Mapping[str, Any]) -> Any:
    name, path = token[1], token[2]
    if name not in known:
        raise AgentError(f"{token[0]}: there is no {name} here; say in for_each which list to go through.")
    value, at = known[name], name
    for step in _STEP.finditer(path):
        value = _step(token[0], at, value, step[1] if step[1] is not None else step[2])
        at += step[0]
    return value


def _step(template: str, at: str, value: Any, name: str) -> Any:
    if isinstance(value, Mapping) and name in value:
        return value[name]
    if isinstance(value, list | tuple) and re.fullmatch("[0-9]{1,9}", name) and int(name) < len(value):
        return value[int(name)]
    raise AgentError(f"{template}: {at} has no {name!r}.")
