"""Gives back what was typed for a run and not set when its console died: into its fields, or to be copied."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication

from starloom.journal.typed_file import Typed, TypedFields, TypedNote, TypedText
from starloom_gui.panels.agents import AgentsPane
from starloom_gui.panels.kept_drafts import Draft
from starloom_gui.text.words import fill, translate
from starloom_gui.widgets.message_bar import ErrorMessage
from starloom_gui.workspace.unset import show_draft, tell_unset, unset_in_larger, unset_on_canvas

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.panels.inspector import Inspector
    from starloom_gui.widgets.entry_list import Key
    from starloom_gui.workspace.pane_owner import PaneOwner
    from starloom_gui.workspace.pane_views import View
    from starloom_gui.workspace.run_typed import RunTyped


def keep_typed(view: PaneOwner, kept: RunTyped) -> None:
    """Have what is typed in the panes of a document kept, and give back what was left of it."""
    view.views.when_made(("inspector",), partial(_fill_fields, view, kept))
    view.views.when_made(("agents",), partial(_fill_notes, kept))
    facts = view.source.editor.facts()
    title = view.around.name_of(view.source.run_id, facts.name if facts is not None else "")
    for one in kept.texts:
        said = text_left(f"{title}: {one.words}", one.text, partial(kept.let_go, one))
        QTimer.singleShot(0, view.canvas, partial(view.noticed.emit, said))
    kept.begin(partial(_typed, view))


def text_left(words: str, text: str, let_go: Callable[[], object]) -> ErrorMessage:
    """The message of a text that can only be copied: it holds until it is put away, whatever tab is in front.

    Args:
        words: what it is, and of which document.
        text: what was typed.
        let_go: called once it was copied or put away; until then it is kept, also over the next start.
    """

    def copy() -> None:
        QGuiApplication.clipboard().setText(text)
        let_go()

    said = fill(translate("RunTyped", "%1 was typed before Starloom ended, and not set."), words)
    remedy = translate("RunTyped", "Copy what was typed")
    return ErrorMessage("", said, remedy, copy, is_notice=True, lasts=True, put_away=let_go)


def _typed(view: PaneOwner) -> list[Typed]:
    """What is typed in the panes that have been made, and not set."""
    found: list[Typed] = []
    if "inspector" in view.views.made:
        drafts = view.views["inspector"].widget.fields.drafts
        found += [
            TypedFields(dict(one.titles), dict(one.texts), dict(one.attempts), dict(one.base)) for one in drafts.all
        ]
    if "agents" in view.views.made and isinstance(pane := view.views["agents"].widget, AgentsPane):
        found += [TypedNote(one.key, one.title, text) for one, text in pane.request_pages.unsent]
    others = (*unset_in_larger(view), *unset_on_canvas(view))
    return [*found, *(TypedText(one.words, one.text) for one in others)]


def _fill_fields(view: PaneOwner, kept: RunTyped, made: View) -> None:
    inspector: Inspector = made.widget
    drafts = [
        Draft(dict(one.titles), dict(one.texts), dict(one.attempts), dict(one.base)) for one in kept.taken(TypedFields)
    ]
    inspector.fields.drafts.restore(drafts)
    for draft in drafts:
        said = translate(
            "RunTyped", "What you typed in “%1” of %2 before Starloom ended is there again, and not set yet."
        )
        words = fill(said, draft.labels, draft.names)
        tell_unset(view, words, translate("RunTyped", "Show it"), partial(show_draft, view, draft), lasts=True)


def _fill_notes(kept: RunTyped, made: View) -> None:
    if isinstance(made.widget, AgentsPane):
        made.widget.request_pages.restore({_key(one.key): one.text for one in kept.taken(TypedNote)})


def _key(read: tuple[Any, ...]) -> Key:
    """The key of a request as it was before it was written, which has made lists of what is inside."""
    return tuple(tuple(part) if isinstance(part, list) else part for part in read)
