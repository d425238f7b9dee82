"""What one task printed, line by line: bounded, coloured where it says so, and searchable."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractListModel, QObject, Qt
from typing_extensions import override

from starloom_gui.models.ansi import PLAIN, Span, Style, parse
from starloom_gui.models.roles import NOWHERE, Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from starloom_gui.bridge.output import Piece, Printed
    from starloom_gui.models.roles import Index

MOST_LINES: Final = 10_000
MOST_CHARACTERS: Final = 10_000
"""Of one line; the rest of it is in the file."""
_CUT: Final = "…"


@dataclass(frozen=True, slots=True)
class Line:
    """A line as it is shown; `text` is what its spans hold together."""

    text: str
    spans: tuple[Span, ...]
    attempt: int = 1


class OutputLines(QAbstractListModel):
    """The last lines of a task's output. A line without its end is the last row, and grows.

    Args:
        most: lines that are kept; the oldest go first, some at a time.
    """

    def __init__(self, most: int = MOST_LINES, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._most = most
        self._key = ("", "")
        self._lines: deque[Line] = deque()
        self._style: Style = PLAIN
        self._rest = ""
        self._attempt = 0
        self.dropped = 0
        """How many lines were there that are not kept any more."""

    def show(self, run_id: str, task_id: str, pieces: Iterable[Piece] = ()) -> None:
        """Show another task's output, beginning with what is known of it."""
        self.beginResetModel()
        self._key = (run_id, task_id)
        self._lines.clear()
        self._style, self._rest, self._attempt, self.dropped = PLAIN, "", 0, 0
        fresh, _ = self._split(pieces)
        kept = fresh[-self._most :]
        self.dropped = len(fresh) - len(kept)
        self._lines.extend(kept)
        self.endResetModel()

    def take(self, printed: Printed) -> None:
        """Show what is new of this task; to be connected to the hub."""
        pieces = printed.pieces.get(self._key)
        if pieces:
            self.append(pieces)

    def append(self, pieces: Sequence[Piece]) -> None:
        """Show more, in one step."""
        had_rest = bool(self._rest)
        fresh, grown = self._split(pieces)
        if had_rest and grown and fresh:
            self._lines[-1] = fresh[0]
            last = self.index(len(self._lines) - 1, 0)
            self.dataChanged.emit(last, last)
            fresh = fresh[1:]
        if len(fresh) > self._most:
            self._start_over(fresh)
        elif fresh:
            self._make_room(len(fresh))
            count = len(self._lines)
            self.beginInsertRows(NOWHERE, count, count + len(fresh) - 1)
            self._lines.extend(fresh)
            self.endInsertRows()

    def find(self, sought: str, *, is_pattern: bool = False, ignore_case: bool = True) -> list[tuple[int, int, int]]:
        """Where a text or pattern stands: row, first character, and the one after its last.

        Raises:
            re.error: the pattern is none.
        """
        if not sought:
            return []
        pattern = re.compile(sought if is_pattern else re.escape(sought), re.IGNORECASE if ignore_case else 0)
        return [
            (row, match.start(), match.end())
            for row, line in enumerate(self._lines)
            for match in pattern.finditer(line.text)
            if match.end() > match.start()
        ]

    def text(self, first: int = 0, last: int | None = None) -> str:
        """The lines of these rows as one text, without colours."""
        return "\n".join(line.text for line in islice(self._lines, first, None if last is None else last + 1))

    # ---- what Qt asks

    @override
    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._lines)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._lines):
            return None
        if role not in {Qt.ItemDataRole.DisplayRole, Role.SPANS, Role.VALUE}:
            return None
        line = self._lines[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return line.text
        return line.spans if role == Role.SPANS else line

    # ---- making lines

    def _split(self, pieces: Iterable[Piece]) -> tuple[list[Line], bool]:
        """New lines, and whether the first of them is the last one that is shown, grown."""
        lines: list[Line] = []
        grown = bool(self._rest)
        style, rest = self._style, self._rest
        text = ""
        for piece in pieces:
            if piece.attempt != self._attempt:
                if rest or text:
                    style, rest = self._add_lines(lines, rest + text, style)
                    if rest:
                        lines.append(self._line(rest, style)[0])
                text, rest, style = "", "", PLAIN
                self._attempt = piece.attempt
            text += piece.text
        self._style, self._rest = self._add_lines(lines, rest + text, style)
        if self._rest:
            lines.append(self._line(self._rest, self._style)[0])
        return lines, grown

    def _add_lines(self, lines: list[Line], text: str, style: Style) -> tuple[Style, str]:
        """Make lines of all that have an end; returns the style and text of what has none yet."""
        *ended, rest = text.split("\n")
        skipped = max(0, len(ended) - self._most)
        self.dropped += skipped
        for one in ended[skipped:]:
            line, style = self._line(one, style)
            lines.append(line)
        return style, rest if len(rest) <= 2 * MOST_CHARACTERS else rest[-2 * MOST_CHARACTERS :]

    def _line(self, raw: str, style: Style) -> tuple[Line, Style]:
        """What a terminal would show: after a carriage return a line begins anew."""
        shown = raw.rstrip("\r").rpartition("\r")[2] if "\r" in raw else raw
        if len(shown) > MOST_CHARACTERS:
            shown = shown[:MOST_CHARACTERS] + _CUT
        spans, style = parse(shown.expandtabs(8) if "\t" in shown else shown, style)
        text = spans[0].text if len(spans) == 1 else "".join(span.text for span in spans)
        return Line(text, spans, max(1, self._attempt)), style

    def _make_room(self, coming: int) -> None:
        """Drop old lines, some more than need be, so that this does not happen with every step."""
        surplus = len(self._lines) + coming - self._most
        if surplus <= 0:
            return
        gone = min(len(self._lines), max(surplus, self._most // 10))
        self.beginRemoveRows(NOWHERE, 0, gone - 1)
        for _ in range(gone):
            self._lines.popleft()
        self.dropped += gone
        self.endRemoveRows()

    def _start_over(self, fresh: list[Line]) -> None:
        self.beginResetModel()
        self.dropped += len(self._lines) + len(fresh) - self._most
        self._lines = deque(fresh[-self._most :])
        self.endResetModel()
