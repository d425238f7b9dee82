"""The inspector shows statuses in the forms that they have everywhere: what waits is hollow, with a frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QImage, QRegion
from PySide6.QtWidgets import QWidget

from starloom_gui.panels.figure_rows import Figure, FigureRow
from starloom_gui.panels.sections import StatusMark
from starloom_gui.panels.task_marks import TILE
from starloom_gui.theme.metrics import CONTROL, ROW
from starloom_gui.theme.palette import DARK, LIGHT, Palette, colour
from starloom_gui.theme.status_form import StatusForm

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def drawn(widget: QWidget, palette: Palette) -> QImage:
    made = QImage(widget.size(), QImage.Format.Format_RGB32)
    made.fill(colour(palette.panel))
    widget.render(made, QPoint(), QRegion(), QWidget.RenderFlag.DrawChildren)
    return made


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("size", [TILE, CONTROL])
def test_the_mark_of_a_task_has_a_frame_where_its_status_has_no_fill(qtbot: QtBot, palette: Palette, size: int) -> None:
    for form in (StatusForm.WAITING, StatusForm.SKIPPED, StatusForm.WARNED):
        mark = StatusMark(size, lambda: palette)
        qtbot.addWidget(mark)
        mark.form = form
        image, ground = drawn(mark, palette), colour(palette.panel).rgb()
        edges = {side: [image.pixel(x, y) for x, y in at] for side, at in sides(size).items()}
        assert [side for side, pixels in edges.items() if set(pixels) == {ground}] == [], form


def sides(size: int) -> dict[str, list[tuple[int, int]]]:
    """The pixels in the middle of each edge of a square."""
    along = range(size // 2 - 3, size // 2 + 3)
    return {
        "left": [(0, one) for one in along],
        "right": [(size - 1, one) for one in along],
        "top": [(one, 0) for one in along],
        "bottom": [(one, size - 1) for one in along],
    }


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_the_bar_of_what_waits_is_hollow_and_not_hatched_as_that_of_what_was_skipped(
    qtbot: QtBot, palette: Palette
) -> None:
    middles = {}
    for form in (StatusForm.WAITING, StatusForm.SKIPPED):
        row = FigureRow(lambda: palette)
        qtbot.addWidget(row)
        row.show_figure(Figure(name="Status", value="3", form=form, share=1.0), 60)
        row.resize(280, ROW)
        image = drawn(row, palette)
        middles[form] = {image.pixel(x, ROW // 2) for x in range(120, 200)}
    assert middles[StatusForm.WAITING] == {colour(palette.raised).rgb()}
    assert len(middles[StatusForm.SKIPPED]) > 1
