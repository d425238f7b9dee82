"""`starloom devices`: the devices of the running program, from the fleet's journal."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from starloom.cli.screen import plain
from starloom.errors import StarloomError, nearest
from starloom.journal.base import JournalError
from starloom.journal.lock import holder_of
from starloom.journal.requests import request_try_again
from starloom.journal.stream_file import StreamFile
from starloom.model.status import Breaker, DeviceStatus
from starloom.scheduling.fold.apply import fold
from starloom.scheduling.state.device_facts import device_word
from starloom.scheduling.state.folded_run import FoldedRun
from starloom.scheduling.state.reservations import ReservationTarget
from starloom.server.client import EngineClient
from starloom.server.connecting import login
from starloom.server.server_lock import is_served
from starloom.settings import journal_path

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.cli.screen import Screen
    from starloom.scheduling.state.device_facts import DeviceFacts
    from starloom.scheduling.state.fleet_facts import FleetFacts

_FILE: Final = "fleet.db"
_CONNECTED: Final = "connected"
_LATE: Final = 2.0
"""Seconds by which a sign of life has to be late until that is said."""


class DeviceState(NamedTuple):
    """The state of one device.

    Attributes:
        since: seconds since 1970 when its state became this one.
        error: what was wrong with it last; empty: nothing since it has worked.
        next_try: seconds since 1970 when it is reached for, or tried, again; None: it can be used, or nobody knows.
        reserved: by whom it is reserved, until when and why; empty: it is not.
        heard: seconds since 1970 when it last gave a sign of life; None: it is asked for none, or no server tells.
        interval: seconds between two that it is asked for; None: likewise.
    """

    id: str
    kind: str
    state: str
    since: float
    error: str
    next_try: float | None
    reserved: str = ""
    heard: float | None = None
    interval: float | None = None


def list_devices(journal: Path | None, screen: Screen, *, as_json: bool) -> int:
    """Print the state of the devices; returns 0.

    Raises:
        JournalError: the fleet's journal cannot be read.
    """
    directory = journal if journal is not None else journal_path()
    states, told_at = device_states(directory)
    if is_served(directory):
        told = asyncio.run(_signs_of_life(directory))
        states = [_with_sign(one, told.get(one.id)) for one in states]
    if as_json:
        return screen.result(json.dumps([one._asdict() for one in states]))
    if not states:
        return screen.result("No program has kept a journal of devices there yet.")
    if holder_of(directory / _FILE) is None:
        screen.note(f"No program runs; this is how the devices stood at {_time(told_at)}.", "yellow")
    wide = max(len(plain(one.id)) for one in states)
    for one in states:
        again = f"  next try {_time(one.next_try)}" if one.next_try is not None else ""
        silent = _silence(one)
        screen.result(f"{plain(one.id):{wide}}  {one.state:12}  since {_time(one.since)}{silent}{again}")
        for more in filter(None, (one.error, one.reserved and f"reserved {one.reserved}")):
            screen.result(f"{'':{wide}}  {plain(more)}")
    return 0


def try_again(device_id: str, journal: Path | None, screen: Screen) -> int:
    """Have the running program reconnect a device now, or suspend it no longer; returns 0.

    A served engine is given the command; `starloom run` looks for a request now and then.

    Raises:
        StarloomError: there is no such device, or no program that could.
    """
    directory = journal if journal is not None else journal_path()
    known = [one.id for one in device_states(directory)[0]]
    if device_id not in known:
        near = nearest(device_id, known)
        guess = f" Did you mean {near!r}?" if near else ""
        raise StarloomError(f"There is no device {device_id!r}.{guess} `starloom devices` lists them.")
    if is_served(directory):
        asyncio.run(_command(directory, {"try_device_again": device_id}))
        return screen.result(f"{device_id} is tried again; `starloom devices` tells what comes of it.")
    holder = holder_of(directory / _FILE)
    if holder is None:
        raise StarloomError("No program runs that could try it; each one reaches for all its devices as it starts.")
    request_try_again(directory, device_id)
    return screen.result(f"Asked {holder} to try {device_id} again; `starloom devices` tells what comes of it.")


class _SignOfLife(NamedTuple):
    at: float
    interval: float | None


async def _signs_of_life(directory: Path) -> dict[str, _SignOfLife]:
    """The last signs of life of devices, by id; nothing, if the server does not tell."""
    with suppress(StarloomError):
        async with EngineClient(directory, login()) as engine:
            told, shift = await engine.report(), time.time() - engine.now()
            return {
                one.device_id: _SignOfLife(one.heard + shift, one.interval)
                for one in told.devices
                if one.heard is not None
            }
    return {}


def _with_sign(one: DeviceState, sign: _SignOfLife | None) -> DeviceState:
    return one if sign is None else one._replace(heard=sign.at, interval=sign.interval)


def _silence(one: DeviceState) -> str:
    """For how long a device that counts as connected has been silent; empty: not for long."""
    if one.heard is None or one.interval is None or one.state != _CONNECTED:
        return ""
    silent = time.time() - one.heard
    return f", last heard {silent:.0f} s ago" if silent > one.interval + _LATE else ""


async def _command(directory: Path, form: Any) -> None:
    async with EngineClient(directory, login()) as engine:
        await engine.command("", form)


def device_states(directory: Path) -> tuple[list[DeviceState], float]:
    """The last states of the devices, and when those were written, in seconds since 1970.

    Args:
        directory: of the journals.

    Raises:
        JournalError: the fleet's journal cannot be read.
    """
    path = directory / _FILE
    if not path.exists():
        return [], 0.0
    folded, wall = FoldedRun(""), 0.0
    since: dict[str, tuple[str, float]] = {}
    with StreamFile(path, "", read_only=True) as file:
        for turn in file.turns():
            wall = turn.wall
            fold(folded, turn.events)
            now = {id: _word(device) for id, device in folded.fleet.devices.items()}
            since = {id: _since(since.get(id), state, wall) for id, state in now.items()}
            at = turn.events[-1].at
    if not wall:
        raise JournalError(f"The journal {path} is empty.")
    return [_state(folded.fleet, one, since[one.id][1], wall - at) for one in folded.fleet.devices.values()], wall


def _since(before: tuple[str, float] | None, state: str, wall: float) -> tuple[str, float]:
    """The state of a device and since when it is in it: that it is reached for changes neither, until that succeeds."""
    is_same = before is not None and state in (before[0], DeviceStatus.CONNECTING)
    return before if before is not None and is_same else (state, wall)


def _state(fleet: FleetFacts, device: DeviceFacts, since: float, shift: float) -> DeviceState:
    is_open = device.breaker is Breaker.OPEN
    due = device.until if is_open else None if device.connected else device.retry_at
    error = device.refusal or ("" if device.connected and not is_open else device.trouble)
    made = fleet.reservations.get(ReservationTarget(device_id=device.id))
    reserved = "" if made is None else f"by {made.holder} until {_time(made.until + shift)}: {made.reason}"
    again = None if due is None else due + shift
    return DeviceState(device.id, device.kind, _word(device), since, error, again, reserved)


def _word(device: DeviceFacts) -> str:
    """The state of a device; whether anything runs on one that can be used, the journals of runs tell and not this."""
    if not device.enabled or device.is_kept_away:
        return device_word(device)
    return _CONNECTED if device.status in (DeviceStatus.IDLE, DeviceStatus.BUSY) else str(device.status)


def _time(seconds: float) -> str:
    then = datetime.fromtimestamp(seconds).astimezone()
    is_today = then.date() == datetime.now().astimezone().date()
    return then.strftime("%H:%M:%S" if is_today else "%Y-%m-%d %H:%M:%S")
