"""The views of the open documents: each is made when its tab is first raised, and deleted when the tab is closed."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from starloom_gui.documents.document import RunTab
from starloom_gui.editing.plan_editor import PlanEditor
from starloom_gui.editing.run_editor import RunEditor
from starloom_gui.panels.settling import leave, settle
from starloom_gui.viewmodel.run_views import failed_tasks
from starloom_gui.workspace.unset import Unset, show_refused, show_unset_condition, unset_conditions, unset_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from starloom_gui.documents.document import Item
    from starloom_gui.documents.open_documents import OpenDocuments
    from starloom_gui.workspace.document_view import DocumentView
    from starloom_gui.workspace.stacks import Stacks


class OpenViews(QObject):
    """Shows the document in front in all panes.

    Args:
        documents: what is open.
        stacks: the panes.
        make: makes the view of an item.

    Attributes:
        front: the view in front; None: nothing is open.

    Signals:
        turned(DocumentView | None): another view is in front.
    """

    turned = Signal(object)

    def __init__(
        self,
        documents: OpenDocuments,
        stacks: Stacks,
        make: Callable[[Item], DocumentView],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._documents, self._stacks, self._make = documents, stacks, make
        self._document_views: dict[str, DocumentView] = {}
        self.front: DocumentView | None = None
        documents.changed.connect(self._show)

    def sheet_of_run(self, run_id: str) -> DocumentView | None:
        """The view of a run; None: it has none."""
        return next((self._document_views.get(run.key) for run in self._documents.runs if run.run_id == run_id), None)

    def failed_tasks(self, run_id: str) -> tuple[str, ...]:
        """The ids of the failed tasks of a run, as its view shows it: also of one of which there is only a journal."""
        view = self.sheet_of_run(run_id)
        return failed_tasks(view.reader.view() if view is not None else None)

    def staged(self, run_id: str) -> int:
        """The count of changes that are staged for a run."""
        view = self.sheet_of_run(run_id)
        return len(view.source.editor.steps) if view is not None and isinstance(view.source.editor, RunEditor) else 0

    def discard_staged(self, run_id: str) -> None:
        """Drop what is staged for a run."""
        view = self.sheet_of_run(run_id)
        if view is not None and isinstance(view.source.editor, RunEditor):
            view.source.editor.staging.discard()

    def held(self) -> AbstractContextManager[None]:
        """Hold the graph in front where it is on the screen while a bar is shown or hidden beside it."""
        return self.front.canvas.pan_zoom.held() if self.front is not None else nullcontext()

    def settle_fields(self, *keys: str) -> bool:
        """Take over what is typed in the inspectors of these plans and runs, as leaving a field does.

        Returns:
            False: something of a plan was refused, and that field is in front, says why and has the keyboard.
        """
        for key in keys:
            view = self._document_views.get(key)
            if view is None or "inspector" not in view.views.made:
                continue
            inspector = view.views["inspector"].widget
            if not isinstance(view.source.editor, PlanEditor):
                leave(inspector.fields)
                continue
            settle(inspector.fields)
            refused = [one for one in inspector.fields.drafts.all if one.titles.keys() - one.gone]
            if refused:
                self._documents.turn_to(key)
                show_refused(view, refused[0])
                return False
        return True

    def settle_to_start(self, key: str) -> bool:
        """Take over what is typed in the fields of a plan that is to be started.

        Returns:
            False: something was refused, or a condition on the canvas is not set; it is in front, and has the keyboard.
        """
        if not self.settle_fields(key):
            return False
        view = self._document_views.get(key)
        if view is None or not unset_conditions(view):
            return True
        self._documents.turn_to(key)
        show_unset_condition(view)
        return False

    def unset(self, *keys: str) -> list[Unset]:
        """What is typed in the tabs of these keys and neither set nor added, and would be lost with them."""

        def show(key: str, one: Unset) -> None:
            self._documents.turn_to(key)
            one.show()

        views = [(key, self._document_views[key]) for key in keys if key in self._document_views]
        return [Unset(one.words, one.text, partial(show, key, one)) for key, view in views for one in unset_of(view)]

    def owns(self, ticket: int) -> bool:
        """Whether a command comes from an editor, which itself says why it was refused."""
        editors = (view.source.editor for view in self._document_views.values())
        return any(isinstance(editor, RunEditor) and editor.owns(ticket) for editor in editors)

    def close(self) -> None:
        """Close all views."""
        self.front = None
        self.turned.emit(None)
        for key in tuple(self._document_views):
            self._drop(key)

    def _show(self) -> None:
        """Show the views of the open documents."""
        front = self._documents.front
        view = self._brought(front) if front is not None else None
        if view is not self.front:
            self.front = view
            self.turned.emit(view)
        for key in [key for key in self._document_views if self._documents.item(key) is None]:
            self._drop(key)

    def _brought(self, item: Item) -> DocumentView:
        view = self._document_views.get(item.key)
        if view is None:
            view = self._document_views[item.key] = self._make(item)
            plan = self._documents.document_of(item) if isinstance(item, RunTab) else None
            if plan is not None and (begun_from := self._document_views.get(plan.key)) is not None:
                _arrange_like(view, begun_from)
        self._stacks.bring(view)
        return view

    def _drop(self, key: str) -> None:
        view = self._document_views.pop(key)
        self._stacks.drop(view)
        view.close()


def _arrange_like(view: DocumentView, other: DocumentView) -> None:
    """Have the graph of a run point where that of its plan does, with the same groups folded.

    What was folded by levels is not a group by name: such a graph is folded anew.
    """
    controller, wanted = view.canvas.layout_controller, other.canvas.layout_controller.arrangement
    folded = frozenset() if wanted.sections else wanted.folded
    controller.arrange(replace(controller.arrangement, direction=wanted.direction, folded=folded))
