"""Where keys take the caret in printed text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtGui import QKeySequence

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QKeyEvent

    from starloom_gui.panels.output_marks import Marks, OutputPosition

_Key = QKeySequence.StandardKey
_MOVES: Final[tuple[tuple[tuple[QKeySequence.StandardKey, ...], Callable[[Marks, int], OutputPosition]], ...]] = (
    ((_Key.MoveToNextChar, _Key.SelectNextChar), lambda marks, _: marks.beside(1)),
    ((_Key.MoveToPreviousChar, _Key.SelectPreviousChar), lambda marks, _: marks.beside(-1)),
    ((_Key.MoveToNextLine, _Key.SelectNextLine), lambda marks, _: marks.above(-1)),
    ((_Key.MoveToPreviousLine, _Key.SelectPreviousLine), lambda marks, _: marks.above(1)),
    ((_Key.MoveToNextPage, _Key.SelectNextPage), lambda marks, page: marks.above(-page)),
    ((_Key.MoveToPreviousPage, _Key.SelectPreviousPage), lambda marks, page: marks.above(page)),
    ((_Key.MoveToStartOfLine, _Key.SelectStartOfLine), lambda marks, _: marks.home()),
    ((_Key.MoveToEndOfLine, _Key.SelectEndOfLine), lambda marks, _: marks.end()),
    ((_Key.MoveToStartOfDocument, _Key.SelectStartOfDocument), lambda marks, _: marks.first()),
    ((_Key.MoveToEndOfDocument, _Key.SelectEndOfDocument), lambda marks, _: marks.last()),
)


def target(event: QKeyEvent, marks: Marks, page: int) -> OutputPosition | None:
    """Where a key takes the caret; None: it does not move it.

    Args:
        event: the key.
        marks: the caret.
        page: how many lines a page has.
    """
    for keys, move in _MOVES:
        if any(event.matches(key) for key in keys):
            return move(marks, page)
    return None
