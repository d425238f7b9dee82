"""Changes of the limits and of the scheduler in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom.events import LimitsChanged
from starloom.model.status import Fence, Placement
from starloom_gui.text.words import figure, fill, remaining, tasks, translate

if TYPE_CHECKING:
    from collections.abc import Callable


def placement_word(placement: str) -> str:
    """A placement in words."""
    return {
        Placement.ROUND_ROBIN: translate("Scheduler", "Round robin"),
        Placement.CAPABILITY_MATCH: translate("Scheduler", "Capability match"),
        Placement.LOAD_BALANCE: translate("Scheduler", "Load balance"),
        Placement.CRITICAL_PATH: translate("Scheduler", "Critical path"),
    }[Placement(placement)]


def fence_word(fence: Fence) -> str:
    """The part of a run that a fence holds back while agents are asked, in a few words."""
    return {
        Fence.GLOBAL: translate("Agents", "nothing starts"),
        Fence.DESCENDANTS: translate("Agents", "what depends on it waits"),
        Fence.SCOPE: translate("Agents", "what they may change waits"),
        Fence.OPTIMISTIC: translate("Agents", "everything goes on, late edits as agreed"),
        Fence.NONE: translate("Agents", "everything goes on"),
    }[fence]


def fence_tip(fence: Fence) -> str:
    """The part of a run that a fence holds back, as a sentence."""
    return {
        Fence.GLOBAL: translate("Agents", "While agents are asked no task of this run starts; what runs goes on."),
        Fence.DESCENDANTS: translate(
            "Agents", "While agents are asked no task starts that depends on one they are asked about."
        ),
        Fence.SCOPE: translate(
            "Agents", "While agents are asked no task starts that one of them may change; without a scope that is any."
        ),
        Fence.OPTIMISTIC: translate(
            "Agents",
            "Tasks start while agents are asked; an agent's terms say what becomes of edits that come too late.",
        ),
        Fence.NONE: translate("Agents", "Tasks start while agents are asked; an edit that comes too late is refused."),
    }[fence]


def limits_text(event: LimitsChanged, before: LimitsChanged | None) -> str:
    """A change of limits as a sentence; without the limits before, those that there are since.

    Args:
        event: tells all limits as they are after it.
        before: the limits as they were.
    """
    if before is None:
        told = limit_parts(event, LimitsChanged(event.seq, event.at, event.run_id))
        said = translate("Events", "Limits changed; since then: %1")
        return fill(said, "; ".join(told)) if told else translate("Events", "Limits changed")
    told = limit_parts(event, before)
    if not told:
        return translate("Events", "Limits set to what they were")
    return fill(translate("Events", "Limits changed: %1"), "; ".join(told))


def limit_parts(event: LimitsChanged, before: LimitsChanged) -> list[str]:
    """Each changed limit in a few words.

    Args:
        event: tells all limits as they are.
        before: the limits as they were.
    """
    return [text for tell in _PARTS if (text := tell(event, before))]


def _most(event: LimitsChanged, before: LimitsChanged) -> str:
    if event.max_concurrency == before.max_concurrency:
        return ""
    if event.max_concurrency is None:
        return translate("Events", "no global limit")
    return fill(translate("Events", "at most %1 at once"), tasks(event.max_concurrency))


def _groups(event: LimitsChanged, before: LimitsChanged) -> str:
    """The limit groups whose limit was changed or removed, in words."""
    other = [
        fill(translate("Events", "limit group %1: %2"), name, count)
        for name, count in event.groups.items()
        if before.groups.get(name) != count
    ]
    gone = [
        fill(translate("Events", "limit group %1: no limit"), name)
        for name in before.groups
        if name not in event.groups
    ]
    return "; ".join(other + gone)


def _queue(event: LimitsChanged, before: LimitsChanged) -> str:
    if event.max_queue == before.max_queue:
        return ""
    if not event.max_queue:
        return translate("Events", "new runs are never refused")
    return fill(translate("Events", "new runs are refused from %1 in the queue on"), tasks(event.max_queue))


def _aging(event: LimitsChanged, before: LimitsChanged) -> str:
    if event.starvation_timeout == before.starvation_timeout:
        return ""
    if event.starvation_timeout <= 0:
        return translate("Events", "waiting tasks do not age")
    return fill(translate("Events", "starvation time-out %1"), remaining(event.starvation_timeout))


def _placement(event: LimitsChanged, before: LimitsChanged) -> str:
    if event.placement == before.placement:
        return ""
    return fill(translate("Events", "placement “%1”"), placement_word(event.placement))


def _patience(event: LimitsChanged, before: LimitsChanged) -> str:
    if event.modification_timeout == before.modification_timeout:
        return ""
    return fill(translate("Events", "agents are waited for up to %1"), remaining(event.modification_timeout))


def _overdue(event: LimitsChanged, before: LimitsChanged) -> str:
    if event.overdue_factor == before.overdue_factor:
        return ""
    if event.overdue_factor <= 0:
        return translate("Events", "nothing is said to be overdue")
    return fill(translate("Events", "overdue beyond %1 times the estimate"), figure(f"{event.overdue_factor:g}"))


_PARTS: Final[tuple[Callable[[LimitsChanged, LimitsChanged], str], ...]] = (
    _most,
    _groups,
    _placement,
    _aging,
    _queue,
    _patience,
    _overdue,
)
