"""The agent that follows rules declared in a plan: fan-out over a result, fallback, escalation, early stop. No code."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from starloom.agents.allowance import Allowance, Caps
from starloom.agents.base import AgentView, FinishedTask, Proposal
from starloom.agents.rules_text import fill, fill_text, in_texts
from starloom.constellation.conditions import evaluate
from starloom.constellation.edits import AddTask
from starloom.constellation.validation import task_ids
from starloom.errors import AgentError
from starloom.formats.edit_forms import read_edits
from starloom.formats.rule_templates import is_filled, without_templates
from starloom.model.agent_terms import AgentTerms, EditScope, ScopeKind, matches

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from starloom.constellation.edits import Edit
    from starloom.formats.rules import Rule

_BREATH: Final = 20
"""After so many ended tasks the loop gets a turn."""
_LONGEST_REASON: Final = 1_000
_SEARCHED_AGAIN: Final = frozenset({"command", "env", "inputs", "prompt"})
"""What is searched for templates when the task starts."""


@dataclass(frozen=True, slots=True)
class _Firing:
    """One rule, applied to one ended task: all of its edits are proposed, or none."""

    number: int
    why: str
    edits: tuple[Edit, ...]


class RuleAgent:
    """Proposes the edits of every rule that applies to an ended task.

    What one rule makes of one task is proposed as a whole or, if it would be refused, left out and said in the reason.

    Attributes:
        rules: in the order in which they are tried.
    """

    def __init__(self, rules: Sequence[Rule], *, name: str = "rules", caps: Caps | None = None) -> None:
        self.name = name
        self.rules = tuple(rules)
        self._allowance = Allowance(caps or Caps())
        self._times: Counter[tuple[str, int]] = Counter()

    @property
    def terms(self) -> AgentTerms:
        """The ends to which any rule applies, and what any rule may change; what a result decides may be anything."""
        changed: dict[str, None] = {}
        for rule in self.rules:
            edits, _ = read_edits(list(rule.forms))
            added = {edit.task.id for edit in edits if isinstance(edit, AddTask)}
            ids = (task_ids(edit)[-1] for edit in edits if not isinstance(edit, AddTask))
            changed |= dict.fromkeys(without_templates(task_id) for task_id in ids if task_id not in added)
        kind = ScopeKind.ALL if "*" in changed else ScopeKind.TASKS
        scope = EditScope(kind, () if kind is ScopeKind.ALL else tuple(changed))
        return AgentTerms(tuple(rule.on for rule in self.rules), scope)

    async def propose(self, view: AgentView, finished: Sequence[FinishedTask]) -> Proposal | None:
        """The edits of all rules that apply, in the order in which the tasks ended.

        Raises:
            AgentError: rules apply, but nothing can be proposed; or the caps are reached.
        """
        if self._allowance.is_used_up(view.run_id):
            return None
        faults: list[str] = []
        firings: list[_Firing] = []
        for place, task in enumerate(finished, 1):
            firings += self._firings(view, task, faults)
            if place % _BREATH == 0:
                await asyncio.sleep(0)
        firings = _fitting(view, firings, faults)
        if not firings:
            if faults:
                raise AgentError(_short(faults))
            return None
        edits = tuple(edit for firing in firings for edit in firing.edits)
        self._allowance.spend(view.run_id, len(edits))
        return Proposal(edits=edits, reason=_short([*(firing.why for firing in firings), *faults]))

    def _firings(self, view: AgentView, task: FinishedTask, faults: list[str]) -> Iterator[_Firing]:
        for number, rule in enumerate(self.rules):
            if not _concerns(rule, task):
                continue
            try:
                if not _holds(rule, task) or not self._may(view.run_id, number, rule):
                    continue
                edits = tuple(_edits(rule, task, view))
            except AgentError as error:
                faults.append(f"{rule.name}, about {task.id}: {error}")
                continue
            if edits:
                self._times[view.run_id, number] += 1
                yield _Firing(number, f"{rule.name}: {task.id} {task.status}", edits)

    def _may(self, run_id: str, number: int, rule: Rule) -> bool:
        """Whether the rule has not reached its limit; the first time that it has is logged."""
        times = self._times[run_id, number]
        if times == rule.times:
            self._times[run_id, number] += 1
            raise AgentError(f"it has applied {times} times; raise its times if it is to go on.")
        return times < rule.times


def _concerns(rule: Rule, task: FinishedTask) -> bool:
    return rule.on.concerns(task.id, task.status)


def _holds(rule: Rule, task: FinishedTask) -> bool:
    if rule.on.when is None:
        return True
    result = task.result
    verdict, fault = evaluate(
        rule.on.when,
        status=task.status,
        value=result.value,
        exit_code=result.exit_code,
        output=result.output,
        attempts=task.attempts,
        duration=None,
        severity=task.severity or "",
    )
    if fault:
        raise AgentError(fault)
    return verdict


def _edits(rule: Rule, task: FinishedTask, view: AgentView) -> Iterator[Edit]:
    """The edits the rule makes of one ended task."""
    for known in _rounds(rule, task):
        forms = [filled for form in rule.forms for filled in _filled(form, known, view)]
        edits, problems = read_edits(forms, "do")
        if problems:
            raise AgentError(str(problems[0]))
        yield from edits


def _rounds(rule: Rule, task: FinishedTask) -> Iterator[Mapping[str, Any]]:
    """The values of the templates, once for each time the edits are made."""
    known = {"task": _told(task)}
    if rule.for_each is None:
        yield known
        return
    items = fill(rule.for_each, known, kept=False)
    if not isinstance(items, list | tuple):
        raise AgentError(f"{rule.for_each} is no list.")
    if len(items) > rule.most:
        raise AgentError(f"{rule.for_each} has {len(items):,} items; at most {rule.most:,} are gone through.")
    for index, item in enumerate(items):
        yield {**known, "item": item, "index": index}


def _told(task: FinishedTask) -> dict[str, Any]:
    result = task.result
    return {
        "id": task.id,
        "name": task.task.title,
        "status": str(task.status),
        "attempts": task.attempts,
        "value": result.value,
        "output": result.output,
        "exit_code": result.exit_code,
        "error": result.error.message if result.error is not None else "",
        "severity": str(task.severity or ""),
    }


def _filled(form: Mapping[str, Any], known: Mapping[str, Any], view: AgentView) -> Iterator[dict[str, Any]]:
    """The form without templates and patterns; a pattern makes one form for each task that it means."""
    ((kind, content),) = form.items()
    if isinstance(content, str):
        for task_id in _meant(content, view):
            yield {kind: fill_text(task_id, known, kept=False)}
        return
    filled = {field: _field(field, value, known, view) for field, value in content.items()}
    target = content.get("task")
    if isinstance(target, str):
        for task_id in _meant(target, view):
            yield {kind: {**filled, "task": fill_text(task_id, known, kept=False)}}
        return
    yield {kind: filled}


def _field(field: str, value: Any, known: Mapping[str, Any], view: AgentView) -> Any:
    if field == "before":
        wanted = [value] if isinstance(value, str) else value
        value = [task_id for pattern in wanted for task_id in _meant(pattern, view)]
    if field in {"inputs", "needs", "before"}:
        return fill(value, known, kept=field in _SEARCHED_AGAIN)
    return in_texts(value, lambda text: fill_text(text, known, kept=field in _SEARCHED_AGAIN))


def _meant(pattern: str, view: AgentView) -> Iterable[str]:
    """The tasks that may still change and match; text without `*` or `?`, or with a template, means just itself."""
    if is_filled(pattern) or not {"*", "?"} & set(pattern):
        return [pattern]
    return [task_id for task_id in view.task_ids if matches(task_id, (pattern,)) and view.may_change(task_id)]


def _fitting(view: AgentView, firings: list[_Firing], faults: list[str]) -> list[_Firing]:
    """The firings that can be applied one after another; the reasons of the others are added to the faults."""
    if not firings or not view.problems([edit for firing in firings for edit in firing.edits]):
        return firings
    edits: list[Edit] = []
    good: list[_Firing] = []
    for firing in firings:
        problems = view.problems([*edits, *firing.edits])
        if problems:
            faults.append(f"{firing.why}, but left out: {problems[0].message}")
        else:
            edits += firing.edits
            good.append(firing)
    return good


def _short(parts: Sequence[str]) -> str:
    text = "; ".join(parts)
    return text if len(text) <= _LONGEST_REASON else f"{text[:_LONGEST_REASON]}…"
