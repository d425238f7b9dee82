"""The page of one agent: its state, figures, rounds of questions and answers, and a model's conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QStackedLayout,
    QTabBar,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from starloom.constellation.edits import ALL_KINDS
from starloom.scheduling import commands as c
from starloom_gui.gateway.command_gateway import reason_of
from starloom_gui.panels.agent_words import (
    AgentPlurals,
    detached_words,
    ended_words,
    outcome_words,
    state_words,
)
from starloom_gui.panels.round_signs import sign_of
from starloom_gui.specs.action_list import BY_COMMAND, icon_of, word_of
from starloom_gui.text.scope_words import conflict_words, ends_words, scope_words
from starloom_gui.text.trust_words import trust_words
from starloom_gui.text.words import amount, fill, moment, plain, took
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.icons import icon
from starloom_gui.theme.metrics import GAPS
from starloom_gui.theme.palette import colour
from starloom_gui.widgets.controls import Elided, button, line, text
from starloom_gui.widgets.entry_list import EntryList, ListEntry
from starloom_gui.widgets.window_style import tab_style

if TYPE_CHECKING:
    from starloom.agents.base import Agent
    from starloom.scheduling.read.run_view import RunView
    from starloom.scheduling.state.cycle_facts import AgentFacts
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.models.agent_stories import AgentStory, Round
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

_KINDS: Final = (c.PauseAgent, c.ResumeAgent, c.DetachAgent)
_TABS: Final = 24


class AgentPage(QWidget):
    """The page of one agent in the pane “Waits for you”.

    Signals:
        task_chosen(str): the user wants to see a task.
        trust_asked(): the user wants to change which of its edits wait for approval.

    Attributes:
        buttons: by the kind of command.
        change: opens the dialog about what waits for approval.
        rounds: what it was asked, newest first.
        said: what a model has said.

    Args:
        appearance: the colours.
        asks: who is asked.
        parent: the widget it lies in.
    """

    task_chosen = Signal(str)
    trust_asked = Signal()

    def __init__(self, appearance: Appearance, asks: CommandGateway, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance, self._gateway = appearance, asks
        self._about: dict[str, Any] = {"run_id": "", "agent": ""}
        self._shown: tuple[Any, ...] = ()
        self._listed: tuple[Any, ...] = ()
        self._rounds: tuple[Round, ...] = ()
        self._title = Elided(role=Role.SECTION)
        self._state = Elided(look="muted")
        self._state.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._figures = text(role=Role.SMALL)
        self._trust = text(role=Role.SMALL, look="muted")
        self.change: QPushButton = button("", height=24)
        self.buttons: dict[type[c.AgentCommand], QPushButton] = {kind: button("", height=24) for kind in _KINDS}
        self.tabs = QTabBar()
        self.rounds = EntryList(appearance, "", always=False)
        self.said = QPlainTextEdit()
        self._stack = QStackedLayout()
        self._nothing = text(look="muted")
        self._arrange()
        for kind, made in self.buttons.items():
            made.clicked.connect(lambda _=False, wanted=kind: self._gateway.do(wanted(**self._about)))
        self.change.clicked.connect(self.trust_asked)
        self.rounds.doubleClicked.connect(lambda _: self._choose())
        self.rounds.activated.connect(lambda _: self._choose())
        self.tabs.currentChanged.connect(self._stack.setCurrentIndex)
        self._say()

    def _arrange(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, GAPS[1], 0, 0)
        column.setSpacing(GAPS[0])
        top = QHBoxLayout()
        top.setContentsMargins(GAPS[2], 0, GAPS[2], 0)
        top.setSpacing(GAPS[1])
        top.addWidget(self._title, 1)
        top.addWidget(self._state, 1)
        for made in self.buttons.values():
            top.addWidget(made)
        column.addLayout(top)
        for label in (self._figures, self._trust):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._figures.setContentsMargins(GAPS[2], 0, GAPS[2], 0)
        column.addWidget(self._figures)
        trust = QHBoxLayout()
        trust.setContentsMargins(GAPS[2], 0, GAPS[2], 0)
        trust.setSpacing(GAPS[1])
        trust.addWidget(self._trust, 1)
        trust.addWidget(self.change)
        column.addLayout(trust)
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setFixedHeight(_TABS)
        for _ in range(2):
            self.tabs.addTab("")
        column.addWidget(self.tabs)
        column.addWidget(line())
        self.said.setReadOnly(True)
        self.said.setFont(font(Role.SMALL))
        self.said.setMaximumBlockCount(20_000)
        self.said.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        page = QWidget()
        inside = QVBoxLayout(page)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        self._nothing.setContentsMargins(GAPS[2], GAPS[1], GAPS[2], GAPS[1])
        inside.addWidget(self._nothing)
        inside.addWidget(self.rounds, 1)
        page.setParent(self)  # a stack without a parent yet would show it as a window
        self.said.setParent(self)
        self._stack.addWidget(page)
        self._stack.addWidget(self.said)
        column.addLayout(self._stack, 1)

    # ---- showing

    answers: tuple[QPushButton, ...] = ()
    """It asks nothing."""

    def show_agent(
        self, run: RunView, name: str, story: AgentStory, agent: Agent | None, now: float, *, unknown: str = ""
    ) -> None:
        """Show an agent as it is now; one that the facts do not know is detached.

        Args:
            run: the one that is shown.
            name: of the agent.
            story: what the log tells of it.
            agent: itself, for what a model has said; None: it is no part of this program.
            now: seconds on the engine's clock.
            unknown: why the log does not tell all it did; empty: it does.
        """
        facts = run.cycles.agents.get(name) if run.cycles is not None else None
        self._about = {"run_id": run.run_id, "agent": name}
        self._title.setText(name)
        self.setAccessibleName(name)
        if facts is not None and run.cycles is not None:
            self._state.setText(state_words(facts, run.cycles, now, is_over=run.state.has_ended))
            terms = (ends_words(facts.on), scope_words(facts.scope), conflict_words(facts.on_conflict))
            told = (trust_words(facts.asks), *terms)
            self._trust.setText(" ".join(filter(None, told)))
        else:
            self._state.setText(detached_words(story))
        self._trust.setVisible(facts is not None)
        self._figures.setText(_figures(facts, story) if facts is not None or not unknown else "")
        self._show_buttons(facts)
        self._show_rounds(run, story, unknown)
        self._show_said(run.run_id, agent)

    def _show_buttons(self, facts: AgentFacts | None) -> None:
        self.change.setVisible(facts is not None)
        asked = () if facts is not None and facts.asks else ALL_KINDS  # anything else than now
        trust = c.TrustAgent(**self._about, asks=asked)
        barred = reason_of(self._gateway.can(trust)) if facts is not None else ""
        self.change.setEnabled(not barred)
        self.change.setToolTip(barred or self.tr("Choose which of its edits wait for your approval"))
        is_paused = facts is not None and facts.paused
        shown = {c.PauseAgent: not is_paused, c.ResumeAgent: is_paused, c.DetachAgent: True}
        for kind, made in self.buttons.items():
            made.setVisible(facts is not None and shown[kind])
            if facts is None or not shown[kind]:
                continue
            reason = reason_of(self._gateway.can(kind(**self._about)))
            made.setEnabled(not reason)
            made.setToolTip(reason or BY_COMMAND[kind].tip())
            made.setAccessibleDescription(made.toolTip())

    def _show_rounds(self, run: RunView, story: AgentStory, unknown: str) -> None:
        not_asked = self.tr("It has not been asked yet. What it answers as tasks end will stand here.")
        self._nothing.setText(unknown or not_asked)
        self._nothing.setVisible(bool(unknown) or not story.rounds)
        rounds = tuple(story.rounds)
        times = tuple(moment(run.wall(one.at)) for one in rounds)
        listed = (self._about, times, rounds)
        if listed == self._listed:
            return
        self._listed, self._rounds = listed, rounds
        entries = []
        for one, when in zip(reversed(rounds), reversed(times), strict=True):
            thought = took(one.answered_at - one.at) if one.answered_at is not None else ""
            title = fill(self.tr("%1: %2"), ended_words(one.task_ids), outcome_words(one))
            detail = " · ".join(part for part in (when, thought, plain(one.why)) if part)
            entries.append(ListEntry(key=(one.number,), title=title, detail=detail, sign=sign_of(one.outcome)))
        self.rounds.show_entries(entries)
        self.rounds.setVisible(bool(entries))

    def _show_said(self, run_id: str, agent: Agent | None) -> None:
        told = getattr(agent, "conversation", None)
        self.tabs.setTabVisible(1, told is not None)
        if told is None:
            self.tabs.setCurrentIndex(0)
            return
        said = told(run_id)
        tokens = agent.tokens(run_id) if agent is not None and hasattr(agent, "tokens") else 0
        self.tabs.setTabText(1, fill(self.tr("Conversation · %1 tokens"), amount(tokens)))
        if self._shown != (self._about, said):
            self._shown = (self._about, said)
            self._write(said)

    def _write(self, said: Any) -> None:
        """Rewrite the conversation as plain text; if its end was visible, it stays so."""
        bar = self.said.verticalScrollBar()
        was_at_end = bar.value() >= bar.maximum()
        self.said.clear()
        cursor = QTextCursor(self.said.document())
        palette = self._appearance.palette
        muted, usual = QTextCharFormat(), QTextCharFormat()
        muted.setForeground(colour(palette.muted))
        usual.setForeground(colour(palette.text))
        who_is = {"model": self.tr("Model"), "starloom": self.tr("Starloom")}
        for at, one in enumerate(said):
            cursor.insertText("\n\n" if at else "", usual)
            cursor.insertText(f"{who_is.get(one.who, one.who)}\n", muted)
            cursor.insertText(one.text.strip(), usual if one.who == "model" else muted)
        if not said:
            cursor.insertText(self.tr("Nothing has been said yet."), muted)
        if was_at_end:
            bar.setValue(bar.maximum())

    def _choose(self) -> None:
        key = self.rounds.key
        found = next((one for one in self._rounds if key and one.number == key[0]), None)
        if found is not None and found.task_ids:
            self.task_chosen.emit(found.task_ids[0])

    # ---- look

    def _say(self) -> None:
        for kind, made in self.buttons.items():
            made.setText(BY_COMMAND[kind].text())
            made.setAccessibleName(word_of(BY_COMMAND[kind].key))
        self.change.setText(self.tr("Change…"))
        self.change.setAccessibleName(word_of(BY_COMMAND[c.TrustAgent].key))
        self.tabs.setTabText(0, self.tr("Rounds"))
        self.tabs.setAccessibleName(self.tr("What is shown of the agent"))
        self.rounds.setAccessibleName(self.tr("Rounds"))
        self.said.setAccessibleName(self.tr("Conversation"))

    def apply_theme(self, palette: Palette) -> None:
        """Apply the colours of a theme."""
        self.tabs.setStyleSheet(tab_style(palette, _TABS, "transparent", 12, 12))
        for kind, made in self.buttons.items():
            made.setIcon(icon(icon_of(BY_COMMAND[kind].key), palette))
        self._shown = ()

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._say()
            self._shown = self._listed = ()
        super().changeEvent(event)


def _figures(facts: AgentFacts | None, story: AgentStory) -> str:
    """The figures of an agent's work, from the facts, or from the log where these no longer have them."""
    if facts is None:
        counts = (story.asked, story.proposed, story.accepted, story.refused, story.late, story.timed_out, story.errors)
    else:
        counts = (
            *(facts.rounds, facts.proposed, facts.accepted, facts.refused),
            *(facts.lates, facts.timeouts, facts.errors),
        )
    return AgentPlurals().figures(*counts)
