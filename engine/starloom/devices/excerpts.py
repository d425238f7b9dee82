"""Texts of somebody else's, such as an agent's, as parts of a sentence or line of ours."""

from __future__ import annotations

from typing import Final

_QUOTED: Final = 120
"""Characters that are shown of a text, unless its place has more room."""


def quoted(line: bytes) -> str:
    """A line that somebody printed, shortened for a sentence."""
    return repr(one_line(line[: 4 * _QUOTED].decode(errors="replace")))


def one_line(text: str, most: int = _QUOTED) -> str:
    """A text of somebody else's as a part of a line."""
    words = " ".join(text[: 4 * most].split())
    return words if len(words) <= most else f"{words[: most - 1]}…"
