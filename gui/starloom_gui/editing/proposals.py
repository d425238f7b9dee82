"""An agent's proposal, shown as staged edits are: in words, and as an overlay of the canvas."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from starloom.constellation import edits as ed
from starloom.constellation.graph import Graph
from starloom.constellation.validation import task_ids
from starloom.errors import CommandRefused, Problem
from starloom.scheduling.decide.approvals import batch_of
from starloom.scheduling.decide.editing import rehearsed
from starloom_gui.editing.base import Step
from starloom_gui.editing.change_words import StagedChange, change_of
from starloom_gui.editing.preview import Preview
from starloom_gui.editing.staging import Staged
from starloom_gui.text.command_text import command_text
from starloom_gui.text.field_words import field_word
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from starloom.scheduling.state.cycle_facts import Approval
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.viewmodel.staged_overlay import StagedOverlay

_RUN: Final = ("command", "shell", "python", "call", "prompt", "env", "inputs", "cwd")
"""The fields of a task that say what is run."""


def parts_of(edits: Sequence[ed.Edit]) -> list[list[int]]:
    """Edits, by position, as somebody would have made them: a new task with its dependencies, all others alone."""
    groups: list[list[int]] = []
    new: dict[str, list[int]] = {}
    for at, edit in enumerate(edits):
        ends = [id for id in reversed(task_ids(edit)) if id in new] if isinstance(edit, ed.AddDependency) else []
        if ends:
            new[ends[0]].append(at)
            continue
        groups.append([at])
        if isinstance(edit, ed.AddTask):
            new[edit.task.id] = groups[-1]
    return groups


def steps_of(edits: Sequence[ed.Edit]) -> list[Step]:
    """The parts of a proposal as steps."""
    return [Step(label="", edits=tuple(edits[at] for at in part)) for part in parts_of(edits)]


def changes_of(
    run: RunFacts, edits: Sequence[ed.Edit], problems: Iterable[Problem] = (), without: Collection[int] = ()
) -> tuple[StagedChange, ...]:
    """The rows of a proposal, as the Changes pane has them; the key of each is the place of its part.

    Args:
        run: as it is.
        edits: what is proposed.
        problems: why it does not fit any more, if so; those that are about no edit in particular are not told here.
        without: the positions of edits that are left out, which `problems` do not count.
    """
    staged = [Staged(key, step) for key, step in enumerate(steps_of(edits))]
    wrong = _by_part(parts_of(edits), problems, without)
    new = Graph()  # for the names of what is not there yet
    for edit in edits:
        if isinstance(edit, ed.AddTask) and edit.task.id not in new:
            new.add_task(edit.task)
    return tuple(change_of(one, run.graph, new, wrong.get(one.key, ())) for one in staged)


def _by_part(
    parts: Sequence[Sequence[int]], problems: Iterable[Problem], without: Collection[int]
) -> dict[int, tuple[Problem, ...]]:
    owners = {at: key for key, part in enumerate(parts) for at in part}
    kept = [at for at in sorted(owners) if at not in without]
    found: dict[int, tuple[Problem, ...]] = {}
    for problem in problems:
        place = problem.where.removeprefix("edits[").removesuffix("]")
        if place.isdigit() and int(place) < len(kept):
            key = owners[kept[int(place)]]
            found[key] = (*found.get(key, ()), problem)
    return found


def problems_of(run: RunFacts, approval: Approval, without: Collection[int] = ()) -> tuple[Problem, ...]:
    """The problems of applying a proposal, without the parts left out, to the present run; empty: there are none."""
    try:
        return tuple(rehearsed(run, batch_of(approval.proposed, without)).problems)
    except CommandRefused as refused:
        return (Problem(code=refused.code, message=refused.reason, hint=refused.hint),)


# ---- what would be run


def runs_of(edits: Iterable[ed.Edit]) -> dict[str, str]:
    """The full text of what tasks would run because of a proposal, by task id; unaffected tasks are left out.

    Whoever accepts is to have seen this: nothing that is run hides behind a name.
    """
    found: dict[str, list[str]] = {}
    for edit in edits:
        if isinstance(edit, ed.AddTask):
            values = {name: getattr(edit.task, name) for name in _RUN}
            found.setdefault(edit.task.id, []).extend(_lines(values))
        elif isinstance(edit, ed.UpdateTask):
            found.setdefault(edit.task_id, []).extend(_lines(edit.fields))
    return {id: "\n".join(lines) for id, lines in found.items() if lines}


def _lines(values: Mapping[str, Any]) -> list[str]:
    return [
        fill(translate("Editing", "%1: %2"), field_word(name), _shown(value))
        for name, value in values.items()
        if name in _RUN and value not in (None, "", (), {})
    ]


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, tuple | list):
        return command_text(map(str, value))
    return json.dumps(dict(value) if hasattr(value, "items") else value, ensure_ascii=False, default=str)


# ---- on the canvas


class ShownProposal:
    """The staged overlay of one proposal; it follows the run, and goes when the proposal no longer fits.

    Args:
        run: as it is.
        edits: what is proposed.
    """

    def __init__(self, run: RunFacts, edits: tuple[ed.Edit, ...]) -> None:
        self.edits = edits
        self._preview: Preview | None = None
        self._make(run)

    @property
    def ghosts(self) -> StagedOverlay | None:
        """The overlay to draw; None: the proposal does not fit."""
        return self._preview.ghosts if self._preview is not None else None

    @property
    def after(self) -> RunFacts | None:
        """The facts with the edits applied; None: they do not fit."""
        return self._preview.after if self._preview is not None else None

    def follow(self, run: RunFacts, changes: Changes) -> bool:
        """Update the overlay from the run; calling it twice is allowed. Returns whether it has changed or gone."""
        before = self.ghosts
        is_same = not (changes.everything or changes.edits or changes.run)
        if self._preview is not None and not (is_same and self._preview.follow(run, changes.tasks)):
            self._make(run)
        return self.ghosts is not before

    def _make(self, run: RunFacts) -> None:
        try:
            if self._preview is None:
                self._preview = Preview(run, self.edits)
            else:
                self._preview.make(run)
        except (ValueError, CommandRefused):
            self._preview = None
