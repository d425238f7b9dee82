"""The verbs of comparing as data."""

from __future__ import annotations

from starloom_gui.actions.action_spec import ActionSpec
from starloom_gui.text.words import translate
from starloom_gui.theme.icons import Verb as Icon


def compare_entries() -> list[ActionSpec]:
    """All of them, in the language that holds now."""
    return [
        ActionSpec(
            "compare",
            translate("Actions", "Compare with an earlier run…"),
            translate("Actions", "Show an earlier run's bars below those of this one, and how each task differs"),
            Icon.COMPARE,
        ),
        ActionSpec(
            "compare_off",
            translate("Actions", "Stop comparing"),
            translate("Actions", "Show this run alone again"),
        ),
    ]
