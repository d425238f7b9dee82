"""The staged edits of one run: shown as an overlay, projected, checked against each change, and committed together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from starloom_gui.editing.effect import Weigher
from starloom_gui.editing.preview import Preview
from starloom_gui.editing.staging import StagedSteps
from starloom_gui.editing.undoing import UndoOffer
from starloom_gui.editing.words import EditPlurals
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.words import fill

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from starloom.constellation.edits import Edit
    from starloom.errors import Problem
    from starloom.foresight.what_if import WhatIf
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.editing.base import Step
    from starloom_gui.editing.effect import Effect
    from starloom_gui.editing.sending import Sender
    from starloom_gui.editing.staging import Staged
    from starloom_gui.editing.undoing import Undoing
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.viewmodel.roles import Facts
    from starloom_gui.viewmodel.staged_overlay import StagedOverlay


class StagingArea(QObject):
    """Steps that are gathered until they are committed or discarded. To be used where the engine's loop runs.

    Args:
        origin: in whose name they are committed.
        facts: gives the facts of the run; None: it is gone.
        undoing: sends what is committed, and knows what else can be taken back.
        sender: knows whose answers are awaited.
        what_if: foresees what edits would change; None: nothing is foreseen.
        parent: of the object.

    Signals:
        changed: steps or problems are others.
        weighed: `effect` is another one.
        refused(str, str): something was not done, in words; and why, as sentences that say what to do.
    """

    changed = Signal()
    weighed = Signal()
    refused = Signal(str, str)

    def __init__(
        self,
        origin: str,
        facts: Facts,
        undoing: Undoing,
        sender: Sender,
        what_if: Callable[..., Coroutine[Any, Any, WhatIf]] | None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._facts, self._undoing, self._sender = facts, undoing, sender
        self._staged = StagedSteps(origin, undoing.now)
        self._committing: frozenset[int] = frozenset()
        self._preview: Preview | None = None
        self._weigher = Weigher(what_if, self) if what_if is not None else None
        if self._weigher is not None:
            self._weigher.weighed.connect(self.weighed)
            self._weigher.weighed.connect(self._weigh_at_rest)

    # ---- reading

    @property
    def steps(self) -> tuple[Staged, ...]:
        """The staged steps, in order."""
        return self._staged.steps

    @property
    def problems(self) -> dict[int, tuple[Problem, ...]]:
        """The reasons why staged steps do not apply to the present run, by key."""
        return dict(self._staged.problems)

    @property
    def fitting(self) -> tuple[Edit, ...]:
        """The edits of those staged steps that fit, in order."""
        return self._staged.fitting

    @property
    def revision(self) -> int:
        """The revision of the run that the staged steps were last checked with."""
        return self._staged.revision

    @property
    def ghosts(self) -> StagedOverlay | None:
        """The overlay of the steps that fit; None: none does."""
        return self._preview.ghosts if self._preview is not None else None

    @property
    def after(self) -> RunFacts | None:
        """The facts with the steps that fit applied; None: none does."""
        return self._preview.after if self._preview is not None else None

    @property
    def can_foresee(self) -> bool:
        """Whether the effect of the staged edits is projected, or will be: not if none of them fits, or it failed."""
        weigher = self._weigher
        is_known = self.effect is not None and self.effect.what_if.after is not None
        return weigher is not None and (is_known or weigher.is_weighing)

    @property
    def effect(self) -> Effect | None:
        """The effect of the staged edits; None: it is not known, or not known yet."""
        return self._weigher.effect if self._weigher is not None else None

    # ---- what is staged

    def add(self, step: Step, revision: int) -> None:
        """Stage a step that fits, made when the run had this revision."""
        self._undoing.history.forget_redo()
        self._staged.add(step, revision)
        self._restage()

    def restore(self, steps: Sequence[tuple[Step, int]]) -> None:
        """Stage the steps of an earlier session, each with the last revision of the run it applied to."""
        self._staged.restore(steps)
        self._restage()

    def base(self, key: int) -> int:
        """The revision of the run at which a staged step fitted last."""
        return self._staged.base(key)

    def drop(self, *keys: int) -> None:
        """Remove these staged steps; undo brings them back."""
        self._staged.drop(keys, self.tr("Drop"))
        self._restage()

    def drop_unfit(self) -> None:
        """Remove the staged steps that no longer fit."""
        self.drop(*self._staged.problems)

    def keep(self, key: int) -> None:
        """Keep a staged step despite the changes by others since it was made."""
        run = self._facts()
        if run is not None:
            self._staged.keep(key, run.revision)
            self._restage()

    def discard(self) -> None:
        """Remove all staged steps; undo brings them back."""
        self._staged.drop({one.key for one in self.steps}, EditPlurals().discarded(len(self.steps)))
        self._restage()

    def forget(self) -> None:
        """Forget what can be undone and redone here, as edits take effect at once from now on."""
        self._staged.forget(())
        self._restage()

    # ---- committing

    def can_commit(self) -> Verdict:
        """Whether what is staged can be committed now."""
        if not self.steps:
            return Verdict(False, self.tr("Nothing is staged."))
        if self._committing:
            return Verdict(False, self.tr("A commit is under way."))
        if self._staged.problems:
            count = EditPlurals().unfit(len(self._staged.problems))
            return Verdict(False, fill(self.tr("%1."), count), self.tr("Drop or change what no longer fits."))
        return Verdict(True)

    def commit(self) -> None:
        """Apply all staged steps as one batch; if it is refused, all stay staged and `problems` has the reasons."""
        self._check()
        verdict = self.can_commit()
        label = EditPlurals().committed(len(self.steps))
        if not verdict.ok:
            self.refused.emit(label, f"{verdict.reason} {verdict.hint}".strip())
            self.changed.emit()
            return
        single = self.steps[0].step.label if len(self.steps) == 1 else label
        self._committing = frozenset(one.key for one in self.steps)
        self._undoing.edit(self._staged.batch(single), single, done=self._committed, failed=self._not_committed)

    def _committed(self) -> None:
        self._staged.forget(self._committing)
        self._not_committed()

    def _not_committed(self) -> None:
        self._committing = frozenset()
        self._restage()

    # ---- taking back

    @property
    def last(self) -> int:
        """When the user made the last step here that can be undone; 0: there is none."""
        return self._staged.undo_after if self._staged.to_undo else 0

    def undo_offer(self) -> UndoOffer | None:
        """The label of the staged step that `undo` would undo; None: there is none, or another step comes first."""
        if self._staged.to_undo and not self._undoing.comes_first(self._staged.undo_after):
            return UndoOffer(self._staged.to_undo, Verdict(not self._sender.is_busy))
        return None

    def redo_offer(self) -> UndoOffer | None:
        """The label of the staged step that `redo` would redo; None: there is none, or another step comes first."""
        if self._staged.to_redo and not self._undoing.comes_first_again(self._staged.redo_after):
            return UndoOffer(self._staged.to_redo, Verdict(not self._sender.is_busy))
        return None

    def undo(self) -> None:
        """Undo the last change of the staged steps."""
        self._staged.undo()
        self._restage()

    def redo(self) -> None:
        """Redo the change that was undone last."""
        self._staged.redo()
        self._restage()

    # ---- keeping up

    def on_changes(self, run: RunFacts, changes: Changes) -> None:
        """Check the steps against the present run; calling it twice is allowed."""
        if not self.steps:
            return
        is_other = changes.everything or changes.edits or changes.run
        if is_other or self._preview is None or not self._preview.follow(run, changes.tasks):
            self._run_changed()
        if self._weigher is not None and (changes.tasks or changes.run or changes.devices or changes.second):
            self._weigher.ask_again()

    def _run_changed(self) -> None:
        before = (self._staged.fitting, self._staged.problems, self._staged.revision)
        self._check()
        after = (self._staged.fitting, self._staged.problems, self._staged.revision)
        if before[0] != after[0]:
            self._weigh()
        if before != after:
            self.changed.emit()

    def _restage(self) -> None:
        """Handle a change of the staged steps by the user."""
        self._check()
        self._weigh()
        self.changed.emit()

    def _check(self) -> None:
        """Determine which steps apply, and show these in the preview."""
        run = self._facts()
        if run is None:
            return
        self._staged.check(run)
        fitting = self._staged.fitting
        if not fitting:
            self._preview = None
        elif self._preview is None or self._preview.edits != fitting:
            self._preview = Preview(run, fitting)
        else:
            self._preview.make(run)

    def _weigh(self) -> None:
        facts = self.after or self._facts()
        if self._weigher is not None and facts is not None:
            self._weigher.ask(self._staged.fitting if self.steps else (), facts)

    def _weigh_at_rest(self) -> None:
        """Project again, as time passes, for a run that nothing happens in: it would go on from the present."""
        run = self._facts()
        if self._weigher is not None and run is not None and (run.run_started_at is None or run.state.has_ended):
            self._weigher.ask_again()

    def close(self) -> None:
        """Stop projecting."""
        if self._weigher is not None:
            self._weigher.close()
