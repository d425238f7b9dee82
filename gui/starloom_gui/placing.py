"""What the window does about where things stand on the canvas in front: lining up, snapping, tidying, groups, notes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom_gui.bridge.verbs import Verdict
from starloom_gui.canvas.aligning import Align
from starloom_gui.shell.arrange_verbs import ADD_NOTE, EDIT_NOTE, GROUP, REMOVE_NOTE, SNAP, TIDY, UNGROUP

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.app import Console
    from starloom_gui.canvas.editing_verbs import EditingVerbs
    from starloom_gui.canvas.note_verbs import NoteVerbs
    from starloom_gui.sheets.sheet import Sheet
    from starloom_gui.shell.settings import Settings


class Placing(QObject):
    """Carries out the verbs of `shell.arrange_verbs`.

    Args:
        console: whose window it is.
        settings: knows whether dragged nodes snap.

    Attributes:
        verbs: what is done, by the keys of the verbs.
    """

    def __init__(self, console: Console, settings: Settings) -> None:
        super().__init__(console.window)
        self._console, self._settings = console, settings
        console.actions[SNAP].setChecked(settings.snaps)
        self.verbs: dict[str, Callable[[], object]] = {
            **{how.value: partial(self._align, how) for how in Align},
            SNAP: self._snap,
            TIDY: lambda: self._canvas(lambda sheet: sheet.canvas.tidy()),
            GROUP: lambda: self._editing(lambda verbs: verbs.group()),
            UNGROUP: lambda: self._editing(lambda verbs: verbs.ungroup()),
            ADD_NOTE: lambda: self._note(lambda notes: notes.add()),
            EDIT_NOTE: lambda: self._note(lambda notes: notes.edit()),
            REMOVE_NOTE: lambda: self._note(lambda notes: notes.remove()),
        }

    def allow(self) -> None:
        """Say which verbs are possible now."""
        sheet, actions = self._console.keeper.front, self._console.actions
        nothing = Verdict(False, self.tr("Nothing is open."))
        for how in Align:
            actions.allow(how, sheet.canvas.hand.lining.can(how) if sheet is not None else nothing)
        actions.allow(TIDY, Verdict(True) if sheet is not None else nothing)
        past = sheet.source.barred if sheet is not None else None
        verbs = sheet.canvas.hand.verbs if sheet is not None else None
        actions.allow(GROUP, past or (verbs.can_group() if verbs is not None else nothing))
        actions.allow(UNGROUP, past or (verbs.can_ungroup() if verbs is not None else nothing))
        notes = sheet.canvas.hand.notes if sheet is not None else None
        actions.allow(ADD_NOTE, notes.can_add() if notes is not None else nothing)
        for key in (EDIT_NOTE, REMOVE_NOTE):
            actions.allow(key, notes.can_change() if notes is not None else nothing)

    def show_snapping(self) -> None:
        """Have the canvas in front snap, or not, as it is set."""
        sheet = self._console.keeper.front
        if sheet is not None:
            sheet.canvas.wants_snap = self._settings.snaps

    def _snap(self) -> None:
        self._settings.snaps = self._console.actions[SNAP].isChecked()
        self.show_snapping()

    def _canvas(self, act: Callable[[Sheet], None]) -> None:
        sheet = self._console.keeper.front
        if sheet is not None:
            act(sheet)

    def _align(self, how: Align) -> None:
        self._canvas(lambda sheet: sheet.canvas.hand.lining.do(how))

    def _editing(self, act: Callable[[EditingVerbs], None]) -> None:
        sheet = self._console.keeper.front
        if sheet is not None and sheet.canvas.hand.verbs is not None:
            act(sheet.canvas.hand.verbs)

    def _note(self, act: Callable[[NoteVerbs], None]) -> None:
        sheet = self._console.keeper.front
        if sheet is not None and sheet.canvas.hand.notes is not None:
            act(sheet.canvas.hand.notes)
