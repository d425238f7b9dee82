"""Adding tasks to a graph: alone, behind a task, or into a dependency."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from starloom.constellation.edits import AddDependency, AddTask, RemoveDependency
from starloom.model.dependency import Dependency
from starloom_gui.editing.awaiting import Awaiting
from starloom_gui.editing.base import Step
from starloom_gui.editing.templates import FreeIds
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.constellation.edits import Edit
    from starloom.model.task import Task
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.editing.base import Editor
    from starloom_gui.viewmodel.selection import Selection


@dataclass(frozen=True, slots=True)
class Site:
    """The place of a new task in the graph, by numbers of tasks.

    Attributes:
        after: it waits for this one; None: for none.
        before: this one waits for it, and no longer for `after` if that is given; None: none does.
    """

    after: int | None = None
    before: int | None = None


GROUND = Site()


def site_of(facts: RunFacts, selection: Selection) -> Site:
    """The site where keys add a task: the dependency between the two selected tasks, or after the current one."""
    now, graph = selection.now, facts.graph
    chosen = [one for one in now.numbers if one < len(graph.tasks) and graph.tasks[one] is not None]
    if len(chosen) == 2:
        for parent, child in (chosen, chosen[::-1]):
            if graph.has_edge(parent, child):
                return Site(parent, child)
    current = now.current if now.current in chosen else None
    return Site(current)


def site_words(facts: RunFacts, site: Site) -> str:
    """A place as people read it, e.g. `after compile`."""
    after, before = (_title(facts, number) for number in (site.after, site.before))
    if after and before:
        return fill(translate("Adding", "between %1 and %2"), after, before)
    if before:
        return fill(translate("Adding", "before %1"), before)
    return fill(translate("Adding", "after %1"), after) if after else translate("Adding", "without dependencies")


def _title(facts: RunFacts, number: int | None) -> str:
    is_there = number is not None and facts.graph.tasks[number] is not None
    return facts.graph.names.label(number) if number is not None and is_there else ""


def add_step(task: Task, facts: RunFacts, site: Site) -> Step:
    """The step that adds a task there. Of a dependency, kind and condition stay between parent and new task.

    Args:
        task: its id is only a wish.
        facts: of the run or plan.
        site: of tasks that are there.
    """
    new = replace(task, id=FreeIds(facts.graph.place).free(task.id))
    edits: list[Edit] = [AddTask(new)]
    ids = facts.graph.ids
    if site.after is not None and site.before is not None:
        old = facts.graph.dependency(site.after, site.before)
        edits += [
            RemoveDependency(old.parent, old.child),
            AddDependency(replace(old, child=new.id)),
            AddDependency(Dependency(parent=new.id, child=old.child)),
        ]
    elif site.after is not None:
        edits.append(AddDependency(Dependency(parent=ids[site.after], child=new.id)))
    elif site.before is not None:
        edits.append(AddDependency(Dependency(parent=new.id, child=ids[site.before])))
    label = fill(translate("Adding", "Add %1"), new.title)
    if site != GROUND:
        label = fill(translate("Adding", "Add %1 %2"), new.title, site_words(facts, site))
    return Step(label=label, edits=tuple(edits), is_new=True)


class Planter(QObject):
    """Adds tasks to the graph of an editor; each is one step of undo, and is selected once it is there.

    Args:
        editor: of the graph.
        selection: of its views.
        parent: of the object.

    Attributes:
        selection: of the views of the graph.
        drafts: asks for name and work of a task before it is added; None: it is added at once.

    Signals:
        refused(str, str): what was not done, and why, as sentences.
        planted(int): the task of this number is there now.
        changed: the graph, or what may be done with it, is other than it was.
    """

    refused = Signal(str, str)
    planted = Signal(int)
    changed = Signal()

    def __init__(self, editor: Editor, selection: Selection, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._editor, self.selection = editor, selection
        self.drafts: Callable[[Task, Site], object] | None = None
        self._awaiting = Awaiting(editor, selection, self)
        self._awaiting.arrived.connect(self._tell)
        editor.changed.connect(self.changed)

    def facts(self) -> RunFacts | None:
        """The facts that the user sees, with staged edits."""
        return self._editor.facts()

    def verdict(self, task: Task, site: Site) -> Verdict:
        """Whether a task could be added there now."""
        facts = self._editor.facts()
        if facts is None:
            return Verdict(False, self.tr("There is no graph."), self.tr("Open a plan first."))
        return self._editor.verdict(add_step(task, facts, site).edits)

    def add(self, task: Task, site: Site, *, is_foreign: bool = False) -> str:
        """Add a task at a site; returns its id, or an empty one if `refused` was emitted.

        Args:
            task: its id is only a wish.
            site: where.
            is_foreign: see `Step`.
        """
        facts, verdict = self._editor.facts(), self.verdict(task, site)
        if facts is None or not verdict.ok:
            what = fill(self.tr("%1 was not added"), task.title)
            self.refused.emit(what, f"{verdict.reason} {verdict.hint}".strip())
            return ""
        step = add_step(task, facts, site)
        new = next(edit.task.id for edit in step.edits if isinstance(edit, AddTask))
        self._editor.do(replace(step, is_foreign=is_foreign))
        self._awaiting.select([new])
        return new

    def _tell(self, ids: frozenset[str]) -> None:
        facts = self._editor.facts()
        for one in ids:
            if facts is not None and one in facts.graph.place:
                self.planted.emit(facts.graph.place[one])

    def ask(self, task: Task, site: Site) -> None:
        """Add a task there as soon as the user has typed its name and action."""
        if self.drafts is not None:
            self.drafts(task, site)
        else:
            self.add(task, site)

    def ask_at_keys(self, task: Task) -> None:
        """Add a task at the keyboard's place, see `site_of`, as soon as the user has typed what it is."""
        facts = self._editor.facts()
        self.ask(task, site_of(facts, self.selection) if facts is not None else GROUND)
