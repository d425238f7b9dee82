"""Messages between console and worker about one attempt: plain values, so that no objects travel."""

from __future__ import annotations

import os
import secrets
import time
from typing import TYPE_CHECKING, Any, Final

import msgspec
from typing_extensions import override

from starloom.decodable import decodable
from starloom.model.result import Outcome, Result
from starloom.model.task import Task

if TYPE_CHECKING:
    from starloom.devices.base import TaskContext

VERSION: Final = 7
"""Of what is said here; console and worker must agree on it."""

OUTCOME: Final = "outcome"
"""What an event has that tells an attempt's outcome; the others tell its begin, or pieces of its output."""

BEGUN: Final = "begun"
"""What an event has that tells how many seconds ago an attempt has begun."""

_KEY: Final = "starloom-"
_FIELDS: Final = ("id", "shell", "python", "cwd", "upstream")


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """The order to a worker to run an attempt.

    Attributes:
        order_id: what no other attempt is called.
        topic: under which its output is told, and its outcome if that is small.
        task: the fields of the task that its process needs.
        upstream: the results of its parents.
        secrets: what is masked there in all that the attempt prints and leaves behind.
        kept: whether it goes on without a link, and what it prints is kept meanwhile.
        patience: seconds without a sign of life of its program after which it is ended, as no later one will know of
            it; 0: it goes on.
        begin_after: after how many seconds its begin is told, or else with its outcome; None: it does not wait for a
            thread, so nobody asks.
    """

    order_id: str
    topic: str
    run_id: str
    attempt: int
    device_id: str
    slot: int
    task: dict[str, Any]
    upstream: dict[str, Result]
    secrets: tuple[str, ...] = ()
    kept: bool = False
    patience: float = 0.0
    begin_after: float | None = None


class Sealed:
    """An order as bytes. Dask logs the arguments of a task that fails; these show nothing of the order.

    Attributes:
        data: the order.
    """

    __slots__ = ("data",)

    def __init__(self, data: bytes) -> None:
        self.data = data

    @override
    def __repr__(self) -> str:
        return f"<order of {len(self.data)} bytes>"

    @override
    def __reduce__(self) -> tuple[type[Sealed], tuple[bytes]]:
        return Sealed, (self.data,)


def new_order_id() -> str:
    """A unique id of an order, which holds the time of the order."""
    return f"{int(time.time()):x}-{secrets.token_hex(12)}"


def key_of(order_id: str) -> str:
    """The Dask key of an order."""
    return _KEY + order_id


def order_of(key: str) -> str:
    """The order of a Dask key; empty: it is none of ours."""
    return key.removeprefix(_KEY) if key.startswith(_KEY) else ""


def begun_at(key: str) -> float:
    """When an attempt was ordered, in seconds since 1970."""
    return float(int(order_of(key).partition("-")[0], 16))


def write_order(
    order_id: str,
    topic: str,
    task: Task,
    context: TaskContext,
    *,
    kept: bool,
    patience: float = 0.0,
    begin_after: float | None = None,
) -> bytes:
    """The order for an attempt; `kept`, `patience` and `begin_after` as in `Order`.

    Raises:
        TypeError, ValueError, RecursionError: the inputs are not JSON.
    """
    fields: dict[str, Any] = {name: getattr(task, name) for name in _FIELDS}
    fields |= {"command": task.command and list(task.command), "inputs": dict(task.inputs), "env": dict(task.env)}
    order = Order(
        order_id=order_id,
        topic=topic,
        run_id=context.run_id,
        attempt=context.attempt,
        device_id=context.device_id,
        slot=context.slot,
        task=fields,
        upstream=_upstream(context) if task.upstream else {},
        secrets=context.secrets,
        kept=kept,
        patience=patience,
        begin_after=begin_after,
    )
    return msgspec.json.encode(order)


def read_order(data: bytes) -> tuple[Order, Task]:
    """An order, and its task."""
    order = msgspec.json.decode(data, type=decodable(Order))
    return order, Task(**order.task)


def read_outcome(data: bytes | str) -> Outcome:
    """The outcome of an attempt, as the worker sent it."""
    return msgspec.json.decode(data, type=decodable(Outcome))


def _upstream(context: TaskContext) -> dict[str, Result]:
    """The parents' results; their output files, which are here and not there, by their whole path."""
    path = context.output_path
    folder = "" if path is None else os.path.dirname(os.path.abspath(path))
    return {
        task_id: result
        if result.output_file is None
        else msgspec.structs.replace(result, output_file=os.path.join(folder, result.output_file))
        for task_id, result in context.upstream.items()
    }
