"""The actions of the window as a whole."""

from __future__ import annotations

from typing import Final

from starloom_gui.specs.action_spec import ActionSpec, Menu
from starloom_gui.text.words import translate
from starloom_gui.theme.icons import Icon

VIEW_ACTIONS: Final = (
    ActionSpec(
        "notifications",
        lambda: translate("Actions", "Notifications"),
        lambda: translate("Actions", "List what failed, ended or got stuck"),
        keys=("Ctrl+Shift+N",),
        menus={Menu.WINDOW: 1},
    ),
    ActionSpec(
        "pane_window",
        lambda: translate("Actions", "Pane in a window of its own"),
        lambda: translate("Actions", "Move the pane with the keyboard, or the graph, to a second window, or back"),
        keys=("Alt+Shift+W",),
        menus={Menu.WINDOW: 1},
    ),
    ActionSpec(
        "reset_layout",
        lambda: translate("Actions", "Reset layout"),
        lambda: translate("Actions", "Put every pane back in its first place"),
        menus={Menu.WINDOW: 1},
    ),
    ActionSpec(
        "full_screen",
        lambda: translate("Actions", "Full screen"),
        lambda: translate("Actions", "Let the window take the whole screen, or as much as before"),
        checkable=True,
        keys=("F11",),
        menus={Menu.WINDOW: 1},
    ),
    ActionSpec(
        "reduced_motion",
        lambda: translate("Actions", "Reduced motion"),
        lambda: translate("Actions", "Let nothing move or fade"),
        checkable=True,
        menus={Menu.LOOKS: 1},
    ),
    ActionSpec(
        "utc",
        lambda: translate("Actions", "Times in UTC"),
        lambda: translate("Actions", "Show times as a clock in Greenwich without summer time would"),
        checkable=True,
        menus={Menu.LOOKS: 1},
    ),
    ActionSpec(
        "health",
        lambda: translate("Actions", "Performance figures"),
        lambda: translate("Actions", "Show in the status bar how the console keeps up with what happens"),
        checkable=True,
        menus={Menu.LOOKS: 1},
    ),
    ActionSpec(
        "commands",
        lambda: translate("Actions", "Commands…"),
        lambda: translate("Actions", "Find any command by its name"),
        Icon.SEARCH,
        keys=("Ctrl+Shift+P",),
        menus={Menu.HELP: 1},
    ),
    ActionSpec(
        "shortcuts",
        lambda: translate("Actions", "Keyboard…"),
        lambda: translate("Actions", "Show all keys"),
        keys=(
            "F1",
            "?",
        ),
        menus={Menu.HELP: 1},
    ),
    ActionSpec(
        "about",
        lambda: translate("Actions", "About Starloom"),
        lambda: translate("Actions", "Which version this is"),
        Icon.HELP,
        menus={Menu.HELP: 2},
    ),
)
