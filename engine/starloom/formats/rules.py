"""Rules as a plan declares them: `on` which ends, `do` which edits. Reads plain JSON values.

rules:
  - name: check every file
    on: {task: list-*, status: completed, when: size(value.files) > 0}
    for_each: ${task.value.files}
    do:
      - add_task: {id: 'check-${index}', command: [check, '${item.path}'], needs: ['${task.id}'], before: report}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from starloom.formats.agent_terms import TermsReader
from starloom.formats.edit_forms import read_edits
from starloom.formats.fields import describe
from starloom.formats.rule_templates import is_filled, names_item

if TYPE_CHECKING:
    from starloom.model.agent_terms import EndFilter

RULE_FIELDS: Final = ("name", "on", "for_each", "most", "times", "do")
FILLED_FIELDS: Final = frozenset(
    {"id", "name", "description", "command", "env", "inputs", "prompt", "needs", "before", "task", "parent", "child"}
)
"""Where a result may get to; not into the text of a shell, and not into what decides how and where a task is run."""
MOST_ITEMS: Final = 1_000
TIMES: Final = 100
"""How often a rule applies in a run unless it says otherwise: one that feeds itself ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule of an agent: which edits to make when tasks end in a certain way.

    Attributes:
        name: for people.
        on: the ends to which it applies.
        forms: the edits, as `edit_forms` has them, with templates.
        for_each: the template of a list; the edits are made once for each item of it. None: once.
        most: how many items the list may have.
        times: how often the rule applies in a run.
    """

    name: str
    on: EndFilter
    forms: tuple[Mapping[str, Any], ...]
    for_each: str | None = None
    most: int = MOST_ITEMS
    times: int = TIMES


def read_rules(value: Any) -> tuple[Rule, ...]:
    """The rules that a plan declares under `rules`.

    Raises:
        PlanError: something is wrong with them; lists everything.
    """
    reader = _Reader()
    if isinstance(value, list | tuple):
        found = [reader.rule(one, f"rules[{number}]", f"rule {number + 1}") for number, one in enumerate(value)]
    else:
        found = []
        reader.given.add("rules", f"must be a list of rules, not {describe(value)}.")
    reader.given.finish()
    return tuple(found)


class _Reader:
    """Reads rules, and continues after each problem; an invalid value is replaced by one of its type."""

    def __init__(self) -> None:
        self.given = TermsReader("rule")

    def rule(self, value: Any, where: str, name: str) -> Rule:
        given = self.given.fields(value, where, RULE_FIELDS)
        for_each = self._for_each(given.get("for_each"), f"{where}.for_each")
        return Rule(
            name=self.given.text(given.get("name"), f"{where}.name") or name,
            on=self.given.end_filter(given.get("on"), f"{where}.on"),
            forms=self._forms(given.get("do"), f"{where}.do", for_each),
            for_each=for_each,
            most=self._count(given, "most", where, MOST_ITEMS, 10_000),
            times=self._count(given, "times", where, TIMES, 1_000_000),
        )

    def _for_each(self, value: Any, where: str) -> str | None:
        text = self.given.text(value, where)
        if text is not None and not (
            text.startswith("${task.") and is_filled(text) and text.find("}") == len(text) - 1
        ):
            self.given.add(
                where, f"must name a list of the task's result, not {describe(text)}.", "E.g. ${task.value.files}."
            )
        return text

    def _count(self, given: Mapping[str, Any], name: str, where: str, default: int, most: int) -> int:
        value = given.get(name, default)
        if type(value) is int and 1 <= value <= most:
            return value
        self.given.add(f"{where}.{name}", f"must be a whole number from 1 to {most:,}, not {describe(value)}.")
        return default

    def _forms(self, value: Any, where: str, for_each: str | None) -> tuple[Mapping[str, Any], ...]:
        if not value:
            self.given.add(where, f"must be a list of edits, not {describe(value)}.")
            return ()
        _, problems = read_edits(value, where)
        self.given.problems += problems
        if problems:
            return ()
        for number, form in enumerate(value):
            self._check_templates(form, f"{where}[{number}]", for_each)
        return tuple(value)

    def _check_templates(self, form: Mapping[str, Any], where: str, for_each: str | None) -> None:
        if for_each is None and names_item(form):
            self.given.add(where, "names an item, but no list is gone through.", "Say which one in for_each.")
        for kind, content in form.items():
            for field, value in content.items() if isinstance(content, Mapping) else ():
                if field not in FILLED_FIELDS and is_filled(value):
                    hint = "Pass it in command, env, inputs or prompt."
                    self.given.add(f"{where}.{kind}.{field}", "what comes from a result must not get in here.", hint)
