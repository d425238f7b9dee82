"""Turns that concern tens of thousands of tasks, decided in slices between which the loop goes on.

Such a turn takes a second. It is still one: nothing of it is committed, carried out or published before it is decided
as a whole, and what arrives meanwhile waits for the next. Deciding cannot be suspended in the middle of a function, so
it is done in a thread that stands still except while the loop waits for it: the two never run at the same time.
"""

from __future__ import annotations

import asyncio
import math
import threading
import time
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from starloom.model.result import OutcomeStatus
from starloom.pauses import no_pause
from starloom.scheduling.commands import Command
from starloom.scheduling.stimuli import AttemptEnded
from starloom.scheduling.turn import Turn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from starloom import events as ev
    from starloom.scheduling.scheduler import Scheduler

SLICE: Final = 0.008
"""Seconds of deciding between two iterations of the loop: half a frame."""
_COMPLETED: Final = OutcomeStatus.COMPLETED
LARGE: Final = 5_000
"""Tasks of a run whose commands, and ends other than completion, are decided in slices; each costs 0.03 ms more."""


def is_large(scheduler: Scheduler, arrived: Iterable[object]) -> bool:
    """Whether any of these stimuli may concern many thousands of tasks."""
    for stimulus in arrived:  # every turn asks: a generator would take 3 % of one with a single end
        if isinstance(stimulus, AttemptEnded) and stimulus.outcome.status is _COMPLETED:
            continue  # it concerns the tasks around one
        if _tasks_of(scheduler, stimulus) > LARGE:
            return True
    return False


def _tasks_of(scheduler: Scheduler, stimulus: object) -> int:
    """How many tasks an end or a command may concern; 0: it is about no run, or it is something else."""
    if not isinstance(stimulus, AttemptEnded | Command):
        return 0
    index = scheduler.runs.get(getattr(stimulus, "run_id", ""))
    return len(index.run.status) if index is not None else 0


class LargeTurns:
    """Decides large turns, one at a time, in slices. To be used where a loop runs.

    Args:
        decided: is given a turn once it is decided, with the stimuli it is about.
        failed: is given what deciding raised, with these; that is raised in the loop, too.

    Attributes:
        turn: the one that is being decided, in the middle of which the facts are; None: there is none.
    """

    def __init__(
        self,
        decided: Callable[[Turn, Sequence[Any]], None],
        failed: Callable[[BaseException, Sequence[Any]], None],
    ) -> None:
        self._decided, self._failed = decided, failed
        self._thread: TurnThread | None = None
        self._is_closed = False
        self.turn: SlicedTurn | None = None

    def begin(self, decide: Callable[[Turn], Turn], arrived: Sequence[Any]) -> None:
        """Decide a turn from now on.

        Args:
            decide: as for `SlicedTurn`.
            arrived: what it is about.
        """
        self._thread = self._thread or TurnThread()
        self.turn = SlicedTurn(decide, self._thread)
        self._go_on(self.turn, arrived)

    def _go_on(self, turn: SlicedTurn, arrived: Sequence[Any]) -> None:
        try:
            is_decided = turn.go_on()
        except Exception as error:
            self._end_turn()
            self._failed(error, arrived)
            raise
        if is_decided:
            self._end_turn()
            self._decided(turn.turn, arrived)
        else:
            asyncio.get_running_loop().call_soon(self._go_on, turn, arrived)

    def _end_turn(self) -> None:
        self.turn = None
        if self._is_closed:
            self.close()

    def finish(self) -> None:
        """Decide all the rest at once, so that the facts are those after a whole turn; takes up to a second."""
        if self.turn is not None:
            self.turn.finish()

    def close(self) -> None:
        """End the thread once no turn is being decided there, as no other one follows."""
        self._is_closed = True
        if self._thread is not None and self.turn is None:
            self._thread.close()
            self._thread = None

    async def finished(self) -> None:
        """Return when the facts are those after a whole turn."""
        while self.turn is not None:  # noqa: ASYNC110 - each slice is an iteration of the loop
            await asyncio.sleep(0)


class SlicedTurn:
    """A turn that is decided in slices.

    Args:
        decide: decides it, adding to the events of the turn that it is given.
        thread: where it is done; no other turn is being decided there.

    Attributes:
        turn: its results, once it is decided.
    """

    def __init__(self, decide: Callable[[Turn], Turn], thread: TurnThread) -> None:
        self.turn = Turn(events=_Events(self._rest_if_due), pause=self._rest_if_due)
        self._decide, self._thread = decide, thread
        self._until = 0.0
        self._has_begun = self._is_decided = False
        self._error: BaseException | None = None

    def go_on(self) -> bool:
        """Decide for another `SLICE`; returns whether the turn is decided. Raises what deciding raised."""
        self._go_on(SLICE)
        if self._error is not None:
            raise self._error
        return self._is_decided

    def finish(self) -> None:
        """Decide all the rest at once; what that raises is raised by the next `go_on`."""
        self._go_on(math.inf)

    def _go_on(self, seconds: float) -> None:
        if self._is_decided:
            return
        self._until = time.perf_counter() + seconds
        if self._has_begun:
            self._thread.go_on()
        else:
            self._has_begun = True
            self._thread.begin(self._work)

    def _work(self) -> None:
        try:
            self._decide(self.turn)
            self.turn.events = list(self.turn.events)
        except BaseException as error:  # noqa: BLE001 - the loop raises it
            self._error = error
        self.turn.pause = no_pause
        self._is_decided = True

    def _rest_if_due(self) -> None:
        """Let the loop go on, if the slice is over. Nothing for the loop, which may ask for a decision meanwhile."""
        if time.perf_counter() >= self._until and self._thread.is_current():
            self._thread.rest()


class TurnThread:
    """A thread that only works while another one waits for it. To start one for each turn takes 80 µs more."""

    def __init__(self) -> None:
        self._orders: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._rests: SimpleQueue[None] = SimpleQueue()
        self._thread = threading.Thread(
            target=_carry_out, args=(self._orders, self._rests), name="starloom: large turns", daemon=True
        )
        self._thread.start()

    def begin(self, work: Callable[[], object]) -> None:
        """Have it work; returns once it rests or has ended."""
        self._orders.put(work)
        self._rests.get()

    def go_on(self) -> None:
        """Have it work on, after a rest; returns likewise."""
        self.begin(no_pause)

    def close(self) -> None:
        """End the thread, which has no work."""
        self._orders.put(None)

    def rest(self) -> None:
        """Rest until it is to go on. To be called by its work."""
        self._rests.put(None)
        self._orders.get()

    def is_current(self) -> bool:
        """Whether the caller is its work."""
        return threading.current_thread() is self._thread


def _carry_out(orders: SimpleQueue[Callable[[], object] | None], rests: SimpleQueue[None]) -> None:
    while (work := orders.get()) is not None:
        work()
        del work  # with the facts that it holds, while there is nothing to do
        rests.put(None)


class _Events(list["ev.Event"]):
    """The events of a turn, whose every addition is an occasion to rest."""

    def __init__(self, rest_if_due: Callable[[], None]) -> None:
        super().__init__()
        self._rest_if_due = rest_if_due

    @override
    def append(self, event: ev.Event) -> None:
        super().append(event)
        self._rest_if_due()
