"""Keeping a timeline up with a run, with the other runs of its fleet, and with what is foreseen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom_gui.event_words import event_text
from starloom_gui.timeline.flags import Flag, flag_of, planted
from starloom_gui.timeline.model import TimelineModel

if TYPE_CHECKING:
    from starloom_gui.bridge.changes import Changes
    from starloom_gui.editing.effect import Effect
    from starloom_gui.models.roles import Facts
    from starloom_gui.sheets.foreseer import Outlook
    from starloom_gui.sheets.source import Surroundings
    from starloom_gui.timeline.view import TimelineView


class Lanes:
    """Has a timeline show what has become of the runs it shows.

    Args:
        view: the timeline.
        facts: gives the facts of its run.
        around: where the other runs, and interventions, are read from.
    """

    def __init__(self, view: TimelineView, facts: Facts, around: Surroundings) -> None:
        self._view, self._facts, self._around = view, facts, around
        self._seen = 0
        self._flags: list[Flag] = []

    def take(self, changes: Changes) -> None:
        """Show what has changed; to be connected to a feed of everything."""
        run = self._facts()
        if run is None:
            return
        others, model = self._around.others(run.run_id), self._view.model
        if run is not model.run:  # the engine has gone back to its last commit
            self._view.show_model(TimelineModel(run, others))
        elif changes.everything or [id(one) for one in others] != [id(one) for one in model.runs[1:]]:
            model.set_others(others)
            self._view.changed()
        elif changes.run_id in {one.run_id for one in model.runs}:
            self._view.refresh(changes.tasks, changes.run_id)
        else:
            self._view.refresh()
        if changes.log or changes.everything:
            self._plant()

    def show_outlook(self, outlook: Outlook) -> None:
        """Show what is foreseen."""
        self._view.model.project(outlook.projection, outlook.bars)
        self._view.changed()

    def show_effect(self, effect: Effect | None) -> None:
        """Show what the staged edits would change; None: nothing is staged, or nobody knows."""
        model = self._view.model
        if effect is None:
            model.stage(None)
        else:
            model.stage(effect.what_if.after, effect.bars, effect.facts)
        self._view.changed()

    def _plant(self) -> None:
        """A flag for everything that somebody did to the run, or to the fleet while it ran."""
        run = self._facts()
        if run is None:
            return
        before = len(self._flags)
        for number, event in self._around.log.since(self._seen):
            self._seen = number + 1
            if event.run_id == run.run_id and (flag := flag_of(event, event_text(event))) is not None:
                planted(self._flags, flag)
        if len(self._flags) != before:
            self._view.set_flags(self._flags)
