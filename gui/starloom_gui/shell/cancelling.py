"""Cancels a run after a dialog that shows what would end, as this cannot be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from starloom.model.status import TaskStatus
from starloom_gui.dialogs.closing import CANCEL, CancelDialog, UnfinishedRun
from starloom_gui.event_loop import BackgroundTasks
from starloom_gui.shell.unfinished_runs import is_unfinished
from starloom_gui.viewmodel.run_views import run_view
from starloom_gui.widgets.question import answer_to

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.specs.action_spec import Target
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.viewmodel.roles import FactsOf


class Cancelling(QObject):
    """Asks for confirmation before a run with open tasks is cancelled. At most one question is open.

    To be used where the loop runs.

    Args:
        documents: knows the titles of runs.
        facts: gives the facts of a run.
        appearance: the colours of dialogs.
        window: what dialogs stand over; it owns this.
    """

    def __init__(self, documents: OpenDocuments, facts: FactsOf, appearance: Appearance, window: QWidget) -> None:
        super().__init__(window)
        self._documents, self._facts, self._appearance, self._window = documents, facts, appearance, window
        self.background_tasks = BackgroundTasks("console: cancel a run")
        self._run_id = ""
        self._dialog: CancelDialog | None = None

    def ask(self, target: Target, cancel: Callable[[], object]) -> None:
        """Cancel a run once the user has agreed, or at once if nothing of it would end; returns at once."""
        awaited = self._awaited(target.run_id)
        if awaited is None:
            cancel()
        elif not self.background_tasks:
            self._run_id = target.run_id
            self.background_tasks.begin(self._ask(awaited, cancel))

    def on_changes(self, *_: Any) -> None:
        """Update the open question after changes of runs. To be connected to a feed of all runs."""
        if self._dialog is not None:
            self._dialog.take(self._awaited(self._run_id))

    async def close(self) -> None:
        """Close the open question."""
        self.background_tasks.cancel()
        await self.background_tasks.settled()

    async def _ask(self, awaited: UnfinishedRun, cancel: Callable[[], object]) -> None:
        self._dialog = dialog = CancelDialog(self._appearance, awaited, self._window)
        dialog.finished.connect(self._forget)  # at once: it may be deleted before the answer is read
        try:
            if await answer_to(dialog) == CANCEL:
                cancel()
        finally:
            self._dialog = None

    def _forget(self, *_: Any) -> None:
        self._dialog = None

    def _awaited(self, run_id: str) -> UnfinishedRun | None:
        """The remaining work of a run; None: there is none."""
        run = run_view(self._facts(run_id))
        if run is None or not is_unfinished(run):
            return None
        title = next((one.title for one in self._documents.runs if one.run_id == run_id), run.name)
        return UnfinishedRun(title, run.count(TaskStatus.RUNNING), run.open)
