"""The editor of a plan that is not run: each step is applied at once, by the engine's own rules, and can be undone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from starloom import events as ev
from starloom.constellation.edits import EditBatch, UpdateTask
from starloom.errors import EditRefused
from starloom.scheduling.commands import (
    OPERATOR,
    ClearBreakpoints,
    Command,
    PinTasks,
    SetBreakpoints,
    SetPriority,
    SetRunLimit,
    TasksCommand,
)
from starloom.scheduling.decide.editing import rehearsed
from starloom.scheduling.fold.apply import apply
from starloom_gui.documents.change import PlanChange, change_between, joined, plan_after, with_defaults
from starloom_gui.documents.facts import facts_of, introduce
from starloom_gui.editing.base import Mode, Rearranged
from starloom_gui.editing.dangling_templates import frayed
from starloom_gui.editing.history import HistoryEntry, UndoHistory
from starloom_gui.editing.undoing import UndoOffer
from starloom_gui.editing.words import problem_words, problems_words
from starloom_gui.gateway.changes import Changes
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.specs.plan_commands import SetPlanGroupLimit
from starloom_gui.text.words import fill
from starloom_gui.viewmodel.run_views import run_view

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom.constellation.edits import Edit
    from starloom.constellation.graph import Graph
    from starloom.constellation.transaction import Rehearsal
    from starloom.model.plan import Limits, Plan
    from starloom.model.positions import Positions
    from starloom.scheduling.read.run_view import RunView
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.documents.document import Document
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.editing.base import Step


class PlanEditor(QObject):
    """Edits one open plan. A task keeps its number in the facts, whatever is edited.

    What others do to the plan, such as reading its file anew or applying a run's edits, is a step of undo, too.

    Args:
        documents: where the document lies.
        key: of the document; it must be open.
        fleet: gives the facts of the devices there are, which an engine makes anew now and then; None: there are none.
        parent: of the object.

    Attributes:
        plan: as it is now.
        history: what can be undone and done again.

    Signals:
        changed(): what can be undone is other than it was.
        applied(Changes): the facts are others now; the run id is the key of the document.
        layout_changed(): nodes were placed elsewhere by whoever changed the plan, or took that back; not by the view.
        refused(str, str): something was not done, in words; and why, as sentences that say what to do.
    """

    changed = Signal()
    applied = Signal(object)
    layout_changed = Signal()
    refused = Signal(str, str)

    def __init__(
        self,
        documents: OpenDocuments,
        key: str,
        fleet: Callable[[], FleetFacts] | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        document = documents.document(key)
        if document is None:
            raise KeyError(f"No document {key!r} is open. Make its editor while it is.")
        self.key, self._documents, self._fleet = key, documents, fleet
        self.plan, self._facts = document.plan, facts_of(document.plan, key, fleet() if fleet is not None else None)
        self._saved = document.saved
        self.history: UndoHistory[PlanChange | Rearranged] = UndoHistory()
        self.history.clean = None if document.is_dirty else 0
        documents.changed.connect(self._follow)

    # ---- reading

    @property
    def mode(self) -> Mode:
        """The live mode, as no running task could be harmed by a partial edit."""
        return Mode.LIVE

    def facts(self) -> RunFacts | None:
        """The plan as the facts of a run that was not started; None: it is closed."""
        if self._documents.document(self.key) is None:
            return None
        if self._fleet is not None:
            self._facts.fleet = self._fleet()
        return self._facts

    def view(self) -> RunView | None:
        """The plan as a run that was not started; None: it is closed."""
        return run_view(self.facts())

    @property
    def layout(self) -> Positions:
        """The positions of nodes in the plan."""
        return self.plan.layout

    def verdict(self, edits: Sequence[Edit]) -> Verdict:
        """Whether these edits would be accepted."""
        try:
            self._rehearsed(tuple(edits), "")
        except EditRefused as refused:
            return Verdict(False, problem_words(refused.problems[0]))
        return Verdict(True)

    def undo_offer(self) -> UndoOffer:
        """The label of the step that `undo` would undo, and whether it can."""
        return _offer_of(self.history.to_undo)

    def redo_offer(self) -> UndoOffer:
        """The label of the step that `redo` would redo, and whether it can."""
        return _offer_of(self.history.to_redo)

    def can(self, command: Command) -> Verdict:
        """Whether a command is one for plans, would be accepted, and would change something."""
        change = self._steering(command)
        if change is None:
            return Verdict(False, self.tr("This is a plan, not a run."), self.tr("Start it, or create a run of it."))
        if not change:
            return Verdict(False, self.tr("That would change nothing."))
        verdict = self.verdict(change.edits) if change.edits else Verdict(True)
        if verdict.ok and change.edits and _is_idle(self._rehearsed(change.edits, "")):
            return Verdict(False, self.tr("That would change nothing."))
        return verdict

    # ---- doing

    def do(self, step: Step) -> None:
        """Apply a step, or refuse it whole."""
        edits = with_defaults(step.edits, self.plan.defaults) if step.is_new else tuple(step.edits)
        self.apply(PlanChange(edits), step.label, step.merges)
        if step.is_foreign:
            self._documents.note_unseen(self.key)

    def write_layout(self, layout: Positions) -> None:
        """Store node positions in the plan; the step of undo is the view's, by `note`."""
        if layout != self.plan.layout:
            self.plan = self.plan.laid_out(layout)
            self._documents.change(self.key, self.plan, reason=self.tr("Place nodes"), is_typed=True)

    def steer(self, command: Command, label: str) -> None:
        """Set a priority, a pin or the limit of the plan, as an edit of its fields; other commands are refused."""
        change = self._steering(command)
        if change is None:
            said = self.can(command)
            self.refused.emit(label, f"{said.reason} {said.hint}")
        elif change:
            self.apply(change, label)

    def undo(self) -> None:
        """Undo the last step."""
        entry = self.history.to_undo
        if entry is None:
            return
        if isinstance(entry.back, Rearranged):
            self.history.undone(entry.back.carry_out())
        else:
            try:
                forth = self._carry_out(entry.back, entry.label)
            except EditRefused as refused:
                self.history.pass_over_undo()
                self._tell_refused(fill(self.tr("Undo “%1”"), entry.label), refused)
            else:
                self.history.undone(forth)
                self._hand_over(entry.label)
        self.changed.emit()

    def redo(self) -> None:
        """Redo the step that was undone last."""
        entry = self.history.to_redo
        if entry is None or entry.forth is None:
            return
        if isinstance(entry.forth, Rearranged):
            self.history.redone(entry.forth.carry_out())
        else:
            try:
                back = self._carry_out(entry.forth, entry.label)
            except EditRefused as refused:
                self.history.pass_over_redo()
                self._tell_refused(fill(self.tr("Redo “%1”"), entry.label), refused)
            else:
                self.history.redone(back)
                self._hand_over(entry.label)
        self.changed.emit()

    def note(self, label: str, back: Rearranged, merges: str = "") -> None:
        """Add an action that a view has carried out as a step of undo; it changes at most the layout of the plan."""
        self.history.push(HistoryEntry(label=label, back=back, merges=merges, is_light=True), _joined)
        self.changed.emit()

    def apply(self, change: PlanChange, label: str, merges: str = "") -> None:
        """Apply edits of the graph and fields of the plan itself as one step, or refuse them whole."""
        try:
            back = self._carry_out(change, label)
        except EditRefused as refused:
            self._tell_refused(label, refused)
            return
        if back:
            self.history.push(HistoryEntry(label=label, back=back, merges=merges), _joined)
            self._hand_over(label)
            self.changed.emit()

    def _steering(self, command: Command) -> PlanChange | None:
        """The change of a plan that a command stands for; None: the command is for runs only."""
        graph = self._facts.graph
        known = [id for id in command.task_ids if id in graph] if isinstance(command, TasksCommand) else []
        if isinstance(command, SetPriority):
            return PlanChange(tuple(UpdateTask(id, priority=command.priority) for id in known))
        if isinstance(command, SetBreakpoints | ClearBreakpoints):
            return _stopping(graph, known, stops=isinstance(command, SetBreakpoints))
        if isinstance(command, PinTasks):
            pinned = [id for id in known if command.device_id is not None or graph.task(id).pin is not None]
            return PlanChange(tuple(UpdateTask(id, device=command.device_id) for id in pinned))
        if isinstance(command, SetRunLimit):
            return _limiting(self.plan, replace(self.plan.limits, max_concurrency=command.max_concurrency))
        if isinstance(command, SetPlanGroupLimit):
            return _limiting(self.plan, _with_group(self.plan.limits, command.group, command.limit))
        return None

    # ---- how it is done

    def _rehearsed(self, edits: tuple[Edit, ...], reason: str) -> Rehearsal:
        """The result of a rehearsal of edits.

        Raises:
            EditRefused: they would not be accepted; with everything that is wrong with them.
        """
        run = self._facts
        made = rehearsed(run, EditBatch(edits=edits, origin=OPERATOR, reason=reason))
        problems = made.problems or frayed(run.graph, made.changes)
        if problems:
            raise EditRefused(problems)
        return made

    def _carry_out(self, change: PlanChange, label: str) -> PlanChange:
        """Apply a change to the facts and the plan; returns its inverse, which is empty if nothing has changed.

        Raises:
            EditRefused: nothing was done.
        """
        run, plan, settled = self._facts, self.plan, change
        back = PlanChange(fields={name: getattr(plan, name) for name in change.fields})
        if change.edits:
            made = self._rehearsed(change.edits, label)
            if _is_idle(made) and not change.fields:
                return PlanChange()
            settled, back = PlanChange(made.changes, change.fields), PlanChange(made.inverse, back.fields)
            self._modify(made, label)
        self.plan = plan_after(plan, run.graph, settled)
        if change.fields:
            introduce(run, self.plan)
            self.applied.emit(Changes(run_id=self.key, run=True))
        if "layout" in change.fields:
            self.layout_changed.emit()
        return back

    def _modify(self, made: Rehearsal, label: str) -> None:
        run = self._facts
        event = ev.ConstellationModified(
            run.seq + 1,
            0.0,
            run.run_id,
            revision=run.revision + 1,
            changes=made.changes,
            inverse=made.inverse,
            origin=OPERATOR,
            reason=label,
        )
        touched = apply(run, event)
        self.applied.emit(Changes(run_id=self.key, tasks=frozenset(touched), edits=(event,)))

    def _hand_over(self, label: str) -> None:
        """Pass the plan to its document; a plan that equals the saved one is passed as the same object."""
        saved = self._saved
        if self.history.is_clean and saved is not None:
            self.plan = saved if self.plan.layout == saved.layout else saved.laid_out(self.plan.layout)
        self._documents.change(self.key, self.plan, reason=label, is_typed=True)

    def _tell_refused(self, label: str, refused: EditRefused) -> None:
        self.refused.emit(label, problems_words(refused.problems))

    def close(self) -> None:
        """Follow the open documents no more."""
        self._documents.changed.disconnect(self._follow)

    # ---- what others do to the document

    def _follow(self) -> None:
        document = self._documents.document(self.key)
        if document is None:
            return
        if document.plan is not self.plan:
            self._take_over(document)
        self._note_saved(document)

    def _note_saved(self, document: Document) -> None:
        was_clean = self.history.is_clean
        if not document.is_dirty:
            self._saved = document.plan
            self.history.mark_clean()
        elif document.saved is not self._saved:  # it was changed while it was written: no step leads to what was
            self._saved = document.saved
            self.history.clean = None
        if self.history.is_clean is not was_clean:
            self.changed.emit()

    def _take_over(self, document: Document) -> None:
        """Add a change of the plan by others as a step of undo."""
        label = document.reason or self.tr("Change the plan")
        change = change_between(self.plan, document.plan)
        try:
            back = self._carry_out(change, label) if change else PlanChange()
        except EditRefused:  # the plan was good before and is after, but not by the rules for edits
            self._begin_anew(document.plan)
            return
        self.plan = document.plan
        if not document.is_dirty:  # a file that was read again; what has no place in it is placed by the view alone
            self.layout_changed.emit()
        is_naming = not change.edits and change.fields.keys() == {"name"}  # by its file: undo does not unname it
        if back and not is_naming:
            self.history.push(HistoryEntry(label=label, back=back))
            self.changed.emit()

    def _begin_anew(self, plan: Plan) -> None:
        self.plan, self._facts = plan, facts_of(plan, self.key, self._fleet() if self._fleet is not None else None)
        self.history.clear()
        self.applied.emit(Changes(run_id=self.key, everything=True))
        self.layout_changed.emit()
        self.changed.emit()


