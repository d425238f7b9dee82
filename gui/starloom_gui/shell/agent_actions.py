"""The window's actions on agents: attach one, show one, and count the items that wait for the user."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom_gui.dialogs.attach_agent import AttachAgentDialog
from starloom_gui.dialogs.trust import TrustDialog
from starloom_gui.documents.document import RunTab
from starloom_gui.gateway.command_gateway import reason_of
from starloom_gui.panels.agent_words import AgentPlurals
from starloom_gui.panels.agents import AgentsPane
from starloom_gui.panels.waiting import count_of, question_key
from starloom_gui.shell.badge_acts import show_act
from starloom_gui.specs.action_list import word_of
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.viewmodel.run_views import run_view

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.scheduling.read.run_view import RunView
    from starloom_gui.documents.document import Item
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.gateway.bridge import Bridge
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.gateway.commands import Commands
    from starloom_gui.shell.main_window import MainWindow
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.widgets.offers import LookAtAgents
    from starloom_gui.workspace.document_view import DocumentView
    from starloom_gui.workspace.open_views import OpenViews

PANE = "agents"


class AgentActions(QObject):
    """Attaches agents, shows them, and keeps the badge of the pane “Waits for you” up to date.

    Args:
        documents: what is open.
        views: of that.
        bridge: tells of the engine's runs.
        commands: asks the engine.
        report: is told what was not done, and why.
        appearance: the colours of dialogs.
        window: what dialogs stand over; it owns this.
    """

    def __init__(
        self,
        documents: OpenDocuments,
        views: OpenViews,
        bridge: Bridge,
        commands: Commands,
        report: Callable[[str, str], None],
        appearance: Appearance,
        window: MainWindow,
    ) -> None:
        super().__init__(window)
        self._documents, self._views, self._bridge, self._commands = documents, views, bridge, commands
        self._report, self._appearance, self._window = report, appearance, window
        self._said = (0, "")
        feed = bridge.feed(parent=self)
        feed.changed.connect(self._take)
        views.turned.connect(lambda _: self.show_badge())
        documents.changed.connect(self.show_badge)
        window.header.line.waiting_asked.connect(self.look_at_waiting)

    def connect_view(self, view: DocumentView) -> None:
        """Serve a new view."""
        view.attach_asked.connect(self.attach)
        view.trust_asked.connect(self.trust)
        view.agents_asked.connect(self.look)
        view.canvas.badge_clicked.connect(partial(show_act, view))

    # ---- what is there

    def _run(self) -> RunView | None:
        """The present state of the run in front, whatever moment is shown, as the past is read-only."""
        front = self._documents.front
        return run_view(self._bridge.run(front.run_id)) if isinstance(front, RunTab) and front.folder is None else None

    def _pane(self) -> AgentsPane | None:
        view = self._views.front
        pane = view.pane(PANE) if view is not None else None
        return pane if isinstance(pane, AgentsPane) else None

    def _take(self, changes: Changes) -> None:
        if changes.run or changes.everything or changes.second:  # a question closes with its attempt, too
            self.show_badge()

    def show_badge(self) -> None:
        """Show in the pane's tab how many items of the run in front wait for the user."""
        run = self._run()
        count = count_of(run) if run is not None else 0
        self._window.header.tabs.show_waiting(frozenset(item.key for item in self._documents if self._waits(item)))
        self._window.show_waiting(bool(count))
        said = count, AgentPlurals().waiting(count) if count else ""
        if said != self._said:
            self._said = said
            self._window.workbench.dock_of(PANE).badge(PANE, *said)

    def _waits(self, item: Item) -> bool:
        """Whether an item of an open run waits for the user."""
        run = run_view(self._bridge.run(item.run_id)) if isinstance(item, RunTab) and item.folder is None else None
        return run is not None and not run.state.has_ended and count_of(run) > 0

    def look_at_waiting(self) -> None:
        """Show the items that wait for the user."""
        self._window.workbench.show_pane(PANE)
        pane = self._pane()
        if pane is not None:
            pane.show_waiting()

    def can_attach(self) -> Verdict:
        """Whether an agent can be attached to the run in front."""
        run, view = self._run(), self._views.front
        if view is not None and (barred := view.source.barred) is not None:
            return barred
        if run is None:
            return Verdict(False, self.tr("No run is in front."))
        return Verdict(False, self.tr("The run has ended.")) if run.state.has_ended else Verdict(True)

    # ---- doing

    def attach(self) -> None:
        """Ask for an agent and attach it to the run in front."""
        run, front, verdict = self._run(), self._documents.front, self.can_attach()
        if not verdict.ok:
            self._report(word_of("attach_agent"), reason_of(verdict))
            return
        assert run is not None
        assert isinstance(front, RunTab)
        plan = front.snapshot
        AttachAgentDialog(
            self._appearance,
            run.run_id,
            self._commands,
            rules=run.facts.rules,
            goal=(plan.description or plan.name) if plan is not None else run.name,
            parent=self._window,
        ).open()

    def trust(self, name: str) -> None:
        """Ask which edits of an agent of the run in front are to wait for approval."""
        run = self._run()
        agent = run.cycles.agents.get(name) if run is not None and run.cycles is not None else None
        if run is not None and agent is not None:
            TrustDialog(self._appearance, run.run_id, name, agent.asks, self._commands, self._window).open()

    def look(self, wanted: LookAtAgents) -> None:
        """Show an agent, or a proposal that waits."""
        self._window.workbench.show_pane(PANE)
        pane = self._pane()
        if pane is None:
            return
        if wanted.approval:
            pane.show_approval(wanted.approval)
        elif wanted.gate:
            pane.show_gate(wanted.gate)
        elif wanted.question:
            pane.show_request(question_key(wanted.question))
        elif wanted.agent:
            pane.show_agent(wanted.agent)
        else:
            pane.show_waiting()
