"""An unreachable device whose attempts are waited for, in words: since when, and for how long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom_gui.text.words import fill, remaining, translate

if TYPE_CHECKING:
    from starloom.scheduling.state.device_facts import DeviceFacts


def seconds_left(device: DeviceFacts | None, now: float) -> float | None:
    """The whole seconds until work on an unreachable device counts as lost; None: it is not waited for.

    Args:
        device: its facts; None: it has gone.
        now: seconds on the engine's clock.
    """
    if device is None or device.connected or device.waits_until <= now:
        return None
    return float(-int((now - device.waits_until) // 1))


def outage_text(since: str, left: float) -> str:
    """`unreachable since 12:31 · lost in 9:32`.

    Args:
        since: the time of day, in words.
        left: seconds.
    """
    return fill(translate("Outages", "unreachable since %1 · lost in %2"), since, remaining(left))


def stopped_later_text(since: str) -> str:
    """`unreachable since 12:31 · stopped once it is back`, of what cannot be told to stop now.

    Args:
        since: the time of day, in words.
    """
    return fill(translate("Outages", "unreachable since %1 · stopped once it is back"), since)


def middle_outage_text(left: float) -> str:
    """The same where there is less room: `unreachable, lost in 9:32`."""
    return fill(translate("Outages", "unreachable, lost in %1"), remaining(left))


def short_outage_text(left: float) -> str:
    """The same where there is little room: `lost in 9:32`."""
    return fill(translate("Outages", "lost in %1"), remaining(left))


def card_texts(since: str, left: float, *, is_refused: bool = False, is_idle: bool = False) -> tuple[str, ...]:
    """The same for a card's second line, from long to short: `Unreachable since 12:31 · lost in 9:32`, `Lost in 9:32`.

    Args:
        since: a time of day.
        left: seconds for which it is still waited for.
        is_refused: whether it answers, and refuses us.
        is_idle: whether nothing runs there that could be lost.
    """
    if is_idle and is_refused:
        return fill(translate("Outages", "Refused since %1"), since), translate("Outages", "Refused")
    if is_idle:
        return fill(translate("Outages", "Unreachable since %1"), since), translate("Outages", "Unreachable")
    if is_refused:
        texts = translate("Outages", "Refused since %2 · lost in %1"), translate("Outages", "Refused, lost in %1")
    else:
        texts = (
            translate("Outages", "Unreachable since %2 · lost in %1"),
            translate("Outages", "Unreachable, lost in %1"),
        )
    return tuple(fill(text, remaining(left), since) for text in (*texts, translate("Outages", "Lost in %1")))
