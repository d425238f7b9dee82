"""What a sheet is about, and what all sheets share: where facts come from, and whom verbs go to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from starloom_gui.time_travel.read_only_gateway import refusal_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from pathlib import Path

    from PySide6.QtCore import QPoint

    from starloom.agents.base import Agent
    from starloom.foresight.projection import Projection
    from starloom.scheduling.fleet_facts import FleetFacts
    from starloom.scheduling.line import InLine
    from starloom.scheduling.passing import Passing
    from starloom.scheduling.run_facts import RunFacts
    from starloom.scheduling.why import Reason
    from starloom_gui.editing.plan_editor import PlanEditor
    from starloom_gui.editing.run_editor import RunEditor
    from starloom_gui.editing.templates import TaskTemplate
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.gateway.event_log import Log
    from starloom_gui.gateway.feed import Feed
    from starloom_gui.gateway.output import OutputHub
    from starloom_gui.gateway.verbs import Verdict
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.time_travel.travel import Travel
    from starloom_gui.viewmodel.device_spot import DeviceSpot
    from starloom_gui.viewmodel.roles import Clock, Facts
    from starloom_gui.workspace.run_layout import RunLayout


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A run of an engine, or a plan that is not run.

    Attributes:
        key: its name among the tabs.
        run_id: what feeds know it by; empty: it is no run.
        facts: gives its facts.
        clock: gives seconds on the engine's clock.
        asks: what verbs and edits are sent by.
        editor: carries edits out, and takes them back.
        layout: keeps where nodes were placed; the editor itself for a plan.
        why: gives the reasons why a task of a run does not run.
        fenced: gives the ready tasks, or those among some, that do not start because agents, or people, are asked.
        passing: gives the ready queue as a task could move in it; None: it does not stand there.
        agent: gives an agent that was attached by its name.
        feed: makes a feed of these run ids, of everything if none is named; None: nothing ever changes by itself.
        foresee: makes a projection; None: nothing is foreseen.
        travel: goes through its past; None: it has none.
    """

    key: str
    run_id: str = ""
    facts: Facts
    clock: Clock
    asks: CommandGateway
    editor: RunEditor | PlanEditor
    layout: RunLayout | PlanEditor
    why: Callable[[str, str], tuple[Reason, ...]]
    fenced: Callable[..., frozenset[int]] = lambda _among=None: frozenset()
    passing: Callable[[int], Passing | None] = lambda _: None
    agent: Callable[[str], Agent | None] = lambda _: None
    feed: Callable[..., Feed] | None = None
    foresee: Callable[[], Awaitable[Projection]] | None = None
    travel: Travel | None = None

    @property
    def is_past(self) -> bool:
        """Whether what is shown is over, so that nothing can be done about it."""
        return self.barred is not None

    @property
    def barred(self) -> Verdict | None:
        """Why nothing can be done about what is shown; None: it is the present."""
        return refusal_of(self.travel.vantage) if self.travel is not None else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewContext:
    """What all sheets of a console have in common.

    Attributes:
        appearance: the colours.
        log: the event log.
        hub: what tasks print.
        fleet: gives the facts of the fleet.
        runs: gives the facts of all runs, oldest first.
        run: gives the facts of a run; None: there is no such run.
        line: gives the first so many of the ready queue, and how many stand in it.
        wall: gives seconds since 1970 of a moment on the engine's clock.
        kinds: gives what a new task can begin as.
        name_of: gives what a run is called on the screen, by its id and the name of its plan.
        device_at: gives the device whose card is at a place of the screen; None: there is no card.
        file_of: gives where the whole output of an attempt of a task of a run is; None: nowhere.
    """

    appearance: Appearance
    log: Log
    hub: OutputHub
    fleet: Callable[[], FleetFacts]
    runs: Callable[[], Sequence[RunFacts]]
    run: Callable[[str], RunFacts | None]
    line: Callable[[int], tuple[list[InLine], int]]
    wall: Callable[[float], float]
    kinds: Callable[[], Sequence[TaskTemplate]]
    file_of: Callable[[str, str, int], Path | None]
    name_of: Callable[[str, str], str] = lambda run_id, name: name or run_id
    device_at: Callable[[QPoint], DeviceSpot | None] = lambda _screen: None

    def others(self, run_id: str) -> list[RunFacts]:
        """The facts of all runs but this one; none for a plan, whose times count from its start."""
        if self.run(run_id) is None:
            return []
        return [run for run in self.runs() if run.run_id != run_id]
