"""The caps on an agent's changes, which end a loop of edits that cause further edits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from starloom.errors import AgentError


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps:
    """The limits of an agent in one run.

    Attributes:
        rounds: how often it may propose something.
        edits: how many edits it may propose in all.
    """

    rounds: int = 1_000
    edits: int = 10_000


class Allowance:
    """Counts what is left of an agent's caps, for each run and since the program's start."""

    def __init__(self, caps: Caps) -> None:
        self._caps = caps
        self._spent: dict[str, tuple[int, int]] = {}
        self._told: set[str] = set()

    def is_used_up(self, run_id: str) -> bool:
        """Whether no further edit may be proposed, which has been logged."""
        return run_id in self._told

    def spend(self, run_id: str, edits: int) -> None:
        """Count a proposal.

        Raises:
            AgentError: it would be too much; from then on the allowance is used up.
        """
        rounds, before = self._spent.get(run_id, (0, 0))
        if rounds + 1 > self._caps.rounds:
            self.end(run_id, f"it has proposed something {self._caps.rounds:,} times, and no more is allowed")
        if before + edits > self._caps.edits:
            what = f"its edits would be {before + edits:,} in this run; {self._caps.edits:,} are allowed"
            self.end(run_id, what)
        self._spent[run_id] = rounds + 1, before + edits

    def end(self, run_id: str, what: str) -> NoReturn:
        """Allow no more in a run.

        Raises:
            AgentError: always; it says what the reason is.
        """
        self._told.add(run_id)
        raise AgentError(f"{what}. It proposes nothing from now on; raise its caps if that is intended.")
