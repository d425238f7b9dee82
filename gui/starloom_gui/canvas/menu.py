"""The menu of a canvas: folding, colouring, and the direction of dependencies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from starloom.layout import Direction
from starloom_gui.canvas.colouring import ColourBy, colour_word
from starloom_gui.canvas.folding import no_groups_words
from starloom_gui.canvas.folding_choice import FoldBy
from starloom_gui.text.words import fill
from starloom_gui.viewmodel.keys import Scope, shown

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from starloom_gui.canvas.view import CanvasView
    from starloom_gui.viewmodel.selection import Selection


class GraphMenu(QMenu):
    """The menu of folding, colouring and direction. It is updated before it is shown."""

    def __init__(self, view: CanvasView, selection: Selection, parent: QWidget | None = None) -> None:
        """Create the menu; to be shown with `popup`, or added to another one.

        Args:
            view: the canvas.
            selection: of its run; its current task is the one whose group is folded.
            parent: of the menu.
        """
        super().__init__(parent if parent is not None else view)
        self._view, self._selection = view, selection
        self.setTitle(self.tr("Graph"))
        self.setToolTipsVisible(True)
        self._fold = self._put("", shown(Scope.GRAPH, "fold"))
        self._fold.triggered.connect(self._turn_group)
        self._fold_all = self._put(self.tr("Fold all groups"), shown(Scope.GRAPH, "fold_groups"))
        self._fold_all.triggered.connect(view.folding.fold_all)
        self._fold_levels = self._put(self.tr("Fold by level and name"), shown(Scope.GRAPH, "fold_levels"))
        self._fold_levels.setToolTip(
            self.tr("One node for tasks that are as far from the beginning and whose names begin alike")
        )
        self._fold_levels.triggered.connect(view.folding.fold_by_levels)
        self._unfold_all = self._put(self.tr("Unfold all groups"), shown(Scope.GRAPH, "unfold_all"))
        self._unfold_all.triggered.connect(view.folding.unfold_all)
        self._colours = self._put_colours()
        self.addSeparator()
        self._down = self._put(self.tr("Dependencies point down"), shown(Scope.GRAPH, "turn"))
        self._down.setCheckable(True)
        self._down.triggered.connect(view.layout_controller.turn)
        self.aboutToShow.connect(self.refresh)

    def _put(self, text: str, key: str = "") -> QAction:
        """Add an entry; its key is one of the canvas and only shown here.

        It is made here: PySide does not learn that an action that Qt made is gone, and may take another for it.
        """
        made = QAction(fill("%1\t%2", text, key) if key else text, self)
        self.addAction(made)
        return made

    def _put_colours(self) -> dict[ColourBy, QAction]:
        menu = self.addMenu(self.tr("Colour by"))
        together = QActionGroup(self)
        made = {}
        for by in ColourBy:
            action = made[by] = QAction(colour_word(by), menu)
            menu.addAction(action)
            action.setCheckable(True)
            action.setData(by)
            together.addAction(action)
        together.triggered.connect(self._colour)
        return made

    def _colour(self, action: QAction) -> None:
        self._view.highlights.set_colour_by(ColourBy(action.data()))

    def _turn_group(self) -> None:
        current = self._selection.now.current
        if not self._view.folding.unfold_group_of(current):
            self._view.folding.fold_group_of(current)

    def refresh(self) -> None:
        """Update the entries."""
        view, current = self._view, self._selection.now.current
        name, names = view.folding.group_at(current), view.folding.outline_names
        text = self.tr("Unfold group %1") if view.folding.is_folded(current) else self.tr("Fold group %1")
        key = shown(Scope.GRAPH, "unfold" if view.folding.is_folded(current) else "fold")
        self._fold.setText(fill("%1\t%2", fill(text, name) if name else self.tr("Fold group"), key))
        self._fold.setEnabled(bool(name))
        self._fold.setToolTip("" if name else self.tr("Select a task that is in a group with others."))
        self._fold_all.setEnabled(view.folding.by is FoldBy.LEVEL or not view.folding.is_folding(names))
        self._fold_all.setToolTip("" if names else no_groups_words())
        self._unfold_all.setEnabled(view.folding.by is not FoldBy.NOTHING)
        self._down.setChecked(view.layout_controller.arrangement.direction is Direction.DOWN)
        self._colours[view.highlights.colour_by].setChecked(True)
