"""Reopening runs that have ended, which are shown from their journals until then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom.errors import CommandRefused, StarloomError
from starloom.journal.base import JournalError
from starloom.model.status import ENDED_STATES
from starloom_gui.event_loop import BackgroundTasks
from starloom_gui.gateway.remote_engine import only_watches
from starloom_gui.models.run_table import holder_words
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.engine_words import why_not
from starloom_gui.text.words import fill, translate
from starloom_gui.time_travel.reopening import Reopening
from starloom_gui.viewmodel.run_views import run_view
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection
    from pathlib import Path

    from starloom.journal.records import RunRecord
    from starloom.scheduling.read.run_view import RunView
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.gateway.bridge import Bridge
    from starloom_gui.gateway.engine import Engine
    from starloom_gui.widgets.message_bar import MessageBar


class RunReopener(QObject):
    """Has the engine take up runs that have ended. To be used where the loop runs.

    Args:
        engine: what takes them up.
        documents: what is open; a reopened run gets a tab there.
        bridge: tells of runs.
        make_way: ensures that what the console brought for itself is gone.
        removed: gives the ids of devices that the user has removed.
        leave_out: shows the devices that a run does without.
        release: closes a journal that is open to be read, by its folder.
        strip: says what came of it.
        parent: of the object.
    """

    def __init__(
        self,
        engine: Engine,
        documents: OpenDocuments,
        bridge: Bridge,
        make_way: Callable[[], Awaitable[None]],
        removed: Callable[[], Collection[str]],
        leave_out: Callable[[RunView, Collection[str]], Awaitable[None]],
        release: Callable[[Path], object],
        strip: MessageBar,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._engine, self._documents, self._bridge, self._strip = engine, documents, bridge, strip
        self._make_way, self._removed, self._leave_out, self._release = make_way, removed, leave_out, release
        self.background_tasks = BackgroundTasks("console: reopening")

    def offer(self, folder: Path, title: str, *, has_ended: bool, is_imported: bool) -> Reopening:
        """What is offered of a run that is shown from its journal.

        Args:
            folder: of the run.
            title: of its tab.
            has_ended: whether it had at its last moment.
            is_imported: whether it came from elsewhere.
        """
        return Reopening(lambda: self.reopen(folder, title), self._verdict(has_ended, is_imported))

    def _verdict(self, has_ended: bool, is_imported: bool) -> Verdict:
        if self._engine.watches:
            return Verdict(False, *only_watches())
        if is_imported:
            why = translate("Reopening", "This run came from elsewhere. It can be looked at, but not gone on with.")
            return Verdict(False, why, translate("Past", "Save its graph as a plan to run it again."))
        if not has_ended:
            return Verdict(False, translate("Reopening", "Only a run that has ended is reopened."))
        return Verdict(True)

    def reopen(self, folder: Path, title: str) -> None:
        """Reopen the run in a folder; returns at once."""
        if not self.background_tasks:  # else a key repeats
            self.background_tasks.begin(self._reopen(folder, title))

    async def _reopen(self, folder: Path, title: str) -> None:
        try:
            (record,) = await self._engine.archive.records([folder])
            await self._take_up(record)
        except StarloomError as error:
            self._strip.show_trouble(ErrorMessage(self._not_reopened(title), why_not(error)))
            return
        self._strip.settle(self._not_reopened(title))
        self._documents.put_run(record.run_id, None, title)
        self._release(folder)
        what = fill(self.tr("“%1” is reopened"), title)
        why = self.tr("Its tasks can be retried, rerun and changed. Nothing starts by itself.")
        self._strip.show_trouble(ErrorMessage(what, why, is_notice=True, of_tab=True))
        run = run_view(self._bridge.run(record.run_id))
        if run is not None and not self._engine.where:
            await self._leave_out(run, self._removed())

    def _not_reopened(self, title: str) -> str:
        return fill(self.tr("“%1” was not reopened"), title)

    async def _take_up(self, record: RunRecord) -> None:
        """Have the engine know the run, unless it does.

        Raises:
            StarloomError: it cannot.
        """
        if self._bridge.run(record.run_id) is not None:
            return
        if record.held_by is not None and record.state not in ENDED_STATES:
            reason = fill(translate("Reopening", "It goes on in another program: %1."), holder_words(record.held_by))
            raise CommandRefused("runs_elsewhere", reason, translate("Reopening", "Open it from History to see it."))
        if record.trouble:  # as of one that somebody has moved to the trash meanwhile
            raise JournalError(record.trouble)
        verdict = self._verdict(record.state in ENDED_STATES, record.is_imported)
        if not verdict.ok:
            raise CommandRefused("not_reopened", verdict.reason, verdict.hint)
        await self._make_way()
        await self._engine.reopen(record, self._removed())

    async def close(self) -> None:
        """Cancel what is being done."""
        self.background_tasks.cancel()
