"""Two outputs side by side: rows aligned, a mark in the gutter, added lines raised, removed ones muted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QWidget

from starloom_gui.diff.line_diff import RowKind
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import GAPS
from starloom_gui.theme.palette import colour

if TYPE_CHECKING:
    from starloom_gui.diff.line_diff import DiffRow
    from starloom_gui.panels.attempt_outputs import OutputDifference
    from starloom_gui.theme.appearance import Appearance

MOST_ROWS: Final = 5_000
_HEIGHT: Final = 380
_LONGEST: Final = 2_000
"""Characters of a line that are shown."""


class _Plurals(QObject):
    """Counts with their nouns; an object as the tool that gathers texts knows plurals from `self.tr` alone."""

    def equal(self, count: int) -> str:
        return self.tr("… %n equal line(s)", "", count)


class DifferenceText(QWidget):
    """The two texts; they scroll together.

    Attributes:
        left, right: the two.

    Args:
        appearance: the colours.
    """

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._begins: list[int] = []
        self._at = -1
        self.left, self.right = _side(self.tr("Left output")), _side(self.tr("Right output"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GAPS[1])
        for one, other in ((self.left, self.right), (self.right, self.left)):
            row.addWidget(one)
            one.verticalScrollBar().valueChanged.connect(other.verticalScrollBar().setValue)
            one.horizontalScrollBar().valueChanged.connect(other.horizontalScrollBar().setValue)
        self.setFixedHeight(_HEIGHT)
        self.setFocusProxy(self.left)

    def clear(self) -> None:
        """Show nothing."""
        self._begins, self._at = [], -1
        self.left.clear()
        self.right.clear()

    def show_difference(self, found: OutputDifference) -> int:
        """Show a difference from its first one on; returns how many rows were left out."""
        self.clear()
        shown = found.rows()
        left_out, shown = max(0, len(shown) - MOST_ROWS), shown[:MOST_ROWS]
        changed = [row.kind is RowKind.CHANGED for row in shown]
        self._begins = [at for at, is_so in enumerate(changed) if is_so and not (at and changed[at - 1])]
        self._fill(self.left, shown, found.before.lines, is_left=True)
        self._fill(self.right, shown, found.after.lines, is_left=False)
        if self._begins:
            self.go(1)
        return left_out

    def go(self, step: int) -> None:
        """Scroll to the next difference, or the one before; after the last one comes the first."""
        if not self._begins:
            return
        self._at = (self._at + step) % len(self._begins) if self._at >= 0 else 0
        for side in (self.left, self.right):
            block = side.document().findBlockByNumber(self._begins[self._at])
            side.setTextCursor(QTextCursor(block))
            side.centerCursor()

    @property
    def at(self) -> int:
        """The number of the difference that was gone to, from 0; -1: none."""
        return self._at

    def _fill(self, side: QPlainTextEdit, shown: list[DiffRow], lines: tuple[str, ...], *, is_left: bool) -> None:
        palette = self._appearance.palette
        plain, raised = QTextBlockFormat(), QTextBlockFormat()
        raised.setBackground(colour(palette.raised))
        usual, muted = QTextCharFormat(), QTextCharFormat()
        usual.setForeground(colour(palette.text))
        muted.setForeground(colour(palette.muted))
        counts = _Plurals()
        cursor = QTextCursor(side.document())
        cursor.beginEditBlock()
        for at, row in enumerate(shown):
            number = row.before if is_left else row.after
            is_added = row.kind is RowKind.CHANGED and not is_left and number is not None
            if at:
                cursor.insertBlock(raised if is_added else plain)
            else:
                cursor.setBlockFormat(raised if is_added else plain)
            if row.kind is RowKind.FOLDED:
                cursor.insertText(counts.equal(row.count), muted)
            elif number is not None:
                mark = " " if row.kind is RowKind.EQUAL else "-" if is_left else "+"
                is_removed = row.kind is RowKind.CHANGED and is_left
                cursor.insertText(f"{mark} {_cut(lines[number])}", muted if is_removed else usual)
        cursor.endEditBlock()
        side.moveCursor(QTextCursor.MoveOperation.Start)


def _side(name: str) -> QPlainTextEdit:
    made = QPlainTextEdit()
    made.setReadOnly(True)
    made.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    made.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    made.setFont(font(Role.MONOSPACE))
    made.setUndoRedoEnabled(False)
    made.setTabChangesFocus(True)
    made.setAccessibleName(name)
    return made


def _cut(line: str) -> str:
    return line if len(line) <= _LONGEST else line[:_LONGEST] + "…"
