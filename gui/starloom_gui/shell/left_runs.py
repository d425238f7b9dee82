"""Runs that were left to go on in the background: those that have ended since are shown at the next start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom.errors import StarloomError
from starloom.journal.records import find_folder, record
from starloom.model.status import ENDED_STATES
from starloom_gui.event_loop import BackgroundTasks
from starloom_gui.event_loop.background import in_background
from starloom_gui.models.run_table import state_words
from starloom_gui.text.words import fill, lowered
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection
    from pathlib import Path

    from starloom.journal.records import RunRecord
    from starloom_gui.settings import Settings


class LeftRuns(QObject):
    """Remembers which runs another program was to go on with, and shows those that it has brought to their ends.

    To be used where the loop runs.

    Args:
        directory: of the journals.
        settings: where it is remembered.
        show: shows a run of the journals, and returns once it is shown.
        say: shows a notice.
        name_of: gives what a run is called, by its id and the name of its plan.
        parent: of the object.
    """

    def __init__(
        self,
        directory: Path,
        settings: Settings,
        show: Callable[[RunRecord], Awaitable[None]],
        say: Callable[[ErrorMessage], None],
        name_of: Callable[[str, str], str],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._directory, self._settings, self._show, self._say = directory, settings, show, say
        self._name_of = name_of
        self.background_tasks = BackgroundTasks("console: runs left in the background")

    def note(self, run_ids: Collection[str]) -> None:
        """Remember these until the next start."""
        self._settings.left_runs = tuple(run_ids)

    def tell(self) -> None:
        """Show those that have ended; returns at once."""
        left, self._settings.left_runs = self._settings.left_runs, ()
        if left:
            self.background_tasks.begin(self._tell(left))

    def cancel(self) -> None:
        """Show no more."""
        self.background_tasks.cancel()

    async def settled(self) -> None:
        """Return once all are shown."""
        await self.background_tasks.settled()

    async def _tell(self, run_ids: Collection[str]) -> None:
        told: list[str] = []
        for one in await in_background(_ended, self._directory, run_ids):
            await self._show(one)
            words = self.tr("“%1” has ended meanwhile: %2.")
            told.append(fill(words, self._name_of(one.run_id, one.name) or one.run_id, lowered(state_words(one))))
        if told:
            self._say(ErrorMessage("", " ".join(told), is_notice=True))


def _ended(directory: Path, run_ids: Collection[str]) -> list[RunRecord]:
    """The records of those runs that have ended; others go on, or their journals are gone."""
    found: list[RunRecord] = []
    for run_id in run_ids:
        try:
            one = record(find_folder(directory, run_id))
        except (StarloomError, OSError):
            continue
        if one.state in ENDED_STATES:
            found.append(one)
    return found
