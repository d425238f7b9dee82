"""From the grid of runs to a run: opened at a task, or compared with another one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from starloom.journal.records import RunRecord
from starloom_gui.event_loop import BackgroundTasks, async_slot

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.gateway.run_archive import RunArchive
    from starloom_gui.panels.grid.table import GridSpot
    from starloom_gui.shell.main_window import MainWindow
    from starloom_gui.workspace.baseline_chooser import Chooser
    from starloom_gui.workspace.document_view import DocumentView
    from starloom_gui.workspace.open_views import OpenViews
    from starloom_gui.workspace.pane_views import View
    from starloom_gui.workspace.recorded import RecordedRuns

PANE: Final = "grid"


class GridNavigation(QObject):
    """Opens what is chosen in the grid. To be used where the loop runs.

    Args:
        documents: what is open.
        views: of that.
        recorded: shows runs that only their journals tell of.
        baseline: compares runs.
        name_of: gives what a run is called, by its id and the name of its plan.
        start: starts the plan, or the run, in front.
        window: whose panes they are; it owns this.
        archive: the runs that were kept.
    """

    def __init__(
        self,
        documents: OpenDocuments,
        views: OpenViews,
        recorded: RecordedRuns,
        baseline: Chooser,
        name_of: Callable[[str, str], str],
        start: Callable[[], object],
        window: MainWindow,
        archive: RunArchive,
    ) -> None:
        super().__init__(window)
        self._archive = archive
        self._documents, self._views, self._recorded, self._baseline = documents, views, recorded, baseline
        self._name_of, self._start, self._window = name_of, start, window
        self.background_tasks = BackgroundTasks("console: grid")

    def connect_view(self, view: DocumentView) -> None:
        """Serve the grid of a new view."""
        view.views.when_made((PANE,), self._connect_pane)

    def _connect_pane(self, made: View) -> None:
        made.widget.opened.connect(self.open)
        made.widget.compare_asked.connect(self.compare)
        made.widget.start_asked.connect(self._start)

    @async_slot(object)
    async def open(self, spot: GridSpot) -> None:
        """Show a run at a task; the keyboard stays in the grid, if it was there."""
        await self._shown(spot)

    @async_slot(object)
    async def compare(self, spot: GridSpot) -> None:
        """Show a run, and ask which one to compare it with."""
        if await self._shown(spot) is not None:
            self._baseline.choose()

    async def _shown(self, spot: GridSpot) -> DocumentView | None:
        """The view of a run, in front; None: it cannot be shown, and a message says why."""
        front = self._views.front
        was_in_grid = front is not None and front.views.has_keyboard(PANE)
        if front is None or front.source.run_id != spot.run_id:
            folder = Path(spot.folder) if spot.folder else self._archive.folder_of(spot.run_id)
            name = self._name_of(spot.run_id, spot.plan)
            await self._recorded.shown(RunRecord(run_id=spot.run_id, folder=folder, name=name, state=""))
        view = self._views.front
        if view is None or view.source.run_id != spot.run_id:
            return None
        run = view.reader.view()
        number = run.number(spot.task_id) if run is not None and spot.task_id else None
        if number is not None:
            view.show_task(number)
        view.views[PANE].widget.go_to(spot.run_id, spot.task_id)
        if was_in_grid and front is not view:
            self._window.workbench.show_pane(PANE)
        return view

    async def close(self) -> None:
        """Open nothing any more."""
        self.background_tasks.cancel()
        await self.background_tasks.settled()
