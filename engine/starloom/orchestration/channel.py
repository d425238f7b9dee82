"""The live channel: output and progress of running attempts. They are no events, as nothing folds them."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable

import msgspec

from starloom.orchestration.log_limit import LimitedLog, bounded

_log = logging.getLogger(__name__)


class OutputChunk(msgspec.Struct, frozen=True, gc=False):
    """A piece of the output of an attempt."""

    run_id: str
    task_id: str
    attempt: int
    text: str
    stream: str = "stdout"


class Progress(msgspec.Struct, frozen=True, gc=False):
    """The progress of an attempt by its own report: a share of 0 to 1, and a note."""

    run_id: str
    task_id: str
    attempt: int
    share: float
    note: str = ""


Message = OutputChunk | Progress
Listener = Callable[[Message], None]


class Channel:
    """Sends messages to the present listeners; keeps none."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []
        self._errors = LimitedLog(_log)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call a plain function with each message; returns the function that ends this."""
        self._listeners.append(listener)

        def stop() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return stop

    @property
    def is_listened_to(self) -> bool:
        """Whether anybody would hear a message."""
        return bool(self._listeners)

    def send(self, message: Message) -> None:
        """Send a message to all listeners; an exception of one is logged and does not affect the others."""
        for listener in tuple(self._listeners):
            try:
                listener(message)
            except Exception:  # noqa: BLE001 - a listener's mistake is its own; it is reported
                self._errors.error(listener, f"a listener of the live channel failed: {_told(listener)}")


def _told(listener: Listener) -> str:
    return f"{bounded(repr(listener), 300)}\n{bounded(traceback.format_exc().rstrip())}"
