"""Layered layout of graphs, for canvas and reports: pure functions over numpy arrays, safe to run in a thread.

Start with `layout`; `values` says what goes in and what comes out.
"""

from starloom.layout.layered import layout
from starloom.layout.values import (
    Bends,
    Direction,
    Layout,
    LayoutGraph,
    LayoutStopped,
    Point,
    Routes,
    Spacing,
)

__all__ = ["Bends", "Direction", "Layout", "LayoutGraph", "LayoutStopped", "Point", "Routes", "Spacing", "layout"]
