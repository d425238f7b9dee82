"""Glyphs and icons are paths: each verb has a shape of its own, inside its grid, in the colour that was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QIcon, QImage, QPainter

from starloom_gui.theme import glyphs
from starloom_gui.theme.drawings import Drawing, path
from starloom_gui.theme.fonts import Role, elided, font
from starloom_gui.theme.icons import Icon, drawing, icon, pixmap
from starloom_gui.theme.palette import DARK, LIGHT, Palette, colour

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

GLYPHS = {name: value for name, value in vars(glyphs).items() if isinstance(value, Drawing)}


@pytest.mark.parametrize("verb", Icon)
def test_every_verb_has_a_drawing_inside_its_grid(verb: Icon) -> None:
    made = drawing(verb)
    assert made.lines or made.fill
    room = QRectF(0, 0, made.grid, made.grid)
    for text in filter(None, (made.lines, made.fill)):
        margin = made.stroke / 2 if text == made.lines else 0
        assert room.contains(path(text).boundingRect().adjusted(-margin, -margin, margin, margin)), verb


def test_no_two_verbs_look_alike_but_those_that_are_meant_to() -> None:
    shapes: dict[tuple[str, str], list[str]] = {}
    for verb in Icon:
        shapes.setdefault((drawing(verb).lines, drawing(verb).fill), []).append(verb.value)
    assert [names for names in shapes.values() if len(names) > 1] == [["start", "run"], ["next", "expanded"]]


def test_glyphs_stay_inside_their_grid_and_differ() -> None:
    everything = [*glyphs.STATUS, *GLYPHS.values()]
    assert len({(each.lines, each.fill) for each in everything}) == len(everything)
    for each in everything:
        for text in filter(None, (each.lines, each.fill)):
            assert QRectF(0, 0, 16, 16).contains(path(text).boundingRect().adjusted(-0.5, -0.5, 0.5, 0.5))


def test_a_drawing_that_is_misspelt_says_so() -> None:
    with pytest.raises(ValueError, match="'X'"):
        path("M 1 1 X 2 2")


def test_an_icon_has_one_colour_and_its_corners_are_empty(app: QApplication) -> None:
    image = pixmap(Icon.CLOSE, LIGHT.text, 20, 2.0).toImage()
    assert (image.width(), image.devicePixelRatio()) == (40, 2.0)
    inked = {
        image.pixelColor(x, y).name() for x in range(40) for y in range(40) if image.pixelColor(x, y).alpha() == 255
    }
    assert inked == {colour(LIGHT.text).name()}
    assert image.pixelColor(0, 0).alpha() == 0


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=lambda palette: palette.name)
def test_a_disabled_icon_is_fainter(app: QApplication, palette: Palette) -> None:
    made = icon(Icon.PAUSE, palette)
    normal, faint = (made.pixmap(20, mode).toImage() for mode in (QIcon.Mode.Normal, QIcon.Mode.Disabled))
    assert normal != faint
    assert not normal.isNull()


def test_painting_a_drawing_leaves_the_painter_as_it_was(app: QApplication) -> None:
    image = QImage(16, 16, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    before = painter.worldTransform()
    glyphs.STATUS[3].paint(painter, QRectF(0, 0, 16, 16), colour(LIGHT.text))
    assert painter.worldTransform() == before
    painter.end()


def test_type_never_shrinks_below_eleven_pixels(app: QApplication) -> None:
    sizes = {role: font(role).pixelSize() for role in Role}
    assert sizes == {Role.TITLE: 17, Role.SECTION: 12, Role.BODY: 12, Role.SMALL: 11, Role.MONOSPACE: 12}
    assert font(Role.SMALL, scale=0.5).pixelSize() == 11
    assert font(Role.BODY, scale=2.0).pixelSize() == 24


def test_digits_have_one_width(app: QApplication) -> None:
    metrics = QFontMetricsF(font(family="DejaVu Sans"))
    assert len({metrics.horizontalAdvance(digit) for digit in "0123456789"}) == 1


def test_a_long_name_loses_its_middle(app: QApplication) -> None:
    metrics = QFontMetricsF(font(family="DejaVu Sans"))
    cut = elided("configure for the m4", metrics, 80)
    assert cut.startswith("con")
    assert cut.endswith("m4")
    assert metrics.horizontalAdvance(cut) <= 80
    assert elided("short", metrics, 80) == "short"
