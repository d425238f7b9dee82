"""What the window does about comparing runs with their plans: which plan, which run, and keeping up with the desk."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom_gui.bridge.verbs import Verdict
from starloom_gui.dialogs.choose_run import ChooseRunDialog
from starloom_gui.documents.document import Document, RunTab
from starloom_gui.sheets.against import Beside
from starloom_gui.words import fill, run_word

if TYPE_CHECKING:
    from starloom_gui.app import Console
    from starloom_gui.sheets.against import Against

KEY = "compare_plan"


class ComparingPlans(QObject):
    """Carries out its one verb: for a run in front on and off, for a plan it turns to one of its runs.

    Args:
        console: whose window it is.
    """

    def __init__(self, console: Console) -> None:
        super().__init__(console.window)
        self._console = console
        console.desk.changed.connect(self._follow)

    # ---- what is there

    def _against(self, run: RunTab) -> Against | None:
        sheet = self._console.keeper.sheet_of_run(run.run_id)
        return sheet.against if sheet is not None else None

    def _beside(self, run: RunTab) -> Beside | None:
        """What a run is compared with: its plan as it is now if that is open, else as it was when the run began."""
        desk = self._console.desk
        document = desk.document_of(run)
        can_apply = partial(self._can_apply, run.key)
        if document is not None:
            return Beside(document.plan, document.title, can_apply)
        if run.snapshot is None:
            return None
        return Beside(run.snapshot, fill(self.tr("%1, as it was started"), run.snapshot.name), can_apply)

    def _can_apply(self, key: str) -> Verdict:
        run = self._console.desk.item(key)
        tab = run if isinstance(run, RunTab) else None
        sheet = self._console.keeper.sheet_of_run(tab.run_id) if tab is not None else None
        if sheet is None:
            return self._console.papers.plan_verbs.can_apply(tab, None)
        return self._console.papers.plan_verbs.can_apply(tab, sheet.source.facts(), sheet.beside)

    def _runs_of(self, document: Document) -> list[RunTab]:
        desk = self._console.desk
        return [run for run in desk.runs if run.folder is None and desk.document_of(run) is document]

    # ---- what is possible

    def allow(self) -> None:
        """Say whether it is possible now, what it is called, and whether it is on."""
        console, front = self._console, self._console.desk.front
        actions, against = console.actions, self._against(front) if isinstance(front, RunTab) else None
        is_plan = isinstance(front, Document)
        actions.call(KEY, self.tr("Compare with run…") if is_plan else self.tr("Compare with plan"))
        actions.allow(KEY, self._can_compare())
        actions[KEY].setChecked(against is not None and against.beside is not None)

    def _can_compare(self) -> Verdict:
        front, sheet = self._console.desk.front, self._console.keeper.front
        if isinstance(front, Document):
            found = self._runs_of(front)
            return Verdict(True) if found else Verdict(False, self.tr("No run of this plan is open."))
        if not isinstance(front, RunTab) or sheet is None:
            return Verdict(False, self.tr("Nothing is open."))
        if sheet.source.barred is not None:
            return sheet.source.barred
        if self._beside(front) is None or sheet.against is None:
            return Verdict(False, self.tr("This run was not started from a plan that is open."))
        return Verdict(True)

    # ---- doing

    def turn(self) -> None:
        """Compare what is in front, or compare it no more."""
        front = self._console.desk.front
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
            console = self._console
            rows = [(run.key, run.title, self._standing(run)) for run in runs]
            dialog = ChooseRunDialog(console.appearance, document.title, rows, console.window)
            dialog.agreed.connect(self._compare)
            dialog.open()

    def _standing(self, run: RunTab) -> str:
        facts = self._console.bridge.run(run.run_id)
        return run_word(facts.state) if facts is not None else ""

    def _compare(self, key: str) -> None:
        """Turn to a run and compare it with its plan."""
        console, run = self._console, self._console.desk.item(key)
        if not isinstance(run, RunTab):
            return
        console.desk.turn_to(key)
        against, beside = self._against(run), self._beside(run)
        if against is not None and beside is not None and self._can_compare().ok:
            against.compare(beside)
            console.window.workbench.turn_to("changes")
        self.allow()

    def apply(self) -> None:
        """Carry the edits of the run in front over to its plan, once the user has seen what that changes."""
        front, sheet = self._console.desk.front, self._console.keeper.front
        run = sheet.source.facts() if sheet is not None else None
        if isinstance(front, RunTab) and sheet is not None and run is not None and self._can_apply(front.key).ok:
            self._console.papers.plan_verbs.apply_to_plan(front, run, sheet.beside)

    def _follow(self) -> None:
        """A plan may be another one now, or closed."""
        for run in self._console.desk.runs:
            against = self._against(run)
            if against is None or against.beside is None:
                continue
            beside = self._beside(run)
            if beside is None:
                against.stop()
            elif beside.plan is not against.beside.plan or beside.title != against.beside.title:
                against.compare(beside)
