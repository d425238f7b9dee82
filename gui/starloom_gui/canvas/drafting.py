"""Adds new tasks: shows the form at the place of the task, and adds the task to the graph."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pydantic import ValidationError
from PySide6.QtCore import QObject, QPointF

from starloom_gui.canvas.draft_field import DraftField
from starloom_gui.canvas.hit_test import node_at
from starloom_gui.editing.templates import id_of_name
from starloom_gui.text.words import translate
from starloom_gui.viewmodel.task_fields import needs_shell, unreadable, values_of, work_of

if TYPE_CHECKING:
    from starloom.model.task import Task
    from starloom_gui.canvas.surface import Surface
    from starloom_gui.editing.adding import Planter, Site


class Drafting(QObject):
    """Asks for name and work of a new task on a canvas, and adds the task as one step.

    Args:
        surface: the parts of the canvas.
        planter: puts the task into its graph.

    Attributes:
        planter: see above.
        field: what a task is being written in; None: none is.
    """

    def __init__(self, surface: Surface, planter: Planter) -> None:
        super().__init__(surface.view)
        self._surface, self.planter = surface, planter
        self.field: DraftField | None = None
        self._place = QPointF()
        self._put: tuple[str, QPointF] | None = None
        planter.planted.connect(self._put_down)
        surface.pan_zoom.moved.connect(self._follow_view)

    def _follow_view(self) -> None:
        if self.field is not None:
            self.field.stand_at(self._surface.view.mapFromScene(self._place))

    def begin(self, task: Task, site: Site, place: QPointF | None = None, *, is_foreign: bool = False) -> None:
        """Ask for the name and the work of a new task; a field with text in it has to be ended first.

        Args:
            task: what it begins as.
            site: where in the graph it is put.
            place: where it was put in the scene; where nothing lies it stays there. None: beside what it comes after.
            is_foreign: whether it comes from another program, and may hold work that is not shown here.
        """
        if self.field is not None and not self.give_up(only_untouched=True):
            self.field.call_back()
            return
        verdict = self.planter.verdict(task, site)
        if not verdict.ok:
            self.planter.add(task, site)  # which says why not
            return
        work = work_of(task)
        has_line = not work.locked  # several lines are written elsewhere, and stay as they are
        self._place = place if place is not None else self._beside(site)
        if not self._surface.pan_zoom.seen.contains(self._place):
            self._surface.pan_zoom.reveal(self._place.x(), self._place.y())
        self.field = field = DraftField(
            task.title,
            work.label,
            work.text if has_line else None,
            self._surface.graph.item.palette,
            self._surface.view,
            lambda name, said: self._why_not(task, site, name, said if has_line else None),
            lambda said: remark(task, said) if has_line else "",
        )
        field.ended.connect(
            lambda name, said: self._finish(
                drafted(task, name, said if has_line else None), site, place, is_foreign=is_foreign
            )
        )
        field.given_up.connect(self._forget)
        self._surface.controls.empty.is_covered = True
        self._surface.controls.arrange()
        field.begin(self._surface.view.mapFromScene(self._place))

    def give_up(self, *, only_untouched: bool = False) -> bool:
        """Cancel the open field, if there is one that may be; returns whether one was."""
        if self.field is None or (only_untouched and self.field.is_touched):
            return False
        self.field.give_up()
        return True

    def _beside(self, site: Site) -> QPointF:
        """The place below and right of the task it comes after; without one, the middle of the viewport."""
        picture = self._surface.graph.picture
        number = site.after if site.after is not None else site.before
        row = picture.row(number) if picture is not None else None
        if picture is None or row is None:
            return self._surface.pan_zoom.seen.center()
        x, y = picture.layout.positions[row].tolist()
        wide, high = picture.layout.sizes[row].tolist()
        return QPointF(x + (wide if site.after is not None else -wide), y + high)

    def _forget(self) -> None:
        self.field = None
        self._surface.controls.empty.is_covered = False
        self._surface.controls.arrange()

    def _why_not(self, task: Task, site: Site, name: str, work: str | None) -> str:
        try:
            wanted = drafted(task, name, work)
        except ValidationError as error:
            return unreadable(work or name, ValueError(error.errors()[0]["msg"].removeprefix("Value error, ")))
        except ValueError as error:
            return unreadable(work if work is not None else name, error)
        verdict = self.planter.verdict(wanted, site)
        return "" if verdict.ok else f"{verdict.reason} {verdict.hint}".strip()

    def _finish(self, task: Task, site: Site, place: QPointF | None, *, is_foreign: bool) -> None:
        self._forget()
        new = self.planter.add(task, site, is_foreign=is_foreign)
        self._put = (new, place) if new and place is not None and self._is_free(site, place) else None
        self._put_down()

    def _is_free(self, site: Site, place: QPointF) -> bool:
        """Whether nothing lies where a task was put; on a dependency or a task it stands where the layout wants it."""
        picture = self._surface.graph.picture
        is_between = site.after is not None and site.before is not None
        return not is_between and (picture is None or node_at(picture, place.x(), place.y()) is None)

    def _put_down(self, *_: object) -> None:
        """Move a new task to its place, once it is in the graph."""
        facts = self.planter.facts()
        if self._put is None or facts is None or self._put[0] not in facts.graph.place:
            return
        (new, place), self._put = self._put, None
        layout = self._surface.layout_controller
        pinned = {**layout.arrangement.pinned, facts.graph.place[new]: (place.x(), place.y())}
        layout.arrange(replace(layout.arrangement, pinned=pinned))


def remark(task: Task, work: str) -> str:
    """A remark on the work of a new task before it is added; empty: none."""
    if task.action == "command" and needs_shell(work):
        return translate(
            "Drafting", "It becomes a Shell task: a Command takes ; & | < > as arguments. Quote them to stay."
        )
    return ""


def drafted(task: Task, name: str, work: str | None) -> Task:
    """A task with the name and the work that were typed; its id is made from a name that the user chose.

    Args:
        task: what it begins as.
        name: what was typed; the name it has, or nothing, leaves its id.
        work: what its action is to be, as fields write it; None: what it is.

    Raises:
        ValueError: that is no work of its kind.
    """
    words = " ".join(name.split())
    kept = words in ("", task.title)
    ident = task.id if kept else id_of_name(words) or task.id
    does = values_of(task, task.action, work.strip()) if work is not None else {}
    shown = task.name if kept else words
    return replace(task, id=ident, name="" if shown == ident else shown, **does)
