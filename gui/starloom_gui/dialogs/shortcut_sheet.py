"""The dialog with all keyboard shortcuts: those of the menus, and those of views with their own keys."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QScrollArea, QWidget

from starloom_gui.text.words import translate
from starloom_gui.theme.fonts import Role
from starloom_gui.theme.metrics import GAPS
from starloom_gui.viewmodel.keys import Scope, shown
from starloom_gui.widgets.controls import text
from starloom_gui.widgets.dialog import Dialog

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom_gui.dialogs.command_palette import PaletteEntry
    from starloom_gui.theme.appearance import Appearance

COLUMNS: Final = 4
_AROUND: Final = QSize(96, 176)
"""Pixels of the screen that are left around the keys: title, buttons, shadow, and the window's frame."""
_BETWEEN: Final = 2
"""Rows that the heading of a section and the gap below it take."""
Section = tuple[str, list[tuple[str, str]]]
"""A heading, and what each of its verbs or moves is called, with its keys."""


def sections(verbs: Sequence[PaletteEntry]) -> list[Section]:
    """The keys of the verbs, menu by menu, and then those of the views."""
    menus: dict[str, list[tuple[str, str]]] = {}
    for verb in verbs:
        if verb.shortcut:
            menu = verb.path.removesuffix(f": {verb.name}")  # what is undone may hold a colon, too
            menus.setdefault(menu.rpartition(": ")[2], []).append((verb.name, verb.shortcut))
    return [*menus.items(), _of_canvas(), _of_editing(), _of_views(), _of_plots(), _of_grid(), _of_history()]


def _keys(scope: Scope, *names: str) -> str:
    """The keys of these commands as this system writes them."""
    return ", ".join(shown(scope, name) for name in names)


def _of_canvas() -> Section:
    keys = partial(_keys, Scope.GRAPH)
    return translate("Shortcuts", "In the graph"), [
        (translate("Shortcuts", "Find a task"), translate("Shortcuts", "Type; F3, Shift+F3")),
        (translate("Shortcuts", "Follow dependencies"), translate("Shortcuts", "Left, Right")),
        (translate("Shortcuts", "Go to a sibling"), translate("Shortcuts", "Up, Down")),
        (translate("Shortcuts", "First, last task"), translate("Shortcuts", "Home, End")),
        (translate("Shortcuts", "Go there without selecting"), translate("Shortcuts", "Ctrl + these")),
        (translate("Shortcuts", "Extend the selection"), translate("Shortcuts", "Shift+arrows")),
        (translate("Shortcuts", "Select an area"), translate("Shortcuts", "Shift+drag")),
        (translate("Shortcuts", "Select all"), keys("select_all")),
        (translate("Shortcuts", "Add to the selection"), keys("toggle")),
        (translate("Shortcuts", "Show in the inspector"), translate("Shortcuts", "Enter")),
        (translate("Shortcuts", "Verbs"), translate("Shortcuts", "Menu, Shift+F10")),
        (translate("Shortcuts", "Larger or unfold, smaller or fold"), keys("unfold", "fold")),
        (
            translate("Shortcuts", "Fold by groups, by levels, unfold all"),
            keys("fold_groups", "fold_levels", "unfold_all"),
        ),
        (translate("Shortcuts", "Show the whole graph"), keys("fit_all")),
        (translate("Shortcuts", "Task to the middle"), keys("focus")),
        (translate("Shortcuts", "Turn the graph"), keys("turn")),
    ]


