"""Autosave: unsaved documents are kept, so that a crash loses only the last seconds, and offered at the next start."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer

from starloom.errors import PlanError
from starloom_gui.text.engine_words import why_not
from starloom_gui.text.words import fill
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from starloom.model.plan import Plan
    from starloom_gui.documents.document import Document
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.documents.unsaved import RecoveredPlans, Unsaved, UnsavedPlans

PAUSE: Final = 0.5
"""Seconds from a change until it is kept; what changes meanwhile is kept with it."""
REST: Final = 4.0
"""So many times as long as keeping took last nothing is kept again: plans of 50,000 tasks take seconds."""


class Autosave(QObject):
    """Keeps the open documents that are not saved. A closed, saved or discarded one is kept no more.

    To be used where the loop runs, and to be closed.

    Args:
        documents: what is open.
        kept: where it is kept; closed together with this.
        report: is told what could not be kept.
        pause: seconds from a change until it is kept.
        wall: gives seconds since 1970.
        parent: of the object.
    """

    def __init__(
        self,
        documents: OpenDocuments,
        kept: UnsavedPlans,
        report: Callable[[ErrorMessage], None],
        *,
        pause: float = PAUSE,
        wall: Callable[[], float] = time.time,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._documents, self._kept, self._report, self._wall = documents, kept, report, wall
        self._ordered: dict[str, tuple[Plan, Path | None, bool]] = {}
        self._given_up: dict[str, Plan] = {}
        self._jobs: deque[tuple[str, Callable[[], None]]] = deque()
        self._task: asyncio.Task[None] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._pause = pause
        self._timer.setInterval(round(pause * 1000))
        self._timer.timeout.connect(self._keep)
        documents.changed.connect(self._look)

    # ---- following the open documents

    def _unsaved(self) -> dict[str, Document]:
        """The documents that are to be kept."""
        given_up = self._given_up
        return {
            one.key: one for one in self._documents.documents if one.is_dirty and given_up.get(one.key) is not one.plan
        }

    def _look(self) -> None:
        unsaved = self._unsaved()
        for key in [key for key in self._ordered if key not in unsaved]:
            del self._ordered[key]
            self._order(self.tr("What was kept of a plan is still there"), partial(self._kept.forget, key))
        if not self._timer.isActive() and any(map(self._is_new, unsaved.values())):
            self._timer.start()

    def _is_new(self, document: Document) -> bool:
        plan, path, is_seen = self._ordered.get(document.key, (None, None, False))
        return plan is not document.plan or path != document.path or is_seen != document.is_seen

    def _keep(self) -> None:
        for document in filter(self._is_new, self._unsaved().values()):
            self._ordered[document.key] = document.plan, document.path, document.is_seen
            what = fill(self.tr("“%1” is not kept safe from a crash"), document.title)
            self._order(what, partial(self._kept.keep, document, self._wall()))

    def _order(self, what: str, job: Callable[[], None]) -> None:
        """Queue a job on the files; `what` is in the message if it fails."""
        self._jobs.append((what, job))
        if self._task is None:
            self._begin()

    def _begin(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._work(), name="console: keep what is not saved")
        self._task.add_done_callback(self._ended)

    async def _work(self) -> None:
        while self._jobs:
            what, job = self._jobs.popleft()
            begun = time.monotonic()
            try:
                await asyncio.to_thread(job)
            except (OSError, PlanError) as error:
                self._report(ErrorMessage(what, why_not(error)))
            self._timer.setInterval(round(1000 * max(self._pause, REST * (time.monotonic() - begun))))

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._task = None
        if self._jobs and not task.cancelled():  # ordered between its last look and this call, or behind an error
            self._begin()
        if not task.cancelled() and (error := task.exception()) is not None:
            raise error

    # ---- after a crash

    async def found(self) -> RecoveredPlans:
        """The documents that consoles which died have left; no other console finds them from now on.

        Raises:
            OSError: it cannot be looked for.
        """
        return await asyncio.to_thread(self._kept.found)

    def restore(self, lost: Sequence[Unsaved]) -> None:
        """Open kept documents; they stay kept until they are saved."""
        for one in lost:
            document = self._documents.put_back(one)
            self._ordered[document.key] = document.plan, document.path, document.is_seen
            what = fill(self.tr("“%1” is not kept safe from a crash"), document.title)
            self._order(what, partial(self._kept.adopt, one, document.key))

    def discard(self, lost: Sequence[Unsaved]) -> None:
        """Remove kept documents; returns at once."""
        for one in lost:
            what = fill(self.tr("“%1” was not discarded"), one.title)
            self._order(what, partial(self._kept.drop, one))

    # ---- ending

    def give_up(self) -> None:
        """Discard the stored state of all unsaved plans, as the user has agreed to lose it."""
        self._given_up = {document.key: document.plan for document in self._documents.documents if document.is_dirty}
        self._look()

    async def settled(self) -> None:
        """Return once all writing and removing is done."""
        while self._task is not None:
            await asyncio.wait([self._task])

    async def close(self) -> None:
        """Keep for the next start what is still not saved and was not given up, and close the files."""
        self._timer.stop()
        self._documents.changed.disconnect(self._look)
        self._keep()
        await self.settled()
        await asyncio.to_thread(self._kept.close)
