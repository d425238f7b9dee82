"""The question why a task is not running, and the rows that answer it, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from starloom_gui.text.words import fill, translate
from starloom_gui.theme.icons import Icon
from starloom_gui.widgets.offers import Look, Offer, offer_of, offered

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.foresight.projection import Projection
    from starloom.scheduling import commands as c
    from starloom.scheduling.read.run_view import RunView, TaskView
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.widgets.offers import Remedy


@dataclass(frozen=True, slots=True)
class WhyRow:
    """One reason of the answer to why a task is not running.

    Attributes:
        blocks: whether it keeps the task from running.
        text: what it is.
        detail: who has it, until when; may be empty.
        remedies: what would help.
    """

    blocks: bool
    text: str
    detail: str = ""
    remedies: tuple[Remedy, ...] = ()


@dataclass(frozen=True, slots=True)
class WhyQuestion:
    """The question why a task is not running: which task, when, and whom to ask for what would help.

    Attributes:
        unheard_since: gives when a device that has missed a sign of life was last heard, on the engine's clock; None:
            it has missed none.
        other_key: gives whether a device is refused for another host key, which can be trusted here.
    """

    task: TaskView
    now: float
    gateway: CommandGateway
    projection: Projection | None = None
    unheard_since: Callable[[str], float | None] = lambda _device_id: None
    other_key: Callable[[str], bool] = lambda _device_id: False

    @property
    def run(self) -> RunView:
        """The run the task is of."""
        return self.task.run

    @property
    def about(self) -> dict[str, Any]:
        """The task as commands about some tasks name it."""
        return {"run_id": self.run.run_id, "task_ids": (self.task.id,)}

    def offer(self, command: c.Command, icon: Icon | None = None, label: str = "") -> tuple[Remedy, ...]:
        """A button that sends a command; it is drawn and called as the command's action, or otherwise."""
        offer = offer_of(command) if icon is None else Offer(label, command, icon)
        return offered(self.gateway, [offer])

    def raise_to(self, count: int, command: c.Command) -> tuple[Remedy, ...]:
        """A button that raises a limit."""
        return self.offer(command, Icon.RAISE, fill(translate("Inspector", "Raise to %1"), count))

    def look(self, task: TaskView) -> Look:
        """A button that selects another task."""
        return Look(fill(translate("Inspector", "Show %1"), task.title), task.number)
