"""The verbs of a canvas that edit no task, as data: lining nodes up, laying all out anew, and notes."""

from __future__ import annotations

from typing import Final

from starloom_gui.actions.action_spec import ActionSpec
from starloom_gui.text.words import translate
from starloom_gui.viewmodel.aligning import Align

SNAP: Final = "snap"
TIDY: Final = "tidy"
GROUP: Final = "group"
UNGROUP: Final = "ungroup"
ADD_NOTE: Final = "add_note"
EDIT_NOTE: Final = "edit_note"
REMOVE_NOTE: Final = "remove_note"


def arrange_entries() -> list[ActionSpec]:
    """All of them, in the language that holds now."""
    return [*_sides(), *_distances(), _snap(), _tidy(), *_groups(), *_notes()]


def _groups() -> list[ActionSpec]:
    return [
        ActionSpec(
            GROUP,
            translate("Actions", "Group selection…"),
            translate("Actions", "Put the selected tasks into a group, which can be folded to one node"),
        ),
        ActionSpec(
            UNGROUP,
            translate("Actions", "Ungroup"),
            translate("Actions", "Take the selected tasks out of the groups they were put into"),
        ),
    ]


def _notes() -> list[ActionSpec]:
    return [
        ActionSpec(
            ADD_NOTE,
            translate("Actions", "Add note"),
            translate("Actions", "Write a note beside the current task, or in the middle of what is in sight"),
        ),
        ActionSpec(EDIT_NOTE, translate("Actions", "Edit note"), translate("Actions", "Write the selected note anew")),
        ActionSpec(
            REMOVE_NOTE, translate("Actions", "Remove note"), translate("Actions", "Take the selected note away")
        ),
    ]


def _snap() -> ActionSpec:
    return ActionSpec(
        SNAP,
        translate("Actions", "Snap"),
        translate("Actions", "Let a dragged node stop in line with others and at equal gaps; Ctrl holds it off"),
        checkable=True,
    )


def _tidy() -> ActionSpec:
    return ActionSpec(
        TIDY,
        translate("Actions", "Tidy"),
        translate("Actions", "Lay all nodes out anew, also those that were placed by hand"),
    )


def _sides() -> list[ActionSpec]:
    return [
        ActionSpec(
            Align.LEFT,
            translate("Actions", "Align left"),
            translate("Actions", "Move the selected nodes so that their left sides are on one line"),
        ),
        ActionSpec(
            Align.CENTRE,
            translate("Actions", "Align centres"),
            translate("Actions", "Move the selected nodes sideways so that their middles are on one line"),
        ),
        ActionSpec(
            Align.RIGHT,
            translate("Actions", "Align right"),
            translate("Actions", "Move the selected nodes so that their right sides are on one line"),
        ),
        ActionSpec(
            Align.TOP,
            translate("Actions", "Align top"),
            translate("Actions", "Move the selected nodes so that their upper sides are on one line"),
        ),
        ActionSpec(
            Align.MIDDLE,
            translate("Actions", "Align middles"),
            translate("Actions", "Move the selected nodes up and down so that their middles are on one line"),
        ),
        ActionSpec(
            Align.BOTTOM,
            translate("Actions", "Align bottom"),
            translate("Actions", "Move the selected nodes so that their lower sides are on one line"),
        ),
    ]


def _distances() -> list[ActionSpec]:
    return [
        ActionSpec(
            Align.ACROSS,
            translate("Actions", "Distribute horizontally"),
            translate("Actions", "Have equal gaps between the selected nodes; the leftmost and the rightmost one stay"),
        ),
        ActionSpec(
            Align.DOWN,
            translate("Actions", "Distribute vertically"),
            translate("Actions", "Have equal gaps between the selected nodes; the highest and the lowest one stay"),
        ),
    ]
