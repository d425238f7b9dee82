"""Connects each view of a document to the document's signals once it is made."""

from __future__ import annotations

from enum import Enum
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QAbstractItemView

from starloom_gui.panels.agents import AgentsPane
from starloom_gui.text.words import translate
from starloom_gui.widgets.offers import AddDeviceOffer, CompareKeyOffer, Look, LookAtAgents
from starloom_gui.workspace.removing import RowRemoving
from starloom_gui.workspace.renaming import RowRenaming
from starloom_gui.workspace.typed_again import keep_typed
from starloom_gui.workspace.unset import connect_drafts, connect_retry
from starloom_gui.workspace.views import ChangesGround

if TYPE_CHECKING:
    from starloom_gui.workspace.pane_owner import PaneOwner
    from starloom_gui.workspace.pane_views import View


class MenuSubject(Enum):
    """The subject of a context menu that is not on the canvas."""

    ROWS = "rows"
    EVENTS = "events"


def connect_panes(document_view: PaneOwner) -> None:
    """Connect the views of a document, each as soon as it is made."""
    when_made = document_view.views.when_made
    when_made(("tasks", "outline"), partial(_connect_rows, document_view))
    when_made(("inspector",), partial(_connect_inspector, document_view))
    when_made(("events",), partial(_connect_events, document_view))
    when_made(("queue",), partial(_connect_queue, document_view))
    when_made(("agents",), partial(_connect_agents, document_view))
    when_made(("changes",), partial(_connect_changes, document_view))
    if document_view.source.typed is not None:
        keep_typed(document_view, document_view.source.typed)


def _connect_rows(document_view: PaneOwner, made: View) -> None:
    rows = made.widget
    rows.activated.connect(lambda *_: document_view.inspect_asked.emit())
    rows.open_requested.connect(document_view.open_asked)
    rows.menu_asked.connect(lambda at: document_view.menu_asked.emit(at, MenuSubject.ROWS))
    view = rows.focusProxy()
    assert isinstance(view, QAbstractItemView), "the tree, or the table"
    renaming = RowRenaming(view, document_view.source, document_view.around.appearance)
    renaming.refused.connect(document_view.refused)
    removing = RowRemoving(view, document_view.source, document_view.selection)
    removing.refused.connect(document_view.refused)


def _connect_inspector(document_view: PaneOwner, made: View) -> None:
    def show_failed() -> None:
        document_view.views["tasks"].widget.show_failed()
        document_view.pane_asked.emit("tasks")

    def look_at(remedy: object) -> None:
        """Scroll to a task that is named there; the inspector selects it."""
        if isinstance(remedy, Look):
            document_view.canvas.graph.reveal_task(remedy.number)

    def ask_window(remedy: object) -> None:
        if isinstance(remedy, AddDeviceOffer):
            document_view.device_asked.emit(remedy.device_id, remedy.capabilities)
        elif isinstance(remedy, CompareKeyOffer):
            document_view.host_key_asked.emit(remedy.device_id)
        elif isinstance(remedy, LookAtAgents):
            document_view.agents_asked.emit(remedy)

    inspector = made.widget
    connect_drafts(document_view, inspector)
    connect_retry(document_view, inspector)
    inspector.open_requested.connect(document_view.open_asked)
    inspector.remedy_requested.connect(ask_window)
    inspector.add_task_requested.connect(document_view.canvas.controls.empty.add_asked)
    inspector.tasks_requested.connect(show_failed)
    overview = inspector.overview
    for section in (inspector.why, overview.failures, overview.slowest):
        section.chosen.connect(look_at)


def _connect_events(document_view: PaneOwner, made: View) -> None:
    made.widget.menu_asked.connect(lambda at: document_view.menu_asked.emit(at, MenuSubject.EVENTS))


def _connect_queue(document_view: PaneOwner, made: View) -> None:
    queue = made.widget
    queue.menu_wanted.connect(lambda menu: document_view.menu_asked.emit(menu.at, MenuSubject.ROWS))
    queue.tasks_asked.connect(lambda: document_view.pane_asked.emit("tasks"))
    queue.elsewhere_chosen.connect(lambda row: document_view.elsewhere_asked.emit(row.run_id, row.number))


def _connect_agents(document_view: PaneOwner, made: View) -> None:
    if isinstance(made.widget, AgentsPane):
        made.widget.attach_asked.connect(document_view.attach_asked)
        made.widget.trust_asked.connect(document_view.trust_asked)


def _connect_changes(document_view: PaneOwner, made: View) -> None:
    def look_at(number: int) -> None:
        """Scroll to a task; one that only the plan has is highlighted, as it cannot be selected."""
        document_view.canvas.graph.reveal_task(number)
        if number not in document_view.selection.now.numbers:
            words = translate("DocumentView", "Only the plan has this task.")
            document_view.canvas.overlay.say_of(number, words, wrong=False)

    if isinstance(made.widget, ChangesGround):
        made.widget.difference.apply_asked.connect(document_view.apply_asked)
        made.widget.difference.look_asked.connect(look_at)
