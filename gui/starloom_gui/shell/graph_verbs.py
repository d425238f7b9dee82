"""The verbs about many tasks of a graph at once, as data."""

from __future__ import annotations

from starloom_gui.shell.entry import Entry
from starloom_gui.theme.icons import Verb as Icon
from starloom_gui.words import translate


def graph_entries() -> list[Entry]:
    """All of them, in the language that holds now."""
    return [
        Entry(
            "replace",
            translate("Actions", "Find and replace…"),
            translate("Actions", "Find a text in commands, scripts and variables, and replace it in all of them"),
            Icon.EDIT,
            "Ctrl+Alt+F",
        ),
    ]
