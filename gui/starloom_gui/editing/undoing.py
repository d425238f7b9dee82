"""Undo and redo of accepted commands: the history changes only once the engine has accepted."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Signal

from starloom.constellation.edits import EditBatch
from starloom.scheduling.reservation_commands import ReservationCommand
from starloom_gui.editing.base import Lasting, Rearranged
from starloom_gui.editing.history import HistoryEntry, UndoHistory
from starloom_gui.editing.reservation_steps import (
    lasting_reservation,
    reservation_both_ways,
)
from starloom_gui.editing.steering import Steering, both_ways, commands_of, lasting
from starloom_gui.editing.undo_verdicts import Act, UndoVerdicts
from starloom_gui.editing.words import problems_words
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.words import fill

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom.scheduling.commands import Command
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.editing.sending import Sender
    from starloom_gui.gateway.command_gateway import TicketGateway
    from starloom_gui.gateway.commands import Refusal
    from starloom_gui.gateway.event_log import Log
    from starloom_gui.viewmodel.roles import Facts

_FOR_NOW: Final = frozenset({"reserved", "halted", "link_lost"})
"""The codes of refusals for what goes by."""


@dataclass(frozen=True, slots=True)
class UndoOffer:
    """The label and the verdict of undo or redo.

    Attributes:
        label: of the step; empty: there is none.
        verdict: whether the engine would do it now.
        passes: whether asking for it passes over the step, which stays, and says why.
    """

    label: str = ""
    verdict: Verdict = Verdict(False)  # noqa: RUF009 - it is frozen
    passes: bool = False


@dataclass(slots=True, eq=False)
class _Turn:
    """An action of the user that is not in the history yet.

    Attributes:
        at: when, see `HistoryEntry`.
        write: writes it down; None: the engine has not answered.
    """

    at: int
    write: Callable[[], None] | None = None


class Undoing(QObject):
    """Sends edits and other commands of one run, and their inverses, one after the other.

    Args:
        run_id: of the run.
        facts: gives its facts.
        engine: is asked.
        sender: knows whose answers are awaited.
        fleet: gives the facts of the devices and of the limits of all runs; None: nobody knows them.
        clock: gives seconds on the engine's clock.
        parent: of the object.
        log: the event log; None: there is none.

    Attributes:
        history: what was done, in the order in which the user did it; for reading.

    Signals:
        changed: something was sent, or answered.
        refused(str, str): what was not done, and why.
    """

    changed = Signal()
    refused = Signal(str, str)

    def __init__(
        self,
        run_id: str,
        facts: Facts,
        engine: TicketGateway,
        sender: Sender,
        fleet: Callable[[], FleetFacts | None],
        clock: Callable[[], float] = lambda: 0.0,
        parent: QObject | None = None,
        log: Log | None = None,
    ) -> None:
        super().__init__(parent)
        self._run_id, self._facts, self._fleet, self._engine, self._sender = run_id, facts, fleet, engine, sender
        self._clock = clock
        self._verdicts = UndoVerdicts(run_id, facts, engine, sender, fleet, clock, log, self)
        self.history: UndoHistory[Act] = UndoHistory()
        self._goal: int | None = None
        self._count = itertools.count(1)
        self._turns: list[_Turn] = []

    def now(self) -> int:
        """The counter of user actions; see `HistoryEntry`."""
        return next(self._count)

    @property
    def last(self) -> int:
        """When the user made the last step that holds here; 0: there is none."""
        return self._turns[-1].at if self._turns else self.history.to_undo.at if self.history.to_undo else 0

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
            merges: see `HistoryEntry`.
            done: called when it was accepted.
            failed: called when it was refused.
        """
        at = self.now()

        def accepted(answer: Any) -> None:
            self.history.push(HistoryEntry(label=label, back=answer.inverse, merges=merges, at=at), _joined)
            done()

        self._expect([self._engine.do(self._verdicts.command(batch))], label, accepted, lambda _: failed(), at)

    def steer(self, command: Command, label: str) -> None:
        """Send a command, as a step of undo or as one that shows why it cannot be undone."""
        run, fleet, at = self._facts(), self._fleet(), self.now()
        entry: HistoryEntry[Act] | None = None
        if run is not None and (ways := self._both_ways(run, fleet, command)) is not None:
            entry = HistoryEntry(label=label, back=ways[0], forth=ways[1], at=at)
        elif run is not None and (reason := lasting(run, fleet, command) or lasting_reservation(command)):
            entry = HistoryEntry(label=label, back=Lasting(reason), is_lasting=True, at=at)

        def accepted(_answer: Any) -> None:
            if entry is not None:
                self.history.push(replace(entry, back=self._verdicts.from_now(entry.back)))

        self._expect([self._engine.do(command)], label, accepted, lambda _: None, at)

    def _both_ways(self, run: RunFacts, fleet: FleetFacts | None, command: Command) -> tuple[Steering, Steering] | None:
        if isinstance(command, ReservationCommand):
            return reservation_both_ways(fleet, command, self._clock())
        return both_ways(run, fleet, command)

    def note(self, label: str, back: Rearranged | Lasting, merges: str = "") -> None:
        """Add an action that was carried out elsewhere, as by a view, as a step of undo, without asking the engine.

        While an answer is awaited it comes after what that is about.
        """
        at, lasts = self.now(), isinstance(back, Lasting)
        entry: HistoryEntry[Act] = HistoryEntry(
            label=label, back=back, merges=merges, is_light=not lasts, is_lasting=lasts, at=at
        )
        self._turns.append(_Turn(at, partial(self.history.push, entry, _joined)))
        if len(self._turns) > 1:
            self._goal = None  # it would be taken back with what is asked for
        else:
            self._write_down()
            self.changed.emit()

    def _write_down(self) -> None:
        """Add the actions to the history in their order, up to the first one without an answer."""
        while self._turns and (write := self._turns[0].write) is not None:
            self._turns.pop(0)
            write()

    def comes_first(self, after: int) -> bool:
        """Whether the last step that can be taken back was done after this."""
        entry = self._before_lasting
        return entry is not None and entry.at > after

    def comes_first_again(self, before: int) -> bool:
        """Whether what would be done again here was first done before this."""
        entry = self._after_lasting
        return entry is not None and entry.at < before

    # ---- taking back

    def undo_offer(self) -> UndoOffer:
        """The label of the last step, and whether `undo` would undo it: what lasts is passed, if it is not all."""
        entry = self.history.to_undo or self._possible_again()
        if entry is None:
            return UndoOffer()
        verdict = self._verdicts.of(entry.back, entry.label)
        is_all = isinstance(entry.back, Lasting) and self._before_lasting is None
        passes = not (verdict.ok or verdict.is_for_now or self._sender.is_busy or is_all)
        return UndoOffer(entry.label, verdict, passes)

    @property
    def _before_lasting(self) -> HistoryEntry[Act] | None:
        return next((one for one in reversed(self.history.entries[: self.history.index]) if not one.is_lasting), None)

    def _possible_again(self) -> HistoryEntry[Act] | None:
        """The step that was refused last, if nothing before it can be undone and it can by now; None: there is none."""
        entry = self.history.to_redo
        if entry is None or self._before_lasting is not None or not isinstance(entry.back, Lasting):
            return None
        return entry if entry.is_lasting and self._verdicts.of(entry.back, entry.label).ok else None

    @property
    def _after_lasting(self) -> HistoryEntry[Act] | None:
        return next((one for one in self.history.entries[self.history.index :] if not one.is_lasting), None)

    def redo_offer(self) -> UndoOffer:
        """The label of the step that `redo` would redo, and whether it can."""
        entry = self._after_lasting
        return UndoOffer(entry.label, self._verdicts.of(entry.forth, entry.label)) if entry is not None else UndoOffer()

    def undo(self) -> None:
        """Undo the last step, unless an answer is awaited; refused for good, it is skipped.

        One that nothing takes back stays, and `refused` says so: the one before it is undone when that is asked for
        again, as whoever asked may not have thought of that.
        """
        if self._sender.is_busy:
            return
        if self._possible_again() is not None:
            self._pass_lasting()
        entry, last = self._before_lasting, self.history.to_undo
        if last is not None and isinstance(last.back, Lasting) and self._verdicts.of(last.back, last.label).ok:
            assert last.back.refused is not None, "else nothing undoes it"
            self.history.make_undoable(last.back.refused, last.back.forth)
            last = self.history.to_undo
        if last is None or not isinstance(last.back, Lasting):
            self._step_back()
        if entry is None or last is None or not isinstance(last.back, Lasting):
            return
        while self.history.to_undo is not entry:
            assert self.history.to_undo is not None, "there is one before it"
            self.history.undone(self.history.to_undo.back)
        again = fill(self.tr("Undo again to take back “%1”, done before it."), entry.label)
        self.refused.emit(
            fill(self.tr("Undo “%1”"), last.label), f"{self._verdicts.of(last.back, last.label).reason} {again}"
        )
        self.changed.emit()

    def _step_back(self) -> None:
        """Undo the last step, whatever it is; of one that nothing takes back, `refused` says why."""
        entry = self.history.to_undo
        if entry is None or self._sender.is_busy:
            return
        what = fill(self.tr("Undo “%1”"), entry.label)
        if isinstance(entry.back, Rearranged):
            self.history.undone(entry.back.carry_out())
            self.changed.emit()
        elif isinstance(entry.back, Lasting):
            self.history.undone(entry.back)  # it still holds; what was done before it can be taken back
            self.refused.emit(what, self._verdicts.of(entry.back, entry.label).reason)
            self.changed.emit()
        else:
            back, forth = entry.back, entry.forth if isinstance(entry.forth, Steering) else None
            stays = lambda why: self.history.stays(Lasting(why, back, forth))  # noqa: E731
            self._take(back, what, self._undone(entry), stays)

    def redo(self) -> None:
        """Redo the step that was undone last, unless an answer is awaited; refused for good, it is skipped."""
        while self._is_lasting_next() and not self._sender.is_busy:
            self._pass_lasting()
        entry = self.history.to_redo
        if entry is None or entry.forth is None or isinstance(entry.forth, Lasting) or self._sender.is_busy:
            return
        if isinstance(entry.forth, Rearranged):
            self.history.redone(entry.forth.carry_out())
            self.changed.emit()
        else:
            what = fill(self.tr("Redo “%1”"), entry.label)
            self._take(entry.forth, what, self._redone(entry), lambda _: self.history.pass_over_redo())

    def _is_lasting_next(self) -> bool:
        return self.history.to_redo is not None and self.history.to_redo.is_lasting

    def _pass_lasting(self) -> None:
        """Redo a step that was never undone, as it cannot be."""
        assert self.history.to_redo is not None, "there is one, and it lasts"
        self.history.redone(self.history.to_redo.back)
        self.changed.emit()

    def go_to(self, index: int) -> None:
        """Undo or redo until this many steps are done; a refusal ends it."""
        self._goal = max(0, min(index, len(self.history.entries)))
        self._pursue()

    def _pursue(self) -> None:
        """Undo or redo until the goal is reached, or until the engine was asked."""
        while self._goal is not None and not self._sender.is_busy:
            if self._goal == self.history.index:
                self._goal = None
            elif self._goal < self.history.index:
                self._step_back()
            elif self._is_lasting_next():
                self._pass_lasting()
            else:
                self.redo()

    def _undone(self, entry: HistoryEntry[Act]) -> Callable[[Any], None]:
        def accepted(answer: Any) -> None:
            forth = entry.forth if isinstance(entry.back, Steering) else answer.inverse
            assert forth is not None, "steering knows its way forth from the beginning"
            self.history.undone(forth)

        return accepted

    def _redone(self, entry: HistoryEntry[Act]) -> Callable[[Any], None]:
        def accepted(answer: Any) -> None:
            back = entry.back if isinstance(entry.back, Steering) else answer.inverse
            self.history.redone(self._verdicts.from_now(back))

        return accepted

    def _take(
        self, act: EditBatch | Steering, what: str, accepted: Callable[[Any], None], passed_over: Callable[[str], None]
    ) -> None:
        verdict = self._verdicts.overtaken(act)
        if not verdict.ok:
            self._goal = None
            passed_over(verdict.reason.rstrip("."))
            self.refused.emit(what, f"{verdict.reason} {verdict.hint}".strip())
            self.changed.emit()
            return
        steering = commands_of(self._facts(), act, self._clock()) if isinstance(act, Steering) else ()
        # of a batch its own reason would say why the opposite was done
        commands = (self._verdicts.command(act, what),) if isinstance(act, EditBatch) else steering
        self._expect([self._engine.do(command) for command in commands], what, accepted, passed_over)

    # ---- answers

    def _expect(
        self, tickets: list[int], what: str, accepted: Callable[[Any], None], failed: Callable[[str], None], at: int = 0
    ) -> None:
        turn = _Turn(at)
        self._turns.append(turn)

        def answered(answers: list[Any], refusals: list[Refusal]) -> None:
            turn.write = _after(refusals, failed) if refusals else partial(accepted, answers[0])
            if refusals:
                self._goal = None
            self._write_down()
            if refusals:
                self.refused.emit(what, _reason(refusals[0]))
            self.changed.emit()
            self._pursue()

        self._sender.expect(tickets, answered)
        self.changed.emit()


def _after(refusals: Sequence[Refusal], failed: Callable[[str], None]) -> Callable[[], None]:
    """What becomes of a step that was refused: it stays as it is, if that goes by."""
    if all(one.code in _FOR_NOW for one in refusals):
        return lambda: None
    return partial(failed, _reason(refusals[0]).rstrip("."))


def _reason(refusal: Refusal) -> str:
    return problems_words(refusal.problems) if refusal.problems else f"{refusal.reason} {refusal.hint}".strip()


def _joined(one: Act, other: Act) -> Act:
    """The inverse of two steps of one drag: first of the later, then of the earlier one."""
    if isinstance(one, Rearranged):
        return one  # it knows how everything stood, not only how far something was moved
    assert isinstance(one, EditBatch), "only edits merge"
    assert isinstance(other, EditBatch), "only edits merge"
    return replace(one, edits=(*other.edits, *one.edits))
