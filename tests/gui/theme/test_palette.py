"""The colours keep the contrasts that were promised, and the palettes are complete."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QPalette

from starloom.model.status import TaskStatus
from starloom_gui.theme.appearance import qpalette
from starloom_gui.theme.palette import DARK, LIGHT, Palette, blended, colour

THEMES = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=lambda palette: palette.name)


def luminance(code: str) -> float:
    parts = [int(code[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    r, g, b = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_the_measure_of_contrast_is_that_of_the_guidelines() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


@THEMES
def test_every_status_has_a_shape_that_stands_out_and_a_text_that_can_be_read(palette: Palette) -> None:
    for ink in (*palette.status, palette.held):
        for surface in (palette.window, palette.panel, palette.canvas):
            assert contrast(ink.shape, surface) >= 3.0, (ink.shape, surface)
            assert contrast(ink.text, surface) >= 4.5, (ink.text, surface)


@THEMES
def test_texts_can_be_read_on_every_surface(palette: Palette) -> None:
    surfaces = (palette.window, palette.panel, palette.canvas, palette.raised, palette.selected)
    texts = (palette.text, palette.muted, *(ink.text for ink in palette.status))
    low = [(text, on) for text in texts for on in surfaces if contrast(text, on) < 4.5]
    assert low == []


@THEMES
def test_a_glyph_stands_out_on_its_fill_and_the_edge_of_a_control_on_its_surface(palette: Palette) -> None:
    for code in (1, 2, 4, 5):
        assert contrast(palette.on_fill, palette.status[code].shape) >= 3.0
    assert contrast(palette.on_fill, palette.held.shape) >= 3.0
    assert contrast(palette.ink(TaskStatus.COMPLETED).text, palette.tint) >= 3.0
    assert contrast(palette.outline, palette.panel) >= 3.0


@THEMES
def test_there_are_colours_for_every_status(palette: Palette) -> None:
    assert len(palette.status) == len(TaskStatus)
    assert palette.ink(TaskStatus.RUNNING) is palette.status[2]


@THEMES
def test_qt_gets_our_colours_and_nothing_selected_is_a_hue(palette: Palette) -> None:
    made = qpalette(palette)
    assert made.color(QPalette.ColorRole.Window) == colour(palette.window)
    assert made.color(QPalette.ColorRole.Base) == colour(palette.panel)
    assert made.color(QPalette.ColorRole.Highlight).saturation() < 100
    disabled = made.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text)
    assert disabled != made.color(QPalette.ColorRole.Text)


def test_a_blend_lies_between_its_colours() -> None:
    assert blended("#FFFFFF", "#000000", 1.0) == "#FFFFFF"
    assert blended("#FFFFFF", "#000000", 0.0) == "#000000"
    assert blended("#FF0000", "#0000FF", 0.5) == "#800080"
