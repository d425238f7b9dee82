"""The protocol of whoever has a server, as the connections of its clients use it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from starloom.model.device import DeviceSpec
    from starloom.orchestration.handover import Handover
    from starloom.server.listings import Person


class ServerHost(Protocol):
    """The protocol of whoever has the server."""

    @property
    def gives_way(self) -> bool:
        """Whether it hands its runs over to whoever asks."""

    def note_submitted(self, run_id: str, name: str) -> None:
        """Note that a plan of a client of this name runs."""

    async def note_devices(self, added: tuple[DeviceSpec, ...] = ()) -> None:
        """Note the devices that a client has added, or that a command may have removed some."""

    def stop(self, cancel: bool) -> None:
        """Have the server end; returns at once.

        Args:
            cancel: whether its runs are cancelled.

        Raises:
            CommandRefused: it does not end for anybody.
        """

    def people(self) -> tuple[Person, ...]:
        """Those who are connected."""

    def tell_run(self, run_id: str) -> None:
        """Tell all who follow the engine of a run, even if that has ended."""

    def note_present(self) -> None:
        """Note that a client has said who it is, or follows something from now on."""

    async def hand_over(self) -> Handover:
        """Decide nothing more, and have the server end without what runs.

        Raises:
            CommandRefused: it does not give way, or something would be interrupted.
        """
