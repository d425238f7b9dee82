"""The editing of a document's graph and timeline: palette and drops, clipboard, bars dragged to another device."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction

from starloom_gui.canvas.drops import Drops
from starloom_gui.canvas.pin_drag import PinDrag
from starloom_gui.editing.clipboard import Clipboard
from starloom_gui.editing.notebook import PlanNotebook, RunNotebook
from starloom_gui.editing.ordering import Ordering
from starloom_gui.editing.run_editor import RunEditor
from starloom_gui.editing.trial import Trial
from starloom_gui.text.words import fill
from starloom_gui.timeline.device_lanes import device_at
from starloom_gui.timeline.pins import EditorPins
from starloom_gui.viewmodel.keys import Scope, sequences, shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.canvas.view import CanvasView
    from starloom_gui.editing.notebook import Notebook
    from starloom_gui.timeline.view import TimelineView
    from starloom_gui.viewmodel.selection import Selection
    from starloom_gui.workspace.source import DocumentSource, ViewContext


class EditWiring(QObject):
    """Connects the views to the editor of a document.

    Args:
        source: whose editor it is.
        around: what all document views share.
        selection: of the document.
        canvas: where things are dropped and pasted.
        timeline: where bars are dragged.

    Attributes:
        planter: puts tasks into the graph.
        notebook: has the notes beside the tasks.
        actions: what is done with tasks, for their menu on the canvas.
        pasting: what is done with copied tasks, for the menu of the canvas.
        clipboard_verbs: what the window's menu does with the selected and the copied tasks, by the keys of its actions.

    Signals:
        refused(str, str): what was not done, and why.
    """

    refused = Signal(str, str)

    def __init__(
        self,
        source: DocumentSource,
        around: ViewContext,
        selection: Selection,
        canvas: CanvasView,
        timeline: TimelineView,
    ) -> None:
        super().__init__(canvas)
        editor = source.editor
        if isinstance(editor, RunEditor):
            canvas.set_editor(editor, around.kinds, Trial(editor, source.reader.wall, self))
        else:
            canvas.set_editor(editor, around.kinds)
        self.notebook = _notebook_of(source)
        canvas.set_notebook(self.notebook)
        verbs = canvas.gestures.verbs
        assert verbs is not None, "they were made with the editor"
        self.planter = verbs.drafting.planter
        self._clipboard = Clipboard(editor, selection, self, is_of_run=isinstance(editor, RunEditor))
        trial = Trial(editor, source.reader.wall, self) if isinstance(editor, RunEditor) else None
        Drops(canvas, verbs.drafting, self._clipboard, around.appearance, trial)
        if isinstance(editor, RunEditor):
            pins = EditorPins(editor, source.gateway, editor.facts)
            ordering = Ordering(editor, source.gateway, editor.run_facts, source.reorder, source.reader.run)
            timeline.set_pins(pins, Trial(editor, source.reader.wall, self), ordering)
        pinned = Trial(editor, source.reader.wall, self) if isinstance(editor, RunEditor) else None
        places = (around.device_at, partial(device_at, timeline))
        canvas.gestures.pins = PinDrag(canvas, editor.facts, source.gateway, places, around.appearance, pinned)
        for came in (self.planter.planted, self._clipboard.pasted):
            came.connect(canvas.folding.reveal_soon)
        for signal in (self.planter.refused, self._clipboard.refused):
            signal.connect(self.refused)
        clip = self._clipboard
        gestures = canvas.gestures
        self.clipboard_verbs: dict[str, Callable[[], object]] = {
            "cut": clip.cut,
            "copy": clip.copy,
            "paste": clip.paste,
            "paste_with_outside": self._paste_all,
            "duplicate": clip.duplicate,
            "select_all": gestures.select_everything,
        }
        self.pasting = [
            self._action(canvas, self.tr("Paste"), "paste"),
            self._action(canvas, self.tr("Paste with outside dependencies"), "paste_with_outside"),
        ]
        self._copying = [
            self._action(canvas, self.tr("Copy tasks"), "copy"),
            self._action(canvas, self.tr("Cut tasks"), "cut"),
            self._action(canvas, self.tr("Duplicate"), "duplicate"),
        ]
        self.actions = [
            *self._copying,
            self.shown(self.tr("Connect to a task behind"), "connect", partial(gestures.connect, forward=True)),
            self.shown(self.tr("Connect to a task before"), "connect_back", partial(gestures.connect, forward=False)),
            self.shown(self.tr("Rename"), "rename", verbs.rename),
            self.shown(self.tr("Remove"), "remove", verbs.remove),
            self.shown(self.tr("Remove and reconnect"), "remove_and_reconnect", verbs.remove_and_reconnect),
        ]

    @property
    def has_chosen(self) -> bool:
        """Whether a task is selected, so that it can be copied."""
        return self._clipboard.can_copy()

    def look(self) -> None:
        """Update which actions are possible, before a menu with them is shown."""
        for action in self._copying:
            action.setEnabled(self._clipboard.can_copy())
        for action in self.pasting:
            action.setEnabled(self._clipboard.can_paste())

    def _paste_all(self) -> None:
        self._clipboard.paste(with_outside=True)

    def shown(self, text: str, name: str, act: Callable[[], object], parent: QObject | None = None) -> QAction:
        """Add an action that only shows keys which the canvas handles itself.

        Args:
            text: what is read.
            name: of the command among `keys.KEYS`.
            act: what it does.
            parent: of the action; None: it lives as long as the canvas.
        """
        action = QAction(fill("%1\t%2", text, shown(Scope.GRAPH, name)), parent if parent is not None else self)
        action.triggered.connect(lambda _=False: act())
        return action

    def _action(self, canvas: CanvasView, text: str, name: str) -> QAction:
        """Add an action of the clipboard for the canvas only, as its keys mean something else in tables and texts."""
        action = QAction(text, canvas)
        action.setShortcuts(sequences(Scope.GRAPH, name))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(lambda _=False: self.clipboard_verbs[name]())
        canvas.addAction(action)
        return action


def _notebook_of(source: DocumentSource) -> Notebook:
    editor = source.editor
    return RunNotebook(editor, source.folder) if isinstance(editor, RunEditor) else PlanNotebook(editor)
