"""The effect of one step, projected while the pointer rests during a drag."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from starloom_gui.editing.effect import Weigher

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from starloom.constellation.edits import Edit
    from starloom.foresight.what_if import WhatIf
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.editing.base import Step


class Trying(QObject):
    """Foresees one step at a time, the one asked about last. To be used where a loop runs.

    Args:
        what_if: foresees what edits would change; None: nothing is foreseen.
        parent: of the object.

    Signals:
        tried(Step, WhatIf): what the step that was asked about would change.
    """

    tried = Signal(object, object)

    def __init__(self, what_if: Callable[..., Coroutine[Any, Any, WhatIf]] | None, parent: QObject) -> None:
        super().__init__(parent)
        self._weigher = Weigher(what_if, self) if what_if is not None else None
        self._step: Step | None = None
        if self._weigher is not None:
            self._weigher.weighed.connect(self._tell)

    def ask(self, step: Step | None, staged: tuple[Edit, ...], facts: RunFacts | None) -> None:
        """Foresee a step if it rests; None: forget it.

        Args:
            step: which.
            staged: what it would come on top of.
            facts: of the run with that applied.
        """
        self._step = step
        if self._weigher is not None and facts is not None:
            self._weigher.ask((*staged, *step.edits) if step is not None else (), facts)

    def _tell(self) -> None:
        effect = self._weigher.effect if self._weigher is not None else None
        if effect is not None and self._step is not None:
            self.tried.emit(self._step, effect.what_if)

    def close(self) -> None:
        """Stop projecting."""
        if self._weigher is not None:
            self._weigher.close()
