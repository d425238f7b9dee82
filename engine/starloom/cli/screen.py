"""The output of the command line: results to stdout, everything else to stderr.

Colours and a progress bar on a terminal, plain lines everywhere else. A reader that goes away ends the writing, and
nothing more: what runs goes on.
"""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, Any, Final, TextIO

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console
    from rich.progress import Progress

_ESCAPES: Final = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\x9b[0-?]*[ -/]*[@-~]|\x1b."
)
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_LONGEST_LINE: Final = 400


def plain(text: str) -> str:
    """The text without colours and other control characters: what a task prints must not steer our terminal."""
    return _CONTROLS.sub("", _ESCAPES.sub("", text))


def others_words(counts: Mapping[str, int]) -> str:
    """What is counted beside the tasks that are done: `, 1 failed, 2 skipped`."""
    return "".join(f", {count} {name}" for name, count in counts.items() if count)


def last_lines(output: str, count: int) -> list[str]:
    """The last non-blank lines of a task's output, each as a terminal would finally show it."""
    lines = [plain(line.rstrip("\r").rpartition("\r")[2]).rstrip() for line in output[-64_000:].split("\n")]
    shown = [line for line in lines if line][-count:] if count else []
    return [line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]} ..." for line in shown]


class _Out:
    """One output stream, until its reader closes it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.is_terminal = stream.isatty() and os.environ.get("TERM") != "dumb"
        self.trouble = ""
        """The reason why something could not be written, but for a reader that went away."""
        self._console: Console | None = None

    @property
    def console(self) -> Console:
        """For a terminal; rich knows about NO_COLOR."""
        if self._console is None:
            from rich.console import Console

            self._console = Console(file=self._stream, highlight=False, markup=False, emoji=False)
        return self._console

    def line(self, text: str, style: str = "") -> None:
        try:
            if self.is_terminal:
                from rich.text import Text

                self.console.print(Text(text, style=style), soft_wrap=True)  # its style stays out of the progress bar
            else:
                self._stream.write(f"{text}\n")
                self._stream.flush()
        except OSError as error:
            if not isinstance(error, BrokenPipeError):
                self.trouble = error.strerror or str(error)
            self.give_up()

    def give_up(self) -> None:
        """Discard the rest, and the last flush, as the reader is gone or the stream is not writable."""
        try:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream.fileno())
            os.close(nowhere)
        except (OSError, ValueError):
            pass
        self.is_terminal = False


class Screen:
    """The output of a command, on stdout and stderr.

    Args:
        quiet: leave out everything but results and errors.
    """

    def __init__(self, *, quiet: bool = False) -> None:
        self.quiet = quiet
        self._out = _Out(sys.stdout)
        self._err = _Out(sys.stderr)
        self._bar: Progress | None = None
        self._bar_task: Any = None

    def result(self, text: str, style: str = "") -> int:
        """Print a result on stdout; returns the exit code of a command that is done with that."""
        self._out.line(text, style)
        return 0

    def note(self, text: str, style: str = "") -> None:
        """Print a note on stderr, unless the command is quiet."""
        if not self.quiet:
            self._err.line(text, style)

    def ask(self, text: str) -> None:
        """Print a question on stderr, even if the command is quiet."""
        self._err.line(text, "bold")

    def error(self, text: str) -> None:
        """Print an error on stderr, with untrusted text made harmless."""
        self._err.line(plain(text), "red")

    def close(self) -> None:
        """Remove the progress bar."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    @property
    def trouble(self) -> str:
        """The reason why a result could not be written; empty if all were, or if the reader closed the pipe."""
        return self._out.trouble

    # ---- progress, on a terminal

    @property
    def shows_progress(self) -> bool:
        """Whether a progress bar can be shown."""
        return self._err.is_terminal and not self.quiet

    def progress(self, done: int, total: int, text: str) -> None:
        """Show the progress; only where `shows_progress`."""
        try:
            if self._bar is None:
                self._start_bar()
            assert self._bar is not None
            self._bar.update(self._bar_task, completed=done, total=total, description=text)
            self._bar.refresh()
        except OSError:
            self._err.give_up()

    def _start_bar(self) -> None:
        from rich.progress import BarColumn, Progress, TextColumn

        self._bar = Progress(
            BarColumn(bar_width=30, complete_style="green"),
            TextColumn("{task.description}", markup=False),
            console=self._err.console,
            auto_refresh=False,
            transient=True,
        )
        self._bar_task = self._bar.add_task("")
        self._bar.start()
