"""Devices that cannot be used: what is told of them, and how long the pauses are before they are reached for again."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from starloom.errors import DeviceRefused
from starloom.orchestration.log_limit import bounded
from starloom.scheduling.stimuli import DeviceLostNoticed

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.errors import DeviceError
    from starloom.orchestration.pump import Pump

FIRST_PAUSE: Final = 1.0
LONGEST_PAUSE: Final = 60.0
REFUSED_PAUSE: Final = 60.0
"""Seconds before a device that refuses us is reached for again; they double. More often might lock the user out."""
LONGEST_REFUSED_PAUSE: Final = 600.0
LONGEST_AWAITED_PAUSE: Final = 120.0
"""The longest of these while something runs there that is lost if it is not reached in time."""
LONGEST_REASON: Final = 2_000
"""Characters of why a device cannot be used."""


def pause_before(attempt: int, jitter: float) -> float:
    """Seconds to wait before the next attempt to connect: doubling, capped, and spread by a jitter of 0 to 1.

    The spread keeps many consoles from reaching for the same machine at the same moment.

    Args:
        attempt: the how many-th attempt failed last, from 1.
        jitter: 0 to 1, drawn anew each time.
    """
    pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(attempt - 1, 30))
    return pause * (0.5 + 0.5 * jitter)


def refused_pause(attempt: int, jitter: float) -> float:
    """Seconds before the next attempt to connect to a device that refuses us, spread likewise.

    Args:
        attempt: the how many-th attempt was refused last, from 1.
        jitter: 0 to 1, drawn anew each time.
    """
    return min(LONGEST_REFUSED_PAUSE, REFUSED_PAUSE * 2.0 ** min(attempt - 1, 30)) * (0.5 + 0.5 * jitter)


class UnavailableDevices:
    """Tells the scheduler of devices that cannot be used, and remembers why some refuse us.

    Args:
        pump: of the engine.
        left: gives the seconds for which a device is still waited for as it was not reached yet; 0: it is not.
    """

    def __init__(self, pump: Pump, left: Callable[[str], float]) -> None:
        self._pump, self._left = pump, left
        self._pauses: dict[str, float] = {}
        self._refused: dict[str, tuple[DeviceRefused, DeviceLostNoticed]] = {}
        self._said: dict[str, str] = {}

    def refusal(self, device_id: str) -> DeviceRefused | None:
        """The error with which a device refused us the last time; None: it did not."""
        return self._refused[device_id][0] if device_id in self._refused else None

    def tell(self, device_id: str, why: DeviceError | str, failed: int, *, lost_after: float = 0.0) -> None:
        """Report to the scheduler that a device is unavailable, and when it will be connected again.

        Args:
            device_id: the device.
            why: the reason; a `DeviceRefused`: it cannot be used until a person does something.
            failed: how many attempts in a row to reach it have failed; 0: it was connected.
            lost_after: seconds for which what runs there is waited for; meanwhile it finds its way back by itself.
        """
        attempt, left, refused = max(1, failed), self._left(device_id), isinstance(why, DeviceRefused)
        pause = refused_pause(attempt, random.random()) if refused else pause_before(attempt, random.random())
        pause = min(pause, LONGEST_AWAITED_PAUSE) if left else pause
        retry_at = None if lost_after else self._pump.clock() + pause
        reason, lost_after = _told(str(why)), lost_after or left
        told = DeviceLostNoticed(device_id, reason, refused=refused, retry_at=retry_at, lost_after=lost_after)
        self.forget(device_id)
        self._pauses[device_id] = pause
        self._said[device_id] = str(why)
        if isinstance(why, DeviceRefused):
            self._refused[device_id] = why, told
        self._pump.post(told)

    def tell_awaited(self, device_id: str) -> None:
        """Report that a device that refuses us is waited for: its next try, which would tell, is a minute away."""
        refusal, told = self._refused.get(device_id, (None, None))
        if refusal is not None and told is not None and not told.lost_after:
            told = replace(told, lost_after=self._left(device_id))
            self._refused[device_id] = refusal, told
            self._pump.post(told)

    def is_news(self, device_id: str, why: DeviceError | None) -> bool:
        """Whether something else was told of a device that does not answer for this reason; None: nobody knows it."""
        return self.refusal(device_id) is not None if why is None else str(why) != self._said.get(device_id)

    def pause_of(self, device_id: str) -> float:
        """Seconds before it is reached for again."""
        return self._pauses.pop(device_id, FIRST_PAUSE)

    def forget(self, device_id: str) -> None:
        """Forget a device, as it is connected, or has left the fleet."""
        self._pauses.pop(device_id, None)
        self._refused.pop(device_id, None)
        self._said.pop(device_id, None)


def _told(reason: str) -> str:
    """A reason as it is told: it may be any text, and stands in the journal."""
    return bounded(" ".join(reason.split()), LONGEST_REASON)
