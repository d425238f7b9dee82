"""The fields of a task, or of several, as a form whose values are edited in place."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import Qt, Signal

from starloom_gui.panels.again_words import again_words
from starloom_gui.panels.bulk import again_of, common_fields, free_of
from starloom_gui.panels.field_news import FieldNews, in_line
from starloom_gui.panels.field_rows import FieldRow, kind_of, sending_key
from starloom_gui.panels.folding_part import FoldingPart
from starloom_gui.panels.form_rows import FormRows, part_of
from starloom_gui.panels.group_names import HINTED, hint_of, known_names
from starloom_gui.panels.kept_drafts import KeptDrafts
from starloom_gui.panels.open_parts import OpenParts
from starloom_gui.panels.scope_row import ScopeRow
from starloom_gui.panels.sections import Section
from starloom_gui.panels.template_names import template_names
from starloom_gui.text.words import amount, fill, tasks, tip
from starloom_gui.viewmodel.task_field_words import part_word, summary_of
from starloom_gui.viewmodel.task_fields import KIND, fields_of, parts_of, refusal, runs_again, why_locked
from starloom_gui.viewmodel.task_kinds import lost_work
from starloom_gui.viewmodel.task_specs import WORK, FormPart
from starloom_gui.widgets.controls import button, mark

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence

    from starloom.scheduling.read.run_view import RunView, TaskView
    from starloom_gui.theme.palette import Palette
    from starloom_gui.viewmodel.roles import Clock
    from starloom_gui.viewmodel.task_fields import FieldValue
    from starloom_gui.widgets.template_completer import TemplateName


class FieldSetter(Protocol):
    """Sends a field's new value; returns why it was refused, empty: it was sent."""

    def __call__(self, numbers: tuple[int, ...], name: str, words: str, seen: int) -> str:
        """Change the field of the tasks with these numbers, `seen` being the revision that the author saw."""


class Again(Protocol):
    """Sends new values of ended tasks and a retry; returns the wrong field and the reason, empty: they were sent."""

    def __call__(self, numbers: Collection[int], texts: Mapping[str, str]) -> tuple[str, str]:
        """Change the tasks with these numbers; `texts` are what was typed, by field."""


