"""The row under the toolbar: a tab for each plan and run, and the run in front in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QHelpEvent, QPainter
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolTip, QWidget
from typing_extensions import override

from starloom_gui.shell.tab_bar import Tabs
from starloom_gui.shell.tab_list import TabList
from starloom_gui.text.words import amount, fill, lowered, translate
from starloom_gui.theme.chips import CHIP, ORDER, paint_bar, paint_chip
from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.theme.icons import Icon, drawing
from starloom_gui.theme.metrics import RUN_HEADER
from starloom_gui.theme.palette import colour
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.figures import Figures, chip_of, elapsed_words, finish_words, state_words
from starloom_gui.viewmodel.status_forms import form_word

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QMouseEvent, QPaintEvent, QResizeEvent

    from starloom_gui.theme.appearance import Appearance

_Part = tuple[str, QFont, str, int]
"""A text, its face, its colour, and the gap at its left in pixels."""
_LONGEST: Final = 330.0
_SHORTEST: Final = 60.0
_LONGEST_WORD: Final = 220.0


class RunLine(QWidget):
    """Paints a run in one line: state, stacked bar, counts, elapsed time and finish.

    Signals:
        waiting_asked(): the state says that something waits for the user, or it for agents, and was clicked.
        reservation_asked(QPoint): the key, which says that the run is reserved, was clicked; below it, on the screen.
    """

    waiting_asked = Signal()
    reservation_asked = Signal(QPoint)

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._figures: Figures | None = None
        self._spots: list[tuple[QRectF, str]] = []
        self._state, self._key = QRectF(), QRectF()
        self.setFixedHeight(RUN_HEADER)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Run"))
        appearance.changed.connect(self.update)

    @property
    def figures(self) -> Figures | None:
        """The shown figures."""
        return self._figures

    def show_figures(self, figures: Figures | None) -> None:
        """Show a run; None: there is none."""
        if figures != self._figures:
            before, self._figures = self.minimumSizeHint(), figures
            if self.minimumSizeHint() != before:
                self.updateGeometry()
            self.setAccessibleDescription("" if figures is None else said(figures))
            self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(600, RUN_HEADER)

    @override
    def minimumSizeHint(self) -> QSize:
        """The counts are always there; the times go before tabs do only where they would take half of the header."""
        figures, header = self._figures, self.parentWidget()
        if figures is None:
            return QSize(340, RUN_HEADER)
        word = min(_LONGEST_WORD, QFontMetricsF(font(Role.BODY)).horizontalAdvance(state_words(figures)))
        counts = 12 + CHIP + 8 + _key_width(figures) + 16 + sum(_widths(figures)) + 28
        times = word + sum(map(_width, self._times(figures, short=True)))
        most = header.width() / 2 if header is not None else 0.0
        return QSize(round(max(340, counts + _SHORTEST, min(counts + times, most))), RUN_HEADER)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self._spots = []
        if self._figures is not None:
            word, counts = state_words(self._figures), sum(_widths(self._figures))
            metrics = QFontMetricsF(font(Role.BODY))
            key = _key_width(self._figures)
            least = 12 + CHIP + 8 + min(_LONGEST_WORD, metrics.horizontalAdvance(word)) + key + 16 + counts
            right = self._paint_times(painter, self._figures, least)
            self._paint_counts(painter, self._figures, right)
        painter.end()

    # ---- from the right: times

    def _paint_times(self, painter: QPainter, figures: Figures, least: float) -> float:
        """Paint the times that leave so many pixels for state and counts; returns where those have to end."""
        right, elapsed = self.width() - 12.0, elapsed_words(figures)
        groups = self._times(figures)
        if finish_words(figures)[1] and right - sum(map(_width, groups)) < least:
            groups = self._times(figures, short=True)  # that it is uncertain is said in any case
        for group in groups:
            if right - _width(group) < least:
                break
            for text, type_face, ink, gap in group:
                if text:
                    width = QFontMetricsF(type_face).horizontalAdvance(text)
                    painter.setFont(type_face)
                    painter.setPen(colour(ink))
                    box = QRectF(right - width, 0, width + 1, RUN_HEADER)
                    painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)
                    right -= width + gap
                    if text in elapsed and figures.counted:
                        self._spots.append((box, fill(self.tr("Elapsed %1. %2."), elapsed[1], figures.counted)))
        return right

    def _times(self, figures: Figures, *, short: bool = False) -> tuple[list[_Part], list[_Part]]:
        """The finish and the elapsed time, each as parts from right to left."""
        palette, bold, body = self._appearance.palette, font(Role.SECTION), font(Role.BODY)
        label, finish, spread = finish_words(figures, short=short)
        passed, elapsed = elapsed_words(figures)
        end = [(finish, bold, palette.text, 6), (label, body, palette.muted, 16)]
        if not short:
            end.insert(0, (spread, body, palette.muted, 6))
        return end, [(elapsed, body, palette.text, 6), (passed, body, palette.muted, 16)]

    # ---- from the left: state, bar, counts

    def _paint_counts(self, painter: QPainter, figures: Figures, right: float) -> None:
        palette, metrics = self._appearance.palette, QFontMetricsF(font(Role.BODY))
        top, left = (RUN_HEADER - CHIP) / 2, 12.0
        widths = _widths(figures)
        room = right - left - CHIP - 8 - _key_width(figures)
        room = min(_LONGEST_WORD, room, max(_SHORTEST, room - 16 - sum(widths)))  # the word yields, too
        word = elided(state_words(figures), metrics, room, Qt.TextElideMode.ElideRight)
        paint_chip(painter, QRectF(left, top, CHIP, CHIP), chip_of(figures), palette)
        left += CHIP + 8
        painter.setFont(font(Role.BODY))
        painter.setPen(colour(palette.text))
        painter.drawText(QRectF(left, 0, room + 1, RUN_HEADER), Qt.AlignmentFlag.AlignVCenter, word)
        self._state = QRectF(left, 0, metrics.horizontalAdvance(word), RUN_HEADER)
        self._spots.append((self._state, state_words(figures)))
        left += metrics.horizontalAdvance(word)
        self._key = QRectF(left + 6, top, CHIP, CHIP) if figures.reserved else QRectF()
        if figures.reserved:
            drawing(Icon.KEY).paint(painter, self._key, colour(palette.text))
            self._spots.append((self._key, figures.reserved))
        left += _key_width(figures) + 16
        shown = [(form, amount(figures.counts[form])) for form in ORDER if figures.counts[form]]
        wide = min(_LONGEST, right - left - sum(widths) - 14)
        if wide >= _SHORTEST:
            box = QRectF(round(left), (RUN_HEADER - 10) / 2, round(wide), 10)
            paint_bar(painter, box, figures.counts, palette)
            self._spots.append((box, said(figures)))
            left += wide + 14
        for (form, text), width in zip(shown, widths, strict=True):
            if left + width > right + 10:
                painter.drawText(QRectF(left, 0, CHIP, RUN_HEADER), Qt.AlignmentFlag.AlignVCenter, "…")
                break
            self._paint_count(painter, QRectF(left, top, width, CHIP), form, text)
            left += width

    def _paint_count(self, painter: QPainter, box: QRectF, form: StatusForm, text: str) -> None:
        palette = self._appearance.palette
        paint_chip(painter, QRectF(box.left(), box.top(), CHIP, CHIP), form, palette)
        painter.setFont(font(Role.SECTION if form == StatusForm.FAILED else Role.BODY))
        painter.setPen(colour(palette.status[StatusForm.FAILED].text if form == StatusForm.FAILED else palette.text))
        words = QRectF(box.left() + CHIP + 6, 0, box.width(), RUN_HEADER)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, text)
        self._spots.append((box, fill(self.tr("%1: %2"), form_word(form), text)))

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        waits = self._figures is not None and (self._figures.waits > 0 or bool(self._figures.awaited))
        is_left = event.button() == Qt.MouseButton.LeftButton
        if waits and is_left and self._state.contains(event.position()):
            self.waiting_asked.emit()
        elif is_left and self._key.adjusted(-4, -6, 4, 6).contains(event.position()):
            self.reservation_asked.emit(self.mapToGlobal(self._key.bottomLeft().toPoint()))
        else:
            super().mousePressEvent(event)

    @override
    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            near = [text for box, text in self._spots if box.adjusted(0, -6, 0, 6).contains(event.pos())]
            whole = said(self._figures) if self._figures is not None else ""
            QToolTip.showText(event.globalPos(), near[-1] if near else whole, self)
            return True
        return super().event(event)


def _width(parts: Iterable[_Part]) -> float:
    """The width of texts in pixels, each with the gap at its left."""
    return sum(QFontMetricsF(face).horizontalAdvance(text) + gap for text, face, _ink, gap in parts if text)


def _key_width(figures: Figures) -> float:
    """The width in pixels of the key of a reserved run, with the gap at its left."""
    return CHIP + 6 if figures.reserved else 0.0


def _widths(figures: Figures) -> list[float]:
    """The width in pixels of the count of each status with tasks."""
    bold = QFontMetricsF(font(Role.SECTION))
    return [
        CHIP + 6 + bold.horizontalAdvance(amount(figures.counts[form])) + 10 for form in ORDER if figures.counts[form]
    ]


def said(figures: Figures) -> str:
    """A run in one sentence, for screen readers and tips."""
    counts = [
        fill(translate("Header", "%1 %2"), amount(figures.counts[form]), lowered(form_word(form)))
        for form in ORDER
        if figures.counts[form]
    ]
    times = [" ".join(part for part in words if part) for words in (elapsed_words(figures), finish_words(figures))]
    return ", ".join(filter(None, [state_words(figures), *counts, *times, lowered(figures.reserved)]))


class RunHeader(QWidget):
    """The header of the window: the tabs at the left, the run in front beside them.

    Attributes:
        tabs: the tabs.
        list: opens a menu of them.
        line: the run.
    """

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.setFixedHeight(RUN_HEADER)
        self.tabs, self.line = Tabs(appearance, self), RunLine(appearance, self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 1, 0, 0)
        row.setSpacing(0)
        self.list = TabList(self.tabs.listed, appearance, self)
        self.list.chosen.connect(self.tabs.chosen)
        # not at once, as it changes the room of the tabs, which tell it
        self.tabs.crowded.connect(self.list.setVisible, Qt.ConnectionType.QueuedConnection)
        row.addWidget(self.tabs)
        row.addWidget(self.list)
        row.addWidget(self.line, 1)
        appearance.changed.connect(self.update)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.line.updateGeometry()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self._appearance.palette
        painter = QPainter(self)
        painter.fillRect(self.rect(), colour(palette.panel))
        painter.fillRect(0, 0, self.width(), 1, colour(palette.border))
        painter.fillRect(0, self.height() - 1, self.width(), 1, colour(palette.border))
        painter.end()
