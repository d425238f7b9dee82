"""The narration of a run: a line for each notable event, and its progress."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from starloom import events as ev
from starloom.cli.screen import last_lines, plain
from starloom.model.quantities import format_duration, truncated
from starloom.model.status import Severity
from starloom.scheduling.read.left_behind import gate_message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from starloom.cli.screen import Screen
    from starloom.model.result import Result
    from starloom.scheduling.state.run_facts import RunFacts

MOST_LINES: Final = 300
"""Of a run in which more goes wrong the rest is only counted."""
_LONGEST_VALUE: Final = 120
_FAILED_WORDS: Final = {
    Severity.WARNING: ("warning", "yellow"),
    Severity.ERROR: ("failed", "red"),
    Severity.CRITICAL: ("critical", "bold red"),
}


def seconds(value: float) -> str:
    """A duration for people: `0.42s`, `12.3s`, `5m10s`."""
    if value >= 60:
        return format_duration(truncated(value))
    return f"{value:.2f}s" if value < 10 else f"{value:.1f}s"


class Narrator:
    """Prints a run's events as lines.

    Attributes:
        run: the facts of the run; to be set before the first event is told.
    """

    def __init__(self, screen: Screen, *, tells_all: bool = False) -> None:
        self.run: RunFacts
        self._screen = screen
        self._lines = 0
        self._away: dict[str, tuple[str, bool]] = {}
        self._suspects: set[str] = set()
        self._tellers: dict[type[ev.Event], Callable[[Any], None]] = {
            ev.TaskFailed: self._failed,
            ev.TaskRetryScheduled: self._retry,
            ev.TaskWarned: self._warned,
            ev.TaskOverdue: self._overdue,
            ev.TaskStuck: self._stuck,
            ev.AttemptEndedLate: self._ended_late,
            ev.DeviceLost: self._lost,
            ev.DeviceConnected: self._found,
            ev.BreakerOpened: self._suspended,
            ev.BreakerHalfOpened: self._on_trial,
            ev.BreakerClosed: self._trusted,
            ev.GateAnswered: self._gate,
            ev.TaskMarked: self._bypassed,
        }
        self._tells_all = tells_all
        if tells_all:
            self._tellers |= {
                ev.TaskCompleted: self._completed,
                ev.TaskSkipped: self._skipped,
                ev.TaskCancelled: self._cancelled,
                ev.GateOpened: self._asked,
            }

    @property
    def kinds(self) -> tuple[type[ev.Event], ...]:
        """The types of event it prints."""
        return tuple(self._tellers)

    def tell(self, event: ev.Event) -> None:
        """Print one event, if it is of one of the kinds."""
        teller = self._tellers.get(type(event))
        if teller is not None:
            teller(event)

    def tell_all(self, events: Iterable[ev.Event]) -> None:
        """Print those of the events that are of one of the kinds."""
        for event in events:
            if type(event) in self._tellers:
                self.tell(event)

    def progress(self, counts: dict[str, int], elapsed: float, ahead: str = "") -> str:
        """The progress of the run in a few words, and its projected end if that is known."""
        words = [
            f"{_ended(counts)} of {counts['submitted'] - counts['removed']} tasks ended",
            f"{counts['running']} running",
        ]
        if counts["failed"]:
            words.append(f"{counts['failed']} failed")
        return ", ".join([*words, seconds(elapsed), *([ahead] if ahead else [])])

    def show(self, counts: dict[str, int], elapsed: float, ahead: str = "") -> None:
        """Show the progress, where there is a progress bar."""
        if self._screen.shows_progress:
            total = counts["submitted"] - counts["removed"]
            self._screen.progress(_ended(counts), total, self.progress(counts, elapsed, ahead))

    # ---- the kinds

    def _failed(self, event: ev.TaskFailed) -> None:
        number = self.run.graph.place.get(event.task_id)
        task = self.run.graph.tasks[number] if number is not None else None
        severity = event.severity or (Severity.ERROR if task is None else task.severity_of(event.result))
        word, style = _FAILED_WORDS[severity]
        self._line(f"{word:9} {event.task_id}: {why(event.result)}", style, event.result)

    def _overdue(self, event: ev.TaskOverdue) -> None:
        self._line(f"{'overdue':9} {event.task_id}: it was expected to take {seconds(event.expected)}.", "yellow")

    def _warned(self, event: ev.TaskWarned) -> None:
        self._line(f"{'warning':9} {event.task_id}: {event.message}", "yellow")

    def _retry(self, event: ev.TaskRetryScheduled) -> None:
        pause = max(0.0, event.retry_at - event.at)
        again = f"again in {seconds(pause)}" if pause else "again"
        text = f"{'retry':9} {event.task_id}: attempt {event.attempt} failed: {why(event.result)} Trying {again}."
        self._line(text, "yellow", event.result)

    def _stuck(self, event: ev.TaskStuck) -> None:
        self._line(f"{'stuck':9} {event.task_id}: it was told to stop on {event.device_id} and has not.", "red")

    def _ended_late(self, event: ev.AttemptEndedLate) -> None:
        code = event.exit_code
        how = "was ended once that was back" if code is None else f"has ended there, with exit code {code}"
        text = f"attempt {event.attempt}, given up as lost on {event.device_id}, {how}; nothing follows from that."
        self._line(f"{'late':9} {event.task_id}: {text}", "yellow")

    def begin(self) -> None:
        """Print which devices cannot be used as the run begins."""
        for device in self.run.fleet.devices.values():
            if device.refusal:
                self._away[device.id] = (device.refusal, True)
                self._line(f"{'refused':9} device {device.id}: {device.refusal}", "red")
            elif not device.connected and device.trouble:
                self._away[device.id] = ("", False)
                self._line(f"{'lost':9} device {device.id}: {_sentence(device.trouble)} {_AGAIN}", "red")

    def _is_news(self, event: ev.Event) -> bool:
        """Whether it stands in the run's own stream: what happens to the fleet is told in that of the fleet as well."""
        return event.run_id == self.run.run_id

    def _lost(self, event: ev.DeviceLost) -> None:
        """Told once until it is back; of one that refuses us also when the reason is another one."""
        told = (event.reason, True) if event.refused else ("", False)
        if not self._is_news(event) or self._away.get(event.device_id) == told:
            return
        self._away[event.device_id] = told
        said = [_sentence(event.reason)]
        if not event.refused:
            said.append(_AGAIN if event.will_reconnect else "It will not come back.")
        if event.waits_until > event.at:
            left = format_duration(round(event.waits_until - event.at, 1))
            said.append(f"What runs there is waited for for {left}.")
        self._line(f"{'refused' if event.refused else 'lost':9} device {event.device_id}: {' '.join(said)}", "red")

    def _found(self, event: ev.DeviceConnected) -> None:
        if self._is_news(event) and self._away.pop(event.device_id, None) is not None:
            self._line(f"{'back':9} device {event.device_id}: it can be used again.", "green")

    def _suspended(self, event: ev.BreakerOpened) -> None:
        if self._is_news(event):
            self._suspects.add(event.device_id)
            pause = format_duration(round(max(0.0, event.until - event.at), 1))
            text = f"{event.failures} failures in a row, it gets no tasks for {pause}. {_sentence(event.reason)}"
            if not event.failures:
                text = f"it is {event.reason}, and gets no tasks for {pause}."
            self._line(f"{'suspended':9} device {event.device_id}: {text}", "red")

    def _on_trial(self, event: ev.BreakerHalfOpened) -> None:
        if self._is_news(event):
            self._line(f"{'trial':9} device {event.device_id}: its suspension is over; it gets one task.", "yellow")

    def _trusted(self, event: ev.BreakerClosed) -> None:
        if self._is_news(event) and event.device_id in self._suspects:
            self._suspects.discard(event.device_id)
            self._line(f"{'trusted':9} device {event.device_id}: it works again.", "green")

    def _gate(self, event: ev.GateAnswered) -> None:
        """Report a gate that has not just been asked about."""
        if event.how == "rejected":
            self._line(f"{'failed':9} {event.task_id}: it was rejected{event.note and ': ' + event.note}", "red")
        elif event.how != "approved":
            self._line(f"{'gate':9} {event.task_id}: {event.note}, {_TIME_OVER[event.how]}", "yellow")

    def _bypassed(self, event: ev.TaskMarked) -> None:
        """Report a bypassed task: that it has failed, or, where everything is told, that it is done."""
        if event.bypassed and event.result.error is not None:
            self._line(f"{'failed':9} {event.task_id}: {why(event.result)}", "red")
        elif event.bypassed and self._tells_all:
            self._line(f"{'done':9} {event.task_id}  bypassed", "green")

    def _completed(self, event: ev.TaskCompleted) -> None:
        run = self.run
        number = run.graph.place.get(event.task_id)
        if number is None or run.device_of[number] is None:
            return
        took = seconds(run.ended_at[number] - run.started_at[number])
        left = _left_behind(event.result)
        text = f"{'done':9} {event.task_id}  {took} on {run.device_of[number]}"
        self._line(f"{text}: {left}" if left else text, "green")

    def _skipped(self, event: ev.TaskSkipped) -> None:
        self._line(f"{'skipped':9} {event.task_id}: {event.reason}", "dim")

    def _cancelled(self, event: ev.TaskCancelled) -> None:
        text = f"{'cancelled':9} {event.task_id}"
        self._line(f"{text}: {event.reason}" if event.reason else text, "dim")

    def _asked(self, event: ev.GateOpened) -> None:
        number = self.run.graph.place.get(event.task_id)
        message = "" if number is None else gate_message(self.run, number)
        self._line(f"{'gate':9} {event.task_id} waits for an answer: {message}", "yellow")

    def _line(self, text: str, style: str, result: Result | None = None) -> None:
        self._lines += 1
        if self._lines > MOST_LINES:
            return
        self._screen.note(plain(text), style)
        for line in last_lines(result.output, 2) if result is not None else ():
            self._screen.note(f"          | {line}", "dim")
        if self._lines == MOST_LINES:
            self._screen.note("Much goes wrong here; what follows is only counted.", "red")


_AGAIN: Final = "Trying to reach it again."
_TIME_OVER: Final = {
    "proceeded": "so it goes on",
    "skipped": "so it is skipped",
    "aborted": "so the run is cancelled",
}


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?", '"')) else f"{text}."


def why(result: Result) -> str:
    """The sentence that says why an attempt failed."""
    message = result.error.message if result.error is not None else "no reason was given"
    return plain(message if message.endswith((".", "!", "?")) else f"{message}.")


def _left_behind(result: Result) -> str:
    """The last line a task printed, else its value, else nothing."""
    lines = last_lines(result.output, 1)
    if lines:
        return lines[0]
    if result.value is None:
        return ""
    text = json.dumps(result.value, ensure_ascii=False)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]} ..."


def _ended(counts: dict[str, int]) -> int:
    return counts["completed"] + counts["failed"] + counts["cancelled"] + counts["skipped"]
