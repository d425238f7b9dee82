"""The verbs of time travel as data."""

from __future__ import annotations

from starloom_gui.actions.action_spec import ActionSpec
from starloom_gui.text.words import translate
from starloom_gui.theme.icons import Verb as Icon


def time_entries() -> list[ActionSpec]:
    """All of them, in the language that holds now."""

    def entry(key: str, text: str, tip: str, icon: Icon, *, checkable: bool = False) -> ActionSpec:
        return ActionSpec(key, text, tip, icon, checkable=checkable)

    return [
        entry(
            "time_travel",
            translate("Actions", "Time travel"),
            translate("Actions", "Show the run as it was at any moment"),
            Icon.TIMES,
            checkable=True,
        ),
        entry(
            "play_past",
            translate("Actions", "Play"),
            translate("Actions", "Let the run's time pass, or stand still"),
            Icon.RUN,
        ),
        entry(
            "step_back",
            translate("Actions", "Previous event"),
            translate("Actions", "Show the run as it was before its last event"),
            Icon.STEP_BACK,
        ),
        entry(
            "step_forth",
            translate("Actions", "Next event"),
            translate("Actions", "Show the run as it was after its next event"),
            Icon.STEP_FORTH,
        ),
        entry(
            "to_begin",
            translate("Actions", "To the beginning"),
            translate("Actions", "Show the run as it was at first"),
            Icon.TO_BEGIN,
        ),
        entry(
            "to_end",
            translate("Actions", "To the end"),
            translate("Actions", "Show how the run ended, or as it is now"),
            Icon.TO_END,
        ),
        entry(
            "present",
            translate("Actions", "Back to live"),
            translate("Actions", "Show the run as it is now"),
            Icon.LIVE,
        ),
    ]
