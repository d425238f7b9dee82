"""The examples on the welcome page: one card each, with a picture of its graph, its name and a description."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QGridLayout, QWidget
from typing_extensions import override

from starloom_gui.shell.plan_picture import paint_picture
from starloom_gui.text.words import tasks, translate
from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.theme.metrics import NODE_RADIUS
from starloom_gui.theme.palette import colour

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QFocusEvent, QKeyEvent, QPaintEvent

    from starloom_gui.shell.plan_picture import PlanPicture
    from starloom_gui.theme.appearance import Appearance

CARD: Final = (232, 132)
GAP: Final = 12
_COLUMNS: Final = 3
_PICTURE: Final = 88
_PAD: Final = 12


class Example(NamedTuple):
    """A plan that comes with the program.

    Attributes:
        file: its name among the examples.
        name: what its card is called.
        about: what it shows, in a few words.
    """

    file: str
    name: Callable[[], str]
    about: Callable[[], str]


EXAMPLES: Final = (
    Example(
        "hello.yaml",
        lambda: translate("Welcome", "First steps"),
        lambda: translate("Welcome", "one waits for two"),
    ),
    Example(
        "pipeline.yaml",
        lambda: translate("Welcome", "Conditions and retries"),
        lambda: translate("Welcome", "results decide"),
    ),
    Example(
        "demo.yaml",
        lambda: translate("Welcome", "Firmware and lab"),
        lambda: translate("Welcome", "three boards, two limits"),
    ),
    Example(
        "sweep.yaml",
        lambda: translate("Welcome", "Parameter sweep"),
        lambda: translate("Welcome", "five seeds, four steps"),
    ),
    Example(
        "approval.yaml",
        lambda: translate("Welcome", "Approval"),
        lambda: translate("Welcome", "two wait for your word"),
    ),
    Example(
        "rules.yaml",
        lambda: translate("Welcome", "Rules"),
        lambda: translate("Welcome", "grows while it runs"),
    ),
)


class ExampleCard(QAbstractButton):
    """The card of an example. It opens the plan and starts nothing.

    Signals:
        focused(): it has the keyboard focus now.
    """

    focused = Signal()

    def __init__(self, appearance: Appearance, example: Example) -> None:
        super().__init__()
        self._appearance, self.example = appearance, example
        self.picture: PlanPicture | None = None
        self._line = ""
        self.setFixedSize(*CARD)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.show_picture(None)

    def show_picture(self, picture: PlanPicture | None) -> None:
        """Show the picture of the graph and its number of tasks; None: the plan has not been read yet."""
        self.picture = picture
        count = [tasks(picture.tasks)] if picture is not None else []
        self._line = " · ".join([*count, self.example.about()])
        self.setAccessibleName(", ".join([self.example.name(), *count, self.example.about()]))
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(*CARD)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        palette, is_raised = self._appearance.palette, self.underMouse() or self.isDown()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        edge = QPainterPath()
        edge.addRoundedRect(box, NODE_RADIUS, NODE_RADIUS)
        painter.setClipPath(edge)
        painter.fillRect(self.rect(), colour(palette.raised if is_raised else palette.panel))
        painter.fillRect(0, 0, self.width(), _PICTURE, colour(palette.canvas))
        painter.fillRect(0, _PICTURE, self.width(), 1, colour(palette.border))
        painter.setClipping(False)
        if self.picture is not None:
            room = QRectF(_PAD, 8, self.width() - 2 * _PAD, _PICTURE - 16)
            paint_picture(painter, self.picture, room, palette)
        self._paint_words(painter)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(colour(palette.outline if is_raised else palette.border), 1.0))
        painter.drawPath(edge)
        if self.hasFocus():
            painter.setPen(QPen(colour(palette.text), 2.0, Qt.PenStyle.DotLine))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), NODE_RADIUS, NODE_RADIUS)
        painter.end()

    def _paint_words(self, painter: QPainter) -> None:
        palette, room = self._appearance.palette, self.width() - 2 * _PAD
        for role, words, base, ink in (
            (Role.BODY, self.example.name(), _PICTURE + 18, palette.text),
            (Role.SMALL, self._line, _PICTURE + 35, palette.muted),
        ):
            painter.setFont(font(role))
            painter.setPen(colour(ink))
            painter.drawText(_PAD, base, elided(words, QFontMetricsF(font(role)), room))


class ExampleCards(QWidget):
    """The cards of all examples; the arrow keys move between them, Enter opens one.

    Attributes:
        cards: from left to right and top to bottom.

    Signals:
        asked(str): the user wants the example in this file opened.
    """

    asked = Signal(str)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.cards = tuple(ExampleCard(appearance, example) for example in EXAMPLES)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(GAP)
        together = QButtonGroup(self)  # so that Qt moves the focus to the neighbour that lies where an arrow points
        together.setExclusive(False)
        for place, card in enumerate(self.cards):
            together.addButton(card)
            card.clicked.connect(lambda _=False, file=card.example.file: self.asked.emit(file))
            grid.addWidget(card, *divmod(place, _COLUMNS))
