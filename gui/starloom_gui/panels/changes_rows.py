"""The rows of staged changes: a description, a button to drop the change, and why it no longer applies."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget
from typing_extensions import override

from starloom_gui.text.words import fill, tip, translate
from starloom_gui.theme.drawings import Drawing
from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.theme.icons import Icon, icon
from starloom_gui.theme.metrics import GLYPH, HAIRLINE, RING
from starloom_gui.theme.palette import colour
from starloom_gui.viewmodel.stage import STAGE_GLYPHS, Stage
from starloom_gui.widgets.controls import MARGIN, button, text
from starloom_gui.widgets.editors import CheckBox

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent

    from starloom_gui.editing.change_words import StagedChange
    from starloom_gui.theme.palette import Palette

ROW: Final = 44
ARROW: Final = Drawing("M 1.5 8 L 14 8 M 10.5 4.75 L 14 8 L 10.5 11.25", stroke=1.5)
_TEXT_AT: Final = MARGIN + GLYPH + 10
_FIRST, _SECOND = 18, 35
_CROSS: Final = 24
_ARROW_WIDE: Final = 16


class ChangeRow(QWidget):
    """The row of one staged change and one stop of the Tab key; Enter shows its subject.

    One that is staged is dropped by its cross, or Delete. Of several that are proposed, each can be left out: by its
    tick, Space or Delete.

    Signals:
        chosen(int), dropped(int), kept(int): with the key of the step.
        ticked(int, bool): likewise, and whether it is to be applied with the others.
        moved(int): to the row before (-1) or after (1).

    Attributes:
        tick: whether it is to be applied; not to be seen where nobody is asked that.
    """

    chosen = Signal(int)
    dropped = Signal(int)
    kept = Signal(int)
    ticked = Signal(int, bool)
    moved = Signal(int)

    def __init__(
        self,
        change: StagedChange,
        colours: Callable[[], Palette],
        parent: QWidget | None = None,
        *,
        can_drop: bool = True,
        can_tick: bool = False,
    ) -> None:
        super().__init__(parent)
        self.change, self._colours, self._can_drop, self._can_tick = change, colours, can_drop, can_tick
        self.is_selected = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        column = QVBoxLayout(self)
        column.setContentsMargins(_TEXT_AT, ROW, MARGIN, 0)
        column.setSpacing(4)
        self._cross = self._new_cross()
        self._cross.setVisible(can_drop)
        self.tick = self._new_tick()
        self.tick.setVisible(can_tick)
        if change.problem:
            self._explain(column)
            column.setContentsMargins(_TEXT_AT, ROW, MARGIN, 10)
        else:
            self.setFixedHeight(ROW)
        self._say()

    def _new_cross(self) -> QToolButton:
        made = QToolButton(self)
        made.setFixedSize(_CROSS, _CROSS)
        made.setIcon(icon(Icon.CLOSE, self._colours()))
        made.setIconSize(QSize(16, 16))
        made.setAutoRaise(True)
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        made.clicked.connect(self._drop)
        return made

    def _new_tick(self) -> CheckBox:
        made = CheckBox()
        made.setParent(self)
        made.colours = self._colours()
        made.setChecked(True)
        made.resize(made.sizeHint())
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the row has the keys
        made.toggled.connect(self._tick)
        return made

    def _tick(self, is_on: bool) -> None:
        self._say()
        self.update()
        self.ticked.emit(self.change.key, is_on)

    def _explain(self, column: QVBoxLayout) -> None:
        column.addWidget(text(self.change.problem, Role.SMALL, "wrong"))
        if not self._can_drop:
            return
        offers = QHBoxLayout()
        offers.setSpacing(6)
        drop = button(translate("Changes", "Drop"), height=24)
        drop.clicked.connect(self._drop)
        offers.addWidget(drop)
        if self.change.is_conflict:
            keep = button(translate("Changes", "Keep mine"), height=24)
            keep.setToolTip(translate("Changes", "Commit this in spite of what somebody else has changed"))
            keep.clicked.connect(self._keep)
            offers.addWidget(keep)
        offers.addStretch(1)
        column.addLayout(offers)

    def _say(self) -> None:
        change = self.change
        words = {
            Stage.ADDED: translate("Changes", "Added: %1, %2"),
            Stage.REMOVED: translate("Changes", "Removed: %1, %2"),
        }.get(change.sign, translate("Changes", "Changed: %1, %2"))
        detail = (
            fill(translate("Changes", "%1 → %2"), change.detail, change.becomes) if change.becomes else change.detail
        )
        self.setAccessibleName(fill(words, change.title, detail))
        self.setAccessibleDescription(change.problem)
        self.setToolTip(tip(fill(translate("Changes", "%1\n%2"), change.title, detail)))
        drop = fill(translate("Changes", "Drop “%1”"), change.title)
        self._cross.setToolTip(tip(drop))
        self._cross.setAccessibleName(drop)
        if self._can_tick:
            self.tick.setToolTip(translate("Changes", "Apply this with the others; Space leaves it out"))
            self.tick.setAccessibleName(fill(translate("Changes", "Apply “%1”"), change.title))
            if not self.tick.isChecked():
                self.setAccessibleName(fill(translate("Changes", "Left out: %1"), self.accessibleName()))

    def _drop(self) -> None:
        if self._can_tick:
            self.tick.toggle()
        elif self._can_drop:
            self.dropped.emit(self.change.key)

    def _keep(self) -> None:
        self.kept.emit(self.change.key)

    def set_selected(self, selected: bool) -> None:
        """Set whether the subject of the change is selected."""
        if selected != self.is_selected:
            self.is_selected = selected
            self.update()

    # ---- input

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(self.change.key)
        event.accept()

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Space and self._can_tick and not event.modifiers():
            self.tick.toggle()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and not event.modifiers():
            self.chosen.emit(self.change.key)
        elif key == Qt.Key.Key_Delete:
            self._drop()
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.moved.emit(1 if key == Qt.Key.Key_Down else -1)
        else:
            event.ignore()

    # ---- look

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._cross.move(self.width() - MARGIN - _CROSS + 4, (ROW - _CROSS) // 2)
            self.tick.move(self.width() - MARGIN - self.tick.width(), (ROW - self.tick.height()) // 2)
        return super().event(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        palette = self._colours()
        if self.is_selected:
            painter.fillRect(self.rect(), colour(palette.selected))
            painter.fillRect(QRectF(0, 0, RING, self.height()), colour(palette.text))
        elif self.underMouse():
            painter.fillRect(self.rect(), colour(palette.raised))
        line = QRectF(MARGIN, self.height() - HAIRLINE, self.width() - 2 * MARGIN, HAIRLINE)
        painter.fillRect(line, colour(palette.border))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_sign(painter, palette)
        self._paint_words(painter, palette)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colour(palette.text), 1.0, Qt.PenStyle.DashLine))
            painter.drawRect(QRectF(self.rect()).adjusted(2.5, 2.5, -2.5, -2.5))
        painter.end()

    def _paint_sign(self, painter: QPainter, palette: Palette) -> None:
        sign, box = self.change.sign, QRectF(MARGIN, 7, GLYPH, GLYPH)
        pen = QPen(colour(palette.outline if sign is Stage.REMOVED else palette.text), 1.0)
        if sign is Stage.ADDED:
            pen.setDashPattern([3.0, 2.0])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
        STAGE_GLYPHS[sign].paint(painter, box, colour(palette.text))

    def _paint_words(self, painter: QPainter, palette: Palette) -> None:
        change, room = self.change, self.width() - _TEXT_AT - MARGIN - _CROSS
        is_in = self.tick.isChecked()
        face = font(Role.BODY)
        face.setStrikeOut(change.sign is Stage.REMOVED and is_in)
        painter.setFont(face)
        painter.setPen(colour(palette.muted if change.sign is Stage.REMOVED or not is_in else palette.text))
        painter.drawText(QPointF(_TEXT_AT, _FIRST), elided(change.title, QFontMetricsF(face), room))
        small = QFontMetricsF(font(Role.SMALL))
        painter.setFont(font(Role.SMALL))
        painter.setPen(colour(palette.muted))
        after = min(small.horizontalAdvance(change.becomes), room / 2) if change.becomes else 0.0
        before = elided(change.detail, small, room - after - (_ARROW_WIDE + 12 if change.becomes else 0))
        painter.drawText(QPointF(_TEXT_AT, _SECOND), before)
        if change.becomes:
            left = _TEXT_AT + small.horizontalAdvance(before) + 6
            ARROW.paint(painter, QRectF(left, _SECOND - 12, _ARROW_WIDE, _ARROW_WIDE), colour(palette.muted))
            painter.setPen(colour(palette.text if is_in else palette.muted))
            shown = elided(change.becomes, small, after + 1)
            painter.drawText(QPointF(left + _ARROW_WIDE + 6, _SECOND), shown)


def _has(row: QWidget, keys: QWidget) -> bool:
    """Whether a row or a widget in it has the focus."""
    return row is keys or row.isAncestorOf(keys)


class ChangeRows(QWidget):
    """The rows of the staged changes, in order; rebuilt only when their texts differ.

    Signals:
        chosen(int), dropped(int), kept(int), ticked(int, bool): see `ChangeRow`.
    """

    chosen = Signal(int)
    dropped = Signal(int)
    kept = Signal(int)
    ticked = Signal(int, bool)

    def __init__(self, colours: Callable[[], Palette], *, can_drop: bool = True) -> None:
        super().__init__()
        self._colours, self._can_drop = colours, can_drop
        self._shown: tuple[object, ...] = ()
        self.rows: list[ChangeRow] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)

    def show_changes(
        self, changes: tuple[StagedChange, ...], *, anew: bool = False, without: Container[int] | None = None
    ) -> None:
        """Show these.

        Args:
            changes: what there is.
            anew: the colours or the language may be others now.
            without: the keys of those that are left out, if some may be.
        """
        can_tick = without is not None
        if (changes, can_tick) == self._shown and not anew:
            return
        self._shown = changes, can_tick
        keys: QWidget | None = self.window().focusWidget()
        focused = next((at for at, row in enumerate(self.rows) if keys is not None and _has(row, keys)), None)
        for row in self.rows:
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = [self._row(change, at, without) for at, change in enumerate(changes)]
        if focused is not None and self.rows:
            self.rows[min(focused, len(self.rows) - 1)].setFocus()

    def forget(self) -> None:
        """Rebuild the rows the next time, even if they are equal."""
        self._shown = (None,)

    def _row(self, change: StagedChange, at: int, without: Container[int] | None) -> ChangeRow:
        made = ChangeRow(change, self._colours, self, can_drop=self._can_drop, can_tick=without is not None)
        made.tick.setChecked(without is None or change.key not in without)
        made.ticked.connect(self.ticked)
        made.chosen.connect(self.chosen)
        made.dropped.connect(self.dropped)
        made.kept.connect(self.kept)
        made.moved.connect(partial(self._move, at))
        self._column.addWidget(made)
        made.show()
        return made

    def _move(self, at: int, step: int) -> None:
        if 0 <= at + step < len(self.rows):
            self.rows[at + step].setFocus()
            self.chosen.emit(self.rows[at + step].change.key)

    def select(self, keys: frozenset[int]) -> None:
        """Show the rows whose subjects are selected."""
        for row in self.rows:
            row.set_selected(row.change.key in keys)
