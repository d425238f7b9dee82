"""Removing selected tasks, wherever they are selected: on the canvas, and in lists of tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom_gui.editing.legality import why_kept

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.editing.base import Editor, Step


def remove_tasks(editor: Editor, numbers: Iterable[int], make: Callable[[RunFacts, Sequence[int]], Step]) -> str:
    """Remove tasks together; returns the reason why they can't be, as a sentence; empty: they are.

    Args:
        editor: of their graph.
        numbers: of the tasks.
        make: makes the step, as `steps.remove` does.
    """
    facts, chosen = editor.facts(), sorted(numbers)
    if facts is None:
        return ""
    reason = why_kept(facts, chosen)
    if not reason:
        editor.do(make(facts, chosen))
    return reason
