"""The outputs of attempts as lines to compare, read where they are kept. No Qt; may run in a thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from starloom_gui.diff.line_diff import changes, rows, unified
from starloom_gui.models.ansi import stripped
from starloom_gui.panels.output_file import read_before

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from starloom.model.result import Result
    from starloom_gui.diff.line_diff import DiffRow, Span

MOST_COMPARED: Final = 20_000
"""The last lines of an output that are compared, of at most 8 MiB."""


@dataclass(frozen=True, slots=True)
class AttemptOutput:
    """One attempt whose output can be compared.

    Attributes:
        name: what it is called, e.g. `Attempt 2 · build-1 · 0:42`.
        path: of the file with the whole output; None: it is not kept.
        result: of the attempt, with the end of its output; None: it has none.
        is_running: whether it may print more.
    """

    name: str
    path: Path | None
    result: Result | None
    is_running: bool = False


@dataclass(frozen=True, slots=True)
class OutputText:
    """The lines of an output that are compared.

    Attributes:
        lines: without escapes.
        is_whole: whether nothing came before them.
        is_lost: whether it printed more, and the file with that is not there.
    """

    lines: tuple[str, ...]
    is_whole: bool = True
    is_lost: bool = False


@dataclass(frozen=True, slots=True)
class OutputDifference:
    """The difference of two outputs.

    Attributes:
        before, after: the two.
        spans: the stretches in which they differ.
    """

    before: OutputText
    after: OutputText
    spans: tuple[Span, ...]

    def rows(self) -> list[DiffRow]:
        """The rows side by side."""
        return list(rows(self.spans, len(self.before.lines), len(self.after.lines)))

    def unified(self, names: tuple[str, str]) -> str:
        """The difference as a unified diff; lines are counted from the first one that was compared."""
        return unified(self.spans, self.before.lines, self.after.lines, names, (1, 1))


def text_of(output: AttemptOutput) -> OutputText:
    """The end of an attempt's output.

    Raises:
        OSError: its file cannot be read.
    """
    result = output.result
    if output.path is not None and output.path.is_file():
        part = read_before(output.path, -1, MOST_COMPARED)
        return OutputText(_lines(part.text), part.is_first)
    if result is None:
        return OutputText(())
    is_whole = len(result.output.encode(errors="surrogatepass")) >= result.output_length
    return OutputText(_lines(result.output), is_whole, is_lost=not is_whole)


def _lines(text: str) -> tuple[str, ...]:
    return tuple(stripped(line.removesuffix("\r")) for line in text.removesuffix("\n").split("\n")) if text else ()


def difference_of(before: AttemptOutput, after: AttemptOutput, is_given_up: Callable[[], bool]) -> OutputDifference:
    """The difference between the outputs of two attempts.

    Args:
        before: the one on the left.
        after: the one on the right.
        is_given_up: whether nobody waits for it any more.

    Raises:
        OSError: a file cannot be read.
    """
    one, other = text_of(before), text_of(after)
    return OutputDifference(one, other, tuple(changes(one.lines, other.lines, is_given_up)))
