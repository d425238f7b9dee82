"""Commands about the fleet: devices, slots and limits."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import TYPE_CHECKING, Any, TypeGuard

from msgspec import UNSET

from starloom import events as ev
from starloom.errors import CommandRefused, nearest
from starloom.model.status import Breaker
from starloom.scheduling.decide import expiry, overdue
from starloom.scheduling.decide.device_reports import fleet_changed, suspension_over, trust
from starloom.scheduling.decide.dispatch import group_wait_queue
from starloom.scheduling.decide.emission import emit_fleet
from starloom.scheduling.decide.placement import known_placement
from starloom.scheduling.state.queueing import requeue_run

if TYPE_CHECKING:
    from starloom.scheduling import commands
    from starloom.scheduling.state.device_facts import DeviceFacts
    from starloom.scheduling.state.fleet_facts import Remembered
    from starloom.scheduling.state.scheduler_state import SchedulerState


def find(scheduler: SchedulerState, device_id: str) -> DeviceFacts:
    """The device of a command.

    Raises:
        CommandRefused: there is no such device.
    """
    device = scheduler.fleet.devices.get(device_id)
    if device is None:
        near = nearest(device_id, scheduler.fleet.devices)
        hint = f"Did you mean {near!r}?" if near else "List the fleet to see its devices."
        raise CommandRefused("unknown_device", f"There is no device {device_id!r}.", hint)
    return device


def open_fleet(scheduler: SchedulerState, command: commands.OpenFleet) -> None:
    """Restore the fleet of an earlier program, with none of its devices connected."""
    emit_fleet(scheduler, ev.FleetOpened, command.wall_time)
    expiry.set_timers(scheduler)
    fleet_changed(scheduler)


def add(scheduler: SchedulerState, command: commands.AddDevice) -> None:
    """Add a device to the fleet; an equal one that is there already stays."""
    known = scheduler.fleet.devices.get(command.device_id)
    if known is not None:
        if (known.kind, known.speed) == (command.kind, command.speed) and command.capabilities <= known.capabilities:
            return
        raise CommandRefused(
            "duplicate_device",
            f"There is another device {command.device_id!r} in the fleet.",
            "Give this one its own id, or make the two equal to share it.",
        )
    said = scheduler.fleet.remembered.get(command.device_id)
    emit_fleet(
        scheduler,
        ev.DeviceAdded,
        command.device_id,
        command.kind,
        command.slots,
        tuple(sorted(command.capabilities)),
        command.speed,
        command.connected,
        command.trip_after,
        command.cool_down,
        None if command.actions is None else tuple(sorted(command.actions)),
        command.asks_when_interrupted,
        command.origin,
    )
    if said is not None:
        _say_again(scheduler, command.device_id, said, command.slots)
    fleet_changed(scheduler)


def _say_again(scheduler: SchedulerState, device_id: str, said: Remembered, slots: int | None) -> None:
    """Emit an operator's earlier settings of a device again; slots only if it joins with the same number as then."""
    if said.draining:
        emit_fleet(scheduler, ev.DeviceDrained, device_id, "fleet")
    if not said.enabled:
        emit_fleet(scheduler, ev.DeviceDisabled, device_id, "fleet")
    if said.slots != said.declared == slots:
        emit_fleet(scheduler, ev.DeviceSlotsSet, device_id, said.slots, "fleet")


def check_remove(scheduler: SchedulerState, command: commands.RemoveDevice) -> DeviceFacts:
    """The device that would be removed; changes nothing."""
    return check_unused(scheduler, command.device_id)


def check_unused(scheduler: SchedulerState, device_id: str) -> DeviceFacts:
    """The device, refused if attempts run on it.

    Raises:
        CommandRefused: something does, or there is no such device.
    """
    device = find(scheduler, device_id)
    runs = scheduler.live.values()
    left = sum(index.run.device_of[number] == device_id for index in runs for number in index.run.fetching)
    if device.used or left:
        count = device.used or left
        many = "s" if count > 1 else ""
        raise CommandRefused(
            "device_busy",
            f"Device {device.id!r} still runs {count} task{many}."
            if device.used
            else f"Device {device.id!r} still has what {count} task{many} left, which is being brought here.",
            "Drain it and wait, or cancel what runs there.",
        )
    return device


def remove(scheduler: SchedulerState, command: commands.RemoveDevice) -> None:
    """Remove an unused device from the fleet."""
    device = check_remove(scheduler, command)
    emit_fleet(scheduler, ev.DeviceRemoved, device.id, command.origin)
    fleet_changed(scheduler)


def remove_all(scheduler: SchedulerState, command: commands.RemoveDevices) -> None:
    """Remove unused devices from the fleet or, if one is in use, none."""
    found = [check_unused(scheduler, device_id) for device_id in dict.fromkeys(command.device_ids)]
    for device in found:
        emit_fleet(scheduler, ev.DeviceRemoved, device.id, command.origin)
    fleet_changed(scheduler)


def drain(scheduler: SchedulerState, command: commands.DrainDevice) -> None:
    """Drain a device: it gets no new tasks, running attempts go on."""
    if not find(scheduler, command.device_id).draining:
        emit_fleet(scheduler, ev.DeviceDrained, command.device_id, command.origin, command.reason)
        fleet_changed(scheduler)


def resume(scheduler: SchedulerState, command: commands.ResumeDevice) -> None:
    """Resume a drained device."""
    if find(scheduler, command.device_id).draining:
        emit_fleet(scheduler, ev.DeviceResumed, command.device_id, command.origin, command.reason)
        fleet_changed(scheduler)


