"""Undo and redo of what the engine has done: the history moves when the engine accepts, and only then."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from starloom.constellation.edits import EditBatch
from starloom_gui.bridge.verbs import Verdict
from starloom_gui.editing.base import Rearranged
from starloom_gui.editing.history import Entry, History
from starloom_gui.editing.steering import Steering, both_ways, overtaken
from starloom_gui.editing.words import problems_words
from starloom_gui.words import fill

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.bridge.commands import Refusal
    from starloom_gui.bridge.verbs import Target, Verb
    from starloom_gui.editing.sending import Engine, Sender
    from starloom_gui.models.roles import Facts

Act = EditBatch | Steering | Rearranged


@dataclass(frozen=True, slots=True)
class Offer:
    """What undo or redo would do.

    Attributes:
        label: of the step; empty: there is none.
        verdict: whether the engine would do it now; if not, asking for it passes over the step and says why.
    """

    label: str = ""
    verdict: Verdict = Verdict(False)  # noqa: RUF009 - it is frozen


class Undoing(QObject):
    """Sends edits and verbs of one run, and what takes them back; one thing after the other.

    Args:
        run_id: of the run.
        facts: gives its facts.
        engine: is asked.
        sender: knows whose answers are awaited.
        parent: of the object.

    Attributes:
        history: what was done and can be taken back; for reading.

    Signals:
        changed: something was sent, or answered.
        refused(str, str): what was not done, and why.
    """

    changed = Signal()
    refused = Signal(str, str)

    def __init__(
        self, run_id: str, facts: Facts, engine: Engine, sender: Sender, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._run_id, self._facts, self._engine, self._sender = run_id, facts, engine, sender
        self.history: History[Act] = History()
        self._goal: int | None = None
        self._noted: list[Entry[Act]] = []

    # ---- doing

    def edit(
        self,
        batch: EditBatch,
        label: str,
        merges: str = "",
        done: Callable[[], None] = lambda: None,
        failed: Callable[[], None] = lambda: None,
    ) -> None:
        """Send a batch; accepted, it is a step of undo.

        Args:
            batch: what is sent.
            label: what the step is called.
            merges: see `Entry`.
            done: called when it was accepted.
            failed: called when it was refused.
        """

        def accepted(answer: Any) -> None:
            self.history.push(Entry(label=label, back=answer.inverse, merges=merges), _joined)
            done()

        self._expect([self._engine.edit(self._run_id, batch)], label, accepted, failed)

    def steer(self, verb: Verb, target: Target, label: str, **given: Any) -> None:
        """Ask for a verb; one that can be taken back is a step of undo."""
        run = self._facts()
        ways = both_ways(run, verb, target, given) if run is not None else None

        def accepted(_answer: Any) -> None:
            if ways is not None:
                self.history.push(Entry(label=label, back=ways[0], forth=ways[1]))

        self._expect([self._engine.do(verb, target, **given)], label, accepted, lambda: None)

    def note(self, label: str, back: Rearranged, merges: str = "") -> None:
        """Have what a view did already be a step of undo; the engine is not asked.

        While an answer is awaited it comes after what that is about.
        """
        self._noted.append(Entry(label=label, back=back, merges=merges, is_light=True))
        if not self._sender.is_busy:
            self._write_down()
            self.changed.emit()

    def _write_down(self) -> None:
        noted, self._noted = self._noted, []
        for entry in noted:
            self.history.push(entry, _joined)

    def was_rearranged(self, after: int) -> bool:
        """Whether the last step is a view's own, and not among the first so many."""
        entry = self.history.to_undo
        return entry is not None and isinstance(entry.back, Rearranged) and self.history.index > after

    def is_to_rearrange(self, before: int) -> bool:
        """Whether what would be done again is a view's own, and among the first so many steps."""
        entry = self.history.to_redo
        return entry is not None and isinstance(entry.forth, Rearranged) and self.history.index < before

    # ---- taking back

    def undo_offer(self) -> Offer:
        """What `undo` would do now."""
        entry = self.history.to_undo
        return Offer(entry.label, self._would(entry.back)) if entry is not None else Offer()

    def redo_offer(self) -> Offer:
        """What `redo` would do now."""
        entry = self.history.to_redo
        return Offer(entry.label, self._would(entry.forth)) if entry is not None else Offer()

    def undo(self) -> None:
        """Take back the last step, unless an answer is to come; refused, it is passed over."""
        entry = self.history.to_undo
        if entry is None or self._sender.is_busy:
            return
        if isinstance(entry.back, Rearranged):
            self.history.undone(entry.back.carry_out())
            self.changed.emit()
        else:
            what = fill(self.tr("Undo “%1”"), entry.label)
            self._take(entry.back, what, self._undone(entry), self.history.pass_over_undo)

    def redo(self) -> None:
        """Do again what was taken back last, unless an answer is to come; refused, it is passed over."""
        entry = self.history.to_redo
        if entry is None or entry.forth is None or self._sender.is_busy:
            return
        if isinstance(entry.forth, Rearranged):
            self.history.redone(entry.forth.carry_out())
            self.changed.emit()
        else:
            what = fill(self.tr("Redo “%1”"), entry.label)
            self._take(entry.forth, what, self._redone(entry), self.history.pass_over_redo)

    def go_to(self, index: int) -> None:
        """Undo or redo until so many steps hold; what is refused on the way ends it there."""
        self._goal = max(0, min(index, len(self.history.entries)))
        self._pursue()

    def _pursue(self) -> None:
        """Take the steps that views take by themselves, until the engine is asked or the goal is reached."""
        while self._goal is not None and not self._sender.is_busy:
            if self._goal == self.history.index:
                self._goal = None
            elif self._goal < self.history.index:
                self.undo()
            else:
                self.redo()

    def _undone(self, entry: Entry[Act]) -> Callable[[Any], None]:
        def accepted(answer: Any) -> None:
            forth = entry.forth if isinstance(entry.back, Steering) else answer.inverse
            assert forth is not None, "steering knows its way forth from the beginning"
            self.history.undone(forth)

        return accepted

    def _redone(self, entry: Entry[Act]) -> Callable[[Any], None]:
        def accepted(answer: Any) -> None:
            self.history.redone(entry.back if isinstance(entry.back, Steering) else answer.inverse)

        return accepted

    def _take(
        self, act: EditBatch | Steering, what: str, accepted: Callable[[Any], None], passed_over: Callable[[], None]
    ) -> None:
        verdict = self._overtaken(act)
        if not verdict.ok:
            self._goal = None
            passed_over()
            self.refused.emit(what, f"{verdict.reason} {verdict.hint}".strip())
            self.changed.emit()
            return
        if isinstance(act, EditBatch):
            tickets = [self._engine.edit(self._run_id, act)]
        else:
            tickets = [self._engine.do(call.verb, call.target, **call.given) for call in act.calls]
        self._expect(tickets, what, accepted, passed_over)

    def _overtaken(self, act: EditBatch | Steering) -> Verdict:
        run = self._facts()
        if run is None:
            return Verdict(False, self.tr("The run is gone."))
        return overtaken(run, act) if isinstance(act, Steering) else Verdict(True)

    def _would(self, act: Act | None) -> Verdict:
        if act is None or self._sender.is_busy:
            return Verdict(False, self.tr("The last step is still under way."))
        if isinstance(act, Rearranged):
            return Verdict(True)
        if isinstance(act, EditBatch):
            return self._engine.can_edit(self._run_id, act)
        verdicts = [self._overtaken(act), *(self._engine.can(one.verb, one.target, **one.given) for one in act.calls)]
        return next((verdict for verdict in verdicts if not verdict.ok), Verdict(True))

    # ---- answers

    def _expect(
        self, tickets: list[int], what: str, accepted: Callable[[Any], None], failed: Callable[[], None]
    ) -> None:
        def answered(answers: list[Any], refusals: list[Refusal]) -> None:
            if refusals:
                self._goal = None
                failed()
                self.refused.emit(what, _reason(refusals[0]))
            else:
                accepted(answers[0])
            if self._noted:
                self._goal = None  # what was done meanwhile would be taken back with it
                self._write_down()
            self.changed.emit()
            self._pursue()

        self._sender.expect(tickets, answered)
        self.changed.emit()


def _reason(refusal: Refusal) -> str:
    return problems_words(refusal.problems) if refusal.problems else f"{refusal.reason} {refusal.hint}".strip()


def _joined(one: Act, other: Act) -> Act:
    """What takes back first a later and then an earlier step of one drag."""
    if isinstance(one, Rearranged):
        return one  # it knows how everything stood, not only how far something was moved
    assert isinstance(one, EditBatch), "only edits merge"
    assert isinstance(other, EditBatch), "only edits merge"
    return replace(one, edits=(*other.edits, *one.edits))
