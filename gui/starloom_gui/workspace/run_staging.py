"""Stores the staged edits of a run beside its journal, so that they survive a quit or a crash."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer

from starloom.errors import StarloomError
from starloom.journal.staged_file import StagedFile, StagedStep
from starloom_gui.editing.base import Step

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from starloom_gui.editing.run_editor import RunEditor

LEAST_MS: Final = 1_000
"""So many milliseconds lie between two writings at least."""
_log = logging.getLogger(__name__)


class RunStaging(QObject):
    """Restores the staged edits of a run, and stores changes within a second and at the end, for this window alone.

    Args:
        editor: of the run; it owns this.
        folder: gives the run's folder; None: nothing is kept of it.
    """

    def __init__(self, editor: RunEditor, folder: Callable[[], Path | None]) -> None:
        super().__init__(editor)
        self._editor, self._folder = editor, folder
        found = folder()
        self._file = StagedFile(found) if found is not None else None
        if self._file is not None and self._file.steps:
            steps = [(Step(label=one.label, edits=one.edits, merges=one.merges), one.base) for one in self._file.steps]
            editor.restore(steps)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(LEAST_MS)
        self._pause.timeout.connect(self._write)
        editor.staging.changed.connect(self._changed)

    def close(self) -> None:
        """Write unsaved changes now."""
        if self._pause.isActive():
            self._pause.stop()
            self._write()
        if self._file is not None:
            self._file.close()

    def _changed(self) -> None:
        if not self._pause.isActive():
            self._pause.start()

    def _write(self) -> None:
        folder, steps = self._folder(), self._steps()
        if folder is None or not folder.is_dir():  # a run that was tidied away needs none
            return
        self._file = self._file or StagedFile(folder)
        if steps == self._file.steps:
            return
        try:
            self._file.write(steps)
        except StarloomError as error:
            _log.warning("What is staged is not kept for the next session: %s", error)

    def _steps(self) -> tuple[StagedStep, ...]:
        staging = self._editor.staging
        return tuple(
            StagedStep(label=one.step.label, edits=one.step.edits, base=staging.base(one.key), merges=one.step.merges)
            for one in staging.steps
        )
