"""Pins tasks to other devices for the timeline, or says why that is not possible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from starloom.scheduling.commands import PinTasks
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.editing.base import Editor
    from starloom_gui.gateway.command_gateway import CommandGateway


class DevicePinning(Protocol):
    """The protocol that pins tasks to devices."""

    def verdict(self, number: int, device_id: str) -> Verdict:
        """Whether a task could be pinned to this device now."""

    def pin(self, number: int, device_id: str | None) -> None:
        """Pin a task to this device; None: unpin it.

        Args:
            number: of the task.
            device_id: the device; None: any.
        """

    def device_of(self, number: int) -> str | None:
        """The only device it may run on; None: it is not bound to one."""


class EditorPins:
    """Pins tasks by way of an editor, so that it can be undone.

    Args:
        editor: what pins are asked of.
        gateway: says beforehand what would be refused.
        facts: gives the facts of the run.
    """

    def __init__(self, editor: Editor, gateway: CommandGateway, facts: Callable[[], RunFacts | None]) -> None:
        self._editor, self._gateway, self._facts = editor, gateway, facts

    def verdict(self, number: int, device_id: str) -> Verdict:
        """Whether a task could be pinned to this device now."""
        command = self._command(number, device_id)
        if command is None:
            return Verdict(False, translate("Timeline", "The task has been removed."))
        return self._gateway.can(command)

    def pin(self, number: int, device_id: str | None) -> None:
        """Pin a task to this device; None: unpin it.

        Args:
            number: of the task.
            device_id: the device; None: any.
        """
        command = self._command(number, device_id)
        if command is None:
            return
        label = translate("Timeline", "Pin %1 to %2") if device_id else translate("Timeline", "Let %1 run anywhere")
        self._editor.steer(command, fill(label, self._title(number), device_id or ""))

    def device_of(self, number: int) -> str | None:
        """The only device it may run on; None: it is not bound to one."""
        run = self._facts()
        return run.pin_of(number) if run is not None and self._command(number, None) is not None else None

    def _title(self, number: int) -> str:
        run = self._facts()
        task = run.graph.tasks[number] if run is not None else None
        return task.title if task is not None else ""

    def _command(self, number: int, device_id: str | None) -> PinTasks | None:
        """The command that pins a task; None: it has been removed."""
        run = self._facts()
        if run is None or number >= len(run.graph.tasks) or run.graph.tasks[number] is None:
            return None
        return PinTasks(run_id=run.run_id, task_ids=(run.graph.ids[number],), device_id=device_id)
