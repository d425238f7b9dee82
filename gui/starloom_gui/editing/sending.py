"""Waiting for the engine's answers: several tickets are awaited together, until the last is answered."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from starloom_gui.gateway.command_gateway import TicketGateway
    from starloom_gui.gateway.commands import Done, Refusal


@dataclass(slots=True)
class _Question:
    """A question that was sent, and its answers so far."""

    open: set[int]
    tell: Callable[[list[Any], list[Refusal]], None]
    answers: list[Any] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)


class Sender(QObject):
    """Holds the tickets of commands that are not answered yet.

    Args:
        engine: answers by its signals.
        parent: of the object.
    """

    def __init__(self, engine: TicketGateway, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine = engine
        self._open: dict[int, _Question] = {}
        self._own: set[int] = set()
        engine.done.connect(self._take_done)
        engine.refused.connect(self._take_refused)

    @property
    def is_busy(self) -> bool:
        """Whether an answer is awaited."""
        return bool(self._open)

    def owns(self, ticket: int) -> bool:
        """Whether this ticket is or was awaited here."""
        return ticket in self._own

    def expect(self, tickets: Iterable[int], tell: Callable[[list[Any], list[Refusal]], None]) -> None:
        """Await these tickets; once all are answered, tell answers and refusals."""
        question = _Question(set(tickets), tell)
        self._own |= question.open
        self._open.update(dict.fromkeys(question.open, question))

    def close(self) -> None:
        """Stop waiting for answers."""
        self._open.clear()
        self._engine.done.disconnect(self._take_done)
        self._engine.refused.disconnect(self._take_refused)

    def _take_done(self, done: Done) -> None:
        question = self._open.pop(done.ticket, None)
        if question is not None:
            question.answers.append(done.answer)
            self._settle(question, done.ticket)

    def _take_refused(self, refusal: Refusal) -> None:
        question = self._open.pop(refusal.ticket, None)
        if question is not None:
            question.refusals.append(refusal)
            self._settle(question, refusal.ticket)

    @staticmethod
    def _settle(question: _Question, ticket: int) -> None:
        question.open.discard(ticket)
        if not question.open:
            question.tell(question.answers, question.refusals)
