"""Closes tabs and the window: one question lists unsaved plans and unfinished runs."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import QObject, Signal

from starloom.errors import CommandRefused, StarloomError
from starloom.model.status import RunState
from starloom_gui.canvas.note_field import end_writing
from starloom_gui.dialogs.closing import (
    BACKGROUND,
    DISCARD,
    KEEP,
    LEAVE,
    SAVE,
    ClosingDialog,
    UnfinishedRun,
    UnsavedDialog,
    UnsetDialog,
)
from starloom_gui.documents.document import RunTab, stamp_of
from starloom_gui.event_loop import BackgroundTasks
from starloom_gui.event_loop.background import in_background
from starloom_gui.shell.unfinished_runs import EngineRuns, awaited_of
from starloom_gui.text.engine_words import why_not
from starloom_gui.text.words import fill
from starloom_gui.widgets.question import Choice, ChoiceDialog, answer_to

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from PySide6.QtWidgets import QWidget

    from starloom_gui.documents.document import Document
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.gateway.commands import Refusal
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.workspace.unset import Unset


class Saves(Protocol):
    """The protocol that saves documents."""

    async def saved(self, key: str) -> bool:
        """Save a document; whether it stands in its file now."""


class Leaving(QObject):
    """Asks for confirmation before unsaved plans or unfinished runs are closed. At most one question is open.

    To be used where the loop runs.

    Args:
        documents: what is open.
        saves: saves documents.
        runs: knows and cancels runs.
        appearance: the colours of dialogs.
        window: what dialogs stand over; it owns this.
        settle_fields: takes over what is typed in fields of the tabs of these keys; false: it was refused.
        unset: gives what is typed in the tabs of these keys and neither set nor added.

    Attributes:
        leaves_runs: whether runs that have not ended are to stay as they are, to be resumed another time.
        hands_over: whether another program has the runs now, which this one must not end.

    Signals:
        agreed(): the window may be closed now.
        run_left(RunTab): the tab of a run has been closed.
        handed_over(tuple): another program goes on with the runs of these ids.
    """

    agreed = Signal()
    run_left = Signal(object)
    handed_over = Signal(object)

    def __init__(
        self,
        documents: OpenDocuments,
        saves: Saves,
        runs: EngineRuns,
        appearance: Appearance,
        window: QWidget,
        settle_fields: Callable[..., bool] = lambda *_: True,
        unset: Callable[..., Sequence[Unset]] = lambda *_: (),
    ) -> None:
        super().__init__(window)
        self._settle_fields, self._unset = settle_fields, unset
        self._documents, self._saves, self._runs = documents, saves, runs
        self._appearance, self._window = appearance, window
        self.background_tasks = BackgroundTasks("console: close")
        self._looking = BackgroundTasks("console: look whether a file is there")
        self._handing = BackgroundTasks("console: hand over")
        self._news = asyncio.Event()
        self._paused: set[str] = set()
        self._dialog: ClosingDialog | None = None
        self.leaves_runs = self.hands_over = False

    # ---- asked for by the user

    def close_tab(self, key: str) -> None:
        """Close a tab, after a question if something would be lost; its run continues."""
        end_writing(self._window)
        if not self._settle_fields(key):
            return
        document = self._documents.document(key)
        if self._unset(key) or (document is not None and document.is_dirty):
            self._start(self._close(key))
        elif document is not None and document.path is not None:
            self._looking.begin(self._close_saved(document))
        else:
            self._drop(key)

    def leave(self) -> None:
        """Find out whether the window may be closed; `agreed` says so, now or later."""
        end_writing(self._window)
        if self._settle_fields(*(item.key for item in self._documents)):
            self._start(self._leave())

    def on_changes(self, *_: Any) -> None:
        """Update the list of awaited runs after changes. To be connected to a feed of all runs."""
        if self._dialog is not None:
            self._dialog.take(self._awaited())
        self._news.set()

    def _forget_dialog(self) -> None:
        self._dialog = None

    def note_refused(self, refusal: Refusal) -> None:
        """Show why a run is not cancelled, as whoever has reserved it may forbid; to be told of all refusals."""
        if self._dialog is not None:
            self._dialog.show_refused(f"{refusal.reason} {refusal.hint}".strip())

    def cancel(self) -> None:
        """Close the open question."""
        self._looking.cancel()
        self.background_tasks.cancel()

    async def settled(self) -> None:
        """Return once no question is open."""
        await self._looking.settled()
        await self.background_tasks.settled()

    def _start(self, doing: Coroutine[Any, Any, None]) -> None:
        """Start an action unless another one is running, in which case it is dropped."""
        if self.background_tasks:
            doing.close()
        else:
            self.background_tasks.begin(doing)

    # ---- asking

    async def _close_saved(self, document: Document) -> None:
        """Close a plan that is in its file, unless that is gone."""
        await self._note_gone([document])
        now = self._documents.document(document.key)
        if now is not None and now.is_dirty:
            self._start(self._close(document.key))
        else:
            self._drop(document.key)

    async def _close(self, key: str) -> None:
        if await self._may_lose(key):
            self._drop(key)

    def _drop(self, key: str) -> None:
        """Close a tab without a question."""
        item = self._documents.item(key)
        self._documents.close(key)
        if isinstance(item, RunTab):
            self.run_left.emit(item)

    async def _leave(self) -> None:
        keys = [item.key for item in self._documents]
        if not await self._may_lose(*keys):
            return
        lost = await self._staged_to_lose()
        if lost is not None and await self._are_done():
            for run_id in lost:  # not before, as whoever stays in the last question loses nothing
                self._runs.discard_staged(run_id)
            self.agreed.emit()

    async def _may_lose(self, *keys: str) -> bool:
        """Whether nothing in these tabs is typed and not set, or not saved, or it may be lost."""
        if not await self._may_lose_unset(*keys):
            return False
        await self._note_gone([document for document in self._documents.documents if document.key in keys])
        dirty = [document for document in self._documents.documents if document.key in keys and document.is_dirty]
        return await self._are_settled(dirty)

    async def _note_gone(self, documents: Sequence[Document]) -> None:
        """Mark plans whose files are gone as unsaved, as only the open documents hold them."""
        for document in documents:
            if document.path is None or document.is_dirty or await in_background(stamp_of, document.path) is not None:
                continue
            self._documents.note_stamp(document.key, None)

    async def _are_settled(self, dirty: Sequence[Document]) -> bool:
        """Whether these documents are saved, or may be lost."""
        if not dirty:
            return True
        answer = await answer_to(UnsavedDialog(self._appearance, [one.title for one in dirty], self._window))
        if answer == SAVE:
            for document in dirty:
                if not await self._saves.saved(document.key):
                    return False
        return answer in (SAVE, DISCARD)

    async def _may_lose_unset(self, *keys: str) -> bool:
        """Whether nothing is typed in these tabs that is neither set nor added, or it may be lost; else it is shown."""
        typed = [one.words for one in self._unset(*keys)]
        if not typed or await answer_to(UnsetDialog(self._appearance, typed, self._window)) == DISCARD:
            return True
        for one in self._unset(*keys)[:1]:  # unless its run has gone meanwhile
            one.show()
        return False

    async def _staged_to_lose(self) -> Sequence[str] | None:
        """The runs whose staged changes no later session finds, as of one that has ended; None: keep them."""
        lost = {
            run.run_id: run
            for run in self._runs.runs()
            if (run.state.has_ended or not self._runs.keeps_staged(run.run_id)) and self._runs.staged(run.run_id)
        }
        if not lost:
            return ()
        count = sum(map(self._runs.staged, lost))
        sentence = self.tr(
            "%n change(s) are staged for what has ended and would be lost: %1. Commit them to have it go on, or "
            "discard them.",
            "",
            count,
        )
        if not all(run.state.has_ended for run in lost.values()):
            sentence = self.tr(
                "%n change(s) are staged in this window alone and would be lost: %1. Commit or discard them.", "", count
            )
        titles = {run.run_id: run.title for run in self._documents.runs}
        names = ", ".join(titles.get(run_id, run.name) for run_id, run in lost.items())
        choices = [Choice(DISCARD, self.tr("Discard"), is_apart=True), Choice("", self.tr("Cancel"), is_default=True)]
        title = self.tr("Discard staged changes?")
        question = ChoiceDialog(self._appearance, title, fill(sentence, names), choices, parent=self._window)
        return tuple(lost) if await answer_to(question) == DISCARD else None

    async def _are_done(self) -> bool:
        """Whether no run has work left that is not to be resumed later, after waiting for that if the user wants to."""
        awaited = self._awaited()
        if not awaited:
            return True
        self._dialog = ClosingDialog(
            self._appearance,
            awaited,
            self._window,
            goes_on=self._runs.can_go_on,
            interrupted=self._runs.interrupted_tasks(),
            agents=self._runs.interrupted_agents(),
        )
        self._dialog.finished.connect(self._forget_dialog)  # which is deleted before its answer is read
        self._dialog.cancel_asked.connect(self._cancel_runs)
        self._dialog.pause_asked.connect(self._pause_runs)
        self._dialog.background_asked.connect(lambda: self._handing.begin(self._hand_over()))
        try:
            answer = await answer_to(self._dialog)
            self.leaves_runs = answer == KEEP
            return answer in (LEAVE, KEEP, BACKGROUND)
        finally:
            self._dialog = None
            self._handing.cancel()
            await self._handing.settled()

    async def _hand_over(self) -> None:
        """Hand the runs over as soon as nothing is interrupted by that; given up, they go on here as before."""
        try:
            while not self.hands_over:
                await self._until_nothing_is_interrupted()
                try:
                    going = tuple(run.run_id for run in self._runs.runs() if not run.state.has_ended)
                    await self._runs.hand_over(self._paused)
                    self.hands_over = True
                    self.handed_over.emit(going)
                except CommandRefused as refused:
                    if refused.code != "would_interrupt":  # else something has just been started
                        raise
        except StarloomError as error:
            if self._dialog is not None:
                self._dialog.show_trouble(why_not(error))
        finally:
            if not self.hands_over:
                self._go_on_here()
        if self.hands_over and self._dialog is not None:
            self._dialog.choices.answer(BACKGROUND)

    def _go_on_here(self) -> None:
        """Resume what was paused to be handed over; a pause that is not answered yet comes first."""
        for run in tuple(self._runs.runs()):
            if run.run_id in self._paused and not run.state.has_ended:
                self._runs.resume(run.run_id)
        self._paused.clear()

    async def _until_nothing_is_interrupted(self) -> None:
        """Return once no attempt would end with this program; nothing more is started meanwhile."""
        while tasks := self._runs.interrupted_tasks():
            self._pause_for_handover()
            self._news.clear()
            self._show_interrupted(tasks)
            await self._news.wait()
        self._show_interrupted(())

    def _show_interrupted(self, tasks: Sequence[str]) -> None:
        if self._dialog is not None:
            self._dialog.show_interrupted(tasks)

    def _pause_for_handover(self) -> None:
        for run in tuple(self._runs.runs()):
            if run.state is RunState.EXECUTING and run.open and run.run_id not in self._paused:
                self._paused.add(run.run_id)
                self._runs.pause(run.run_id)

    def _awaited(self) -> list[UnfinishedRun]:
        return awaited_of(self._runs, self._documents)

    def _pause_runs(self) -> None:
        for run in tuple(self._runs.runs()):
            if run.state is RunState.EXECUTING:
                self._runs.pause(run.run_id)
        self.on_changes()  # where all of them were paused, nothing will happen

    def _cancel_runs(self) -> None:
        self._paused.clear()
        self._handing.cancel()
        for run in tuple(self._runs.runs()):
            if not run.state.has_ended:
                self._runs.cancel(run.run_id)
