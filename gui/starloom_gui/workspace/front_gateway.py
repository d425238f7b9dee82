"""Whom the window's verbs go to: whoever answers for what is in front, else the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from starloom_gui.gateway.command_gateway import CommandGateway

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.constellation.edits import EditBatch
    from starloom_gui.gateway.verbs import Target, Verb, Verdict


class FrontGateway(CommandGateway):
    """Passes everything on.

    Args:
        front: gives who answers for what is in front; None: nothing is.
        engine: answers then.
    """

    def __init__(self, front: Callable[[], CommandGateway | None], engine: CommandGateway) -> None:
        self._front, self._engine = front, engine

    def _asks(self) -> CommandGateway:
        return self._front() or self._engine

    @override
    def can(self, verb: Verb, target: Target, **given: Any) -> Verdict:
        """Whether a verb would be carried out now and change something."""
        return self._asks().can(verb, target, **given)

    @override
    def do(self, verb: Verb, target: Target, **given: Any) -> int:
        """Ask for a verb."""
        return self._asks().do(verb, target, **given)

    @override
    def failed_tasks(self, run_id: str) -> tuple[str, ...]:
        """The tasks that "Retry failed" is about."""
        return self._asks().failed_tasks(run_id)

    @override
    def can_edit(self, run_id: str, batch: EditBatch) -> Verdict:
        """Whether a batch of edits would be applied now."""
        return self._asks().can_edit(run_id, batch)

    @override
    def edit(self, run_id: str, batch: EditBatch) -> int:
        """Apply a batch of edits."""
        return self._asks().edit(run_id, batch)
