"""The texts about agents: their states, the outcomes of their rounds, and the effect of the fence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from starloom_gui.models.agent_stories import RoundOutcome
from starloom_gui.text.engine_words import said
from starloom_gui.text.words import Plurals, amount, clock, fill, plain, tasks, translate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.scheduling.state.cycle_facts import AgentFacts, CycleFacts
    from starloom_gui.models.agent_stories import AgentStory, Round

_NAMED = 3


class AgentPlurals(QObject):
    """Counts with their nouns; see `words.Plurals`."""

    def rounds(self, count: int) -> str:
        """A number of rounds, as text."""
        return self.tr("%n round(s)", "", count)

    def waiting(self, count: int) -> str:
        """A number of items that wait for the user, as text."""
        return self.tr("%n thing(s) wait(s|) for you", "", count)

    def figures(
        self, rounds: int, proposed: int, accepted: int, refused: int, late: int, timed_out: int, errors: int
    ) -> str:
        """The figures of an agent in one line; zeros are left out, but for the first two."""
        said = [self.rounds(rounds), fill(translate("Agents", "%1 proposed"), Plurals().edits(proposed))]
        said += [self.tr("%n proposal(s) accepted", "", accepted)] if accepted else []
        said += [self.tr("%n refused", "", refused)] if refused else []
        said += [self.tr("%n late", "", late)] if late else []
        said += [self.tr("%n given up", "", timed_out)] if timed_out else []
        said += [self.tr("%n without an answer", "", errors)] if errors else []
        return " · ".join(said)


def state_words(facts: AgentFacts, cycles: CycleFacts, now: float, *, is_over: bool = False) -> str:
    """The state of an attached agent.

    Args:
        facts: of the agent.
        cycles: of its run.
        now: seconds on the engine's clock.
        is_over: whether the run has ended, so that no end of a task is left to be asked about.
    """
    if facts.paused:
        return translate("Agents", "Paused")
    cycle = cycles.cycle
    if cycle is not None and facts.name in cycle.waiting:
        return fill(translate("Agents", "Thinking · %1"), clock(now - cycle.at))
    if facts.late:
        return translate("Agents", "Thinking, and nobody waits for it")
    return translate("Agents", "The run has ended") if is_over else translate("Agents", "Watching")


def detached_words(story: AgentStory) -> str:
    """The sentence that an agent is detached, and why."""
    if not story.detached_why:
        return translate("Agents", "Detached")
    return fill(translate("Agents", "Detached: %1"), plain(said(story.detached_why)))


def ended_words(task_ids: Sequence[str]) -> str:
    """The tasks whose ends an agent is asked about."""
    named = ", ".join(task_ids[:_NAMED])
    more = len(task_ids) - _NAMED
    return fill(translate("Agents", "%1 and %2"), named, tasks(more)) if more > 0 else named


def outcome_words(one: Round) -> str:
    """The outcome of a round."""
    edits = Plurals().edits(one.count)
    texts = {
        RoundOutcome.THINKING: translate("Agents", "thinking"),
        RoundOutcome.NOTHING: translate("Agents", "no change"),
        RoundOutcome.FAILED: translate("Agents", "could not answer"),
        RoundOutcome.PROPOSED: fill(translate("Agents", "%1 proposed"), edits),
        RoundOutcome.APPLIED: fill(translate("Agents", "%1 applied"), edits)
        if not one.left_out
        else fill(translate("Agents", "%1 of %2 applied"), amount(one.count - one.left_out), edits),
        RoundOutcome.REFUSED: fill(translate("Agents", "%1 refused"), edits),
        RoundOutcome.WAITING: fill(translate("Agents", "%1 to approve"), edits),
        RoundOutcome.ACCEPTED: fill(translate("Agents", "%1 accepted"), edits)
        if not one.left_out
        else fill(translate("Agents", "%1 of %2 accepted"), amount(one.count - one.left_out), edits),
        RoundOutcome.REJECTED: fill(translate("Agents", "%1 rejected"), edits),
        RoundOutcome.EXPIRED: fill(translate("Agents", "%1 expired"), edits),
        RoundOutcome.DROPPED: fill(translate("Agents", "%1 dropped with the run"), edits),
        RoundOutcome.GIVEN_UP: translate("Agents", "given up"),
    }
    said = texts[one.outcome]
    return fill(translate("Agents", "%1, late"), said) if one.is_late else said
