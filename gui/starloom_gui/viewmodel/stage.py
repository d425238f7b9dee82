"""The effects of staged edits on tasks and dependencies, and their signs."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from starloom_gui.theme import glyphs


class Stage(IntEnum):
    """The effect of a staged edit on a node or an edge."""

    NONE = 0
    ADDED = 1
    REMOVED = 2
    CHANGED = 3
    EXTRA = 4
    """It is there, and is not where the run is compared with."""


STAGE_GLYPHS: Final = {
    Stage.ADDED: glyphs.ADDED,
    Stage.REMOVED: glyphs.REMOVED,
    Stage.CHANGED: glyphs.CHANGED,
    Stage.EXTRA: glyphs.ADDED,
}