def _of_editing() -> Section:
    keys = partial(_keys, Scope.GRAPH)
    return translate("Shortcuts", "Editing the graph"), [
        (translate("Shortcuts", "Connect to a task behind, before"), keys("connect", "connect_back")),
        (translate("Shortcuts", "Choose its other end"), translate("Shortcuts", "arrows, Enter")),
        (translate("Shortcuts", "Next, previous dependency"), keys("next_edge", "previous_edge")),
        (translate("Shortcuts", "Kind and condition of it"), translate("Shortcuts", "Enter")),
        (translate("Shortcuts", "Move an end of it"), keys("connect", "connect_back")),
        (translate("Shortcuts", "New task behind, or into it"), keys("insert")),
        (translate("Shortcuts", "The same, of another kind"), keys("insert_kind")),
        (translate("Shortcuts", "Rename"), keys("rename")),
        (translate("Shortcuts", "Remove"), keys("remove")),
        (translate("Shortcuts", "Remove and reconnect"), keys("remove_and_reconnect")),
        (translate("Shortcuts", "Copy, cut, paste"), keys("copy", "cut", "paste")),
        (translate("Shortcuts", "Paste with outside dependencies"), keys("paste_with_outside")),
        (translate("Shortcuts", "Duplicate"), keys("duplicate")),
        (translate("Shortcuts", "Move nodes"), translate("Shortcuts", "Alt+arrows")),
        (translate("Shortcuts", "Drag nodes past every line"), translate("Shortcuts", "Ctrl while dragging")),
        (translate("Shortcuts", "Next, previous note"), keys("next_note", "previous_note")),
        (translate("Shortcuts", "Write, remove, move it"), translate("Shortcuts", "Enter, Delete, Alt+arrows")),
        (translate("Shortcuts", "Make it wider, narrower"), translate("Shortcuts", "Alt+Shift+Right, Left")),
    ]


def _of_views() -> Section:
    keys = partial(_keys, Scope.TIMELINE)
    return translate("Shortcuts", "In the timeline and in tables"), [
        (translate("Shortcuts", "Find a row or a bar"), translate("Shortcuts", "Type; F3, Shift+F3")),
        (translate("Shortcuts", "Attempt before, after"), translate("Shortcuts", "Left, Right")),
        (translate("Shortcuts", "Lane above, below"), translate("Shortcuts", "Up, Down")),
        (translate("Shortcuts", "Earlier, later"), translate("Shortcuts", "Shift+Left, Shift+Right")),
        (translate("Shortcuts", "Larger, smaller"), keys("shorter", "longer")),
        (translate("Shortcuts", "Follow the present"), keys("follow")),
        (translate("Shortcuts", "Show the whole run"), keys("whole")),
        (translate("Shortcuts", "Take to another device"), translate("Shortcuts", "Alt+Up, Alt+Down; Enter")),
        (translate("Shortcuts", "Take past another task"), translate("Shortcuts", "Alt+Left, Alt+Right; Enter")),
        (translate("Shortcuts", "Queue: earlier, later"), f"{_keys(Scope.QUEUE, 'earlier', 'later')}; Enter"),
        (translate("Shortcuts", "Tasks, outline: rename, remove"), _keys(Scope.GRAPH, "rename", "remove")),
        (translate("Shortcuts", "Tasks: copy rows"), _keys(Scope.TASKS, "copy_rows")),
        (translate("Shortcuts", "Tasks: copy errors"), _keys(Scope.TASKS, "copy_errors")),
    ]


def _of_grid() -> Section:
    keys = partial(_keys, Scope.GRID)
    return translate("Shortcuts", "In the grid of runs"), [
        (translate("Shortcuts", "Task, run before or after"), translate("Shortcuts", "arrows")),
        (translate("Shortcuts", "First, last run"), translate("Shortcuts", "Home, End")),
        (translate("Shortcuts", "Open the run at the task"), translate("Shortcuts", "Enter")),
        (translate("Shortcuts", "Copy as CSV"), keys("copy")),
        (translate("Shortcuts", "Read the journals again"), keys("read_again")),
    ]


def _of_history() -> Section:
    keys = partial(_keys, Scope.HISTORY)
    return translate("Shortcuts", "In the history"), [
        (translate("Shortcuts", "Bring back what was deleted"), keys("restore")),
        (translate("Shortcuts", "Export, import a run"), keys("export", "import")),
        (translate("Shortcuts", "Last runs of its plan"), keys("grid")),
    ]


