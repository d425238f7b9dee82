"""The page of a report in light and dark: every colour has its counterpart, and what is written can be read."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Final

import pytest
from tests.driver import RUN
from tests.unit.reporting.story import steered

from starloom.reporting import marks
from starloom.reporting.folding import build
from starloom.reporting.html import page

_RULE: Final = re.compile(r"([^{}]+){([^{}]*)}")
_COLOUR: Final = re.compile(r"#[0-9A-F]{6}")


def rules(style: str) -> dict[str, str]:
    """What is said of each selector, for those of which a colour is said."""
    found: dict[str, str] = {}
    for selectors, said in _RULE.findall(style):
        if _COLOUR.search(said):
            for one in selectors.split(","):
                found[one.strip()] = found.get(one.strip(), "") + said
    return found


def css(name: str) -> str:
    return files("starloom.reporting").joinpath(name).read_text("utf-8")


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def colour(style: str, selector: str) -> str:
    found = _COLOUR.search(rules(style)[selector])
    assert found is not None
    return found[0]


def test_every_colour_of_a_drawing_has_one_for_the_dark() -> None:
    assert set(rules(marks.STYLE)) - set(rules(marks.DARK)) == set()
    assert set(re.findall(r'class="(\w+)"', marks.DEFS)) <= {one.rpartition(".")[2] for one in rules(marks.DARK)}


def test_every_colour_of_the_page_has_one_for_the_dark() -> None:
    dark = {one.strip() for selectors, _ in _RULE.findall(css("dark.css")) for one in selectors.split(",")}
    assert set(rules(css("page.css"))) - dark == set()


def test_the_dark_is_for_screens_only() -> None:
    text = page(build(RUN, steered()))
    assert "@media screen and (prefers-color-scheme: dark) {" in text
    assert text.count("{") - text.count("}") == 0


@pytest.mark.parametrize("selector", ["svg text", "svg .muted", "svg .bad"])
def test_text_can_be_read_in_the_dark_and_in_the_light(selector: str) -> None:
    assert contrast(colour(marks.DARK, selector), "#14171C") >= 4.5
    assert contrast(colour(marks.STYLE, selector), "#FFFFFF") >= 4.5


SHAPES: Final = ("failed", "running", "pending", "skipped", "wait", "flag", "edge", "glyph.dark", "solid.completed")


@pytest.mark.parametrize("kind", SHAPES)
def test_shapes_are_seen_in_the_dark(kind: str) -> None:
    assert contrast(colour(marks.DARK, f"svg .{kind}"), "#14171C") >= 3
