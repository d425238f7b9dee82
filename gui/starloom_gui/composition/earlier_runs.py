"""Makes what leads to earlier runs: the history, and the grid of a plan's last runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.settings import journal_path
from starloom_gui.history.history import Doing, RunHistory

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.gateway.plan_runs import PlanRuns
    from starloom_gui.shell.file_actions import FileActions
    from starloom_gui.shell.grid_navigation import GridNavigation
    from starloom_gui.shell.main_window import MainWindow
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.workspace.recorded import RecordedRuns


def new_history(
    files: FileActions,
    recorded: RecordedRuns,
    plan_runs: PlanRuns,
    grid: Callable[[], GridNavigation],
    appearance: Appearance,
    window: MainWindow,
    name_of: Callable[[str, str], str],
) -> RunHistory:
    """Make what lists all runs.

    Args:
        files: opens, resumes and exports runs.
        recorded: shows them.
        plan_runs: reads the last runs of plans.
        grid: gives what opens one of these.
        appearance: the colours.
        window: what dialogs stand over.
        name_of: gives what a run is called, by its id and the name of its plan.
    """
    does = Doing(
        show=recorded.show,
        resume=files.resuming.go_on,
        let_go=recorded.let_go,
        export=files.exporting.export_folder,
        open_file=files.opening.open,
        show_at=lambda spot: grid().open(spot),
        compare=lambda spot: grid().compare(spot),
        plan_runs=plan_runs,
    )
    return RunHistory(journal_path(), appearance, window, does, name_of)
