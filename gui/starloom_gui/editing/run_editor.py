"""The editor of one run: edits are sent at once, or staged, shown and committed together; with undo and redo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from starloom.constellation.edits import Edit, EditBatch
from starloom.errors import CommandRefused
from starloom.scheduling.commands import Command, EditConstellation, PinTasks
from starloom.scheduling.decide.editing import rehearsed
from starloom.scheduling.read.run_view import RunView
from starloom_gui.editing.base import Lasting, Mode, Rearranged, Step
from starloom_gui.editing.early_starts import starts_at_once
from starloom_gui.editing.proposals import ShownProposal
from starloom_gui.editing.reverting import Reverting
from starloom_gui.editing.sending import Sender
from starloom_gui.editing.staging_area import StagingArea
from starloom_gui.editing.steering import edits_saying
from starloom_gui.editing.trying import Trying
from starloom_gui.editing.undoing import Undoing, UndoOffer
from starloom_gui.editing.words import EditPlurals, problem_words
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.engine_words import said
from starloom_gui.text.words import fill
from starloom_gui.viewmodel.run_views import run_view

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable, Sequence

    from starloom.foresight.what_if import WhatIf
    from starloom.scheduling.read.run_view import TaskView
    from starloom.scheduling.state.fleet_facts import FleetFacts
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.editing.history import UndoHistory
    from starloom_gui.editing.staging import Staged
    from starloom_gui.editing.undo_verdicts import Act
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.gateway.command_gateway import TicketGateway
    from starloom_gui.gateway.event_log import Log
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
        clock: gives seconds on the engine's clock.
        parent: of the object.
        log: the event log; None: there is none.

    Attributes:
        reverting: takes back edits that the event log tells of.
        staging: the edits that are gathered, to be committed or discarded.
        confirm: asks the user about a step that lets these tasks start at once, as what has started cannot be undone;
            the step is then carried out by `do_confirmed`, or not. None: nobody is asked.
        confirm_command: says whether the user is asked about a command and its label first; the command is then carried
            out by `steer_confirmed`, or not. None: nobody is asked.

    Signals:
        changed: mode, steps, problems, or what can be undone are others.
        tried(Step, WhatIf): what the step that was asked about by `what_if_of` would change.
        refused(str, str): something was not done, in words; and why, as sentences that say what to do.
        overtook(str): a command is the first that is sent at once while edits stay staged; its label.
    """

    changed = Signal()
    tried = Signal(object, object)
    refused = Signal(str, str)
    overtook = Signal(str)

    def __init__(
        self,
        run_id: str,
        facts: Facts,
        engine: TicketGateway,
        what_if: Callable[..., Coroutine[Any, Any, WhatIf]] | None = None,
        fleet: Callable[[], FleetFacts | None] = lambda: None,
        clock: Callable[[], float] = lambda: 0.0,
        parent: QObject | None = None,
        log: Log | None = None,
    ) -> None:
        super().__init__(parent)
        self.run_id, self._facts, self._engine, self._fleet = run_id, facts, engine, fleet
        self._sender = Sender(engine, self)
        self._undoing = Undoing(run_id, facts, engine, self._sender, fleet, clock, self, log)
        self._undoing.changed.connect(self.changed)
        self._undoing.refused.connect(self.refused)
        self.reverting = Reverting(run_id, facts, engine, self._undoing)
        self._mode = Mode.LIVE
        self._has_overtaken = False
        self.confirm: Callable[[Step, tuple[int, ...]], None] | None = None
        self.confirm_command: Callable[[Command, str], bool] | None = None
        self.staging = StagingArea(engine.origin, facts, self._undoing, self._sender, what_if, self)
        self.staging.changed.connect(self.changed)
        self.staging.refused.connect(self.refused)
        self._proposal: ShownProposal | None = None
        self._trying = Trying(what_if, self)
        self._trying.tried.connect(self.tried)

    # ---- reading

    @property
    def mode(self) -> Mode:
        """When edits take effect."""
        return self._mode

    @property
    def steps(self) -> tuple[Staged, ...]:
        """The staged steps, in order."""
        return self.staging.steps

    @property
    def ghosts(self) -> StagedOverlay | None:
        """The overlay of staged edits, else of a proposal that is looked at; None: there is none."""
        return self.staging.ghosts or (self._proposal.ghosts if self._proposal is not None else None)

    @property
    def history(self) -> UndoHistory[Act]:
        """The undo history; for reading."""
        return self._undoing.history

    @property
    def is_busy(self) -> bool:
        """Whether the engine has still to answer."""
        return self._sender.is_busy

    def owns(self, ticket: int) -> bool:
        """Whether a ticket is of a command from here, so that `refused` tells its refusal."""
        return self._sender.owns(ticket)

    def run_facts(self) -> RunFacts | None:
        """The facts of the run as it is."""
        return self._facts()

    def facts(self, *, proposed: bool = True) -> RunFacts | None:
        """The facts with the staged edits that fit applied, or a proposal that is looked at; else the run's own."""
        proposal = self._proposal.after if proposed and self._proposal is not None else None
        return self.staging.after or proposal or self._facts()

    def view(self) -> RunView | None:
        """The run with the staged edits that fit applied, or a proposal that is looked at; else as it is."""
        return run_view(self.facts())

    def verdict(self, edits: Sequence[Edit]) -> Verdict:
        """Whether these edits would be accepted on top of what is staged, by the engine's own rules."""
        after = self.staging.after
        if after is None:
            batch = self._batch(tuple(edits), "")
            return self._engine.can(EditConstellation(run_id=self.run_id, batch=batch))
        try:
            problems = rehearsed(after, EditBatch(edits=tuple(edits))).problems
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
        """Choose whether edits take effect at once or are staged; staged ones must be committed or discarded before."""
        if mode is self._mode:
            return
        verdict = self.can_go_live() if mode is Mode.LIVE else Verdict(True)
        if verdict.ok:
            self._mode = mode
            if mode is Mode.LIVE:
                self.staging.forget()
        else:
            self.refused.emit(self.tr("Live"), f"{verdict.reason} {verdict.hint}")
        self.changed.emit()

    # ---- edits

    def restore(self, steps: Sequence[tuple[Step, int]]) -> None:
        """Stage the steps of an earlier session, each with the last revision of the run it applied to."""
        self._mode = Mode.STAGED
        self.staging.restore(steps)

    def do(self, step: Step) -> None:
        """Apply a step, or stage it; if it is refused, nothing changes and `refused` has the reason."""
        run = self._facts()
        if run is None or not step.edits:
            return
        if self._mode is Mode.LIVE:
            starting = starts_at_once(run, step.edits) if self.confirm is not None else ()
            if starting and self.confirm is not None:
                self.confirm(step, starting)
            else:
                self.do_confirmed(step)
            return
        verdict = self.verdict(step.edits)
        if not verdict.ok:
            self.refused.emit(step.label, f"{verdict.reason} {verdict.hint}".strip())
            return
        self.staging.add(step, run.revision)

    def do_confirmed(self, step: Step) -> None:
        """Apply a step at once, without a question."""
        self._undoing.edit(self._batch(step.edits, step.label), step.label, step.merges)

    def _batch(self, edits: tuple[Edit, ...], reason: str) -> EditBatch:
        run = self._facts()
        base = run.revision if run is not None else None
        return EditBatch(edits=edits, base_revision=base, origin=self._engine.origin, reason=reason)

    def steer(self, command: Command, label: str) -> None:
        """Stage what an edit can say, else send the command: as a step of undo, or with why it cannot be undone."""
        if staged := self._staged_edits(command):
            self.do(Step(label=label, edits=staged))
        elif self.confirm_command is None or not self.confirm_command(command, label):
            self.steer_confirmed(command, label)

    def steer_confirmed(self, command: Command, label: str) -> None:
        """Send a command without a question."""
        self._undoing.steer(command, label)
        if self.steps and not self._has_overtaken:
            self.overtook.emit(label)
        self._has_overtaken = bool(self.steps)

    def verdict_of_staged(self, command: Command) -> Verdict | None:
        """Whether a command could be staged, as edits that say the same; None: it acts at once."""
        run, edits = self._facts(), self._staged_edits(command)
        if run is None or not edits:
            return None
        verdict = self.verdict(edits)
        if verdict.ok and isinstance(command, PinTasks) and command.device_id is not None:
            # only the engine knows the devices, and only tasks that are not staged; what is pinned there has passed
            known = tuple(task.id for task in self._known(run, command) if task.steered_to != command.device_id)
            return self._engine.can(replace(command, task_ids=known)) if known else self._device_of(command, verdict)
        return verdict

    def _device_of(self, command: PinTasks, verdict: Verdict) -> Verdict:
        """The verdict on a pin of tasks that are only staged: the device has to be there."""
        fleet = self._fleet()
        if fleet is None or command.device_id in fleet.devices:
            return verdict
        return Verdict(False, fill(self.tr("There is no device %1."), command.device_id), self.tr("Add it first."))

    def _staged_edits(self, command: Command) -> tuple[Edit, ...]:
        """The edits that are staged for a command; empty: it is to act at once."""
        facts = self.facts(proposed=False)
        return edits_saying(command, facts) if facts is not None and self._mode is Mode.STAGED else ()

    @staticmethod
    def _known(run: RunFacts, command: PinTasks) -> Iterable[TaskView]:
        return RunView(run).tasks(run.graph.place[id] for id in command.task_ids if id in run.graph.place)

    def note(self, label: str, back: Rearranged, merges: str = "") -> None:
        """Add an action that a view has carried out as a step of undo, which is undone before earlier staged steps."""
        after = self.staging.last > self._undoing.last
        self._undoing.note(label, back, "" if after else merges)  # else both would be taken back after what is staged

    def note_lasting(self, label: str, reason: str) -> None:
        """Add what was done elsewhere as a step that says why it cannot be taken back."""
        self._undoing.note(label, Lasting(reason))

    def show_proposal(self, edits: tuple[Edit, ...]) -> None:
        """Show the proposal of an agent as ghosts while nothing is staged; empty: hide it."""
        if edits == (self._proposal.edits if self._proposal is not None else ()):
            return
        run = self._facts()
        self._proposal = ShownProposal(run, edits) if run is not None and edits else None
        self.changed.emit()

    # ---- taking back

    def undo_offer(self) -> UndoOffer:
        """The label of the step that `undo` would undo, and whether it can."""
        return self.staging.undo_offer() or self._undoing.undo_offer()

    def redo_offer(self) -> UndoOffer:
        """The label of the step that `redo` would redo, and whether it can."""
        return self.staging.redo_offer() or self._undoing.redo_offer()

    def undo(self) -> None:
        """Undo the last step, be it a staged one, a view's own, or one that the engine has carried out."""
        if self.is_busy:
            return
        if self.staging.undo_offer() is not None:
            self.staging.undo()
        else:
            self._undoing.undo()

    def redo(self) -> None:
        """Redo the step that was undone last."""
        if self.is_busy:
            return
        if self.staging.redo_offer() is not None:
            self.staging.redo()
        else:
            self._undoing.redo()

    def go_to(self, index: int) -> None:
        """Undo or redo until this many steps of the history are done; a refusal ends it."""
        if self.steps:
            verdict = self.can_go_live()
            self.refused.emit(self.tr("History"), f"{verdict.reason} {verdict.hint}")
        else:
            self._undoing.go_to(index)

    # ---- keeping up

    def on_changes(self, changes: Changes) -> None:
        """Check the staged edits against the present run; calling it twice is allowed."""
        run = self._facts()
        if changes.run_id != self.run_id or run is None:
            return
        if self._proposal is not None and self._proposal.follow(run, changes):
            self.changed.emit()
        self.staging.on_changes(run, changes)

    # ---- what would happen

    def what_if_of(self, step: Step | None) -> None:
        """Project a step on top of the staged ones, once it rests; `tried` emits the result. None: drop the request."""
        self._trying.ask(step, self.staging.fitting, self.facts())

    def close(self) -> None:
        """Stop projecting and following."""
        self.staging.close()
        self._trying.close()
        self._sender.close()
