"""The pane “Waits for you”: the items that wait for the user, the agents of the run, and their history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QPushButton, QStackedLayout, QVBoxLayout, QWidget
from typing_extensions import override

from starloom.scheduling.commands import AnswerApproval
from starloom_gui.gateway.command_gateway import reason_of
from starloom_gui.panels.agent_page import AgentPage
from starloom_gui.panels.agent_words import AgentPlurals, detached_words, state_words
from starloom_gui.panels.answer_keys import AnswerKeys
from starloom_gui.panels.fence_bar import FenceBar
from starloom_gui.panels.note import empty_page
from starloom_gui.panels.request_pages import RequestPages
from starloom_gui.panels.round_signs import agent_sign
from starloom_gui.panels.waiting import APPROVAL, GATE, approval_key
from starloom_gui.theme.fonts import Role
from starloom_gui.theme.metrics import GAPS
from starloom_gui.viewmodel.run_views import run_view
from starloom_gui.widgets.controls import button, line, mark, sheet, text
from starloom_gui.widgets.entry_list import EntryList, ListEntry
from starloom_gui.widgets.number_field import number_sheet
from starloom_gui.widgets.theme_changes import Restyling

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent

    from starloom.agents.base import Agent
    from starloom.scheduling.read.run_view import RunView
    from starloom_gui.editing.run_editor import RunEditor
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.models.agent_stories import Stories
    from starloom_gui.panels.open_requests import OpenRequests
    from starloom_gui.panels.request_pages import RequestPage
    from starloom_gui.specs.action_spec import Verdict
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.viewmodel.roles import Clock
    from starloom_gui.viewmodel.selection import Selection
    from starloom_gui.widgets.entry_list import Key

AGENT: Final = "agent"
_HIGH: Final = 200
"""Pixels from which on there is room for the terms above what waits; below, what is to be answered has it."""
_LIST: Final = (220, 320)
_SOON: Final = 0
"""Milliseconds until the rest of a long log is read."""


class AgentsPane(QWidget):
    """The pane “Waits for you”: waiting items and agents on the left, the page of one of them on the right.

    Signals:
        attach_asked: the user wants to attach an agent.
        trust_asked(str): the user wants to change which edits of this agent wait for approval.
        attach_barred(str): why none can be attached now; empty: one can.

    Attributes:
        fence: what waits meanwhile.
        entries: what waits, and the agents.
        request_pages: the pages of what waits, and what is typed there.
        approval, gate, question, agent: the pages, one of which is shown for what is chosen.
        attach: opens the dialog where there is no agent yet.

    Args:
        appearance: the colours.
        selection: of the run; tasks that are chosen here are selected everywhere.
        clock: gives seconds on the engine's clock.
        requests: what waits for a person in the run.
        stories: what the agents of the run have done.
        asks: who is asked.
        editor: shows a proposal on the canvas.
        agent_of: gives an agent itself by its name.
        barred: gives why nothing can be done about what is shown; None: it can.
        parent: the widget it lies in.
    """

    attach_asked = Signal()
    trust_asked = Signal(str)
    attach_barred = Signal(str)

    def __init__(
        self,
        appearance: Appearance,
        selection: Selection,
        *,
        clock: Clock,
        requests: OpenRequests,
        stories: Stories,
        asks: CommandGateway,
        editor: RunEditor,
        agent_of: Callable[[str], Agent | None],
        barred: Callable[[], Verdict | None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._appearance, self._selection, self._clock = appearance, selection, clock
        self._gateway, self._editor, self._agent_of, self._barred = asks, editor, agent_of, barred
        self._stories = stories
        self.requests = requests
        self.fence = FenceBar(asks)
        self.entries = EntryList(appearance, "")
        pages = self.request_pages = RequestPages(self.requests, lambda: appearance.palette, asks)
        self.approval, self.gate, self.question = pages.approval, pages.gate, pages.question
        self.agent = AgentPage(appearance, asks)
        self._sentence, self.attach = text(look="muted"), button("")
        self._refusal = text(role=Role.SMALL, look="wrong")
        self.accept_all: QPushButton = button("", height=24)
        self.reject_all: QPushButton = button("", height=24)
        self._keys = AnswerKeys(self)
        self.setFocusProxy(self.entries)
        self._later = QTimer(self, singleShot=True, interval=_SOON)
        self._later.timeout.connect(self.refresh)
        self._arrange()
        self._connect()
        self._say()
        Restyling(self, appearance, self._apply_theme)

    def _arrange(self) -> None:
        self.setObjectName("pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._left = QWidget()
        left = QVBoxLayout(self._left)
        left.setContentsMargins(0, 0, 0, 0)
        left.setSpacing(0)
        left.addWidget(self.entries, 1)
        self._all = QWidget()
        both = self._both = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._all)
        both.setContentsMargins(GAPS[2], GAPS[0], GAPS[2], GAPS[0])
        both.setSpacing(GAPS[1])
        for each in (self.reject_all, self.accept_all):
            mark(each, "verb")
            both.addWidget(each)
        left.addWidget(self._all)
        upright = line()
        upright.setFixedSize(1, 16_777_215)
        upright.setMinimumHeight(0)
        right = QWidget()
        self._pages = QStackedLayout(right)
        for page in (QWidget(), self.approval, self.gate, self.question, self.agent):
            page.setParent(right)
            self._pages.addWidget(page)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._left)
        row.addWidget(upright)
        row.addWidget(right, 1)
        self._refusal.setContentsMargins(GAPS[2], 0, GAPS[2], GAPS[0])
        self._refusal.hide()
        known = QWidget()
        column = QVBoxLayout(known)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.fence)
        column.addWidget(self._refusal)
        column.addWidget(line())
        column.addLayout(row, 1)
        self._stack = QStackedLayout(self)
        for page in (empty_page(self._sentence, self.attach), known):
            page.setParent(self)
            self._stack.addWidget(page)

    def _connect(self) -> None:
        self.attach.clicked.connect(self.attach_asked)
        self.entries.chosen.connect(self._turn)
        self.fence.refused.connect(self._explain)
        self.accept_all.clicked.connect(lambda: self._answer_all(accept=True))
        self.reject_all.clicked.connect(lambda: self._answer_all(accept=False))
        self.approval.changed.connect(self.refresh)
        self.agent.trust_asked.connect(lambda: self.trust_asked.emit(self.entries.key[1]))
        for page in (self.approval, self.gate, self.question, self.agent):
            page.task_chosen.connect(self._choose_task)

    # ---- being told

    def on_changes(self, changes: Changes) -> None:
        """Show what has changed; to be connected to a feed of the run."""
        is_proposal = self.entries.key[:1] == (APPROVAL,)  # which may fit no more with any task that starts or ends
        if changes.everything or changes.run or changes.edits or changes.second or is_proposal:
            self.refresh()

    def refresh(self) -> None:
        """Update the whole pane, if it is visible."""
        run = run_view(self._editor.run_facts())
        if not self.isVisible() or run is None:
            return
        if not self._stories.read():
            self._later.start()
        now = self._clock()
        self.requests.read(run, self.entries.key, is_now=self._barred() is None)
        entries = self._entries(run, now)
        self._stack.setCurrentIndex(1 if entries else 0)
        self._allow(run)
        self.fence.show_run(run)
        self.entries.show_entries(entries)
        if anew := self.requests.asked_anew(self.entries.key):
            self.entries.choose(anew)
        self._all.setVisible(sum(key[0] == APPROVAL for key in self.requests.waiting) > 1)
        self._show_page(run, now)

    def _allow(self, run: RunView) -> None:
        """Enable the buttons that do not depend on the selection, or show why they are disabled."""
        barred = self._barred()
        past = reason_of(barred) if barred is not None else ""
        attaching = past or (self.tr("The run has ended.") if run.state.has_ended else "")
        for made, why, usual in (
            (self.attach, attaching, ""),
            (self.accept_all, past, self.tr("Apply all proposals that wait and still fit, oldest first")),
            (self.reject_all, past, self.tr("Drop all proposals that wait")),
        ):
            made.setEnabled(not why)
            made.setToolTip(why or usual)
        self.attach_barred.emit(attaching)

    def _entries(self, run: RunView, now: float) -> list[ListEntry]:
        found: list[ListEntry] = []
        if asked := self.requests.entries(run, now):
            found += [ListEntry(title=AgentPlurals().waiting(len(self.requests.waiting))), *asked]
        cycles = run.cycles
        known = cycles.agents if cycles is not None else {}
        gone = [story for story in self._stories if story.name not in known]
        if known or gone:
            found.append(ListEntry(title=self.tr("Agents")))
        for name, facts in known.items():
            assert cycles is not None
            detail = state_words(facts, cycles, now, is_over=run.state.has_ended)
            found.append(ListEntry(key=(AGENT, name), title=name, detail=detail, sign=agent_sign(facts, cycles)))
        for story in gone:
            detail = detached_words(story)
            sign = agent_sign(None, cycles)
            found.append(ListEntry(key=(AGENT, story.name), title=story.name, detail=detail, sign=sign, is_faint=True))
        return found

    def _show_page(self, run: RunView, now: float) -> None:
        key = self.entries.key
        page: RequestPage | AgentPage | None = self.request_pages.show(run, key, now)
        if key[:1] == (AGENT,):
            page = self.agent
            story = self._stories.story(key[1])
            page.show_agent(run, key[1], story, self._agent_of(key[1]), now, unknown=self._stories.unknown)
        approval = run.cycles.approvals.get(key[1]) if run.cycles is not None and page is self.approval else None
        self._editor.show_proposal(self.approval.kept(approval) if approval is not None else ())
        self._pages.setCurrentIndex(0 if page is None else self._pages.indexOf(page))
        self._keys.give(key, () if page is None else page.answers)

    # ---- input

    def show_agent(self, name: str) -> None:
        """Choose an agent."""
        self.show_request((AGENT, name))

    def show_approval(self, number: int) -> None:
        """Choose a proposal that waits."""
        self.show_request(approval_key(number))

    def show_gate(self, task_id: str) -> None:
        """Select a waiting gate, and focus its note."""
        self.refresh()
        self.show_request(next((key for key in self.requests.waiting if key[0] == GATE and key[1][0] == task_id), ()))
        if self._pages.currentWidget() is self.gate:
            self.gate.bar.note.setFocus()

    def show_waiting(self) -> None:
        """Select the entry that has waited longest, if there is one."""
        self.refresh()
        self.show_request(next(iter(self.requests.waiting), self.entries.key))

    def show_request(self, key: Key) -> None:
        """Choose what waits, or an agent, by its key."""
        self.refresh()
        self.entries.choose(key)
        self.entries.setFocus()

    def _turn(self, _key: Key) -> None:
        run = run_view(self._editor.run_facts())
        if run is not None and self.isVisible():
            self._show_page(run, self._clock())

    def _choose_task(self, task_id: str) -> None:
        run = self._editor.view()
        if run is not None and (number := run.number(task_id)) is not None:
            self._selection.select(number)

    def _answer_all(self, *, accept: bool) -> None:
        """Answer all proposals, each by its own number; gates and proposals that can no longer be accepted stay."""
        for kind, number in list(self.requests.waiting):
            if kind == APPROVAL:
                answer = AnswerApproval(run_id=self._editor.run_id, approval=number, accept=accept)
                if self._gateway.can(answer).ok:
                    self._gateway.do(answer)

    def _explain(self, reason: str) -> None:
        self._refusal.setText(reason)
        self._refusal.setVisible(bool(reason))

    # ---- look

    def _say(self) -> None:
        self.setAccessibleName(self.tr("Waits for you"))
        self.entries.setAccessibleName(self.tr("What waits for you, and agents"))
        self._sentence.setText(
            self.tr("Nothing here waits for you. Questions of tasks, gates and agents of this run stand here.")
        )
        self.attach.setText(self.tr("Add editing agent…"))
        self.accept_all.setText(self.tr("Accept all"))
        self.reject_all.setText(self.tr("Reject all"))

    def _apply_theme(self, palette: Palette) -> None:
        self.setStyleSheet(sheet(palette) + number_sheet(palette))
        for each in (self.fence, self.approval, self.gate, self.question, self.agent):
            each.apply_theme(palette)
        self.refresh()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fence.allow(is_roomy=self.height() >= _HIGH)
        wide = min(_LIST[1], max(_LIST[0], self.width() // 3))
        self._left.setFixedWidth(wide)
        wanted = self.accept_all.sizeHint().width() + self.reject_all.sizeHint().width() + 2 * GAPS[2] + GAPS[1]
        way = QBoxLayout.Direction
        self._both.setDirection(way.LeftToRight if wanted <= wide else way.TopToBottom)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._later.stop()
        self._editor.show_proposal(())  # ghosts are there while one looks at what they are of

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._say()
            self.approval.forget()
            self.refresh()
        super().changeEvent(event)
