"""Describes staged steps: a row for each, with its changes and the reason why it no longer applies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from starloom.constellation import edits as ed
from starloom.constellation.validation import task_ids
from starloom_gui.editing.words import EditPlurals, problems_words
from starloom_gui.text.field_words import field_word, kind_words, value_words
from starloom_gui.text.words import fill, noun, tasks, translate
from starloom_gui.viewmodel.stage import Stage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from starloom.constellation.graph import Graph
    from starloom.errors import Problem
    from starloom.model.task import Task
    from starloom_gui.editing.base import Step
    from starloom_gui.editing.staging import Staged

    Name = Callable[[str], str]

_MOST_NAMES: Final = 3


@dataclass(frozen=True, slots=True)
class StagedChange:
    """The description of one staged step.

    Attributes:
        key: of the step.
        sign: what it does.
        title: to what.
        detail: what it is or was.
        becomes: what that becomes; may be empty.
        task_ids: the tasks it is about.
        problem: why it does not fit, as sentences; empty: it does.
        is_conflict: whether it could be meant in spite of that: somebody else has changed the same.
    """

    key: int
    sign: Stage
    title: str
    detail: str = ""
    becomes: str = ""
    task_ids: tuple[str, ...] = ()
    problem: str = ""
    is_conflict: bool = False


@dataclass(frozen=True, slots=True)
class _Said:
    """The texts that describe a step."""

    sign: Stage
    title: str
    detail: str = ""
    becomes: str = ""


def change_of(staged: Staged, graph: Graph, after: Graph, problems: Sequence[Problem] = ()) -> StagedChange:
    """A staged step in words.

    Args:
        staged: the step.
        graph: as it is.
        after: as it would be, for the names of what is new.
        problems: what is wrong with it.
    """
    said = _said(staged.step, graph, lambda id: title(after if id in after else graph, id))
    about = dict.fromkeys(id for edit in staged.step.edits for id in task_ids(edit))
    return StagedChange(
        staged.key,
        said.sign,
        said.title,
        said.detail,
        said.becomes,
        tuple(about),
        problems_words(problems),
        bool(problems) and all(problem.code == "conflict" for problem in problems),
    )


def _said(step: Step, graph: Graph, name: Name) -> _Said:
    added = [edit.task for edit in step.edits if isinstance(edit, ed.AddTask)]
    removed = [edit.task_id for edit in step.edits if isinstance(edit, ed.RemoveTask)]
    updates = [edit for edit in step.edits if isinstance(edit, ed.UpdateTask)]
    links = [edit for edit in step.edits if not isinstance(edit, ed.AddTask | ed.RemoveTask | ed.UpdateTask)]
    if added:
        return _added(added, len(links))
    if removed:
        return _removed(removed, graph, name)
    if updates:
        return _updated(updates, graph, name)
    return _linked(links, step.label, graph, name)


def _added(added: Sequence[Task], links: int) -> _Said:
    detail = _task_words(added[0]) if len(added) == 1 else names(task.title for task in added)
    if links:
        detail = fill(translate("Editing", "%1 · %2"), detail, EditPlurals().dependencies(links))
    return _Said(Stage.ADDED, added[0].title if len(added) == 1 else tasks(len(added)), detail)


def _task_words(task: Task) -> str:
    words = fill(translate("Editing", "task on %1"), task.pin) if task.pin else translate("Editing", "task")
    if task.timeout is not None:
        words = fill(translate("Editing", "%1 · timeout %2"), words, value_words("timeout", task.timeout))
    return words


def _removed(removed: Sequence[str], graph: Graph, name: Name) -> _Said:
    numbers = {graph.place[id] for id in removed if id in graph}
    ends = {(parent, number) for number in numbers for parent in graph.parents[number]}
    ends |= {(number, child) for number in numbers for child in graph.children[number]}
    detail = translate("Editing", "task") if len(removed) == 1 else names(map(name, removed))
    if ends:
        detail = fill(translate("Editing", "%1, %2"), detail, EditPlurals().dependencies(len(ends)))
    return _Said(Stage.REMOVED, name(removed[0]) if len(removed) == 1 else tasks(len(removed)), detail)


def _updated(updates: Sequence[ed.UpdateTask], graph: Graph, title_of: Name) -> _Said:
    about = dict.fromkeys(edit.task_id for edit in updates)
    fields = {name: value for edit in updates for name, value in edit.fields.items()}
    head = title_of(next(iter(about))) if len(about) == 1 else tasks(len(about))
    name, value = next(iter(fields.items()), ("", None))
    if len(fields) != 1:
        return _Said(Stage.CHANGED, head, names(noun(field_word(each)) for each in fields))
    word = noun(field_word(name))
    olds = {value_words(name, getattr(graph.task(id), name)) for id in about if id in graph}
    was = fill(translate("Editing", "%1 %2"), word, olds.pop()) if len(olds) == 1 else word
    known = next((graph.task(id) for id in about if id in graph), None)
    return _Said(Stage.CHANGED, head, was, value_words(name, _read(known, name, value)))


def _read(task: Task | None, name: str, value: Any) -> Any:
    """A new value as a task would have it: `15s`, as it was typed, is 15 seconds; as it is, where it cannot be read."""
    try:
        return value if task is None else getattr(replace(task, **{name: value}), name)
    except ValueError:
        return value


def _linked(links: Sequence[ed.Edit], label: str, graph: Graph, name: Name) -> _Said:
    signs = {type(edit) for edit in links}
    sign = {ed.AddDependency: Stage.ADDED, ed.RemoveDependency: Stage.REMOVED}.get(next(iter(signs)), Stage.CHANGED)
    if len(links) > 1:
        return _Said(sign if len(signs) == 1 else Stage.CHANGED, EditPlurals().dependencies(len(links)), label)
    edit = links[0]
    parent, child = task_ids(edit)
    head = fill(translate("Editing", "%1 → %2"), name(parent), name(child))
    kind = kind_words(edit.dependency) if isinstance(edit, ed.AddDependency | ed.UpdateDependency) else ""
    what = translate("Editing", "dependency")
    if isinstance(edit, ed.UpdateDependency) and parent in graph and child in graph:
        numbers = graph.place[parent], graph.place[child]
        was = kind_words(graph.dependency(*numbers)) if graph.has_edge(*numbers) else ""
        return _Said(sign, head, fill(translate("Editing", "%1 %2"), what, was), kind)
    return _Said(sign, head, fill(translate("Editing", "%1 %2"), what, kind) if kind else what)


def title(graph: Graph, id: str) -> str:
    """The name of a task; its id where there is none such."""
    return graph.task(id).title if id in graph else id


def names(found: Iterable[str]) -> str:
    """The first few of some names, and the number of the others."""
    every = list(found)
    shown = ", ".join(every[:_MOST_NAMES])
    rest = len(every) - _MOST_NAMES
    return fill(translate("Editing", "%1 %2"), shown, EditPlurals().more(rest)) if rest > 0 else shown
