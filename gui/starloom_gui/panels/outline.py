"""The outline pane: the graph as a tree of groups and their tasks, also for screen readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QPoint, Signal
from PySide6.QtWidgets import QStackedLayout, QWidget
from typing_extensions import override

from starloom_gui.panels.note import empty_page
from starloom_gui.panels.outline_tree import OutlineTree
from starloom_gui.panels.task_selecting import still
from starloom_gui.viewmodel.roles import ItemRole
from starloom_gui.widgets.controls import button, sheet, text
from starloom_gui.widgets.theme_changes import Restyling

if TYPE_CHECKING:
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.models.outline import Outline
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.viewmodel.selection import Selection


class OutlinePanel(QWidget):
    """The Outline pane: groups with a stacked bar, tasks with their glyph. Return opens a group, or inspects a task.

    Attributes:
        tree: the view.

    Signals:
        activated(str): the user wants to see more of the task of this id, which is selected.
        menu_asked(QPoint): the user wants the menu of what is selected, at this place on the screen.
        open_requested: the user wants to open a plan.

    Args:
        outline: the model; the panel feeds it.
        appearance: the colours.
        selection: what is selected, shared with all other views.
        parent: the widget it lies in.
    """

    activated = Signal(str)
    menu_asked = Signal(QPoint)
    open_requested = Signal()

    def __init__(
        self, outline: Outline, appearance: Appearance, selection: Selection, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._outline, self._appearance = outline, appearance
        self.tree = OutlineTree(outline, appearance, selection)
        self.tree.setParent(self)
        self.tree.activated.connect(self._activate)
        self.tree.menu_asked.connect(self.menu_asked)
        self._sentence, self._button = text(look="muted"), button("")
        self._button.clicked.connect(self.open_requested)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.tree)
        self._stack.addWidget(empty_page(self._sentence, self._button))
        self.setFocusProxy(self.tree)
        selection.changed.connect(self._follow)
        for signal in (outline.modelReset, outline.rowsInserted, outline.rowsRemoved):
            signal.connect(self._choose)
        self._say()
        Restyling(self, appearance, self._apply_theme)
        self._choose()

    def on_changes(self, changes: Changes) -> None:
        """Show what has changed; to be connected to a feed of the run and the fleet."""
        with still(self.tree):
            self._outline.on_changes(changes)

    def set_opened(self, group: str, opened: bool = True) -> None:
        """Show, or hide, the tasks of a group; for an unknown group this waits until it exists."""
        self.tree.set_opened(group, opened)

    def _choose(self) -> None:
        self._stack.setCurrentIndex(0 if self._outline.rowCount() else 1)

    def _follow(self, _selected: object) -> None:
        if self.tree.isVisible():
            self.tree.selecting.show()

    def _activate(self, index: QModelIndex) -> None:
        if index.data(ItemRole.NUMBER) is None:
            self.tree.setExpanded(index, not self.tree.isExpanded(index))
        else:
            self.activated.emit(index.data(ItemRole.ID))

    def _say(self) -> None:
        self.setAccessibleName(self.tr("Outline"))
        self.tree.setAccessibleName(self.tr("Outline"))
        self.tree.setAccessibleDescription(self.tr("All tasks in their groups, and how they stand"))
        self._sentence.setText(self.tr("No tasks yet. They will stand here in their groups."))
        self._button.setText(self.tr("Open…"))
        self._button.setToolTip(self.tr("Open a plan from a file"))

    def _apply_theme(self, palette: Palette) -> None:
        ground = f"QTreeView {{ background: {palette.panel}; border: none; outline: none; }}"
        self.setStyleSheet(sheet(palette) + ground)
        self.tree.viewport().update()

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._say()
        super().changeEvent(event)
