"""The rounds of each agent of a run, folded from the event log and, where that does not have all, from the journal.

The facts know only how matters stand; what an agent did before, and what one that was detached has done, is in events.
Nothing is kept that could not be read there again.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from starloom import events as ev
from starloom_gui.text.engine_words import said
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from starloom_gui.gateway.event_log import Log

MOST_ROUNDS: Final = 200
"""Rounds of an agent that are kept; the oldest go."""
_AT_ONCE: Final = 20_000
"""Events of the log that are read at most before the window has its turn again."""


class RoundOutcome(StrEnum):
    """The outcome of a round."""

    THINKING = "thinking"
    NOTHING = "nothing"
    FAILED = "failed"
    PROPOSED = "proposed"
    APPLIED = "applied"
    REFUSED = "refused"
    WAITING = "waiting"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    EXPIRED = "expired"
    DROPPED = "dropped"
    GIVEN_UP = "given_up"


_APPROVALS: Final = {
    "accepted": RoundOutcome.ACCEPTED,
    "rejected": RoundOutcome.REJECTED,
    "expired": RoundOutcome.EXPIRED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One question to an agent, with its answer.

    Attributes:
        number: of the edit cycle.
        at: when it was asked, on the engine's clock.
        task_ids: about whose ends.
        outcome: what has become of it.
        answered_at: when it answered; None: it has not.
        count: how many edits it proposed.
        why: its own reason; or why it could not answer, or was refused, or what the person noted.
        is_late: whether it answered when nobody waited any more.
        approval: the number under which its edits wait, or have waited; 0: they did not have to.
        left_out: how many of its edits were not taken when the others were accepted or applied.
    """

    number: int
    at: float
    task_ids: tuple[str, ...] = ()
    outcome: RoundOutcome = RoundOutcome.THINKING
    answered_at: float | None = None
    count: int = 0
    why: str = ""
    is_late: bool = False
    approval: int = 0
    left_out: int = 0


@dataclass(slots=True)
class AgentStory:
    """The rounds of one agent since it was attached.

    Attributes:
        at: when it was attached; None: before the log begins.
        detached_at: when it was detached; None: it is attached.
        detached_why: why, as far as anybody said.
        rounds: the last of them, oldest first.
        asked, proposed, accepted, refused, late, timed_out, errors: how many rounds; edits; proposals applied and not;
            late answers, rounds given up, and answers that were none.
    """

    name: str
    at: float | None = None
    detached_at: float | None = None
    detached_why: str = ""
    rounds: deque[Round] = field(default_factory=lambda: deque(maxlen=MOST_ROUNDS))
    asked: int = 0
    proposed: int = 0
    accepted: int = 0
    refused: int = 0
    late: int = 0
    timed_out: int = 0
    errors: int = 0


