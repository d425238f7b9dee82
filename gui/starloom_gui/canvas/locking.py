"""Sets the marks of nodes whose tasks can be edited only in part, or not at all.

They say it while edits are staged, for then one has to know; at other times the status says as much.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom_gui.canvas.render_model import NodeMark
from starloom_gui.editing.base import Mode
from starloom_gui.editing.legality import Lock, lock_of, locks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom_gui.canvas.render_model import GraphRenderModel
    from starloom_gui.editing.base import Editor

MARKS: Final = {Lock.OPEN: NodeMark.NONE, Lock.HALF: NodeMark.LOCK_HALF, Lock.FULL: NodeMark.LOCK_FULL}


def show_locks(picture: GraphRenderModel, editor: Editor) -> None:
    """Mark all tasks that cannot be edited, or only in part."""
    facts = editor.facts() if editor.mode is Mode.STAGED else None
    picture.set_locks({number: MARKS[lock] for number, lock in locks(facts).items()} if facts is not None else {})


def follow_locks(picture: GraphRenderModel, editor: Editor, numbers: Iterable[int]) -> None:
    """Update the marks of tasks whose status may have changed, and of their parents."""
    facts = editor.facts() if editor.mode is Mode.STAGED else None
    if facts is None:
        return
    known = [number for number in numbers if number < len(facts.status)]
    for number in {*known, *(parent for each in known for parent in facts.graph.parents[each])}:
        row = picture.row(number)
        if row is not None and picture.plain[row]:
            picture.lock[row] = MARKS[lock_of(facts, number)]
