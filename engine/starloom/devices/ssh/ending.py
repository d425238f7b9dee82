"""Ending the processes of an attempt on the other side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.devices.ssh import scripts
from starloom.errors import DeviceError

if TYPE_CHECKING:
    from starloom.devices.ssh.scripts import AttemptPlace
    from starloom.devices.ssh.session import SshSession


async def end_all(session: SshSession, place: AttemptPlace, grace: float) -> tuple[int, ...]:
    """End all processes of an attempt; the ids of those that the machine cannot end.

    Raises:
        LinkLost: the link broke; the machine goes on with it.
        DeviceError: the machine cannot do it.
    """
    return _left(await session.ask(scripts.end(place, grace)))


async def end_wrapper(session: SshSession, place: AttemptPlace) -> None:
    """Kill only the wrapper of an attempt, and return when it can write no more.

    Raises:
        LinkLost: the link broke.
        DeviceError: it cannot be killed.
    """
    if left := _left(await session.ask(scripts.kill_wrapper(place))):
        raise DeviceError(not_ended(left))


def _left(answers: list[list[str]]) -> tuple[int, ...]:
    for words in answers:
        if words[:1] == ["left"]:
            return tuple(int(word) for word in words[1:])
    raise DeviceError("The shell of the other machine did not do as it was told; its user needs a POSIX /bin/sh.")


def not_ended(survivors: tuple[int, ...]) -> str:
    """The error that these processes of an attempt still run."""
    names = ", ".join(map(str, survivors))
    return f"An interrupted attempt goes on: the machine could not end the processes {names}. End them."
