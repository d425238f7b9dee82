"""Between a run and its plan: looking before the first start, a plan of a run's graph, a run's edits in its plan."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom.errors import PlanError
from starloom_gui.bridge.verbs import Verdict
from starloom_gui.dialogs.changes import APPLY, ChangesDialog
from starloom_gui.dialogs.first_look import START, FirstLookDialog
from starloom_gui.dialogs.question import answer_to
from starloom_gui.documents.chores import Chores
from starloom_gui.documents.difference import carried, difference, plan_of
from starloom_gui.documents.would_run import digest_of, would_run
from starloom_gui.shell.strip import Trouble
from starloom_gui.words import fill

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from starloom.model.note import Note
    from starloom.model.plan import Plan
    from starloom.scheduling.run_facts import RunFacts
    from starloom_gui.documents.desk import Desk
    from starloom_gui.documents.difference import Difference
    from starloom_gui.documents.document import Document, RunTab
    from starloom_gui.shell.settings import Settings
    from starloom_gui.theme.appearance import Appearance


class PlanVerbs(QObject):
    """What carries a plan to a run and back. A run is only read here.

    To be used where the loop runs.

    Args:
        desk: what is open.
        settings: what was looked at before it ran.
        report: is told what could not be done.
        appearance: the colours of dialogs.
        window: what dialogs stand over; it owns this.
    """

    def __init__(
        self,
        desk: Desk,
        settings: Settings,
        report: Callable[[Trouble], None],
        appearance: Appearance,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._desk, self._settings, self._report = desk, settings, report
        self._appearance, self._window = appearance, window
        self._chores = Chores("console: plan and run")

    def cancel(self) -> None:
        """Take back what is asked."""
        self._chores.cancel()

    async def settled(self) -> None:
        """Return once everything that was asked for is done."""
        await self._chores.settled()

    # ---- before the first start

    async def may_start(self, document: Document) -> bool:
        """Whether a plan may be started: what it runs was agreed to before, or is now, after having been looked at."""
        digest = document.digest
        if digest is None:
            digest = await asyncio.to_thread(digest_of, document.plan)
        if not digest or digest in self._settings.looked_at:
            return True
        all_of_it = await asyncio.to_thread(would_run, document.plan)
        dialog = FirstLookDialog(self._appearance, document.title, all_of_it, self._window)
        if await answer_to(dialog) != START:
            return False
        self._settings.note_looked_at(digest)
        return True

    def trust(self, plan: Plan) -> None:
        """Have a plan start without being looked at: it comes with the program, or was made here."""
        self._trust(digest_of(plan))

    def _trust(self, digest: str) -> None:
        if digest:
            self._settings.note_looked_at(digest)

    # ---- from a run to a plan

    def save_run_as_plan(self, facts: RunFacts, notes: tuple[Note, ...] | None = None) -> None:
        """Make a plan of the graph as a run has it now, with these notes, in a tab of its own; returns at once."""
        self._chores.begin(self._put_plan(facts.copy(facts.fleet), notes))

    async def _put_plan(self, facts: RunFacts, notes: tuple[Note, ...] | None) -> None:
        plan, digest = await asyncio.to_thread(_captured, facts, notes)
        self._trust(digest)
        self._desk.put_plan(plan, digest)

    def can_apply(self, run: RunTab | None, facts: RunFacts | None, notes: tuple[Note, ...] | None = None) -> Verdict:
        """Whether a run has edits, or other notes, that its plan could take over."""
        if run is None or facts is None:
            return Verdict(False, self.tr("There is no run."))
        if run.snapshot is None:
            return Verdict(False, self.tr("This run was not started from a plan that is open."))
        if self._desk.document_of(run) is None:
            return Verdict(False, self.tr("The run's plan is not open."), self.tr("Open it first."))
        if not facts.revision and notes in (None, run.snapshot.notes):
            return Verdict(False, self.tr("The run's graph was not edited."))
        return Verdict(True)

    def apply_to_plan(self, run: RunTab, facts: RunFacts, notes: tuple[Note, ...] | None = None) -> None:
        """Show what a run's edits and notes would change in its plan, and do so if the user agrees; returns at once."""
        self._chores.begin(self._apply(run, facts.copy(facts.fleet), notes))

    async def _apply(self, run: RunTab, facts: RunFacts, notes: tuple[Note, ...] | None) -> None:
        document = self._desk.document_of(run)
        if document is None or run.snapshot is None:
            return
        what = fill(self.tr("The edits of “%1” were not applied to its plan"), run.title)
        try:
            plan, digest, changes = await asyncio.to_thread(_carried_over, run.snapshot, facts, notes, document.plan)
        except PlanError as error:
            self._report(Trouble(what, " ".join(map(str, error.problems))))
            return
        if not changes:
            self._report(Trouble(what, self.tr("The plan says the same already.")))
            return
        dialog = ChangesDialog(self._appearance, changes, document.title, run.title, self._window)
        if await answer_to(dialog) != APPLY:
            return
        now = self._desk.document(document.key)
        if now is None or now.plan is not document.plan:
            self._report(Trouble(what, self.tr("The plan has changed meanwhile; apply them once more.")))
            return
        self._trust(digest)
        self._desk.change(document.key, plan, digest, fill(self.tr("Apply the edits of “%1”"), run.title))
        self._desk.turn_to(document.key)


def _captured(facts: RunFacts, notes: tuple[Note, ...] | None) -> tuple[Plan, str]:
    """The plan a run follows now, and its digest."""
    plan = plan_of(facts, notes=notes)
    return plan, digest_of(plan)


def _carried_over(
    snapshot: Plan, facts: RunFacts, notes: tuple[Note, ...] | None, plan: Plan
) -> tuple[Plan, str, Difference]:
    """The plan with a run's edits, its digest, and what they change in it."""
    made = carried(difference(snapshot, plan_of(facts, notes=notes)), plan)
    return made, digest_of(made), difference(plan, made)
