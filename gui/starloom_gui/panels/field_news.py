"""The change of a field's value while it is in use: the new value, its author and its age."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom_gui.text.words import ago, fill, plain, translate
from starloom_gui.viewmodel.task_field_words import placeholder

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.scheduling.read.run_view import TaskView
    from starloom_gui.panels.field_rows import FieldRow
    from starloom_gui.viewmodel.roles import Clock

_LONGEST: Final = 120
_LEAD: Final = 12
"""Characters that are shown before the first one in which a long value differs."""


class FieldNews:
    """Shows below fields that others have changed their values.

    Args:
        clock: gives seconds on the engine's clock.
        author: who set a field of a task last, by its name; empty: nobody knows.

    Attributes:
        author: see above.
    """

    def __init__(self, clock: Clock, author: Callable[[TaskView, str], str]) -> None:
        self._clock, self.author = clock, author
        self._noticed: dict[str, tuple[str, float | None, str]] = {}
        self._out_of_sight: set[str] = set()

    def forget(self) -> None:
        """Forget all changes, as other tasks are shown."""
        self._noticed, self._out_of_sight = {}, set()

    def was_out_of_sight(self, name: str) -> None:
        """Note that what has changed a field by now did so while other tasks were shown: nobody saw when."""
        self._out_of_sight.add(name)

    def author_of(self, name: str) -> str:
        """The author who has set a field while it was in use; empty: nobody, or unknown."""
        return self._noticed.get(name, ("", 0.0, ""))[2]

    def tell(self, row: FieldRow, task: TaskView | None) -> None:
        """Show the change below a field. `task`: the task of the field; None: there are several."""
        draft, beside, name, now = row.draft, row.beside, row.name, self._clock()
        if draft.lock:
            beside.say(fill(translate("FieldsSection", "%1. What you typed was not set."), draft.lock), draft.text)
            return
        if draft.other is None:
            self._noticed.pop(name, None)
            self._out_of_sight.discard(name)
            beside.say_unset(_unset_words(row)) if draft.is_left else beside.say("")
            return
        if name not in self._noticed or self._noticed[name][0] != draft.other:
            since = None if name in self._out_of_sight else now
            self._out_of_sight.discard(name)
            self._noticed[name] = (draft.other, since, self.author(task, name) if task is not None else "")
        _, since, who = self._noticed[name]
        shown = in_line(draft.other, draft.text) or placeholder(name) or translate("FieldsSection", "nothing")
        said = fill(translate("FieldsSection", "Set to %1"), shown)
        if who:
            said = fill(translate("FieldsSection", "%1 set %2"), who, shown)
        if since is not None:
            when = translate("FieldsSection", "just now")
            if now - since >= 1:
                when = fill(translate("FieldsSection", "%1 ago"), ago(now - since))
            said = fill(translate("FieldsSection", "%1, %2"), said, when)
        beside.say(said, sets=draft.is_left)


def _unset_words(row: FieldRow) -> str:
    """Words about what was typed in a field and is not its value yet."""
    key = row.draft.key
    if row.draft.runs_again:
        return fill(translate("FieldsSection", "Not set yet: %1 sets it and retries"), key)
    return fill(translate("FieldsSection", "Not set yet: %1 sets it, Esc takes it back"), key)


def in_line(words: str, against: str = "") -> str:
    """A value of several lines, or a table, in one line; of a long one the part from which it differs from another."""
    pairs = enumerate(zip(words, against, strict=False))
    alike = next((at for at, (one, other) in pairs if one != other), min(len(words), len(against)))
    if len(words) > _LONGEST and alike > _LEAD:
        words = "\N{HORIZONTAL ELLIPSIS}" + words[alike - _LEAD :]
    return plain(words.replace("\t", " = ").replace("\n", " · "), _LONGEST)
