"""The window's actions on edits of the document in front: undo, redo, the edit mode and the commit."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit

from starloom_gui.editing.base import Mode
from starloom_gui.editing.run_editor import RunEditor
from starloom_gui.shell.early_starts_question import EarlyStartsQuestion
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.words import fill
from starloom_gui.widgets.field_draft import FieldDraft
from starloom_gui.widgets.message_bar import ErrorMessage
from starloom_gui.widgets.number_field import NumberField

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.editing.plan_editor import PlanEditor
    from starloom_gui.editing.undoing import UndoOffer
    from starloom_gui.shell.main_window import MainWindow
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.widgets.actions import Actions
    from starloom_gui.workspace.document_view import DocumentView
    from starloom_gui.workspace.open_views import OpenViews


_CLIPBOARD: Final = ("cut", "copy", "paste", "paste_with_outside", "duplicate", "select_all")
_EDITING: Final = frozenset({"cut", "paste", "paste_with_outside", "duplicate"})
_OF_CHOSEN: Final = frozenset({"cut", "copy", "duplicate"})
_OF_FIELDS: Final[dict[str, Callable[[QLineEdit | QPlainTextEdit], None]]] = {
    "cut": lambda field: field.cut(),
    "copy": lambda field: field.copy(),
    "paste": lambda field: field.paste(),
    "select_all": lambda field: field.selectAll(),
}
"""What is done with the text of a field that has the focus, as a person who types there means that."""


def _focused_field() -> QLineEdit | QPlainTextEdit | None:
    found = QApplication.focusWidget()
    return found if isinstance(found, QLineEdit | QPlainTextEdit) else None


class EditActions(QObject):
    """Carries out undo, redo, the edit mode and the commit, and says which of them are possible.

    Args:
        views: of what is open.
        actions: those of the window; they are told what is possible.
        appearance: the colours of questions.
        window: owns this.

    Attributes:
        verbs: what is done, by the keys of the verbs.
    """

    def __init__(self, views: OpenViews, actions: Actions, appearance: Appearance, window: MainWindow) -> None:
        super().__init__(window)
        self._views, self._actions, self._window = views, actions, window
        self._early_starts = EarlyStartsQuestion(appearance, window)
        self.verbs: dict[str, Callable[[], object]] = {
            "undo": lambda: self._step(lambda editor: editor.undo()),
            "redo": lambda: self._step(lambda editor: editor.redo()),
            "live": lambda: self._set_mode(Mode.LIVE),
            "staged": lambda: self._set_mode(Mode.STAGED),
            "commit": self._commit,
            **{key: partial(self._of_clipboard, key) for key in _CLIPBOARD},
        }

    def connect_view(self, view: DocumentView) -> None:
        """Have edits of a run asked about that let tasks start at once, and commands told that overtake edits."""
        editor = view.source.editor
        if isinstance(editor, RunEditor):
            editor.confirm = partial(self._early_starts.ask, editor)
            editor.overtook.connect(lambda label: view.noticed.emit(self._overtaking(label)))

    def _overtaking(self, label: str) -> ErrorMessage:
        said = fill(self.tr("“%1” is carried out at once. What is staged waits for its commit."), label)
        return ErrorMessage("", said, is_notice=True, of_tab=True)

    # ---- what is possible

    def allow(self) -> None:
        """Update undo, redo and commit, and the mode in which edits are made."""
        actions, editor = self._actions, self._editor()
        past = self._past()
        actions.allow("commit", past or self._can_commit(editor))
        self._allow_clipboard(past)
        if editor is None:
            nothing = Verdict(False, self.tr("Nothing is open."))
            for key in ("undo", "redo", "live", "staged"):
                actions.allow(key, nothing)
            actions.call("undo", self.tr("Undo"))
            actions.call("redo", self.tr("Redo"))
            return
        offers = (("undo", self.tr("Undo"), editor.undo_offer()), ("redo", self.tr("Redo"), editor.redo_offer()))
        for key, text, offer in offers:
            empty = Verdict(False, self.tr("Nothing to undo.") if key == "undo" else self.tr("Nothing to redo."))
            actions.call(key, fill(self.tr("%1 “%2”"), text, offer.label) if offer.label else text)
            verdict = self._passed_over(offer) if offer.passes and past is None else offer.verdict
            actions.allow(key, verdict if offer.label else empty)
        actions.allow("live", past or Verdict(True))
        live_only = Verdict(False, self.tr("Edits of a plan take effect at once."))
        actions.allow("staged", past or (Verdict(True) if isinstance(editor, RunEditor) else live_only))
        for mode in Mode:
            actions[mode.value].setChecked(editor.mode is mode)

    def _passed_over(self, offer: UndoOffer) -> Verdict:
        """The verdict on undo where the last step cannot be taken back any more: it keeps no earlier one from that."""
        why = f"{offer.verdict.reason} {offer.verdict.hint}".strip()
        return Verdict(True, caution=fill(self.tr("“%1” stays, and the step before it is next: %2"), offer.label, why))

    def _allow_clipboard(self, past: Verdict | None) -> None:
        """Update what can be copied; the content of the clipboard is only read when it is pasted."""
        view, in_field = self._views.front, _focused_field() is not None
        nothing = Verdict(False, self.tr("Nothing is open."))
        none_chosen = Verdict(False, self.tr("No task is selected."))
        for key in _CLIPBOARD:
            verdict = Verdict(True)
            if not (in_field and key in _OF_FIELDS):
                is_choice = key in _OF_CHOSEN and view is not None and not view.edit_wiring.has_chosen
                edits = past if key in _EDITING else None
                verdict = nothing if view is None else edits or (none_chosen if is_choice else verdict)
            self._actions.allow(key, verdict)

    def _can_commit(self, editor: RunEditor | PlanEditor | None) -> Verdict:
        if isinstance(editor, RunEditor):
            return editor.staging.can_commit()
        return Verdict(False, self.tr("Nothing is staged."))

    def _past(self) -> Verdict | None:
        """The reason why the shown moment is read-only; None: it is the present."""
        view = self._views.front
        return view.source.barred if view is not None else None

    def _editor(self) -> RunEditor | PlanEditor | None:
        view = self._views.front
        return view.source.editor if view is not None else None

    # ---- doing it

    def _of_clipboard(self, key: str) -> None:
        """Cut, copy, paste or select: in the text field that has the focus, else tasks."""
        field, view = _focused_field(), self._views.front
        if field is not None and key in _OF_FIELDS:
            _OF_FIELDS[key](field)
        elif view is not None:
            view.edit_wiring.clipboard_verbs[key]()

    def _step(self, act: Callable[[RunEditor | PlanEditor], object]) -> None:
        """Undo or redo; the field with the keyboard shows what becomes of its value."""
        widget, field = QApplication.focusWidget(), None
        while widget is not None and field is None:
            draft = widget.findChild(FieldDraft, options=Qt.FindChildOption.FindDirectChildrenOnly)
            field = widget if isinstance(widget, NumberField) else draft
            widget = widget.parentWidget()
        if field is not None:
            field.follow()
        self._edit(act)

    def _edit(self, act: Callable[[RunEditor | PlanEditor], object]) -> None:
        editor = self._editor()
        if editor is not None:
            act(editor)

    def _set_mode(self, mode: Mode) -> None:
        editor = self._editor()
        if isinstance(editor, RunEditor):
            editor.set_mode(mode)
            self._window.workbench.turn_to("changes" if editor.mode is Mode.STAGED else "inspector")
        self.allow()

    def _commit(self) -> None:
        """Commit what is staged, with what is being typed in a field: its author takes it for done."""
        field = QApplication.focusWidget()
        if isinstance(field, QLineEdit | QPlainTextEdit):
            field.clearFocus()  # which has it sent
            if field.isVisible():  # a note's field is gone once it was left
                field.setFocus()
        editor = self._editor()
        if isinstance(editor, RunEditor):
            editor.staging.commit()
