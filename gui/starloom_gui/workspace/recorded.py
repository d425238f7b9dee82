"""Opening runs from their journals: read in the background, then shown as they ended."""

from __future__ import annotations

import asyncio
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from starloom.errors import StarloomError
from starloom.journal.base import JournalError
from starloom.journal.names import IMPORTED, JOURNAL
from starloom.journal.recording import Recording
from starloom.journal.staged_file import StagedFile
from starloom_gui.editing.words import EditPlurals
from starloom_gui.event_loop.background import in_background
from starloom_gui.text.engine_words import why_not
from starloom_gui.text.words import amount, fill, plain, translate
from starloom_gui.time_travel.event_marks import EventMarks
from starloom_gui.time_travel.moment_reader import MomentReader
from starloom_gui.viewmodel.run_views import run_view
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from pathlib import Path

    from starloom.journal.records import RunRecord
    from starloom.journal.staged_file import StagedStep
    from starloom.scheduling.read.run_view import RunView
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.documents.document import RunTab
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.gateway.run_archive import RunArchive
    from starloom_gui.widgets.loading import LoadingStrip

_NAMED: Final = 3
"""So many staged changes are named."""


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """A run that was read from its journal.

    Attributes:
        recording: its journal, read to its end.
        marks: what the axis of time shows of it.
        ended: its last moment.
    """

    recording: Recording
    marks: EventMarks
    ended: MomentReader

    @property
    def has_ended(self) -> bool:
        """Whether it had ended at its last moment."""
        return self.ended.view().state.has_ended


async def read_to_its_end(archive: RunArchive, folder: Path, name: str, loading: LoadingStrip) -> RecordedRun:
    """The run in a folder, read from its journal in the background; the caller closes the recording.

    Args:
        archive: which has the run; it is copied from there first, if that is on another machine.
        folder: of the run.
        name: what it is called while it is read.
        loading: says so, once that takes a while; whoever waits ends it.

    Raises:
        StarloomError: nothing of it can be read, or had.
    """
    copied = fill(translate("RecordedRuns", "Copying “%1” from %2"), name, archive.where)
    await archive.fetch(folder, lambda share: loading.begin(copied, share))
    loading.begin(fill(translate("RecordedRuns", "Reading “%1”"), name))
    recording = await in_background(Recording, folder / JOURNAL)
    try:
        while True:
            part = await in_background(recording.read)
            recording.take(part)
            words = translate("RecordedRuns", "Reading “%1” · %2 events")
            loading.begin(fill(words, name, amount(len(recording))))
            if part.is_last:
                break
        _check(recording)
        marks = await in_background(EventMarks.of, recording)
        moment = await in_background(partial(recording.moment, len(recording)))
    except BaseException:
        recording.close()
        raise
    return RecordedRun(recording, marks, MomentReader(len(recording), recording.time(len(recording)), moment))


def _check(recording: Recording) -> None:
    if not len(recording):
        empty = translate("RecordedRuns", "This run has not begun: its journal is empty.")
        raise JournalError(recording.trouble or empty)


