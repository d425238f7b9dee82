"""The sentence for a batch of edits that was applied; see `edit_events`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec import structs

from starloom.constellation import edits as ed
from starloom.constellation.validation import task_ids
from starloom.model.task import ACTIONS
from starloom_gui.text.field_words import field_word
from starloom_gui.text.words import Plurals, fill, plain, translate

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starloom import events as ev

_CHANGES: Final = 3
"""Changes of a batch that are named."""


def edited(event: ev.ConstellationModified) -> str:
    """A batch of edits in a sentence with its first few changes."""
    shown = ", ".join(map(_change, event.changes[:_CHANGES]))
    if len(event.changes) > _CHANGES:
        shown = fill("%1 … %2", shown, Plurals().changes(len(event.changes)))
    text = fill(translate("Events", "Edited, revision %1: %2"), event.revision, shown)
    return fill("%1 (%2)", text, plain(event.reason)) if event.reason else text


def _change(edit: ed.Edit) -> str:
    """An edit in symbols and the names of fields, e.g. `+ a`, `+ a → b`, `Δ a (Timeout)`."""
    names = " → ".join(task_ids(edit))
    if isinstance(edit, ed.AddTask | ed.AddDependency):
        return f"+ {names}"
    if isinstance(edit, ed.RemoveTask | ed.RemoveDependency):
        return f"\N{MINUS SIGN} {names}"
    fields = ", ".join(map(field_word, edit.fields)) if isinstance(edit, ed.UpdateTask) else ""
    return f"Δ {names} ({fields})" if fields else f"Δ {names}"


def really_changed(event: ev.ConstellationModified) -> ev.ConstellationModified:
    """The event without the fields of tasks that stayed as they were, and without actions that gave way to another."""
    before = _values(event.inverse)
    changes = (_differing(edit, before) if isinstance(edit, ed.UpdateTask) else edit for edit in event.changes)
    return structs.replace(event, changes=tuple(changes))


def _values(edits: Iterable[ed.Edit]) -> dict[tuple[str, str], list[Any]]:
    """The values that edits set, by task and field."""
    found: dict[tuple[str, str], list[Any]] = {}
    for edit in edits:
        if isinstance(edit, ed.UpdateTask):
            for field, value in edit.fields.items():
                found.setdefault((edit.task_id, field), []).append(value)
    return found


def _differing(edit: ed.UpdateTask, before: dict[tuple[str, str], list[Any]]) -> ed.UpdateTask:
    fields = {
        field: value
        for field, value in edit.fields.items()
        if not (field in ACTIONS and value is None)
        and any(old != value for old in before.get((edit.task_id, field), [object()]))
    }
    return ed.UpdateTask(edit.task_id, **fields)
