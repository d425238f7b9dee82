"""Questions to agents, their answers, and the results of these."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from starloom import events as ev
from starloom.reporting.asked import ReportedAgent, ReportedUsage
from starloom.reporting.text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

_ENDS: Final = (ev.TaskCompleted, ev.TaskFailed, ev.TaskRetryScheduled, ev.TaskCancelled)


class UsageWatch:
    """Adds up what agents say they have used, and counts questions and answers, from the events of a run."""

    def __init__(self) -> None:
        self._tokens = self._by_policy = 0
        self._costs: dict[str, float] = {}
        self._questions: set[int] = set()
        self._answered: set[int] = set()

    def see(self, event: ev.Event) -> None:
        """Record one event."""
        if isinstance(event, ev.QuestionAsked):
            self._questions.add(event.number)
        elif isinstance(event, ev.QuestionAnswered):
            self._answered.add(event.number)
        elif isinstance(event, _ENDS) and (usage := event.result.usage) is not None:
            self._tokens += usage.tokens
            self._by_policy += usage.by_policy
            if usage.currency:
                currency = one_line(usage.currency, 10)
                self._costs[currency] = self._costs.get(currency, 0.0) + usage.cost

    @property
    def usage(self) -> ReportedUsage:
        """All that together."""
        asked, answered = len(self._questions), len(self._answered)
        return ReportedUsage(self._tokens, dict(self._costs), asked, answered, self._by_policy)


class AgentWatch:
    """Counts the questions and answers of agents from the events of a run."""

    def __init__(self) -> None:
        self._found: dict[str, ReportedAgent] = {}
        self._opened: dict[int, float] = {}
        self._staged: dict[int, str] = {}
        self._see: Final[dict[type[ev.Event], Callable[[Any], None]]] = {
            ev.AgentAttached: lambda event: self._add(event.agent),
            ev.EditCycleOpened: self._asked,
            ev.AgentAnswered: self._answered,
            ev.ProposalSettled: self._settled,
            ev.ProposalStaged: self._stage,
            ev.ApprovalAnswered: self._decided,
            ev.RunRecovered: self._recovered,
        }

    def see(self, event: ev.Event) -> None:
        """Record one event."""
        note = self._see.get(type(event))
        if note is not None:
            note(event)

    @property
    def agents(self) -> tuple[ReportedAgent, ...]:
        """The agents as reported, in the order of their attachment."""
        return tuple(self._found.values())

    def _add(self, name: str, **more: int) -> None:
        """Count for an agent; the fields are counts of `ReportedAgent`."""
        known = self._found.get(name) or ReportedAgent(one_line(name, 100))
        self._found[name] = replace(known, **{field: getattr(known, field) + by for field, by in more.items()})

    def _asked(self, event: ev.EditCycleOpened) -> None:
        self._opened[event.cycle] = event.at
        for name in event.agents:
            self._add(name, asked=1)

    def _answered(self, event: ev.AgentAnswered) -> None:
        self._add(event.agent, answered=1, failed=bool(event.error), late=event.is_late, edits=event.count)
        known = self._found[event.agent]
        took = max(0.0, event.at - self._opened.get(event.cycle, event.at))
        self._found[event.agent] = replace(known, longest_s=max(known.longest_s, took), total_s=known.total_s + took)

    def _settled(self, event: ev.ProposalSettled) -> None:
        self._add(event.agent, applied=event.is_accepted, refused=not event.is_accepted)

    def _stage(self, event: ev.ProposalStaged) -> None:
        self._staged[event.approval] = event.agent
        self._add(event.agent, waiting=1)

    def _decided(self, event: ev.ApprovalAnswered) -> None:
        name = self._staged.pop(event.approval, None)
        if name is not None:
            is_accepted = event.how == "accepted"
            self._add(name, waiting=-1, approved=is_accepted, rejected=not is_accepted)

    def _recovered(self, event: ev.RunRecovered) -> None:
        self._opened = {cycle: at + event.shift for cycle, at in self._opened.items()}
