"""Type checks of commands, made before anything is decided, as nothing may fail half way.

The values behind it (a limit, a priority, an edit) have rules of their own; here is only what every one of them needs.
"""

from __future__ import annotations

import json
from reprlib import repr as shortened
from typing import TYPE_CHECKING, Any, Final

from starloom.constellation.edits import EditBatch
from starloom.errors import CommandRefused
from starloom.model.agent_terms import EditScope, EndFilter, OnConflict, ScopeKind
from starloom.model.plan import Plan
from starloom.model.result import MAX_VALUE_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starloom.scheduling.commands import Command

_TEXT: Final = "Give text."
_ID: Final = "Give an id, as text."


def _is_text(value: object) -> bool:
    """Whether it is text that can be written down: a lone surrogate is no character."""
    if not isinstance(value, str):
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_text_or_none(value: object) -> bool:
    return value is None or _is_text(value)


def _are_ids(value: object) -> bool:
    try:
        return isinstance(value, tuple) and _is_text("".join(value))  # all at once, as there may be 100,000
    except TypeError:
        return False


def _are_numbers(value: object) -> bool:
    return isinstance(value, tuple) and all(map(_is_number, value))


def _is_switch(value: object) -> bool:
    return isinstance(value, bool)


def _is_batch(value: object) -> bool:
    if not isinstance(value, EditBatch):
        return False
    given: Any = value  # what it should hold is what is asked here
    base = given.base_revision
    is_revision = base is None or (isinstance(base, int) and not isinstance(base, bool))
    return is_revision and isinstance(given.edits, tuple | list) and _is_text(given.origin) and _is_text(given.reason)


def _is_batch_or_none(value: object) -> bool:
    return value is None or _is_batch(value)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _are_filters(value: object) -> bool:
    return isinstance(value, tuple) and all(map(_is_filter, value))


def _is_filter(value: object) -> bool:
    if not isinstance(value, EndFilter):
        return False
    given: Any = value  # what it should hold is what is asked here
    return _are_ids(given.tasks) and isinstance(given.statuses, tuple) and _is_text_or_none(given.when)


def _is_scope_or_none(value: object) -> bool:
    if value is None or not isinstance(value, EditScope):
        return value is None
    given: Any = value
    return isinstance(given.kind, ScopeKind) and _are_ids(given.names)


def _is_on_conflict_or_none(value: object) -> bool:
    return value is None or isinstance(value, OnConflict)


def _is_number_or_none(value: object) -> bool:
    return value is None or _is_number(value)


_RULES: Final[Mapping[str, tuple[Callable[[object], bool], str]]] = {
    "origin": (_is_text, _TEXT),
    "id": (_is_text, _ID),
    "reason": (_is_text, _TEXT),
    "status": (_is_text, "Use completed, failed, skipped."),
    "run_id": (_is_text, _ID),
    "task_id": (_is_text, _ID),
    "device_id": (_is_text_or_none, _ID),
    "device_ids": (_are_ids, "Give each id as text and by itself, not in a list."),
    "agent": (_is_text, "Give its name, as text."),
    "asks": (_are_ids, "Give kinds of edits, as a tuple of text."),
    "on": (_are_filters, "Give EndFilters of task ids, statuses and a condition, as a tuple."),
    "scope": (_is_scope_or_none, "Give an EditScope with names as a tuple of text, or None for everything."),
    "on_conflict": (_is_on_conflict_or_none, f"Use an OnConflict, one of {', '.join(OnConflict)}, or None."),
    "cycle": (_is_number, "Give the number of the edit cycle."),
    "approval": (_is_number, "Give the number of the approval."),
    "without": (_are_numbers, "Give positions from 0, as a tuple of numbers."),
    "accept": (_is_switch, "Give True or False."),
    "approve": (_is_switch, "Give True or False."),
    "attempt": (_is_number_or_none, "Give which asking is meant, as a number, or None."),
    "note": (_is_text, _TEXT),
    "numbers": (_are_numbers, "Give the numbers of the questions, as a tuple of numbers."),
    "option": (_is_text, "Give the id of an option, as text."),
    "reject": (_is_switch, "Give True or False."),
    "error": (_is_text, _TEXT),
    "proposal": (_is_batch_or_none, "Give an EditBatch, or None for no edits."),
    "task_ids": (_are_ids, "Give each id as text and by itself, not in a list."),
    "start": (_is_switch, "Give True or False."),
    "hold_open": (_is_switch, "Give True or False."),
    "is_submission": (_is_switch, "Give True or False."),
    "cancel_running": (_is_switch, "Give True or False."),
    "cancel_queued": (_is_switch, "Give True or False."),
    "plan": (lambda value: isinstance(value, Plan), "Give a Plan."),
    "batch": (_is_batch, "Give an EditBatch of edits, with revision, origin and reason of its own."),
}


def check(command: Command) -> None:
    """Refuse a command with a field of the wrong type.

    Raises:
        CommandRefused: `bad_argument`, naming the first such field.
    """
    for name in command.__struct_fields__:
        rule = _RULES.get(name)
        if rule is None:
            continue
        value: Any = getattr(command, name)
        if not rule[0](value):
            raise CommandRefused("bad_argument", f"{name} cannot be {shortened(value)}.", rule[1])


def require_json(value: Any) -> None:
    """Check that a marked result is JSON, like any other."""
    try:
        size = len(json.dumps(value, allow_nan=False, ensure_ascii=False).encode())
    except (TypeError, ValueError, RecursionError) as error:
        raise CommandRefused("result_not_json", f"The value is not JSON: {error}.", "Give plain JSON.") from None
    if size > MAX_VALUE_BYTES:
        reason = f"The value is {size:,} bytes of JSON; at most {MAX_VALUE_BYTES:,} are kept."
        raise CommandRefused("result_too_large", reason, "Write it to a file and give its name.")
