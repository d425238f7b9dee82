"""The first page: run the demo, begin a plan, open a file, one of those that were opened last, or an example."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QToolButton, QVBoxLayout, QWidget
from typing_extensions import override

from starloom_gui.dialogs.about import own_version
from starloom_gui.shell.example_cards import ExampleCards
from starloom_gui.shell.recent_row import SIDE, WIDTH, RecentRow
from starloom_gui.theme.drawings import Drawing
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.icons import Icon, drawing
from starloom_gui.theme.metrics import RADIUS
from starloom_gui.theme.palette import colour
from starloom_gui.theme.styles import scroll_bars
from starloom_gui.widgets.buttons import VerbButton
from starloom_gui.widgets.theme_changes import Restyling

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from PySide6.QtGui import QDragEnterEvent, QDropEvent, QPaintEvent, QShowEvent

    from starloom_gui.settings import RecentFile
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.widgets.actions import Actions
    from starloom_gui.workspace.running import Going

_BUTTON: Final = 36
MOST_SHOWN: Final = 5
"""The recent files that have a row; the menu has the others."""
LOGO: Final = Drawing(
    lines="M 5 6 L 19 17 L 32 17 M 5 28 L 19 17",
    fill="O 5 6 4.5 O 5 28 4.5 O 19 17 3.5 "
    "M 34 7 C 35 14 36.5 15.7 44 17 C 36.5 18.3 35 20 34 27 C 33 20 31.5 18.3 24 17 C 31.5 15.7 33 14 34 7 Z",
    stroke=2.5,
    grid=46,
)


class _Logo(QWidget):
    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self.setFixedSize(46, 46)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        LOGO.paint(painter, QRectF(0, 6, 46, 46), colour(self._appearance.palette.text))
        painter.end()


class _Underlined(QWidget):
    """A widget with a line below, as wide as those between the files."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        ink = colour(self._appearance.palette.border)
        painter.fillRect(SIDE, self.height() - 1, self.width() - 2 * SIDE, 1, ink)
        painter.end()


class _Launch(VerbButton):
    """A button of this page; the focused one has a dashed ring around it, with a gap."""

    @override
    def sizeHint(self) -> QSize:
        return QSize(self.width_px + 8, _BUTTON + 8)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self._appearance.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.paint_ground(painter, QRectF(self.rect()).adjusted(4.5, 4.5, -4.5, -4.5))
        words = QFontMetricsF(self.font()).horizontalAdvance(self.words())
        left = (self.width() - words - 24) / 2
        if self._shape is not None:
            drawing(self._shape).paint(painter, QRectF(left, (self.height() - 16) / 2, 16, 16), colour(self.ink()))
        painter.setPen(colour(self.ink()))
        painter.setFont(self.font())
        box = QRectF(left + 24, 0, words + 1, self.height())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, self.words())
        if self.hasFocus():
            pen = QPen(colour(palette.text), 2.0)
            pen.setDashPattern([2.0, 1.5])
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), RADIUS + 2, RADIUS + 2)
        painter.end()


