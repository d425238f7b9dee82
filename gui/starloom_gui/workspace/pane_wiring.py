"""Connects each view of a document to the document's signals once it is made."""

from __future__ import annotations

from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtWidgets import QAbstractItemView

from starloom_gui.editing.run_gateway import RunGateway
from starloom_gui.panels.agents import AgentsPane
from starloom_gui.text.words import translate
from starloom_gui.widgets.message_bar import ErrorMessage
from starloom_gui.widgets.offers import Look
from starloom_gui.workspace.renaming import RowRenaming
from starloom_gui.workspace.views import ChangesGround

if TYPE_CHECKING:
    from collections.abc import Collection

    from PySide6.QtCore import SignalInstance

    from starloom_gui.canvas.view import CanvasView
    from starloom_gui.panels.fields import FieldsSection
    from starloom_gui.panels.kept_drafts import Overtaken
    from starloom_gui.viewmodel.selection import Selection
    from starloom_gui.workspace.drawing import GraphDrawing
    from starloom_gui.workspace.pane_views import PaneViews, View
    from starloom_gui.workspace.source import DocumentSource, ViewContext


class MenuSubject(Enum):
    """The subject of a context menu that is not on the canvas."""

    ROWS = "rows"
    EVENTS = "events"


class PaneOwner(Protocol):
    """What owns the panes and has the signals that they are connected to: a `DocumentView`."""

    source: DocumentSource
    around: ViewContext
    selection: Selection
    canvas: CanvasView
    drawing: GraphDrawing
    views: PaneViews

    inspect_asked: SignalInstance
    menu_asked: SignalInstance
    open_asked: SignalInstance
    device_asked: SignalInstance
    attach_asked: SignalInstance
    trust_asked: SignalInstance
    apply_asked: SignalInstance
    agents_asked: SignalInstance
    pane_asked: SignalInstance
    elsewhere_asked: SignalInstance
    refused: SignalInstance
    noticed: SignalInstance
    notice_settled: SignalInstance


def connect_panes(document_view: PaneOwner) -> None:
    """Connect the views of a document, each as soon as it is made."""
    when_made = document_view.views.when_made
    when_made(("tasks", "outline"), partial(_connect_rows, document_view))
    when_made(("inspector",), partial(_connect_inspector, document_view))
    when_made(("events",), partial(_connect_events, document_view))
    when_made(("queue",), partial(_connect_queue, document_view))
    when_made(("agents",), partial(_connect_agents, document_view))
    when_made(("changes",), partial(_connect_changes, document_view))


def _connect_rows(document_view: PaneOwner, made: View) -> None:
    rows = made.widget
    rows.activated.connect(lambda *_: document_view.inspect_asked.emit())
    rows.open_requested.connect(document_view.open_asked)
    rows.menu_asked.connect(lambda at: document_view.menu_asked.emit(at, MenuSubject.ROWS))
    view = rows.focusProxy()
    assert isinstance(view, QAbstractItemView), "the tree, or the table"
    renaming = RowRenaming(view, document_view.source, document_view.around.appearance)
    renaming.refused.connect(document_view.refused)


def _connect_inspector(document_view: PaneOwner, made: View) -> None:
    def show_failed() -> None:
        document_view.views["tasks"].widget.show_failed()
        document_view.pane_asked.emit("tasks")

    def look_at(remedy: object) -> None:
        """Scroll to a task that is named there; the inspector selects it."""
        if isinstance(remedy, Look):
            document_view.canvas.graph.reveal_task(remedy.number)

    inspector = made.widget
    _connect_drafts(document_view, inspector.fields)
    inspector.open_requested.connect(document_view.open_asked)
    inspector.add_device_requested.connect(document_view.device_asked)
    inspector.agents_requested.connect(document_view.agents_asked)
    inspector.add_task_requested.connect(document_view.canvas.controls.empty.add_asked)
    inspector.tasks_requested.connect(show_failed)
    overview = inspector.overview
    for section in (inspector.why, overview.failures, overview.slowest):
        section.chosen.connect(look_at)


def _connect_drafts(document_view: PaneOwner, fields: FieldsSection) -> None:
    drafts, run_id = fields.drafts, document_view.source.run_id
    told: dict[tuple[int, ...], ErrorMessage] = {}

    def tell_overtaken(overtaken: Overtaken) -> None:
        """Tell that tasks have started without what is typed for them; the button shows it."""

        def show() -> None:
            document_view.selection.select_all(overtaken.numbers)
            document_view.inspect_asked.emit()

        remedy = translate("DocumentView", "Show it")
        notice = ErrorMessage("", overtaken.words, remedy, show, is_notice=True, of_tab=True)
        if overtaken.numbers in told:
            document_view.notice_settled.emit(told[overtaken.numbers])
        told[overtaken.numbers] = notice
        document_view.noticed.emit(notice)

    def follow_drafts() -> None:
        """Mark the tasks for which something is typed, and settle what was told of what is set or taken back now."""
        document_view.drawing.mark_unset(drafts.tasks(run_id))
        for numbers in [one for one in told if not drafts.of(run_id, one)]:
            document_view.notice_settled.emit(told.pop(numbers))

    def retry_typed(task_ids: Collection[str]) -> bool:
        """Retry a task with what is typed for it; if that cannot be, show why."""
        is_taken = fields.retry_typed(task_ids)
        if is_taken and drafts.of(run_id, tuple(document_view.selection.now.numbers)):
            document_view.inspect_asked.emit()
        return is_taken

    drafts.overtaken.connect(tell_overtaken)
    drafts.changed.connect(follow_drafts)
    if isinstance(gateway := document_view.source.gateway, RunGateway):
        gateway.retry_typed = retry_typed


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
