"""The words every view uses: statuses, states, times and counts; made when they are shown, in the language of then."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtGui import Qt

from starloom.model.quantities import truncated
from starloom.model.status import DeviceStatus, RunState, TaskStatus
from starloom_gui.text import wall_clock

if TYPE_CHECKING:
    from datetime import datetime

translate = QCoreApplication.translate
_PLACE = re.compile(r"%([1-9])")
_TURNING: Final = re.compile("[\u202a-\u202e\u2066-\u2069]")
_DAY: Final = 86_400
_WEEK: Final = 7
"""Days after which a day of the week would be taken for a nearer one."""


def fill(text: str, *values: object) -> str:
    """A translated text with `%1`, `%2` … replaced by the values; a `%1` within a value is not replaced."""
    if len(values) == 1:  # a fifth of the time, and most have one
        return text.replace("%1", straight(str(values[0])))
    return _PLACE.sub(lambda match: straight(str(values[int(match.group(1)) - 1])), text)


def straight(text: str) -> str:
    """The text without characters that change the direction of what follows; as reports have names, too."""
    return text if text.isascii() else _TURNING.sub("", text)


# ---- words for where something stands


def status_word(status: TaskStatus) -> str:
    """A task's status in words, e.g. `Done`."""
    return {
        TaskStatus.WAITING_DEPENDENCY: translate("Words", "Waiting"),
        TaskStatus.PENDING: translate("Words", "Ready"),
        TaskStatus.RUNNING: translate("Words", "Running"),
        TaskStatus.COMPLETED: translate("Words", "Done"),
        TaskStatus.FAILED: translate("Words", "Failed"),
        TaskStatus.CANCELLED: translate("Words", "Cancelled"),
        TaskStatus.SKIPPED: translate("Words", "Skipped"),
    }[status]


def held_word() -> str:
    """The badge of a held task."""
    return translate("Words", "Held")


def breakpoint_word() -> str:
    """The badge of a task with a breakpoint."""
    return translate("Words", "Breakpoint")


def bypassed_word() -> str:
    """The badge of a task that completes without running."""
    return translate("Words", "Bypassed")


def run_word(state: RunState | str) -> str:
    """A run's state in words; also for the states that only records have."""
    words = {
        RunState.CREATED: translate("Words", "Created"),
        RunState.READY: translate("Words", "Not started"),
        RunState.EXECUTING: translate("Words", "Executing"),
        RunState.PAUSED: translate("Words", "Paused"),
        RunState.COMPLETED: translate("Words", "Done"),
        RunState.PARTIALLY_FAILED: translate("Words", "Partially failed"),
        RunState.FAILED: translate("Words", "Failed"),
        RunState.CANCELLED: translate("Words", "Cancelled"),
        "interrupted": translate("Words", "Interrupted"),
        "empty": translate("Words", "Never begun"),
        "unreadable": translate("Words", "Unreadable"),
    }
    return words.get(state, str(state))


def end_words(
    state: RunState | str, failed: int, cancelled: int = 0, *, is_any_done: bool = True, simulated: int = 0
) -> str:
    """The state of a run in words: `Done`, `Done, 1 warning`, `Done, 2 cancelled`, `Nothing done`, `Partially failed`.

    Args:
        state: of the run.
        failed: how many of its tasks failed; in one that is done each of these failures is a warning.
        cancelled: how many of its tasks were cancelled.
        is_any_done: whether any of its tasks was done.
        simulated: how many of those that are done have not run, as a simulated device took them.
    """
    word, is_done = run_word(state), state == RunState.COMPLETED
    if is_done and cancelled and not is_any_done:
        word = translate("Words", "Nothing done")
    if is_done and failed:
        word = fill(translate("Words", "%1, %2"), word, Plurals().warnings(failed))
    if is_done and cancelled:
        word = fill(translate("Words", "%1, %2 cancelled"), word, cancelled)
    return with_simulated(word, simulated)


def with_simulated(word: str, simulated: int) -> str:
    """The state of a run in words, with how many of its tasks that are done have not run; 0: nothing is added."""
    return fill(translate("Words", "%1, %2 only simulated"), word, amount(simulated)) if simulated else word


def lowered(words: str) -> str:
    """The words in lower case within a sentence; words after the first keep their case, as nouns of German do."""
    return words[:1].lower() + words[1:]


