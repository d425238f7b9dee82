"""The sources of sheets: a run of the engine, one that only its journal tells of, and a plan on the desk."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from starloom.model.frozen import EMPTY
from starloom_gui.documents.acting import meeting
from starloom_gui.editing.plan_editor import PlanEditor
from starloom_gui.editing.plan_gateway import PlanGateway
from starloom_gui.editing.run_editor import RunEditor
from starloom_gui.editing.run_gateway import RunGateway
from starloom_gui.gateway.forecast import foresee_plan
from starloom_gui.time_travel.read_only_gateway import ReadOnlyGateway
from starloom_gui.time_travel.travel import Travel
from starloom_gui.time_travel.vantage import Present, Vantage
from starloom_gui.workspace.run_layout import RunLayout
from starloom_gui.workspace.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from starloom.foresight.projection import Projection
    from starloom.journal.recording import Recording
    from starloom_gui.documents.document import Document, RunTab
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.gateway.bridge import Bridge
    from starloom_gui.gateway.commands import Commands
    from starloom_gui.gateway.verbs import Verdict
    from starloom_gui.time_travel.vantage import Past


def run_source(tab: RunTab, bridge: Bridge, commands: Commands, journal: Callable[[str], Path | None]) -> Source:
    """A run of the engine, followed by the bridge; its past is read from its journal.

    Args:
        tab: which run.
        bridge: tells of it.
        commands: steer it.
        journal: gives where a run's journal is; None: it keeps none.
    """
    run_id = tab.run_id
    present = Present(
        facts=partial(bridge.run, run_id),
        clock=bridge.now,
        fleet=lambda: bridge.fleet,
        runs=bridge.all_runs,
        run=bridge.run,
        line=bridge.in_line,
        wall=bridge.wall,
        why=bridge.why,
        fenced=partial(bridge.fenced, run_id),
        log=bridge.log,
    )
    vantage = Vantage(run_id, present)
    guard = ReadOnlyGateway(commands, vantage)
    editor = RunEditor(run_id, vantage.facts, guard, partial(bridge.what_if, run_id), lambda: bridge.fleet)
    at_start = tab.snapshot.layout if tab.snapshot is not None else EMPTY
    return Source(
        key=tab.key,
        run_id=run_id,
        facts=vantage.facts,
        clock=vantage.now,
        asks=RunGateway(editor, guard),
        editor=editor,
        layout=RunLayout(partial(_folder, journal, run_id), at_start, editor),
        why=vantage.why,
        fenced=vantage.fenced,
        passing=partial(bridge.passing, run_id),
        agent=partial(bridge.agent, run_id),
        feed=bridge.feed,
        foresee=partial(bridge.project, run_id),
        travel=Travel(vantage, partial(journal, run_id), partial(_staged, editor)),
    )


def _folder(journal: Callable[[str], Path | None], run_id: str) -> Path | None:
    path = journal(run_id)
    return None if path is None else path.parent


def _staged(editor: RunEditor) -> Verdict | None:
    """Why the present cannot be left: what is staged would be staged for it."""
    verdict = editor.can_go_live()
    return None if verdict.ok else verdict


def recorded_source(tab: RunTab, recording: Recording, ended: Past) -> Source:
    """A run that only its journal tells of: nothing of it changes, and nothing can be done about it.

    Args:
        tab: which run.
        recording: its journal, read to its end.
        ended: its last moment, which is shown first.
    """
    vantage = Vantage(tab.run_id)
    vantage.show_past(recording, ended)
    guard = ReadOnlyGateway(None, vantage)
    editor = RunEditor(tab.run_id, vantage.facts, guard)
    return Source(
        key=tab.key,
        run_id=tab.run_id,
        facts=vantage.facts,
        clock=vantage.now,
        asks=RunGateway(editor, guard),
        editor=editor,
        layout=RunLayout(lambda: tab.folder, parent=editor),
        why=vantage.why,
        fenced=vantage.fenced,
        travel=Travel(vantage, recording=recording),
    )


def plan_source(
    document: Document, desk: OpenDocuments, bridge: Bridge, commands: Commands, start: Callable[[str], None]
) -> Source:
    """A plan on the desk, as its editor has it.

    Args:
        document: where it lies now.
        desk: where it lies.
        bridge: the fleet it would run on.
        commands: who is asked about devices.
        start: makes a run of the plan of a key.
    """
    editor = PlanEditor(desk, document.key, lambda: bridge.fleet)
    key = document.key

    async def foresee() -> Projection:
        there = desk.document(key)
        if there is None:
            raise KeyError(key)
        met = meeting(there.plan.devices, there.plan.tasks, bridge.all_runs(), bridge.fleet)
        return await foresee_plan(there.plan, key, bridge.fleet, frozenset(met.leave))

    return Source(
        key=document.key,
        facts=editor.facts,
        clock=lambda: 0.0,
        asks=PlanGateway(editor, commands, start),
        editor=editor,
        layout=editor,
        why=lambda run_id, task_id: bridge.why(run_id, task_id) if bridge.run(run_id) is not None else (),
        foresee=foresee,
    )
