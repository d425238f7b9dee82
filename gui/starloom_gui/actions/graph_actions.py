"""The verbs about many tasks of a graph at once, as data."""

from __future__ import annotations

from starloom_gui.actions.action_spec import ActionSpec
from starloom_gui.text.words import translate
from starloom_gui.theme.icons import Verb as Icon


def graph_entries() -> list[ActionSpec]:
    """All of them, in the language that holds now."""
    return [
        ActionSpec(
            "add_task",
            translate("Actions", "Add task…"),
            translate("Actions", "Write a new task: behind the selected one, or into the selected dependency"),
            Icon.ADD,
            also=translate("Actions", "new create insert node step job"),
        ),
        ActionSpec(
            "replace",
            translate("Actions", "Find and replace…"),
            translate("Actions", "Find a text in commands, scripts and variables, and replace it in all of them"),
            Icon.EDIT,
        ),
        ActionSpec(
            "remove_redundant",
            translate("Actions", "Remove redundant dependencies"),
            translate("Actions", "Remove dependencies that a path of others replaces; in a run they are staged first"),
            Icon.REMOVE,
        ),
        ActionSpec(
            "compare_plan",
            translate("Actions", "Compare with plan"),
            translate("Actions", "Show what the run's graph has and its plan has not, and the other way round"),
            checkable=True,
        ),
        *_selecting(),
    ]


def _selecting() -> list[ActionSpec]:
    return [
        ActionSpec(
            "select_upstream",
            translate("Actions", "Select upstream"),
            translate("Actions", "Select all that the selected tasks depend on, directly or not, instead of them"),
        ),
        ActionSpec(
            "with_upstream",
            translate("Actions", "Select with upstream"),
            translate("Actions", "Select all that the selected tasks depend on, directly or not, and keep them"),
        ),
        ActionSpec(
            "select_downstream",
            translate("Actions", "Select downstream"),
            translate("Actions", "Select all that depends on the selected tasks, directly or not, instead of them"),
        ),
        ActionSpec(
            "with_downstream",
            translate("Actions", "Select with downstream"),
            translate("Actions", "Select all that depends on the selected tasks, directly or not, and keep them"),
        ),
    ]
