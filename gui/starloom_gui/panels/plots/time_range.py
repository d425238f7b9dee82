"""The time range of the plots: the Timeline's while the two are linked, else one of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from starloom_gui.viewmodel.movement import STEP, Movement
from starloom_gui.viewmodel.span import Span

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.widgets.hairline import Hairline


class TimeView(Protocol):
    """A view of time that the plots can be linked to, as the Timeline.

    Attributes:
        movement: which time it shows.
        hairline: the moment that is pointed at.
    """

    movement: Movement
    hairline: Hairline

    def place_unseen(self, width: int) -> None:
        """Set the time range before the view is first shown."""


class TimeRange(QObject):
    """The stretch of time of the plots. Linked, whatever changes here changes there, and the other way round.

    Attributes:
        width: of the plots, in pixels; whoever shows them sets it.
        is_linked: whether it is the other view's.

    Signals:
        moved(): something else is in sight.
        linked_changed(bool): it is the other view's from now on, or no longer.
        following_changed(bool): it follows the present from now on, or no longer.

    Args:
        view: what it can be linked to.
        appearance: whether things may glide.
        present: gives the present, in seconds on the engine's clock.
        parent: its owner.
    """

    moved = Signal()
    linked_changed = Signal(bool)
    following_changed = Signal(bool)

    def __init__(
        self, view: TimeView, appearance: Appearance, present: Callable[[], float], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._view, self._own = view, Movement(appearance, present, self)
        self.width, self.is_linked = 1, True
        for movement in (view.movement, self._own):
            movement.moved.connect(self._pass_on)
            movement.following_changed.connect(self._tell_following)
        view.movement.present_changed.connect(self._tell_present)

    @property
    def _movement(self) -> Movement:
        return self._view.movement if self.is_linked else self._own

    @property
    def _ratio(self) -> float:
        """Pixels of the movement for each of the plots."""
        return self._movement.width / max(1, self.width)

    @property
    def span(self) -> Span:
        """The time that is shown, on the pixels of the plots."""
        span = self._movement.span
        return Span(span.left, span.per_px * self._ratio)

    @property
    def is_following(self) -> bool:
        """Whether it follows the present."""
        return self._movement.is_following

    @property
    def has_present(self) -> bool:
        """Whether there is a present to follow."""
        return self._view.movement.has_present

    def resize(self, width: int) -> None:
        """Show the same time on another width."""
        self.width = max(1, width)
        self._view.place_unseen(self.width)
        if not self.is_linked:
            span, before = self._own.span, self._own.width
            self._own.width = self.width
            self._own.span = Span(span.left, span.per_px * before / self.width)

    def link(self, wanted: bool) -> None:
        """Show the other view's time from now on, or a time of its own, which at first is the same."""
        if wanted == self.is_linked:
            return
        if not wanted:
            own, other = self._own, self._view.movement
            own.width = self.width
            own.span, own.is_following = self.span, other.is_following
        self.is_linked = wanted
        self.linked_changed.emit(wanted)
        self.following_changed.emit(self.is_following)
        self.moved.emit()

    def follow(self, ratio: float) -> None:
        """Keep the present at its pixel; `ratio`: device pixels for each logical one."""
        self._movement.follow(ratio)

    def push(self, px: float) -> None:
        """Move the range to the right by so many pixels."""
        self._movement.pan_to(self._movement.span.panned(px * self._ratio))

    def zoom(self, steps: float, x: float | None = None) -> None:
        """Zoom in by so many steps; the time at `x` stays, or else the present, or the middle.

        Args:
            steps: over 0: larger.
            x: logical pixels from the left edge of the plots; None: the present, or the middle.
        """
        at = self._movement.anchor() if x is None else x * self._ratio
        self._movement.zoom(STEP**steps, at)

    def fit(self, first: float, last: float) -> None:
        """Show a whole stretch of time.

        Args:
            first: seconds on the engine's clock.
            last: seconds on the engine's clock.
        """
        self._movement.glide_to(Span.fitted(first, last, self._movement.width))

    def go_live(self) -> None:
        """Follow the present from now on."""
        self._movement.go_live()

    def _pass_on(self) -> None:
        if self.sender() is self._movement:
            self.moved.emit()

    def _tell_present(self) -> None:
        self.following_changed.emit(self.is_following)

    def _tell_following(self, following: bool) -> None:
        if self.sender() is self._movement:
            self.following_changed.emit(following)
