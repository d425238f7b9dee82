"""Agents and warnings, as a report has them."""

from __future__ import annotations

import msgspec

from starloom.reporting.text import count


class ReportedAgent(msgspec.Struct, frozen=True):
    """The questions to an agent and their results.

    Attributes:
        asked: how many edit cycles it was asked in.
        answered: how many it answered, late ones included.
        failed: how many of its answers were that it could not answer.
        late: how many came when nobody waited for them any more.
        edits: how many edits it proposed.
        applied: how many of its proposals were applied at once.
        refused: how many were refused at once.
        approved: how many waited for a person, who accepted them.
        rejected: how many waited for a person, who rejected them or did not answer.
        waiting: how many still wait for a person.
        longest_s: the longest time it took to answer.
        total_s: of all its answers together.
    """

    name: str
    asked: int = 0
    answered: int = 0
    failed: int = 0
    late: int = 0
    edits: int = 0
    applied: int = 0
    refused: int = 0
    approved: int = 0
    rejected: int = 0
    waiting: int = 0
    longest_s: float = 0.0
    total_s: float = 0.0


class ReportedUsage(msgspec.Struct, frozen=True):
    """What agents that are devices have used by their own account, and who answered what tasks asked.

    Attributes:
        tokens: of all attempts together.
        costs: of all attempts together, by currency.
        questions: how many questions tasks have asked persons.
        answered: how many of these were answered; the others ended with their attempts, or still wait.
        by_policy: how many requests for permission were answered by policies, and so are no questions.
    """

    tokens: int = 0
    costs: dict[str, float] = {}
    questions: int = 0
    answered: int = 0
    by_policy: int = 0

    @property
    def words(self) -> str:
        """All that in a sentence or two; empty: there is nothing to say."""
        used = [count(self.tokens, "token")] if self.tokens else []
        used += [f"{amount:,.2f} {currency}" for currency, amount in sorted(self.costs.items())]
        said = [f"By their own account agents have used {' and '.join(used)}."] if used else []
        if self.questions:
            by = (
                f"{self.answered:,} of them answered" if self.questions > 1 else "answered" if self.answered else "open"
            )
            said.append(f"Tasks have asked {count(self.questions, 'question')}, {by}.")
        if self.by_policy:
            said.append(f"Policies have answered {count(self.by_policy, 'request')} for permission.")
        return " ".join(said)


class ReportedWarning(msgspec.Struct, frozen=True):
    """A warning of a running task, or that it was overdue.

    Attributes:
        attempt: its number, from 1.
        kind: `warned` or `overdue`.
    """

    task: int
    attempt: int
    at: float
    kind: str
    message: str


class Modifications(msgspec.Struct, frozen=True):
    """The numbers of ended tasks that were given to agents, answered, and given up on timeout."""

    total: int = 0
    completed: int = 0
    timeout: int = 0
