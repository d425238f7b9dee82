"""The sources of document views: a run of the engine, one that only its journal tells of, and an open plan."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from starloom.model.frozen import EMPTY
from starloom_gui.editing.plan_editor import PlanEditor
from starloom_gui.editing.plan_gateway import PlanGateway
from starloom_gui.editing.run_editor import RunEditor
from starloom_gui.editing.run_gateway import RunGateway
from starloom_gui.gateway.forecast import foresee_plan
from starloom_gui.time_travel.read_only_gateway import ReadOnlyGateway
from starloom_gui.time_travel.time_travel_reader import TimeTravelReader
from starloom_gui.time_travel.travel import Travel
from starloom_gui.workspace.run_layout import RunLayout
from starloom_gui.workspace.run_staging import RunStaging
from starloom_gui.workspace.run_typed import RunTyped
from starloom_gui.workspace.source import DocumentSource

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    from starloom.foresight.projection import Projection
    from starloom.model.plan import Plan
    from starloom_gui.documents.document import Document, RunTab
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.gateway.commands import Commands
    from starloom_gui.gateway.feed import Feed
    from starloom_gui.gateway.live_reader import LiveReader
    from starloom_gui.specs.action_spec import Verdict
    from starloom_gui.time_travel.moment_reader import MomentReader
    from starloom_gui.time_travel.reopening import ReadJournal
    from starloom_gui.time_travel.run_past import RunPast


def run_source(
    tab: RunTab,
    live: LiveReader,
    feed: Callable[..., Feed],
    commands: Commands,
    journal: Callable[[str], Path | None],
    past: RunPast,
    read_only: Verdict | None = None,
) -> DocumentSource:
    """A run of the engine; its past is read from its journal.

    Args:
        tab: which run.
        live: reads it as it is now.
        feed: makes a feed of what changes of these run ids.
        commands: steer it.
        journal: gives where a run's journal is; None: it keeps none, or that is on another machine.
        past: where its past is read.
        read_only: why nothing of it can be changed; None: it can.
    """
    run_id = tab.run_id
    reader = TimeTravelReader(run_id, live)
    guard = ReadOnlyGateway(commands, reader)
    editor = RunEditor(run_id, reader.facts, guard, live.what_if, live.fleet, live.now, log=live.log)
    folder = partial(_folder, journal, run_id)
    at_start = tab.snapshot.layout if tab.snapshot is not None else EMPTY
    return DocumentSource(
        key=tab.key,
        run_id=run_id,
        reader=reader,
        gateway=RunGateway(editor, guard),
        editor=editor,
        layout=RunLayout(folder, at_start, editor),
        folder=folder,
        staging=RunStaging(editor, folder),
        typed=RunTyped(folder, editor) if read_only is None else None,  # else what another window left is not its own
        reorder=live.reorder,
        agent=live.agent,
        feed=feed,
        foresee=live.project,
        speedups=live.speedups,
        travel=Travel(reader, past, partial(_staged, editor)),
        read_only=read_only,
    )


def _folder(journal: Callable[[str], Path | None], run_id: str) -> Path | None:
    path = journal(run_id)
    return None if path is None else path.parent


def _staged(editor: RunEditor) -> Verdict | None:
    """The reason why the present cannot be left: there are staged edits."""
    verdict = editor.can_go_live()
    return None if verdict.ok else verdict


def recorded_source(tab: RunTab, read: ReadJournal, ended: MomentReader) -> DocumentSource:
    """The source of a run that is only read from its journal, and cannot change.

    Args:
        tab: which run.
        read: its journal.
        ended: its last moment, which is shown first.
    """
    reader = TimeTravelReader(tab.run_id)
    reader.show_past(read.recording, ended)
    guard = ReadOnlyGateway(None, reader)
    editor = RunEditor(tab.run_id, reader.facts, guard)
    return DocumentSource(
        key=tab.key,
        run_id=tab.run_id,
        reader=reader,
        gateway=RunGateway(editor, guard),
        editor=editor,
        layout=RunLayout(lambda: tab.folder, parent=editor),
        folder=lambda: tab.folder,
        travel=Travel(reader, read=read),
    )


def plan_source(
    document: Document,
    documents: OpenDocuments,
    live: LiveReader,
    feed: Callable[..., Feed],
    commands: Commands,
    start: Callable[[str], None],
    leaving: Callable[[Plan], Collection[str]],
) -> DocumentSource:
    """A plan that is open, as its editor has it.

    Args:
        document: the plan as it is now.
        documents: what is open.
        live: reads the engine.
        feed: makes a feed of what changes of its runs and devices, which panes show beside the plan.
        commands: who is asked about devices.
        start: makes a run of the plan of a key.
        leaving: gives the ids of devices that leave the fleet before a plan is started.
    """
    key = document.key
    editor = PlanEditor(documents, key, live.fleet)

    async def foresee() -> Projection:
        there = documents.document(key)
        if there is None:
            raise KeyError(key)
        plan = there.plan
        durations = await live.durations_for(plan.name)
        return await foresee_plan(plan, key, live.fleet(), leaving(plan), live.now(), durations)

    return DocumentSource(
        key=key,
        reader=live.of_plan(editor.facts),
        gateway=PlanGateway(editor, commands, start),
        editor=editor,
        layout=editor,
        feed=feed,
        foresee=foresee,
    )
