"""The names that are offered in fields of tasks, and a hint where one is new."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom_gui.text.cell_text import names_of
from starloom_gui.text.words import fill, translate
from starloom_gui.viewmodel.limit_lines import groups_of_tasks
from starloom_gui.viewmodel.task_fields import GROUPS, REQUIRES

if TYPE_CHECKING:
    from collections.abc import Collection

    from starloom.scheduling.read.run_view import RunView

DEVICE: Final = "device"
HINTED: Final = (GROUPS, DEVICE)
"""The fields of names of which it is said where they are unknown."""


def known_groups(run: RunView) -> list[str]:
    """The limit groups there are: of the fleet, of the plan's limits, and of its tasks; sorted."""
    return sorted({*run.fleet.groups, *run.facts.limits.groups, *groups_of_tasks(run)}, key=str.casefold)


def known_devices(run: RunView) -> list[str]:
    """The devices of the fleet, sorted."""
    return sorted(run.fleet.devices, key=str.casefold)


def known_capabilities(run: RunView) -> list[str]:
    """The capabilities that devices of the fleet have, sorted."""
    return sorted({name for one in run.fleet.devices.values() for name in one.capabilities}, key=str.casefold)


def known_names(run: RunView | None, field: str) -> list[str]:
    """The names that complete a field of a task; none without a run."""
    if run is None:
        return []
    return {GROUPS: known_groups, REQUIRES: known_capabilities}.get(field, known_devices)(run)


def new_group_words(words: str, known: Collection[str]) -> str:
    """The hint on new names in a field; empty: there are groups of all these names.

    Args:
        words: the names, with commas between them.
        known: the groups there are.
    """
    new = [name for name in names_of(words) if name not in known]
    if not new:
        return ""
    said = translate("Inspector", "“%1” is a new group, without a limit: “Queue & limits” gives it one.")
    return " ".join(fill(said, name) for name in dict.fromkeys(new))


def device_words(name: str, known: Collection[str]) -> str:
    """The hint on a device that is not in the fleet; empty: it is, or the fleet has none yet, or none is named."""
    if not name.strip() or not known or name.strip() in known:
        return ""
    return fill(translate("Inspector", "There is no device “%1” in the fleet now."), name.strip())


def hint_of(field: str, words: str, run: RunView | None, *, is_edited: bool) -> str:
    """What is to be known of a name that is typed, or stands, in one of the fields of `HINTED`; empty: nothing.

    Args:
        field: which one.
        words: what stands there.
        run: knows the names there are.
        is_edited: whether that is typed and not set.
    """
    if field == DEVICE:
        return device_words(words, known_names(run, field))
    return new_group_words(words, known_names(run, field)) if is_edited else ""
