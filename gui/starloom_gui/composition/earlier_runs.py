"""Makes what leads to earlier runs: the history, the last runs of a plan, and one to compare with.

They are those that the engine has kept, wherever that is: the journals of this computer would be about other runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.journal.names import JOURNAL
from starloom.settings import journal_path
from starloom_gui.gateway.local_engine import LocalEngine
from starloom_gui.gateway.plan_runs import PlanRuns
from starloom_gui.history.history import Doing, RunHistory
from starloom_gui.shell.child import carried_out
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.words import fill, translate
from starloom_gui.time_travel.run_past import RunPast
from starloom_gui.workspace.baseline_chooser import Chooser

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtCore import QObject

    from starloom_gui.composition.run_reopener import RunReopener
    from starloom_gui.gateway.bridge import Bridge
    from starloom_gui.gateway.engine import Engine
    from starloom_gui.shell.file_actions import FileActions
    from starloom_gui.shell.grid_navigation import GridNavigation
    from starloom_gui.shell.main_window import MainWindow
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.widgets.actions import Actions
    from starloom_gui.widgets.message_bar import MessageBar
    from starloom_gui.workspace.document_view import DocumentView
    from starloom_gui.workspace.recorded import RecordedRuns


def journals_here(engine: Engine) -> Path:
    """The directory of journals on this machine: an engine's or, where that is on another machine, this user's."""
    return engine.journals or journal_path()


def folder_here(engine: Engine, run_id: str) -> Path | None:
    """The folder here of a run of an engine; None: it has none that could be exported."""
    journal = engine.journal(run_id)
    if journal is not None or not engine.where:
        return None if journal is None else journal.parent
    return None if engine.archive.missing else engine.archive.folder_of(run_id)


def past_of(engine: Engine, run_id: str) -> RunPast:
    """The past of a run that an engine has: from its journal or, where that is on another machine, from a copy."""
    archive = engine.archive
    if engine.journals is not None or not engine.where:
        return RunPast(lambda: engine.journal(run_id))
    if archive.missing:
        text = translate("Travel", "The journal of this run is on %1, so that nothing of its past can be shown here.")
        return RunPast(missing=fill(text, engine.where))
    folder = archive.folder_of(run_id)
    return RunPast(lambda: folder / JOURNAL, fetch=lambda: archive.fetch(folder, lambda _share: None))


def new_plan_runs(engine: Engine, parent: QObject) -> PlanRuns:
    """Make what reads the last runs of plans."""
    return PlanRuns(engine.archive, carried_out, parent)


def new_history(
    engine: Engine,
    files: FileActions,
    recorded: RecordedRuns,
    plan_runs: PlanRuns,
    reopener: RunReopener,
    grid: Callable[[], GridNavigation],
    appearance: Appearance,
    window: MainWindow,
    name_of: Callable[[str, str], str],
) -> RunHistory:
    """Make what lists all runs.

    Args:
        engine: whose runs they are.
        files: opens, resumes and exports runs.
        recorded: shows them.
        plan_runs: reads the last runs of plans.
        reopener: reopens those that have ended.
        grid: gives what opens one of these.
        appearance: the colours.
        window: what dialogs stand over.
        name_of: gives what a run is called, by its id and the name of its plan.
    """
    does = Doing(
        show=recorded.show,
        resume=files.resuming.go_on,
        reopen=lambda run: reopener.reopen(run.folder, run.name or run.run_id),
        let_go=recorded.let_go,
        export=files.exporting.export_folder,
        open_file=files.opening.open,
        show_at=lambda spot: grid().open(spot),
        compare=lambda spot: grid().compare(spot),
        plan_runs=plan_runs,
    )
    return RunHistory(engine.archive, appearance, window, does, name_of)


def new_chooser(
    engine: Engine,
    bridge: Bridge,
    files: FileActions,
    strip: MessageBar,
    front: Callable[[], DocumentView | None],
    appearance: Appearance,
    window: MainWindow,
    name_of: Callable[[str, str], str],
) -> Chooser:
    """Make what chooses an earlier run to compare with; see `Chooser`."""
    turn, say = window.workbench.turn_to, strip.show_trouble
    made = Chooser(engine.archive, appearance, window, files.loading, say, front, turn, name_of)
    bridge.feed(parent=made).changed.connect(made.on_changes)
    return made


def forbid_elsewhere(engine: Engine, actions: Actions) -> None:
    """Forbid what an engine elsewhere does not tell, or does by itself."""
    if missing := engine.archive.missing:
        actions.allow("history", Verdict(False, missing))
    if not isinstance(engine, LocalEngine):
        reason = translate("EarlierRuns", "A server goes on with its runs by itself.")
        hint = translate("EarlierRuns", "Open a console without a connection to go on with runs of your own.")
        actions.allow("resume_runs", Verdict(False, reason, hint))
