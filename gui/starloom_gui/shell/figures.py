"""What a run's header shows, as values: read from the facts and a projection, never kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from starloom.scheduling.codes import REMOVED
from starloom_gui.wall_clock import marked
from starloom_gui.words import clock, fill, remaining, run_word, tasks, time_of_day, translate

if TYPE_CHECKING:
    from starloom.foresight.projection import Projection
    from starloom.model.status import RunState
    from starloom.scheduling.run_facts import RunFacts

_UNKNOWN, _LOWER_BOUND = "unknown", "lower_bound"
"""Values of `foresight.projection.Certainty`, which takes numpy to load: the window is shown before that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """A run in figures.

    Attributes:
        state: of the run.
        counts: how many tasks have each code of `scheduling.codes`.
        elapsed: seconds since it started; None: it has not.
        finish: when it ends or has ended, in seconds since 1970; None: nobody knows.
        spread: seconds by which it may well take longer.
        is_least: whether `finish` is only the earliest that is possible.
        until: what it goes on until, in words; empty: for everything.
    """

    state: RunState
    counts: tuple[int, ...]
    elapsed: float | None = None
    finish: float | None = None
    spread: float = 0.0
    is_least: bool = False
    until: str = ""


def figures_of(run: RunFacts, now: float, wall: float, projection: Projection | None = None) -> Figures:
    """The figures of a run.

    Args:
        run: its facts.
        now: on the engine's clock, in seconds.
        wall: the same moment in seconds since 1970.
        projection: what is foreseen for it; None: nothing is.
    """
    counts = tuple(run.status.count(code) for code in range(REMOVED))
    begun, ended = run.run_started_at, run.run_ended_at
    elapsed = None if begun is None else (now if ended is None else ended) - begun
    end, spread, is_least = ended, 0.0, False
    if ended is None and projection is not None and projection.certainty != _UNKNOWN:
        end = projection.p50 if projection.p50 is not None else projection.end
        is_least = projection.certainty == _LOWER_BOUND
        if projection.p90 is not None and end is not None:
            spread = max(0.0, projection.p90 - end)
    finish = None if end is None else wall + end - now
    until = "" if run.state.has_ended else goal_of(run)
    return Figures(
        state=run.state,
        counts=counts,
        elapsed=elapsed,
        finish=finish,
        spread=spread,
        is_least=is_least,
        until=until,
    )


def state_words(figures: Figures) -> str:
    """The state, and what the run goes on until: `Executing until flash`."""
    word = run_word(figures.state)
    return fill(translate("Header", "%1 until %2"), word, figures.until) if figures.until else word


def goal_of(run: RunFacts) -> str:
    """What a run goes on until: one task by its title, several as a count; empty: it goes on for everything."""
    if run.until is None:
        return ""
    titles = [task.title for number in run.until if (task := run.graph.tasks[number]) is not None]
    return titles[0] if len(titles) == 1 else tasks(len(titles))


def elapsed_words(figures: Figures) -> tuple[str, str]:
    """Label and value of the time that has passed."""
    if figures.elapsed is None:
        return translate("Header", "Not started"), ""
    return translate("Header", "Elapsed"), clock(figures.elapsed)


def finish_words(figures: Figures) -> tuple[str, str, str]:
    """Label, value and uncertainty of the end."""
    if figures.state.has_ended:
        return translate("Header", "Ended"), _hour(figures.finish), ""
    if figures.finish is None:
        return translate("Header", "Finish"), "", translate("Header", "no estimate")
    if figures.is_least:
        return translate("Header", "Not before"), _hour(figures.finish), ""
    return translate("Header", "Finish"), _hour(figures.finish), _spread(figures.spread)


def _hour(wall: float | None) -> str:
    return "" if wall is None else marked(time_of_day(wall)[:5])


def _spread(seconds: float) -> str:
    if seconds < 1:
        return ""
    if seconds < 60:
        return fill(translate("Header", "± %1"), remaining(seconds))
    return fill(translate("Header", "± %1 min"), round(seconds / 60))
