"""The source of an attempt's output: the live channel, else the end of its file, else of its result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from starloom_gui.models.output_lines import MOST_EVER, MOST_LINES
from starloom_gui.panels.output_file import read_before

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from starloom.scheduling.state.attempts import Attempt
    from starloom_gui.gateway.output import OutputHub, Piece
    from starloom_gui.models.output_lines import OutputLines

    FileOf = Callable[[str, str, int], Path | None]
    """Gives where the whole output of an attempt is, by run, task and number; None: it is not kept."""


@dataclass(frozen=True, slots=True)
class AttemptKey:
    """The key of an attempt."""

    run_id: str
    task_id: str
    attempt: int


class OutputSource:
    """Loads one attempt's output into the line model, and adds to it as more is printed.

    What was heard has times. What is read from a file has none, and neither has what was printed before this program
    began to listen. So of an attempt that ran at a moment that is looked back to, what was heard is shown as far as it
    had been printed by then; of a file all, and `is_untimed` says so.

    Args:
        lines: what is filled.
        hub: what was heard.
        file_of: where the whole outputs are.
    """

    def __init__(self, lines: OutputLines, hub: OutputHub, file_of: FileOf) -> None:
        self._lines, self._hub, self._file_of = lines, hub, file_of
        self._of: AttemptKey | None = None
        self._first: int | None = None
        """The number of the line that is known to be the first of all; None: it is not known."""
        self._until: float | None = None
        self.is_untimed = False
        self.trouble: OSError | None = None

    @property
    def of(self) -> AttemptKey | None:
        """The attempt that is shown; None: none is."""
        return self._of

    def forget(self) -> None:
        """Show nothing."""
        self._of, self._first, self._until, self.is_untimed, self.trouble = None, 0, None, False, None
        self._lines.show("", "")

    @property
    def until(self) -> float | None:
        """The moment up to which output is shown, in seconds since 1970; None: all there is."""
        return self._until

    def load(self, of: AttemptKey, attempt: Attempt, until: float | None = None) -> None:
        """Show the output of an attempt. If its file cannot be read, `trouble` says why.

        Args:
            of: which attempt.
            attempt: its facts.
            until: the moment that is looked back to, at which it ran, in seconds since 1970; None: show it as it is.
        """
        self._of, self._until, self.is_untimed, self.trouble = of, until, False, None
        heard = [piece for piece in self._hub.tail(of.run_id, of.task_id) if piece.attempt == of.attempt]
        gone = self._hub.gone(of.run_id, of.task_id, of.attempt)
        if heard and (until is None or (until >= self._hub.since and (not gone or heard[0].at <= until))):
            self._lines.show(of.run_id, of.task_id, _by(until, heard), attempt=of.attempt, gone=gone)
            self._first = 0
            return
        self.is_untimed = until is not None and (self.path is not None or attempt.result is not None)
        self._until = None if self.is_untimed else until
        self._lines.show(of.run_id, of.task_id, attempt=of.attempt)
        self._first = None
        if self.path is not None:
            self._read(-1)
        elif attempt.result is not None:
            self._lines.prepend(attempt.result.output)
            is_whole = len(attempt.result.output.encode()) >= attempt.result.output_length
            self._first = self._lines.dropped if is_whole else None
        else:
            self._first = 0

    def go_on_until(self, until: float) -> None:
        """Show the further output until a later moment of the same attempt."""
        of, before = self._of, self._until
        if of is None or before is None:
            return
        self._until = until
        heard = _by(until, self._hub.tail(of.run_id, of.task_id))
        self._lines.append([piece for piece in heard if piece.at > before])

    @property
    def path(self) -> Path | None:
        """The file with the whole output; None: there is none, or nothing was printed."""
        of = self._of
        found = None if of is None else self._file_of(of.run_id, of.task_id, of.attempt)
        return found if found is not None and found.is_file() else None

    @property
    def earlier(self) -> int | None:
        """The number of lines before the kept ones; None: there are some, but their number is unknown."""
        return None if self._first is None else max(0, self._lines.dropped - self._first)

    @property
    def can_load(self) -> bool:
        """Whether earlier lines can be kept besides those that are."""
        return len(self._lines) < MOST_EVER and self._until is None  # the file is counted from its end

    def ends(self) -> int:
        """The number of line feeds in the kept lines, which are the end of the file."""
        self._hub.flush()
        return self._lines.ends

    @property
    def room(self) -> int:
        """The number of further lines that can be kept."""
        return MOST_EVER - len(self._lines)

    def load_earlier(self, lines: int | None = None) -> None:
        """Load so many earlier lines from the file; None: some. If it cannot be read, `trouble` says why."""
        self.trouble = None
        wanted = len(self._lines) + min(lines or MOST_LINES, self.room)
        while (count := len(self._lines)) < wanted:
            self._read(self.ends(), wanted - count)
            if len(self._lines) == count:  # the file has no more
                return

    def _read(self, ends: int, lines: int | None = None) -> None:
        path = self.path
        if path is None:
            return
        try:
            part = read_before(path, ends, min(lines or MOST_LINES, self.room))
        except OSError as error:
            self.trouble = error
            return
        self._lines.prepend(part.text)
        if part.is_first:
            self._first = self._lines.dropped


def _by(until: float | None, heard: Iterable[Piece]) -> list[Piece]:
    """The output that was printed by a moment."""
    return [piece for piece in heard if until is None or piece.at <= until]
