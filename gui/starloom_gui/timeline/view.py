"""The timeline: handles mouse, wheel and keys, and shows the selection that all views share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QHelpEvent
from PySide6.QtWidgets import QToolTip
from typing_extensions import override

from starloom_gui.theme.metrics import LANE_COLUMN
from starloom_gui.timeline.area import LaneArea
from starloom_gui.timeline.baseline_bars import OWN
from starloom_gui.timeline.card import card_of
from starloom_gui.timeline.focus import Focus
from starloom_gui.timeline.geometry import AXIS
from starloom_gui.timeline.hits import TimelineHits
from starloom_gui.timeline.key_carry import CARRIES, KeyCarry
from starloom_gui.timeline.mouse_input import MouseInput
from starloom_gui.timeline.moving import Moving
from starloom_gui.timeline.spots import spot_of
from starloom_gui.viewmodel.keys import Scope, pressed
from starloom_gui.viewmodel.movement import STEP
from starloom_gui.widgets.border_scroll import BorderScroll
from starloom_gui.widgets.typed_find import TypedFind

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QWheelEvent
    from PySide6.QtWidgets import QWidget

    from starloom_gui.editing.ordering import Ordering
    from starloom_gui.editing.trial import Trial
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.timeline.model import TimelineModel
    from starloom_gui.timeline.move_bar import MoveBar
    from starloom_gui.timeline.pins import DevicePinning
    from starloom_gui.timeline.spots import Spot
    from starloom_gui.viewmodel.selection import Selection

_SEEN: Final = 24.0
"""Pixels of a bar that have to be in sight once a key has chosen it."""
_PAN: Final = 60.0
_FOREIGN: Final = (
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
)
"""Keys with these belong to somebody else, but for Alt with those of `CARRIES`."""


class TimelineView(LaneArea):
    """Shows a `TimelineModel` and lets users move in it and choose.

    A bar that has not started is dragged to another device's lane to pin its task there, or onto another bar of its
    own device to start before or after that. By keys: Alt+Up and Alt+Down take the current bar to the next device,
    Alt+Left and Alt+Right past the next bar, Return leaves it there, Escape puts it back.

    Signals:
        asked(int): the user wants to see more of this task, with a double click or Enter.

    Args:
        model: what is shown.
        selection: shared with the other views.
        appearance: the colours, and whether things may move.
        clock: the present, in seconds on the engine's clock.
        parent: the widget it lies in.
    """

    asked = Signal(int)

    def __init__(
        self,
        model: TimelineModel,
        selection: Selection,
        appearance: Appearance,
        clock: Callable[[], float],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(model, appearance, clock, parent)
        self._selection = selection
        self._moving: Moving | None = None
        self._carry = KeyCarry(self._show_gesture)
        self._mouse = MouseInput(self, self._grab)
        self._held_at, self._hits = QPointF(), TimelineHits(self)
        self._border = BorderScroll(self._scroll_lanes, self)
        self._focus = Focus(model, selection, self.present, self)
        self._focus.changed.connect(self._focus_changed)
        self._focus.stepped.connect(self._reveal)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Timeline"))
        self.setAccessibleDescription(self.tr("What ran, runs and is foreseen to run, one lane for each slot"))
        self.viewport().setMouseTracking(True)
        TypedFind(self, self._find_typed, appearance, lambda: self.gesture is not None)
        self._focus_changed()

    @property
    def focus(self) -> Spot | None:
        """The bar that keys act on."""
        return self._focus.spot

    def set_pins(self, pins: DevicePinning, trial: Trial | None = None, ordering: Ordering | None = None) -> None:
        """Enable moving bars to other devices and places; to be called once.

        Args:
            pins: may they go to another device, and do it.
            trial: says what a move would change once the bar rests; None: nothing is foreseen.
            ordering: may they start in another order, and do it; None: they cannot.
        """
        self._moving = Moving(self, pins, trial, ordering)
        if trial is not None:
            trial.changed.connect(self.viewport().update)

    @override
    def show_model(self, model: TimelineModel) -> None:
        self._carry.put_back()
        self._focus.show_model(model)
        super().show_model(model)

    # ---- selection

    def _focus_changed(self) -> None:
        spot = self.focus
        self.selected = self._selection.now.numbers
        has_ring = spot is not None and spot.number in self.selected
        self.ring = spot if self.hasFocus() and not has_ring else None
        self.viewport().update()
        if spot is not None and self.hasFocus():
            self.setAccessibleDescription(self._said_of(spot))
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))

    def _said_of(self, spot: Spot) -> str:
        return ". ".join(card_of(self._model, spot, self.present()))

    def _reveal(self) -> None:
        """Scroll to the bar that a key has selected."""
        spot = self.focus
        if spot is None:
            return
        self._show_row(spot.row)
        start = self.span.x_of(spot.bar.start)
        end = self.span.x_of(min(spot.bar.end, max(self.present(), spot.bar.start)))
        if end < _SEEN or start > self.plot_width() - _SEEN:
            self.movement.bring(spot.bar.start)

    def _show_row(self, row: int | None) -> None:
        """Scroll by as little as is needed for a lane to be visible."""
        if row is None:
            return
        lane = self.geometry_now().lane
        top, page = row * lane, max(lane, self.viewport().height() - AXIS)
        bar = self.verticalScrollBar()
        if top < bar.value():
            bar.setValue(top)
        elif top + lane > bar.value() + page:
            bar.setValue(top + lane - page)

    # ---- mouse

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.movement.stop()
        self._carry.put_back()
        self._mouse.press(event.position(), event.button(), event.modifiers())
        self._show_gesture()

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self.hairline.is_shared and at.x() >= LANE_COLUMN:
            self.hairline.move_to(self.span.time_at(at.x() - LANE_COLUMN))
        if self._mouse.move(at):
            self._held_at, gesture, size = at, self._mouse.gesture, self.viewport().size()
            if gesture is not None and gesture.scrolls:
                self._border.follow(at, QRectF(0, AXIS, size.width(), size.height() - AXIS))
            self._show_gesture()

    def _scroll_lanes(self, _dx: int, dy: int) -> None:
        """Update the gesture after scrolling at the upper or lower end."""
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + dy)
        self._mouse.move(self._held_at)
        self._show_gesture()

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        was_left = event.button() == Qt.MouseButton.LeftButton
        if self._mouse.release() and was_left:
            self._click(event)
        self._show_gesture()

    def _grab(self, at: QPointF) -> MoveBar | None:
        """The bar there, taken up and selected; None: there is none that can be moved."""
        spot = self._hits.spot_at(at)
        bar = self._moving.begin(spot) if self._moving is not None else None
        if bar is not None and spot is not None:
            self._focus.choose(spot)
        return bar

    def _show_gesture(self) -> None:
        if self._mouse.gesture is None:
            self._border.stop()
        self.gesture = gesture = self._mouse.gesture or self._carry.bar
        self.viewport().setCursor(gesture.cursor if gesture is not None else Qt.CursorShape.ArrowCursor)
        self.viewport().update()

    def _click(self, event: QMouseEvent) -> None:
        spot = self._hits.spot_at(event.position())
        toggled = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        ghost = self._hits.baseline_bar_at(event.position())
        if spot is not None:
            self._focus.choose(spot, toggled=toggled)
        elif ghost is not None and ghost.run == OWN:
            (self._selection.toggle if toggled else self._selection.select)(ghost.number)
        elif not toggled:
            self._selection.clear()

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        spot = self._hits.spot_at(event.position())
        if spot is not None and spot.number is not None:
            self.asked.emit(spot.number)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta()
        at = event.position()
        if at.x() < LANE_COLUMN:
            super().wheelEvent(event)
            return
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier or abs(turned.x()) > abs(turned.y()):
            by = turned.x() if abs(turned.x()) > abs(turned.y()) else turned.y()
            self.pan_to(self.span.panned(-by / 2), self.scrolled())
        elif turned.y():
            self.movement.zoom(STEP ** (turned.y() / 120), at.x() - LANE_COLUMN)
        event.accept()

    @override
    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self.hairline.move_to(None)
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            self._show_card(event.pos(), event.globalPos())
            return True
        return super().viewportEvent(event)

    def _show_card(self, at: QPoint, shown_at: QPoint) -> None:
        text = self._hits.card_at(QPointF(at))
        if text:
            QToolTip.showText(shown_at, text, self.viewport())
        else:
            QToolTip.hideText()

    # ---- keys

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.pan_to(self.span.panned(_PAN if key == Qt.Key.Key_Right else -_PAN), self.scrolled())
            return
        if event.modifiers() & _FOREIGN == Qt.KeyboardModifier.AltModifier and key in CARRIES:
            self._carry_on(key)
            return
        name = pressed(Scope.TIMELINE, Qt.Key(key), event.modifiers())
        action = self._commands().get(name) if name else None
        if action is None and not event.modifiers() & _FOREIGN:
            action = self._actions().get(key)
        if action is None:
            super().keyPressEvent(event)
            return
        action()

    def _commands(self) -> dict[str, Callable[[], object]]:
        """The functions of the timeline's commands, by their names in `keys.KEYS`."""
        return {"whole": self.fit, "follow": self.go_live, "longer": self.zoom_out, "shorter": self.zoom_in}

    def _actions(self) -> dict[int, Callable[[], object]]:
        keys = Qt.Key
        return {
            keys.Key_Left: lambda: self._focus.along(-1),
            keys.Key_Right: lambda: self._focus.along(1),
            keys.Key_Up: lambda: self._focus.across(-1),
            keys.Key_Down: lambda: self._focus.across(1),
            keys.Key_Home: lambda: self._focus.to_edge(-1),
            keys.Key_End: lambda: self._focus.to_edge(1),
            keys.Key_Return: self._ask,
            keys.Key_Enter: self._ask,
            keys.Key_Escape: self._give_up,
        }

    def _find_typed(self, text: str, step: int) -> bool:
        """Go to the bar of a task whose name matches the typed text."""
        run, wanted, here = self._model.run, text.casefold(), self._focus.number
        numbers = [number for number, task in enumerate(run.graph.tasks) if task and wanted in task.title.casefold()]
        numbers = [number for number in numbers if spot_of(self._model, number) is not None]
        if step == 0:
            later = [number for number in numbers if here is None or number >= here]
        else:
            later = [number for number in numbers if here is None or (number - here) * step > 0]
        if not numbers:
            return False
        self._selection.select((later or numbers)[0 if step >= 0 else -1])
        self._reveal()
        return True

    # ---- moving by keys

    def _carry_on(self, key: int) -> None:
        """Move the current bar to the next device, or past the next bar; no command is sent before Return."""
        if self._mouse.gesture is not None:
            return
        if self._carry.bar is None and self._moving is not None:
            self._carry.bar = self._moving.begin(self.focus)
        self._carry.move(key)
        if self._carry.bar is not None:
            self._show_row(self._carry.bar.row)
            self.setAccessibleDescription(self._carry.bar.words)
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))
        self._show_gesture()

    def _ask(self) -> None:
        if self._carry.put_down():
            return
        number = self._focus.number
        if number is not None:
            self.asked.emit(number)

    def _give_up(self) -> None:
        """Handle Escape: cancel the gesture of the mouse, or else clear the selection."""
        if self._carry.put_back():
            return
        if self._mouse.cancel():
            self._show_gesture()
        else:
            self._selection.clear()

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._focus_changed()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._carry.put_back()
        self._border.stop()
        self._focus_changed()
