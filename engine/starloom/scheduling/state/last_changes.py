"""The last changes of each field and dependency of a run's graph, for conflicts: what one has not seen stays.

Of each the last change is known, and the last one by anybody else. So whoever takes back what they have done, one step
after the other, does not take back what another one did in between, though they have overwritten that themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection

    from starloom.scheduling.state.run_facts import RunFacts

    Key = tuple[Any, ...]
    Change = tuple[int, str]
    """The revision that a change has led to, and its origin."""


def note_changes(run: RunFacts, keys: Collection[Key], change: Change) -> None:
    """Note the last change of fields and dependencies.

    Args:
        run: the facts; are changed.
        keys: of what was changed; see `constellation.transaction`.
        change: the change.
    """
    touched, overwritten = run.touched, run.overwritten
    for key in touched.keys() & set(keys):
        if touched[key][1] != change[1]:
            overwritten[key] = touched[key]
    touched.update(dict.fromkeys(keys, change))


def changed_by_others(run: RunFacts, key: Key, origin: str) -> Change | None:
    """The last change of a field or dependency by anybody but this origin; None: there is none.

    Args:
        run: the facts.
        key: of the field or dependency.
        origin: whose own changes do not count.
    """
    last = run.touched.get(key)
    return last if last is None or last[1] != origin else run.overwritten.get(key)