class RecordedRuns(QObject):
    """Reads journals and keeps their runs while they are open. To be used where the loop runs.

    Args:
        archive: the runs that were kept.
        documents: where the runs are put.
        loading: says what is being read, once that takes a while.
        report: is told what cannot be read.
        live: gives the runs that the engine has, whose journals are not needed to show them.
        dismiss: has the engine let go of a run that has ended.
        parent: of the object.
    """

    def __init__(
        self,
        archive: RunArchive,
        documents: OpenDocuments,
        loading: LoadingStrip,
        report: Callable[[ErrorMessage], None],
        live: Callable[[str], RunFacts | None],
        dismiss: Callable[[str], Awaitable[None]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._archive, self._live, self._dismiss = archive, live, dismiss
        self._documents, self._loading, self._report = documents, loading, report
        self._known: dict[Path, RecordedRun] = {}
        self._task: asyncio.Task[None] | None = None
        documents.changed.connect(self._let_go)
        loading.cancel_asked.connect(self.cancel)

    def of(self, folder: Path) -> RecordedRun:
        """The recording of the open run in a folder.

        Raises:
            KeyError: it does not.
        """
        return self._known[folder]

    def run_of(self, tab: RunTab) -> RunView | None:
        """The run of an open tab, as it is or as it ended; None: it is not known yet."""
        return run_view(self._live(tab.run_id)) if tab.folder is None else self.of(tab.folder).ended.view()

    def show(self, run: RunRecord) -> None:
        """Show a run of the history: live if the engine has it, else from its journal; returns at once.

        Of one that has ended on another machine there is more in its journal: its past.
        """
        live = self._live(run.run_id)
        if live is not None and not (self._archive.where and live.state.has_ended):
            self._documents.put_run(run.run_id, None, run.name)
        else:
            self.open(run.folder, run.name or run.run_id)

    def show_kept(self, run_id: str, name: str) -> None:
        """Show what is kept of a run that the engine has no more, by its id, or say why nothing is."""
        if self._archive.missing:
            self._report(ErrorMessage("", self._archive.missing))
        else:
            self.open(self._archive.folder_of(run_id), name)

    async def shown(self, run: RunRecord) -> None:
        """Show a run of the history, and return once it is shown, or cannot be."""
        self.show(run)
        await self.settled()

    def open(self, folder: Path, name: str) -> None:
        """Open the run in a folder, as soon as it is read; returns at once.

        Args:
            folder: of the run.
            name: its title.
        """
        self.cancel()
        self._task = asyncio.get_running_loop().create_task(self._open(folder, name), name="console: open a journal")
        self._task.add_done_callback(self._ended)

    def cancel(self) -> None:
        """Open none of the runs that are not open yet."""
        if self._task is not None:
            self._task.cancel()

    def close(self, folder: Path) -> None:
        """Close the run in a folder, and its journal."""
        for run in self._documents.runs:
            if run.folder == folder:
                self._documents.close(run.key)

    async def let_go(self, run: RunRecord) -> None:
        """Close a run of the history; returns once its journal is closed, if the run has ended."""
        self.close(run.folder)
        if run.held_by is not None and run.held_by.is_here:
            for tab in self._documents.runs:
                if tab.run_id == run.run_id:
                    self._documents.close(tab.key)
            await self._dismiss(run.run_id)

    async def settled(self) -> None:
        """Return once nothing is being read."""
        while self._task is not None:
            await asyncio.wait([self._task])

    async def _open(self, folder: Path, name: str) -> None:
        steps: tuple[StagedStep, ...] = ()
        if folder not in self._known:
            try:
                self._known[folder] = await read_to_its_end(self._archive, folder, name, self._loading)
            except StarloomError as error:
                self._report(ErrorMessage(fill(self.tr("“%1” was not opened"), name), why_not(error)))
                return
            steps = await in_background(_left_staged, folder)
        found = self._known[folder]
        self._documents.put_recorded(found.recording.stream, folder, name)
        if found.recording.trouble:
            what = fill(self.tr("“%1” is shown up to where its journal is damaged"), name)
            self._report(ErrorMessage(what, found.recording.trouble, of_tab=True))
        elif steps and found.has_ended:
            self._tell_staged(folder, name, steps)

    def _tell_staged(self, folder: Path, name: str, steps: Sequence[StagedStep]) -> None:
        """Offer to discard what was staged for a run that has ended: it is there again once that is reopened."""
        named = [f"“{plain(one.label)}”" for one in steps[:_NAMED]] + (["…"] if len(steps) > _NAMED else [])
        count = EditPlurals().staged(len(steps))
        sentence = self.tr("%1 not committed: %2. Reopen it to have them back.")
        if (folder / IMPORTED).exists():
            sentence = self.tr("%1 not committed: %2. It takes no more changes.")
        what, reason = fill(self.tr("“%1” has ended"), name), fill(sentence, count, ", ".join(named))
        discard = partial(self._discard_staged, folder, name, steps)
        self._report(ErrorMessage(what, reason, self.tr("Discard"), discard, is_notice=True, of_tab=True))

    def _discard_staged(self, folder: Path, name: str, steps: Sequence[StagedStep]) -> None:
        what = fill(self.tr("The staged changes of “%1” are discarded"), name)
        back = partial(self._bring_back, folder, name, steps)
        if self._write_staged(folder, name, ()):
            self._report(ErrorMessage("", f"{what}.", self.tr("Undo"), back, is_notice=True, of_tab=True))

    def _bring_back(self, folder: Path, name: str, steps: Sequence[StagedStep]) -> None:
        if self._write_staged(folder, name, steps):
            self._tell_staged(folder, name, steps)

    def _write_staged(self, folder: Path, name: str, steps: Sequence[StagedStep]) -> bool:
        """Store what is staged; whether that succeeded, else it is said why not."""
        try:
            with closing(StagedFile(folder)) as file:
                file.write(steps)
        except StarloomError as error:
            self._report(
                ErrorMessage(fill(self.tr("The staged changes of “%1” are as they were"), name), why_not(error))
            )
            return False
        return True

    def _ended(self, task: asyncio.Task[None]) -> None:
        if task is self._task:
            self._task = None
            self._loading.end()
            self._let_go()
        if not task.cancelled() and (error := task.exception()) is not None:
            raise error

    def _let_go(self) -> None:
        """Drop the recordings of runs that are no longer open."""
        open_now = {run.folder for run in self._documents.runs}
        for folder in [folder for folder in self._known if folder not in open_now]:
            if self._task is None or self._task.done():  # else it is about to be put there
                self._known.pop(folder).recording.close()


def _left_staged(folder: Path) -> tuple[StagedStep, ...]:
    """What windows that have gone had staged for a run."""
    with closing(StagedFile(folder)) as file:
        return file.steps
