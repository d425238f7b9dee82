"""Slots as coroutines: methods of objects that own the tasks they start."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, TypeVarTuple

from PySide6.QtCore import Slot

from starloom_gui.qt_bindings import qasync

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from starloom_gui.event_loop.background_tasks import BackgroundTasks


class OwnsTasks(Protocol):
    """The protocol of an object that may have async slots.

    Attributes:
        background_tasks: what the slots have begun; its owner cancels it when it is closed.
    """

    background_tasks: BackgroundTasks


_S = TypeVar("_S", bound=OwnsTasks)
_Ts = TypeVarTuple("_Ts")


def async_slot(
    *types: type,
) -> Callable[[Callable[[_S, *_Ts], Coroutine[Any, Any, object]]], Callable[[_S, *_Ts], None]]:
    """`qasync.asyncSlot` whose tasks end with their owner and report their errors to it.

    With qasync's own, nobody holds on to the task, nothing ends it when the console is closed, and what it raises goes
    to `sys.excepthook`. A slot returns at once, also when it is called directly.

    Args:
        types: of the signal's arguments.

    Returns:
        A decorator for coroutine methods of objects with `background_tasks`.
    """

    def decorate(
        method: Callable[[_S, *_Ts], Coroutine[Any, Any, object]],
    ) -> Callable[[_S, *_Ts], None]:
        @functools.wraps(method)
        async def reported(self: _S, *args: *_Ts) -> None:
            try:
                await method(self, *args)
            except Exception as error:  # noqa: BLE001 - any slot: its owner is told
                self.background_tasks.fail(error)

        begin = qasync.asyncSlot(*types)(reported)

        @Slot(*types)
        @functools.wraps(method)
        def slot(self: _S, *args: *_Ts) -> None:
            self.background_tasks.adopt(begin(self, *args))

        return slot

    return decorate
