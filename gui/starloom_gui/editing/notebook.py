"""The notes on a canvas: those of a plan are part of it, those of a run belong to its view.

A run has the notes of the plan it was started from; what is changed of them in the console is no edit of the run. It
stays as moved nodes do, and goes along when the run's graph becomes a plan.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from starloom.journal.notes_file import keep_notes, read_notes
from starloom_gui.documents.change import PlanChange
from starloom_gui.editing.base import Rearranged

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtCore import SignalInstance

    from starloom.model.note import Note
    from starloom_gui.editing.plan_editor import PlanEditor
    from starloom_gui.editing.run_editor import RunEditor

Notes = tuple["Note", ...]


class Notebook(Protocol):
    """The protocol of a store for the notes of a canvas."""

    @property
    def changed(self) -> SignalInstance:
        """Emitted whenever there may be other notes."""

    @property
    def notes(self) -> Notes:
        """All of them, lowest first."""

    def write(self, notes: Notes, label: str, merges: str = "") -> None:
        """Replace the notes, as one step of undo; see `Step`."""


class PlanNotebook(QObject):
    """The notes of a plan: changing them is an edit of it, and saved with it.

    Args:
        editor: of the plan.
    """

    changed = Signal()

    def __init__(self, editor: PlanEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        editor.applied.connect(lambda _changes: self.changed.emit())

    @property
    def notes(self) -> Notes:
        """All of them, lowest first."""
        facts = self._editor.facts()
        return facts.notes if facts is not None else ()

    def write(self, notes: Notes, label: str, merges: str = "") -> None:
        """Replace the notes, as one step of undo; see `Step`."""
        self._editor.apply(PlanChange(fields={"notes": notes}), label, merges)


class RunNotebook(QObject):
    """The notes on a run, kept in its folder.

    Args:
        editor: of the run, which keeps the steps of undo.
        folder: gives the run's folder; None: they last as long as the view.
    """

    changed = Signal()

    def __init__(self, editor: RunEditor, folder: Callable[[], Path | None] = lambda: None) -> None:
        super().__init__(editor)
        self._editor, self._folder = editor, folder
        found = folder()
        self._own: Notes | None = None if found is None else read_notes(found)

    @property
    def notes(self) -> Notes:
        """All notes, lowest first; those of the plan until one is changed."""
        facts = self._editor.run_facts()
        return self._own if self._own is not None else facts.notes if facts is not None else ()

    def write(self, notes: Notes, label: str, merges: str = "") -> None:
        """Replace the notes, as one step of undo; see `Step`."""
        back = self._way_to(self._own)
        self._put(notes)
        self._editor.note(label, back, merges)

    def _put(self, notes: Notes | None) -> None:
        self._own = notes
        keep_notes(self._folder(), notes)
        self.changed.emit()

    def _way_to(self, notes: Notes | None) -> Rearranged:
        def carry_out() -> Rearranged:
            way = self._way_to(self._own)
            self._put(notes)
            return way

        return Rearranged(carry_out)
