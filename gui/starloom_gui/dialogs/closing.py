"""Asks before closing about what is not finished: runs that are executing, plans that are not saved."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from starloom_gui.text.words import amount, fill
from starloom_gui.widgets.controls import text
from starloom_gui.widgets.dialog import Dialog
from starloom_gui.widgets.question import WIDTH, Choice, Choices

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from starloom_gui.theme.appearance import Appearance

WAIT, CANCEL, KEEP, LEAVE, SAVE, DISCARD = "wait", "cancel", "keep", "leave", "save", "discard"
BACKGROUND: Final = "background"
_NAMED: Final = 8
"""So many runs or plans are named; more are counted."""


@dataclass(frozen=True, slots=True)
class UnfinishedRun:
    """A run that has not ended.

    Attributes:
        title: its name on the screen.
        running: how many of its tasks run.
        to_go: how many have not ended, running ones among them.
        is_paused: whether it starts nothing until somebody resumes it.
        is_started: whether anybody has started it.
        is_kept: whether it can be resumed in another session.
        staged: how many changes are staged for it and not committed.
        waits_for_person: whether anything of it waits for somebody's answer.
    """

    title: str
    running: int
    to_go: int
    is_paused: bool = False
    is_started: bool = True
    is_kept: bool = True
    staged: int = 0
    waits_for_person: bool = False


class ClosingStage(Enum):
    """The stage of closing: what the user has decided so far."""

    ASKING = "asking"
    WAITING = "waiting"
    PAUSING = "pausing"
    HANDING_OVER = "handing over"
    STOPPING = "stopping"
    ENDED = "ended"
    """Nothing, and there is nothing left to decide about."""


class UnfinishedPlurals(QObject):
    """Counts of unfinished runs, plans and edits."""

    def runs(self, count: int) -> str:
        """A number of executing runs, as text."""
        return self.tr("%n run(s) not finished", "", count)

    def cancelled(self, count: int) -> str:
        """The button that cancels so many runs."""
        return self.tr("Cancel %n run(s)", "", count)

    def staged(self, count: int) -> str:
        """A number of staged changes that are not committed, as text."""
        return self.tr("%n change(s) not committed", "", count)

    def plans(self, count: int) -> str:
        """A number of unsaved plans, as text."""
        return self.tr("%n plan(s) with unsaved changes", "", count)


def _listed(lines: Sequence[str]) -> str:
    left = len(lines) - _NAMED
    return "\n".join([*lines[:_NAMED], *([f"… {left}"] if left > 0 else [])])


def _named(tasks: Sequence[str]) -> str:
    return ", ".join([*tasks[:_NAMED], *(["…"] if len(tasks) > _NAMED else [])])


class ClosingDialog(Dialog):
    """Asks what to do about executing runs, and shows the effect of each answer on them.

    The answer is `leave` once none is left, `keep` once nothing runs and the rest is to be resumed another time,
    `background` once another program has them, or none: stay. Waiting, pausing, handing over and cancelling keep the
    dialog open and show what is awaited; the user may still decide otherwise.

    Args:
        appearance: the colours.
        awaited: the runs, at least one.
        parent: the window that is to be closed.
        goes_on: whether they can go on in the background.
        interrupted: the tasks that have to end before that, as they would be interrupted.
        agents: the names of agents that would end with it.

    Signals:
        cancel_asked(): the runs are to be cancelled; sent once.
        pause_asked(): the runs are to start nothing more.
        background_asked(): the runs are to be handed over.
    """

    cancel_asked = Signal()
    pause_asked = Signal()
    background_asked = Signal()

    def __init__(
        self,
        appearance: Appearance,
        awaited: Sequence[UnfinishedRun],
        parent: QWidget | None = None,
        *,
        goes_on: bool = False,
        interrupted: Sequence[str] = (),
        agents: Sequence[str] = (),
    ) -> None:
        self._list = text()
        self._goes_on, self._agents, self._interrupted, self._trouble = goes_on, tuple(agents), _named(interrupted), ""
        super().__init__(appearance, self.tr("Close Starloom?"), "", width=WIDTH, parent=parent)
        self.choices = Choices(self, "", (), self._list, self._chosen)
        self._count, self._is_kept = len(awaited), any(one.is_kept for one in awaited)
        self._has_staged = any(one.staged for one in awaited)
        self.stage = ClosingStage.ASKING
        self._show()
        self.take(awaited)

    def take(self, awaited: Sequence[UnfinishedRun]) -> None:
        """Show the runs that have not ended; the dialog closes when none is left that the user waits for."""
        self._list.setText(_listed([self._words(one) for one in awaited]))
        if awaited and len(awaited) != self._count:
            self._count = len(awaited)
            self._show()
        self.choices.fit()
        if self.stage in (ClosingStage.ASKING, ClosingStage.ENDED):
            self._show_ended(ended=not awaited)
        elif not awaited:
            self.choices.answer(LEAVE)
        elif self.stage is ClosingStage.PAUSING and not any(one.running for one in awaited):
            self.choices.answer(KEEP)

    def show_interrupted(self, tasks: Sequence[str]) -> None:
        """Show which tasks have to end before the runs are handed over, as they would be interrupted."""
        self._interrupted = _named(tasks)
        self._show()
        self.choices.fit()

    def show_trouble(self, why: str) -> None:
        """Show why the runs cannot be handed over; the user decides anew."""
        self.stage, self._goes_on, self._trouble = ClosingStage.ASKING, False, why
        self._show()
        self.choices.fit()

    def show_refused(self, why: str) -> None:
        """Show why the runs cannot be cancelled, if that was asked for; the user decides anew."""
        if self.stage is ClosingStage.STOPPING:
            self.stage, self._trouble = ClosingStage.ASKING, why
            self._show()
            self.choices.fit()

    def _show_ended(self, *, ended: bool) -> None:
        """Show which runs have ended while the dialog was open, without closing it."""
        stage = ClosingStage.ENDED if ended else ClosingStage.ASKING
        if stage is not self.stage:
            self.stage = stage
            self._show()

    def _words(self, one: UnfinishedRun) -> str:
        rest = one.to_go - one.running  # who reads "2 running, 6 to go" adds them up
        if not one.to_go:
            is_person = one.waits_for_person
            said = self.tr("%1: no task to go, waits for you")
            said = said if is_person else self.tr("%1: no task to go, waits for agents")
        elif not one.is_started:
            said = self.tr("%1: not started, %3 to go")
        elif one.is_paused:
            said = self.tr("%1: paused, %2 running, %3 to go") if one.running else self.tr("%1: paused, %3 to go")
        else:
            said = self.tr("%1: %2 running, %3 to go") if one.running else self.tr("%1: %3 to go")
        words = fill(said, one.title, amount(one.running), amount(rest))
        return f"{words}, {UnfinishedPlurals().staged(one.staged)}" if one.staged else words

    def _chosen(self, key: str) -> None:
        if key == WAIT:
            self.stage = ClosingStage.WAITING
            self._show()
        elif key == KEEP:
            self.stage = ClosingStage.PAUSING
            self._show()
            self.pause_asked.emit()
        elif key == BACKGROUND:
            self.stage = ClosingStage.HANDING_OVER
            self._show()
            self.background_asked.emit()
        elif key == CANCEL:
            self.stage = ClosingStage.STOPPING
            self._show()
            self.cancel_asked.emit()
        else:
            self.choices.answer(key)

    def _show(self) -> None:
        runs = UnfinishedPlurals().runs(self._count)
        sentence = {
            ClosingStage.ASKING: f"{self._trouble} {fill(self.tr('%1.'), runs)}\n{self._ways()}".lstrip(),
            ClosingStage.HANDING_OVER: self._handing_over(),
            ClosingStage.WAITING: self.tr("Starloom closes as soon as everything has ended. Staying changes nothing."),
            ClosingStage.PAUSING: self.tr(
                "Nothing more is started. Starloom closes when what runs has ended; the rest can be resumed at the next"
                " start. Staying leaves the runs paused."
            ),
            ClosingStage.ENDED: self.tr("Everything has ended meanwhile."),
            ClosingStage.STOPPING: self.tr("The tasks are being stopped; Starloom closes when the last one has ended."),
        }[self.stage]
        self.choices.say(sentence)
        cancel = Choice(CANCEL, UnfinishedPlurals().cancelled(self._count), is_apart=True)
        keep = [Choice(KEEP, self.tr("Pause and close"))] if self._is_kept else []
        wait = Choice(WAIT, self.tr("Wait and close"))
        if self._goes_on:  # which waits for nothing, and comes to the same
            wait = Choice(BACKGROUND, self.tr("Go on in the background"))
        stay = Choice("", self.tr("Stay"), is_default=True)
        choices = {
            ClosingStage.ASKING: [cancel, *keep, wait, stay],
            ClosingStage.STOPPING: [stay],
            ClosingStage.ENDED: [Choice(LEAVE, self.tr("Close")), stay],
        }
        self.choices.show_choices(choices.get(self.stage, [cancel, stay]))

    def _ways(self) -> str:
        """The effect of each choice on the runs."""
        cancelled = self.tr("Cancelled, what runs is stopped, and nothing of it can be resumed.")
        if not self._is_kept:
            never = self.tr("Nothing is kept of these runs, so they cannot be resumed later.")
            return f"{cancelled} {never}"
        cancelled = self.tr("Cancelled, what runs is stopped, and nothing more of it starts before you reopen it.")
        paused = self.tr("Paused, what runs now ends first, and the rest can be resumed at the next start.")
        background = ""
        if self._goes_on:
            background = self.tr("In the background, everything goes on, and is here when Starloom is opened again.")
        if self._goes_on and self._interrupted:
            first = self.tr("What that would interrupt ends first, and nothing more is started until then: %1.")
            background = f"{background} {fill(first, self._interrupted)}"
        if self._goes_on and self._agents:
            ended = self.tr("Agents end with this window, and are not asked any more: %1.")
            background = f"{background} {fill(ended, ', '.join(self._agents))}"
        staged = self.tr("What is staged stays staged.") if self._has_staged else ""
        return "\n".join(part for part in (cancelled, paused, background, staged) if part)

    def _handing_over(self) -> str:
        if not self._interrupted:
            return self.tr("The runs are being handed over, and the window closes then.")
        told = self.tr(
            "These would be interrupted, and end first: %1. Nothing more is started until then; the rest goes on in"
            " the background. Staying goes on as before."
        )
        return fill(told, self._interrupted)


class CancelDialog(Dialog):
    """Asks whether a run is to be cancelled; the answer is `cancel`, or none: it goes on. It closes if the run ends.

    Args:
        appearance: the colours.
        awaited: the run.
        parent: a widget of the window.
    """

    def __init__(self, appearance: Appearance, awaited: UnfinishedRun, parent: QWidget | None = None) -> None:
        choices = [
            Choice(CANCEL, self.tr("Cancel run"), is_apart=True),
            Choice("", self.tr("Keep it"), is_default=True),
        ]
        title = fill(self.tr("Cancel “%1”?"), awaited.title)
        super().__init__(appearance, title, "", width=WIDTH, parent=parent)
        self.choices = Choices(self, "", choices)
        self.take(awaited)

    def take(self, awaited: UnfinishedRun | None) -> None:
        """Show what would be cancelled at present; None: nothing is left to be cancelled."""
        if awaited is None:
            self.choices.answer("")
            return
        parts = (self.tr("%1 running"), awaited.running), (self.tr("%1 not started"), awaited.to_go - awaited.running)
        counts = ", ".join(fill(words, amount(count)) for words, count in parts if count)
        if not awaited.to_go:
            counts = self.tr("Its tasks have ended; what agents propose for it is dropped")
        after = self.tr(
            "What runs is stopped, and the rest is not started. This cannot be undone; tasks can be retried."
        )
        sentence = f"{counts}. {after}"
        if sentence != self.choices.sentence.text():
            self.choices.sentence.setText(sentence)
            self.setAccessibleDescription(sentence)
            self.choices.fit()


class UnsavedDialog(Dialog):
    """Asks what to do about unsaved plans; the answer is `save`, `discard`, or none: stay.

    Args:
        appearance: the colours.
        titles: of the plans, at least one.
        parent: a widget of the window.
    """

    def __init__(self, appearance: Appearance, titles: Sequence[str], parent: QWidget | None = None) -> None:
        one = len(titles) == 1
        title = fill(self.tr("Save “%1”?"), titles[0]) if one else self.tr("Save the plans?")
        sentence = self.tr("Its changes are in no file yet and would be lost.")
        if not one:
            sentence = fill(self.tr("%1; what is in no file would be lost."), UnfinishedPlurals().plans(len(titles)))
        choices = [
            Choice(DISCARD, self.tr("Discard changes"), is_apart=True),
            Choice("", self.tr("Stay")),
            Choice(SAVE, self.tr("Save") if one else self.tr("Save all"), is_default=True),
        ]
        body = None if one else text(_listed(titles))
        super().__init__(appearance, title, "", width=WIDTH, parent=parent)
        self.choices = Choices(self, sentence, choices, body)


class UnsetDialog(Dialog):
    """Asks whether what is typed and neither set nor added may be lost; the answer is `discard`, or none: go back.

    Args:
        appearance: the colours.
        typed: the tasks and fields it is typed in, a line each; at least one.
        parent: a widget of the window.

    Attributes:
        typed: the list of them.
    """

    def __init__(self, appearance: Appearance, typed: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(appearance, self.tr("Discard what you typed?"), "", width=WIDTH, parent=parent)
        choices = [
            Choice(DISCARD, self.tr("Discard"), is_apart=True),
            Choice("", self.tr("Go back"), is_default=True),
        ]
        sentence = self.tr("It is not set or added yet, and would be lost.")
        self.typed = text(_listed(typed))
        self.choices = Choices(self, sentence, choices, self.typed)
