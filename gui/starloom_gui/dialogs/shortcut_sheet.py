"""All keys at a glance: those of the menus, and those of the views that have keys of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout

from starloom_gui.canvas.hand_keys import editing_keys
from starloom_gui.dialogs.dialog import Dialog
from starloom_gui.panels.dress import text
from starloom_gui.theme.fonts import Role
from starloom_gui.theme.metrics import GAPS
from starloom_gui.words import translate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from starloom_gui.dialogs.command_palette import Named
    from starloom_gui.theme.appearance import Appearance

WIDTH: Final = 1180
COLUMNS: Final = 4
Section = tuple[str, list[tuple[str, str]]]
"""A heading, and what each of its verbs or moves is called, with its keys."""


def sections(verbs: Sequence[Named]) -> list[Section]:
    """The keys of the verbs, menu by menu, and then those of the views."""
    menus: dict[str, list[tuple[str, str]]] = {}
    for verb in verbs:
        if verb.shortcut:
            menu, _, name = verb.path.partition(": ")
            menus.setdefault(menu, []).append((name.rpartition(": ")[2], verb.shortcut))
    editing = (translate("Shortcuts", "Editing the graph"), editing_keys())
    return [*menus.items(), _of_canvas(), editing, _of_timeline(), _of_queue()]


def _of_canvas() -> Section:
    return translate("Shortcuts", "In the graph"), [
        (translate("Shortcuts", "Follow dependencies"), translate("Shortcuts", "Left, Right")),
        (translate("Shortcuts", "Go to a sibling"), translate("Shortcuts", "Up, Down")),
        (translate("Shortcuts", "First, last task"), translate("Shortcuts", "Home, End")),
        (translate("Shortcuts", "Go there without selecting"), translate("Shortcuts", "Ctrl + these")),
        (translate("Shortcuts", "Add to the selection"), translate("Shortcuts", "Ctrl+Space")),
        (translate("Shortcuts", "Show in the inspector"), translate("Shortcuts", "Enter")),
        (translate("Shortcuts", "Verbs"), translate("Shortcuts", "Menu, Shift+F10")),
        (translate("Shortcuts", "Larger, smaller, fit"), "+, -, 0"),
    ]


def _of_timeline() -> Section:
    return translate("Shortcuts", "In the timeline"), [
        (translate("Shortcuts", "Attempt before, after"), translate("Shortcuts", "Left, Right")),
        (translate("Shortcuts", "Lane above, below"), translate("Shortcuts", "Up, Down")),
        (translate("Shortcuts", "Earlier, later"), translate("Shortcuts", "Shift+Left, Shift+Right")),
        (translate("Shortcuts", "Take to another device"), translate("Shortcuts", "Alt+Up, Alt+Down; Enter")),
        (translate("Shortcuts", "Take past another task"), translate("Shortcuts", "Alt+Left, Alt+Right; Enter")),
        (translate("Shortcuts", "Pin to a device"), "P"),
        (translate("Shortcuts", "Follow the present"), "L"),
        (translate("Shortcuts", "Show the whole run"), "F"),
    ]


def _of_queue() -> Section:
    return translate("Shortcuts", "In the queue"), [
        (translate("Shortcuts", "Start earlier, later"), translate("Shortcuts", "Alt+Up, Alt+Down; Enter")),
    ]


class ShortcutSheet(Dialog):
    """Shows them; to be shown with `open()`.

    Args:
        verbs: of the menus.
        appearance: the colours.
        parent: the window it stands over.
    """

    def __init__(self, verbs: Sequence[Named], appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, translate("Shortcuts", "Keyboard"), "", width=WIDTH, parent=parent)
        columns = QHBoxLayout()
        columns.setSpacing(GAPS[4])
        for shown in _dealt(sections(verbs)):
            column = QVBoxLayout()
            column.setSpacing(GAPS[2])
            for title, rows in shown:
                column.addLayout(_section(title, rows))
            column.addStretch(1)
            columns.addLayout(column, 1)
        self.body.addLayout(columns)
        self.dress(appearance.palette)
        self.cancel.setFocus()


def _dealt(all_of_them: list[Section]) -> list[list[Section]]:
    """The sections in columns of about the same height, each in its order."""
    total = sum(len(rows) + 2 for _, rows in all_of_them)
    columns: list[list[Section]] = [[] for _ in range(COLUMNS)]
    height = 0
    for section in all_of_them:
        columns[min(COLUMNS - 1, height * COLUMNS // total)].append(section)
        height += len(section[1]) + 2
    return columns


def _section(title: str, rows: Sequence[tuple[str, str]]) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(GAPS[2])
    grid.setVerticalSpacing(GAPS[0])
    grid.setColumnStretch(0, 1)
    grid.addWidget(text(title.replace("&", "&&"), Role.SECTION, wraps=False), 0, 0, 1, 2)
    for at, (name, keys) in enumerate(rows, 1):
        grid.addWidget(text(name.replace("&", "&&"), wraps=False), at, 0)
        grid.addWidget(text(keys, look="muted", wraps=False), at, 1)
    return grid
