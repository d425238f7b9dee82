"""The text of nodes: elided, laid out once, and painted from a cache."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QStaticText, QTransform

from starloom.scheduling.state.codes import CANCELLED, FAILED, SKIPPED, is_terminal
from starloom_gui.canvas.atlas import MARK
from starloom_gui.canvas.camera import Level
from starloom_gui.canvas.words import line_of, shorter_lines, title
from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.theme.palette import colour
from starloom_gui.viewmodel.beginnings import shared_beginning
from starloom_gui.viewmodel.status_forms import form_at

if TYPE_CHECKING:
    from PySide6.QtGui import QFont

    from starloom.model.task import Task
    from starloom_gui.canvas.camera import Camera
    from starloom_gui.canvas.render_model import GraphRenderModel
    from starloom_gui.theme.palette import Palette

NAME_BASELINE: Final = 26.0
LINE_BASELINE: Final = 45.0
LINE_HEIGHT: Final = 12.0
_RIGHT_GAP: Final = 3.0
_MOST_KEPT: Final = 8192
FAINT: Final = (CANCELLED, SKIPPED)
_SAID_AGAIN: Final = (CANCELLED, SKIPPED)
"""Of which something else may be said later: what was out of reach as it was cancelled ends once it is reached."""
Place = tuple[int, int, int, int]
"""Number and painted form of a task, left and top of its node."""


class NodeLabels:
    """Paints names and second lines; its cache is cleared when the scale or the render model changes.

    What is said of a task that has ended stays the same until there is another attempt, so it is put into words
    once; but of one that was skipped another task may be the cause later, or that one may have ended otherwise by
    then, and one that was cancelled out of reach may end later. A node that is still painted in another form than
    the task has by now says what it said in that form.
    """

    def __init__(self) -> None:
        self._key: tuple[float, float, GraphRenderModel] | None = None
        self._texts: dict[tuple[str, int, int], tuple[QStaticText, float]] = {}
        self._ended: dict[tuple[int, int, int, int], QStaticText] = {}
        self._said: dict[int, QStaticText] = {}
        self._names: dict[int, tuple[Task | None, QStaticText]] = {}
        self._shared = ""

    def paint(
        self,
        painter: QPainter,
        picture: GraphRenderModel,
        places: list[Place],
        camera: Camera,
        palette: Palette,
        now: float,
    ) -> None:
        """Paint the texts of nodes.

        Args:
            painter: device pixels.
            picture: what is painted.
            places: which tasks, and where.
            camera: how large everything is.
            palette: the colours.
            now: seconds on the run's clock.
        """
        self.prepare(picture, camera)
        if camera.has_names:
            self._paint_names(painter, picture, places, camera, palette)
        if camera.level is Level.FULL:
            self._paint_lines(painter, picture, places, camera, palette, now)

    def draw(
        self,
        painter: QPainter,
        words: str,
        at: QPointF,
        ink: str,
        room: int = 0,
        *,
        small: bool = False,
        short: str = "",
    ) -> None:
        """Paint one text; `prepare` came before.

        Args:
            painter: device pixels.
            words: the text.
            at: where its baseline begins.
            ink: its colour.
            room: what it is cut to; 0: not at all.
            small: whether it is of the small kind.
            short: what is painted instead where the text has no room; empty: nothing else is.
        """
        role = int(small)
        painter.setFont(self._fonts[role])
        painter.setPen(colour(ink))
        text = self._text(words, role, room, short)[0]
        painter.drawStaticText(QPointF(round(at.x()), round(at.y() - self._metrics[role].ascent())), text)

    def width(self, words: str, *, small: bool = False) -> float:
        """The width of a text, in device pixels; `prepare` came before."""
        return self._text(words, int(small), 0)[1]

    def short(self, name: str) -> str:
        """A name without the words that the names of all nodes begin with; `prepare` came before."""
        return name.removeprefix(self._shared)

    def prepare(self, picture: GraphRenderModel, camera: Camera) -> None:
        """Prepare the cache for the texts of a render model at a scale."""
        key = (camera.scale, camera.ratio, picture)
        if key != self._key or len(self._texts) > _MOST_KEPT:
            if self._key is None or self._key[2] is not picture:
                self._shared = shared_beginning({title(picture.facts, number) for number in picture.numbers.tolist()})
            self._key = key
            self._texts.clear()
            self._ended.clear()
            self._said.clear()
            self._names.clear()
            self._fonts = (_sized(Role.BODY, camera), _sized(Role.SMALL, camera))
            self._metrics = tuple(QFontMetricsF(each) for each in self._fonts)
        self._room = camera.node[0] - camera.name_left - round(_RIGHT_GAP * max(1.0, camera.scale) * camera.ratio)

    def _paint_names(
        self, painter: QPainter, picture: GraphRenderModel, places: list[Place], camera: Camera, palette: Palette
    ) -> None:
        painter.setFont(self._fonts[0])
        metrics = self._metrics[0]
        baseline = NAME_BASELINE * camera.total
        if camera.level is not Level.FULL:
            baseline = (camera.node[1] + metrics.ascent() - metrics.descent()) / 2
        x, y = camera.name_left, round(baseline - metrics.ascent())
        draw, bypassed = painter.drawStaticText, picture.bypassed
        for faint in (False, True):
            painter.setPen(colour(palette.muted if faint else palette.text))
            for number, status, left, top in places:
                if (status in FAINT or number in bypassed) is faint:
                    draw(QPointF(left + x, top + y), self._name(picture, number))

    def _name(self, picture: GraphRenderModel, number: int) -> QStaticText:
        task = picture.facts.graph.tasks[number]
        known = self._names.get(number)
        if known is None or known[0] is not task:
            name = title(picture.facts, number)
            known = self._names[number] = task, self._text(name, 0, self._room, self.short(name))[0]
        return known[1]

    def _paint_lines(
        self,
        painter: QPainter,
        picture: GraphRenderModel,
        places: list[Place],
        camera: Camera,
        palette: Palette,
        now: float,
    ) -> None:
        painter.setFont(self._fonts[1])
        k = camera.total
        baseline = max(LINE_BASELINE * k, NAME_BASELINE * k + LINE_HEIGHT * camera.ratio)
        x, y = camera.name_left, round(baseline - self._metrics[1].ascent())
        mark = round(MARK * max(1.0, camera.scale) * camera.ratio)
        draw = painter.drawStaticText
        for wanted, ink in ((False, palette.muted), (True, palette.status[FAILED].text)):
            painter.setPen(colour(ink))
            for number, status, left, top in places:
                if (status == FAILED) is wanted:
                    room = self._room - mark * picture.marks_of(number)
                    draw(QPointF(left + x, top + y), self._line(picture, number, status, now, room))

    def _line(self, picture: GraphRenderModel, number: int, form: int, now: float, room: int) -> QStaticText:
        status = picture.facts.status[number]
        if form not in (status, form_at(picture.facts, number)) and (said := self._said.get(number)) is not None:
            return said
        key = (number, status, picture.facts.tries[number], room)
        found = self._ended.get(key)
        if found is None:
            found, width = self._text(line_of(picture, number, now), 1, 0)
            if width > room:
                less, least = shorter_lines(picture, number, now)
                found = self._text(less, 1, room, least)[0]
            if is_terminal(status) and status not in _SAID_AGAIN:
                self._ended[key] = found
        self._said[number] = found
        return found

    def _text(self, words: str, role: int, room: int, short: str = "") -> tuple[QStaticText, float]:
        """The text, or its short form where it has no room, elided to a width (0: not elided), and its width."""
        key = (words, role, room)
        found = self._texts.get(key)
        if found is None:
            metrics = self._metrics[role]
            fits = not room or metrics.horizontalAdvance(words) <= room
            shown = words if fits else elided(short or words, metrics, room)
            text = QStaticText(shown)
            text.setTextFormat(Qt.TextFormat.PlainText)
            text.prepare(QTransform(), self._fonts[role])
            found = self._texts[key] = (text, metrics.horizontalAdvance(shown))
        return found


def _sized(role: Role, camera: Camera) -> QFont:
    made = font(role, scale=camera.scale)
    made.setPixelSize(round(made.pixelSize() * camera.ratio))
    return made
