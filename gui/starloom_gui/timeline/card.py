"""The description of a bar: as a card under the pointer, and in one line for screen readers."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from starloom.foresight.estimates import EstimateSource
from starloom.model.status import RunState, TaskStatus
from starloom.scheduling.read.ready_times import paused_within
from starloom.scheduling.read.run_view import RunView, TaskView
from starloom_gui.diff.baseline_run import told
from starloom_gui.diff.run_difference import is_there, pair_of
from starloom_gui.diff.run_difference_words import alone_lines, lines_of
from starloom_gui.text.engine_words import error_sentence
from starloom_gui.text.words import clock, fill, plain, status_word, took, translate
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.timeline.baseline_bars import OWN
from starloom_gui.timeline.kinds import CANCELLED, DONE, FAILED, INTERRUPTED, RETRIED, RUNNING, SKIPPED, WARNED
from starloom_gui.viewmodel.figures import NOTHING_AHEAD
from starloom_gui.viewmodel.lane_bars import NEVER, BarKey
from starloom_gui.viewmodel.outage_words import outage_text, seconds_left
from starloom_gui.viewmodel.projected import CRITICAL
from starloom_gui.viewmodel.result_words import result_line
from starloom_gui.viewmodel.status_forms import form_word
from starloom_gui.viewmodel.task_words import overdue_words, quiet_words, silent_since

if TYPE_CHECKING:
    from starloom.scheduling.state.attempts import Attempt
    from starloom_gui.timeline.model import TimelineModel
    from starloom_gui.timeline.spots import Spot
    from starloom_gui.viewmodel.lane_bars import Bar


def card_of(model: TimelineModel, spot: Spot, now: float) -> list[str]:
    """The description of a bar as plain lines, the name first.

    Args:
        model: the bars.
        spot: which of them.
        now: seconds on the engine's clock.
    """
    lane = model.lanes[spot.row]
    where = lane.device_id
    if not lane.is_only:
        where = fill(translate("Timeline", "%1, slot %2"), lane.device_id, lane.slot + 1)
    name = model.name_of(spot.bar.key)
    if spot.bar.run:
        return [name, translate("Timeline", "Another run"), where, _times(model, spot.bar, now)]
    if spot.is_foreseen:
        return [name, *_coming(model, spot), where, *_compared(model, spot.bar.number, now)]
    return [
        name,
        _standing(model, spot.bar),
        where,
        _times(model, spot.bar, now),
        *_late(model, spot.bar, now),
        *(outage_of(model, spot.row, now) if spot.bar.kind == RUNNING else ()),
        *_spent(model, spot.bar, now),
        *_outcome(model, spot.bar),
        *([translate("Timeline", "On the critical path")] if model.decided_by(spot.bar) else []),
        *_compared(model, spot.bar.number, now),
    ]


def baseline_card(model: TimelineModel, ghost: Bar, now: float) -> list[str]:
    """The description of a baseline bar as plain lines, the name first."""
    earlier = model.earlier
    if earlier is None:
        return []
    if ghost.run == OWN:
        return [model.name_of(BarKey(0, ghost.number, 0)), *_compared(model, ghost.number, now)]
    name = earlier.run.graph.names.title(ghost.number)
    return [name, *alone_lines(told(earlier.run, ghost.number, earlier.at), earlier.title)]


def _compared(model: TimelineModel, number: int, now: float) -> list[str]:
    """The difference of a task from the baseline run, as text."""
    earlier, run = model.earlier, model.run
    if earlier is None or not is_there(run, number):
        return []
    return lines_of(pair_of(earlier, run, number, now, model.outlook), earlier.title)


def as_html(lines: list[str]) -> str:
    """The lines as HTML of a tooltip, escaped."""
    first, *rest = (escape(line) for line in lines)
    return "<br>".join([f"<b>{first}</b>", *rest])


def kind_word(kind: int) -> str:
    """The state of a bar's attempt in words."""
    statuses = {
        DONE: TaskStatus.COMPLETED,
        SKIPPED: TaskStatus.SKIPPED,
        CANCELLED: TaskStatus.CANCELLED,
        RUNNING: TaskStatus.RUNNING,
        RETRIED: TaskStatus.FAILED,
        FAILED: TaskStatus.FAILED,
    }
    if kind == WARNED:
        return form_word(StatusForm.WARNED)
    return translate("Timeline", "Interrupted") if kind == INTERRUPTED else status_word(statuses[kind])


