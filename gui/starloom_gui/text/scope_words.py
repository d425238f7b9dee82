"""Describes which ends an agent is asked about, which tasks it may change, and what becomes of late edits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.model.agent_terms import ENDS, OnConflict, ScopeKind
from starloom_gui.text.words import fill, plain, translate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starloom.model.agent_terms import EditScope, EndFilter

_SHOWN = 4
_LONG = 60


def kind_of_scope_word(kind: ScopeKind) -> str:
    """The name of a kind of scope where one chooses among them."""
    return {
        ScopeKind.ALL: translate("Agents", "everything"),
        ScopeKind.DESCENDANTS: translate("Agents", "what depends on the ended task"),
        ScopeKind.GROUP: translate("Agents", "tasks of limit groups"),
        ScopeKind.TASKS: translate("Agents", "tasks of these names"),
    }[kind]


def scope_words(scope: EditScope | None) -> str:
    """The tasks that an agent may change, as a sentence; empty: all, which goes without saying."""
    if scope is None:
        return ""
    if scope.kind is ScopeKind.TASKS and not scope.names:
        return translate("Agents", "It may add tasks, and change none that are there.")
    what = {
        ScopeKind.ALL: translate("Agents", "It may change everything."),
        ScopeKind.DESCENDANTS: translate("Agents", "It may change what depends on the ended task."),
        ScopeKind.GROUP: translate("Agents", "It may change tasks of the groups %1."),
        ScopeKind.TASKS: translate("Agents", "It may change these tasks: %1."),
    }[scope.kind]
    return fill(what, _listed(scope.names)) if scope.names else what


def conflict_word(on_conflict: OnConflict) -> str:
    """What becomes of an edit of a task that has started, where one chooses."""
    return {
        OnConflict.DROP: translate("Agents", "leave the edit out"),
        OnConflict.REPLACE: translate("Agents", "stop the task and run it anew"),
        OnConflict.NEXT_ATTEMPT: translate("Agents", "hold for its next attempt"),
    }[on_conflict]


def conflict_words(on_conflict: OnConflict | None) -> str:
    """What becomes of an agent's edits of tasks that have started, as a sentence; empty: it has no terms for that."""
    return {
        None: "",
        OnConflict.DROP: translate("Agents", "What it wants of tasks that have started is left out."),
        OnConflict.REPLACE: translate("Agents", "Tasks that it changes as they run are stopped and run anew."),
        OnConflict.NEXT_ATTEMPT: translate("Agents", "What it wants of tasks that run holds for their next attempt."),
    }[on_conflict]


def ends_words(on: Sequence[EndFilter]) -> str:
    """The ends that an agent is asked about, as a sentence; empty: all, which goes without saying."""
    if not on:
        return ""
    told = [_end_words(one) for one in on[:_SHOWN]]
    if len(on) > _SHOWN:
        told.append("…")
    return fill(translate("Agents", "It is asked about %1."), "; ".join(told))


def _end_words(one: EndFilter) -> str:
    if set(one.statuses) == set(ENDS):
        what = translate("Agents", "ends of %1")
    elif ENDS[0] in one.statuses:
        what = translate("Agents", "completions of %1")
    else:
        what = translate("Agents", "failures of %1")
    named = fill(what, _listed(one.tasks))
    return named if one.when is None else fill(translate("Agents", "%1 if %2"), named, plain(one.when, _LONG))


def _listed(names: Sequence[str]) -> str:
    shown = [plain(name, _LONG) for name in names[:_SHOWN]]
    return ", ".join([*shown, "…"] if len(names) > _SHOWN else shown)
