"""What is typed in the views of a document and neither set nor added: it is listed before they are closed, and told."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication

from starloom.scheduling.commands import OPERATOR
from starloom.scheduling.state.removals import removals
from starloom_gui.editing.run_editor import RunEditor
from starloom_gui.editing.run_gateway import RunGateway
from starloom_gui.panels.agents import AgentsPane
from starloom_gui.panels.settling import reveal, settle
from starloom_gui.text.words import fill, translate
from starloom_gui.viewmodel.selection import there
from starloom_gui.widgets.message_bar import ErrorMessage

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from starloom_gui.panels.inspector import Inspector
    from starloom_gui.panels.kept_drafts import Draft, Overtaken
    from starloom_gui.widgets.entry_list import Key
    from starloom_gui.workspace.pane_owner import PaneOwner


@dataclass(frozen=True, slots=True)
class Unset:
    """A text that is typed and neither set nor added.

    Attributes:
        words: the name of its task, and of its fields.
        text: what is typed.
        show: shows it, with the keyboard in it; its tab has to be in front.
    """

    words: str
    text: str
    show: Callable[[], None]


def unset_of(view: PaneOwner) -> list[Unset]:
    """What is typed in a document: in fields and not set, as a note and not sent, as a new task and not added."""
    found = []
    if "inspector" in view.views.made:
        drafts = view.views["inspector"].widget.fields.drafts
        found = [Unset(_words(draft), _text(draft), partial(show_draft, view, draft)) for draft in drafts.all]
    if "agents" in view.views.made and isinstance(pane := view.views["agents"].widget, AgentsPane):
        words = translate("DocumentView", "Note for “%1”")
        found += [
            Unset(fill(words, one.title), note, partial(_show_note, view, pane, one.key))
            for one, note in pane.request_pages.unsent
        ]
    return [*found, *unset_in_larger(view), *unset_on_canvas(view)]


def unset_in_larger(view: PaneOwner) -> list[Unset]:
    """What is typed in the large editor of a field, and not kept."""
    inspector = view.views["inspector"].widget if "inspector" in view.views.made else None
    found = inspector.larger.unset if inspector is not None else None
    run = view.source.editor.view()
    if found is None or run is None or inspector is None:
        return []
    label, text = found
    names = ", ".join(run.task(number).title for number in sorted(there(run, view.selection.now.numbers)))
    words = fill(translate("DocumentView", "%1: %2"), names, label)
    return [Unset(words, text, inspector.larger.dialog.raise_)]


def unset_conditions(view: PaneOwner) -> dict[tuple[int, int], tuple[str, str]]:
    """The dependencies with a condition that is typed and not set, in words, and that, by their ends."""
    verbs = view.canvas.gestures.verbs
    return verbs.card.unset if verbs is not None else {}


def unset_on_canvas(view: PaneOwner) -> list[Unset]:
    """What is typed on the canvas: conditions that are not set, a new task that is not added, a note."""
    verbs = view.canvas.gestures.verbs
    if verbs is None:
        return []
    condition = translate("DocumentView", "Condition of %1")
    found = [
        Unset(fill(condition, arrow), text, partial(_show_condition, view, ends))
        for ends, (arrow, text) in unset_conditions(view).items()
    ]
    if (field := verbs.drafting.field) is not None and field.is_touched:
        new = fill(translate("DocumentView", "New task “%1”"), field.name.text())
        found.append(Unset(new, "\n".join(filter(None, (field.name.text(), field.work.text()))), field.call_back))
    notes = view.canvas.gestures.notes
    if notes is not None and (note := notes.field) is not None and note.is_changed:
        found.append(Unset(translate("DocumentView", "Note"), note.toPlainText(), note.setFocus))
    return found


def connect_drafts(view: PaneOwner, inspector: Inspector) -> None:
    """Mark the tasks with drafts on the canvas, and tell what becomes of these tasks meanwhile."""
    told: dict[tuple[int, ...], ErrorMessage] = {}

    def look() -> None:
        if (run := view.source.editor.view()) is not None:
            inspector.fields.look(run)

    def tell_overtaken(overtaken: Overtaken) -> None:
        if overtaken.numbers in told:
            view.notice_settled.emit(told[overtaken.numbers])
        told[overtaken.numbers] = _tell_overtaken(view, overtaken)

    def follow_drafts() -> None:
        """Mark the tasks, and settle what was told of drafts that are set or taken back now."""
        view.drawing.mark_unset(drafts.numbers)
        for numbers in [one for one in told if drafts.numbers.isdisjoint(one)]:
            view.notice_settled.emit(told.pop(numbers))

    drafts = inspector.fields.drafts
    drafts.changed.connect(follow_drafts)
    drafts.overtaken.connect(tell_overtaken)
    drafts.removed.connect(partial(_tell_removed, view))
    drafts.returned.connect(partial(_tell_returned, view))
    if isinstance(view.source.editor, RunEditor):
        view.drawing.drawn.connect(look)  # also while another pane hides the inspector


def connect_retry(view: PaneOwner, inspector: Inspector) -> None:
    """Have a task retried, or released, with what is typed for it."""

    def retry_typed(task_ids: Collection[str]) -> bool:
        """Retry it so, if it is the one that is shown; if that cannot be, show why."""
        is_taken = inspector.fields.retry_typed(task_ids)
        run = view.source.editor.view()
        if is_taken and run is not None and inspector.fields.drafts.of(run, tuple(sorted(view.selection.now.numbers))):
            view.inspect_asked.emit()
        return is_taken

    def settle_typed(task_ids: Collection[str]) -> bool:
        """Set what is typed for the task that is shown, if it is one of these; if that cannot be, show why."""
        shown = inspector.fields.single_id
        row = settle(inspector.fields) if shown in task_ids else None
        if row is not None:
            view.inspect_asked.emit()
            reveal(inspector, row)
        return row is None

    if isinstance(gateway := view.source.gateway, RunGateway):
        gateway.retry_typed, gateway.settle_typed = retry_typed, settle_typed


def _words(draft: Draft) -> str:
    names = fill(translate("DocumentView", "%1 (removed)"), draft.names) if draft.gone else draft.names
    return fill(translate("DocumentView", "%1: %2"), names, draft.labels)


def _text(draft: Draft) -> str:
    return "\n".join(draft.texts.values())


def show_draft(view: PaneOwner, draft: Draft) -> None:
    """Show the fields of a draft, with the keyboard in the first one; of a removed task, what is told of it."""
    if draft.gone:
        _tell_removed(view, draft)
        return
    run, inspector = view.source.editor.view(), view.views["inspector"].widget
    if run is not None:
        view.selection.select_all(run.graph.place[id] for id in draft.titles if id in run.graph)
    view.inspect_asked.emit()
    row = next((inspector.fields.field_rows.get(name) for name in draft.texts), None)
    if row is not None:
        reveal(inspector, row)


def show_refused(view: PaneOwner, draft: Draft) -> None:
    """Show what is typed in a plan and was refused, and say that it has to be settled first."""
    show_draft(view, draft)
    words = translate(
        "DocumentView", "What is typed in “%1” of %2 is not set. Mend it, or take it back with Esc, first."
    )
    tell_unset(
        view,
        fill(words, draft.labels, draft.names),
        translate("DocumentView", "Show it"),
        partial(show_draft, view, draft),
    )


def show_unset_condition(view: PaneOwner) -> None:
    """Show the first condition that is typed and not set, and say that it has to be settled first."""
    ends, (arrow, _) = next(iter(unset_conditions(view).items()))
    show = partial(_show_condition, view, ends)
    show()
    words = translate(
        "DocumentView", "The condition of %1 is typed and not set. Set it with Enter, or take it back with Esc, first."
    )
    tell_unset(view, fill(words, arrow), translate("DocumentView", "Show it"), show)


def _show_condition(view: PaneOwner, ends: tuple[int, int]) -> None:
    verbs, canvas = view.canvas.gestures.verbs, view.canvas
    if verbs is not None:
        canvas.graph.reveal_task(ends[1])
        verbs.edit_edge(ends, canvas.viewport().rect().center())


def _show_note(view: PaneOwner, pane: AgentsPane, key: Key) -> None:
    view.pane_asked.emit("agents")
    pane.show_request(key)


def tell_unset(
    view: PaneOwner, words: str, remedy: str, act: Callable[[], None], *, lasts: bool = False
) -> ErrorMessage:
    """Say in the bar over a document what is typed and not set.

    Args:
        view: of the document.
        words: what is said.
        remedy: what the button says.
        act: what the button does.
        lasts: whether no other notice takes its place.
    """
    told = ErrorMessage("", words, remedy, act, is_notice=True, of_tab=True, lasts=lasts)
    # a turn later: a tab that is just being raised still puts away the messages of the one before it
    QTimer.singleShot(0, view.canvas, partial(view.noticed.emit, told))
    return told


def _tell_overtaken(view: PaneOwner, overtaken: Overtaken) -> ErrorMessage:
    """Tell that tasks have started without what is typed for them; the button shows it."""

    def show() -> None:
        view.selection.select_all(overtaken.numbers)
        view.inspect_asked.emit()

    return tell_unset(view, overtaken.words, translate("DocumentView", "Show it"), show)


def _tell_removed(view: PaneOwner, draft: Draft) -> None:
    """Tell who has removed a task that something is typed for; the button copies that."""
    names = ", ".join(title for id, title in draft.titles.items() if id in draft.gone)
    facts = view.source.editor.facts()
    found = removals(facts) if facts is not None else {}
    who = max((found[id] for id in draft.gone if id in found), key=lambda one: one.revision, default=None)
    if who is None or who.origin == OPERATOR:
        removed = fill(translate("DocumentView", "%1 was removed."), names)
    else:
        removed = fill(translate("DocumentView", "%1 has removed %2."), who.origin, names)
    kept = translate("DocumentView", "What you typed in “%1” was not set; it is kept, and comes back with the task.")
    words = f"{removed} {fill(kept, draft.labels)}"
    copy = partial(QGuiApplication.clipboard().setText, _text(draft))
    tell_unset(view, words, translate("DocumentView", "Copy what was typed"), copy)


def _tell_returned(view: PaneOwner, draft: Draft) -> None:
    """Tell that a task is back that something is typed for; the button shows it."""
    back = translate("DocumentView", "%1 is back. What you typed in “%2” is in its field again, and not set yet.")
    tell_unset(
        view,
        fill(back, draft.names, draft.labels),
        translate("DocumentView", "Show it"),
        partial(show_draft, view, draft),
    )