def device_word(status: DeviceStatus, *, enabled: bool = True, taken: int | None = None) -> str:
    """A device's status in words; that it is switched off comes first.

    Args:
        status: of the device.
        enabled: whether it may be used at all.
        taken: how many tasks have a slot of it, or may still run there; None: that does not matter.
    """
    if not enabled:
        return translate("Words", "Disabled")
    if status is DeviceStatus.DRAINING and taken == 0:
        return translate("Words", "Drained")
    return {
        DeviceStatus.DISCONNECTED: translate("Words", "Disconnected"),
        DeviceStatus.CONNECTING: translate("Words", "Connecting"),
        DeviceStatus.IDLE: translate("Words", "Idle"),
        DeviceStatus.BUSY: translate("Words", "Busy"),
        DeviceStatus.DRAINING: translate("Words", "Draining"),
        DeviceStatus.SUSPENDED: translate("Words", "Suspended"),
        DeviceStatus.TRIAL: translate("Words", "On trial"),
        DeviceStatus.REFUSED: translate("Words", "Refused"),
        DeviceStatus.FAILED: translate("Words", "Failed"),
    }[status]


def priority_word(priority: int) -> str:
    """A priority with its name where it has one: `80 high`."""
    names = {
        100: translate("Words", "critical"),
        80: translate("Words", "high"),
        50: translate("Words", "normal"),
        20: translate("Words", "low"),
        0: translate("Words", "background"),
    }
    name = names.get(priority)
    return str(priority) if name is None else fill("%1 %2", priority, name)


def error_word(code: str) -> str:
    """An error code in a word or two; see `ErrorCode`."""
    words = {
        "exit_code": translate("Words", "exit code"),
        "exception": translate("Words", "exception"),
        "timeout": translate("Words", "timed out"),
        "device_lost": translate("Words", "device lost"),
        "start_failed": translate("Words", "could not start"),
        "result_not_json": translate("Words", "result not JSON"),
        "result_misfit": translate("Words", "result does not fit"),
        "result_too_large": translate("Words", "result too large"),
        "unresolved_input": translate("Words", "input missing"),
        "unsupported": translate("Words", "unsupported"),
        "simulated": translate("Words", "simulated failure"),
        "interrupted": translate("Words", "interrupted"),
        "marked": translate("Words", "marked"),
        "not_stopped": translate("Words", "not stopped"),
        "agent": translate("Words", "agent gave up"),
        "agent_ended": translate("Words", "agent ended"),
        "output_lost": translate("Words", "incomplete"),
    }
    return words.get(code, code)


# ---- times


def clock(seconds: float) -> str:
    """A duration as a clock shows it, cut off: `0:42`, `12:05`, `1:02:05`, `2 d 3:00:00`."""
    whole = max(0, int(truncated(seconds)))
    days, rest = divmod(whole, _DAY)
    hours, rest = divmod(rest, 3600)
    minutes, left = divmod(rest, 60)
    if days:
        return fill(translate("Words", "%1 d %2"), days, f"{hours}:{minutes:02}:{left:02}")
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


def took(seconds: float) -> str:
    """A completed duration as text, cut off likewise: `0.42 s`, `3.2 s`, from ten seconds on as `clock`."""
    whole = int(truncated(seconds))
    if whole >= 10:
        return clock(seconds)
    digits = 1 if whole > 0 else 2
    return fill(translate("Words", "%1 s"), figure(f"{max(0.0, truncated(seconds, digits)):.{digits}f}"))


