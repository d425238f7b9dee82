"""The editing verbs of a canvas, one method each; keys, menus and gestures all call them.

Each looks first whether it may, and says beside the task why it may not.
"""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QPoint, QPointF

from starloom_gui.canvas.drafting import Drafting
from starloom_gui.canvas.edge_card import EdgeCard
from starloom_gui.canvas.kinds_menu import TaskKindsMenu
from starloom_gui.canvas.rename_field import RenameField
from starloom_gui.editing import steps
from starloom_gui.editing.adding import GROUND, Planter, Site
from starloom_gui.editing.legality import why_closed, why_fixed, why_frozen, why_gone
from starloom_gui.editing.removing import remove_tasks
from starloom_gui.editing.templates import usual_kind
from starloom_gui.specs.action_spec import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.canvas.surface import Surface
    from starloom_gui.canvas.tools.connecting import Loose
    from starloom_gui.editing.base import Editor, Step
    from starloom_gui.editing.templates import TaskTemplate
    from starloom_gui.editing.trial import Trial
    from starloom_gui.viewmodel.selection import Selected, Selection


MOST_ASKED: Final = 1_000
"""Of more tasks than these only some are looked at before a verb is offered."""


class EditingVerbs(QObject):
    """Edits the graph of an editor.

    Args:
        surface: the parts of the canvas.
        selection: of its run.
        editor: of its graph.
        kinds: gives what a new task can begin as.
        trial: says what a step would change that is held still; None: nothing is foreseen.

    Attributes:
        editor: of its graph.
        trial: see above.
        drafting: asks for new tasks where they are going to stand.
        card: of the selected dependency.
        menu: what was asked last about a new task; None: nothing is.
    """

    def __init__(
        self,
        surface: Surface,
        selection: Selection,
        editor: Editor,
        kinds: Callable[[], Sequence[TaskTemplate]],
        trial: Trial | None = None,
    ) -> None:
        super().__init__(surface.view)
        self._surface, self._selection, self.editor, self._kinds = surface, selection, editor, kinds
        self.trial = trial
        self.drafting = Drafting(surface, Planter(editor, selection, self))
        self.drafting.planter.drafts = self.drafting.begin
        # over overview and zoom, which lie over the viewport
        self.card = EdgeCard(surface.graph.item.palette, surface.view)
        self.card.closed.connect(self.leave_edge)
        self.card.remove_asked.connect(self.remove)
        self.menu: TaskKindsMenu | None = None
        self._field: RenameField | None = None
        self._renamed_number = 0
        surface.controls.empty.offer_adding()
        surface.controls.empty.add_asked.connect(
            lambda: self.ask_kind_at(GROUND, surface.view.viewport().rect().center())
        )
        surface.pan_zoom.moved.connect(self._follow_view)
        selection.changed.connect(self._follow_selection)
        surface.graph.changed.connect(self._follow_tasks)

    def facts(self) -> RunFacts | None:
        """The facts of the run with the staged edits, as users see it."""
        return self.editor.facts()

    def _follow_view(self) -> None:
        """Hide the card, and move the rename field with its task."""
        self.card.hide()
        picture = self._surface.graph.picture
        row = picture.row(self._renamed_number) if picture is not None else None
        if self._field is not None and row is not None:
            self._field.stand_over(self._surface.graph.node_rect(row))

    def _follow_selection(self, selected: Selected) -> None:
        """Deselect the dependency when tasks are selected."""
        if selected.numbers and self._surface.overlay.chosen_edge is not None:
            self.choose_edge(None)

    def _follow_tasks(self, _rows: object) -> None:
        """Say in the card what holds now that tasks have started or ended."""
        if self.card.isVisible():
            self.card.refresh()

    # ---- dependencies

    def choose_edge(self, ends: tuple[int, int] | None, at: QPoint | None = None) -> None:
        """Select a dependency, and no task; None: deselect it.

        Args:
            ends: parent and child.
            at: where in the viewport its card stands; None: it is not shown.
        """
        self._surface.overlay.choose_edge(ends)
        if ends is not None:
            self._selection.clear()
        if ends is None or at is None:
            self.card.hide()
        else:
            self.card.set_palette(self._surface.graph.item.palette)
            self.card.show_edge(self.editor, *ends, at)
            facts = self.facts()
            if self.card.isHidden() and facts is not None:
                self._surface.overlay.say_of(ends[1], why_fixed(facts, *ends))

    def edit_edge(self, ends: tuple[int, int], at: QPoint) -> None:
        """Edit the condition of a dependency at a viewport position; it is set by Enter.

        Args:
            ends: the numbers of parent and child.
            at: a place of the viewport.
        """
        self.choose_edge(ends, at)
        self.card.ask_condition()

    def leave_edge(self) -> None:
        """Deselect the dependency, and give the canvas the focus."""
        self.choose_edge(None)
        self._surface.view.setFocus()

    def remove_edge(self, ends: tuple[int, int]) -> None:
        """Remove a dependency."""
        facts = self.facts()
        reason = why_fixed(facts, *ends) if facts is not None else ""
        if facts is None or reason:
            self._surface.overlay.say_of(ends[1], reason)
            return
        self.leave_edge()
        self.editor.do(steps.disconnect(facts, *ends))

    # ---- tasks

    def remove(self) -> None:
        """Remove the selected dependency, or the selected tasks with their dependencies."""
        ends = self._surface.overlay.chosen_edge
        if ends is not None:
            self.remove_edge(ends)
        else:
            self._remove(steps.remove)

    def remove_and_reconnect(self) -> None:
        """Remove the selected tasks, and connect their parents with their children."""
        self._remove(steps.remove_and_reconnect)

    def _remove(self, make: Callable[[RunFacts, Sequence[int]], Step]) -> None:
        now = self._selection.now
        reason = remove_tasks(self.editor, now.numbers, make)
        if reason:
            self._surface.overlay.say_of(
                now.current if now.current in now.numbers else min(now.numbers, default=None), reason
            )

    def rename(self) -> bool:
        """Edit the name of the current task in place; returns whether it can be, else a message says why not."""
        facts, number, surface = self.facts(), self._selection.now.current, self._surface
        row = surface.graph.picture.row(number) if surface.graph.picture is not None else None
        if facts is None or number is None or row is None:
            return False
        reason = why_frozen(facts, number)
        if reason or surface.graph.picture is None or surface.graph.picture.is_hidden(number):
            surface.overlay.say_of(number, reason or self.tr("Unfold the group to rename one of its tasks."))
            return False
        self._renamed_number = number
        self._field = RenameField(
            steps.name_of(facts, number),
            surface.graph.node_rect(row),
            surface.graph.item.palette,
            surface.view.viewport(),
            why_not=partial(self._why_no_name, number),
        )
        self._field.refused.connect(partial(surface.overlay.say_of, number))
        self._field.ended.connect(lambda name: self._renamed(number, name))
        return True

    def _why_no_name(self, number: int) -> str:
        facts = self.facts()
        return why_frozen(facts, number) if facts is not None else self.tr("There is no run.")

    def _renamed(self, number: int, name: str | None) -> None:
        facts, self._field = self.facts(), None
        if name is not None and facts is not None:
            self.editor.do(steps.rename(facts, number, name))

    # ---- groups

    def can_group(self) -> Verdict:
        """Whether the selected tasks can be put into a group."""
        facts, chosen = self.facts(), self._selection.now.numbers
        if facts is None or not chosen:
            return Verdict(False, self.tr("No task is selected."))
        some = islice(chosen, MOST_ASKED)  # asked whenever anything changes; the rest is left to the engine
        reason = next(filter(None, (why_frozen(facts, number) for number in some)), "")
        return Verdict(not reason, reason)

    def can_ungroup(self) -> Verdict:
        """Whether one of the selected tasks can be removed from a group."""
        facts, verdict = self.facts(), self.can_group()
        chosen = self._selection.now.numbers
        if facts is None or not verdict.ok or len(chosen) > MOST_ASKED:
            return verdict
        if any(steps.is_grouped(facts, one) for one in chosen):
            return verdict
        return Verdict(False, self.tr("None of the selected tasks was put into a group."))

    def group(self) -> None:
        """Ask for the name of a group at the current task, and put the selected tasks into it."""
        surface, now, verdict = self._surface, self._selection.now, self.can_group()
        picture = surface.graph.picture
        number = now.current if now.current in now.numbers else next(iter(sorted(now.numbers)), None)
        row = picture.row(number) if picture is not None else None
        if not verdict.ok or row is None or number is None:
            surface.overlay.say_of(number, verdict.reason)
            return
        surface.graph.reveal_task(number)
        self._renamed_number, chosen = number, now.numbers
        asks = self.tr("Name of the group")
        self._field = RenameField(
            "", surface.graph.node_rect(row), surface.graph.item.palette, surface.view.viewport(), asks
        )
        self._field.ended.connect(lambda name: self._grouped(chosen, name))

    def _grouped(self, numbers: frozenset[int], name: str | None) -> None:
        facts, self._field = self.facts(), None
        wanted = " ".join((name or "").split())
        if wanted and facts is not None:
            self.editor.do(steps.group(facts, numbers, wanted))

    def ungroup(self) -> None:
        """Remove the selected tasks from their groups."""
        facts, now, verdict = self.facts(), self._selection.now, self.can_ungroup()
        if not verdict.ok or facts is None:
            self._surface.overlay.say_of(now.current, verdict.reason)
            return
        self.editor.do(steps.ungroup(facts, now.numbers))

    @property
    def field(self) -> RenameField | None:
        """The open rename field."""
        return self._field

    # ---- new tasks

    def ask_kind(self, loose: Loose, at: QPoint) -> None:
        """Ask for a new task at the end of a dependency; `at` is a viewport position."""
        self.ask_kind_at(Site(loose.fixed) if loose.forward else Site(before=loose.fixed), at)

    def ask_kind_at(self, site: Site, at: QPoint, *, stays: bool = True) -> None:
        """Ask for the kind of a new task at a site.

        Args:
            site: where in the graph.
            at: where in the viewport the menu opens.
            stays: whether the task is to stand there, too; else the layout finds its place.
        """
        if self._is_open(site):
            self.menu = self.kinds_menu(site, self._surface.pan_zoom.scene_at(at) if stays else None)
            self.menu.aboutToHide.connect(self._forget_menu)
            self.menu.popup(self._surface.view.viewport().mapToGlobal(at))

    def ask_task(self, site: Site) -> None:
        """Ask for a new task of the usual kind; on the background, the layout finds its place."""
        if self._is_open(site):
            self._draft_usual(site, None)

    def _draft_usual(self, site: Site, place: QPointF | None) -> None:
        kinds, facts = self._kinds(), self.facts()
        if kinds and facts is not None:
            self._draft(site, place, usual_kind(kinds, (task for _, task in islice(facts.graph.present(), MOST_ASKED))))

    def _is_open(self, site: Site) -> bool:
        """Whether a task can be added at a site; if not, a message says why."""
        facts = self.facts()
        if facts is None:
            return False
        reason = why_closed(facts) or (why_gone(facts, site.after) if site.after is not None else "")
        if site.after is not None and site.before is not None:
            reason = reason or why_fixed(facts, site.after, site.before)
        elif site.before is not None:
            reason = reason or why_frozen(facts, site.before)
        if reason:
            self._surface.overlay.say_of(site.before if site.before is not None else site.after, reason)
        return not reason

    def kinds_menu(self, site: Site, place: QPointF | None = None) -> TaskKindsMenu:
        """The menu of kinds of tasks for a site; it belongs to the canvas.

        Args:
            site: where in the graph.
            place: where in the scene; None: beside what it comes after.
        """
        surface = self._surface
        return TaskKindsMenu(
            self.editor,
            self._kinds(),
            site,
            partial(self._draft, site, place),
            surface.graph.item.palette,
            surface.view,
            self.trial,
        )

    def _forget_menu(self) -> None:
        if self.menu is not None:
            self.menu.deleteLater()
        self.menu = None

    def _draft(self, site: Site, place: QPointF | None, template: TaskTemplate) -> None:
        self.drafting.begin(template.make(), site, place)

    def add_at(self, place: QPointF) -> None:
        """Ask for a new task of the usual kind, at a point of the scene."""
        facts = self.facts()
        reason = why_closed(facts) if facts is not None else self.tr("There is no graph.")
        if reason:
            self._surface.overlay.say(reason, place)
        else:
            self._draft_usual(GROUND, place)
