"""The banner over the canvas' top that says the past is shown, and which moment of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typing_extensions import override

from starloom.events import RunRecovered
from starloom.model.status import TaskStatus
from starloom.scheduling.read.simulated import simulations
from starloom_gui.text import wall_clock
from starloom_gui.text.words import end_words, fill, lowered
from starloom_gui.widgets.banner import Banner

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.time_travel.travel import Travel


class PastBanner(Banner):
    """The banner over a view of the past; its button goes back to the present, or reopens a run that has none.

    Args:
        over: the widget over whose top it lies.
        travel: of the run.
        appearance: the colours.
    """

    def __init__(self, over: QWidget, travel: Travel, appearance: Appearance) -> None:
        super().__init__(over, appearance)
        self._travel = travel
        self.back.clicked.connect(self._go_back)
        for signal in (travel.reader.moved, travel.reader.passed):
            signal.connect(self.refresh)
        self.refresh()

    @override
    def refresh(self, *_: object) -> None:
        """Update the whole banner."""
        reader = self._travel.reader
        if not reader.is_past:
            self.hide()
            return
        if self._can_reopen():
            back = self.tr("Reopen")
            tip = self.tr("Have its tasks retried, rerun and changed again; nothing starts by itself (Shift+F8)")
        else:
            back, tip = self.tr("Back to live"), self.tr("Show the run as it is now (Alt+End)")
        self.say(self._moment(), self._reason(), back, tip)
        self.back.setVisible(reader.has_present or self._can_reopen())

    def _can_reopen(self) -> bool:
        reopening = self._travel.reopening
        return reopening is not None and reopening.verdict.ok

    def _go_back(self) -> None:
        if self._travel.reopening is not None:
            self._travel.reopening.do()
        else:
            self._travel.go_live()

    def _moment(self) -> str:
        reader = self._travel.reader
        at = wall_clock.shown(reader.wall(reader.now()))
        words = self.tr("The past: %1") if reader.has_present else self.tr("From its journal: %1")
        return fill(words, wall_clock.marked(f"{at:%Y-%m-%d %H:%M:%S}"))

    def _reason(self) -> str:
        last, of_changes = last_told(self._travel), self._of_changes()
        if last is None:
            return of_changes
        told = self.tr("Its program told nothing after %1, and this is how it stood then.")
        at = wall_clock.shown(self._travel.reader.wall(last))
        return f"{fill(told, wall_clock.marked(f'{at:%H:%M:%S}'))} {of_changes}"

    def _of_changes(self) -> str:
        reader = self._travel.reader
        if reader.has_present and reader.present_time() is not None:
            return self.tr("Nothing can be changed from here. The run goes on meanwhile.")
        if reader.has_present:
            return self.tr("Nothing can be changed from here. The run has ended.")
        run = reader.view()
        if run is not None and run.state.has_ended:
            said = self.tr("The run has ended: %1.")
            if not self._can_reopen():
                said = self.tr("Nothing can be changed any more. The run has ended: %1.")
            counts = run.count(TaskStatus.FAILED), run.count(TaskStatus.CANCELLED)
            is_any_done = run.count(TaskStatus.COMPLETED) > 0
            words = end_words(run.state, *counts, is_any_done=is_any_done, simulated=simulations(run.facts))
            return fill(said, lowered(words))
        return self.tr("Nothing can be changed from here.")


def last_told(travel: Travel) -> float | None:
    """When the last event was, if another program took the run up after it; None: more was told at the moment."""
    read, position = travel.recording, travel.position
    if read is None or not 0 < position < len(read) or not isinstance(read.events[position], RunRecovered):
        return None
    return read.time(position) if travel.at > read.time(position) else None
