"""The detail of a question as rich text: wrapped and never shortened, a diff with its signs in the gutter."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from starloom.model.question import legible

if TYPE_CHECKING:
    from starloom.model.question import Question
    from starloom_gui.theme.palette import Palette


def detail_html(question: Question, palette: Palette) -> str:
    """The detail of a question, escaped; lines that a diff adds are raised, those it removes muted."""
    if not question.detail:
        return ""
    lines = legible(question.detail).split("\n")
    is_diff = question.detail_kind == "diff"
    return "".join(_row(one, palette if is_diff else None) for one in lines)


def _row(line: str, palette: Palette | None) -> str:
    style = "margin: 0; white-space: pre-wrap;"
    if palette is not None:
        if line.startswith(("+++", "---")):
            style += " font-weight: bold;"
        elif line.startswith("+"):
            style += f" background-color: {palette.raised};"
        elif line.startswith("-"):
            style += f" color: {palette.muted};"
            line = f"\N{MINUS SIGN}{line[1:]}"
    return f'<p style="{style}">{escape(line) or "&nbsp;"}</p>'
