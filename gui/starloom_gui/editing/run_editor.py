"""The edits of one run: sent at once, or gathered, shown and committed together; and what can be taken back of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from starloom.constellation.edits import Edit, EditBatch
from starloom.errors import CommandRefused
from starloom.scheduling.commands import Command, EditConstellation
from starloom.scheduling.decide.editing import rehearsed
from starloom_gui.editing.base import Mode, Rearranged
from starloom_gui.editing.effect import Weigher, durations
from starloom_gui.editing.preview import Preview
from starloom_gui.editing.proposals import ShownProposal
from starloom_gui.editing.reverting import Reverting
from starloom_gui.editing.sending import Sender
from starloom_gui.editing.staging import Staging
from starloom_gui.editing.trying import Trying
from starloom_gui.editing.undoing import Undoing, UndoOffer
from starloom_gui.editing.words import EditPlurals, problem_words
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.engine_words import said
from starloom_gui.text.words import fill

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from starloom.errors import Problem
    from starloom.foresight.what_if import WhatIf
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.editing.base import Step
    from starloom_gui.editing.effect import Effect
    from starloom_gui.editing.history import UndoHistory
    from starloom_gui.editing.staging import Staged
    from starloom_gui.editing.undoing import Act
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.gateway.command_gateway import TicketGateway
    from starloom_gui.viewmodel.roles import Facts
    from starloom_gui.viewmodel.staged_overlay import StagedOverlay


class RunEditor(QObject):
    """Implements `editing.base.Editor` for a run. To be used where the engine's loop runs.

    Args:
        run_id: of the run.
        facts: gives its facts; None: it is gone.
        engine: is asked, and answers by its signals.
        what_if: foresees what edits would change; None: nothing is foreseen.
        fleet: gives the facts of the devices and of the limits of all runs; None: nobody knows them.
        parent: of the object.

    Attributes:
        reverting: takes back edits that the event log tells of.

    Signals:
        changed: mode, steps, problems, or what can be undone are others.
        weighed: `effect` is another one.
        tried(Step, WhatIf): what the step that was asked about by `what_if_of` would change.
        refused(str, str): something was not done, in words; and why, as sentences that say what to do.
    """

    changed = Signal()
    weighed = Signal()
    tried = Signal(object, object)
    refused = Signal(str, str)

    def __init__(
        self,
        run_id: str,
        facts: Facts,
        engine: TicketGateway,
        what_if: Callable[..., Coroutine[Any, Any, WhatIf]] | None = None,
        fleet: Callable[[], FleetFacts | None] = lambda: None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.run_id, self._facts, self._engine = run_id, facts, engine
        self._sender = Sender(engine, self)
        self._undoing = Undoing(run_id, facts, engine, self._sender, fleet, self)
        self._undoing.changed.connect(self.changed)
        self._undoing.refused.connect(self.refused)
        self.reverting = Reverting(run_id, facts, engine, self._undoing)
        self._mode = Mode.LIVE
        self._staging = Staging(engine.origin, self._undoing.now)
        self._committing: frozenset[int] = frozenset()
        self._preview: Preview | None = None
        self._proposal: ShownProposal | None = None
        self._weigher = Weigher(what_if, self) if what_if is not None else None
        self._trying = Trying(what_if, self)
        self._trying.tried.connect(self.tried)
        if self._weigher is not None:
            self._weigher.weighed.connect(self.weighed)

    # ---- reading

    @property
    def mode(self) -> Mode:
        """When edits take effect."""
        return self._mode

    @property
    def steps(self) -> tuple[Staged, ...]:
        """What is staged, in order."""
        return self._staging.steps

    @property
    def problems(self) -> dict[int, tuple[Problem, ...]]:
        """What is wrong with those staged steps that do not fit the run as it is now, by key."""
        return dict(self._staging.problems)

    @property
    def fitting(self) -> tuple[Edit, ...]:
        """The edits of those staged steps that fit, in order."""
        return self._staging.fitting

    @property
    def can_foresee(self) -> bool:
        """Whether anybody tells what staged edits would change."""
        return self._weigher is not None

    @property
    def revision(self) -> int:
        """The revision of the run that the staged steps were last checked with."""
        return self._staging.revision

    @property
    def ghosts(self) -> StagedOverlay | None:
        """What is to be drawn of staged edits, else of a proposal that is looked at; None: there are none."""
        shown = self._preview or self._proposal
        return shown.ghosts if shown is not None else None

    @property
    def durations(self) -> dict[int, float]:
        """How long staged tasks will take, in seconds by number, as far as that is known."""
        return durations(self.ghosts, self.effect) if self.ghosts is not None else {}

    @property
    def effect(self) -> Effect | None:
        """What the staged edits would change; None: it is not known, or not known yet."""
        return self._weigher.effect if self._weigher is not None else None

    @property
    def history(self) -> UndoHistory[Act]:
        """What was done, in order; for reading."""
        return self._undoing.history

    @property
    def is_busy(self) -> bool:
        """Whether the engine has still to answer."""
        return self._sender.is_busy

    def owns(self, ticket: int) -> bool:
        """Whether something was asked for here, so that its refusal is said by `refused`."""
        return self._sender.owns(ticket)

    def run_facts(self) -> RunFacts | None:
        """The facts of the run as it is."""
        return self._facts()

    def facts(self, *, proposed: bool = True) -> RunFacts | None:
        """The facts with the staged edits that fit applied, or a proposal that is looked at; else the run's own."""
        shown = self._preview or (self._proposal if proposed else None)
        return (shown.after if shown is not None else None) or self._facts()

    def verdict(self, edits: Sequence[Edit]) -> Verdict:
        """Whether these edits would be accepted on top of what is staged, by the engine's own rules."""
        if self._preview is None:
            batch = self._batch(tuple(edits), "")
            return self._engine.can(EditConstellation(run_id=self.run_id, batch=batch))
        try:
            problems = rehearsed(self._preview.after, EditBatch(edits=tuple(edits))).problems
        except CommandRefused as refused:
            return Verdict(False, said(refused.reason), said(refused.hint))
        return Verdict(False, problem_words(problems[0])) if problems else Verdict(True)

    # ---- modes

    def can_go_live(self) -> Verdict:
        """Whether edits may take effect at once: not while some are staged."""
        if not self.steps:
            return Verdict(True)
        staged = EditPlurals().staged(len(self.steps))
        return Verdict(False, fill(self.tr("There is %1."), staged), self.tr("Commit or discard first."))

    def set_mode(self, mode: Mode) -> None:
        """Have edits take effect at once, or gather them; staged ones have to be committed or discarded before."""
        if mode is self._mode:
            return
        verdict = self.can_go_live() if mode is Mode.LIVE else Verdict(True)
        if verdict.ok:
            self._mode = mode
        else:
            self.refused.emit(self.tr("Live"), f"{verdict.reason} {verdict.hint}")
        self.changed.emit()

    # ---- edits

    def do(self, step: Step) -> None:
        """Apply a step, or stage it; `refused` says why not, and nothing of it stays."""
        run = self._facts()
        if run is None or not step.edits:
            return
        if self._mode is Mode.LIVE:
            self._undoing.edit(self._batch(step.edits, step.label), step.label, step.merges)
            return
        verdict = self.verdict(step.edits)
        if not verdict.ok:
            self.refused.emit(step.label, f"{verdict.reason} {verdict.hint}".strip())
            return
        self._staging.add(step, run.revision)
        self._staged_anew()

    def _batch(self, edits: tuple[Edit, ...], reason: str) -> EditBatch:
        run = self._facts()
        base = run.revision if run is not None else None
        return EditBatch(edits=edits, base_revision=base, origin=self._engine.origin, reason=reason)

    def steer(self, command: Command, label: str) -> None:
        """Give a command now, whatever the mode; it is a step of undo, or one that says why it cannot be taken back."""
        self._undoing.steer(command, label)

    def note(self, label: str, back: Rearranged, merges: str = "") -> None:
        """Have what a view did already be a step of undo, taken back before what was staged earlier."""
        after = self._staging.to_undo and self._staging.undo_after > self._undoing.last
        self._undoing.note(label, back, "" if after else merges)  # else both would be taken back after what is staged

    # ---- what is staged

    def drop(self, *keys: int) -> None:
        """Do without these staged steps; undo brings them back."""
        self._staging.drop(keys, self.tr("Drop"))
        self._staged_anew()

    def drop_unfit(self) -> None:
        """Do without the staged steps that no longer fit."""
        self.drop(*self._staging.problems)

    def keep(self, key: int) -> None:
        """Mean a staged step in spite of what others have changed since it was made."""
        run = self._facts()
        if run is not None:
            self._staging.keep(key, run.revision)
            self._staged_anew()

    def discard(self) -> None:
        """Do without everything that is staged; nothing of it stays."""
        self._staging.forget({one.key for one in self.steps})
        self._staged_anew()

    def can_commit(self) -> Verdict:
        """Whether what is staged can be committed now."""
        if not self.steps:
            return Verdict(False, self.tr("Nothing is staged."))
        if self._committing:
            return Verdict(False, self.tr("A commit is under way."))
        if self._staging.problems:
            count = EditPlurals().unfit(len(self._staging.problems))
            return Verdict(False, fill(self.tr("%1."), count), self.tr("Drop or change what no longer fits."))
        return Verdict(True)

    def commit(self) -> None:
        """Apply everything that is staged, as one batch; refused, all of it stays staged and `problems` says why."""
        self._check()
        verdict = self.can_commit()
        label = EditPlurals().committed(len(self.steps))
        if not verdict.ok:
            self.refused.emit(label, f"{verdict.reason} {verdict.hint}".strip())
            self.changed.emit()
            return
        single = self.steps[0].step.label if len(self.steps) == 1 else label
        self._committing = frozenset(one.key for one in self.steps)
        self._undoing.edit(self._staging.batch(single), single, done=self._committed, failed=self._not_committed)

    def _committed(self) -> None:
        self._staging.forget(self._committing)
        self._not_committed()

    def _not_committed(self) -> None:
        self._committing = frozenset()
        self._staged_anew()

    def show_proposal(self, edits: tuple[Edit, ...]) -> None:
        """Show what an agent proposes as ghosts while nothing is staged, and only show it; empty: no more."""
        if edits == (self._proposal.edits if self._proposal is not None else ()):
            return
        run = self._facts()
        self._proposal = ShownProposal(run, edits) if run is not None and edits else None
        self.changed.emit()

    # ---- taking back

    def undo_offer(self) -> UndoOffer:
        """What `undo` would do now."""
        if self._staging.to_undo and not self._undoing.was_rearranged(self._staging.undo_after):
            return UndoOffer(self._staging.to_undo, Verdict(not self.is_busy))
        return self._undoing.undo_offer()

    def redo_offer(self) -> UndoOffer:
        """What `redo` would do now."""
        if self._staging.to_redo and not self._undoing.is_to_rearrange(self._staging.redo_after):
            return UndoOffer(self._staging.to_redo, Verdict(not self.is_busy))
        return self._undoing.redo_offer()

    def undo(self) -> None:
        """Take back the last thing that was done: first what is staged and views did, then what the engine has done."""
        if self.is_busy:
            return
        if self._staging.to_undo and not self._undoing.was_rearranged(self._staging.undo_after):
            self._staging.undo()
            self._staged_anew()
        else:
            self._undoing.undo()

    def redo(self) -> None:
        """Do again what was taken back last."""
        if self.is_busy:
            return
        if self._staging.to_redo and not self._undoing.is_to_rearrange(self._staging.redo_after):
            self._staging.redo()
            self._staged_anew()
        else:
            self._undoing.redo()

    def go_to(self, index: int) -> None:
        """Undo or redo until so many steps of the history hold; what is refused on the way ends it there."""
        if self.steps:
            verdict = self.can_go_live()
            self.refused.emit(self.tr("History"), f"{verdict.reason} {verdict.hint}")
        else:
            self._undoing.go_to(index)

    # ---- keeping up

    def take(self, changes: Changes) -> None:
        """Have the staged edits looked at again, as the run has gone on; being told twice is no mistake."""
        run = self._facts()
        if changes.run_id != self.run_id or run is None:
            return
        if self._proposal is not None and self._proposal.follow(run, changes):
            self.changed.emit()
        if not self.steps:
            return
        is_other = changes.everything or changes.edits or changes.run
        if is_other or self._preview is None or not self._preview.follow(run, changes.tasks):
            self._run_changed()
        if self._weigher is not None and (changes.tasks or changes.run or changes.devices or changes.second):
            self._weigher.ask_again()

    def _run_changed(self) -> None:
        before = (self._staging.fitting, self._staging.problems, self._staging.revision)
        self._check()
        after = (self._staging.fitting, self._staging.problems, self._staging.revision)
        if before[0] != after[0]:
            self._weigh()
        if before != after:
            self.changed.emit()

    def _staged_anew(self) -> None:
        """The user has staged something, or something less."""
        self._check()
        self._weigh()
        self.changed.emit()

    def _check(self) -> None:
        """See which steps fit, and have the preview show these."""
        run = self._facts()
        if run is None:
            return
        self._staging.check(run)
        fitting = self._staging.fitting
        if not fitting:
            self._preview = None
        elif self._preview is None or self._preview.edits != fitting:
            self._preview = Preview(run, fitting)
        else:
            self._preview.make(run)

    # ---- what would happen

    def what_if_of(self, step: Step | None) -> None:
        """Foresee what a step would change on top of what is staged, if it rests; `tried` tells. None: forget it."""
        self._trying.ask(step, self._staging.fitting, self.facts())

    def _weigh(self) -> None:
        if self._weigher is not None:
            facts = self.facts()
            if facts is not None:
                self._weigher.ask(self._staging.fitting if self.steps else (), facts)

    def close(self) -> None:
        """Foresee and hear nothing more."""
        for weigher in (self._weigher, self._trying):
            if weigher is not None:
                weigher.close()
        self._sender.close()
