"""The figures of a run's header, read from the facts and a projection, never kept."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from starloom.model.status import RunState, TaskStatus
from starloom.scheduling.read.ready_times import paused_within
from starloom.scheduling.read.simulated import simulations
from starloom.scheduling.read.summary import elapsed
from starloom.scheduling.read.suspensions import again_in
from starloom.scheduling.state.device_facts import DeviceRequirements
from starloom_gui.text.engine_words import said
from starloom_gui.text.words import (
    clock,
    end_words,
    fill,
    hour,
    moment,
    remaining,
    tasks,
    took,
    translate,
    with_simulated,
)
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.fence_words import answer_words, awaited_agents
from starloom_gui.viewmodel.status_forms import form_counts, form_of_run

if TYPE_CHECKING:
    from starloom.foresight.projection import Projection
    from starloom.scheduling.read.run_view import RunView, TaskView

_UNKNOWN, _LOWER_BOUND, _EXPECTED = "unknown", "lower_bound", "expected"
"""Values of `foresight.projection.Certainty`, which takes numpy to load: the window is shown before that."""


_MINUTE: Final = 60.0
NOTHING_AHEAD: Final = 1.0
"""Seconds; an end that is so near, or a start, tells nothing where some of what is left counts as nothing."""
_STANDS_STILL: Final = frozenset({RunState.CREATED, RunState.READY, RunState.PAUSED})
"""States in which nobody knows when a run goes on: how long it will take is all that can be foreseen."""


class Halt(Enum):
    """The reasons why an executing run starts no task."""

    BREAKPOINT = "breakpoint"
    HELD = "held"
    DRAINED = "drained"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The figures of a run: state, counts, elapsed time and finish.

    Attributes:
        state: of the run.
        counts: how many tasks have each form, see `form_counts`.
        elapsed: seconds for which it has gone on; None: it has not started.
        counted: what the elapsed time counts, as a sentence.
        finish: when it ends or has ended, in seconds since 1970; None: nobody knows.
        spread: seconds by which it may well take longer.
        is_least: whether it may well be later than `finish`, nobody knows by how much.
        until: what it goes on until, in words; empty: for everything.
        wall: when this is so, in seconds since 1970.
        waits: how many things wait for a person.
        stalled: why nothing of it can start though it goes on; empty: it can, or something runs.
        simulated: how many of the tasks that are done have not run, as a simulated device took them.
        halt: what keeps it, if that is one of `Halt`.
        again: seconds until a suspended device is tried again that it waits for; None: it waits for none.
        is_past: whether a past moment is shown, for which nothing is projected.
        reserved: by whom it is reserved, until when and why; empty: it is not.
        awaited: the agents without whose answer nothing of it goes on.
    """

    state: RunState
    counts: tuple[int, ...]
    elapsed: float | None = None
    counted: str = ""
    finish: float | None = None
    spread: float = 0.0
    is_least: bool = False
    until: str = ""
    wall: float = 0.0
    waits: int = 0
    stalled: str = ""
    simulated: int = 0
    halt: Halt | None = None
    again: float | None = None
    is_past: bool = False
    reserved: str = ""
    awaited: tuple[str, ...] = ()


def is_certain(projection: Projection) -> bool:
    """Whether everything that is left counts in the end that is foreseen."""
    return projection.certainty == _EXPECTED