class WelcomePage(QWidget):
    """The page that is shown while nothing is open.

    Args:
        actions: `demo`, `new`, `open` and `connect` are used.
        appearance: the colours.
        clock: gives seconds since 1970.
        parent: of the widget.

    Attributes:
        demo: the default button.
        new: begins an empty plan.
        open: asks for a file.
        attach: asks for a server.
        examples: the cards of the examples.

    Signals:
        file_asked(str): the user wants this file opened: a recent or a dropped one.
        clear_asked(): the recent files are to be forgotten.
        shown(): the page comes into sight.
    """

    file_asked = Signal(str)
    clear_asked = Signal()
    shown = Signal()

    def __init__(
        self,
        actions: Actions,
        appearance: Appearance,
        clock: Callable[[], float] = time.time,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._appearance, self._clock = appearance, clock
        self._going: Mapping[str, Going] | None = None
        self.setAcceptDrops(True)
        self.demo = _Launch(appearance, actions["demo"], Icon.RUN, outlined=True)
        self.new = _Launch(appearance, actions["new"], Icon.ADD, outlined=True)
        self.open = _Launch(appearance, actions["open"], Icon.OPEN, outlined=True)
        self.attach = _Launch(appearance, actions["connect_server"], Icon.DEVICE, outlined=True)
        self.demo.width_px, self.new.width_px, self.open.width_px, self.attach.width_px = 140, 132, 124, 140
        for button in (self.demo, self.new, self.open, self.attach):
            button.setFixedHeight(_BUTTON + 8)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.examples = ExampleCards(appearance)
        self._muted: list[QLabel] = []
        self._labels: list[QLabel] = []
        self._column = QVBoxLayout()
        self._rolled = QScrollArea(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._files = QVBoxLayout()
        self._files.setSpacing(0)
        self._build()
        Restyling(self, appearance, self._apply_theme)
        self.show_recent(())
        self.choose_default(knows_plans=False)

    # ---- what it is made of

    def _build(self) -> None:
        middle = QWidget()
        middle.setFixedWidth(WIDTH + 2 * SIDE)
        middle.setLayout(self._column)
        page, rolled, outer = QWidget(), self._rolled, QVBoxLayout(self)
        across = QHBoxLayout(page)
        across.setContentsMargins(0, 0, 0, 0)
        across.addStretch(1)
        across.addWidget(middle)
        across.addStretch(1)
        rolled.setWidget(page)
        rolled.setWidgetResizable(True)
        rolled.setFrameShape(QFrame.Shape.NoFrame)
        rolled.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for card in self.examples.cards:
            card.focused.connect(partial(rolled.ensureWidgetVisible, card))
        for ground in (page, rolled.viewport()):
            ground.setAutoFillBackground(False)
        outer.setContentsMargins(0, 1, 0, 0)
        outer.addWidget(rolled)
        self._column.addStretch(3)
        self._column.addSpacing(16)
        self._column.addLayout(self._head())
        self._column.addSpacing(24)
        self._column.addLayout(self._buttons())
        self._column.addSpacing(20)
        self._recent = self._recent_head()
        self._column.addWidget(self._recent)
        self._column.addLayout(self._files)
        self._column.addSpacing(24)
        self._column.addLayout(self._example_room())
        self._column.addStretch(5)

    def _example_room(self) -> QVBoxLayout:
        room = QVBoxLayout()
        room.setContentsMargins(SIDE, 0, SIDE, 16)
        room.setSpacing(8)
        room.addWidget(self._section(self.tr("Examples")))
        room.addWidget(self.examples)
        version = self._muted_label(f"Starloom {own_version()}")
        version.setFont(font(Role.SMALL))
        room.addSpacing(4)
        room.addWidget(version)
        return room

    def _head(self) -> QHBoxLayout:
        row, words = QHBoxLayout(), QVBoxLayout()
        row.setContentsMargins(SIDE, 0, 0, 0)
        row.setSpacing(14)
        title = QLabel("Starloom")
        large = font(Role.TITLE)
        large.setPixelSize(27)
        title.setFont(large)
        self._labels.append(title)
        words.setSpacing(2)
        words.addWidget(title)
        about = self._muted_label(self.tr("Run task graphs on many devices, and change them while they run."))
        about.setWordWrap(True)  # other languages need more room
        words.addWidget(about)
        row.addWidget(_Logo(self._appearance), 0, Qt.AlignmentFlag.AlignVCenter)
        row.addLayout(words, 1)
        return row

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(SIDE - 4, 0, SIDE, 0)
        row.setSpacing(8)
        for button in (self.demo, self.new, self.open, self.attach):
            row.addWidget(button)
        row.addWidget(self._muted_label(self.tr("or drop a file here")))
        row.addStretch(1)
        return row

    def _recent_head(self) -> QWidget:
        head = _Underlined(self._appearance)
        row = QHBoxLayout(head)
        row.setContentsMargins(SIDE, 0, SIDE - 3, 6)
        self.clear = QToolButton()
        self.clear.setText(self.tr("Clear"))
        self.clear.setToolTip(self.tr("Forget the recent files; the files themselves stay"))
        self.clear.setFont(font(Role.SMALL))
        self.clear.setAutoRaise(True)
        self.clear.clicked.connect(self.clear_asked)
        row.addWidget(self._section(self.tr("Recent")))
        row.addStretch(1)
        row.addWidget(self.clear)
        return head

    def _section(self, words: str) -> QLabel:
        label = QLabel(words)
        label.setFont(font(Role.SECTION))
        self._labels.append(label)
        return label

    def _muted_label(self, text: str) -> QLabel:
        label = QLabel(text)
        label.setFont(font(Role.BODY))
        self._muted.append(label)
        return label

    # ---- what it shows

    def choose_default(self, *, knows_plans: bool) -> None:
        """Make the demo the default button, or a new plan for a user who has saved one."""
        for button in (self.demo, self.new):
            button.is_default = (button is self.new) is knows_plans
            button.update()

    def focus_default(self) -> None:
        """Give the keyboard focus to the default button."""
        default = self.new if self.new.is_default else self.demo
        default.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def rows(self) -> tuple[RecentRow, ...]:
        """The recent files, from top to bottom."""
        items = (self._files.itemAt(index) for index in range(self._files.count()))
        found = (item.widget() for item in items if item is not None)
        return tuple(row for row in found if isinstance(row, RecentRow))

    def show_recent(self, files: Sequence[RecentFile]) -> None:
        """Show these recent files; without any, the section is hidden."""
        for row in self.rows:
            self._files.removeWidget(row)
            row.hide()
            row.deleteLater()
        for file in files[:MOST_SHOWN]:
            row = RecentRow(self._appearance, file, self._clock())
            row.clicked.connect(lambda _=False, path=file.path: self.file_asked.emit(path))
            self._files.addWidget(row)
        self._recent.setVisible(bool(files))
        self.show_going(self._going)

    def show_going(self, going: Mapping[str, Going] | None) -> None:
        """Show which files run now.

        Args:
            going: how far they are, by the names of their plans; None: it is not known yet.
        """
        self._going = going
        for row in self.rows:
            row.show_going(None if going is None else going.get(row.file.name), is_known=going is not None)

    def _apply_theme(self, palette: Palette) -> None:
        for label in self._muted:
            label.setStyleSheet(f"color: {palette.muted};")
        for label in self._labels:
            label.setStyleSheet(f"color: {palette.text};")
        self._rolled.setStyleSheet(scroll_bars(palette))
        self.clear.setStyleSheet(
            f"QToolButton {{ border: none; color: {palette.muted}; padding: 2px 0; margin: 0; }}"
            f"QToolButton:hover, QToolButton:focus {{ color: {palette.text}; text-decoration: underline; }}"
        )
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), colour(self._appearance.palette.canvas))
        painter.fillRect(0, 0, self.width(), 1, colour(self._appearance.palette.border))
        painter.end()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.shown.emit()

    # ---- dropped files

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        for url in event.mimeData().urls():
            if url.isLocalFile():
                self.file_asked.emit(url.toLocalFile())
        event.acceptProposedAction()
