"""Stores what is typed for a run and not set beside its journal, so that a console that dies does not lose it."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final, TypeVar

from PySide6.QtCore import QObject, QTimer

from starloom.errors import StarloomError
from starloom.journal.typed_file import Typed, TypedFields, TypedFile, TypedNote, TypedText

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

EVERY_MS: Final = 1_000
"""So often what is typed is looked for: it stands in fields of several panes, and most of the time there is nothing."""
_T = TypeVar("_T", TypedFields, TypedNote)
_log = logging.getLogger(__name__)


class RunTyped(QObject):
    """Stores what is typed for a run in this window, once a second, and knows what a window that died has left.

    Args:
        folder: gives the run's folder; None: nothing is kept of it.
        parent: of the object.
    """

    def __init__(self, folder: Callable[[], Path | None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder = folder
        found = folder()
        self._file = TypedFile(found) if found is not None else None
        self._left: tuple[Typed, ...] = self._file.entries if self._file is not None else ()
        """What was left, as long as nothing has taken it."""
        self._typed: Callable[[], Sequence[Typed]] = tuple
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(self._keep)

    def taken(self, kind: type[_T]) -> list[_T]:
        """What was left of a kind; whoever takes it shows it, and gives it to `keep` among what is typed."""
        found = [one for one in self._left if isinstance(one, kind)]
        self._left = tuple(one for one in self._left if not isinstance(one, kind))
        return found

    @property
    def texts(self) -> list[TypedText]:
        """What was left that can only be copied; it stays kept until it is let go of."""
        return [one for one in self._left if isinstance(one, TypedText)]

    def let_go(self, text: TypedText) -> None:
        """Keep a text no more, as the user has it or does not want it."""
        self._left = tuple(one for one in self._left if one is not text)

    def begin(self, typed: Callable[[], Sequence[Typed]]) -> None:
        """Store what is typed from now on, as this gives it."""
        self._typed = typed
        self._timer.start()

    def close(self) -> None:
        """Store nothing more than what was left: whoever closes a tab has been asked about what is typed there."""
        self._timer.stop()
        if self._file is None:
            return
        try:
            self._file.write(self.texts)
        except StarloomError as error:
            _log.warning("What was typed is still kept: %s", error)
        self._file.close()

    def _keep(self) -> None:
        """Store what is typed now, if that is not stored yet."""
        typed = (*self._left, *self._typed())
        if typed == (self._file.entries if self._file is not None else ()):
            return
        folder = self._folder()
        if folder is None or not folder.is_dir():
            return
        self._file = self._file or TypedFile(folder)
        try:
            self._file.write(typed)
        except StarloomError as error:
            _log.warning("What is typed is not kept: %s", error)
