"""The window's comparison of runs with their plans: which plan, which run, and following the open documents."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom_gui.dialogs.choose_run import ChooseRunDialog
from starloom_gui.diff.plan_diff import ComparedPlan
from starloom_gui.documents.document import Document, RunTab
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.words import fill, run_word

if TYPE_CHECKING:
    from starloom_gui.diff.plan_diff import PlanDiff
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.shell.main_window import MainWindow
    from starloom_gui.shell.plan_actions import PlanActions
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.viewmodel.roles import FactsOf
    from starloom_gui.widgets.actions import Actions
    from starloom_gui.workspace.open_views import OpenViews

KEY = "compare_plan"


class PlanComparison(QObject):
    """Compares the run in front with its plan, or stops; of a plan in front it shows one of its runs.

    Args:
        documents: what is open.
        views: of that.
        run: gives the facts of a run of the engine by its id; None: it has no such run.
        plan_actions: carries a run's edits over to its plan.
        actions: those of the window; they are told what is possible.
        appearance: the colours of dialogs.
        window: what dialogs stand over; it owns this.
    """

    def __init__(
        self,
        documents: OpenDocuments,
        views: OpenViews,
        run: FactsOf,
        plan_actions: PlanActions,
        actions: Actions,
        appearance: Appearance,
        window: MainWindow,
    ) -> None:
        super().__init__(window)
        self._documents, self._views, self._run, self._plan_actions = documents, views, run, plan_actions
        self._actions, self._appearance, self._window = actions, appearance, window
        documents.changed.connect(self._follow)

    # ---- what is there

    def _against(self, run: RunTab) -> PlanDiff | None:
        view = self._views.sheet_of_run(run.run_id)
        return view.against if view is not None else None

    def _beside(self, run: RunTab) -> ComparedPlan | None:
        """The plan to compare a run with: the open document, or else the plan at the start of the run."""
        documents = self._documents
        document = documents.document_of(run)
        can_apply = partial(self._can_apply, run.key)
        if document is not None:
            return ComparedPlan(document.plan, document.title, can_apply)
        if run.snapshot is None:
            return None
        return ComparedPlan(run.snapshot, fill(self.tr("%1, as it was started"), run.snapshot.name), can_apply)

    def _can_apply(self, key: str) -> Verdict:
        run = self._documents.item(key)
        tab = run if isinstance(run, RunTab) else None
        view = self._views.sheet_of_run(tab.run_id) if tab is not None else None
        if view is None:
            return self._plan_actions.can_apply(tab, None)
        return self._plan_actions.can_apply(tab, view.reader.facts(), view.beside)

    def _runs_of(self, document: Document) -> list[RunTab]:
        documents = self._documents
        return [run for run in documents.runs if run.folder is None and documents.document_of(run) is document]

    # ---- what is possible

    def allow(self) -> None:
        """Update whether the action is possible, its text, and whether it is checked."""
        actions, front = self._actions, self._documents.front
        against = self._against(front) if isinstance(front, RunTab) else None
        is_plan = isinstance(front, Document)
        actions.call(KEY, self.tr("Compare with run…") if is_plan else self.tr("Compare with plan"))
        actions.allow(KEY, self._can_compare())
        actions[KEY].setChecked(against is not None and against.beside is not None)

    def _can_compare(self) -> Verdict:
        front, view = self._documents.front, self._views.front
        if isinstance(front, Document):
            found = self._runs_of(front)
            return Verdict(True) if found else Verdict(False, self.tr("No run of this plan is open."))
        if not isinstance(front, RunTab) or view is None:
            return Verdict(False, self.tr("Nothing is open."))
        if view.source.barred is not None:
            return view.source.barred
        if self._documents.plans.plan_id_of(front.run_id) and self._beside(front) is None:
            return Verdict(False, self.tr("The run's plan is not open."), self.tr("Open it first."))
        if self._beside(front) is None or view.against is None:
            return Verdict(False, self.tr("This run was not started from a plan that is open."))
        return Verdict(True)

    # ---- doing

    def turn(self) -> None:
        """Turn the comparison of the document in front on or off."""
        front = self._documents.front
        if isinstance(front, RunTab) and self._can_compare().ok:
            against = self._against(front)
            if against is not None and not against.stop():
                self._compare(front.key)
        elif isinstance(front, Document):
            self._choose(front)
        self.allow()

    def _choose(self, document: Document) -> None:
        runs = self._runs_of(document)
        if len(runs) == 1:
            self._compare(runs[0].key)
        elif runs:
            rows = [(run.key, run.title, self._standing(run)) for run in runs]
            dialog = ChooseRunDialog(self._appearance, document.title, rows, self._window)
            dialog.agreed.connect(self._compare)
            dialog.open()

    def _standing(self, run: RunTab) -> str:
        facts = self._run(run.run_id)
        return run_word(facts.state) if facts is not None else ""

    def _compare(self, key: str) -> None:
        """Turn to a run and compare it with its plan."""
        run = self._documents.item(key)
        if not isinstance(run, RunTab):
            return
        self._documents.turn_to(key)
        against, beside = self._against(run), self._beside(run)
        if against is not None and beside is not None and self._can_compare().ok:
            against.compare(beside)
            self._window.workbench.turn_to("changes")
        self.allow()

    def apply(self) -> None:
        """Carry the edits of the run in front over to its plan, once the user has seen what that changes."""
        front, view = self._documents.front, self._views.front
        run = view.reader.facts() if view is not None else None
        if isinstance(front, RunTab) and view is not None and run is not None and self._can_apply(front.key).ok:
            self._plan_actions.apply_to_plan(front, run, view.beside)

    def _follow(self) -> None:
        """A plan may be another one now, or closed."""
        for run in self._documents.runs:
            against = self._against(run)
            if against is None or against.beside is None:
                continue
            beside = self._beside(run)
            if beside is None:
                against.stop()
            elif beside.plan is not against.beside.plan or beside.title != against.beside.title:
                against.compare(beside)
