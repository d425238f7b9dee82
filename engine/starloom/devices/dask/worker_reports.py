"""Reports of a worker about a running attempt: its start, its output, its end."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from starloom.devices.dask import worker_side
from starloom.devices.dask.orders import BEGUN, OUTCOME
from starloom.devices.dask.spool import line_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starloom.devices.base import TaskContext
    from starloom.devices.dask.link import DaskLink
    from starloom.devices.output import Output

LONG_WAIT: Final = 0.5
"""Seconds for which an attempt may wait for a thread, or run after that, before anybody needs to hear of its begin."""


class WorkerReports:
    """Receives a worker's reports about an attempt, and forwards them to its context and its output.

    Attributes:
        outcome: how it ended, as it was told; empty: nobody has said so yet.
        ended_ago: how many seconds ago it had ended when it was asked about that; None: it had not.
    """

    def __init__(
        self,
        link: DaskLink,
        address: str,
        order_id: str,
        output: Output,
        context: TaskContext,
        *,
        kept: bool,
        has_timeout: bool,
        waits: bool,
    ) -> None:
        """Reports of an attempt that is ordered now, or was by an earlier program.

        Args:
            link: to its cluster.
            address: of its worker.
            order_id: of its order.
            output: where what it prints is told.
            context: told when it begins, if it waits there before.
            kept: whether it goes on without the link, so that what was missed is to be asked for.
            has_timeout: whether it has one, which is not to run while it waits.
            waits: whether it does, as the threads of its worker are busy.
        """
        self.outcome = ""
        self.ended_ago: float | None = None
        self._link = link
        self._address = address
        self._order_id = order_id
        self._output = output
        self._context = context
        self._is_kept = kept
        self._has_timeout = has_timeout
        self._waits = waits
        self._ordered = time.monotonic()
        self._heard = 0
        self._early: list[Mapping[str, str]] | None = None

    def begin_waiting(self) -> None:
        """Report to the context that the attempt waits, if it does and has a timeout."""
        if self._waits and self._has_timeout:
            self._context.waits()

    def hear(self, said: Mapping[str, str]) -> None:
        """Handle a message of the worker."""
        if self._early is not None:
            self._early.append(said)
            return
        if BEGUN in said:
            self._begin(float(said[BEGUN]))
        if OUTCOME in said:
            self.outcome = said[OUTCOME]
        elif BEGUN not in said:
            self._heard += len(line_of(said["stream"], said["text"])) if self._is_kept else 0
            self._output.feed("stderr" if said["stream"] == "stderr" else "stdout", said["text"].encode())

    def _begin(self, ago: float) -> None:
        """Report the begin of the work some seconds ago, if it has waited long or its timeout runs from then."""
        if self._waits:
            self._waits = False
            if self._has_timeout or time.monotonic() - self._ordered - ago >= LONG_WAIT:
                self._context.begins(ago=ago)

    async def catch_up(self, *, is_expected: bool) -> None:
        """Fetch missed output from the worker, and subscribe to the rest.

        Args:
            is_expected: whether the order is on its way there if it has not begun.

        Raises:
            DeviceError: the worker does not answer.
        """
        self._early = []  # what is told now comes after what was printed before, but may arrive sooner
        try:
            await self._read_output(is_expected=is_expected)
        finally:
            early, self._early = self._early, None
        for said in early:
            self.hear(said)

    async def _read_output(self, *, is_expected: bool) -> None:
        is_all = False
        while not is_all:
            asked = (self._order_id, self._link.topic, self._heard, is_expected)
            read = await self._link.ask(self._address, worker_side.catch_up, *asked)
            self._heard, is_all = read["offset"], read["is_all"]
            for stream, text in read["pieces"]:
                self._output.feed(stream, text.encode())
            self._output.trouble = self._output.trouble or read["trouble"]
        self.ended_ago = read["ended_ago"]
        if read["begun_ago"] is not None:
            self._begin(read["begun_ago"])
        elif is_expected and not self._waits:
            self._waits = True
            self.begin_waiting()
