"""The gateways by which panes, menus and editors send commands, and ask whether they are possible."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from starloom.scheduling.commands import TasksCommand
from starloom_gui.text.words import amount, fill, translate

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance

    from starloom.scheduling.commands import Command
    from starloom.scheduling.decide.required_statuses import AnyCommand
    from starloom_gui.specs.action_spec import Verdict


class CommandGateway(Protocol):
    """The protocol that commands go through: `Commands` for the engine, other classes for a run, a plan or the past."""

    def can(self, command: Command) -> Verdict:
        """Whether a command would be carried out now and change something."""

    def possible_part(self, command: AnyCommand) -> AnyCommand:
        """The command for those of its tasks only whose status it may be given for; all or none of them: as it is."""
        return command

    def do(self, command: Command) -> int:
        """Send a command; returns a ticket, or 0 where the receiver reports the outcome itself."""


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


def judged(gateway: CommandGateway, command: AnyCommand) -> tuple[AnyCommand, Verdict]:
    """The possible part of a command, and whether that would be carried out now."""
    part = gateway.possible_part(command)
    verdict = gateway.can(part)
    if part is not command and verdict.ok and isinstance(part, TasksCommand):
        verdict = replace(verdict, part=len(part.task_ids))
    return part, verdict


def label_with_part(label: str, verdict: Verdict) -> str:
    """The label of an action: `Hold`, or `Hold, 2 of those selected`."""
    if verdict.part is None:
        return label
    return fill(translate("Actions", "%1, %2 of those selected"), label, amount(verdict.part))


def reason_of(verdict: Verdict) -> str:
    """The reason why a command is not possible, with its remedy; empty: it is possible."""
    if verdict.ok:
        return ""
    return fill(translate("Panels", "%1 %2"), verdict.reason, verdict.hint) if verdict.hint else verdict.reason
