"""What a sheet's graph and timeline are edited with: palette and drops, clipboard, bars dragged to another device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence

from starloom_gui.canvas.drops import Drops
from starloom_gui.editing.adding import Planter
from starloom_gui.editing.clipboard import Clipboard
from starloom_gui.editing.notebook import PlanNotebook, RunNotebook
from starloom_gui.editing.ordering import Ordering
from starloom_gui.editing.run_editor import RunEditor
from starloom_gui.editing.trial import Trial
from starloom_gui.timeline.pins import EditorPins
from starloom_gui.words import fill

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.canvas.view import CanvasView
    from starloom_gui.editing.notebook import Notebook
    from starloom_gui.selection import Selection
    from starloom_gui.sheets.source import Source, Surroundings
    from starloom_gui.timeline.view import TimelineView


class Hands(QObject):
    """Wires them to the editor of a sheet.

    Args:
        source: whose editor it is.
        around: what all sheets share.
        selection: of the sheet.
        canvas: where things are dropped and pasted.
        timeline: where bars are dragged.

    Attributes:
        planter: puts tasks into the graph.
        notebook: has the notes beside the tasks.
        actions: those of the clipboard; for the menu of the canvas.

    Signals:
        refused(str, str): what was not done, and why.
    """

    refused = Signal(str, str)

    def __init__(
        self, source: Source, around: Surroundings, selection: Selection, canvas: CanvasView, timeline: TimelineView
    ) -> None:
        super().__init__(canvas)
        editor = source.editor
        if isinstance(editor, RunEditor):
            canvas.set_editor(editor, around.kinds, Trial(editor, around.wall, self))
        else:
            canvas.set_editor(editor, around.kinds)
        self.notebook: Notebook = RunNotebook(editor) if isinstance(editor, RunEditor) else PlanNotebook(editor)
        canvas.set_notebook(self.notebook)
        self.planter, self._clipboard = Planter(editor, selection, self), Clipboard(editor, selection, self)
        trial = Trial(editor, around.wall, self) if isinstance(editor, RunEditor) else None
        Drops(canvas, self.planter, self._clipboard, around.appearance, trial)
        if isinstance(editor, RunEditor):
            pins = EditorPins(editor, source.asks, editor.run_facts)
            ordering = Ordering(editor, source.asks, editor.run_facts, source.passing, around.run)
            timeline.set_pins(pins, Trial(editor, around.wall, self), ordering)
        for signal in (self.planter.refused, self._clipboard.refused):
            signal.connect(self.refused)
        clip = self._clipboard
        self.actions = [
            self._action(canvas, self.tr("Copy tasks"), "Ctrl+C", clip.copy),
            self._action(canvas, self.tr("Cut tasks"), "Ctrl+X", clip.cut),
            self._action(canvas, self.tr("Paste"), "Ctrl+V", clip.paste),
            self._action(canvas, self.tr("Paste with outside dependencies"), "Ctrl+Shift+V", self._paste_all),
            self._action(canvas, self.tr("Duplicate"), "Ctrl+D", clip.duplicate),
        ]
        if (verbs := canvas.hand.verbs) is not None:
            self.actions += [
                self._shown(canvas, self.tr("Rename"), "F2", verbs.rename),
                self._shown(canvas, self.tr("Remove"), self.tr("Del"), verbs.remove),
                self._shown(canvas, self.tr("Remove and reconnect"), self.tr("Ctrl+Del"), verbs.remove_and_reconnect),
            ]

    def look(self) -> None:
        """See what is possible now, before a menu with these actions is shown."""
        for action in (*self.actions[:2], *self.actions[4:]):
            action.setEnabled(self._clipboard.can_copy())
        for action in self.actions[2:4]:
            action.setEnabled(self._clipboard.can_paste())

    def _paste_all(self) -> None:
        self._clipboard.paste(with_outside=True)

    def _shown(self, canvas: CanvasView, text: str, keys: str, act: Callable[[], object]) -> QAction:
        """An action whose keys the canvas takes itself, and which are only told here."""
        action = QAction(fill("%1\t%2", text, keys), canvas)
        action.triggered.connect(lambda _=False: act())
        return action

    def _action(self, canvas: CanvasView, text: str, keys: str, act: Callable[[], object]) -> QAction:
        """An action whose keys are the canvas' own: in a table or a text they mean something else."""
        action = QAction(text, canvas)
        action.setShortcut(QKeySequence(keys))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(lambda _=False: act())
        canvas.addAction(action)
        return action
