"""Colours nodes by something other than their status, in muted tones that are no status colours."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

import numpy as np

from starloom.scheduling.read.run_view import TaskView
from starloom_gui.text.words import fill, translate
from starloom_gui.theme.palette import blended

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from starloom_gui.canvas.render_model import GraphRenderModel
    from starloom_gui.theme.palette import Palette

NO_TONE: Final = -1
_SHADES: Final = (0.16, 0.32, 0.5, 0.7, 0.92)
"""How much of the text's colour there is in each step of what has an order."""
_SECONDS: Final = (1.0, 10.0, 60.0, 600.0)
_MOST_DEVICES: Final = 6


class ColourBy(StrEnum):
    """The property of a task that the colour of its node shows."""

    STATUS = "status"
    DURATION = "duration"
    ATTEMPTS = "attempts"
    DEVICE = "device"


def colour_word(by: ColourBy) -> str:
    """The name of the property that colours show."""
    return {
        ColourBy.STATUS: translate("Canvas", "Status"),
        ColourBy.DURATION: translate("Canvas", "Duration"),
        ColourBy.ATTEMPTS: translate("Canvas", "Attempts"),
        ColourBy.DEVICE: translate("Canvas", "Device"),
    }[by]


@dataclass(frozen=True, slots=True)
class Scale:
    """The meaning of the tones of a colouring, for the legend.

    Attributes:
        title: what is told.
        entries: each tone as `#rrggbb`, with its meaning.
    """

    title: str
    entries: tuple[tuple[str, str], ...]


class Colouring:
    """The tone of each node of a render model; a folded group has none, nor has a task without a value yet.

    Attributes:
        by: what the tones tell.
        step: (N,) which tone, or `NO_TONE`.
    """

    def __init__(self, by: ColourBy, picture: GraphRenderModel, now: float) -> None:
        """Compute the tones of all nodes.

        Args:
            by: what the tones tell; not the status.
            picture: of the nodes.
            now: seconds on the run's clock.
        """
        self.by = by
        self._picture = picture
        self._devices = list(picture.facts.fleet.devices)[:_MOST_DEVICES]
        self._has_more = False
        self.step: npt.NDArray[np.int8] = np.full(len(picture), NO_TONE, dtype=np.int8)
        self.follow(range(len(picture)), now)

    def follow(self, rows: Iterable[int], now: float) -> list[int]:
        """Update the tones of nodes; returns those whose tone has changed.

        Args:
            rows: of nodes that may have changed.
            now: seconds on the engine's clock.
        """
        changed = []
        for row in rows:
            step = self._step(int(self._picture.numbers[row]), now) if self._picture.plain[row] else NO_TONE
            if step != self.step[row]:
                self.step[row] = step
                changed.append(row)
        return changed

    def _step(self, number: int, now: float) -> int:
        facts = self._picture.facts
        if not facts.has_last_attempt(number):
            return NO_TONE
        if self.by is ColourBy.DURATION:
            return bisect_right(_SECONDS, TaskView(facts, number).ran_for(now))
        if self.by is ColourBy.ATTEMPTS:
            return min(max(facts.tries[number], 1), len(_SHADES)) - 1
        return self._device_step(facts.device_of[number])

    def _device_step(self, device: str | None) -> int:
        if device is None:
            return NO_TONE
        if device in self._devices:
            return self._devices.index(device)
        if len(self._devices) < _MOST_DEVICES:
            self._devices.append(device)
            return len(self._devices) - 1
        self._has_more = True
        return _MOST_DEVICES

    def tones(self, palette: Palette) -> tuple[str, ...]:
        """The colour of each tone."""
        if self.by is ColourBy.DEVICE:
            return (*palette.kinds, blended(palette.text, palette.canvas, _SHADES[1]))
        return tuple(blended(palette.text, palette.canvas, share) for share in _SHADES)

    def scale(self, palette: Palette) -> Scale:
        """The scale of the tones, for the legend."""
        words = {
            ColourBy.DURATION: _durations,
            ColourBy.ATTEMPTS: _attempts,
            ColourBy.DEVICE: self._device_words,
        }[self.by]()
        return Scale(colour_word(self.by), tuple(zip(self.tones(palette), words, strict=False)))

    def _device_words(self) -> list[str]:
        return [*self._devices, translate("Canvas", "others")] if self._has_more else self._devices


def _durations() -> list[str]:
    return [
        translate("Canvas", "under 1 s"),
        translate("Canvas", "to 10 s"),
        translate("Canvas", "to 1 min"),
        translate("Canvas", "to 10 min"),
        translate("Canvas", "longer"),
    ]


def _attempts() -> list[str]:
    return [*map(str, range(1, len(_SHADES))), fill(translate("Canvas", "%1 or more"), len(_SHADES))]


def ink_on(tone: str, palette: Palette) -> str:
    """The colour of a glyph on a tone: that of the text or of the panel, whichever has more contrast."""
    there = _brightness(tone)
    return max((palette.text, palette.panel), key=lambda each: abs(_brightness(each) - there))


def _brightness(code: str) -> float:
    red, green, blue = (int(code[at : at + 2], 16) for at in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue
