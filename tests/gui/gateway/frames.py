"""Waiting for frames: Qt's timers run in real time, the engine beside them in real or in virtual time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.orchestration.orchestrator import Orchestrator
    from starloom_gui.gateway.bridge import Bridge
    from starloom_gui.gateway.changes import Changes

WITHIN = 3600.0
"""Seconds, of which virtual ones pass faster than a thousand in a real one."""


async def soon(condition: Callable[[], Any]) -> None:
    """Let Qt and the loop work in turns until the condition holds."""

    def holds_after_qt_has_worked() -> Any:
        QCoreApplication.processEvents()
        return condition()

    await until(holds_after_qt_has_worked, within=WITHIN, every=0.001)


async def told(engine: Orchestrator, bridge: Bridge) -> None:
    """Notify every view of everything that has happened so far."""
    await engine.events.drained()
    await soon(lambda: bridge.is_resting)


class View:
    """Records its notifications."""

    def __init__(self, bridge: Bridge, *run_ids: str) -> None:
        self.feed = bridge.feed(*run_ids)
        self.seen: list[Changes] = []
        self.feed.changed.connect(self.on_changes)

    def on_changes(self, changes: Changes) -> None:
        self.seen.append(changes)

    def tasks(self) -> set[int]:
        return set().union(*(changes.tasks for changes in self.seen))
