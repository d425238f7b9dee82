"""What an agent has done, folded from the event log, against what the facts of the engine count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.properties.test_scheduler_agents import AgentWalk

from starloom import events as ev
from starloom.constellation.edits import RemoveTask
from starloom.errors import Problem
from starloom_gui.gateway.event_log import EventLog
from starloom_gui.models.agent_stories import MOST_ROUNDS, RoundOutcome, Stories
from starloom_gui.panels.agent_words import outcome_words

if TYPE_CHECKING:
    from starloom_gui.models.agent_stories import Round

EDITS = (RemoveTask("b"),)


class Told:
    """A log of one run with an agent `x`, and its story."""

    def __init__(self, *, most: int = 1000) -> None:
        self.log = EventLog(most)
        self.stories = Stories(self.log, "r")
        self.at = 0.0
        self.say(ev.AgentAttached, agent="x")

    def say(self, kind: Any, **fields: Any) -> None:
        self.at += 1
        self.log.add(kind(seq=int(self.at), at=self.at, run_id=fields.pop("run_id", "r"), **fields))

    def ask(self, cycle: int = 1) -> None:
        self.say(ev.EditCycleOpened, cycle=cycle, agents=("x",), task_ids=("a",))

    def answer(self, cycle: int = 1, **fields: Any) -> None:
        self.say(ev.AgentAnswered, cycle=cycle, agent="x", **fields)

    @property
    def rounds(self) -> list[Round]:
        assert self.stories.read()
        return list(self.stories.story("x").rounds)


def test_a_round_is_what_has_become_of_it_last():
    told = Told()
    told.ask()
    assert [one.outcome for one in told.rounds] == [RoundOutcome.THINKING]
    told.answer(count=1, edits=EDITS, reason="because")
    assert told.rounds[0].outcome is RoundOutcome.PROPOSED
    assert (told.rounds[0].why, told.rounds[0].answered_at) == ("because", 3.0)
    told.say(ev.ProposalStaged, approval=7, cycle=1, agent="x", edits=EDITS)
    assert (told.rounds[0].outcome, told.rounds[0].approval) == (RoundOutcome.WAITING, 7)
    told.say(ev.ApprovalAnswered, approval=7, how="rejected", note="no")
    assert (told.rounds[0].outcome, told.rounds[0].why) == (RoundOutcome.REJECTED, "no")


def test_what_was_accepted_in_part_says_how_much_of_it():
    told = Told()
    told.ask()
    told.answer(count=3, edits=(RemoveTask("b"), RemoveTask("c"), RemoveTask("d")))
    told.say(ev.ProposalStaged, approval=7, cycle=1, agent="x", edits=EDITS)
    told.say(ev.ApprovalAnswered, approval=7, how="accepted", left_out=(0, 2))
    assert told.rounds[0].left_out == 2
    assert outcome_words(told.rounds[0]).startswith("1 of 3 edit")


def test_what_came_too_late_for_its_task_is_told_with_how_much_was_applied():
    told = Told()
    told.ask()
    told.answer(count=3, edits=(RemoveTask("b"), RemoveTask("c"), RemoveTask("d")))
    problem = Problem(message="'b' cannot change: it is running.")
    told.say(ev.EditsLeftOut, cycle=1, agent="x", edits=EDITS[:1], problems=(problem,))
    told.say(ev.ProposalSettled, cycle=1, agent="x")
    assert (told.rounds[0].outcome, told.rounds[0].why) == (RoundOutcome.APPLIED, problem.message)
    assert outcome_words(told.rounds[0]).startswith("2 of 3 edit")


def test_edits_that_are_waited_for_are_told_alike_for_one_and_many():
    told = Told()
    told.ask()
    told.answer(count=1)
    told.say(ev.ProposalStaged, approval=7, cycle=1, agent="x", edits=EDITS)
    assert told.rounds[0].outcome == RoundOutcome.WAITING
    assert outcome_words(told.rounds[0]).endswith(" to approve")


def test_a_refusal_says_why_and_an_answer_without_edits_is_no_proposal():
    told = Told()
    told.ask()
    told.answer(count=1)
    told.say(ev.EditRejected, origin="x", problems=(Problem(message="b is running."),))
    told.say(ev.ProposalSettled, cycle=1, agent="x", is_accepted=False)
    told.ask(2)
    told.answer(2)
    told.ask(3)
    told.answer(3, error="it was too slow")
    assert [one.outcome for one in told.rounds] == [RoundOutcome.REFUSED, RoundOutcome.NOTHING, RoundOutcome.FAILED]
    assert [one.why for one in told.rounds] == ["b is running.", "", "it was too slow"]
    story = told.stories.story("x")
    assert (story.asked, story.proposed, story.refused, story.errors) == (3, 1, 1, 1)


def test_only_the_last_rounds_and_only_those_of_the_run_are_kept():
    told = Told(most=10_000)
    for cycle in range(MOST_ROUNDS + 5):
        told.ask(cycle)
        told.say(ev.EditCycleOpened, cycle=cycle, agents=("x",), run_id="other")
    assert len(told.rounds) == MOST_ROUNDS
    assert told.rounds[-1].number == MOST_ROUNDS + 4
    assert told.stories.story("x").asked == MOST_ROUNDS + 5


def test_an_agent_that_is_attached_again_begins_anew():
    told = Told()
    told.ask()
    told.say(ev.AgentDetached, agent="x", reason="enough")
    told.stories.read()
    assert (told.stories.story("x").detached_at, told.stories.story("x").detached_why) == (3.0, "enough")
    told.say(ev.AgentAttached, agent="x")
    assert told.rounds == []
    assert told.stories.story("x").detached_at is None


def test_what_the_log_has_forgotten_is_no_mistake():
    told = Told(most=3)
    for cycle in range(20):
        told.ask(cycle)
    assert told.log.begin > 0
    assert told.rounds[-1].number == 19
    assert told.stories.story("nobody").rounds == type(told.stories.story("x").rounds)()


def begun(log: EventLog, *, of: int) -> None:
    """Rounds of an agent, each an event, and the log's own share of them."""
    log.add(ev.AgentAttached(seq=1, at=1.0, run_id="r", agent="x"))
    for seq in range(2, of + 2):
        log.add(ev.EditCycleOpened(seq=seq, at=float(seq), run_id="r", cycle=seq, agents=("x",), task_ids=("a",)))


def late(log: EventLog) -> None:
    """It knows the run from now on."""
    log.note_state("r")


def lossy(log: EventLog) -> None:
    """It has missed some."""
    log.lost = 3


@pytest.mark.parametrize("spoil", [late, lossy])
def test_what_the_log_does_not_have_is_read_from_the_journal_once_that_is_read(spoil):
    journal, log = EventLog(), EventLog()
    begun(journal, of=9)
    spoil(log)
    log.add(ev.EditCycleOpened(seq=10, at=10.0, run_id="r", cycle=10, agents=("x",), task_ids=("a",)))
    read: list[EventLog | None] = [None]
    stories = Stories(log, "r", lambda: read[0])
    stories.read()
    assert stories.is_partial
    assert stories.story("x").asked == 1
    read[0] = journal
    log.add(ev.EditCycleOpened(seq=11, at=11.0, run_id="r", cycle=11, agents=("x",), task_ids=("a",)))
    while not stories.read():
        pass
    assert not stories.is_partial
    assert [one.number for one in stories.story("x").rounds] == list(range(2, 12))


def test_what_the_log_has_dropped_before_anybody_looked_is_read_from_the_journal():
    journal, log = EventLog(), EventLog(most=5)
    for each in (journal, log):
        begun(each, of=40)
    assert log.begin > 0
    stories = Stories(log, "r", lambda: journal)
    while not stories.read():
        pass
    assert (stories.story("x").asked, stories.is_partial) == (40, False)
    log.add(ev.EditCycleOpened(seq=42, at=42.0, run_id="r", cycle=42, agents=("x",), task_ids=("a",)))
    assert stories.read()
    assert stories.story("x").asked == 41


def test_a_run_that_began_after_the_oldest_event_needs_no_journal():
    log = EventLog(most=5)
    for seq in range(1, 20):
        log.add(ev.AgentAttached(seq=seq, at=1.0, run_id="other", agent="x"))
    log.add(ev.RunCreated(seq=1, at=1.0, run_id="r", name="r", wall_time=0.0))
    stories = Stories(log, "r")
    assert stories.read()
    assert not stories.is_partial


@given(seed=st.integers(0, 2**32), steps=st.integers(1, 80))
def test_it_counts_what_the_facts_count(seed, steps):
    walk, log = AgentWalk(seed, checked=False), EventLog()
    for _ in range(steps):
        walk.step()
    for event in walk.driver.events:
        log.add(event)
    for run_id, index in walk.driver.scheduler.runs.items():
        if index.run.cycles is None or index.run.sessions:
            continue  # one that was resumed begins in another log
        stories = Stories(log, run_id)
        assert stories.read()
        for name, facts in index.run.cycles.agents.items():
            story = stories.story(name)
            assert (story.asked, story.proposed, story.late, story.timed_out, story.errors) == (
                *(facts.rounds, facts.proposed, facts.lates, facts.timeouts, facts.errors),
            )
            assert (story.accepted, story.refused) == (facts.accepted, facts.refused)
