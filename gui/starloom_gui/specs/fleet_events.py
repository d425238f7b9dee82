"""The events of devices and limits: one entry a kind."""

from __future__ import annotations

from typing import Final

from starloom import events as ev
from starloom_gui.specs import notes
from starloom_gui.specs.event_spec import EventSort, EventSpec, about
from starloom_gui.text.engine_words import said
from starloom_gui.text.limit_words import limits_text
from starloom_gui.text.words import Plurals, fill, plain, remaining, translate
from starloom_gui.theme.status_form import StatusForm


def _slots(event: ev.DeviceSlotsSet) -> str:
    if event.slots is None:
        return fill(translate("Events", "%1 has no limit of slots"), event.device_id)
    slots = Plurals().slots(event.slots)
    return fill(translate("Events", "%1 has %2 now"), event.device_id, slots)


def _unattended(event: ev.DeviceUnattended) -> str:
    if not event.count:
        return fill(translate("Events", "%1: what an earlier program left has ended or goes on"), event.device_id)
    text = translate("Events", "%1: %2 that an earlier program left there; slots are kept for them")
    return fill(text, event.device_id, Plurals().may_still_run(event.count))


def _reason(event: ev.DeviceLost | ev.DeviceFaulted | ev.DeviceActionsChanged | ev.BreakerOpened) -> str:
    return plain(said(event.reason).rstrip("."))


def _lost(event: ev.DeviceLost) -> str:
    if event.refused:
        return fill(translate("Events", "%1 is refused: %2"), event.device_id, _reason(event))
    if (left := event.waits_until - event.at) > 0:
        text = translate("Events", "%1 is unreachable, what runs there is waited for %2: %3")
        return fill(text, event.device_id, remaining(left), _reason(event))
    return fill(translate("Events", "%1 does not answer: %2"), event.device_id, _reason(event))


def _faulted(event: ev.DeviceFaulted) -> str:
    return fill(translate("Events", "%1 failed itself: %2"), event.device_id, _reason(event))


def _actions(event: ev.DeviceActionsChanged) -> str:
    changed = translate("Events", "%1 can run other tasks than before")
    text = translate("Events", "%1 cannot run %2: %3") if event.reason else changed
    return fill(text, event.device_id, plain(", ".join(event.unsupported)), _reason(event))


def _suspended(event: ev.BreakerOpened) -> str:
    if not event.failures:
        return fill(translate("Events", "%1 is %2"), event.device_id, _reason(event))
    text = translate("Events", "%1 is suspended for %2 after %3 in a row: %4")
    failures = Plurals().failures(event.failures)
    return fill(text, event.device_id, remaining(event.until - event.at), failures, _reason(event))


def _trusted(event: ev.BreakerClosed) -> str:
    if event.origin:
        return fill(translate("Events", "%1 is tried again"), event.device_id)
    return fill(translate("Events", "%1 works again"), event.device_id)


def _reserved(event: ev.ReservationMade) -> str:
    text = translate("Events", "%1 is reserved for %2")
    return fill(text, _target(event), remaining(event.until - event.at))


def _reservation_ended(event: ev.ReservationEnded) -> str:
    texts = {
        "released": translate("Events", "%1 is no longer reserved by %2"),
        "broken": translate("Events", "The reservation of %1 by %2 was broken"),
    }
    expired = translate("Events", "The reservation of %1 by %2 has expired")
    return fill(texts.get(event.how, expired), _target(event), plain(event.holder))


def _target(event: ev.ReservationMade | ev.ReservationEnded) -> str:
    if event.device_id:
        return plain(event.device_id)
    if not event.reserved_run:
        return translate("Events", "the fleet")
    return fill(translate("Events", "run %1"), plain(event.reserved_run))


