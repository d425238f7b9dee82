"""Attach an agent to a run: its kind, what that has to be told, and which of its edits wait for approval."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final, Protocol

from PySide6.QtWidgets import QButtonGroup, QFileDialog, QFrame, QStackedLayout, QVBoxLayout, QWidget
from typing_extensions import override

from starloom.agents.allowance import AgentError
from starloom.agents.llm import LlmAgent
from starloom.scheduling.commands import AttachAgent, Command
from starloom_gui.dialogs.agent_forms import MODEL, RULES, agent_forms
from starloom_gui.dialogs.trust import TrustChoice
from starloom_gui.event_loop.background import in_background
from starloom_gui.gateway.command_gateway import reason_of
from starloom_gui.text.words import fill, took
from starloom_gui.theme.fonts import Role
from starloom_gui.theme.metrics import GAPS
from starloom_gui.widgets.choice_row import choice_row
from starloom_gui.widgets.controls import button, line, text
from starloom_gui.widgets.dialog import Dialog
from starloom_gui.widgets.editor import FieldError
from starloom_gui.widgets.form import Form

if TYPE_CHECKING:
    from collections.abc import Collection, Coroutine, Sequence

    from starloom.agents.base import Agent
    from starloom_gui.specs.action_spec import Verdict
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

WIDTH: Final = 560


class Attaching(Protocol):
    """The protocol that attaches agents for the dialog: the bridge's `Commands`, or whatever answers like it."""

    def can(self, command: Command) -> Verdict:
        """Whether a command would be carried out now."""

    def attach_agent(self, run_id: str, agent: Agent, asks: Collection[str] = ()) -> int:
        """Attach an agent."""


