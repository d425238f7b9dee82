"""The verbs of comparing as data."""

from __future__ import annotations

from starloom_gui.shell.entry import Entry
from starloom_gui.theme.icons import Verb as Icon
from starloom_gui.words import translate


def compare_entries() -> list[Entry]:
    """All of them, in the language that holds now."""
    return [
        Entry(
            "compare",
            translate("Actions", "Compare with an earlier run…"),
            translate("Actions", "Show an earlier run's bars below those of this one, and how each task differs"),
            Icon.COMPARE,
        ),
        Entry(
            "compare_off",
            translate("Actions", "Stop comparing"),
            translate("Actions", "Show this run alone again"),
        ),
    ]
