"""The sources of sheets: a run of the engine, followed by the bridge, and a plan on the desk, changed only by edits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom_gui.documents.facts import facts_of
from starloom_gui.sheets.source import Source

if TYPE_CHECKING:
    from starloom.model.plan import Plan
    from starloom.scheduling.run_facts import RunFacts
    from starloom_gui.bridge.bridge import Bridge
    from starloom_gui.documents.desk import Desk
    from starloom_gui.documents.document import Document, RunTab
    from starloom_gui.panels.asking import Asks


def run_source(tab: RunTab, bridge: Bridge, asks: Asks) -> Source:
    """A run of the engine."""
    run_id = tab.run_id
    return Source(
        key=tab.key,
        run_id=run_id,
        facts=lambda: bridge.run(run_id),
        clock=bridge.now,
        asks=asks,
        why=bridge.why,
        feed=bridge.feed,
        foresee=lambda: bridge.project(run_id),
    )


def plan_source(document: Document, desk: Desk, bridge: Bridge, asks: Asks) -> Source:
    """A plan on the desk, as it is there whenever its facts are asked for."""
    key = document.key
    made: list[tuple[Plan, RunFacts]] = []

    def facts() -> RunFacts | None:
        now = desk.document(key)
        if now is not None and (not made or made[-1][0] is not now.plan):
            made[:] = [(now.plan, facts_of(now.plan, key, bridge.fleet))]
        return made[-1][1] if now is not None else None

    return Source(key=key, facts=facts, clock=lambda: 0.0, asks=asks, why=lambda _run, _task: ())