def _offer_of(entry: HistoryEntry[PlanChange | Rearranged] | None) -> UndoOffer:
    return UndoOffer(entry.label, Verdict(True)) if entry is not None else UndoOffer()


def _joined(one: PlanChange | Rearranged, other: PlanChange | Rearranged) -> PlanChange | Rearranged:
    """The inverse of two steps that merge; positions are restored to those before the earlier one."""
    if isinstance(one, Rearranged) or isinstance(other, Rearranged):
        return one
    return joined(one, other)


def _is_idle(made: Rehearsal) -> bool:
    """Whether edits give fields only the values they have."""
    return all(isinstance(edit, UpdateTask) for edit in made.changes) and made.changes == made.inverse[::-1]


def _with_group(limits: Limits, group: str, limit: int | None) -> Limits:
    groups = {name: most for name, most in limits.groups.items() if name != group}
    return replace(limits, groups={**groups, group: limit} if limit is not None else groups)


def _stopping(graph: Graph, ids: Sequence[str], *, stops: bool) -> PlanChange:
    """The change that has these tasks stop at a breakpoint, or no longer."""
    others = (id for id in ids if graph.task(id).breakpoint is not stops)
    return PlanChange(tuple(UpdateTask(id, breakpoint=stops) for id in others))


def _limiting(plan: Plan, limits: Limits) -> PlanChange:
    return PlanChange(fields={"limits": limits} if limits != plan.limits else {})
