"""The first page: run the demo, open a file, or one of those that were opened last. Nothing else."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget
from typing_extensions import override

from starloom_gui.shell.recent_row import SIDE, WIDTH, RecentRow
from starloom_gui.theme.drawings import Drawing
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.icons import Icon, drawing
from starloom_gui.theme.metrics import RADIUS
from starloom_gui.theme.palette import colour
from starloom_gui.widgets.buttons import VerbButton

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from PySide6.QtGui import QDragEnterEvent, QDropEvent, QPaintEvent

    from starloom_gui.settings import RecentFile
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.widgets.actions import Actions
    from starloom_gui.workspace.running import Going

_BUTTON: Final = 36
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
    """Something with a line below, as wide as those between the files."""

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
        actions: `demo`, `new` and `open` are used.
        appearance: the colours.
        clock: gives seconds since 1970.
        parent: of the widget.

    Attributes:
        demo: the default button.
        new: begins an empty plan.
        open: asks for a file.

    Signals:
        file_asked(str): the user wants this file opened: a recent or a dropped one.
        clear_asked(): the recent files are to be forgotten.
    """

    file_asked = Signal(str)
    clear_asked = Signal()

    def __init__(
        self,
        actions: Actions,
        appearance: Appearance,
        clock: Callable[[], float] = time.time,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._appearance, self._clock = appearance, clock
        self._going: Mapping[str, Going] = {}
        self.setAcceptDrops(True)
        self.demo = _Launch(appearance, actions["demo"], Icon.RUN, outlined=True)
        self.demo.is_default, self.demo.width_px = True, 140
        self.new = _Launch(appearance, actions["new"], Icon.ADD, outlined=True)
        self.open = _Launch(appearance, actions["open"], Icon.OPEN, outlined=True)
        self.new.width_px = self.open.width_px = 124
        for button in (self.demo, self.new, self.open):
            button.setFixedHeight(_BUTTON + 8)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._muted: list[QLabel] = []
        self._labels: list[QLabel] = []
        self._column = QVBoxLayout()
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._files = QVBoxLayout()
        self._files.setSpacing(0)
        self._build()
        appearance.changed.connect(self._apply_theme)
        self._apply_theme(appearance.palette)
        self.show_recent(())

    # ---- what it is made of

    def _build(self) -> None:
        middle = QWidget(self)
        middle.setFixedWidth(WIDTH + 2 * SIDE)
        middle.setLayout(self._column)
        across = QHBoxLayout(self)
        across.setContentsMargins(0, 0, 0, 0)
        across.addStretch(1)
        across.addWidget(middle)
        across.addStretch(1)
        self._column.addStretch(3)
        self._column.addLayout(self._head())
        self._column.addSpacing(28)
        self._column.addLayout(self._buttons())
        self._column.addSpacing(6)
        self._column.addWidget(self._drop_hint())
        self._column.addSpacing(20)
        self._recent = self._recent_head()
        self._column.addWidget(self._recent)
        self._column.addLayout(self._files)
        self._column.addStretch(5)

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
        for button in (self.demo, self.new, self.open):
            row.addWidget(button)
        row.addStretch(1)
        return row

    def _drop_hint(self) -> QLabel:
        made = self._muted_label(self.tr("or drop a file here"))
        made.setContentsMargins(SIDE, 0, SIDE, 0)
        return made

    def _recent_head(self) -> QWidget:
        head = _Underlined(self._appearance)
        row = QHBoxLayout(head)
        row.setContentsMargins(SIDE, 0, SIDE - 3, 6)
        section = QLabel(self.tr("Recent"))
        section.setFont(font(Role.SECTION))
        self._labels.append(section)
        self.clear = QToolButton()
        self.clear.setText(self.tr("Clear"))
        self.clear.setToolTip(self.tr("Forget the recent files; the files themselves stay"))
        self.clear.setFont(font(Role.SMALL))
        self.clear.setAutoRaise(True)
        self.clear.clicked.connect(self.clear_asked)
        row.addWidget(section)
        row.addStretch(1)
        row.addWidget(self.clear)
        return head

    def _muted_label(self, text: str) -> QLabel:
        label = QLabel(text)
        label.setFont(font(Role.BODY))
        self._muted.append(label)
        return label

    # ---- what it shows

    @property
    def rows(self) -> tuple[RecentRow, ...]:
        """The recent files, from top to bottom."""
        items = (self._files.itemAt(index) for index in range(self._files.count()))
        found = (item.widget() for item in items if item is not None)
        return tuple(row for row in found if isinstance(row, RecentRow))

    def show_recent(self, files: Sequence[RecentFile]) -> None:
        """Show these recent files; without any, nothing is said of them."""
        for row in self.rows:
            self._files.removeWidget(row)
            row.hide()
            row.deleteLater()
        for file in files:
            row = RecentRow(self._appearance, file, self._clock())
            row.clicked.connect(lambda _=False, path=file.path: self.file_asked.emit(path))
            self._files.addWidget(row)
        self._recent.setVisible(bool(files))
        self.show_going(self._going)

    def show_going(self, going: Mapping[str, Going]) -> None:
        """Show which files run now.

        Args:
            going: how far they are, by the names of their plans.
        """
        self._going = going
        for row in self.rows:
            row.show_going(going.get(row.file.name))

    def _apply_theme(self, palette: Palette) -> None:
        for label in self._muted:
            label.setStyleSheet(f"color: {palette.muted};")
        for label in self._labels:
            label.setStyleSheet(f"color: {palette.text};")
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
