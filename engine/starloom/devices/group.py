"""Groups of devices that come and leave together, as a cluster does."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, NamedTuple

from typing_extensions import override

from starloom.devices.base import Device, TaskContext
from starloom.devices.ended import failed
from starloom.model.result import ErrorCode, Outcome

if TYPE_CHECKING:
    from starloom.model.task import Task


class GroupChange(NamedTuple):
    """A change of a group's members.

    Attributes:
        joined: devices that were not there before, not connected yet.
        left: ids of devices that have gone for good. One that may come back under its id is merely lost, as it says
            itself when it is asked for a sign of life.
        returned: ids of devices that were away and are there again: whoever waits for one need wait no longer.
    """

    joined: tuple[Device, ...] = ()
    left: tuple[str, ...] = ()
    returned: tuple[str, ...] = ()


class DeviceGroup(Device):
    """A device made of devices: it runs no tasks itself, its members join the fleet.

    What can be done with a device before it is in a fleet can be done with a group: made from a spec, compared,
    connected to see whether it can be reached.
    """

    is_elsewhere: bool = True
    """Whether it may come to be reached by itself, so that it is waited for; not what this program starts."""

    def expected(self, device_id: str, slots: int | None) -> Device | None:  # noqa: ARG002 - most know none
        """The member of this id, before the group is connected, where attempts of an earlier program may run.

        Once the group is reached it is one of its members, and none that has joined.

        Args:
            device_id: of the device in the earlier program.
            slots: how many it had.

        Returns:
            None: it cannot be one of its members.
        """
        return None

    @abstractmethod
    async def changed(self) -> GroupChange:
        """Return the next change of the members, once there is one; the first time, all present members.

        Asked of a connected group only, one call at a time. It may be cancelled; nothing is lost then.

        Raises:
            DeviceError: the group cannot be asked now. Ask again later; it finds its way back by itself.
        """

    @abstractmethod
    def forget(self, device_id: str) -> None:
        """Forget that a member has joined: if it is there, the next change has it once more, as a new device.

        Asked while nobody waits for a change, once the member has been taken out of the fleet.
        """

    @override
    async def run(self, task: Task, context: TaskContext) -> Outcome:
        """Refuse the attempt: only a member can run it; a fleet gives a group no tasks."""
        return failed(
            ErrorCode.UNSUPPORTED, f"The group {self.id!r} runs nothing itself; give {task.id!r} to a member."
        )