def disable(scheduler: SchedulerState, command: commands.DisableDevice) -> None:
    """Disable a device for new tasks."""
    if find(scheduler, command.device_id).enabled:
        emit_fleet(scheduler, ev.DeviceDisabled, command.device_id, command.origin, command.reason)
        fleet_changed(scheduler)


def enable(scheduler: SchedulerState, command: commands.EnableDevice) -> None:
    """Enable a disabled device."""
    if not find(scheduler, command.device_id).enabled:
        emit_fleet(scheduler, ev.DeviceEnabled, command.device_id, command.origin, command.reason)
        fleet_changed(scheduler)


def check_slots(scheduler: SchedulerState, command: commands.SetSlots) -> None:
    """Refuse a number of slots that the device cannot have; changes nothing."""
    find(scheduler, command.device_id)
    if not _is_count(command.slots):
        raise CommandRefused("bad_slots", f"A device cannot have {command.slots!r} slots.", "Give it 0 or more.")


def set_slots(scheduler: SchedulerState, command: commands.SetSlots) -> None:
    """Set how many tasks a device runs at once; running attempts go on."""
    check_slots(scheduler, command)
    emit_fleet(scheduler, ev.DeviceSlotsSet, command.device_id, command.slots, command.origin)
    fleet_changed(scheduler)


def try_again(scheduler: SchedulerState, command: commands.TryDeviceAgain) -> None:
    """End the suspension of a device: its failure count is reset, or it is on trial, as one that held itself back."""
    device = find(scheduler, command.device_id)
    scheduler.doubts.pop(device.id, None)
    if command.on_trial or (device.breaker is Breaker.OPEN and not device.failures):
        if device.breaker is Breaker.OPEN:
            suspension_over(scheduler, device.id, "" if command.on_trial else command.origin)
    elif device.is_doubted:
        trust(scheduler, device, command.origin)


# ---- limits


def set_limits(scheduler: SchedulerState, command: commands.SetLimits) -> None:
    """Change limits of the fleet; lowering one stops nothing."""
    changed = check_limits(scheduler, command)
    fleet = scheduler.fleet
    rekeys = "starvation_timeout" in changed or "placement" in changed
    emit_fleet(scheduler, lambda seq, at, run_id: fleet.limits_event(seq, at, run_id, command.origin, **changed))
    for group in list(scheduler.group_wait_queues):
        scheduler.queue.wake(group_wait_queue(scheduler, group))
    if rekeys:
        scheduler.placer.limits_changed()
        for index in scheduler.live.values():
            index.ranks.clear()
            index.follow_placement()
            requeue_run(scheduler, index)
    if "overdue_factor" in changed:
        for index in scheduler.live.values():
            overdue.watch_all(scheduler, index)
    scheduler.dirty.update(scheduler.live)


def check_limits(scheduler: SchedulerState, command: commands.SetLimits) -> dict[str, Any]:
    """The fleet's limits as they would be; changes nothing.

    Raises:
        CommandRefused: a value cannot be used.
    """
    changed: dict[str, Any] = {}
    if command.max_concurrency is not UNSET:
        count = command.max_concurrency
        changed["max_concurrency"] = None if count is None else _count("max_concurrency", count)
    if command.max_queue is not UNSET:
        changed["max_queue"] = _count("max_queue", command.max_queue)
    if command.starvation_timeout is not UNSET:
        changed["starvation_timeout"] = _seconds("starvation_timeout", command.starvation_timeout)
    if command.placement is not UNSET:
        changed["placement"] = str(known_placement(command.placement))
    if command.modification_timeout is not UNSET:
        changed["modification_timeout"] = seconds_to_wait(command.modification_timeout)
    if command.overdue_factor is not UNSET:
        changed["overdue_factor"] = _factor(command.overdue_factor)
    if command.groups is not UNSET:
        changed["groups"] = _groups(scheduler.fleet.groups, command.groups)
    return changed


def seconds_to_wait(value: object) -> float:
    """A timeout of a command in seconds, checked.

    Raises:
        CommandRefused: it is no time above 0.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < inf:
        raise CommandRefused("bad_timeout", f"A timeout cannot be {value!r}.", "Give a number of seconds above 0.")
    return float(value)


def _factor(value: object) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not (value == 0 or 1 <= value < inf):  # type: ignore[operator]  # a number by now
        hint = "Give how many times its estimate an attempt may run, 1 or more, or 0 for no limit."
        raise CommandRefused("bad_limit", f"overdue_factor cannot be {value!r}.", hint)
    return float(value)  # type: ignore[arg-type]  # likewise


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _count(what: str, value: object) -> int:
    if not _is_count(value):
        raise CommandRefused("bad_limit", f"{what} cannot be {value!r}.", "Give a whole number, 0 or more.")
    return value


def _seconds(what: str, value: object) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0 <= value < inf:  # type: ignore[operator]  # a number by now; NaN is in no range
        raise CommandRefused("bad_limit", f"{what} cannot be {value!r}.", "Give seconds, 0 or more.")
    return float(value)  # type: ignore[arg-type]  # likewise


def _groups(known: Mapping[str, int], changes: object) -> dict[str, int]:
    if not isinstance(changes, Mapping):
        raise CommandRefused(
            "bad_limit", f"The limits of limit groups cannot be {changes!r}.", "Give a number, or none, for each name."
        )
    groups = dict(known)
    for name, count in changes.items():
        if not isinstance(name, str) or not name:
            raise CommandRefused(
                "bad_limit", f"A limit group cannot be named {name!r}.", "Give it a name of some letters."
            )
        if count is None:
            groups.pop(name, None)
        else:
            groups[name] = _count(f"The limit of limit group {name!r}", count)
    return groups
