"""The sources of sheets: a run of the engine, followed by the bridge, and a plan on the desk, changed only by edits."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from starloom.errors import CommandRefused
from starloom_gui.editing.plan_asks import PlanAsks
from starloom_gui.editing.plan_editor import PlanEditor
from starloom_gui.editing.run_asks import RunAsks
from starloom_gui.editing.run_editor import RunEditor
from starloom_gui.sheets.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.scheduling.why import Reason
    from starloom_gui.bridge.bridge import Bridge
    from starloom_gui.bridge.commands import Commands
    from starloom_gui.documents.desk import Desk
    from starloom_gui.documents.document import Document, RunTab


def run_source(tab: RunTab, bridge: Bridge, commands: Commands) -> Source:
    """A run of the engine."""
    run_id = tab.run_id
    editor = RunEditor(run_id, partial(bridge.run, run_id), commands, partial(bridge.what_if, run_id))
    return Source(
        key=tab.key,
        run_id=run_id,
        facts=partial(bridge.run, run_id),
        clock=bridge.now,
        asks=RunAsks(editor, commands),
        editor=editor,
        why=partial(_why, bridge),
        feed=bridge.feed,
        foresee=partial(bridge.project, run_id),
    )


def _why(bridge: Bridge, run_id: str, task_id: str) -> tuple[Reason, ...]:
    """Why a task does not run; nothing is known of one that is only staged."""
    try:
        return bridge.why(run_id, task_id)
    except CommandRefused:
        return ()


def plan_source(
    document: Document, desk: Desk, bridge: Bridge, commands: Commands, start: Callable[[str], None]
) -> Source:
    """A plan on the desk, as its editor has it.

    Args:
        document: where it lies now.
        desk: where it lies.
        bridge: the fleet it would run on.
        commands: who is asked about devices.
        start: makes a run of the plan of a key.
    """
    editor = PlanEditor(desk, document.key, bridge.fleet)
    return Source(
        key=document.key,
        facts=editor.facts,
        clock=lambda: 0.0,
        asks=PlanAsks(editor, commands, start),
        editor=editor,
        why=lambda _run, _task: (),
    )