FLEET_EVENTS: Final = (
    EventSpec(
        ev.FleetOpened,
        EventSort.FLEET,
        lambda: translate("Events", "Fleet opened"),
        lambda _: translate("Events", "The fleet was opened"),
        notes.everything,
    ),
    EventSpec(
        ev.DeviceAdded,
        EventSort.FLEET,
        lambda: translate("Events", "Device added"),
        about(lambda: translate("Events", "%1 joined the fleet"), "device_id"),
        notes.device,
        is_nobodys=True,
        is_flagged=True,
    ),
    EventSpec(
        ev.DeviceRemoved,
        EventSort.FLEET,
        lambda: translate("Events", "Device removed"),
        about(lambda: translate("Events", "%1 left the fleet"), "device_id"),
        notes.device,
        is_nobodys=True,
        is_flagged=True,
    ),
    EventSpec(
        ev.DeviceConnecting,
        EventSort.FLEET,
        lambda: translate("Events", "Device being reached"),
        about(lambda: translate("Events", "%1 is being reached, attempt %2"), "device_id", "attempt"),
        notes.device,
    ),
    EventSpec(
        ev.DeviceConnected,
        EventSort.FLEET,
        lambda: translate("Events", "Device connected"),
        about(lambda: translate("Events", "%1 is connected"), "device_id"),
        notes.device,
    ),
    EventSpec(
        ev.DeviceLost,
        EventSort.FLEET,
        lambda: translate("Events", "Device lost"),
        _lost,
        notes.device,
        form=StatusForm.FAILED,
    ),
    EventSpec(
        ev.DeviceActionsChanged,
        EventSort.FLEET,
        lambda: translate("Events", "Device runs other tasks"),
        _actions,
        notes.device,
    ),
    EventSpec(ev.DeviceFaulted, EventSort.FLEET, lambda: translate("Events", "Device failed"), _faulted, notes.device),
    EventSpec(
        ev.BreakerOpened, EventSort.FLEET, lambda: translate("Events", "Device suspended"), _suspended, notes.device
    ),
    EventSpec(
        ev.BreakerHalfOpened,
        EventSort.FLEET,
        lambda: translate("Events", "Device on trial"),
        about(lambda: translate("Events", "%1 is on trial: one task at a time until one works"), "device_id"),
        notes.device,
    ),
    EventSpec(
        ev.BreakerClosed,
        EventSort.FLEET,
        lambda: translate("Events", "Device trusted again"),
        _trusted,
        notes.device,
        is_flagged=True,
    ),
    EventSpec(
        ev.DeviceDrained,
        EventSort.FLEET,
        lambda: translate("Events", "Device drained"),
        about(lambda: translate("Events", "%1 takes no new tasks"), "device_id"),
        notes.device,
        is_flagged=True,
        has_reason_apart=True,
    ),
    EventSpec(
        ev.DeviceResumed,
        EventSort.FLEET,
        lambda: translate("Events", "Device takes tasks again"),
        about(lambda: translate("Events", "%1 takes tasks again"), "device_id"),
        notes.device,
        is_flagged=True,
        has_reason_apart=True,
    ),
    EventSpec(
        ev.DeviceDisabled,
        EventSort.FLEET,
        lambda: translate("Events", "Device disabled"),
        about(lambda: translate("Events", "%1 was disabled"), "device_id"),
        notes.device,
        is_flagged=True,
        has_reason_apart=True,
    ),
    EventSpec(
        ev.DeviceEnabled,
        EventSort.FLEET,
        lambda: translate("Events", "Device enabled"),
        about(lambda: translate("Events", "%1 was enabled"), "device_id"),
        notes.device,
        is_flagged=True,
        has_reason_apart=True,
    ),
    EventSpec(
        ev.DeviceSlotsSet,
        EventSort.FLEET,
        lambda: translate("Events", "Slots set"),
        _slots,
        notes.device,
        is_flagged=True,
    ),
    EventSpec(
        ev.DeviceUnattended,
        EventSort.FLEET,
        lambda: translate("Events", "Slots kept for what may still run"),
        _unattended,
        notes.device,
    ),
    EventSpec(
        ev.LimitsChanged,
        EventSort.FLEET,
        lambda: translate("Events", "Limits changed"),
        lambda event: limits_text(event, None),
        notes.limits,
        is_flagged=True,
    ),
    EventSpec(
        ev.ReservationMade,
        EventSort.FLEET,
        lambda: translate("Events", "Reserved"),
        _reserved,
        notes.everything,
        is_flagged=True,
        has_reason_apart=True,
    ),
    EventSpec(
        ev.ReservationEnded,
        EventSort.FLEET,
        lambda: translate("Events", "Reservation ended"),
        _reservation_ended,
        notes.everything,
        is_flagged=True,
        has_reason_apart=True,
    ),
    EventSpec(
        ev.CommandAnswered,
        EventSort.FLEET,
        None,  # what the command has done is told by its own events
        lambda event: fill(translate("Events", "A command of %1 was answered"), event.origin),
        notes.nothing,
    ),
)
