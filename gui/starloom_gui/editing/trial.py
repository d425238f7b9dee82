"""The effect of a step while it is still being dragged, in words for the note at the pointer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from starloom_gui.editing.effect_words import finish_of
from starloom_gui.text.words import fill

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import SignalInstance

    from starloom.foresight.what_if import WhatIf
    from starloom_gui.editing.base import Step


class Tries(Protocol):
    """The protocol of what projects a step, as `RunEditor` does."""

    @property
    def tried(self) -> SignalInstance:
        """Emitted with a step and its projected effect."""

    def what_if_of(self, step: Step | None) -> None:
        """Project a step, once it rests; None: drop the request."""


class Trial(QObject):
    """Shows the projected effect of one step at a time; late answers are dropped.

    Args:
        editor: foresees.
        wall: gives seconds since 1970 of a moment on the engine's clock.
        parent: of the object.

    Attributes:
        words: when the run would end, now and then; empty: it is not known, or not known yet.

    Signals:
        changed: `words` are others.
    """

    changed = Signal()

    def __init__(self, editor: Tries, wall: Callable[[float], float], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._editor, self._wall = editor, wall
        self._step: Step | None = None
        self.words = ""
        editor.tried.connect(self._tell)

    def ask(self, step: Step | None) -> None:
        """Request a projection of a step once the pointer has rested; None: the drag has ended."""
        if step != self._step:
            self._step, self.words = step, ""
            self._editor.what_if_of(step)

    def _tell(self, step: Step, found: WhatIf) -> None:
        if step != self._step or found.after is None:
            return
        finish = finish_of(found, self._wall)
        if not finish.gain and finish.before == finish.after:
            return  # neither is known: there is nothing to say
        words = fill(self.tr("Finish %1 → %2"), finish.before, finish.after)
        self.words = fill(self.tr("%1, %2"), words, finish.gain) if finish.gain else words
        self.changed.emit()
