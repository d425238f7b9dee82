"""Describes which edits of an agent need approval."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.constellation.edits import KIND_OF
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from collections.abc import Sequence


def kind_word(kind: str) -> str:
    """The name of a kind of edit where one chooses among them."""
    return {
        "add_task": translate("Agents", "add tasks"),
        "remove_task": translate("Agents", "remove tasks"),
        "update_task": translate("Agents", "change tasks"),
        "add_dependency": translate("Agents", "add dependencies"),
        "remove_dependency": translate("Agents", "remove dependencies"),
        "update_dependency": translate("Agents", "change dependencies"),
    }.get(kind, kind)


def trust_words(asks: Sequence[str]) -> str:
    """The edits of an agent that wait for a person, in words."""
    if not asks:
        return translate("Agents", "Its edits are applied at once.")
    if set(asks) == set(KIND_OF.values()):
        return translate("Agents", "All its edits wait for your approval.")
    return fill(translate("Agents", "These wait for your approval: %1."), ", ".join(map(kind_word, asks)))
