"""The scheduler's settings and figures as lines of text, read from the facts each time."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from starloom.model.status import Placement
from starloom.scheduling.state.queue_keys import aging_rate
from starloom_gui.text.limit_words import placement_word
from starloom_gui.text.words import amount, clock, figure, fill, tasks, translate

if TYPE_CHECKING:
    from starloom.constellation.metrics import GraphStatistics
    from starloom.scheduling.read.run_view import RunView
    from starloom.scheduling.state.fleet_facts import FleetFacts


class FigureGroup(StrEnum):
    """The groups of the scheduler's figures."""

    RUN = "run"
    AGENTS = "agents"


class SchedulerFigure(NamedTuple):
    """One figure of the scheduler: its group, subject, value and explanation."""

    group: FigureGroup
    label: str
    value: str
    meaning: str


def placement_meaning(placement: str) -> str:
    """The description of a placement, as a sentence."""
    return {
        Placement.ROUND_ROBIN: translate("Scheduler", "Devices take turns, however loaded they are."),
        Placement.CAPABILITY_MATCH: translate("Scheduler", "The device that can do the least besides goes first."),
        Placement.LOAD_BALANCE: translate("Scheduler", "The device with the most free slots for its size goes first."),
        Placement.CRITICAL_PATH: translate(
            "Scheduler", "Longest paths go first, and a task may wait for a faster device where it ends sooner."
        ),
    }[Placement(placement)]


def own_placement(run: RunView | None) -> str:
    """The sentence that the run has a placement of its own; empty: it has none."""
    if run is None or run.placement is None:
        return ""
    return fill(translate("Scheduler", "This run has its own: %1"), placement_word(run.placement))


def aging_words(starvation_timeout: float) -> str:
    """The rate at which waiting tasks gain priority, as text."""
    if starvation_timeout <= 0:
        return translate("Scheduler", "Waiting tasks do not age.")
    exact = figure(f"{starvation_timeout:g}")
    rate = figure(f"{aging_rate(starvation_timeout):.3g}")
    return fill(translate("Scheduler", "Priority grows by %2 a second, in %1 s to 60"), exact, rate)


def queue_words(fleet: FleetFacts, queued: int) -> str:
    """The number of ready tasks in the queue, and what happens when there are too many, as text."""
    if not fleet.max_queue:
        return fill(translate("Scheduler", "%1 ready now; new runs are never refused"), amount(queued))
    return fill(
        translate("Scheduler", "%1 ready now; from %2 on new runs are refused"), amount(queued), amount(fleet.max_queue)
    )


def overdue_words(factor: float) -> str:
    """From when on a running task is overdue, in a sentence."""
    if factor <= 0:
        return translate("Scheduler", "No task is said to be overdue.")
    return fill(
        translate("Scheduler", "Overdue beyond %1 times the estimate, unless the plan gives another factor"),
        figure(f"{factor:g}"),
    )


def patience_words(timeout: float, run: RunView | None) -> str:
    """For how long agents are waited for, in a sentence; and that the run that is shown has a time of its own.

    Args:
        timeout: seconds, of runs that have no agents yet.
        run: the one that is shown; None: there is none.
    """
    told = fill(translate("Scheduler", "In runs to come, agents are waited for up to %1 s."), figure(f"{timeout:g}"))
    if run is None or run.cycles is None or run.cycles.modification_timeout == timeout:
        return told
    own = fill(translate("Scheduler", "This run waits %1 s."), figure(f"{run.cycles.modification_timeout:g}"))
    return f"{told} {own}"


def figures(run: RunView | None, graph: GraphStatistics | None) -> list[SchedulerFigure]:
    """The figures of the run that is shown, and of its agents.

    Args:
        run: the one; None: there is none.
        graph: the figures of its graph; None: they are not known yet.
    """
    if run is None:
        return []
    promoted = SchedulerFigure(
        FigureGroup.RUN,
        translate("Scheduler", "Promoted by age"),
        amount(len(run.facts.promoted)),
        translate("Scheduler", "Tasks that started by their age while one of higher priority was ready"),
    )
    found = [promoted] + (_of_graph(graph) if graph is not None else [])
    return found + (_of_agents(run) if run.cycles is not None else [])


def _of_graph(graph: GraphStatistics) -> list[SchedulerFigure]:
    of = FigureGroup.RUN
    return [
        SchedulerFigure(
            of,
            translate("Scheduler", "Longest chain"),
            tasks(graph.longest_path_length),
            translate("Scheduler", "The most tasks that have to run one after the other"),
        ),
        SchedulerFigure(
            of,
            translate("Scheduler", "Width"),
            tasks(graph.max_width),
            translate("Scheduler", "The most tasks that stand equally far from the start, and could run at once"),
        ),
        SchedulerFigure(
            of,
            translate("Scheduler", "Longest chain by time"),
            clock(graph.longest_chain_length),
            translate("Scheduler", "As measured, else as estimated, if there were always a free slot"),
        ),
        SchedulerFigure(
            of,
            translate("Scheduler", "Parallelism"),
            fill(translate("Scheduler", "%1 times"), figure(f"{graph.parallelism_ratio:.1f}")),
            translate("Scheduler", "All work over the longest chain by time: more devices than that cannot help"),
        ),
    ]


def _of_agents(run: RunView) -> list[SchedulerFigure]:
    cycles = run.cycles
    assert cycles is not None
    of = FigureGroup.AGENTS
    return [
        SchedulerFigure(
            of,
            translate("Scheduler", "Handed to agents"),
            amount(cycles.handed),
            translate("Scheduler", "Ended tasks that agents were asked about"),
        ),
        SchedulerFigure(
            of,
            translate("Scheduler", "Answered"),
            amount(cycles.answered),
            translate("Scheduler", "Those they answered to, with edits or without"),
        ),
        SchedulerFigure(
            of,
            translate("Scheduler", "Timed out"),
            amount(cycles.timed_out),
            translate("Scheduler", "Those that were not waited for any longer"),
        ),
    ]


def group_title(group: FigureGroup) -> str:
    """The title of a group of figures."""
    return {
        FigureGroup.RUN: translate("Scheduler", "This run"),
        FigureGroup.AGENTS: translate("Scheduler", "Edit cycles of this run"),
    }[group]