def _of_plots() -> Section:
    return translate("Shortcuts", "In the plots"), [
        (translate("Shortcuts", "Curve above, below"), translate("Shortcuts", "Up, Down")),
        (translate("Shortcuts", "Switch a curve"), translate("Shortcuts", "Space")),
        (translate("Shortcuts", "Move the hairline"), translate("Shortcuts", "Left, Right")),
        (translate("Shortcuts", "Go back to that moment"), translate("Shortcuts", "Enter")),
        (translate("Shortcuts", "Link with the timeline"), _keys(Scope.PLOTS, "link")),
        (translate("Shortcuts", "Copy and export"), translate("Shortcuts", "Menu, Shift+F10")),
    ]


class ShortcutSheet(Dialog):
    """The dialog with all keyboard shortcuts; to be shown with `open()`.

    Args:
        verbs: of the menus.
        appearance: the colours.
        parent: the window it stands over.
    """

    def __init__(self, verbs: Sequence[PaletteEntry], appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, translate("Shortcuts", "Keyboard"), "", parent=parent)
        room = self.screen().availableSize() - _AROUND
        self.keys = QScrollArea()
        self.keys.setFrameShape(QFrame.Shape.NoFrame)
        bar = self.keys.verticalScrollBar().sizeHint().width()
        every = sections(verbs)
        made = (_in_columns(every, most) for most in range(COLUMNS, 0, -1))
        inner = next((one for one in made if one.width() + bar <= room.width()), None) or _in_columns(every, 1)
        wide = inner.width() + (bar if inner.height() > room.height() else 0)
        self.keys.setFixedSize(min(wide, room.width()), min(inner.height(), room.height()))
        self.keys.setWidget(inner)
        self.body.addWidget(self.keys)
        self.apply_theme(appearance.palette)
        inner.setAutoFillBackground(False)
        self.keys.viewport().setAutoFillBackground(False)
        self.keys.setFocus()  # Up and Down scroll; Escape and Enter close


def _in_columns(every: list[Section], most: int) -> QWidget:
    """The sections in so many columns at most, as large as they want to be."""
    made = QWidget()
    columns = QHBoxLayout(made)
    columns.setContentsMargins(0, 0, 0, 0)
    columns.setSpacing(GAPS[4])
    for dealt in _dealt(every, most):
        grid = QGridLayout()  # one for all sections, so that the keys of a column stand below each other
        grid.setHorizontalSpacing(GAPS[2])
        grid.setVerticalSpacing(GAPS[0])
        grid.setColumnStretch(1, 1)
        for title, rows in dealt:
            _add_section(grid, title, rows)
        grid.setRowStretch(grid.rowCount(), 1)
        columns.addLayout(grid, 1)
    made.resize(made.sizeHint())
    return made


def _dealt(all_of_them: list[Section], at_most: int = COLUMNS) -> list[list[Section]]:
    """The sections in columns, each in its order, so that the highest column is as low as can be."""
    heights = [len(rows) + _BETWEEN for _, rows in all_of_them]
    most = next(limit for limit in range(max(heights), sum(heights) + 1) if _columns_of(heights, limit) <= at_most)
    columns: list[list[Section]] = [[]]
    left = most
    for section, height in zip(all_of_them, heights, strict=True):
        if height > left:
            columns.append([])
            left = most
        columns[-1].append(section)
        left -= height
    return columns


def _columns_of(heights: Sequence[int], limit: int) -> int:
    """The number of columns of limited height that sections of these heights need, in their order."""
    columns, left = 1, limit
    for height in heights:
        if height > left:
            columns, left = columns + 1, limit
        left -= height
    return columns


def _add_section(grid: QGridLayout, title: str, rows: Sequence[tuple[str, str]]) -> None:
    top = grid.rowCount()
    heading = text(title, Role.SECTION, wraps=False)
    heading.setContentsMargins(0, GAPS[1] if top > 1 else 0, 0, 0)
    grid.addWidget(heading, top, 0, 1, 2)
    for at, (name, keys) in enumerate(rows, top + 1):
        grid.addWidget(text(name, wraps=False), at, 0)
        grid.addWidget(text(keys, look="muted", wraps=False), at, 1)
