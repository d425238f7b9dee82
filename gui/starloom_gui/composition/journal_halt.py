"""A journal that cannot be written: the window says so while the engine has halted, with a way to try again."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom.journal.base import JournalError
from starloom_gui.event_loop import BackgroundTasks
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.orchestration.orchestrator import Orchestrator
    from starloom_gui.gateway.bridge import Bridge
    from starloom_gui.widgets.message_bar import MessageBar


class JournalHalt(QObject):
    """Watches whether an engine has halted. To be used where the loop runs.

    Args:
        engine: what may halt.
        bridge: is to read everything anew once it goes on.
        strip: says it.
        changed: is called whenever it halts or goes on.
        parent: of the object.
    """

    def __init__(
        self,
        engine: Orchestrator,
        bridge: Bridge,
        strip: MessageBar,
        changed: Callable[[], object],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._engine, self._bridge, self._strip, self._changed = engine, bridge, strip, changed
        self._goes_on = asyncio.Event()
        self._since: float | None = None
        self.background_tasks = BackgroundTasks("console: journal")

    def watch(self) -> None:
        """Start to show a message whenever the engine has halted."""
        self.background_tasks.begin(self._watch())

    @property
    def behind(self) -> float:
        """The seconds since it has halted; 0: it has not."""
        return max(0.001, self._bridge.now() - self._since) if self._since is not None else 0.0

    def retry(self) -> None:
        """Retry the commit that failed."""
        halted = self._strip.shown
        try:
            self._engine.retry_commit()
        except JournalError:
            self._say()
            return
        self._strip.settle(halted.what if halted is not None else "")
        self._bridge.read_anew()
        self._goes_on.set()
        self._since = None
        self._changed()

    def close(self) -> None:
        """Watch no more."""
        self.background_tasks.cancel()

    async def _watch(self) -> None:
        while True:
            await self._engine.until_halted()
            self._goes_on.clear()
            self._since = self._bridge.now()
            self._say()
            self._changed()
            await self._goes_on.wait()

    def _say(self) -> None:
        what = self.tr("Nothing more is started, as the journal cannot be written")
        reason, remedy = str(self._engine.halted or ""), self.tr("Try again")
        self._strip.show_trouble(ErrorMessage(what, reason, remedy, self.retry, stays=True))