def figures_of(
    run: RunView,
    now: float,
    wall: float,
    projection: Projection | None = None,
    waits: int = 0,
    *,
    is_past: bool = False,
    reserved: str = "",
) -> Figures:
    """The figures of a run.

    Args:
        run: any.
        now: on the engine's clock, in seconds.
        wall: the same moment in seconds since 1970.
        projection: what is foreseen for it; None: nothing is.
        waits: how many things of it wait for a person.
        is_past: whether that is a past moment, for which nothing is projected.
        reserved: by whom it is reserved, until when and why; empty: it is not.
    """
    counts = form_counts(run)
    ended, awaited = run.ended_at, awaited_agents(run)
    end, spread, is_least = ended, 0.0, False
    if ended is None and not awaited and projection is not None and projection.certainty != _UNKNOWN:
        end = projection.end  # where the bars of the timeline end, too
        is_least = projection.certainty == _LOWER_BOUND or run.is_overdue  # nobody knows when that ends
        if projection.p90 is not None and end is not None:
            spread = max(0.0, projection.p90 - end)
        if end is not None and run.state in _STANDS_STILL:
            end += now - projection.at  # it takes as long from then on, whenever that is
        if is_least and end is not None and end - now < NOTHING_AHEAD:
            end = None
    finish = None if end is None else wall + end - now
    if ended is not None:  # maybe in another session, whose clock was another one
        finish = wall + run.wall(ended, is_end=True) - run.wall(now)
    until = "" if run.state.has_ended else goal_of(run)
    return Figures(
        state=run.state,
        counts=counts,
        elapsed=elapsed(run.facts, now),
        counted=_counted(run, now),
        finish=finish,
        spread=spread,
        is_least=is_least,
        until=until,
        wall=wall,
        waits=0 if run.state.has_ended else waits,
        stalled="; ".join(map(said, run.stalled)) if is_stalled(run) else "",
        halt=_halt_of(run) if is_stalled(run) else None,
        again=again_in(run.facts, now),
        simulated=simulations(run.facts),
        is_past=is_past,
        reserved=reserved,
        awaited=awaited,
    )


def _counted(run: RunView, now: float) -> str:
    """From when on the elapsed time counts, and what of the times of day since then it has and has not."""
    facts = run.facts
    started, until = facts.run_started_at, now if facts.run_ended_at is None else facts.run_ended_at
    if started is None:
        return ""
    said_of = [fill(translate("Header", "Since the start at %1"), moment(run.wall(started)))]
    pauses = paused_within(facts, started, until)
    if facts.state is RunState.PAUSED and facts.frozen_at is not None:
        pauses += max(0.0, until - facts.frozen_at)
    between = run.wall(until, is_end=True) - run.wall(started) - (until - started)
    for text, seconds in (
        (translate("Header", "with %1 of pauses"), pauses),
        (translate("Header", "without %1 between its end and its reopening"), facts.idle_s),
        (translate("Header", "without %1 in which nothing of it ran"), between),
    ):
        said_of += [fill(text, took(seconds))] if seconds >= 1 else []
    return ", ".join(said_of)


def stands_still(run: RunView) -> bool:
    """Whether an executing run cannot go on by itself now: for a person, an agent or a suspended device."""
    return is_stalled(run) or bool(awaited_agents(run)) or again_in(run.facts, 0.0) is not None


def stalled_words(run: RunView) -> str:
    """Why nothing of a run can start, as `At a breakpoint: …`; to be asked only of one that is stalled."""
    return fill(translate("Header", "%1: %2"), halt_word(_halt_of(run)), "; ".join(map(said, run.stalled)))


def is_stalled(run: RunView) -> bool:
    """Whether an executing run cannot continue by itself."""
    return run.state is RunState.EXECUTING and bool(run.stalled) and not run.count(TaskStatus.RUNNING)


def _halt_of(run: RunView) -> Halt | None:
    """The reason why the ready tasks do not start; None: there are several, or another one."""
    if len(run.stalled) > 1:
        return None
    ready = run.with_status(TaskStatus.PENDING)
    if any(task.is_stopped for task in ready):
        return Halt.BREAKPOINT
    if ready and all(task.is_held for task in ready):
        return Halt.HELD
    return Halt.DRAINED if any(map(_waits_for_drained, ready)) else None


def _waits_for_drained(task: TaskView) -> bool:
    """Whether of the devices that could take a task none does, and one of them only as it is drained."""
    if task.fields is None:
        return False
    wanted = DeviceRequirements.of(task.fields, task.pin)
    fitting = [device for device in task.run.fleet.devices.values() if wanted.fits(device)]
    is_any_drained = any(device.draining and device.enabled and device.connected for device in fitting)
    return is_any_drained and not any(device.accepts and device.slots != 0 for device in fitting)


def state_words(figures: Figures) -> str:
    """The state in words: `Executing until flash`, `Waits for you`, `Held: …`, `Done, 1 warning`."""
    counts = figures.counts
    word = end_words(
        figures.state,
        counts[StatusForm.FAILED] + counts[StatusForm.WARNED],
        counts[StatusForm.CANCELLED],
        is_any_done=counts[StatusForm.COMPLETED] > 0,
    )
    if figures.waits:
        return waiting_words(word, only=_only_waits(figures))
    if figures.awaited:
        return answer_words(figures.awaited)
    if figures.stalled:
        return fill(translate("Header", "%1: %2"), halt_word(figures.halt), figures.stalled)
    if figures.again is not None:
        return fill(translate("Header", "Devices suspended: again in %1"), remaining(figures.again))
    if not figures.until:
        return with_simulated(word, figures.simulated)
    stands = figures.state in _STANDS_STILL  # which it does not do until its goal
    text = translate("Header", "%1; will run until %2") if stands else translate("Header", "%1 until %2")
    return with_simulated(fill(text, word, figures.until), figures.simulated)


