"""Searching the lines of an output file that come before those that are shown, upwards and a part at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from starloom_gui.models.ansi import stripped
from starloom_gui.panels.output_file import lines_end_before
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from collections.abc import Callable
    from io import BufferedReader
    from pathlib import Path

    from starloom_gui.panels.output_search import SearchRow
    from starloom_gui.panels.output_source import OutputSource
    from starloom_gui.panels.output_view import OutputView
    from starloom_gui.panels.pane_message_bar import PaneMessageBar

_AT_ONCE: Final = 1024 * 1024
"""Bytes that are searched before the window has its turn again."""
_LONGEST: Final = 8 * 1024 * 1024
"""Bytes of a line that is searched in one piece."""


_CONTEXT: Final = 20
"""Lines above a found one that are loaded, too."""


class EarlierSearch(QObject):
    """Searches a task's file backwards from the first line that is shown.

    Attributes:
        above: how many lines above the first one that is shown the found line is, from 1; 0: there is none.

    Signals:
        ended(str): it is over; why the file cannot be read, empty if it can.
    """

    ended = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.above = 0
        self._file: BufferedReader | None = None
        self._holds: Callable[[str], bool] = bool
        self._at = self._below = 0
        self._rest = b""
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._go_on)

    @property
    def is_active(self) -> bool:
        """Whether a search is running."""
        return self._file is not None

    def begin(self, path: Path, ends: int, holds: Callable[[str], bool]) -> None:
        """Start the search; a signal reports its end.

        Args:
            path: the file.
            ends: how many line feeds there are in what is shown, which is the end of the file.
            holds: whether a line without its colours holds what is sought.
        """
        self.cancel()
        self.above, self._below, self._rest, self._holds = 0, 0, b"", holds
        try:
            self._file = path.open("rb")
            self._at = lines_end_before(self._file, ends)
        except OSError as error:
            self._end(error.strerror or str(error))
            return
        self._timer.start(0)

    def cancel(self) -> None:
        """Cancel the search, without a signal."""
        self._timer.stop()
        if self._file is not None:
            self._file.close()
            self._file = None

    def _end(self, trouble: str = "") -> None:
        self.cancel()
        self.ended.emit(trouble)

    def _go_on(self) -> None:
        assert self._file is not None, "the timer runs while there is one"
        begin = max(0, self._at - _AT_ONCE)
        try:
            self._file.seek(begin)
            data = self._file.read(self._at - begin) + self._rest
        except OSError as error:
            self._end(error.strerror or str(error))
            return
        self._at = begin
        cut = data.find(b"\n") + 1 if begin else 0  # what comes before the first line feed is the end of a line
        if begin and not cut and len(data) < _LONGEST:
            self._rest = data
            return
        self._rest = data[:cut]
        if self._look(data[cut:]) or not begin:
            self._end()

    def _look(self, data: bytes) -> bool:
        """Search whole lines from the last to the first; returns whether there is a match."""
        for line in reversed(data.decode("utf-8", "replace").removesuffix("\n").split("\n") if data else ()):
            self._below += 1
            if self._holds(stripped(line)):
                self.above = self._below
                return True
        return False


class PaneSearch(QObject):
    """The search of an output pane: in the lines that are shown and, if asked for, above them in the task's file.

    Attributes:
        button: has it searched above, in the strip that says that there are earlier lines.

    Signals:
        changed(): what is offered is another, or earlier lines were loaded.

    Args:
        row: what is sought, and where of it one is.
        view: the lines.
        source: has the file.
        strip: says that there are earlier lines.
        trouble: says what came of it where that cannot be seen.
        parent: of the object.
    """

    changed = Signal()

    def __init__(
        self,
        row: SearchRow,
        view: OutputView,
        source: OutputSource,
        strip: PaneMessageBar,
        trouble: PaneMessageBar,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._row, self._view, self._source, self._trouble = row, view, source, trouble
        self._above = EarlierSearch(self)
        self._is_over = False
        self.button = strip.offer(self._begin_or_stop)
        self._above.ended.connect(self._ended)
        row.sought.connect(self._seek)
        row.step_asked.connect(self.step)
        view.found_changed.connect(self.look)

    @property
    def is_open(self) -> bool:
        """Whether there is no match in the lines that are shown, but may be one in the file above them."""
        finder = self._view.finder
        if self._is_over or not finder.is_seeking or finder.found:
            return False
        return self._has_earlier

    @property
    def _has_earlier(self) -> bool:
        """Whether there is a file with lines above those that are shown."""
        source = self._source
        return source.earlier != 0 and source.until is None and source.path is not None

    def look(self) -> None:
        """Show the matches, and which buttons are possible now."""
        finder = self._view.finder
        self._row.show_found(finder, is_all=not (self._has_earlier if finder.found else self.is_open))
        self.button.setVisible(self._above.is_active or self.is_open)
        self.button.setText(self.tr("Stop searching") if self._above.is_active else self.tr("Search earlier lines"))

    def forget(self) -> None:
        """Forget the search, as another text or another output is searched."""
        self._above.cancel()
        self._is_over = False

    def step(self, forward: bool) -> None:
        """Go to the next or previous match; without one in these lines, search above them."""
        if self.is_open:
            self._begin()
        else:
            self._view.search.step(forward=forward)

    def _seek(self, sought: str, is_pattern: bool) -> None:
        self.forget()
        self._view.search.seek(sought, is_pattern=is_pattern)
        why = self._view.finder.trouble
        self._trouble.say(fill(translate("OutputPane", "This is not a regular expression: %1."), why) if why else "")

    def _begin_or_stop(self) -> None:
        if self._above.is_active:
            self._above.cancel()
            self.changed.emit()
        else:
            self._begin()

    def _begin(self) -> None:
        path = self._source.path
        if path is not None and self.is_open and not self._above.is_active:
            self._above.begin(path, self._source.ends(), self._view.finder.holds)
            self.changed.emit()

    def _ended(self, trouble: str) -> None:
        above, said = self._above.above, trouble
        self._is_over = not trouble
        if trouble:
            words = translate("OutputPane", "The output file %1 cannot be read: %2.")
            said = fill(words, self._source.path or "", trouble)
        elif above > self._source.room:
            said = self.tr("It is in the task's file, %n line(s) above these, which is too far to be shown.", "", above)
        elif above:
            self._source.load_earlier(above + _CONTEXT)
        self._trouble.say(said)
        self.changed.emit()
        self.look()
        self._view.search.step(forward=False)
