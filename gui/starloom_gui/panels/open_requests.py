"""What waits for a person in a run, with the notes typed for it, and what was answered elsewhere while it was shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from starloom import events as ev
from starloom_gui.panels.waiting import GATE, approval_key, gate_key, question_key, waiting_of
from starloom_gui.specs.event_list import EVENTS
from starloom_gui.text.words import fill, moment, plain, translate
from starloom_gui.widgets.entry_list import ListEntry

if TYPE_CHECKING:
    from starloom.events import Event
    from starloom.scheduling.read.run_view import RunView
    from starloom_gui.gateway.event_log import Log
    from starloom_gui.panels.waiting import Waiting
    from starloom_gui.widgets.entry_list import Key

_MOST_READ: Final = 5_000
"""So many of the newest events are looked through for an answer."""


@dataclass(frozen=True, slots=True)
class EndedRequest:
    """What waits no more, and is shown all the same, as somebody may be about to answer it.

    Attributes:
        request: as it waited.
        words: how it ended, as a sentence.
        is_told: whether the event log has told how; else it may yet.
    """

    request: Waiting
    words: str
    is_told: bool


class OpenRequests:
    """The requests of a run that wait for an answer.

    Args:
        log: the event log.

    Attributes:
        waiting: those that wait, by key, oldest first.
        ended: those that another person, or time, has answered while they were shown, or had a note: they stay until
            somebody who has looked at them turns to something else.
        notes: what is typed for those that are not shown, by key.
    """

    def __init__(self, log: Log) -> None:
        self._log = log
        self._shown: Key = ()
        self.waiting: dict[Key, Waiting] = {}
        self.ended: dict[Key, EndedRequest] = {}
        self.notes: dict[Key, str] = {}
        self._given: dict[Key, str] = {}

    def note_answer(self, key: Key, note: str) -> None:
        """Note that a request is answered here: once it waits no more, the next one is shown."""
        self._given[key] = note

    def read(self, run: RunView, shown: Key, *, is_now: bool) -> None:
        """Read what waits.

        Args:
            run: as it is shown.
            shown: the key of what is shown.
            is_now: whether that is its present.
        """
        before, self.waiting = self.waiting, {one.key: one for one in waiting_of(run)}
        if shown != self._shown:
            self.ended.pop(self._shown, None)
            self._shown = shown
        for key, one in self.ended.items():
            if not one.is_told:
                self.ended[key] = self._ended(run, one.request, _answer(self._log, run.run_id, key))
        if is_now:
            for key in [key for key in before if key not in self.waiting]:
                self._end(run, before[key], is_shown=key == shown)
        else:
            self.ended.clear()

    def _end(self, run: RunView, one: Waiting, *, is_shown: bool) -> None:
        event, given = _answer(self._log, run.run_id, one.key), self._given.pop(one.key, None)
        is_ours = given is not None and (event is None or getattr(event, "note", "") == given)
        if not is_ours and (is_shown or one.key in self.notes):
            self.ended[one.key] = self._ended(run, one, event)

    def _ended(self, run: RunView, one: Waiting, event: Event | None) -> EndedRequest:
        return EndedRequest(one, _ended_words(run, event), event is not None)

    def asked_anew(self, key: Key) -> Key:
        """What waits now of a gate that was taken back and is asked again; empty: nothing does.

        Args:
            key: of its earlier asking.
        """
        ended = self.ended.get(key)
        if ended is None or ended.is_told or key[0] != GATE:
            return ()
        return next((one for one in self.waiting if one[0] == GATE and one[1][0] == key[1][0]), ())

    def entries(self, run: RunView, now: float) -> list[ListEntry]:
        """The rows of the list, in order of age, with those that are shown though they have ended."""
        found = [(one.at, one.entry(run, now)) for one in self.waiting.values()]
        for ended in self.ended.values():
            one = ended.request
            entry = ListEntry(key=one.key, title=one.title, detail=ended.words, sign=one.sign, is_faint=True)
            found.append((one.at, entry))
        return [entry for _, entry in sorted(found, key=lambda row: row[0])]


def _answer(log: Log, run_id: str, key: Key) -> Event | None:
    """The event by which it was answered; None: none of the newest."""
    newest = list(log.between(max(log.begin, log.end - _MOST_READ), log.end))
    for _, event in reversed(newest):
        if event.run_id == run_id and _key_of(event) == key:
            return event
    return None


def _key_of(event: Event) -> Key:
    match event:
        case ev.GateAnswered():
            return gate_key(event.task_id, event.attempt)
        case ev.ApprovalAnswered():
            return approval_key(event.approval)
        case ev.QuestionAnswered() | ev.QuestionWithdrawn():
            return question_key(event.number)
        case _:
            return ()


def _ended_words(run: RunView, event: Event | None) -> str:
    if event is None:
        if run.state.has_ended:
            return translate("Agents", "The run has ended, so that nothing waits for an answer any more.")
        return translate("Agents", "It waits no more: it was answered or taken back.")
    told, at = EVENTS[type(event)].text(event), moment(run.wall(event.at))
    origin = plain(str(getattr(event, "origin", "")))
    by_whom = fill(translate("Agents", "%1, by %2 at %3"), told, origin, at)
    return by_whom if origin and origin != "engine" else fill(translate("Agents", "%1, at %2"), told, at)
