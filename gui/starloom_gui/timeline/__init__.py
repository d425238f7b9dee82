"""The timeline of the console: past, running and projected attempts, one lane for each slot.

`TimelineModel` reads the facts of a run into numbers, `TimelineView` shows them, `TimelineCorner` has its buttons.
"""

from starloom_gui.timeline.corner import TimelineCorner
from starloom_gui.timeline.model import TimelineModel
from starloom_gui.timeline.view import TimelineView
from starloom_gui.viewmodel.flags import Flag, flag_of

__all__ = ["Flag", "TimelineCorner", "TimelineModel", "TimelineView", "flag_of"]
