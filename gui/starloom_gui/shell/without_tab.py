"""Notices of executing runs without a tab, from which they are opened."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtGui import QKeySequence

from starloom.model.status import RunState
from starloom.scheduling.commands import OPERATOR
from starloom_gui.shell.unfinished_runs import ALIVE, is_unfinished
from starloom_gui.text.words import fill
from starloom_gui.viewmodel.keys import Scope, sequences
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from starloom.scheduling.read.run_view import RunView
    from starloom_gui.documents.document import RunTab
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.widgets.message_bar import MessageBar


class WithoutTab(QObject):
    """Shows a notice about an executing run without a tab, until it ends, is opened, or the notice is closed.

    Its tab was closed, or it is of a plan that another program has submitted.

    Args:
        documents: where tabs are opened again.
        runs: gives all runs.
        strip: says it.
        parent: of the object.
    """

    def __init__(
        self,
        documents: OpenDocuments,
        runs: Callable[[], Iterable[RunView]],
        strip: MessageBar,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._documents, self._runs, self._strip = documents, runs, strip
        self._told: dict[str, ErrorMessage] = {}
        self._unstarted: dict[str, str] = {}
        """Who has created each run that was told of and is not started, by its id."""
        documents.changed.connect(self.on_changes)

    def tell(self, tab: RunTab) -> None:
        """Show that a run whose tab was closed continues, if it has work left."""
        run = self._going().get(tab.run_id)
        if run is None or tab.folder is not None or run.state not in ALIVE:
            return
        keys = sequences(Scope.WINDOW, "history")
        history = keys[0].toString(QKeySequence.SequenceFormat.NativeText)
        if run.state is RunState.PAUSED:
            said = self.tr("“%1” stays paused without its tab. History (%2) opens it again, too.")
        else:
            said = self.tr("“%1” goes on without its tab. History (%2) opens it again, too.")
        open_again, reason = self.tr("Open again"), fill(said, tab.title, history)
        told = ErrorMessage("", reason, open_again, lambda: self._documents.put_again(tab), is_notice=True)
        self._told[tab.run_id] = told
        self._strip.show_trouble(told)

    def tell_submitted(self, run_id: str, name: str) -> None:
        """Show that a plan runs here that somebody has submitted from elsewhere."""
        self._tell_opener(run_id, self.tr("%1 has submitted “%2”, which runs here."), name)

    def tell_begun(self, run_id: str, origin: str, *, is_again: bool) -> None:
        """Show that a run is there that somebody else has begun.

        Args:
            run_id: of the run.
            origin: who began it; empty: nobody knows.
            is_again: whether it began earlier, and another program goes on with it now.
        """
        run = self._going().get(run_id)
        if is_again:
            self._tell_opener(run_id, self.tr("“%1” goes on at the server."))
        elif run is not None and run.state not in ALIVE:
            self._unstarted[run_id] = origin
            if origin not in ("", OPERATOR):
                self._tell_opener(run_id, self.tr("%1 has created “%2”, which is not started."), origin)
            else:
                self._tell_opener(run_id, self.tr("Somebody has created “%1”, which is not started."))
        elif origin not in ("", OPERATOR):
            self._tell_opener(run_id, self.tr("%1 has started “%2”."), origin)
        else:
            self._tell_opener(run_id, self.tr("Somebody has started “%1”."))

    def _tell_opener(self, run_id: str, words: str, *given: str) -> None:
        run = self._going().get(run_id)
        if run is None:
            return
        reason = fill(words, *given, run.name)
        told = ErrorMessage("", reason, self.tr("Open"), partial(self._open, run_id, run.name), is_notice=True)
        self._told[run_id] = told
        self._strip.show_trouble(told)

    def _open(self, run_id: str, title: str) -> None:
        self._documents.put_run(run_id, None, title)

    def on_changes(self, *_: Any) -> None:
        """Update the notices after changes of runs. To be connected to a feed of all runs."""
        if not self._told:
            return
        going, opened = self._going(), {run.run_id for run in self._documents.runs}
        for run_id in [one for one in self._told if one not in going or one in opened]:
            self._strip.withdraw(self._told.pop(run_id))
            self._unstarted.pop(run_id, None)
        for run_id in [one for one in self._unstarted if going[one].state in ALIVE]:
            self._strip.withdraw(self._told.pop(run_id))
            self.tell_begun(run_id, self._unstarted.pop(run_id), is_again=False)

    def _going(self) -> dict[str, RunView]:
        return {run.run_id: run for run in self._runs() if is_unfinished(run)}
