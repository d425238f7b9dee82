"""Planted defects: each replaces one function of the engine by a wrong one, and breaks a law sooner or later."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace
from tests.simulation.faults import FaultKind
from tests.simulation.laws import Law

from starloom.events import RunLimitSet
from starloom.journal import disk_writer, joint_turns, sent_rows
from starloom.orchestration import halted_commands, resuming
from starloom.scheduling.decide import dispatch, kept_answers
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state import device_facts
from starloom.scheduling.state.kept_answers import KeptAnswers
from starloom.server import sessions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Future

    from starloom.errors import StarloomError
    from starloom.events import Event


@dataclass(frozen=True)
class Defect:
    """A defect.

    Attributes:
        law: that it breaks.
        of, name: the function that it replaces, by what has it.
        wrong: what is there instead.
        focus: the kind of fault by which it shows.
        or_else: another law that it breaks, which may be found out first.
    """

    law: Law
    of: Any
    name: str
    wrong: Any
    focus: FaultKind = FaultKind.ENGINE_KILLED
    or_else: Law | None = None


def _without_limits(view: Any, events: Sequence[Event]) -> Any:
    """A fold that knows nothing of the limits of runs."""
    return fold(view, [replace(one, max_concurrency=7) if isinstance(one, RunLimitSet) else one for one in events])


_plain_answer: Callable[[Any], Any] = kept_answers.plain_answer


def _answer_before(value: Any) -> Any:
    """The revision before that of an edit."""
    answer = _plain_answer(value)
    return answer - 1 if isinstance(answer, int) else answer


_commit = disk_writer.DiskWriter.commit


def _acknowledged_before(self: Any, keep: Any, events: Sequence[Event]) -> Future[None] | None:
    """Tell that a turn is committed while the thread has yet to do so."""
    if self.is_threaded:
        self.in_thread(lambda: keep(events))
        return None
    return _commit(self, keep, events)


def _refusal_of_nothing(number: int, error: StarloomError) -> Any:
    raise KeyError(number)


DEFECTS: Final[dict[str, Defect]] = {
    "a client's fold leaves something out": Defect(Law.CLIENTS, sent_rows, "fold", _without_limits),
    "another answer is kept than is told": Defect(Law.ANSWERS, kept_answers, "plain_answer", _answer_before),
    "a turn counts of which one file has a part": Defect(
        Law.ANSWERS, joint_turns, "_is_missing", lambda _decided: False, FaultKind.COMMIT_KILLED
    ),
    "a stop is not looked at while the engine is halted": Defect(
        Law.ANSWERS, halted_commands, "refusal", lambda _scheduler, _command: None, FaultKind.COMMIT_FAILED
    ),
    "what was answered is carried out again": Defect(
        Law.ONCE, KeptAnswers, "__contains__", lambda _self, _id: False, FaultKind.LINK_BROKEN
    ),
    "attempts that go on are not looked for": Defect(
        Law.KEPT, resuming, "_orders", lambda _folded: [], or_else=Law.ONCE
    ),
    "a turn is told of before it is committed": Defect(
        Law.KEPT, disk_writer.DiskWriter, "commit", _acknowledged_before
    ),
    "a device has room always": Defect(Law.LIMITS, device_facts.DeviceFacts, "has_room", lambda _self: True),
    "a dispatch stops too early": Defect(Law.STARTS, dispatch, "dispatch", lambda _scheduler: None),
    "a refusal raises": Defect(Law.DEFECTS, sessions, "refusal", _refusal_of_nothing),
}
