"""A notice about an event that concerns the user, and its kinds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from starloom.model.status import RunState


class NoticeKind(StrEnum):
    """The kind of a notice; each can be switched off."""

    FAILED = "failed"
    ENDED = "ended"
    STALLED = "stalled"
    LOST = "lost"
    WARNED = "warned"
    WAITING = "waiting"
    QUIET = "quiet"


OPTIONAL: Final = frozenset({NoticeKind.QUIET})
"""Kinds that are told only if the user wants them."""
_STATES: Final = frozenset({NoticeKind.WAITING, NoticeKind.STALLED, NoticeKind.QUIET})
"""Kinds that tell of what goes on, until it is over."""
OF_TASKS: Final = frozenset({NoticeKind.FAILED, NoticeKind.WARNED, NoticeKind.QUIET})
"""Kinds that are about tasks, of which several join one notice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A notice about an event that concerns the user.

    Attributes:
        number: its own, in order.
        at: when, in seconds since 1970, as the clock of a server that is started again is another one; of a burst, when
            the last part of it happened.
        run: what the run is called.
        ids: of the tasks, at most the first few; or of the device, or the agent.
        names: what people call these.
        count: of how many tasks, or proposals, it tells.
        why: the reason, as far as there is one.
        state: what the run ended as.
        done, failed, cancelled: how many tasks of an ended run did so.
        simulated: how many of those that are done have not run, as a simulated device took them.
        is_waited_for: whether a device cannot be reached, and what runs there does not count as lost yet.
        is_over: whether that what it tells of went on, and does not any more.
        is_seen: whether the user has looked at the list since.
    """

    number: int
    kind: NoticeKind
    at: float
    run_id: str
    run: str = ""
    ids: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    count: int = 1
    why: str = ""
    state: RunState = RunState.COMPLETED
    done: int = 0
    failed: int = 0
    cancelled: int = 0
    simulated: int = 0
    is_waited_for: bool = False
    is_over: bool = False
    is_seen: bool = False

    @property
    def goes_on(self) -> bool:
        """Whether it tells of a state, which is not over."""
        return (self.kind in _STATES or self.is_waited_for) and not self.is_over

    @property
    def task_id(self) -> str:
        """The task to show; empty: there is none."""
        return self.ids[0] if self.kind in OF_TASKS else ""
