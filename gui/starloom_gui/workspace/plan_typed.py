"""Stores what is typed in plans and not set, so that a console that dies does not lose it."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from starloom.errors import StarloomError
from starloom.journal.typed_file import TypedFile, TypedText
from starloom_gui.workspace.run_typed import EVERY_MS
from starloom_gui.workspace.typed_again import text_left

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from starloom_gui.widgets.message_bar import ErrorMessage

_log = logging.getLogger(__name__)


class PlanTyped(QObject):
    """Stores the texts of all open plans, once a second, and tells those that a console that died has left.

    Args:
        folder: where; it exists.
        typed: gives what is typed now.
        say: shows a notice.
        parent: of the object.
    """

    def __init__(
        self,
        folder: Path,
        typed: Callable[[], Sequence[TypedText]],
        say: Callable[[ErrorMessage], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._folder, self._typed, self._say = folder, typed, say
        self._file: TypedFile | None = None
        self._left: list[TypedText] = []
        """What a console that died has left, until the user has it or does not want it."""
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(self._keep)

    def begin(self) -> None:
        """Tell what was left, and store what is typed from now on."""
        self._file = TypedFile(self._folder)
        self._left = [one for one in self._file.entries if isinstance(one, TypedText)]
        for one in tuple(self._left):
            self._say(text_left(one.words, one.text, partial(self._let_go, one)))
        self._timer.start()

    def close(self) -> None:
        """Store nothing more than what was left: whoever closes the window has been asked about what is typed."""
        self._timer.stop()
        if self._file is not None:
            self._write(self._left)
            self._file.close()

    def _let_go(self, text: TypedText) -> None:
        self._left = [one for one in self._left if one is not text]

    def _keep(self) -> None:
        typed = (*self._left, *self._typed())
        if self._file is not None and typed != self._file.entries:
            self._write(typed)

    def _write(self, typed: Sequence[TypedText]) -> None:
        assert self._file is not None, "it was begun"
        try:
            self._file.write(typed)
        except StarloomError as error:
            _log.warning("What is typed in plans is not kept: %s", error)