class Stories:
    """The agents of one run, in order of attachment; those that were detached too.

    Args:
        log: the event log; it may begin later than the run, and have forgotten or missed some of its events.
        run_id: of the run.
        journal: gives all events of the run, if it has been read; None: it has not, and is about to be if it can.
        trouble: gives why it cannot be read; empty: it can, or nobody has tried.

    Attributes:
        is_partial: whether the log does not have all events of the run, and the journal has not been read.
    """

    def __init__(
        self,
        log: Log,
        run_id: str,
        journal: Callable[[], Log | None] = lambda: None,
        trouble: Callable[[], str] = str,
    ) -> None:
        self._log, self._run_id, self._journal, self._trouble = log, run_id, journal, trouble
        self._earlier: Log | None = None
        """What is read before the log."""
        self._read = self._after = 0
        """The next event to be read, and the last one that is not told by the log, by its place in the run."""
        self.is_partial = False
        self._state: tuple[Hashable, int, bool] | None = None
        self._known: dict[str, AgentStory] = {}
        self._tell: dict[type[ev.Event], Callable[[Any], None]] = {
            ev.RunCreated: self._created,
            ev.AgentAttached: self._attached,
            ev.AgentDetached: self._detached,
            ev.EditCycleOpened: self._opened,
            ev.AgentAnswered: self._answered,
            ev.EditRejected: self._rejected,
            ev.EditsLeftOut: self._left_out,
            ev.ProposalSettled: self._settled,
            ev.ProposalStaged: self._staged,
            ev.ApprovalAnswered: self._approved,
            ev.EditCycleClosed: self._closed,
        }

    def __iter__(self) -> Any:
        """All stories."""
        return iter(tuple(self._known.values()))

    def story(self, name: str) -> AgentStory:
        """The story of an agent; an empty one if the log has no event of it."""
        return self._known.get(name) or AgentStory(name)

    @property
    def unknown(self) -> str:
        """Why what agents did before the log knew of the run is not told, as a sentence; empty: it is."""
        if not self.is_partial:
            return ""
        if trouble := self._trouble():
            return fill(translate("Agents", "What it did earlier is not known here: %1"), trouble)
        return translate("Agents", "What it did earlier is being read from the journal of the run.")

    def read(self) -> bool:
        """Read new events; returns whether all are read."""
        self._notice()
        log = self._earlier or self._log
        begin = max(self._read, log.begin)
        self._read = end = min(log.end, begin + _AT_ONCE)
        for _, event in log.between(begin, end):
            tell = self._tell.get(type(event))
            if tell is not None and event.run_id == self._run_id and (log is self._earlier or event.seq > self._after):
                tell(event)
        if self._earlier is not None and end == log.end:
            self._earlier, self._read = None, self._log.begin
        return self._earlier is None and self._read == self._log.end

    def _notice(self) -> None:
        """Begin anew with another log or one that has gone back, and with the journal if events are missing."""
        log = self._log
        state = log.serial, log.lost, self._run_id in log.late
        if state != self._state:
            self._state = state
            self._begin()
            self.is_partial = bool(log.lost) or state[2]
        if self._earlier is None and log.begin > self._read:
            self.is_partial = True
        earlier = self._journal() if self.is_partial else None
        if earlier is not None and len(earlier):
            self._begin()
            self._earlier, self._after, self.is_partial = earlier, earlier.get(earlier.end - 1).seq, False

    def _begin(self) -> None:
        self._known.clear()
        self._earlier, self._read, self._after = None, 0, 0

    # ---- one method an event

    def _of(self, name: str) -> AgentStory:
        return self._known.setdefault(name, AgentStory(name))

    def _created(self, _event: ev.RunCreated) -> None:
        self.is_partial = False  # what the log has forgotten was of other runs

    def _attached(self, event: ev.AgentAttached) -> None:
        self._known.pop(event.agent, None)
        self._known[event.agent] = AgentStory(event.agent, event.at)

    def _detached(self, event: ev.AgentDetached) -> None:
        story = self._of(event.agent)
        story.detached_at, story.detached_why = event.at, event.reason

    def _opened(self, event: ev.EditCycleOpened) -> None:
        for name in event.agents:
            story = self._of(name)
            story.asked += 1
            story.rounds.append(Round(number=event.cycle, at=event.at, task_ids=event.task_ids))

    def _answered(self, event: ev.AgentAnswered) -> None:
        outcome = RoundOutcome.FAILED if event.error else RoundOutcome.PROPOSED if event.count else RoundOutcome.NOTHING
        story = self._of(event.agent)
        story.proposed += event.count
        story.errors += bool(event.error)
        story.late += event.is_late
        self._change(
            story,
            lambda one: one.number == event.cycle,
            outcome=outcome,
            answered_at=event.at,
            count=event.count,
            why=said(event.error) or event.reason,
            is_late=event.is_late,
        )

    def _rejected(self, event: ev.EditRejected) -> None:
        story = self._known.get(event.origin)
        if story is not None and event.problems:
            why = " ".join(said(problem.message) for problem in event.problems[:2])
            self._change(story, lambda one: one.outcome in {RoundOutcome.PROPOSED, RoundOutcome.WAITING}, why=why)

    def _left_out(self, event: ev.EditsLeftOut) -> None:
        why = " ".join(said(problem.message) for problem in event.problems[:2])
        left_out = len(event.edits)
        self._change(self._of(event.agent), lambda one: one.number == event.cycle, why=why, left_out=left_out)

    def _settled(self, event: ev.ProposalSettled) -> None:
        story = self._of(event.agent)
        story.accepted += event.is_accepted
        story.refused += not event.is_accepted
        outcome = RoundOutcome.APPLIED if event.is_accepted else RoundOutcome.REFUSED
        self._change(story, lambda one: one.number == event.cycle, outcome=outcome)

    def _staged(self, event: ev.ProposalStaged) -> None:
        story = self._of(event.agent)
        self._change(
            story, lambda one: one.number == event.cycle, outcome=RoundOutcome.WAITING, approval=event.approval
        )

    def _approved(self, event: ev.ApprovalAnswered) -> None:
        outcome = _APPROVALS.get(event.how, RoundOutcome.DROPPED)
        for story in self._known.values():
            told: dict[str, Any] = {"left_out": len(event.left_out)} if event.left_out else {}
            told |= {"why": event.note} if event.note else {}
            if self._change(story, lambda one: one.approval == event.approval, outcome=outcome, **told):
                story.accepted += event.how == "accepted"
                story.refused += event.how == "rejected"

    def _closed(self, event: ev.EditCycleClosed) -> None:
        for story in self._known.values():
            gave_up = self._change(
                story,
                lambda one: one.number == event.cycle and one.outcome is RoundOutcome.THINKING,
                since=event.cycle,
                outcome=RoundOutcome.GIVEN_UP,
            )
            story.timed_out += gave_up and event.how == "timed_out"

    @staticmethod
    def _change(story: AgentStory, is_it: Callable[[Round], bool], *, since: int = 0, **said: Any) -> bool:
        """Replace the last matching round that is not before cycle `since`; returns whether there is one."""
        for at in range(len(story.rounds) - 1, -1, -1):
            if story.rounds[at].number < since:
                return False
            if is_it(story.rounds[at]):
                story.rounds[at] = replace(story.rounds[at], **said)
                return True
        return False
