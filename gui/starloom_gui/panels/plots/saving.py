"""Copies and exports the plots: as CSV and as a picture."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, Signal
from PySide6.QtGui import QGuiApplication, QImageWriter

from starloom_gui.panels.plots.table import Curve, table_of
from starloom_gui.text.words import amount, fill, translate
from starloom_gui.theme.icons import Icon, icon

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QImage
    from PySide6.QtWidgets import QMenu

    from starloom_gui.panels.plots.area import PlotArea
    from starloom_gui.panels.plots.curves import RunCurves
    from starloom_gui.theme.appearance import Appearance

MOST_COPIED: Final = 50_000
"""Rows that are copied at most: more would keep everybody waiting who pastes them."""


class Export(NamedTuple):
    """A file to be written, as the user chooses.

    Attributes:
        title: what it is.
        kinds: what can be written, and the ending of each without its point.
        made: gives the bytes for an ending; may be called in another thread.
    """

    title: str
    kinds: dict[str, str]
    made: Callable[[str], bytes]


class PlotSaver(QObject):
    """Writes tables and pictures of the plots.

    Signals:
        export_asked(Export): the user wants this in a file.

    Args:
        area: the plots.
        curves: their values.
        appearance: the colours of the menu.
    """

    export_asked = Signal(object)

    def __init__(self, area: PlotArea, curves: RunCurves, appearance: Appearance) -> None:
        super().__init__(area)
        self._area, self._curves, self._appearance = area, curves, appearance

    def fill_menu(self, menu: QMenu) -> None:
        """Append the actions to a menu; disabled ones show the reason."""
        palette = self._appearance.palette
        frame = self._area.frame
        nothing = "" if frame is not None and frame.rows else self.tr("No curve is switched on.")
        rows = 0 if nothing else self._in_sight()
        words = self.tr("%1 rows are in sight, and no more than %2 are copied. Export them, or show less time.")
        too_many = fill(words, amount(rows), amount(MOST_COPIED)) if rows > MOST_COPIED else ""
        verbs: tuple[tuple[Icon, str, Callable[[], object], str], ...] = (
            (Icon.COPY, self.tr("Copy what is in sight as CSV"), self.copy, nothing or too_many),
            (Icon.SAVE, self.tr("Export as CSV…"), self.export_table, nothing),
            (Icon.SAVE, self.tr("Export as picture…"), self.export_picture, nothing),
        )
        menu.setToolTipsVisible(True)
        for shape, name, act, why_not in verbs:
            action = menu.addAction(icon(shape, palette), name)
            action.setEnabled(not why_not)
            action.setToolTip(why_not or name)
            action.triggered.connect(lambda *_, act=act: act())

    def copy(self) -> None:
        """Copy the visible part of the shown curves to the clipboard."""
        first, last = self._sight()
        QGuiApplication.clipboard().setText(self._table(first, last)())

    def export_table(self) -> None:
        """Ask for a file, and write the shown curves of the whole run to it as CSV."""
        make = self._table(self._curves.begin, self._curves.now())
        kinds = {self.tr("Table (*.csv)"): "csv"}
        self.export_asked.emit(Export(self.tr("Export the curves"), kinds, lambda _: make().encode()))

    def export_picture(self) -> None:
        """Ask for a file, and write the present plots to it as a picture."""
        kinds = {self.tr("Picture (*.png)"): "png"}
        self.export_asked.emit(Export(self.tr("Export the plots"), kinds, partial(_encoded, self._area.picture())))

    def _sight(self) -> tuple[float, float]:
        """The first and the last visible moment that the curves cover."""
        span, width = self._area.time.span, self._area.time.width
        first = max(span.left, self._curves.begin)
        return first, max(first, min(span.time_at(width), self._curves.now()))

    def _in_sight(self) -> int:
        """The maximal number of rows of the table of the visible time."""
        first, last = self._sight()
        times = [column.times for column in self._columns()]
        return sum(int(((each >= first) & (each <= last)).sum()) for each in times) + 2

    def _table(self, first: float, last: float) -> Callable[[], str]:
        frame = self._area.frame
        ahead = frame.wall.ahead(first) if frame is not None else 0.0
        columns = [
            column._replace(times=column.times.copy(), values=column.values.copy()) for column in self._columns()
        ]
        return partial(table_of, columns, first, last, self._curves.begin, ahead)

    def _columns(self) -> list[Curve]:
        frame = self._area.frame
        rows = frame.rows if frame is not None else []
        return [
            Curve(
                fill(translate("Plots", "%1: %2"), row.plot.value, one.series.name),
                one.steps.times,
                one.steps.values,
                tuple(one.gaps),
            )
            for row in rows
            for one in row.shown
        ]


def _encoded(image: QImage, ending: str) -> bytes:
    """A picture as bytes.

    Raises:
        OSError: there is no memory for it.
    """
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not QImageWriter(buffer, QByteArray(ending.encode())).write(image):
        raise OSError(0, "the picture could not be encoded")
    return bytes(buffer.data().data())
