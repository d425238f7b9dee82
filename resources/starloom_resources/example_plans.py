"""The plans of the folder `examples`, read anew each time."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from starloom.formats import parse_plan

if TYPE_CHECKING:
    from starloom.model.plan import Plan


def example_plan(file: str) -> Plan:
    """The plan of an example.

    Args:
        file: its name in the folder `examples`.
    """
    text = files("starloom_resources").joinpath("examples", file).read_text(encoding="utf-8")
    return parse_plan(text, source=file)
