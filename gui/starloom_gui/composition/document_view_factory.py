"""Makes the views of a run or a plan that is open."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from starloom.journal.names import IMPORTED
from starloom_gui.composition.earlier_runs import past_of
from starloom_gui.dialogs.host_key import changed_key
from starloom_gui.documents.document import RunTab
from starloom_gui.editing.templates import kinds, ready_made
from starloom_gui.gateway.live_reader import LiveReader
from starloom_gui.gateway.output import OutputHub
from starloom_gui.gateway.remote_engine import only_watches
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.time_travel.reopening import ReadJournal
from starloom_gui.workspace.document_view import DocumentView
from starloom_gui.workspace.source import ViewContext
from starloom_gui.workspace.sources import plan_source, recorded_source, run_source

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from PySide6.QtCore import QObject

    from starloom_gui.composition.run_starter import RunStarter
    from starloom_gui.documents.document import Item
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.editing.templates import TaskTemplate
    from starloom_gui.gateway.bridge import Bridge
    from starloom_gui.gateway.commands import Commands
    from starloom_gui.gateway.engine import Engine
    from starloom_gui.gateway.plan_runs import PlanRuns
    from starloom_gui.gateway.run_archive import RunArchive
    from starloom_gui.panels.devices import DevicesPanel
    from starloom_gui.panels.open_parts import OpenParts
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.workspace.recorded import RecordedRuns


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewDependencies:
    """The dependencies of all views.

    Attributes:
        engine: the engine.
        bridge: tells of its runs.
        commands: asks it.
        documents: what is open.
        hub: what tasks print.
        devices: the pane of devices.
        templates: gives the templates the user has saved.
        name_of: gives what a run is called, by its id and the name of its plan.
        appearance: the colours.
        unfolded: the parts of the inspectors' forms that are unfolded.
        plan_runs: reads the last runs of plans.
        behind: gives the seconds since the facts of runs were up to date; 0: they are.
    """

    engine: Engine
    bridge: Bridge
    commands: Commands
    documents: OpenDocuments
    hub: OutputHub
    devices: DevicesPanel
    templates: Callable[[], Sequence[TaskTemplate]]
    name_of: Callable[[str, str], str]
    appearance: Appearance
    unfolded: OpenParts
    plan_runs: PlanRuns
    behind: Callable[[], float]


class DocumentViewFactory:
    """Makes views and connects each to the window.

    Args:
        needs: what they are made from.
        recorded: gives who reads runs that only their journals tell of.
        starter: starts plans.
        connect: connects a new view to the window.
        parent: of the views.
    """

    def __init__(
        self,
        needs: ViewDependencies,
        recorded: Callable[[], RecordedRuns],
        starter: RunStarter,
        connect: Callable[[DocumentView], None],
        parent: QObject,
    ) -> None:
        self._needs, self._recorded, self._starter = needs, recorded, starter
        self._connect, self._parent = connect, parent

    def make(self, item: Item) -> DocumentView:
        """Make a view of an open document."""
        needs = self._needs
        folder = item.folder if isinstance(item, RunTab) else None
        run_id = item.run_id if isinstance(item, RunTab) else ""
        live = LiveReader(needs.engine, needs.bridge, run_id, needs.behind)
        if not isinstance(item, RunTab):
            starter = self._starter
            feed, start, leaving = needs.bridge.feed, starter.start_plan, starter.leaving
            source = plan_source(item, needs.documents, live, feed, needs.commands, start, leaving)
        elif folder is None:
            journal, past = needs.engine.journal, past_of(needs.engine, item.run_id)
            read_only = Verdict(False, *only_watches()) if needs.engine.watches else None
            source = run_source(item, live, needs.bridge.feed, needs.commands, journal, past, read_only)
        else:
            found = self._recorded().of(folder)
            is_imported = (folder / IMPORTED).exists()
            offer = self._starter.reopener.offer
            reopening = offer(folder, item.title, has_ended=found.has_ended, is_imported=is_imported)
            source = recorded_source(item, ReadJournal(found.recording, found.marks, reopening), found.ended)
        view = DocumentView(source, self._context(folder), self._parent)
        self._connect(view)
        return view

    def _context(self, folder: Path | None) -> ViewContext:
        """The dependencies that views share; for a recorded run, its directory has the output."""
        needs = self._needs
        return ViewContext(
            appearance=needs.appearance,
            hub=needs.hub if folder is None else OutputHub(None),
            kinds=lambda: (*kinds(), *ready_made(), *needs.templates()),
            name_of=needs.name_of,
            device_at=needs.devices.cards.device_at,
            unfolded=needs.unfolded,
            plan_runs=needs.plan_runs,
            runs=needs.bridge.all_runs,
            feed=needs.bridge.feed,
            other_key=lambda device_id: folder is None and changed_key(needs.bridge.refusal(device_id)) is not None,
            unheard_since=needs.bridge.unheard_since if folder is None else lambda _: None,
            file_of=needs.engine.output_file if folder is None else partial(_output_in, needs.engine.archive, folder),
        )


def _output_in(archive: RunArchive, folder: Path, _run_id: str, task_id: str, attempt: int) -> Path:
    return archive.output(folder, task_id, attempt)
