"""The text of a task as it is sent: the protocol has one for prompt, tips as UFO writes them and parents' results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.devices.materials import as_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.devices.materials import Material


def request_text(prompt: str, tips: Sequence[str], found: Sequence[Material]) -> str:
    """The text; the prompt itself, where there is nothing else.

    Args:
        prompt: the task's text.
        tips: of the task.
        found: what its parents have left.

    Raises:
        MaterialMissing: it cannot be put into a text.
    """
    parts = [prompt]
    if tips:
        parts.append("Tips for Completion:\n" + "\n".join(f" - {tip}" for tip in tips))
    if found:
        parts.append(as_text(found))
    return "\n\n".join(parts)
