"""Pins tasks that are dragged from the canvas onto a device: a card of the Devices pane, or a lane of the timeline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from starloom.constellation.edits import UpdateTask
from starloom.scheduling.commands import PinTasks
from starloom_gui.editing.base import Step
from starloom_gui.editing.steps import named
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.words import fill
from starloom_gui.theme.metrics import RADIUS, RING
from starloom_gui.theme.palette import colour
from starloom_gui.widgets.reason_note import note_box, paint_note

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QPaintEvent

    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.editing.trial import Trial
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.viewmodel.device_spot import DeviceSpot


class PinDrag(QObject):
    """Shows during a drag the effect of a drop on a device, and pins the tasks there on release.

    Args:
        view: the canvas; what is said lies over its whole window.
        facts: gives the facts that the user sees.
        gateway: may they be pinned, and does it.
        places: each gives the device at a place of the screen, or None.
        appearance: the colours.
        trial: says what it would change once the pointer rests; None: nothing is foreseen.

    Attributes:
        spot: the device under the pointer; None: there is none.
    """

    def __init__(
        self,
        view: QWidget,
        facts: Callable[[], RunFacts | None],
        gateway: CommandGateway,
        places: Sequence[Callable[[QPoint], DeviceSpot | None]],
        appearance: Appearance,
        trial: Trial | None = None,
    ) -> None:
        super().__init__(view)
        self._view, self._facts, self._gateway, self._places = view, facts, gateway, tuple(places)
        self._appearance, self._trial = appearance, trial
        self.spot: DeviceSpot | None = None
        self._numbers: tuple[int, ...] = ()
        self._verdict = Verdict(True)
        self._screen = QPoint()
        self._overlay: PinOverlay | None = None
        if trial is not None:
            trial.changed.connect(self._show)

    # ---- the drag

    def move(self, numbers: Sequence[int], screen: QPoint) -> bool:
        """Follow the pointer with these tasks; returns whether it is over a device.

        Args:
            numbers: of the tasks.
            screen: where the pointer is on the screen.
        """
        spot = next((found for place in self._places if (found := place(screen)) is not None), None)
        is_other = spot != self.spot or tuple(numbers) != self._numbers
        self.spot, self._numbers, self._screen = spot, tuple(numbers), screen
        if is_other:
            self._judge()
        self._show()
        return spot is not None

    def _judge(self) -> None:
        command = self._command()
        if command is None:
            self._ask(None)
            return
        self._verdict = self._gateway.can(command)
        edits = tuple(UpdateTask(one, device=command.device_id) for one in command.task_ids)
        self._ask(Step(label=self._plain_words(), edits=edits) if self._verdict.ok else None)

    def _ask(self, step: Step | None) -> None:
        if self._trial is not None:
            self._trial.ask(step)

    def _command(self) -> PinTasks | None:
        """The command that pins the tasks to the device they are over; None: they are over none, or removed."""
        facts, spot = self._facts(), self.spot
        if facts is None or spot is None:
            return None
        there = (number for number in self._numbers if facts.graph.tasks[number] is not None)
        ids = tuple(facts.graph.ids[number] for number in there)
        return PinTasks(run_id=facts.run_id, task_ids=ids, device_id=spot.device_id)

    def drop(self) -> None:
        """Pin the tasks to the device they are over, if that is possible."""
        command, is_ok = self._command(), self._verdict.ok
        self.end()
        if command is not None and is_ok:
            self._gateway.do(command)

    def end(self) -> None:
        """Hide the message; nothing has changed."""
        self.spot = None
        self._ask(None)
        self._show()

    # ---- what is said

    @property
    def words(self) -> str:
        """The effect of a drop, or why it is not possible; empty: it is over no device."""
        if self.spot is None:
            return ""
        if not self._verdict.ok:
            return f"{self._verdict.reason} {self._verdict.hint}".strip()
        return "\n".join(filter(None, (self._plain_words(), self._trial.words if self._trial is not None else "")))

    def _plain_words(self) -> str:
        facts = self._facts()
        what = named(facts, self._numbers) if facts is not None else ""
        return fill(self.tr("Run %1 on %2 only"), what, self.spot.device_id if self.spot is not None else "")

    def _show(self) -> None:
        if self.spot is None:
            if self._overlay is not None:
                self._overlay.deleteLater()
                self._overlay.hide()
                self._overlay = None
            return
        if self._overlay is None:
            self._overlay = PinOverlay(self._view.window())
        box = QRectF(self._overlay.mapFromGlobal(self.spot.box.topLeft()), self.spot.box.size())
        at = QPointF(self._overlay.mapFromGlobal(self._screen))
        self._overlay.say(self.words, at, box, self._appearance.palette, wrong=not self._verdict.ok)


class PinOverlay(QWidget):
    """A widget over a window that highlights a device, with a message beside the pointer.

    Args:
        window: what it lies over.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.words = ""
        self._at, self._box, self._wrong = QPointF(), QRectF(), False
        self._palette: Palette | None = None
        self.setGeometry(window.rect())
        self.show()
        self.raise_()

    def say(self, words: str, at: QPointF, box: QRectF, palette: Palette, *, wrong: bool) -> None:
        """Show a message and highlight a device.

        Args:
            words: what would come of it, or why not.
            at: the pointer.
            box: the device.
            palette: the colours.
            wrong: whether it says why not.
        """
        self.words, self._at, self._box, self._palette, self._wrong = words, at, box, palette, wrong
        self.setAccessibleName(words)
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._palette is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self._wrong:
            painter.setPen(QPen(colour(self._palette.text), RING))
            painter.drawRoundedRect(self._box.adjusted(1, 1, -1, -1), RADIUS, RADIUS)
        paint_note(
            painter, self.words, note_box(self.words, self._at, QRectF(self.rect())), self._palette, wrong=self._wrong
        )
        painter.end()
