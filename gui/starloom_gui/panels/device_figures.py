"""The figures of a device's card in words: state, load, memory, and throughput."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from starloom.model.status import DeviceStatus
from starloom_gui.text import words
from starloom_gui.text.engine_words import said
from starloom_gui.text.reservation_words import reserved_words
from starloom_gui.text.words import figure, fill, lowered, translate
from starloom_gui.viewmodel.outage_words import card_texts
from starloom_gui.viewmodel.usage_words import AgentCounts, used

if TYPE_CHECKING:
    from starloom_gui.models.device_table import DeviceRow

_GIGABYTE: Final = 1e9
_SILENT: Final = frozenset({DeviceStatus.DISCONNECTED, DeviceStatus.CONNECTING, DeviceStatus.FAILED})


class Unattended(QObject):
    """Counts of tasks that may still run though no program looks after them, or though they count as ended."""

    def short(self, count: int) -> str:
        """The count in short, for a card."""
        return self.tr("%n may still run", "", count)


def is_silent(row: DeviceRow) -> bool:
    """Whether the device has missed so many heartbeats that it was given up; what its card shows is how it was then."""
    return row.heard is not None and row.status in _SILENT


def standing(row: DeviceRow) -> str:
    """A card's second line: `Busy · 1 of 4`, `Suspended · again in 42 s`, `Refused`; of a silent one since when."""
    return standings(row)[0]


def standings(row: DeviceRow) -> tuple[str, ...]:
    """A card's second line from long to short, for the room that there is."""
    is_unattended = bool(row.unattended) and not row.used
    if row.waits is not None and row.enabled and not is_unattended:
        return card_texts(row.silent_since, row.waits, is_refused=bool(row.refusal), is_idle=not row.used)
    return (_heard_standing(row, is_unattended=is_unattended),)


def _heard_standing(row: DeviceRow, *, is_unattended: bool) -> str:
    """The second line of the card of a device that is not waited for."""
    taken = row.used + row.kept + row.unattended
    word = words.device_word(row.status, enabled=row.enabled, taken=taken)
    if is_silent(row) and row.enabled and not is_unattended:
        return fill(translate("Devices", "Last heard %1 ago"), words.ago(max(1.0, row.heard or 0.0)))
    if row.reserved is not None and row.enabled and row.status is DeviceStatus.IDLE and not is_unattended:
        by = translate("Devices", "Reserved by %1 · %2")
        you = translate("Devices", "Reserved by you · %1")
        if row.reserved.is_mine:
            return fill(you, words.ago(row.reserved.left))
        return fill(by, row.reserved.holder, words.ago(row.reserved.left))
    if row.refusal and row.enabled:
        return word  # why is a sentence, which the tooltip has
    if row.left is not None and row.enabled:
        if not row.in_a_row:  # it works, and has said itself until when it wants nothing
            text = said(row.trouble)
            return text[:1].upper() + text[1:]
        return fill(translate("Devices", "%1 · again in %2"), word, words.remaining(row.left))
    if row.is_late and row.enabled and row.heard is not None:
        return fill(translate("Devices", "%1 · last heard %2 ago"), word, words.ago(row.heard))
    if is_unattended:
        return fill(translate("Devices", "%1 · %2"), word, Unattended().short(row.unattended))
    return fill(translate("Devices", "%1 · %2"), word, words.share(row.used + row.kept, row.slots))


def load(row: DeviceRow) -> tuple[str, ...]:
    """The last figure of its load in a long and a short form: `CPU 12 %`, `12 %`.

    Empty: it does not tell, or cannot be reached.
    """
    metrics = row.metrics
    if metrics is None or metrics.cpu is None or row.waits is not None:  # what it was then takes the place of what is
        return ()
    share = words.percent(metrics.cpu)
    return fill(translate("Devices", "CPU %1"), share), share


