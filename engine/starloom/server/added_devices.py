"""The devices that clients have added to a server, kept beside its journals for the server that comes after it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from starloom.devices.kinds import make_device
from starloom.errors import PlanError, StarloomError
from starloom.formats import load_fleet, save_fleet

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from pathlib import Path

    from starloom.model.device import DeviceSpec
    from starloom.orchestration.fleet import Fleet

_FILE: Final = "added-devices.yaml"


class AddedDevices:
    """The file of those devices, which changes as clients add and remove them; secrets are left out of it.

    Args:
        journals: the folder of the server's journals, whose `ServerLock` is held.
        tell: is told in a sentence what could not be kept or brought back.

    Attributes:
        specs: those that the servers before this one have kept.
    """

    def __init__(self, journals: Path, tell: Callable[[str], object]) -> None:
        self._path = journals / _FILE
        self._tell = tell
        self._here: set[str] = set()
        self._is_writing = asyncio.Lock()
        self.specs: tuple[DeviceSpec, ...] = ()
        try:
            self.specs = self._read()
        except PlanError as error:
            tell(f"The devices that were added to earlier servers are not brought back: {error}")

    async def bring_back(self, fleet: Fleet, others: Collection[DeviceSpec]) -> tuple[str, ...]:
        """Have them join a fleet again; one that cannot is told of, and kept.

        Args:
            fleet: of the engine.
            others: those that it has been given anew, which come before what was kept under their names.

        Returns:
            The names of those that are back.
        """
        given = {spec.id: spec for spec in others}
        for spec in self.specs:
            if given.get(spec.id, spec) != spec:
                self._tell(
                    f"{spec.id!r} is as it was given to this server, not as a client had added it to an earlier."
                )
        wanted = [spec for spec in self.specs if spec.id not in given]
        await asyncio.gather(*(self._bring_back(fleet, spec) for spec in wanted))
        self.note_there(fleet)
        return tuple(spec.id for spec in wanted if spec.id in self._here)

    async def _bring_back(self, fleet: Fleet, spec: DeviceSpec) -> None:
        try:
            await fleet.add_all([make_device(spec)])
        except StarloomError as error:
            self._tell(
                f"{spec.id!r}, which was added to an earlier server, is not brought back: {error} {self._path}"
                " still has it."
            )

    def note_there(self, fleet: Fleet) -> None:
        """Note which of them a fleet has, so that those that are removed from it are forgotten."""
        self._here = {spec.id for spec in self.specs if fleet.has(spec.id)}

    async def note_changed(self, fleet: Fleet, added: Iterable[DeviceSpec] = ()) -> None:
        """Keep what a client has added to a fleet, and forget what is no longer in it; what cannot be kept is told."""
        added = tuple(added)
        self._here |= {spec.id for spec in added}
        gone = {id for id in self._here if not fleet.has(id)}
        self._here -= gone
        if not added and not gone:
            return
        async with self._is_writing:
            try:
                left_out = await asyncio.to_thread(self._rewrite, {spec.id: spec for spec in added}, gone)
            except (PlanError, OSError) as error:
                named = ", ".join(sorted({spec.id for spec in added} | gone))
                self._tell(f"The next server will not know of what was done to {named}: {error}")
            else:
                for sentence in left_out:
                    self._tell(f"{self._path}: {sentence}")

    def _read(self) -> tuple[DeviceSpec, ...]:
        return load_fleet(self._path)[0] if self._path.exists() else ()

    def _rewrite(self, added: dict[str, DeviceSpec], gone: Collection[str]) -> tuple[str, ...]:
        kept = {spec.id: spec for spec in self._read()} | added
        kept = {id: spec for id, spec in kept.items() if id not in gone}
        if kept:
            return save_fleet(kept.values(), self._path)
        self._path.unlink(missing_ok=True)
        return ()
