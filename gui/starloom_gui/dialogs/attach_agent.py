"""The dialog that attaches an agent to a run: its kind, its options, and which of its edits wait for approval."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Protocol

from PySide6.QtWidgets import QFileDialog, QWidget
from typing_extensions import override

from starloom.agents.llm import LlmAgent
from starloom.errors import AgentError
from starloom.formats.agent_terms import TermsReader
from starloom.model.agent_terms import NO_TERMS, AgentTerms
from starloom.scheduling.commands import AttachAgent, Command
from starloom_gui.dialogs.agent_forms import MODEL, RULES, agent_forms
from starloom_gui.dialogs.kind_forms import KindForms
from starloom_gui.dialogs.plan_properties.lists import EndForm, terms_fields
from starloom_gui.dialogs.plan_properties.raw_form import fault_of
from starloom_gui.dialogs.trust import TrustChoice
from starloom_gui.event_loop.background import in_background
from starloom_gui.gateway.command_gateway import reason_of
from starloom_gui.text.engine_words import why_not
from starloom_gui.text.words import fill, took
from starloom_gui.theme.fonts import Role
from starloom_gui.theme.metrics import GAPS
from starloom_gui.widgets.controls import button, line, text
from starloom_gui.widgets.dialog import Dialog
from starloom_gui.widgets.editor import FieldError
from starloom_gui.widgets.file_dialog import FileDialog
from starloom_gui.widgets.typed_guard import TypedGuard

if TYPE_CHECKING:
    from collections.abc import Collection, Coroutine, Sequence

    from starloom.agents.base import Agent
    from starloom_gui.specs.action_spec import Verdict
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

WIDTH: Final = 560


class Attaching(Protocol):
    """The protocol of what attaches agents for the dialog, as `Commands` does."""

    def can(self, command: Command) -> Verdict:
        """Whether a command would be carried out now."""

    def attach_agent(self, run_id: str, agent: Agent, asks: Collection[str] = (), terms: AgentTerms = NO_TERMS) -> int:
        """Attach an agent."""


class AttachAgentDialog(Dialog):
    """Asks for an agent and attaches it; to be shown with `open()`, where the engine's loop runs.

    Attributes:
        kinds: the forms of the kinds of agents.
        test: tries the endpoint of a model.
        browse: chooses a file with rules.
        terms: which ends it is asked about, and what it may change.
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
        self.kinds = KindForms(agent_forms(rules, goal), lambda: appearance.palette, self)
        self._says = text(role=Role.SMALL, look="muted")
        seldom = tuple(replace(spec, is_rare=True) for spec in terms_fields())
        self.terms = EndForm(seldom, lambda: appearance.palette)
        self.trust = TrustChoice()
        self.test, self.browse = button(""), button("")
        self._task: asyncio.Task[None] | None = None
        self.typed = TypedGuard(self, self._is_changed)
        self._furnish()
        self.finished.connect(self._give_up)
        self.apply_theme(appearance.palette)
        self._turn()

    def _furnish(self) -> None:
        self.retitle(self.tr("Add editing agent"), self.tr("Add editing agent"))
        self.test.setText(self.tr("Test connection"))
        self.browse.setText(self.tr("Choose file…"))
        self.test.clicked.connect(self.try_it)
        self.browse.clicked.connect(self.choose_file)
        self.aside.addWidget(self.test)
        self.aside.addWidget(self.browse)
        self.body.addWidget(self.kinds.row(self.tr("Kind of agent"), lambda one: one.says))
        self.body.addWidget(self._says)
        self.body.addLayout(self.kinds.pages())
        self.kinds.turned.connect(lambda _before: self._turn())
        self.kinds.edited.connect(self._look)
        self.body.addWidget(line())
        self.body.addSpacing(GAPS[0])
        self.body.addWidget(self.trust)
        self.body.addWidget(self.terms)
        self.terms.edited.connect(self.typed.go_on)
        self.terms.edited.connect(self._read_terms)

    def _turn(self) -> None:
        described = self.kinds.chosen
        self._says.setText(described.says)
        self.test.setVisible(described.kind == MODEL)
        self.browse.setVisible(described.kind == RULES)
        self.kinds.form.editor(self.kinds.form.names[0]).setFocus()
        self._look()

    def _look(self) -> None:
        """Discard the result of a test, as the values have changed."""
        self.typed.go_on()
        self._give_up()
        missing = self.kinds.form.missing()
        self.test.setEnabled(not missing)
        self.test.setToolTip(missing or self.tr("See whether the endpoint answers and has this model; costs nothing"))
        self.allow(missing)

    def _is_changed(self) -> bool:
        return self.kinds.is_changed or self.terms.form.is_changed

    def _read_terms(self) -> AgentTerms | None:
        """The terms of the form; None: some are invalid, and have their errors under them."""
        value, reader = self.terms.value(), TermsReader("agent")
        on = (reader.end_filter(value["on"], "on"),) if "on" in value else ()
        scope = reader.scope(value.get("scope"), "scope")
        terms = AgentTerms(on, scope, reader.on_conflict(value.get("on_conflict"), "on_conflict"))
        self.terms.explain(map(fault_of, reader.problems))
        return None if reader.problems or self.terms.faults else terms

    def choose_file(self) -> QFileDialog:
        """Open the dialog that chooses the file with the rules."""
        chooser = FileDialog(self, self.tr("Choose a file with rules"))
        chooser.setFileMode(QFileDialog.FileMode.ExistingFile)
        chooser.setNameFilters([self.tr("Plans (*.yaml *.yml *.json)"), self.tr("All files (*)")])
        chooser.fileSelected.connect(lambda path: self.kinds.form.fill({"path": path}))
        chooser.open()
        return chooser

    # ---- doing

    @override
    def do(self) -> None:
        self._start(self._attach())

    def try_it(self) -> None:
        """Test whether the endpoint of a model answers; while a test runs, cancel it."""
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
        """The agent of the form; None: some values are invalid, and have their errors under them."""
        form, described = self.kinds.form, self.kinds.chosen
        form.clear()
        values = form.values()
        if values is None:
            return None
        try:
            return await in_background(described.make, values)
        except FieldError as error:
            form.explain(error.name, fill(self.tr("%1 No agent was added."), error))
        return None

    async def _attach(self) -> None:
        agent, asks, terms = await self._made(), self.trust.asks, self._read_terms()
        if agent is None or terms is None:
            return
        given: dict[str, Any] = {name: getattr(terms, name) for name in terms.__struct_fields__}
        wanted = AttachAgent(run_id=self._run_id, agent=agent.name, asks=asks, **given)
        verdict = self._attaching.can(wanted)
        if not verdict.ok:
            self.kinds.form.explain("name", fill(self.tr("%1 No agent was added."), reason_of(verdict)))
            return
        self._attaching.attach_agent(self._run_id, agent, asks, terms)
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
            words = why_not(error)
            self.kinds.form.explain("url", words[:1].upper() + words[1:])
            return
        if not knows:
            self.note("")
            self.kinds.form.explain("model", self.tr("The endpoint answers, but does not list this model."))
            return
        self.note(fill(self.tr("Answered in %1"), took(asyncio.get_running_loop().time() - begun)))

    @override
    def apply_theme(self, palette: Palette) -> None:
        super().apply_theme(palette)
        self.trust.apply_theme(palette)
        self.terms.apply_theme(palette)
        self.kinds.apply_theme(palette)
