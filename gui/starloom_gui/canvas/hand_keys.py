"""The keys with which a graph is edited, in words, for the sheet of all keys."""

from __future__ import annotations

from starloom_gui.words import translate


def editing_keys() -> list[tuple[str, str]]:
    """What can be done by keys on a canvas that can be edited, with the keys."""
    return [
        (translate("Hand", "Connect to a task behind, before"), translate("Hand", "C, Shift+C; arrows, Enter")),
        (translate("Hand", "Next, previous dependency"), translate("Hand", "E, Shift+E")),
        (translate("Hand", "Kind and condition of it"), translate("Hand", "Enter")),
        (translate("Hand", "Move an end of it"), translate("Hand", "C, Shift+C")),
        (translate("Hand", "New task behind, or into it"), translate("Hand", "Insert")),
        (translate("Hand", "Rename"), "F2"),
        (translate("Hand", "Remove"), translate("Hand", "Delete")),
        (translate("Hand", "Remove and reconnect"), translate("Hand", "Ctrl+Delete")),
        (translate("Hand", "Move nodes"), translate("Hand", "Alt+arrows")),
        (translate("Hand", "Drag nodes past every line"), translate("Hand", "Ctrl while dragging")),
        (translate("Hand", "Line nodes up"), translate("Hand", "Alt+Shift+arrows")),
        (translate("Hand", "Next, previous note"), translate("Hand", "N, Shift+N")),
        (translate("Hand", "Write, remove, move it"), translate("Hand", "Enter, Delete, Alt+arrows")),
        (translate("Hand", "Make it wider, narrower"), translate("Hand", "Alt+Shift+Right, Left")),
        (translate("Hand", "Extend the selection"), translate("Hand", "Shift+arrows, Ctrl+A")),
        (translate("Hand", "Select an area"), translate("Hand", "Shift+drag")),
    ]
