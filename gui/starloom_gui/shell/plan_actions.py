"""Actions between runs and plans: review before a first start, save a run as a plan, apply its edits to its plan."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom.errors import PlanError
from starloom.journal.base import JournalError
from starloom.journal.library import run_folder
from starloom_gui.dialogs.changes import APPLY, ChangesDialog
from starloom_gui.dialogs.first_look import START, FirstLookDialog
from starloom_gui.dialogs.own_rules import WITH, OwnRulesDialog
from starloom_gui.diff.plan_difference import carried, difference, plan_of
from starloom_gui.documents.annotations import FROM_START, Annotations
from starloom_gui.documents.would_run import digest_of, would_run
from starloom_gui.event_loop import BackgroundTasks
from starloom_gui.event_loop.background import in_background
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.engine_words import why_not
from starloom_gui.text.words import fill
from starloom_gui.widgets.message_bar import ErrorMessage
from starloom_gui.widgets.question import Choice, ChoiceDialog, answer_to
from starloom_gui.workspace.started_plan import plan_at_start

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from starloom.model.plan import Plan
    from starloom.scheduling.read.pretence import Pretence
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.diff.plan_difference import Difference
    from starloom_gui.documents.document import Document, RunTab
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.settings import Settings
    from starloom_gui.theme.appearance import Appearance


@dataclass(frozen=True, slots=True)
class RulesWanted:
    """Whether the plan's own rules apply in a run.

    Attributes:
        wanted: whether an agent applies them.
        asks: the kinds of its edits that wait for approval.
    """

    wanted: bool
    asks: tuple[str, ...] = ()


class PlanActions(QObject):
    """Starts runs of plans, and carries changes of a run back into its plan. A run is only read here.

    To be used where the loop runs.

    Args:
        documents: what is open.
        settings: what was looked at before it ran.
        report: is told what could not be done.
        appearance: the colours of dialogs.
        window: what dialogs stand over; it owns this.
        directory: of the journals.
    """

    def __init__(
        self,
        documents: OpenDocuments,
        settings: Settings,
        report: Callable[[ErrorMessage], None],
        appearance: Appearance,
        window: QWidget,
        directory: Path,
    ) -> None:
        super().__init__(window)
        self._directory = directory
        self._documents, self._settings, self._report = documents, settings, report
        self._appearance, self._window = appearance, window
        self.background_tasks = BackgroundTasks("console: plan and run")

    def cancel(self) -> None:
        """Close the open question."""
        self.background_tasks.cancel()

    async def settled(self) -> None:
        """Return once all requested actions have ended."""
        await self.background_tasks.settled()

    # ---- before the first start

    async def may_start(self, document: Document, *, paused: bool = False) -> bool:
        """Whether a plan may be started: the user wrote what it runs here, or has agreed to it, or does so now.

        Args:
            document: the plan.
            paused: whether its run is only to be created.
        """
        digest = document.digest
        if digest is None:
            digest = await asyncio.to_thread(digest_of, document.plan)
        if not digest or digest in self._settings.looked_at:
            return True
        if document.is_seen:
            self._settings.note_looked_at(digest)  # its file is known, too, when it is opened again
            return True
        all_of_it = await asyncio.to_thread(would_run, document.plan)
        dialog = FirstLookDialog(self._appearance, document, all_of_it, self._window, paused=paused)
        if await answer_to(dialog) != START:
            return False
        self._settings.note_looked_at(digest)
        return True

    async def may_pretend(self, found: Pretence, title: str = "", subject: str = "") -> bool:
        """Whether simulated devices that a plan does not name may take its real tasks: the user is asked each time.

        Args:
            found: the devices and tasks.
            title: of the question, with a place for the subject; empty: the plan is started.
            subject: the run or command that would give them the tasks.
        """
        sentences = (
            fill(
                self.tr("These devices of the fleet are simulated and only act as if they ran a task: %1."),
                ", ".join(found.devices),
            ),
            self.tr(
                "%n task(s) could be given to them, and would count as done without having run.",
                "",
                found.tasks,
            ),
            self.tr("Drain or remove these devices, or pin the tasks to others, to have everything run."),
        )
        choices = [
            Choice(START, self.tr("Go on anyway") if title else self.tr("Start anyway"), is_apart=True),
            Choice("", self.tr("Cancel"), is_default=True),
        ]
        asked = fill(title, subject) if title else self.tr("Start on simulated devices, too?")
        question = ChoiceDialog(self._appearance, asked, " ".join(sentences), choices, parent=self._window)
        return await answer_to(question) == START

    async def rules_wanted(self, document: Document) -> RulesWanted | None:
        """Whether the rules that a plan declares are to apply in the run that is started; None: it is not started."""
        count = len(document.plan.rules)
        if not count:
            return RulesWanted(wanted=False)
        dialog = OwnRulesDialog(self._appearance, document.title, count, self._window)
        trust = dialog.trust
        asks: list[tuple[str, ...]] = []
        dialog.choices.answered.connect(lambda _key: asks.append(trust.asks))  # it is deleted once it is answered
        answer = await answer_to(dialog)
        return RulesWanted(wanted=answer == WITH, asks=asks[0]) if answer else None

    def trust(self, plan: Plan) -> None:
        """Mark a plan as reviewed, as it comes with the program or was made here."""
        self._trust(digest_of(plan))

    def _trust(self, digest: str) -> None:
        if digest:
            self._settings.note_looked_at(digest)

    # ---- from a run to a plan

    def save_run_as_plan(self, facts: RunFacts, beside: Annotations = FROM_START) -> None:
        """Make a plan of the graph as a run has it now, in a tab of its own; returns at once."""
        self.background_tasks.begin(self._put_plan(facts.copy(facts.fleet), beside))

    async def _put_plan(self, facts: RunFacts, beside: Annotations) -> None:
        plan, digest = await asyncio.to_thread(_captured, facts, beside)
        self._trust(digest)
        self._documents.put_plan(plan, digest)

    def can_apply(self, run: RunTab | None, facts: RunFacts | None, beside: Annotations = FROM_START) -> Verdict:
        """Whether a run has edits, other notes or nodes placed elsewhere that its plan could take over."""
        if run is None or facts is None:
            return Verdict(False, self.tr("There is no run."))
        if run.snapshot is None and not self._documents.plans.plan_id_of(run.run_id):
            return Verdict(False, self.tr("This run was not started from a plan that is open."))
        if self._documents.document_of(run) is None:
            return Verdict(False, self.tr("The run's plan is not open."), self.tr("Open it first."))
        is_placed_anew = run.snapshot is not None and beside.layout not in (None, run.snapshot.layout)
        if not facts.revision and not is_placed_anew and beside.notes in (None, facts.notes):
            return Verdict(False, self.tr("The run's graph was not edited."))
        return Verdict(True)

    def apply_to_plan(self, run: RunTab, facts: RunFacts, beside: Annotations = FROM_START) -> None:
        """Show what a run's edits and what is beside them would change in its plan, and do so if the user agrees.

        Returns at once.

        Args:
            run: which.
            facts: of it.
            beside: what the console has of it that its facts do not say.
        """
        self.background_tasks.begin(self._apply(run, facts.copy(facts.fleet), beside))

    async def _apply(self, run: RunTab, facts: RunFacts, beside: Annotations) -> None:
        document = self._documents.document_of(run)
        if document is None:
            return
        what = fill(self.tr("The edits of “%1” were not applied to its plan"), run.title)
        try:
            snapshot = run.snapshot
            if snapshot is None:  # an earlier session has started it
                snapshot = await in_background(plan_at_start, run_folder(self._directory, run.run_id))
            plan, digest, changes = await asyncio.to_thread(_carried_over, snapshot, facts, beside, document.plan)
        except (JournalError, PlanError) as error:
            self._report(ErrorMessage(what, why_not(error), of_tab=True))
            return
        if not changes:
            self._report(ErrorMessage(what, self.tr("The plan says the same already."), of_tab=True))
            return
        dialog = ChangesDialog(self._appearance, changes, document.title, run.title, self._window)
        if await answer_to(dialog) != APPLY:
            return
        now = self._documents.document(document.key)
        if now is None or now.plan is not document.plan:
            self._report(
                ErrorMessage(what, self.tr("The plan has changed meanwhile; apply them once more."), of_tab=True)
            )
            return
        self._trust(digest)
        self._documents.change(
            document.key, plan, digest, fill(self.tr("Apply the edits of “%1”"), run.title), is_typed=True
        )
        self._documents.turn_to(document.key)


def _captured(facts: RunFacts, beside: Annotations) -> tuple[Plan, str]:
    """The plan a run follows now, and its digest."""
    plan = plan_of(facts, notes=beside.notes, layout=beside.layout)
    return plan, digest_of(plan)


def _carried_over(snapshot: Plan, facts: RunFacts, beside: Annotations, plan: Plan) -> tuple[Plan, str, Difference]:
    """The plan with a run's edits, its digest, and what they change in it."""
    made = carried(difference(snapshot, plan_of(facts, snapshot, beside.notes, beside.layout)), plan)
    return made, digest_of(made), difference(plan, made)
