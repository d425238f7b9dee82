"""The window's actions on positions in the canvas in front: aligning, snapping, tidying, groups, notes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom_gui.specs.action_spec import Verdict
from starloom_gui.viewmodel.aligning import Align

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.canvas.editing_verbs import EditingVerbs
    from starloom_gui.canvas.note_verbs import NoteVerbs
    from starloom_gui.settings import Settings
    from starloom_gui.shell.main_window import MainWindow
    from starloom_gui.widgets.actions import Actions
    from starloom_gui.workspace.document_view import DocumentView
    from starloom_gui.workspace.open_views import OpenViews


class LayoutActions(QObject):
    """Carries out the actions of `shell.arrange_verbs`.

    Args:
        views: of what is open.
        actions: those of the window; they are told what is possible.
        settings: knows whether dragged nodes snap.
        window: owns this.

    Attributes:
        verbs: what is done, by the keys of the verbs.
    """

    def __init__(self, views: OpenViews, actions: Actions, settings: Settings, window: MainWindow) -> None:
        super().__init__(window)
        self._views, self._actions, self._settings = views, actions, settings
        actions["snap"].setChecked(settings.snaps)
        self.verbs: dict[str, Callable[[], object]] = {
            **{how.value: partial(self._align, how) for how in Align},
            "snap": self._snap,
            "tidy": lambda: self._canvas(lambda view: view.canvas.layout_controller.tidy()),
            "group": lambda: self._editing(lambda verbs: verbs.group()),
            "ungroup": lambda: self._editing(lambda verbs: verbs.ungroup()),
            "add_note": lambda: self._note(lambda notes: notes.add()),
            "edit_note": lambda: self._note(lambda notes: notes.edit()),
            "remove_note": lambda: self._note(lambda notes: notes.remove()),
        }

    def allow(self) -> None:
        """Update which actions are possible."""
        view, actions = self._views.front, self._actions
        nothing = Verdict(False, self.tr("Nothing is open."))
        for how in Align:
            actions.allow(how, view.canvas.gestures.alignment.can(how) if view is not None else nothing)
        actions.allow("tidy", Verdict(True) if view is not None else nothing)
        past = view.source.barred if view is not None else None
        verbs = view.canvas.gestures.verbs if view is not None else None
        actions.allow("group", past or (verbs.can_group() if verbs is not None else nothing))
        actions.allow("ungroup", past or (verbs.can_ungroup() if verbs is not None else nothing))
        notes = view.canvas.gestures.notes if view is not None else None
        actions.allow("add_note", notes.can_add() if notes is not None else nothing)
        for key in ("edit_note", "remove_note"):
            actions.allow(key, notes.can_change() if notes is not None else nothing)

    def show_snapping(self) -> None:
        """Turn snapping of the canvas in front on or off, as the setting says."""
        view = self._views.front
        if view is not None:
            view.canvas.layout_controller.wants_snap = self._settings.snaps

    def _snap(self) -> None:
        self._settings.snaps = self._actions["snap"].isChecked()
        self.show_snapping()

    def _canvas(self, act: Callable[[DocumentView], None]) -> None:
        view = self._views.front
        if view is not None:
            act(view)

    def _align(self, how: Align) -> None:
        self._canvas(lambda view: view.canvas.gestures.alignment.do(how))

    def _editing(self, act: Callable[[EditingVerbs], None]) -> None:
        view = self._views.front
        if view is not None and view.canvas.gestures.verbs is not None:
            act(view.canvas.gestures.verbs)

    def _note(self, act: Callable[[NoteVerbs], None]) -> None:
        view = self._views.front
        if view is not None and view.canvas.gestures.notes is not None:
            act(view.canvas.gestures.notes)
