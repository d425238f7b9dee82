"""The time range of the timeline, moved by the user, or with the present while that is followed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation, Signal

from starloom_gui.theme.metrics import MOVE_MS
from starloom_gui.viewmodel.span import Span

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.theme.appearance import Appearance

STEP: Final = 1.25
"""How much larger a step of zooming makes everything."""
PINNED: Final = 0.75
"""Where the present stays while it is followed, as a share of the plot's width."""
_LED_TO: Final = 0.25
"""How much of the width before a past moment has to be in sight, if anything of the run happened there."""
_FIRST_SECONDS: Final = 300.0
"""What is shown before anything is known."""


class Movement(QObject):
    """The visible range of time. It never zooms by itself, and moves by itself only while it follows the present.

    Attributes:
        span: which time is shown.
        width: of the plot, in pixels; whoever shows it sets it.
        is_following: whether it follows the present.
        is_touched: whether the user has chosen what is in sight, since it was placed.
        has_present: whether there is a present to follow: the run goes on, and is not looked back into.
        is_whole: whether all of the run was shown last, and nobody has moved or zoomed since.

    Signals:
        moved(): something else is in sight.
        following_changed(bool): it follows the present from now on, or no longer.
        present_changed(bool): there is a present to follow now, or none any more.

    Args:
        appearance: whether things may glide.
        present: the present, in seconds on the engine's clock.
        parent: its owner.
    """

    moved = Signal()
    following_changed = Signal(bool)
    present_changed = Signal(bool)

    def __init__(self, appearance: Appearance, present: Callable[[], float], parent: QObject) -> None:
        super().__init__(parent)
        self.span = Span(0.0, 1.0)
        self.width = 1
        self.is_following = True
        self.is_touched = self.is_whole = self.has_present = False
        self._appearance = appearance
        self._present = present
        self._pin = PINNED
        self._from = self._to = self.span
        self._glide = QVariantAnimation(self)
        self._glide.setStartValue(0.0)
        self._glide.setEndValue(1.0)
        self._glide.setDuration(MOVE_MS)
        self._glide.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._glide.valueChanged.connect(self._on_the_way)

    # ---- by itself

    def place(self, extent: tuple[float, float] | None) -> None:
        """Set the first range of a run: all of it, or, before its start, the next minutes."""
        self.stop()
        if extent is not None:
            self.span = Span.fitted(*extent, self.width)
        else:
            self.span = Span(self._present(), _FIRST_SECONDS / self.width).panned(-24)
        self._set_following(True)
        self._go_on_from(self.span)
        self.is_touched, self.is_whole = False, extent is not None

    def resize(self, width: int, whole: tuple[float, float] | None) -> None:
        """Change the width in pixels.

        Args:
            width: of the plot, in pixels.
            whole: the times between which everything is, if all of that is to be in sight again.
        """
        if width != self.width:
            self.width = width
            if whole is not None:
                self.stop()
                self._show(Span.fitted(*whole, width))

    def set_present(self, *, there: bool) -> None:
        """Set whether there is a present to follow."""
        if there is not self.has_present:
            self.has_present = there
            self.present_changed.emit(there)

    def follow(self, ratio: float = 1.0) -> None:
        """Keep the present at its pixel, if it would be to the right of that, or out of sight at the left.

        There it is where a server that was started again has another clock.

        All moves by whole device pixels: bars keep their widths and distances, which else would flicker on the way.

        Args:
            ratio: device pixels for each logical one.
        """
        if not self.is_following or self._glide.state() == QVariantAnimation.State.Running:
            return
        x, pinned = self.span.x_of(self._present()), self._pin * self.width
        ahead = round(x * ratio) - round(pinned * ratio)
        if ahead > 0 or x < 0:
            self.span = self.span.panned(ahead / ratio)

    def keep_in_sight(self, moment: float, begun: float) -> None:
        """Scroll at once to a moment of the past that is shown, if it is out of sight, or what led to it is.

        Args:
            moment: in seconds on the engine's clock.
            begun: when the run was started; nothing was before that.
        """
        least = 0.0 if self.span.left <= begun else _LED_TO * self.width
        if least <= self.span.x_of(moment) <= self.width or self._glide.state() == QVariantAnimation.State.Running:
            return
        self.is_whole = False
        self._show(self.span.with_at(moment, PINNED * self.width))

    # ---- as the user says

    def stop(self) -> None:
        """Stop moving, as the user takes over."""
        self._glide.stop()

    def pan_to(self, span: Span) -> None:
        """Show the range to which the user has moved; the present is no longer followed."""
        self.stop()
        self.is_touched = True
        if span != self.span:
            self.is_whole = False
            self._set_following(False)
            self._show(span)

    def zoom(self, factor: float, x: float) -> None:
        """Zoom in, keeping the time at `x`.

        Args:
            factor: over 1: larger.
            x: logical pixels from the left edge of the plot.
        """
        self.stop()
        self.is_touched, self.is_whole = True, False
        span = self.span.zoomed(factor, x)
        self._go_on_from(span)
        self._show(span)

    def glide_to(self, span: Span, *, is_whole: bool = False) -> None:
        """Glide to the range that the user has chosen; `is_whole`: that is all of the run."""
        self.is_touched, self.is_whole = True, is_whole
        self._go_on_from(span)
        self._set_off(span)

    def bring(self, at: float) -> None:
        """Scroll to a time, at a quarter of the width; the present is no longer followed."""
        self.is_touched, self.is_whole = True, False
        self._set_following(False)
        self._set_off(self.span.with_at(at, self.width * 0.25))

    def go_live(self) -> None:
        """Follow the present from now on, wherever one has been."""
        self._pin = PINNED
        self._set_following(True)
        self.is_whole = False
        now, pinned = self._present(), self._pin * self.width
        if not 0 <= self.span.x_of(now) <= pinned:
            self._set_off(self.span.with_at(now, pinned))

    def anchor(self) -> float:
        """The pixel that stays when zooming without a pointer: the present while it is followed, else the middle."""
        x = self.span.x_of(self._present())
        return x if self.is_following and 0 <= x <= self.width else self.width / 2

    def _go_on_from(self, span: Span) -> None:
        """Follow on from where a zoom has put the present; not if that is out of sight."""
        share = span.x_of(self._present()) / self.width
        if not 0 <= share <= 1:
            self._set_following(False)
        self._pin = min(1.0, max(PINNED, share))

    def _set_off(self, span: Span) -> None:
        self.stop()
        self._from, self._to = self.span, span
        if self._appearance.reduced_motion:
            self._show(span)
        else:
            self._glide.start()

    def _on_the_way(self, share: float) -> None:
        self._show(self._to if share >= 1 else self._from.toward(self._to, share))

    def _show(self, span: Span) -> None:
        self.span = span
        self.moved.emit()

    def _set_following(self, wanted: bool) -> None:
        if wanted != self.is_following:
            self.is_following = wanted
            self.following_changed.emit(wanted)
