"""The approvals, gates and questions of a run that wait for a person, oldest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from starloom.model.question import legible
from starloom.model.status import GateDefault
from starloom.scheduling.read.left_behind import gate_message
from starloom.scheduling.read.open_questions import questions_of, waits_of
from starloom_gui.panels.agent_words import ended_words
from starloom_gui.text.words import Plurals, clock, fill, moment, plain, remaining, translate
from starloom_gui.theme import glyphs
from starloom_gui.widgets.entry_list import ListEntry

if TYPE_CHECKING:
    from starloom.scheduling.read.open_questions import OpenQuestion
    from starloom.scheduling.read.run_view import RunView, TaskView
    from starloom.scheduling.state.cycle_facts import Approval
    from starloom.scheduling.state.gate_facts import GateFacts
    from starloom_gui.theme.drawings import Drawing
    from starloom_gui.widgets.entry_list import Key

APPROVAL, GATE, QUESTION = "approval", "gate", "question"
_SIGNS: Final = {"command": glyphs.COMMAND, "diff": glyphs.DIFF}
"""The signs of questions by what they are about, where they are about more than words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """An approval, a gate or a question that waits for a person.

    Attributes:
        key: what it is answered by.
        title: what it is.
        about: what it is about, in a line.
        at: since when, on the engine's clock.
        due: when nobody waits for the answer any more; None: never.
        then: what happens then, with a place for how long that is.
        sign: what stands before it.
    """

    key: Key
    title: str
    about: str
    at: float
    due: float | None = None
    then: str = "%1"
    sign: Drawing = glyphs.CHANGED

    def left(self, now: float) -> str:
        """The outcome without an answer, and the time until then; empty: there is none."""
        return fill(self.then, remaining(self.due - now)) if self.due is not None else ""

    def waits(self, now: float) -> str:
        """For how long it has waited, in words."""
        return fill(translate("Agents", "waits for %1"), clock(now - self.at))

    def entry(self, run: RunView, now: float) -> ListEntry:
        """Its row in the list."""
        since = fill(translate("Agents", "since %1"), moment(run.wall(self.at)))
        detail = fill(translate("Agents", "%1 · %2"), self.left(now) or self.about, since)
        return ListEntry(key=self.key, title=self.title, detail=detail, sign=self.sign)


def waiting_of(run: RunView) -> list[Waiting]:
    """All that waits for a person, oldest first."""
    cycles = run.cycles
    found = [_approval(run, one) for one in cycles.approvals.values()] if cycles is not None else []
    found += [_gate(task, gate) for task, gate in run.open_gates()]
    found += [_question(run, one) for one in questions_of(run.facts)]
    return sorted(found, key=lambda one: one.at)


def count_of(run: RunView) -> int:
    """The number of items that wait for a person."""
    return waits_of(run.facts)


def approval_key(number: int) -> Key:
    """The key of an approval."""
    return (APPROVAL, number)


def gate_key(task_id: str, attempt: int) -> Key:
    """The key of one asking of a gate."""
    return (GATE, (task_id, attempt))


def question_key(number: int) -> Key:
    """The key of a question of a running task."""
    return (QUESTION, number)


def _question(run: RunView, one: OpenQuestion) -> Waiting:
    number = run.number(one.task_id)
    title = one.task_id if number is None else run.task(number).title
    return Waiting(
        key=question_key(one.number),
        title=plain(legible(one.question.text)),
        about=fill(translate("Agents", "%1 on %2"), title, one.device_id),
        at=one.at,
        sign=_SIGNS.get(one.question.detail_kind, glyphs.GATE),
    )


def _gate(task: TaskView, gate: GateFacts) -> Waiting:
    asks = task.fields.gate if task.fields is not None else None
    thens = {
        GateDefault.PROCEED: translate("Agents", "approved in %1"),
        GateDefault.SKIP: translate("Agents", "skipped in %1"),
        GateDefault.ABORT: translate("Agents", "the run ends in %1"),
    }
    then = thens[asks.then] if asks is not None and asks.then is not None else "%1"
    return Waiting(
        key=gate_key(task.id, gate.attempt),
        title=gate_message(task.run.facts, task.number),
        about=fill(translate("Agents", "gate %1"), task.title),
        at=gate.at,
        due=task.gate_due,
        then=then,
        sign=glyphs.GATE,
    )


def _approval(run: RunView, one: Approval) -> Waiting:
    assert run.cycles is not None
    proposed = one.proposed
    title = fill(translate("Agents", "%1 proposes %2"), proposed.agent, Plurals().edits(len(proposed.edits)))
    ids = [task.id for task in run.tasks(one.tasks)]
    about = fill(translate("Agents", "after %1"), ended_words(ids)) if ids else late_words()
    due, then = run.cycles.approval_due(one.number), translate("Agents", "dropped in %1")
    return Waiting(key=approval_key(one.number), title=title, about=about, at=one.at, due=due, then=then)


def late_words() -> str:
    """The sentence for an answer that came too late."""
    return translate("Agents", "the answer came late, so nothing waits for it")
