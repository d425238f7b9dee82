"""A file that was opened before, on the welcome page: how its run stands now, or how its last one ended."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget
from typing_extensions import override

from starloom.model.status import RunState
from starloom_gui.text import wall_clock
from starloom_gui.text.words import amount, end_words, fill, run_word, share, tasks, tip, translate
from starloom_gui.theme.chips import CHIP, paint_chip
from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.theme.icons import Icon, drawing
from starloom_gui.theme.metrics import NODE_RADIUS
from starloom_gui.theme.palette import colour
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.status_forms import form_of_run

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from starloom_gui.settings import RecentFile
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.workspace.running import Going

WIDTH: Final = 720
SIDE: Final = 12
_ROW: Final = 48
_RIGHT: Final = 144


def when_words(at: float, now: float) -> str:
    """When a file was last used: `Today 14:22`, `Yesterday`, `18 Nov`, with the year if it was another."""
    then, today = (wall_clock.shown(each) for each in (at, now))
    days = (today.date() - then.date()).days
    if days <= 0:
        return fill(translate("Welcome", "Today %1"), wall_clock.marked(f"{then:%H:%M}"))
    if days == 1:
        return translate("Welcome", "Yesterday")
    return f"{then.day} {then:%b}" if then.year == today.year else f"{then.day} {then:%b %Y}"


def state_words(file: RecentFile, going: Going | None, *, is_known: bool = True) -> str:
    """The state of a file's executing run, or else the outcome of its last one.

    Args:
        file: that was opened.
        going: the progress of its executing run; None: there is none.
        is_known: whether it is known if there is one: what was left unended may have been interrupted, or go on.
    """
    if going is None:
        is_open = not is_known and file.state in {RunState.EXECUTING, RunState.PAUSED}
        return translate("Welcome", "Reading…") if is_open else ended_words(file)
    return translate("Welcome", "Running") if going.state is RunState.EXECUTING else run_word(going.state)


def ended_words(file: RecentFile) -> str:
    """The outcome of a file's last run; a run without a known end was interrupted."""
    if not file.state:
        return translate("Welcome", "Never run")
    if file.state == RunState.EXECUTING:
        return run_word("interrupted")
    if _has_failed(file):
        return fill(translate("Welcome", "%1 failed"), amount(file.failed))
    state, is_any_done = _state(file) or file.state, file.is_any_done
    return end_words(state, file.failed, file.cancelled, is_any_done=is_any_done, simulated=file.simulated)


def _has_failed(file: RecentFile) -> bool:
    """Whether tasks of its last run failed that were no warnings."""
    return file.failed > 0 and _state(file) is not RunState.COMPLETED


def _state(file: RecentFile) -> RunState | None:
    return RunState(file.state) if file.state in set(RunState) else None


class RecentRow(QAbstractButton):
    """A file that was opened before, in two lines, with how its last run ended."""

    def __init__(self, appearance: Appearance, file: RecentFile, now: float, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance, self._now = appearance, now
        self.file = file
        self.setFixedHeight(_ROW)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        path = PurePath(file.path)
        self._name = path.name
        count = [tasks(file.tasks)] if file.tasks is not None else []
        self._place = str(path.parent)
        self._counts = count
        self._count = "".join(f" · {each}" for each in count)
        self.going: Going | None = None
        self._is_known = False
        self.setToolTip(tip(file.path))
        self.show_going(None, is_known=False)

    @property
    def when(self) -> float:
        """When its last run came to the state that is shown above that, else when it was opened; since 1970."""
        return self.file.ran_at or self.file.at

    @property
    def state(self) -> str:
        """The state of its executing run, or the outcome of its last one, in words."""
        return state_words(self.file, self.going, is_known=self._is_known)

    def show_going(self, going: Going | None, *, is_known: bool) -> None:
        """Show the progress of a run of this file.

        Args:
            going: the progress; None: none is executing.
            is_known: whether it is known if one is.
        """
        self.going, self._is_known = going, is_known
        said = [self._name, self._place, *self._counts, self.state]
        self.setAccessibleName(", ".join([*said, *([share(going.done, going.total)] if going is not None else [])]))
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(WIDTH + 2 * SIDE, _ROW)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self._appearance.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse() or self.isDown():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(palette.raised))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0, 0, 0, -1), NODE_RADIUS, NODE_RADIUS)
        painter.fillRect(SIDE, _ROW - 1, self.width() - 2 * SIDE, 1, colour(palette.border))
        drawing(Icon.FILE).paint(painter, QRectF(SIDE, 15, 18, 18), colour(palette.muted))
        self._paint_words(painter, palette)
        self._paint_end(painter, palette)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colour(palette.text), 2.0, Qt.PenStyle.DotLine))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -2), NODE_RADIUS, NODE_RADIUS)
        painter.end()

    def _paint_words(self, painter: QPainter, palette: Palette) -> None:
        left, room = SIDE + 32, self.width() - 2 * SIDE - 32 - _RIGHT - 32
        body, small = font(Role.BODY), font(Role.SMALL)
        painter.setFont(body)
        painter.setPen(colour(palette.text))
        painter.drawText(left, 20, elided(self._name, QFontMetricsF(body), room))
        painter.setFont(small)
        painter.setPen(colour(palette.muted))
        metrics = QFontMetricsF(small)
        place = elided(self._place, metrics, room - metrics.horizontalAdvance(self._count))
        painter.drawText(left, 37, place + self._count)

    def _paint_end(self, painter: QPainter, palette: Palette) -> None:
        left = self.width() - SIDE - _RIGHT
        if self.going is not None:
            self._paint_going(painter, palette, left, self.going)
            return
        is_left = self.file.state == RunState.EXECUTING
        left_as = "interrupted" if self._is_known else ""
        form = form_of_run(left_as if is_left else self.file.state, self.file.cancelled)
        if form is not None:
            form = StatusForm.FAILED if _has_failed(self.file) else form
            paint_chip(painter, QRectF(left - CHIP - 6, 16, CHIP, CHIP), form, palette)
        painter.setFont(font(Role.SMALL))
        failed, never = _has_failed(self.file), not self.file.state
        ink = palette.status[StatusForm.FAILED].text if failed else palette.muted if never else palette.text
        painter.setPen(colour(ink))
        painter.drawText(left, 20, elided(self.state, QFontMetricsF(font(Role.SMALL)), _RIGHT))
        painter.setPen(colour(palette.muted))
        painter.drawText(left, 37, when_words(self.when, self._now))

    def _paint_going(self, painter: QPainter, palette: Palette, left: int, going: Going) -> None:
        form = form_of_run(going.state)
        assert form is not None, "each state has one"
        paint_chip(painter, QRectF(left - CHIP - 6, 16, CHIP, CHIP), form, palette)
        painter.setFont(font(Role.SMALL))
        painter.setPen(colour(palette.text))
        painter.drawText(left, 20, self.state)
        painter.setPen(colour(palette.muted))
        painter.drawText(left, 37, fill(translate("Welcome", "%1 done"), share(going.done, going.total)))
