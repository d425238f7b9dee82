"""Reports about devices: connected or lost, what they can do, and their suspension when they fail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom import events as ev
from starloom.model.status import Breaker
from starloom.scheduling.decide.breaker import FailureCount, after_failure, suspension, works
from starloom.scheduling.decide.emission import emit_fleet
from starloom.scheduling.state.timers import TimerPurpose

if TYPE_CHECKING:
    from starloom.model.result import Outcome
    from starloom.scheduling import stimuli
    from starloom.scheduling.state.device_facts import DeviceFacts
    from starloom.scheduling.state.scheduler_state import SchedulerState


def fleet_changed(scheduler: SchedulerState) -> None:
    """Check everything that waits for a device, as devices accept more or less than before."""
    scheduler.placer.fleet_changed()
    for wait_queue in scheduler.placer.wait_queues.values():
        scheduler.queue.wake(wait_queue)


def device_connecting(scheduler: SchedulerState, stimulus: stimuli.DeviceConnectingNoticed) -> None:
    """Note that a device is being connected."""
    if stimulus.device_id in scheduler.fleet.devices:
        emit_fleet(scheduler, ev.DeviceConnecting, stimulus.device_id, stimulus.attempt)


def device_connected(scheduler: SchedulerState, stimulus: stimuli.DeviceConnectedNoticed) -> None:
    """Note that a device is connected; whether it drains or is disabled stays."""
    device = scheduler.fleet.devices.get(stimulus.device_id)
    if device is not None:
        capabilities = device.capabilities if stimulus.capabilities is None else stimulus.capabilities
        emit_fleet(scheduler, ev.DeviceConnected, device.id, tuple(sorted(capabilities)))
        fleet_changed(scheduler)


def device_actions(scheduler: SchedulerState, stimulus: stimuli.DeviceActionsNoticed) -> None:
    """Note which actions a device supports; earlier refusals are forgotten."""
    device = scheduler.fleet.devices.get(stimulus.device_id)
    if device is not None and (device.unsupported or device.actions != stimulus.actions):
        actions = None if stimulus.actions is None else tuple(sorted(stimulus.actions))
        emit_fleet(scheduler, ev.DeviceActionsChanged, device.id, actions)
        fleet_changed(scheduler)


def tasks_unattended(scheduler: SchedulerState, stimulus: stimuli.TasksUnattended) -> None:
    """Keep slots of a device for tasks of earlier programs that may still run there, or give them back."""
    device = scheduler.fleet.devices.get(stimulus.device_id)
    if device is not None and device.unattended != stimulus.count:
        emit_fleet(scheduler, ev.DeviceUnattended, device.id, stimulus.count)
        fleet_changed(scheduler)


def action_refused(scheduler: SchedulerState, device: DeviceFacts, action: str, reason: str) -> None:
    """Note that a device has refused an action: it gets no more tasks of this action."""
    if device.can_do(action):
        actions = None if device.actions is None else tuple(sorted(device.actions))
        unsupported = tuple(sorted({*device.unsupported, action}))
        emit_fleet(scheduler, ev.DeviceActionsChanged, device.id, actions, unsupported, reason)
        fleet_changed(scheduler)


def device_lost(scheduler: SchedulerState, stimulus: stimuli.DeviceLostNoticed) -> None:
    """Record that a device is lost; its attempts end by their own outcomes, once they are no longer waited for."""
    device = scheduler.fleet.devices.get(stimulus.device_id)
    if device is not None:
        # One that refuses us answers: it is not suspended, but waits for a person.
        found = FailureCount(0, None) if stimulus.refused else after_failure(device, scheduler.now)
        if device.waits_until and stimulus.lost_after and stimulus.retry_at is None and not stimulus.refused:
            found = FailureCount(max(1, device.failures), None)  # the same loss, of which more is known by now
        until = scheduler.now + stimulus.lost_after if stimulus.lost_after else 0.0
        said = (stimulus.reason, stimulus.will_reconnect, found.failures, stimulus.refused, stimulus.retry_at, until)
        emit_fleet(scheduler, ev.DeviceLost, device.id, *said)
        _suspend(scheduler, device, found, stimulus.reason)
        fleet_changed(scheduler)


def device_held(scheduler: SchedulerState, stimulus: stimuli.DeviceHeldNoticed) -> None:
    """Suspend a device that works, for as long as it says; after that it is on trial, as one that has failed."""
    device = scheduler.fleet.devices.get(stimulus.device_id)
    until = scheduler.now + stimulus.seconds
    if device is not None and (device.breaker is not Breaker.OPEN or device.until < until):
        _suspend(scheduler, device, FailureCount(0, until), stimulus.reason)


# ---- suspending those that fail, see `breaker`


def attempt_ended_on(scheduler: SchedulerState, device_id: str, outcome: Outcome) -> None:
    """Update the circuit breaker of a device after the end of an attempt."""
    device = scheduler.fleet.devices[device_id]
    shown = works(outcome)
    if shown is False:
        reason = "" if outcome.result.error is None else outcome.result.error.message
        found = after_failure(device, scheduler.now)
        emit_fleet(scheduler, ev.DeviceFaulted, device_id, reason, found.failures)
        _suspend(scheduler, device, found, reason)
    elif shown and device.is_doubted and device.breaker is not Breaker.OPEN:
        trust(scheduler, device)


def fails_alone(scheduler: SchedulerState, device_id: str, reason: str) -> None:
    """Suspend a device on which consecutive tasks fail at once while other devices work; see `doubts`."""
    device = scheduler.fleet.devices[device_id]
    found = FailureCount(scheduler.doubts[device_id], scheduler.now + suspension(device.cool_down, device.openings))
    emit_fleet(scheduler, ev.DeviceFaulted, device_id, reason, found.failures)
    _suspend(scheduler, device, found, reason)


def suspension_over(scheduler: SchedulerState, device_id: str, origin: str = "") -> None:
    """Put a device on trial after its suspension."""
    emit_fleet(scheduler, ev.BreakerHalfOpened, device_id, origin)
    fleet_changed(scheduler)


def set_alarm(scheduler: SchedulerState, device: DeviceFacts) -> None:
    """Set a timer for the end of a device's suspension."""
    if device.breaker is Breaker.OPEN:
        scheduler.set_timer(device.until, TimerPurpose.BREAKER, device.id, 0, 0)


def _suspend(scheduler: SchedulerState, device: DeviceFacts, found: FailureCount, reason: str) -> None:
    if found.until is not None:
        emit_fleet(scheduler, ev.BreakerOpened, device.id, found.until, found.failures, reason)
        set_alarm(scheduler, device)
        fleet_changed(scheduler)


def trust(scheduler: SchedulerState, device: DeviceFacts, origin: str = "") -> None:
    """Forget the failures of a device, as it works."""
    emit_fleet(scheduler, ev.BreakerClosed, device.id, origin)
    fleet_changed(scheduler)