class FieldsSection(Section):
    """The inspector's form of a task's fields, in parts that fold.

    Attributes:
        again: changes the values of ended tasks and runs them again.
        fixed: gives why no field of a task can be changed, None: of any; empty: it depends on what the task does.
        scope: shows and changes the scope of new values.
        parts: the folding parts of the form.
        drafts: keeps what is typed and not sent.

    Args:
        colours: gives the palette.
        change: sends a new value.
        retry: sends the new values of ended tasks, all of them at once.
        clock: gives seconds on the engine's clock.
        author: who set a field of a task last, by its name; empty: nobody knows.
        unfolded: the parts that are unfolded; shared with other forms.

    Signals:
        room_wanted(FieldRow): the text of a field is to be edited in more room.
    """

    room_wanted = Signal(object)

    def __init__(
        self,
        colours: Callable[[], Palette],
        change: FieldSetter,
        retry: Again,
        clock: Clock,
        author: Callable[[TaskView, str], str] = lambda *_: "",
        unfolded: OpenParts | None = None,
    ) -> None:
        super().__init__(colours)
        self._unfolded = unfolded or OpenParts(parent=self)
        self._unfolded.changed.connect(self._follow)
        self._change, self._retry = change, retry
        self.fixed: Callable[[TaskView | None], str] = lambda _: ""
        self.scope = ScopeRow(colours)
        self.inner.insertWidget(self.inner.count() - 1, self.scope)
        self.parts = {part: FoldingPart() for part in FormPart}
        for part, one in self.parts.items():
            one.unfold(part in self._unfolded.now)
            one.turned.connect(partial(self._turn, part))
            self.inner.addWidget(one)
        self.again = button("", height=24)
        mark(self.again, "verb")
        self.again.clicked.connect(self._run_again)
        self.again.hide()
        self.inner.addSpacing(6)
        self.inner.addWidget(self.again, 0, Qt.AlignmentFlag.AlignLeft)
        self.drafts = KeptDrafts(self)
        self._numbers: tuple[int, ...] = ()
        self._again: tuple[int, ...] = ()
        """Those that new values run again."""
        self._run: RunView | None = None
        self._known = lambda name: known_names(self._run, name)
        self._form = FormRows(self.parts, self._made, self.width)
        self._rows = self._form.rows
        self._news = FieldNews(clock, author)
        self._show_again: Callable[[], None] = lambda: None

    def show_fields(self, task: TaskView) -> None:
        """Show the fields of a task.

        Args:
            task: the task; what is being typed for another one is sent first.
        """
        self._show_again = partial(self.show_fields, task)
        self._unfold_drafts(task.run, (task.number,))
        locked, fields = self.fixed(task) or why_locked(task), fields_of(task, self._in_sight())
        self._again = (task.number,) if runs_again(task) and not locked else ()
        aside = self._again_aside(fields) if self._again else self.tr("Editable until it starts")
        self.title(self.tr("Fields"), locked or aside)
        if self.fixed(task):
            fields = tuple(replace(one, locked=locked, again=False) for one in fields)
        self._show(fields, task.run, (task.number,))
        _show_heads(self, [task], lambda part: summary_of(part, task))
        self._judge()
        self._say_hints()

    def _again_aside(self, fields: Iterable[FieldValue]) -> str:
        return fill(self.tr("%1: change and retry"), sending_key(kind_of(one) for one in fields))

    def show_several(self, run: RunView, numbers: Collection[int], chosen: Hashable = None) -> None:
        """Show the fields that several tasks have in common, to be changed for all of them in one step.

        Args:
            run: the run of the tasks.
            numbers: of the tasks.
            chosen: the selection and scope from which the tasks follow; while it stays the same, drafts are kept
                although the tasks change.
        """
        self._show_again = partial(self.show_several, run, numbers, chosen)
        self._unfold_drafts(run, tuple(sorted(numbers)))
        free, fields = free_of(run, numbers), common_fields(run, numbers, self._in_sight())
        self._again = () if self.fixed(None) else again_of(run, numbers)
        self._form.set_tasks(free or self._again)
        aside = self.fixed(None) or self.tr("Editable until they start")
        if self._again:
            aside = self._again_aside(fields)
        elif len(free) < len(numbers) and not self.fixed(None):
            aside = fill(self.tr("For %1 not started"), amount(len(free)))
        self.title(self.tr("Fields of all"), aside)
        if self.fixed(None):
            fields = tuple(replace(one, locked=self.fixed(None)) for one in fields)
        self._show(fields, run, tuple(sorted(numbers)), chosen)
        _show_heads(self, run.tasks(numbers), lambda _: "")
        self._judge()
        self._say_hints()

    def look(self, run: RunView) -> None:
        """Tell what has become of the tasks with drafts, unless no field can be changed, as in the past."""
        if not self.fixed(None):
            self.drafts.look(run)

    def _unfold_drafts(self, run: RunView, numbers: tuple[int, ...]) -> None:
        """Unfold the parts that hold drafts of these tasks, when they are shown again."""
        if (run.run_id, numbers) != (self._run_id, self._numbers):
            draft = self.drafts.of(run, numbers)
            for name in draft.texts if draft is not None else ():
                self.parts[part_of(name)].unfold()

    def _in_sight(self) -> frozenset[FormPart]:
        return frozenset(part for part, one in self.parts.items() if one.is_open)

    def _show(
        self, fields: Sequence[FieldValue], run: RunView, numbers: tuple[int, ...], chosen: Hashable = None
    ) -> None:
        is_new = self.has_new(run.run_id, numbers if chosen is None else chosen)
        if is_new:
            for part in self.parts:
                self._form.clear(part)
            self._news.forget()
        self._numbers, self._run = numbers, run  # not before: that was for others
        for part in self.parts:
            self._form.fill(part, [one for one in fields if part_of(one.name) is part], run.revision)
        self.scope.align(self._form.labels)
        if is_new and not self._form.is_in_use():
            self._write_drafts()

    def _made(self, one: FieldValue) -> FieldRow:
        """Make the row of a field."""
        row = FieldRow(one, self.colours(), self._known, self._templates)
        row.draft.news.connect(partial(self._tell, one.name))
        row.draft.wanted.connect(partial(self._send, one.name))
        row.draft.again_wanted.connect(self._run_again)
        row.draft.edited.connect(partial(self._clear_error, one.name))
        row.want_room(self.room_wanted.emit)
        if one.name in HINTED:
            row.draft.edited.connect(self._say_hints)
        return row

    def _turn(self, part: FormPart) -> None:
        """Build or remove the fields of a part that its user has turned, and have it kept."""
        self._show_again()
        self._unfolded.turn(part, self.parts[part].is_open)

    def _follow(self, part: FormPart, is_open: bool) -> None:
        """Turn a part that was turned in another form."""
        if self.parts[part].is_open is not is_open:
            self.parts[part].unfold(is_open)
            self._show_again()

    def _write_drafts(self) -> None:
        """Write the drafts into their fields again, also to be copied from a locked one."""
        draft = self.drafts.of(self._run, self._numbers) if self._run is not None else None
        if draft is not None:
            self._form.write_again(draft.texts, draft.base, self._news.was_out_of_sight)
            self._judge()

    # ---- what there is

    @property
    def field_rows(self) -> Mapping[str, FieldRow]:
        """The rows that are built, by field."""
        return self._rows

    def value(self, name: str) -> Any:
        """Return the editor of a field's value, a `Value` or a `TypedEditor`, after unfolding its part."""
        if name not in self._rows:
            self.parts[part_of(name)].unfold()
            self._show_again()
        return self._rows[name].editor

    def reason(self, name: str) -> str:
        """The error message below a field; empty: there is none."""
        return self._rows[name].error.words.text()

    def told(self, name: str) -> str:
        """The message below a field whose value others have changed; empty: none."""
        return self._rows[name].beside.words.text()

    def hint(self, name: str) -> str:
        """The message below a field of names while an unknown one stands there; empty: none."""
        return self._rows[name].note.text() if name in self._rows else ""

    def _templates(self, name: str) -> Sequence[TemplateName]:
        """The names for `${…}` in a field; none for several tasks, whose parents differ."""
        task = self._single
        return template_names(task, name) if task is not None else ()

    def _say_hints(self) -> None:
        for name in HINTED:
            if (row := self._rows.get(name)) is not None:
                row.say_note(hint_of(name, row.draft.text, self._run, is_edited=row.draft.is_edited))

    # ---- sending

    def _send(self, name: str, words: str) -> None:
        row, who = self._rows[name], self._news.author_of(name)
        other, fault = row.draft.other, row.fault
        task = self._single.fields if self._single is not None and name == KIND else None
        lost = lost_work(task, words) if task is not None else ""
        self._form.given_up = WORK if name == KIND else frozenset()
        reason = fault.words if fault is not None else self._change(self._numbers, name, words, row.draft.seen)
        self._say_wrong(row, reason)
        if not reason:
            row.draft.accept()
            self._judge()
        else:
            self._form.given_up = frozenset()
        if not reason and other is not None:
            said = self.tr("%1 of %2 was overwritten.") if who else self.tr("%1 was overwritten.")
            row.report(words, fill(said, in_line(other) or self.tr("Nothing"), who))
        elif not reason and lost:
            row.report(words, fill(self.tr("Replaced: %1 (Undo brings it back)"), in_line(lost)))

    def _edited(self) -> dict[str, str]:
        """The drafts that were not sent, by field."""
        return {name: row.draft.text for name, row in self._rows.items() if row.draft.is_edited}

    def _judge(self) -> None:
        """Update the button that changes and retries ended tasks."""
        edited = self._edited()
        of_all = self.tr("Change and retry %1")
        self.again.setText(
            self.tr("Change and retry") if len(self._numbers) == 1 else fill(of_all, tasks(len(self._again)))
        )
        self.again.setVisible(bool(self._again))
        self.again.setEnabled(bool(edited))
        said = again_words(is_edited=bool(edited), count=len(self._again))
        self.again.setToolTip(tip(said))
        self.again.setAccessibleDescription(said)
        if self._run is not None:
            base = {name: self._rows[name].draft.base for name in edited}
            self.drafts.keep(self._run, self._numbers, edited, base)

    @property
    def single_id(self) -> str:
        """The id of the task whose fields are shown; empty: those of several are, or of none."""
        return self._single.id if self._single is not None else ""

    @property
    def _single(self) -> TaskView | None:
        """The task whose fields are shown; None: those of several are."""
        return self._run.task(self._numbers[0]) if self._run is not None and len(self._numbers) == 1 else None

    @property
    def _run_id(self) -> str:
        return self._run.run_id if self._run is not None else ""

    def _run_again(self) -> None:
        """Send all drafts of ended tasks, and a retry."""
        edited = self._edited()
        if not edited or not self._again:
            return
        for name in edited:
            self._rows[name].draft.note_sending()
        faults = [(name, fault.words) for name in edited if (fault := self._rows[name].fault) is not None]
        wrong, reason = faults[0] if faults else self._retry(self._again, edited)
        for name in edited:
            self._say_wrong(self._rows[name], reason if name == wrong else "")
            if not reason:
                self._rows[name].draft.accept()
        if not reason:
            self._judge()

    def retry_typed(self, task_ids: Collection[str]) -> bool:
        """Change and retry the shown tasks, if just they are meant; false: they are not, or nothing is typed."""
        shown = {task.id for task in self._run.tasks(self._again)} if self._run is not None else set()
        if not shown or set(task_ids) != shown or not self._edited():
            return False
        self._run_again()
        return True

    def _say_wrong(self, row: FieldRow, reason: str) -> None:
        """Show below a field why its new value was refused; empty: it was not."""
        judge = _judge_of(self._run, self._numbers, row.name) if reason else None
        row.say_wrong(fill(self.tr("%1 Nothing was changed."), reason) if reason else "", judge)

    def _tell(self, name: str) -> None:
        """Show below a field that others have changed its value while it is in use."""
        if (row := self._rows.get(name)) is not None:
            self._news.tell(row, self._single)

    def _clear_error(self, name: str) -> None:
        if (row := self._rows.get(name)) is not None:
            row.say_wrong("")
            self._tell(name)
            self._judge()


def _show_heads(form: FieldsSection, tasks: Iterable[TaskView], summary: Callable[[FormPart], str]) -> None:
    """Show the headings of the parts that mean something to all of these tasks; others are hidden."""
    having = parts_of(task.fields for task in tasks if task.fields is not None)
    for part, one in form.parts.items():
        one.setVisible(part in having)
        one.show_head(part_word(part), summary(part), form.colours())


def _judge_of(run: RunView | None, numbers: Collection[int], name: str) -> Callable[[str], bool] | None:
    """Return what judges texts of a field of these tasks; None: nothing is known of them."""
    task = run.task(min(numbers)).fields if run is not None and numbers else None
    return None if task is None else lambda text: bool(refusal(task, name, text))