def waiting_words(word: str, *, only: bool) -> str:
    """The state of a run that waits for a person: `Waits for you` if nothing else goes on, `Paused, waits for you`."""
    return translate("Header", "Waits for you") if only else fill(translate("Header", "%1, waits for you"), word)


def _only_waits(figures: Figures) -> bool:
    """Whether a run would go on, if only a person answered."""
    return bool(figures.waits) and figures.state is RunState.EXECUTING and not figures.counts[StatusForm.RUNNING]


def halt_word(halt: Halt | None) -> str:
    """The reason why a run starts no task, in a word or two."""
    return {
        Halt.BREAKPOINT: translate("Header", "At a breakpoint"),
        Halt.HELD: translate("Header", "Waits for a release"),
        Halt.DRAINED: translate("Header", "Drained"),
        None: translate("Header", "Nothing can start"),
    }[halt]


def chip_of(figures: Figures) -> StatusForm:
    """The status whose form represents the state: not running if no task can start."""
    if figures.stalled or figures.awaited or figures.again is not None or _only_waits(figures):
        return StatusForm.PENDING
    form = form_of_run(figures.state, figures.counts[StatusForm.CANCELLED])
    assert form is not None, "each state has one"
    return form


def goal_of(run: RunView) -> str:
    """The goal of a run: one task by its title, several as a count; empty: it has none."""
    if run.until is None:
        return ""
    titles = [task.title for task in run.tasks(run.until) if task.status is not None]
    return titles[0] if len(titles) == 1 else tasks(len(titles))


def elapsed_words(figures: Figures) -> tuple[str, str]:
    """Label and value of the time that has passed; empty: the run has not started."""
    if figures.elapsed is None:
        return "", ""  # the state says so
    return translate("Header", "Elapsed"), clock(figures.elapsed)


def finish_words(figures: Figures, *, short: bool = False) -> tuple[str, str, str]:
    """Label, value and uncertainty of the end; empty: a past moment is shown, and the run had not ended.

    What is foreseen rests on what tasks took before, or on what somebody has declared, and is never told as a bound.

    Args:
        figures: of the run.
        short: have the label say that it is uncertain, in a word, and a plus that it may be later.
    """
    if figures.state.has_ended:
        return translate("Header", "Ended"), _hour(figures), ""
    if figures.finish is None and figures.is_past:
        return "", "", ""  # that there was no estimate then would be a claim about it
    if figures.finish is None:
        return translate("Header", "Finish"), "", translate("Header", "no estimate")
    stands_still = figures.state in _STANDS_STILL
    sure, about = _labels(figures.state)
    value = clock(figures.finish - figures.wall) if stands_still else _hour(figures)
    if figures.is_least:
        more = translate("Header", "or longer") if stands_still else translate("Header", "or later")
        return (about, f"{value}+", "") if short else (about, value, more)
    spread = _spread(figures.spread)
    return (about if short and spread else sure), value, "" if short else spread


def _labels(state: RunState) -> tuple[str, str]:
    """The label of an end that is foreseen, and of one that is told as uncertain."""
    if state is RunState.PAUSED:
        return translate("Header", "To go"), translate("Header", "To go about")
    if state in _STANDS_STILL:
        return translate("Header", "Takes"), translate("Header", "Takes about")
    return translate("Header", "Finish"), translate("Header", "Finish about")


def _hour(figures: Figures) -> str:
    if figures.finish is None:
        return ""
    is_fine = 1 <= figures.spread < _MINUTE and not figures.is_least  # "14:32 ± 8 s" would claim what it does not tell
    return hour(figures.finish, figures.wall, fine=is_fine)


def _spread(seconds: float) -> str:
    if seconds < 1:
        return ""
    if seconds < _MINUTE:
        return fill(translate("Header", "± %1"), remaining(seconds))
    return fill(translate("Header", "± %1 min"), round(seconds / _MINUTE))
