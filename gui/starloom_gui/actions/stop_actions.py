"""The verbs of going on by hand, as data: breakpoints, a goal to run until, one step at a time."""

from __future__ import annotations

from starloom_gui.actions.action_spec import ActionSpec
from starloom_gui.gateway.verbs import Verb
from starloom_gui.text.words import translate, verb_word
from starloom_gui.theme.icons import Verb as Icon


def stop_entries() -> list[ActionSpec]:
    """All of them, in the language that holds now."""

    def of(verb: Verb, tip: str, icon: Icon) -> ActionSpec:
        return ActionSpec(verb.value, verb_word(verb), tip, icon, verb)

    return [
        of(
            Verb.STEP,
            translate("Actions", "Start one task of the paused run: the selected one if it can start, else the next"),
            Icon.STEP,
        ),
        of(
            Verb.RUN_ALL,
            translate("Actions", "Lift the goal: start whatever is ready again"),
            Icon.RUN_ALL,
        ),
        of(
            Verb.SET_BREAKPOINT,
            translate("Actions", "Stop them where they would start, until they are released"),
            Icon.BREAKPOINT,
        ),
        of(
            Verb.CLEAR_BREAKPOINT,
            translate("Actions", "Stop them there no longer"),
            Icon.NO_BREAKPOINT,
        ),
        of(
            Verb.RUN_UNTIL,
            translate("Actions", "Start only them and what they depend on"),
            Icon.UNTIL,
        ),
    ]
