"""Attempts that earlier programs started: they are taken over, waited for, or their outcome is found."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from starloom.devices.secret_sources import SecretError
from starloom.errors import DeviceError
from starloom.orchestration.attempt_context import AttemptContext, with_secrets
from starloom.orchestration.awaited import once_reached
from starloom.orchestration.json_results import checked
from starloom.orchestration.kept_attempts import key_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping

    from starloom.devices.base import Device, GoOn
    from starloom.model.result import Outcome
    from starloom.model.task import Task
    from starloom.orchestration.attempt_context import AttemptHost
    from starloom.orchestration.kept_attempts import AttemptKey, KeptAttempts
    from starloom.scheduling.instructions import StartTask


class EarlierAttempts:
    """Takes over the attempts of earlier programs.

    Args:
        host: of the contexts of attempts.
        devices: by id, as they are now.
        kept: what attempts keep on disk.

    Attributes:
        found: those that go on once they are ordered to start: what is awaited then, and their contexts.
        reached: returns when a device is connected.
    """

    def __init__(self, host: AttemptHost, devices: Mapping[str, Device], kept: KeptAttempts) -> None:
        self.found: dict[AttemptKey, tuple[GoOn, AttemptContext]] = {}
        self.reached: Callable[[Device], Awaitable[None]]
        self._host = host
        self._devices = devices
        self._kept = kept

    async def reattach(self, order: StartTask) -> bool:
        """Whether an attempt is alive; if it was ordered to start, it then continues.

        Raises:
            DeviceError: nobody can say now whether it is.
        """
        context = AttemptContext(self._host, order)
        device = self._devices[order.device_id]
        go_on = await device.reattach(await self._readable(order, context), context)
        if go_on is not None:
            self.found[key_of(order)] = go_on, context
        return go_on is not None

    def await_device(self, order: StartTask, *, goes_on: bool) -> None:
        """Search for an attempt once its device is connected; one that was ordered to start waits for that.

        Args:
            order: of the attempt.
            goes_on: whether it goes on if it still runs; else it is ended, and counts as interrupted.
        """
        context, device = AttemptContext(self._host, order), self._devices[order.device_id]
        reached, task = partial(self.reached, device), partial(self._readable, order, context)
        abandon = partial(self._kept.abandon, order)
        go_on = partial(once_reached, reached, device, task, context, abandon, goes_on=goes_on)
        self.found[key_of(order)] = go_on, context

    def leave(self, orders: Iterable[StartTask]) -> None:
        """Leave these attempts alone, as their run is not resumed after all."""
        for order in orders:
            self.found.pop(key_of(order), None)
            self._kept.forget(order)

    async def recover(self, order: StartTask) -> Outcome | None:
        """The outcome of an attempt; None: it was interrupted.

        Raises:
            DeviceError: what is left of it cannot be ended.
        """
        context = AttemptContext(self._host, order)
        outcome = await self._devices[order.device_id].recover(await self._readable(order, context), context)
        self._kept.note_end(key_of(order))
        return None if outcome is None else self._host.masks.outcome(checked(outcome))

    async def _readable(self, order: StartTask, context: AttemptContext) -> Task:
        """The task of an attempt, whose secrets are masked once more when its output is read.

        Raises:
            DeviceError: one of them cannot be looked up.
        """
        if not order.task.env:
            return order.task
        try:
            return await with_secrets(order.task, context, self._devices[order.device_id])
        except SecretError as error:
            raise DeviceError(
                f"What {order.task_id!r} has printed cannot be taken over unmasked. {error} Then resume again."
            ) from None