def _standing(model: TimelineModel, bar: Bar) -> str:
    count, word = model.run.tries[bar.number], kind_word(bar.kind)
    if bar.kind == RUNNING and bar.number in model.run.awaiting:
        word = fill(translate("Timeline", "%1, waits for you"), word)
    elif bar.kind == RUNNING and bar.number in model.run.overdue:
        word = fill(translate("Timeline", "%1, overdue"), word)
    if count <= 1:
        return word
    return fill(translate("Timeline", "%1, attempt %2 of %3"), word, bar.attempt, count)


def _times(model: TimelineModel, bar: Bar, now: float) -> str:
    start = model.wall.text(bar.start)
    if bar.end == NEVER:
        return fill(translate("Timeline", "Since %1, for %2"), start, clock(now - bar.start))
    end = model.wall.text(bar.end)
    return fill(translate("Timeline", "%1 to %2, %3"), start, end, took(bar.end - bar.start))


def outage_of(model: TimelineModel, row: int | None, now: float) -> list[str]:
    """The time since which the device of a lane is unreachable, and for how long its attempts are waited for."""
    device = None if row is None else model.run.fleet.devices.get(model.lanes[row].device_id)
    left = None if model.is_planned else seconds_left(device, now)
    return [] if device is None or left is None else [outage_text(silent_since(RunView(model.run), device, now), left)]


def _late(model: TimelineModel, bar: Bar, now: float) -> list[str]:
    """By how much a running attempt is overdue, and for how long it has printed nothing."""
    if bar.kind != RUNNING:
        return []
    task = TaskView(model.run, bar.number)
    said = overdue_words(task, now), quiet_words(task.run, model.quiet.get(bar.number), now)
    return [words for words in said if words]


def _spent(model: TimelineModel, bar: Bar, now: float) -> list[str]:
    """The time in the queue while the run went on, and the length of the pause, as text."""
    lines = []
    waited = bar.start - bar.ready - paused_within(model.run, bar.ready, bar.start)
    if waited >= 1:
        lines.append(fill(translate("Timeline", "Waited %1 in the queue"), took(waited)))
    if bar.until > bar.end:
        pause = took(bar.until - bar.end)
        text = (
            translate("Timeline", "Then pauses for %1")
            if bar.until > now
            else translate("Timeline", "Then paused for %1")
        )
        lines.append(fill(text, pause))
    return lines


def _outcome(model: TimelineModel, bar: Bar) -> list[str]:
    """Why an attempt failed, and what it has returned, as text."""
    attempt = _attempt(model, bar)
    if attempt is None or attempt.result is None:
        return []
    error, value = attempt.result.error, result_line(attempt.result)
    said = [plain(error_sentence(error))] if error is not None else []
    return [*said, value] if value else said


def _attempt(model: TimelineModel, bar: Bar) -> Attempt | None:
    found = (attempt for attempt in model.run.attempts(bar.number) if attempt.number == bar.attempt)
    return next(found, None)


def _coming(model: TimelineModel, spot: Spot) -> list[str]:
    bar, projection = spot.bar, model.outlook
    start = model.wall.text(bar.start)
    forecast = projection.tasks.get(model.id_of(bar.number)) if projection is not None else None
    if model.run.state is RunState.PAUSED:  # whenever it goes on, it is later by as much
        if forecast is None or forecast.estimate.source is EstimateSource.NONE:
            return [translate("Timeline", "Paused; no estimate how long it takes")]
        return [fill(translate("Timeline", "Paused; takes %1"), took(bar.end - bar.start))]
    if forecast is not None and forecast.is_lower_bound and forecast.is_after_countdown:
        return [translate("Timeline", "No estimate of its start: a gate before it can be answered at any time")]
    if forecast is not None and projection is not None and forecast.is_lower_bound:
        if bar.start - projection.at < NOTHING_AHEAD:
            return [translate("Timeline", "No estimate of its start: when what it waits for ends is unknown")]
        return [fill(translate("Timeline", "Starts about %1 or later; when what it waits for ends is unknown"), start)]
    if forecast is not None and forecast.estimate.source is EstimateSource.NONE:
        return [fill(translate("Timeline", "Starts about %1; no estimate how long it takes"), start)]
    end = model.wall.text(bar.end)
    lines = [fill(translate("Timeline", "Foreseen: %1 to %2, %3"), start, end, took(bar.end - bar.start))]
    if bar.kind & CRITICAL:
        lines.append(translate("Timeline", "On the critical path"))
    elif forecast is not None and forecast.slack is not None:
        lines.append(fill(translate("Timeline", "%1 of slack"), took(forecast.slack)))
    return lines