def remaining(seconds: float) -> str:
    """The remaining duration, rounded up: `12 s`, from a minute on `1:05`."""
    whole = max(0, -int(-seconds // 1))
    return fill(translate("Words", "%1 s"), whole) if whole < 60 else clock(whole)


def ago(seconds: float) -> str:
    """An age: `now`, `14 s`, `3 min`, `2 h`, `5 d`."""
    whole = max(0, int(seconds))
    if whole < 1:
        return translate("Words", "now")
    if whole < 60:
        return fill(translate("Words", "%1 s"), whole)
    if whole < 3600:
        return fill(translate("Words", "%1 min"), whole // 60)
    if whole < _DAY:
        return fill(translate("Words", "%1 h"), whole // 3600)
    return fill(translate("Words", "%1 d"), whole // _DAY)


def time_of_day(wall: float) -> str:
    """The time of day of seconds since 1970 in the chosen zone: `14:02:07`; for places that show the zone."""
    return f"{wall_clock.shown(wall):%H:%M:%S}"


def weekday_word(day: int) -> str:
    """The short name of a day of the week; Monday is 0."""
    return (
        translate("Words", "Mon"),
        translate("Words", "Tue"),
        translate("Words", "Wed"),
        translate("Words", "Thu"),
        translate("Words", "Fri"),
        translate("Words", "Sat"),
        translate("Words", "Sun"),
    )[day]


def hour(wall: float, now: float, *, fine: bool = False) -> str:
    """A time as seen at `now`: `18:53`, on another day `Wed 18:53`, from a week on `in 8 d`.

    Args:
        wall: the moment, in seconds since 1970.
        now: the present, likewise.
        fine: whether the seconds are told, too: `18:53:07`.
    """
    return hour_of(wall_clock.shown(wall), wall_clock.shown(now), fine=fine)


def hour_of(then: datetime, today: datetime, *, fine: bool = False) -> str:
    """The same as `hour`, of local times."""
    days, seconds = (then.date() - today.date()).days, (then - today).total_seconds()
    if days >= _WEEK:
        return fill(translate("Words", "in %1"), ago(seconds))
    if days <= -_WEEK:
        return fill(translate("Words", "%1 ago"), ago(-seconds))
    time = wall_clock.marked(f"{then:%H:%M:%S}" if fine else f"{then:%H:%M}")
    return time if not days else fill(translate("Words", "%1 %2"), weekday_word(then.weekday()), time)


def moment(wall: float) -> str:
    """The time of day with its zone, where that is not the local one: `14:02:07 UTC`."""
    return wall_clock.marked(time_of_day(wall))


# ---- counts


class Plurals(QObject):
    """Counts with their nouns. A QObject only because lupdate finds plurals in `self.tr` alone."""

    def tasks(self, count: int) -> str:
        """A number of tasks, as text."""
        return self.tr("%n task(s)", "", count)

    def values(self, count: int) -> str:
        """A number of values, as text."""
        return self.tr("%n value(s)", "", count)

    def parents(self, count: int) -> str:
        """A number of parents, as text."""
        return self.tr("%n parent(s)", "", count)

    def rules(self, count: int) -> str:
        """A number of rules, as text."""
        return self.tr("%n rule(s)", "", count)

    def attempts(self, count: int) -> str:
        """A number of attempts, as text."""
        return self.tr("%n attempt(s)", "", count)

    def failures(self, count: int) -> str:
        """A number of failures, as text."""
        return self.tr("%n failure(s)", "", count)

    def warnings(self, count: int) -> str:
        """A number of warnings, as text."""
        return self.tr("%n warning(s)", "", count)

    def may_still_run(self, count: int) -> str:
        """A number of tasks that may still run, as their state is unknown, as text."""
        return self.tr("%n task(s) may still run", "", count)

    def slots(self, count: int) -> str:
        """A number of slots, as text."""
        return self.tr("%n slot(s)", "", count)

    def workers(self, count: int) -> str:
        """A number of workers, as text."""
        return self.tr("%n worker(s)", "", count)

    def changes(self, count: int) -> str:
        """A number of changes, as text."""
        return self.tr("%n change(s)", "", count)

    def edits(self, count: int) -> str:
        """A number of edits, as text."""
        return self.tr("%n edit(s)", "", count)

    def events(self, count: int) -> str:
        """A number of events, as text."""
        return self.tr("%n event(s)", "", count)

    def proposals(self, count: int) -> str:
        """A number of proposals, as text."""
        return self.tr("%n proposal(s)", "", count)


def tasks(count: int) -> str:
    """A number of tasks, as text."""
    return Plurals().tasks(count).replace(str(count), amount(count))  # Qt puts numbers in without separators


def values(count: int) -> str:
    """A number of values, as text."""
    return Plurals().values(count)


def share(part: int, whole: int | None) -> str:
    """`5 of 8`; where there is no bound only `5`.

    Args:
        part: how many.
        whole: of how many; None: there is no bound.
    """
    return str(part) if whole is None else fill(translate("Words", "%1 of %2"), part, whole)


def percent(value: float) -> str:
    """A share of 0 to 1: `61 %`."""
    return fill(translate("Words", "%1 %"), round(value * 100))


def amount(count: int) -> str:
    """A count with separators of thousands, e.g. `50,000`."""
    return figure(f"{count:,}")


def figure(number: str) -> str:
    """A number as Python writes it, with the separators of the language: `1,234.5` is `1.234,5` in German."""
    marks = translate("Words", "1,234.5")
    return number.translate(str.maketrans(",.", marks[1] + marks[5]))


def size(count: int) -> str:
    """A number of bytes: `20 kB`, `0.4 MB`, `12 MB`, `3.1 GB`."""
    if count >= 1_000_000_000:
        return fill(translate("Words", "%1 GB"), figure(f"{count / 1e9:,.1f}"))
    millions = count / 1e6
    if millions < 0.05:
        return fill(translate("Words", "%1 kB"), -(-count // 1000))
    return fill(translate("Words", "%1 MB"), figure(f"{millions:.1f}") if millions < 10 else f"{millions:.0f}")


def noun(word: str) -> str:
    """A noun within a sentence: in lower case, unless the language capitalises nouns."""
    way = translate("Words", "nouns in small letters")  # translated by anything else, they stay as they are
    return word.lower() if way == "nouns in small letters" else word


def tip(text: str) -> str:
    """Any text as a plain tooltip: Qt would render what looks like markup."""
    return f'<p style="white-space: pre">{escape(text)}</p>' if Qt.mightBeRichText(text) else text


def plain(value: Any, most: int = 200) -> str:
    """A value in one line of at most `most` characters.

    Args:
        value: anything; its text is taken.
        most: characters.
    """
    text = " ".join(straight(str(value)).split())
    return text if len(text) <= most else text[: most - 1] + "…"
