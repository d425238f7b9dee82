"""The status bar: the last event, the problems, and how the console keeps up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QPainter
from PySide6.QtWidgets import QLabel, QSizePolicy, QStatusBar, QToolButton, QWidget
from typing_extensions import override

from starloom_gui.shell.fleet_reserved import FleetReserved
from starloom_gui.shell.people_here import PeopleHere
from starloom_gui.text.words import Plurals, amount, fill, moment, tip
from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.theme.forms import glyph_of, ink_of
from starloom_gui.theme.metrics import STATUS_BAR
from starloom_gui.theme.palette import colour
from starloom_gui.theme.status_form import StatusForm

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from starloom_gui.gateway.health import Health
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette


class LastEvent(QWidget):
    """The last event and its time; a long sentence is elided, and the tooltip has all of it."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._when, self._text = "", ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(STATUS_BAR - 4)
        appearance.changed.connect(self.update)

    def show_text(self, text: str, when: str = "") -> None:
        """Show a sentence, and the time before it."""
        if (text, when) != (self._text, self._when):
            self._text, self._when = text, when
            self.setToolTip(tip(text))
            self.setAccessibleName(f"{when} {text}".strip())
            self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(100, STATUS_BAR - 4)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        palette, left = self._appearance.palette, 12.0
        painter = QPainter(self)
        type_face = font(Role.SMALL)
        metrics = QFontMetricsF(type_face)
        painter.setFont(type_face)
        if self._when:
            painter.setPen(colour(palette.muted))
            painter.drawText(QRectF(left, 0, 90, self.height()), Qt.AlignmentFlag.AlignVCenter, self._when)
            left += metrics.horizontalAdvance(self._when) + 12
        painter.setPen(colour(palette.text))
        room = self.width() - left
        words = elided(self._text, metrics, room)
        painter.drawText(QRectF(left, 0, room, self.height()), Qt.AlignmentFlag.AlignVCenter, words)
        painter.end()


class Problems(QToolButton):
    """The button with the number of problems; a click shows them. Without any it is hidden."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._counts = 0, 0
        self.setFont(font(Role.SMALL))
        self.setFixedHeight(STATUS_BAR - 4)
        self.setToolTip(self.tr("Show what is wrong"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.hide()

    def show_counts(self, problems: int, warnings: int) -> None:
        """Show the number of problems; without any, the number of warnings, in a plainer colour."""
        if (problems, warnings) != self._counts:
            self._counts = problems, warnings
            self.setText(self.tr("%n problem(s)", "", problems) if problems else Plurals().warnings(warnings))
            self.setAccessibleName(self.text())
            self.setVisible(bool(problems or warnings))
            self.updateGeometry()
            self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(round(QFontMetricsF(self.font()).horizontalAdvance(self.text())) + 26, STATUS_BAR - 4)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self._appearance.palette
        painter = QPainter(self)
        if self.underMouse() or self.hasFocus():
            painter.fillRect(self.rect(), colour(palette.raised))
        form = StatusForm.FAILED if self._counts[0] else StatusForm.WARNED
        ink = colour(ink_of(form, palette).text)
        glyph_of(form).paint(painter, QRectF(4, (self.height() - 12) / 2, 12, 12), ink)
        painter.setPen(ink)
        painter.setFont(self.font())
        box = QRectF(20, 0, self.width(), self.height())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, self.text())
        painter.end()


class ConsoleStatusBar(QStatusBar):
    """The status bar; why an action is not possible is shown in place of the last event while the pointer rests on it.

    Signals:
        problems_asked(): the user wants to see what is wrong.
    """

    problems_asked = Signal()

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self.setFixedHeight(STATUS_BAR)
        self.setFont(font(Role.SMALL))
        self.setContentsMargins(0, 0, 8, 0)
        self.last = LastEvent(appearance, self)
        self.problems = Problems(appearance, self)
        self.problems.clicked.connect(self.problems_asked)
        self.addWidget(self.last, 1)
        self.addPermanentWidget(self.problems)
        self._address, self._shows_health = "", False
        self._health: Health | None = None
        self.reserved = FleetReserved(appearance, self)
        self.addPermanentWidget(self.reserved)
        self.people = PeopleHere(self)
        self.addPermanentWidget(self.people)
        self.metrics = QToolButton(self)
        self.metrics.setFont(font(Role.SMALL))
        self.metrics.setAutoRaise(True)
        self.metrics.setFixedHeight(STATUS_BAR - 4)
        self.metrics.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.metrics.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._address))
        self.addPermanentWidget(self.metrics)
        self.metrics.hide()
        self._figures = [self._figure(tip) for tip in self._tips()]
        appearance.changed.connect(self._apply_theme)
        self._apply_theme(appearance.palette)
        self.show_health(None)

    def _tips(self) -> list[str]:
        return [
            self.tr("Events that no view has been told yet"),
            self.tr("How long the last picture took: over 16 ms it is not smooth"),
            self.tr("How long a click would have to wait"),
        ]

    def _figure(self, tip: str) -> QLabel:
        label = QLabel(self)
        label.setFont(font(Role.SMALL))
        label.setToolTip(tip)
        label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        label.setContentsMargins(8, 0, 4, 0)
        self.addPermanentWidget(label)
        return label

    def _apply_theme(self, palette: Palette) -> None:
        for label in self._figures:
            label.setStyleSheet(f"color: {palette.muted};")

    # ---- what it shows

    def show_event(self, text: str, wall: float | None = None) -> None:
        """Show what happened last, at a time in seconds since 1970."""
        self.last.show_text(text, "" if wall is None else moment(wall))

    def show_problems(self, problems: int, warnings: int = 0) -> None:
        """Show the number of problems, or else of warnings."""
        self.problems.show_counts(problems, warnings)

    def want_health(self, wanted: bool) -> None:
        """Choose whether it is shown how the console keeps up."""
        self._shows_health = wanted
        self.show_health(self._health)

    def show_health(self, health: Health | None) -> None:
        """Show the delay of the console, if that is enabled; None: no run is executing."""
        self._health = health
        for label in self._figures:
            label.setVisible(health is not None and self._shows_health)
        if health is not None:
            texts = (
                fill(self.tr("backlog %1"), amount(health.backlog)),
                fill(self.tr("frame %1 ms"), round(health.frame * 1000)),
                fill(self.tr("loop %1 ms"), round(health.lag * 1000)),
            )
            for label, text in zip(self._figures, texts, strict=True):
                if label.text() != text:
                    label.setText(text)
                _make_room(label)

    def show_metrics(self, address: str) -> None:
        """Show where the metrics are served, to be copied with a click; empty: they are not."""
        self._address = address
        self.metrics.setText(self.tr("Metrics"))
        self.metrics.setToolTip(tip(fill(self.tr("Metrics at %1; a click copies the address"), address)))
        self.metrics.setAccessibleDescription(address)
        self.metrics.setVisible(bool(address))


def _make_room(label: QLabel) -> None:
    """Let a figure grow with its text and never shrink, which would lay the window out at each frame."""
    wide = label.sizeHint().width()
    if wide > label.minimumWidth():
        label.setFixedSize(wide, STATUS_BAR - 4)
