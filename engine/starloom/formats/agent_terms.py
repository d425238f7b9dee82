"""The terms of agents as a plan declares them: `on` which ends they are asked, and what their `scope` lets them change.

And what becomes of an edit that comes too late, `on_conflict`.

agents:
  - name: reviewer
    on: {task: build-*, status: failed, when: attempts > 1}
    scope: {tasks: [deploy, report-*]}
    on_conflict: replace
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from starloom.constellation.conditions import check
from starloom.errors import PlanError, Problem, SettingsError
from starloom.formats.edit_forms import names
from starloom.formats.fields import describe, unknown_field
from starloom.model.agent_terms import ENDS, NAMING, AgentTerms, EditScope, EndFilter, OnConflict, ScopeKind

if TYPE_CHECKING:
    from starloom.model.status import TaskStatus

AGENT_FIELDS: Final = ("name", "on", "scope", "on_conflict")
ON_FIELDS: Final = ("task", "status", "when")
_PLAIN: Final = tuple(str(kind) for kind in ScopeKind if kind not in NAMING)
CONFLICT_HINT: Final = f"Use one of {', '.join(OnConflict)}."
SCOPE_HINT: Final = f"Use {', '.join(_PLAIN)}, group with names of limit groups, or tasks with ids or patterns."


def read_agents(value: Any) -> dict[str, AgentTerms]:
    """The terms that a plan declares under `agents`, by the agents' names.

    Raises:
        PlanError: something is wrong with them; lists everything.
    """
    reader = TermsReader("agent")
    found: dict[str, AgentTerms] = {}
    if not isinstance(value, list | tuple):
        reader.add("agents", f"must be a list of agents, not {describe(value)}.")
    for number, one in enumerate(value if isinstance(value, list | tuple) else ()):
        where = f"agents[{number}]"
        given = reader.fields(one, where, AGENT_FIELDS)
        name = reader.text(given.get("name"), f"{where}.name")
        if isinstance(one, Mapping) and "name" not in one:
            reader.add(where, "says no name.", "Give the name under which the agent is attached, e.g. rules.")
        elif name in found:
            reader.add(f"{where}.name", f"{name!r} is there twice.", "Keep one of them.")
        on = (reader.end_filter(given["on"], f"{where}.on"),) if given.get("on") is not None else ()
        scope = reader.scope(given.get("scope"), f"{where}.scope")
        found[name or ""] = AgentTerms(on, scope, reader.on_conflict(given.get("on_conflict"), f"{where}.on_conflict"))
    reader.finish()
    return found


def scope_of(text: str) -> EditScope:
    """The scope that people write as one word: `descendants`, `tasks:build-*,deploy`, `group:gpu`.

    Raises:
        SettingsError: it is none.
    """
    kind, _, rest = text.partition(":")
    reader = TermsReader("agent")
    listed = [name.strip() for name in rest.split(",") if name.strip()]
    found = reader.scope({kind: listed} if kind in NAMING and ":" in text else text, "scope")
    if found is None or reader.problems:
        raise SettingsError(f"scope: there is no {text!r}. {SCOPE_HINT} E.g. tasks:build-*,deploy.")
    return found


def on_conflict_of(text: str) -> OnConflict:
    """What becomes of edits of tasks that have started, as people write it: `drop`, `replace`, `next_attempt`.

    Raises:
        SettingsError: there is no such thing.
    """
    if text not in list(OnConflict):
        raise SettingsError(f"on_conflict: there is no {text!r}. {CONFLICT_HINT}")
    return OnConflict(text)


class TermsReader:
    """Reads what rules and the terms of agents have in common, and continues after each problem.

    An invalid value is replaced by one of its type.

    Args:
        code: of the problems.
    """

    def __init__(self, code: str) -> None:
        self.problems: list[Problem] = []
        self._code = code

    def add(self, where: str, message: str, hint: str = "") -> None:
        """Note a problem."""
        self.problems.append(Problem(where=where, message=message, hint=hint, code=self._code))

    def finish(self) -> None:
        """Raise what was noted.

        Raises:
            PlanError: there was something.
        """
        if self.problems:
            raise PlanError(self.problems)

    def fields(self, value: Any, where: str, known: tuple[str, ...]) -> Mapping[str, Any]:
        """The fields of a mapping that has none but these."""
        if not isinstance(value, Mapping):
            self.add(where, f"must be a mapping with {', '.join(known)}, not {describe(value)}.")
            return {}
        for name in value.keys() - set(known):
            self.add(where, *unknown_field(str(name), known))
        return value

    def text(self, value: Any, where: str) -> str | None:
        """Text that is not empty, or nothing."""
        if value is None or (isinstance(value, str) and value):
            return value
        self.add(where, f"must be text, not {describe(value)}.")
        return None

    def end_filter(self, value: Any, where: str) -> EndFilter:
        """Which ends are meant."""
        on = self.fields(value, where, ON_FIELDS)
        return EndFilter(
            self._patterns(on.get("task", "*"), f"{where}.task"),
            self._statuses(on.get("status"), f"{where}.status"),
            self._when(on.get("when"), f"{where}.when"),
        )

    def scope(self, value: Any, where: str) -> EditScope | None:
        """What may be changed; None: nothing is said."""
        if value is None or (isinstance(value, str) and value in _PLAIN):
            return None if value is None else EditScope(ScopeKind(value))
        if isinstance(value, Mapping) and len(value) == 1:
            ((kind, listed),) = value.items()
            given = names(listed)
            if kind in NAMING and given is not None and all(given) and (given or kind != ScopeKind.GROUP):
                return EditScope(ScopeKind(kind), tuple(given))
        self.add(where, f"must be a scope, such as {{tasks: build-*}}, not {describe(value)}.", SCOPE_HINT)
        return None

    def on_conflict(self, value: Any, where: str) -> OnConflict | None:
        """What becomes of edits of tasks that have started; None: nothing is said."""
        if value is None or value in list(OnConflict):
            return None if value is None else OnConflict(value)
        self.add(where, f"must be what becomes of an edit that comes too late, not {describe(value)}.", CONFLICT_HINT)
        return None

    def _patterns(self, value: Any, where: str) -> tuple[str, ...]:
        patterns = names(value)
        if not patterns or not all(patterns):
            self.add(where, f"must be a task id or a list of them, with * for any characters, not {describe(value)}.")
        return tuple(patterns or ())

    def _statuses(self, value: Any, where: str) -> tuple[TaskStatus, ...]:
        given = [str(end) for end in ENDS] if value is None else names(value)
        if not given or any(word not in ENDS for word in given):
            self.add(where, f"must be completed or failed, or a list of both, not {describe(value)}.")
            return ()
        return tuple(end for end in ENDS if end in given)

    def _when(self, value: Any, where: str) -> str | None:
        text = self.text(value, where)
        fault = check(text) if text is not None else None
        if fault is not None:
            self.add(where, fault)
        return text