def memory(row: DeviceRow) -> str:
    """The share of its memory in use: `61 % of 16.0 GB`; says so where the device does not tell."""
    metrics = row.metrics
    if metrics is None or (metrics.memory is None and metrics.memory_used is None):
        return translate("Devices", "not told")
    if metrics.memory is None:
        return fill(translate("Devices", "%1 GB"), figure(f"{(metrics.memory_used or 0) / _GIGABYTE:.3g}"))
    share = words.percent(metrics.memory)
    if metrics.memory_total is None:
        return share
    return fill(translate("Devices", "%1 of %2 GB"), share, figure(f"{metrics.memory_total / _GIGABYTE:.3g}"))


def details(row: DeviceRow, completed: int) -> tuple[tuple[str, str], ...]:
    """The lines of an opened card, as label and value.

    Args:
        row: the device.
        completed: tasks completed there within the last minute.
    """
    nothing = (
        translate("Devices", "tasks of other runs") if row.used else translate("Devices", "nothing")
    )  # in the past
    running = ", ".join(row.running) or nothing
    if row.unattended:
        running = ", ".join((*row.running, Unattended().short(row.unattended)))
    capabilities = ", ".join(row.capabilities)
    both = fill(translate("Devices", "%1 · %2"), row.about, capabilities) if row.about and capabilities else ""
    offers = both or row.about or capabilities or translate("Devices", "none")
    return (
        (translate("Devices", "Runs"), running),
        (translate("Devices", "Memory"), memory(row)),
        (translate("Devices", "Why"), said(row.refusal))
        if row.refusal
        else (translate("Devices", "Done"), done(row, completed)),
        (translate("Devices", "Failures"), failures(row)),
        (translate("Devices", "Offers"), offers),
    )


def done(row: DeviceRow, completed: int) -> str:
    """What was completed on a device within the last minute; of an agent what it has used, as far as it tells that."""
    if row.agents is not None and (row.agents.tokens or row.agents.costs):
        return fill(
            translate("Devices", "%1 · %2"),
            AgentCounts().sessions(row.agents.sessions),
            used(row.agents.tokens, row.agents.costs),
        )
    return fill(translate("Devices", "%1 in the last minute"), words.amount(completed))


def failures(row: DeviceRow) -> str:
    """The number of failed attempts on a device, and its own problem: `3 · device: 5 in a row`."""
    if not row.in_a_row:
        return words.amount(row.failures)
    return fill(translate("Devices", "%1 · device: %2 in a row"), words.amount(row.failures), row.in_a_row)


def _reservation(row: DeviceRow) -> str:
    """By whom a device is reserved, until when and why; empty: it is not."""
    made = row.reserved
    return "" if made is None else lowered(reserved_words(made.holder, made.ends, made.reason, is_mine=made.is_mine))


def description(row: DeviceRow) -> str:
    """The card in one line, for tooltips and screen readers."""
    parts = [row.id, standing(replace(row, unattended=0))]
    if row.unattended:
        parts.append(words.Plurals().may_still_run(row.unattended))
    if row.waits is not None and row.used:
        text = translate("Devices", "what runs there goes on, and counts as lost in %1")
        parts.append(fill(text, words.remaining(row.waits)))
    if is_silent(row):
        parts.insert(1, words.device_word(row.status, enabled=row.enabled))
    parts += load(row)[:1]
    if row.about:
        parts.append(row.about)
    if row.agents is not None:
        counted = AgentCounts().sessions(row.agents.sessions), used(row.agents.tokens, row.agents.costs)
        parts += filter(None, counted)
    if row.heard is not None and not is_silent(row):
        parts.append(fill(translate("Devices", "heard %1 ago"), words.ago(row.heard)))
    if row.failures:
        parts.append(fill(translate("Devices", "failures: %1"), row.failures))
    parts += filter(None, (said(row.refusal), _reservation(row)))
    if row.in_a_row:
        text = translate("Devices", "the device: %1 in a row (%2)")
        parts.append(fill(text, words.Plurals().failures(row.in_a_row), said(row.trouble).rstrip(".")))
    return ", ".join(parts)
