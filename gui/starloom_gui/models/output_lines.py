"""The output of one task, line by line: bounded, coloured by its escapes, and searchable."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractListModel, QObject, Qt
from typing_extensions import override

from starloom_gui.models.ansi import PLAIN, StyledText, TextStyle, parse, stripped, style_after
from starloom_gui.viewmodel.roles import NOWHERE, ItemRole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from starloom_gui.gateway.output import Piece, Printed
    from starloom_gui.viewmodel.roles import Index

MOST_LINES: Final = 10_000
MOST_EVER: Final = 100_000
"""Lines that are kept when somebody asks for earlier ones."""
MOST_CHARACTERS: Final = 10_000
"""Of one line; the rest of it is in the file."""
_CUT: Final = "…"


@dataclass(frozen=True, slots=True)
class OutputLine:
    """A line as it is shown.

    Attributes:
        text: without colours.
        raw: with the escapes of which its colours are made, once it is painted.
        style: in which it begins.
        stream: `stdout` or `stderr`; empty: the file it was read from does not tell.
        at: when it was printed, in seconds since 1970; 0: not known.
        is_ended: whether a line feed ended it, and not an attempt, the other stream, or nothing yet.
    """

    text: str
    raw: str
    style: TextStyle = PLAIN
    attempt: int = 1
    stream: str = "stdout"
    at: float = 0.0
    is_ended: bool = True

    @property
    def spans(self) -> tuple[StyledText, ...]:
        """Its pieces of one style each; they hold its text together."""
        return _spans(self.raw, self.style)


@lru_cache(512)
def _spans(raw: str, style: TextStyle) -> tuple[StyledText, ...]:
    return parse(raw, style)[0]


@dataclass(frozen=True, slots=True)
class _Source:
    attempt: int = 0
    stream: str = ""


class OutputLines(QAbstractListModel):
    """The last lines of a task's output. A line without its end is the last row, and grows.

    Args:
        most: lines that are kept; the oldest go first, some at a time.
    """

    def __init__(self, most: int = MOST_LINES, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._usual = self._most = most
        self._key = ("", "")
        self._only: int | None = None
        self._lines: deque[OutputLine] = deque()
        self._first = self._end = 0
        """The number of the first line that is kept, and of the next one that is made."""
        self._forget()

    @property
    def dropped(self) -> int:
        """The number of lines that are no longer kept, which is the line number of the first row.

        A line keeps its number whatever goes or comes before it. Below 0 where it was not known how many there were.
        """
        return self._first

    def show(
        self, run_id: str, task_id: str, pieces: Iterable[Piece] = (), *, attempt: int | None = None, gone: int = 0
    ) -> None:
        """Show the output of another task, beginning with lines that are known.

        Args:
            run_id: of the task.
            task_id: the task.
            pieces: what is known, oldest first.
            attempt: show this attempt alone; None: all of them.
            gone: how many lines there were before.
        """
        self.beginResetModel()
        self._key, self._only, self._most = (run_id, task_id), attempt, self._usual
        self._lines.clear()
        self._forget()
        self._end = gone
        fresh, _ = self._split(piece for piece in pieces if attempt in {None, piece.attempt})
        self._lines.extend(fresh[-self._most :])
        self._first = self._end - len(self._lines)
        self.endResetModel()

    def take(self, printed: Printed) -> None:
        """Append what the task has printed; to be connected to the hub."""
        pieces = printed.pieces.get(self._key)
        if pieces:
            self.append(pieces)

    def append(self, pieces: Sequence[Piece]) -> None:
        """Append text, in one step."""
        wanted = [piece for piece in pieces if self._only in {None, piece.attempt}]
        if not wanted:
            return
        fresh, is_grown = self._split(wanted)
        if len(fresh) >= self._most:  # as many as are kept: some may not even have been made
            self.beginResetModel()
            self._lines = deque(fresh[-self._most :])
            self._first = self._end - len(self._lines)
            self.endResetModel()
            return
        if is_grown and fresh:
            self._lines[-1] = fresh[0]
            last = self.index(len(self._lines) - 1, 0)
            self.dataChanged.emit(last, last)
            fresh = fresh[1:]
        if fresh:
            self._make_room(len(fresh))
            count = len(self._lines)
            self.beginInsertRows(NOWHERE, count, count + len(fresh) - 1)
            self._lines.extend(fresh)
            self.endInsertRows()

    def prepend(self, text: str) -> None:
        """Insert earlier lines above, and keep as many lines more until another output is shown."""
        room = MOST_EVER - len(self._lines)
        attempt = self._lines[0].attempt if self._lines else self._only or 1
        style, earlier = PLAIN, []
        for raw in text.removesuffix("\n").split("\n")[-room:] if text and room > 0 else ():
            line, style = self._line(raw, style, _Source(attempt), 0.0)
            earlier.append(line)
        if earlier and not text.endswith("\n"):
            earlier[-1] = replace(earlier[-1], is_ended=False)
        if earlier:
            self.beginInsertRows(NOWHERE, 0, len(earlier) - 1)
            self._lines.extendleft(reversed(earlier))
            self._first -= len(earlier)
            self._most = max(self._most, len(self._lines) + self._usual // 10)
            self.endInsertRows()

    # ---- reading

    def __len__(self) -> int:
        return len(self._lines)

    def line(self, row: int) -> OutputLine:
        """The line of a row."""
        return self._lines[row]

    def lines(self, first: int = 0, last: int | None = None) -> Iterator[OutputLine]:
        """The lines of these rows.

        Args:
            first: a row.
            last: the last row, itself among them; None: to the end.
        """
        return islice(self._lines, first, None if last is None else last + 1)

    @property
    def ends(self) -> int:
        """The number of line feeds in the kept lines."""
        return sum(line.is_ended for line in self._lines)

    def find(self, sought: str, *, is_pattern: bool = False, ignore_case: bool = True) -> list[tuple[int, int, int]]:
        """The matches of a text or pattern: row, first character, and the one after the last.

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
        """The lines of these rows as one text, without colours.

        Args:
            first: a row.
            last: the last row, itself among them; None: to the end.
        """
        return "\n".join(line.text for line in self.lines(first, last))

    # ---- what Qt asks

    @override
    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._lines)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._lines):
            return None
        if role not in {Qt.ItemDataRole.DisplayRole, ItemRole.SPANS, ItemRole.VALUE}:
            return None
        line = self._lines[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return line.text
        return line.spans if role == ItemRole.SPANS else line

    # ---- making lines

    def _forget(self) -> None:
        self._style: TextStyle = PLAIN
        self._rest = ""
        self._source = _Source()

    def _split(self, pieces: Iterable[Piece]) -> tuple[list[OutputLine], bool]:
        """New lines, and whether the first of them is the last one that is shown, grown.

        The number of the last line is counted here, also of lines that are too many to be made at all.
        """
        lines: list[OutputLine] = []
        is_grown = bool(self._rest)
        self._end -= is_grown
        at = 0.0
        for source, group in groupby(pieces, lambda piece: _Source(piece.attempt, piece.stream)):
            same = list(group)
            at = same[0].at
            if source != self._source:
                self._cut_off(lines, source, at)
            self._add_lines(lines, "".join([piece.text for piece in same]), at)
        if self._rest:
            lines.append(self._line(self._rest, self._style, self._source, at, is_ended=False)[0])
            self._end += 1
        return lines, is_grown

    def _cut_off(self, lines: list[OutputLine], source: _Source, at: float) -> None:
        """Begin a new line for another attempt or stream."""
        if self._rest:
            line, self._style = self._line(self._rest, self._style, self._source, at, is_ended=False)
            lines.append(line)
            self._end += 1
        if source.attempt != self._source.attempt:
            self._style = PLAIN
        self._rest, self._source = "", source

    def _add_lines(self, lines: list[OutputLine], text: str, at: float) -> None:
        """Append all complete lines, and keep the rest."""
        *ended, rest = (self._rest + text).split("\n")
        self._end += len(ended)
        style, source = self._style, self._source
        for raw in ended[-self._most :]:
            line, style = self._line(raw, style, source, at)
            lines.append(line)
        self._style = style
        self._rest = rest if len(rest) <= 2 * MOST_CHARACTERS else rest[-2 * MOST_CHARACTERS :]

    @staticmethod
    def _line(
        raw: str, style: TextStyle, source: _Source, at: float, *, is_ended: bool = True
    ) -> tuple[OutputLine, TextStyle]:
        """The line as a terminal shows it: after a carriage return it begins again."""
        shown = raw.rstrip("\r").rpartition("\r")[2] if "\r" in raw else raw
        if len(shown) > MOST_CHARACTERS:
            shown = shown[:MOST_CHARACTERS] + _CUT
        if "\t" in shown:
            shown = shown.expandtabs(8)
        attempt = max(1, source.attempt)
        return OutputLine(stripped(shown), shown, style, attempt, source.stream, at, is_ended), style_after(
            shown, style
        )

    def _make_room(self, coming: int) -> None:
        """Drop old lines, some more than need be, so that this does not happen with every step."""
        surplus = len(self._lines) + coming - self._most
        if surplus <= 0:
            return
        gone = min(len(self._lines), max(surplus, self._usual // 10))
        self.beginRemoveRows(NOWHERE, 0, gone - 1)
        for _ in range(gone):
            self._lines.popleft()
        self._first += gone
        self.endRemoveRows()
