"""A foreseer of steps that answers when it is told to, in place of a run's editor; for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from tests.gui.timeline.scenes import projection

from starloom.foresight.what_if import WhatIf

if TYPE_CHECKING:
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.editing.base import Step


class DrivenForeseer(QObject):
    """Keeps to `Tries`.

    Attributes:
        asked: what was asked about, in order.
    """

    tried = Signal(object, object)

    def __init__(self, run: RunFacts) -> None:
        super().__init__()
        self._run = run
        self.asked: list[Step | None] = []

    def what_if_of(self, step: Step | None) -> None:
        self.asked.append(step)

    def tell(self, step: Step | None, before: float = 600.0, after: float = 300.0) -> None:
        """Say what a step would change: when the run would end."""
        then = projection(self._run, {}, end=after)
        self.tried.emit(step, WhatIf(before=projection(self._run, {}, end=before), after=then))
