"""Leftovers of ended attempts on a machine: processes that could not be ended, and folders."""

from __future__ import annotations

import logging
import posixpath
from typing import TYPE_CHECKING, Final, TypeAlias

from starloom.devices.marker import MAX_MARKER_BYTES, parse_marker
from starloom.devices.ssh import scripts
from starloom.devices.ssh.ending import end_all
from starloom.devices.ssh.errors import LinkLost
from starloom.devices.ssh.record import note_unended, read_record, remove_record
from starloom.devices.ssh.scripts import AttemptPlace
from starloom.devices.ssh.sweeping import Sweeper
from starloom.errors import DeviceError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable
    from pathlib import Path

    from starloom.devices.base import TaskContext
    from starloom.devices.marker import Marker
    from starloom.devices.ssh.address import Address
    from starloom.devices.ssh.link import SshLink
    from starloom.devices.ssh.session import SshSession

ReadRest: TypeAlias = "Callable[[SshSession], Awaitable[None]]"
"""Emits what an attempt has printed since it was lost; raises LinkLost, or OSError if it cannot be read."""
KEPT_DAYS: Final = 7
"""Days without a sign of life after which a folder of ours goes of which nothing is known here."""
_log = logging.getLogger(__name__)


class SshLeftovers:
    """The leftovers on one machine. What this program cannot clean up stays recorded for the next one.

    Args:
        device_id: the device that is the machine.
        address: where it is reached.
        grace: seconds between asking what is left to end and killing it.
        tell_end: told of each attempt of this program that counted as lost and has ended; see `Device.on_late_end`.
    """

    def __init__(
        self,
        device_id: str,
        address: Address,
        grace: float,
        tell_end: Callable[[TaskContext, int | None, float | None], None],
    ) -> None:
        self._device_id = device_id
        self._address = address
        self._grace = grace
        self._tell_end = tell_end
        self._unended: dict[str, tuple[AttemptPlace, TaskContext, ReadRest | None]] = {}
        self._uncleared: list[Path] = []
        self._sweeper = Sweeper()
        self._link: SshLink | None = None

    # ---- what is left

    def abandon(self, place: AttemptPlace, context: TaskContext, why: str, read_rest: ReadRest | None = None) -> None:
        """End what may still run of a lost attempt before the machine is used again, and read what it has printed.

        Args:
            place: of the attempt.
            context: of the attempt.
            why: it counts as lost.
            read_rest: reads that; None: nothing of it is read from there.
        """
        self._unended[place.folder] = place, context, read_rest
        if context.kept is not None:
            note_unended(context.kept, why)

    def leave(self, folder: str) -> None:
        """Remove the folder of an attempt without a record; once it has ended, if it was abandoned."""
        if folder not in self._unended:
            self._sweeper.add(folder, None)

    def release(self, kept: Path) -> None:
        """Remove what is left of an attempt whose end is committed, and then its record here."""
        try:
            record = read_record(kept)
        except DeviceError:
            remove_record(kept)  # nobody can say any more what it was about
            return
        if record is not None and record.is_on(self._address) and record.folder not in self._unended:
            self._sweeper.add(record.folder, kept)

    def give_up(self, kept: Path, why: str) -> None:
        """End what may still run of an earlier program's attempt as soon as the link is up."""
        note_unended(kept, why)
        self._uncleared.append(kept)

    async def clear(self, kept: Path) -> None:
        """End what may still run of an earlier program's abandoned attempt, and remove it.

        What cannot be ended stays on record, and the next program tries anew.
        """
        link = self._link
        if link is None or not link.is_up:
            self._uncleared.append(kept)
            return
        try:
            await self._clear(await link.session(), kept)
        except DeviceError as error:
            _log.info("device %r: an attempt of an earlier program may go on: %s", self._device_id, error)

    async def _clear(self, session: SshSession, kept: Path) -> None:
        record = read_record(kept)
        if record is None or not record.is_on(self._address):
            return
        place = AttemptPlace(record.folder, record.token)
        if record.unended is not None or await _may_run(session, place):
            survivors = await end_all(session, _with_leader(place, await _marker(session, place)), self._grace)
            if survivors:
                names = ", ".join(map(str, survivors))
                raise DeviceError(f"The machine cannot end the processes {names}.")
        self._sweeper.add(record.folder, kept)

    # ---- the link

    async def end(self, session: SshSession) -> None:
        """End the abandoned attempts.

        Raises:
            LinkLost: the link broke.
            DeviceError: something of it cannot be ended.
        """
        while self._unended:
            folder, (place, context, read_rest) = next(iter(self._unended.items()))
            marker = await _marker(session, place)
            code = None if marker is None else marker.code
            ago = None if code is None else await session.seconds_since_written(f"{folder}/marker")
            if place.leader is None:
                place = _with_leader(place, marker)
            if survivors := await end_all(session, place, self._grace):
                names = ", ".join(map(str, survivors))
                told = f"Device {self._device_id!r}: a lost attempt goes on there; end the processes {names}."
                raise DeviceError(told)
            try:
                if read_rest is not None:
                    await read_rest(session)
            except OSError as error:
                _log.info("device %r: some output of a lost attempt is not here: %s", self._device_id, error)
            del self._unended[folder]
            self._sweeper.add(folder, context.kept)
            self._tell_end(context, code, ago)
        while self._uncleared:
            kept = self._uncleared.pop()
            try:
                await self._clear(session, kept)
            except LinkLost:
                self._uncleared.append(kept)
                raise
            except DeviceError as error:
                _log.info("device %r: an attempt of an earlier program may go on: %s", self._device_id, error)

    def begin(self, link: SshLink) -> None:
        """Clean up over this link, until `let_go`; called again, failed removals are retried."""
        self._link = link
        self._sweeper.begin(link)

    async def let_go(self) -> None:
        """Stop cleaning up for now."""
        self._link = None
        await self._sweeper.end()

    @property
    def unended(self) -> int:
        """The number of attempts of this program that count as lost and may still run."""
        return len(self._unended)

    async def sweep_old(self, session: SshSession, state: str, spared: Iterable[Path]) -> None:
        """Remove folders of ours unchanged for `KEPT_DAYS` days, and in which no process lives.

        Args:
            session: a login.
            state: where the folders are.
            spared: the kept files of attempts that somebody may still ask for.

        Raises:
            LinkLost: the link broke.
        """
        names = set()
        for kept in spared:
            try:
                record = read_record(kept)
            except DeviceError:
                return  # it may be any of them
            if record is not None:
                names.add(posixpath.basename(record.folder))
        answers = await session.ask(scripts.still(state, KEPT_DAYS))
        old = [words[1] for words in answers if words[:1] == ["still"] and words[1] not in names]
        for name in old:
            self._sweeper.add(posixpath.join(state, name), None)
        if old:
            _log.info(
                "device %r: folders of %d attempts go that have been still for %d days: %s",
                self._device_id,
                len(old),
                KEPT_DAYS,
                ", ".join(old),
            )


async def _may_run(session: SshSession, place: AttemptPlace) -> bool:
    """Whether an attempt of which no loss is on record has begun and not ended.

    One that ended by itself may have left something in the background on purpose, and so may one whose folder is gone.
    """
    with session.links():
        if not await session.sftp.isdir(place.folder):
            return False
    marker = await _marker(session, place)
    return marker is None or marker.code is None


async def _marker(session: SshSession, place: AttemptPlace) -> Marker | None:
    try:
        return parse_marker(await session.read(f"{place.folder}/marker", MAX_MARKER_BYTES) or b"")
    except OSError:  # there is something else in its place, as of an attempt that was taken back
        return None


def _with_leader(place: AttemptPlace, marker: Marker | None) -> AttemptPlace:
    return place if marker is None else place._replace(leader=marker.pid)
