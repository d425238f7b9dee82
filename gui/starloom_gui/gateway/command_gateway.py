"""The way to the engine: what panes, menus and editors ask for, and whether it would be done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance

    from starloom.constellation.edits import EditBatch
    from starloom_gui.gateway.verbs import Target, Verb, Verdict


class CommandGateway(Protocol):
    """Who is asked: `Commands` for the engine itself, or whoever answers for a run, a plan or the past."""

    def can(self, verb: Verb, target: Target, **given: Any) -> Verdict:
        """Whether a verb would be carried out now and change something."""

    def do(self, verb: Verb, target: Target, **given: Any) -> int:
        """Ask for a verb; returns a ticket, 0 where who is asked says itself what came of it."""

    def can_edit(self, run_id: str, batch: EditBatch) -> Verdict:
        """Whether a batch of edits would be applied now."""

    def edit(self, run_id: str, batch: EditBatch) -> int:
        """Apply a batch of edits; returns a ticket as `do` does."""

    def failed_tasks(self, run_id: str) -> tuple[str, ...]:
        """The tasks that "Retry failed" is about."""


class TicketGateway(CommandGateway, Protocol):
    """A gateway that answers every ticket by a signal, sooner or later.

    Attributes:
        origin: in whose name is asked.
    """

    origin: str

    @property
    def done(self) -> SignalInstance:
        """Emitted with a `Done`."""

    @property
    def refused(self) -> SignalInstance:
        """Emitted with a `Refusal`."""


def reason_of(verdict: Verdict) -> str:
    """Why something is not possible now and what would help; empty: it is possible."""
    if verdict.ok:
        return ""
    return fill(translate("Panels", "%1 %2"), verdict.reason, verdict.hint) if verdict.hint else verdict.reason
