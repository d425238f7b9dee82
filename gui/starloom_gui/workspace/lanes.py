"""Updating a timeline with its run, the other runs of the fleet, and the projection."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from starloom.events import FleetSnapshot, RunCreated
from starloom_gui.gateway.run_reader import others
from starloom_gui.viewmodel.absences import Absences
from starloom_gui.viewmodel.event_words import event_text
from starloom_gui.viewmodel.flags import Flag, flag_of, planted, taken_up_at

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

    from starloom.events import Event
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.editing.effect import Effect
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.gateway.run_reader import RunReader
    from starloom_gui.time_travel.event_marks import EventMarks
    from starloom_gui.time_travel.travel import Travel
    from starloom_gui.timeline.view import TimelineView
    from starloom_gui.workspace.looking_back import Outlook


class Lanes:
    """Updates a timeline after changes of the runs it shows.

    Args:
        view: the timeline.
        reader: reads its run, the other ones, and what was done to them.
        travel: knows the interventions up to a moment that is shown; None: no moment ever is.
        quiet: gives the running tasks that have printed nothing for long; see `TimelineModel.quiet`.
    """

    def __init__(
        self,
        view: TimelineView,
        reader: RunReader,
        travel: Travel | None = None,
        quiet: Callable[[], Mapping[int, float]] = dict,
    ) -> None:
        self._view, self._reader, self._travel, self._quiet = view, reader, travel, quiet
        self._flags: list[Flag] = []
        self._absences = Absences(event_text)
        self._source: Hashable = None
        """What flags and absences were made from, which goes on; of another one they are made anew."""
        self._seen = 0
        """The number of the next event of the log."""
        self._first: Event | None = None
        """The first event of the run that the log tells of."""
        self._sessions = 0
        """The number of programs that had run it when the journal was to be read."""
        self._ended_at: float | None = None
        self._is_told: bool | None = None
        """Whether it was told last that the run has ended; None: nothing was, though its buttons may say so."""
        self._moment: float | None = None
        self._note_present()
        if travel is not None:
            travel.changed.connect(self._on_travel)
        self._plant()

    def on_changes(self, changes: Changes) -> None:
        """Show what has changed; to be connected to a feed of everything."""
        run = self._reader.facts()
        if run is None:
            return
        model = self._view.model
        model.quiet = self._quiet()
        if run is not model.run:  # another moment is shown, or the engine has gone back to its last commit
            model.turn_to(run, others(self._reader, run.run_id))
            self._view.changed()
        elif changes.everything:  # as when there is another run
            model.set_others(others(self._reader, run.run_id))
            self._view.changed()
        elif any(one.run_id == changes.run_id for one in model.runs):
            self._view.refresh(changes.tasks, changes.run_id)
        else:
            self._view.refresh()
        if changes.log or changes.everything:
            self._plant()
        self._note_present()
        if self._is_now():
            self._note_end(run)
        self._show_moment(run)

    def _is_now(self) -> bool:
        return not self._reader.is_past

    def _note_present(self) -> None:
        self._view.movement.set_present(there=self._is_now() and self._view.is_live())

    def _show_moment(self, run: RunFacts) -> None:
        """Keep the moment that is looked back to in sight, once as it changes: the user may look elsewhere then."""
        before, self._moment = self._moment, None if self._is_now() else self._reader.now()
        view, begun = self._view, run.run_started_at
        if self._moment is None or self._moment == before or begun is None:
            return  # before its start nothing is to be seen
        if view.isVisible() and view.gesture is None:
            view.movement.keep_in_sight(view.present(), begun)

    def _note_end(self, run: RunFacts) -> None:
        """Show all of a followed run once as it ends; follow it again if it is reopened.

        Of one that went on and has ended again meanwhile, all of it is shown, too.
        """
        ended_at = run.run_ended_at if run.state.has_ended else None
        if self._is_told is not (ended_at is not None):
            self._is_told = ended_at is not None
            self._view.ended_changed.emit(self._is_told)
        if ended_at == self._ended_at:
            return
        self._ended_at = ended_at
        if self._view.movement.is_following:
            (self._view.fit if ended_at is not None else self._view.go_live)()

    def show_outlook(self, outlook: Outlook) -> None:
        """Show the projection, or what determined the end."""
        steps = outlook.made.steps if outlook.made is not None else ()
        self._view.model.decided = frozenset((step.number, step.attempt) for step in steps)
        self._view.model.project(outlook.projection, outlook.bars)
        self._view.changed()

    def show_effect(self, effect: Effect | None) -> None:
        """Show the effect of the staged edits; None: nothing is staged, or it is unknown."""
        model = self._view.model
        if effect is None:
            model.stage(None)
        else:
            model.stage(effect.what_if.after, effect.bars, effect.facts)
        self._view.changed()

    # ---- what was done and what failed, also before the log began, as before a window was attached

    def _plant(self) -> None:
        """Have a flag for each intervention in the run, or in the fleet while it ran, and all absences of devices."""
        run, travel = self._reader.facts(), self._travel
        if run is None:
            return
        if travel is not None and self._reader.is_past:
            self._source, self._absences = None, travel.marks.absences
            self._flags = [flag for flag in travel.marks.flags if flag.at <= self._reader.now()]
            self._show_marks()
        elif self._take_news(run):
            self._show_marks()
        self._read_earlier(run)

    def _on_travel(self) -> None:
        if not self._reader.is_past:  # a moment that is shown comes with changes
            self._plant()

    def _show_marks(self) -> None:
        self._view.set_flags(list(self._flags))
        self._view.set_absences(self._absences.of)

    def _take_news(self, run: RunFacts) -> bool:
        """Take what the log tells of since the last time; returns whether any flag or absence is another one."""
        log, marks = self._reader.log, self._earlier(run)
        source = log.serial, marks, len(run.sessions)
        is_otherwise, before = source != self._source, len(self._flags)
        if is_otherwise:
            self._source, self._seen, self._first = source, 0, None
            self._flags, self._absences = [], self._away_at_first(run)
            if marks is not None:
                self._flags, self._absences = list(marks.flags), marks.absences.copy()
        until = marks.until if marks is not None and is_otherwise else -math.inf

        def tell(event: Event) -> str:
            return event_text(event, run, log.limits_before(event))

        for number, event in log.since(self._seen):
            self._seen = number + 1
            if self._first is None and event.run_id == run.run_id:
                self._first = event
            if event.at <= until:
                continue
            if not event.run_id:
                is_otherwise |= self._absences.take(event, max(event.at, taken_up_at(run)))
            if _was_done_to(run, event) and (flag := flag_of(event, tell)) is not None:
                planted(self._flags, flag)
        return is_otherwise or len(self._flags) != before

    def _away_at_first(self, run: RunFacts) -> Absences:
        """The absences of devices that could not be used as the log began."""
        log, absences = self._reader.log, Absences(event_text)
        fleet = log.opening()
        if fleet is not None:
            absences.take(FleetSnapshot(0, max(log.began, taken_up_at(run)), run.run_id, fleet.snapshot()))
        return absences

    def _earlier(self, run: RunFacts) -> EventMarks | None:
        """What the journal tells, which the log does not; None: it tells all, or the journal was not read so far."""
        if self._travel is None or self._is_told_whole(run) or self._travel.marks.until < taken_up_at(run):
            return None
        return self._travel.marks

    def _is_told_whole(self, run: RunFacts) -> bool:
        """Whether the log has all that befell the run and its devices."""
        first = self._first
        return isinstance(first, RunCreated) and first.at >= self._reader.log.began and len(run.sessions) == 1

    def _read_earlier(self, run: RunFacts) -> None:
        """Have the journal read for what the log does not tell; once for each program that has run it."""
        sessions, self._sessions = self._sessions, len(run.sessions)
        if self._travel is None or self._sessions == sessions or self._is_told_whole(run) or self._reader.is_past:
            return
        if self._travel.recording is None:
            self._travel.open(follows=False)
        else:
            self._travel.read_up()


def _was_done_to(run: RunFacts, event: Event) -> bool:
    """Whether an event is the run's own, or the fleet's while the run went on."""
    if event.run_id:
        return event.run_id == run.run_id
    begun, ended = run.run_started_at, run.run_ended_at
    return begun is not None and max(begun, taken_up_at(run)) <= event.at and (ended is None or event.at <= ended)
