"""The actions of the canvas: its display, and the layout of nodes and notes."""

from __future__ import annotations

from typing import Final

from starloom_gui.specs.action_spec import ActionSpec, Menu
from starloom_gui.text.words import translate
from starloom_gui.theme.icons import Icon

CANVAS_ACTIONS: Final = (
    ActionSpec(
        "critical_path",
        lambda: translate("Actions", "Critical path"),
        lambda: translate("Actions", "Show what decides the end"),
        Icon.CRITICAL_PATH,
        checkable=True,
        keys=("Ctrl+P",),
        menus={Menu.CANVAS: 1, Menu.GROUND: 1},
    ),
    ActionSpec(
        "filter",
        lambda: translate("Actions", "Filter"),
        lambda: translate("Actions", "Show some tasks only, by status, device or limit group"),
        Icon.FILTER,
        checkable=True,
        keys=("Ctrl+Shift+F",),
        menus={Menu.CANVAS: 1, Menu.GROUND: 1},
    ),
    ActionSpec(
        "fit",
        lambda: translate("Actions", "Fit"),
        lambda: translate("Actions", "Show the whole graph"),
        Icon.FIT,
        keys=("Ctrl+0",),
        menus={Menu.CANVAS: 2, Menu.GROUND: 2},
    ),
    ActionSpec(
        "zoom_in",
        lambda: translate("Actions", "Larger"),
        lambda: translate("Actions", "Enlarge the graph"),
        Icon.ZOOM_IN,
        keys=("Ctrl++",),
        menus={Menu.CANVAS: 2, Menu.GROUND: 2},
    ),
    ActionSpec(
        "zoom_out",
        lambda: translate("Actions", "Smaller"),
        lambda: translate("Actions", "Show more of the graph"),
        Icon.ZOOM_OUT,
        keys=("Ctrl+-",),
        menus={Menu.CANVAS: 2, Menu.GROUND: 2},
    ),
    ActionSpec(
        "align_left",
        lambda: translate("Actions", "Align left"),
        lambda: translate("Actions", "Move the selected nodes so that their left sides are on one line"),
        keys=("Alt+Shift+Left",),
        menus={Menu.ARRANGE: 1},
    ),
    ActionSpec(
        "align_centre",
        lambda: translate("Actions", "Align centres"),
        lambda: translate("Actions", "Move the selected nodes sideways so that their middles are on one line"),
        keys=("Alt+Shift+C",),
        menus={Menu.ARRANGE: 1},
    ),
    ActionSpec(
        "align_right",
        lambda: translate("Actions", "Align right"),
        lambda: translate("Actions", "Move the selected nodes so that their right sides are on one line"),
        keys=("Alt+Shift+Right",),
        menus={Menu.ARRANGE: 1},
    ),
    ActionSpec(
        "align_top",
        lambda: translate("Actions", "Align top"),
        lambda: translate("Actions", "Move the selected nodes so that their upper sides are on one line"),
        keys=("Alt+Shift+Up",),
        menus={Menu.ARRANGE: 2},
    ),
    ActionSpec(
        "align_middle",
        lambda: translate("Actions", "Align middles"),
        lambda: translate("Actions", "Move the selected nodes up and down so that their middles are on one line"),
        keys=("Alt+Shift+M",),
        menus={Menu.ARRANGE: 2},
    ),
    ActionSpec(
        "align_bottom",
        lambda: translate("Actions", "Align bottom"),
        lambda: translate("Actions", "Move the selected nodes so that their lower sides are on one line"),
        keys=("Alt+Shift+Down",),
        menus={Menu.ARRANGE: 2},
    ),
    ActionSpec(
        "distribute_across",
        lambda: translate("Actions", "Distribute horizontally"),
        lambda: translate(
            "Actions", "Have equal gaps between the selected nodes; the leftmost and the rightmost one stay"
        ),
        keys=("Alt+Shift+H",),
        menus={Menu.ARRANGE: 3},
    ),
    ActionSpec(
        "distribute_down",
        lambda: translate("Actions", "Distribute vertically"),
        lambda: translate("Actions", "Have equal gaps between the selected nodes; the highest and the lowest one stay"),
        keys=("Alt+Shift+V",),
        menus={Menu.ARRANGE: 3},
    ),
    ActionSpec(
        "snap",
        lambda: translate("Actions", "Snap"),
        lambda: translate(
            "Actions", "Let a dragged node stop in line with others and at equal gaps; Ctrl holds it off"
        ),
        checkable=True,
        keys=("Alt+Shift+S",),
        menus={Menu.GROUND: 3, Menu.ARRANGE: 4},
    ),
    ActionSpec(
        "tidy",
        lambda: translate("Actions", "Tidy"),
        lambda: translate("Actions", "Lay all nodes out anew, also those that were placed by hand"),
        keys=("Alt+Shift+Y",),
        menus={Menu.GROUND: 3, Menu.ARRANGE: 4},
    ),
    ActionSpec(
        "group",
        lambda: translate("Actions", "Group selection…"),
        lambda: translate("Actions", "Put the selected tasks into a group, which can be folded to one node"),
        keys=("Ctrl+G",),
        menus={Menu.ARRANGE: 5},
    ),
    ActionSpec(
        "ungroup",
        lambda: translate("Actions", "Ungroup"),
        lambda: translate("Actions", "Take the selected tasks out of the groups they were put into"),
        keys=("Ctrl+Shift+G",),
        menus={Menu.ARRANGE: 5},
    ),
    ActionSpec(
        "add_note",
        lambda: translate("Actions", "Add note"),
        lambda: translate("Actions", "Write a note on the selected task, or in the middle of what is in sight"),
        keys=("Alt+Shift+N",),
        menus={Menu.NOTES: 1},
    ),
    ActionSpec(
        "edit_note",
        lambda: translate("Actions", "Edit note"),
        lambda: translate("Actions", "Write the selected note anew"),
        menus={Menu.NOTES: 1},
    ),
    ActionSpec(
        "remove_note",
        lambda: translate("Actions", "Remove note"),
        lambda: translate("Actions", "Take the selected note away"),
        menus={Menu.NOTES: 1},
    ),
)