class AttachAgentDialog(Dialog):
    """Asks for an agent and attaches it; to be shown with `open()`, where the engine's loop runs.

    Attributes:
        test: tries the endpoint of a model.
        browse: chooses a file with rules.
        trust: which of its edits wait.

    Args:
        appearance: the colours.
        run_id: of the run.
        attaching: who is asked.
        rules: those that the run's plan declares.
        goal: what the run is for, in words.
        parent: the window it stands over.
    """

    def __init__(
        self,
        appearance: Appearance,
        run_id: str,
        attaching: Attaching,
        *,
        rules: Sequence[Any] = (),
        goal: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(appearance, "", "", width=WIDTH, parent=parent)
        self._run_id, self._attaching = run_id, attaching
        self._descriptions = agent_forms(rules, goal)
        self._forms = [Form(one.fields, lambda: appearance.palette) for one in self._descriptions]
        self._kinds = QButtonGroup(self)
        self._stack = QStackedLayout()
        self._says = text(role=Role.SMALL, look="muted")
        self.trust = TrustChoice()
        self.test, self.browse = button(""), button("")
        self._at = 0
        self._task: asyncio.Task[None] | None = None
        self._furnish()
        self.finished.connect(self._give_up)
        self.apply_theme(appearance.palette)
        self._turn(0)

    def _furnish(self) -> None:
        self.retitle(self.tr("Attach agent"), self.tr("Attach agent"))
        self.test.setText(self.tr("Test connection"))
        self.browse.setText(self.tr("Choose file…"))
        self.test.clicked.connect(self.try_it)
        self.browse.clicked.connect(self.choose_file)
        self.aside.addWidget(self.test)
        self.aside.addWidget(self.browse)
        self.body.addWidget(self._choice())
        self.body.addWidget(self._says)
        for form in self._forms:
            page = QWidget()
            column = QVBoxLayout(page)
            column.setContentsMargins(0, 0, 0, 0)
            column.addWidget(form)
            column.addStretch(1)
            page.setParent(self)  # a stack without a parent yet would show it as a window
            self._stack.addWidget(page)
            form.edited.connect(self._look)
        self.body.addLayout(self._stack)
        self.body.addWidget(line())
        self.body.addSpacing(GAPS[0])
        self.body.addWidget(self.trust)

    def _choice(self) -> QFrame:
        kinds = [(one.label, one.says) for one in self._descriptions]
        frame = choice_row(self._kinds, self.tr("Kind of agent"), kinds)
        self._kinds.idToggled.connect(lambda at, chosen: self._turn(at) if chosen else None)
        return frame

    # ---- what is chosen

    @property
    def form(self) -> Form:
        """The form of the chosen kind."""
        return self._forms[self._at]

    def choose(self, kind: str) -> None:
        """Choose a kind of agent.

        Raises:
            StopIteration: there is no such kind.
        """
        at = next(at for at, one in enumerate(self._descriptions) if one.kind == kind)
        self._kinds.button(at).setChecked(True)

    def _turn(self, at: int) -> None:
        self._at = at
        self._stack.setCurrentIndex(at)
        described = self._descriptions[at]
        self._says.setText(described.says)
        self.test.setVisible(described.kind == MODEL)
        self.browse.setVisible(described.kind == RULES)
        self.form.editor(self.form.names[0]).setFocus()
        self._look()

    def _look(self) -> None:
        """What was being found out is about what stood there before."""
        self._give_up()
        missing = self.form.missing()
        self.test.setEnabled(not missing)
        self.test.setToolTip(missing or self.tr("See whether the endpoint answers and has this model; costs nothing"))
        self.allow(missing)

    def choose_file(self) -> QFileDialog:
        """Let the user choose the file with the rules."""
        chooser = QFileDialog(self, self.tr("Choose a file with rules"))
        chooser.setFileMode(QFileDialog.FileMode.ExistingFile)
        chooser.setNameFilters([self.tr("Plans (*.yaml *.yml *.json)"), self.tr("All files (*)")])
        chooser.fileSelected.connect(lambda path: self.form.fill({"path": path}))
        chooser.finished.connect(chooser.deleteLater)
        chooser.open()
        return chooser

    # ---- doing

    @override
    def do(self) -> None:
        self._start(self._attach())

    def try_it(self) -> None:
        """See whether the endpoint of a model can be asked; while that is under way, give it up."""
        if self._task is not None:
            self._look()
            return
        self._start(self._try())
        self.test.setText(self.tr("Stop testing"))
        self.note(self.tr("Connecting…"))

    def _start(self, doing: Coroutine[Any, Any, None]) -> None:
        self._give_up()
        task = asyncio.get_running_loop().create_task(doing, name="console: attach agent")
        self._task = task
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        if task is self._task:
            self._task = None
            self.test.setText(self.tr("Test connection"))
        if not task.cancelled():
            task.result()

    def _give_up(self, *_: object) -> None:
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            self.test.setText(self.tr("Test connection"))

    async def _made(self) -> Agent | None:
        """The agent as described; None: something is wrong, and it stands under its field."""
        form, described = self.form, self._descriptions[self._at]
        form.clear()
        values = form.values()
        if values is None:
            return None
        try:
            return await in_background(described.make, values)
        except FieldError as error:
            form.explain(error.name, fill(self.tr("%1 Nothing was attached."), error))
        return None

    async def _attach(self) -> None:
        agent, asks = await self._made(), self.trust.asks
        if agent is None:
            return
        verdict = self._attaching.can(AttachAgent(run_id=self._run_id, agent=agent.name, asks=asks))
        if not verdict.ok:
            self.form.explain("name", fill(self.tr("%1 Nothing was attached."), reason_of(verdict)))
            return
        self._attaching.attach_agent(self._run_id, agent, asks)
        self.accept()

    async def _try(self) -> None:
        agent = await self._made()
        if not isinstance(agent, LlmAgent):
            return
        begun = asyncio.get_running_loop().time()
        try:
            knows = await agent.probe()
        except AgentError as error:
            self.note("")
            words = str(error)
            self.form.explain("url", words[:1].upper() + words[1:])
            return
        if not knows:
            self.note("")
            self.form.explain("model", self.tr("The endpoint answers, but does not list this model."))
            return
        self.note(fill(self.tr("Answered in %1"), took(asyncio.get_running_loop().time() - begun)))

    @override
    def apply_theme(self, palette: Palette) -> None:
        super().apply_theme(palette)
        self.trust.apply_theme(palette)
        for form in self._forms:
            form.apply_theme(palette)
