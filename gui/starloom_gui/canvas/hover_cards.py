"""Highlights the node under the pointer, and shows its card when the pointer rests there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QObject, QPoint, QRect, QTimer
from PySide6.QtGui import QStatusTipEvent

from starloom_gui.canvas.words import badge_words, lock_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.canvas.surface import Surface

HOVER_MS: Final = 500


class HoverCards(QObject):
    """Highlights the node under the pointer, and shows its card when the pointer rests there.

    Args:
        surface: the parts of the canvas.
        is_busy: whether no card is to come for now.
        clock: gives seconds on the run's clock.
    """

    def __init__(self, surface: Surface, is_busy: Callable[[], bool], clock: Callable[[], float]) -> None:
        super().__init__(surface.view)
        self._surface, self._is_busy, self._clock = surface, is_busy, clock
        self._pointer = QPoint()
        self._told = ""
        self._resting = QTimer(self)
        self._resting.setSingleShot(True)
        self._resting.setInterval(HOVER_MS)
        self._resting.timeout.connect(self.show_card)
        surface.pan_zoom.moved.connect(self._resting.stop)

    def follow(self, at: QPoint) -> None:
        """Follow the pointer to a viewport position."""
        self._pointer = at
        self._mark(self._surface.hit_tester.row_at(at))
        self._resting.start()

    def _mark(self, row: int | None) -> None:
        """Highlight a node, and hide the card of another one; None: none is highlighted."""
        shown = self._surface.graph.item.shown
        if row != shown.hovered:
            before, shown.hovered = shown.hovered, row
            self._surface.graph.repaint([each for each in (before, row) if each is not None])
            self._surface.controls.card.hide()
        self.tell_lock()

    def tell_lock(self) -> None:
        """Have the status bar say what the padlock on the node under the pointer means by now."""
        picture, row = self._surface.graph.picture, self._surface.graph.item.shown.hovered
        words = lock_words(picture, row) if picture is not None and row is not None else ""
        if words != self._told:
            self._told = words
            QCoreApplication.sendEvent(self._surface.view, QStatusTipEvent(words))

    def stop(self) -> None:
        """Hide the card until the pointer moves again."""
        self._resting.stop()
        self._surface.controls.card.hide()

    def leave(self) -> None:
        """Hide card and highlight, as the pointer has left the canvas."""
        self.stop()
        self._mark(None)

    def show_card(self) -> None:
        """Show the card of the node or edge under the pointer."""
        picture, graph, at = self._surface.graph.picture, self._surface.graph, self._pointer
        if picture is None or self._is_busy():
            return
        row, card = self._surface.hit_tester.row_at(at), self._surface.controls.card
        if row is not None and row in picture.tallies:
            card.show_group(picture.tallies[row], graph.node_rect(row).toRect())
        elif row is not None:
            badge = self._surface.hit_tester.badge_act_at(at)
            hint = badge_words(badge[1]) if badge is not None else ""
            card.show_task(picture, row, self._clock(), graph.node_rect(row).toRect(), hint)
        elif (edge := self._surface.hit_tester.edge_at(at)) is not None:
            card.show_edge(picture, edge, QRect(at, at))
