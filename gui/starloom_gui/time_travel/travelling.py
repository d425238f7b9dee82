"""The actions of time travel on the document in front, and the time bar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from starloom_gui.specs.action_spec import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from starloom_gui.time_travel.time_bar import TimeBar
    from starloom_gui.time_travel.travel import Travel
    from starloom_gui.widgets.actions import Actions

VERBS: Final = ("to_begin", "step_back", "play_past", "step_forth", "to_end", "present")


class Travelling(QObject):
    """Connects the actions and the time bar to the run in front.

    Args:
        actions: those of the window.
        bar: shown while it is wanted and a run is in front.
        held: gives what holds the graph in front where it is on the screen while the bar is shown or hidden.
        went_live: called once the present is shown again.
    """

    def __init__(
        self,
        actions: Actions,
        bar: TimeBar,
        held: Callable[[], AbstractContextManager[None]],
        went_live: Callable[[], object],
    ) -> None:
        super().__init__(bar)
        self._actions, self._bar, self._held, self._went_live = actions, bar, held, went_live
        self._front: Travel | None = None
        self._is_wanted = False
        """Whether the user wants the bar for runs that have a present, and that it is shown of."""
        self._acts: dict[str, Callable[[Travel], None]] = {
            "to_begin": lambda travel: travel.go_to_begin(),
            "step_back": lambda travel: travel.step(-1),
            "play_past": lambda travel: travel.playback.toggle(),
            "step_forth": lambda travel: travel.step(1),
            "to_end": lambda travel: travel.go_to_end(),
            "present": lambda travel: travel.go_live(),
            "reopen": _reopen,
        }
        actions.wanted.connect(self._do)
        actions.refreshed.connect(self.allow)
        bar.scrubber.asked.connect(self._go_to)
        bar.scrubber.stepped.connect(self._step)
        bar.scrubber.toggled.connect(self._toggle)
        self.show_travel(None)

    def show_travel(self, travel: Travel | None) -> None:
        """Follow another run, which is in front now; None: there is none."""
        if travel is not self._front and self._front is not None:
            self._front.rest()
            self._front.changed.disconnect(self.allow)
            self._front.reader.moved.disconnect(self._move)
        if travel is not None and travel is not self._front:
            travel.changed.connect(self.allow)
            travel.reader.moved.connect(self._move)
        if travel is not self._front:
            # of what is shown from its journal there is nothing else to be done with it; that is no wish for the others
            is_past = travel is not None and travel.reader.is_past
            self._actions["time_travel"].setChecked(is_past or self._is_wanted)
        self._front = travel
        self._bar.show_travel(travel)
        self._show()

    def _show(self) -> None:
        is_wanted = self._actions["time_travel"].isChecked() and self._front is not None
        self._bar.setVisible(is_wanted)
        if self._front is not None:
            if is_wanted:
                self._front.open()
            else:
                self._front.rest()
                self._front.go_live()
        self.allow()

    def _move(self) -> None:
        if self._front is not None and not self._front.reader.is_past:
            self._went_live()

    def allow(self) -> None:
        """Update which actions are possible."""
        travel = self._front
        none = Verdict(False, self.tr("No run is in front."))
        self._actions.allow("time_travel", Verdict(True) if travel is not None else none)
        if travel is None:
            verdict = none
        elif self._bar.isHidden():
            verdict = Verdict(False, self.tr("Time travel is off."), self.tr("Turn it on first (Ctrl+T)."))
        else:
            verdict = travel.verdict()
        for key in VERBS:
            self._actions.allow(key, verdict)
        self._actions.allow("reopen", none if travel is None else self._can_reopen(travel))
        if verdict.ok and travel is not None:
            self._narrow(travel)

    def _can_reopen(self, travel: Travel) -> Verdict:
        if travel.reopening is not None:
            return travel.reopening.verdict
        return Verdict(False, self.tr("This run is open already: its tasks can be retried, rerun and changed."))

    def _narrow(self, travel: Travel) -> None:
        """Disable the actions that would lead nowhere."""
        first = travel.recording.first if travel.recording is not None else 0
        begin = Verdict(False, self.tr("This is the beginning."))
        end = Verdict(False, self.tr("This is the end."))
        live = Verdict(False, self.tr("The present is shown."))
        if travel.reader.is_past and travel.position <= first:
            self._actions.allow("to_begin", begin)
            self._actions.allow("step_back", begin)
        if travel.position >= travel.count:
            self._actions.allow("step_forth", end)
        if not travel.reader.has_present:
            self._actions.allow("present", Verdict(False, self.tr("This run is shown from its journal.")))
            if travel.at >= travel.end:
                self._actions.allow("to_end", end)
        elif not travel.reader.is_past:
            self._actions.allow("present", live)
            self._actions.allow("to_end", live)

    def visit(self, at: float) -> None:
        """Show the run in front as it was at a time, in seconds on its clock; the bar appears, too."""
        if self._front is None:
            return
        if self._bar.isHidden():
            self._actions["time_travel"].setChecked(True)
            self._do("time_travel")
        self._front.visit(at)

    # ---- what is asked for

    def _do(self, key: str) -> None:
        if key == "time_travel":
            if self._front is not None and self._front.reader.has_present:
                self._is_wanted = self._actions["time_travel"].isChecked()
            with self._held():
                self._show()
                self._bar.take_room()
        elif key in self._acts and self._front is not None:
            self._acts[key](self._front)

    def _go_to(self, at: float) -> None:
        if self._front is not None:
            self._front.go_to(at)

    def _step(self, events: int) -> None:
        if self._front is not None:
            self._front.step(events)

    def _toggle(self) -> None:
        if self._front is not None:
            self._front.playback.toggle()


def _reopen(travel: Travel) -> None:
    if travel.reopening is not None:
        travel.reopening.do()
