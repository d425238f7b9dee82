"""The fields of a task, or of several, as a form: a value that can be changed is changed where it stands."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout

from starloom_gui.panels.bulk import common_fields, free_of
from starloom_gui.panels.group_names import GroupCompleter, known_groups, new_group_words
from starloom_gui.panels.scope_row import ScopeRow
from starloom_gui.panels.sections import Section
from starloom_gui.text.words import ago, amount, fill, tip
from starloom_gui.theme.fonts import Role
from starloom_gui.viewmodel.task_fields import GROUPS, fields_of, placeholder, runs_again, why_locked
from starloom_gui.widgets.controls import button, mark, text
from starloom_gui.widgets.value_editor import Value, ValueHint

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Mapping, Sequence

    from PySide6.QtWidgets import QLabel

    from starloom.scheduling.read.run_view import RunView, TaskView
    from starloom_gui.theme.palette import Palette
    from starloom_gui.viewmodel.roles import Clock
    from starloom_gui.viewmodel.task_fields import FieldValue

_LABELS = 72


class FieldSetter(Protocol):
    """Sends a field's new value; the answer is why not, empty if it was sent."""

    def __call__(self, numbers: tuple[int, ...], name: str, words: str, seen: int) -> str:
        """Of the tasks with these numbers; its author saw this revision."""


class Again(Protocol):
    """Sends new values of an ended task and a retry; the answer is which is wrong and why, empty if sent."""

    def __call__(self, number: int, texts: Mapping[str, str]) -> tuple[str, str]:
        """Of the task with this number: what was typed, by field."""


class FieldsSection(Section):
    """The inspector's form of a task's fields.

    Attributes:
        again: changes the values of an ended task and runs it again.
        fixed: gives why no field of any task can be changed; empty: it depends on the task.
        scope: says, and asks, for which tasks values are meant.

    Args:
        colours: gives the palette.
        change: is asked for every new value.
        retry: is asked for new values of an ended task, all of them at once.
        clock: gives seconds on the engine's clock.
        author: who set a field of a task last, by its name; empty: nobody knows.
    """

    def __init__(
        self,
        colours: Callable[[], Palette],
        change: FieldSetter,
        retry: Again,
        clock: Clock,
        author: Callable[[TaskView, str], str] = lambda *_: "",
    ) -> None:
        super().__init__(colours)
        self._change, self._retry, self._clock, self._author = change, retry, clock, author
        self.fixed: Callable[[], str] = lambda: ""
        self.scope = ScopeRow()
        self.inner.insertWidget(self.inner.count() - 1, self.scope)
        self.again = button("", height=24)
        mark(self.again, "verb")
        self.again.clicked.connect(self._run_again)
        self.again.hide()
        self.inner.addSpacing(6)
        self.inner.addWidget(self.again, 0, Qt.AlignmentFlag.AlignLeft)
        self._drafts: dict[tuple[str, tuple[int, ...]], dict[str, str]] = {}
        self._numbers: tuple[int, ...] = ()
        self._run: RunView | None = None
        self._values: dict[str, Value] = {}
        self._errors: dict[str, QLabel] = {}
        self._besides: dict[str, ValueHint] = {}
        self._new_group: QLabel | None = None
        self._noticed: dict[str, tuple[str, float, str]] = {}
        self._built: tuple[str, Hashable, tuple[str, ...]] = ("", None, ())

    def show_fields(self, task: TaskView) -> None:
        """Show these fields.

        Args:
            task: the one; what is being typed for another one is sent first.
        """
        locked, fields = self.fixed() or why_locked(task), fields_of(task)
        again = runs_again(task) and not locked
        aside = self.tr("Enter: change and retry") if again else self.tr("Editable until it starts")
        self.title(self.tr("Fields"), locked or aside)
        if self.fixed():
            fields = tuple(replace(one, locked=locked, again=False) for one in fields)
        self._show(fields, task.run, (task.number,))
        self.again.setVisible(again)
        self._judge()

    def show_several(self, run: RunView, numbers: Collection[int], chosen: Hashable = None) -> None:
        """Show what these tasks have in common, to be changed for all of them in one step.

        Args:
            run: the one they are of.
            numbers: of the tasks.
            chosen: what made these the ones that are meant; others that follow from the same do not take away what is
                being typed.
        """
        free = free_of(run, numbers)
        aside = self.fixed() or self.tr("Editable until they start")
        if not self.fixed() and len(free) < len(numbers):
            aside = fill(self.tr("For %1 not started"), amount(len(free)))
        self.title(self.tr("Fields of all"), aside)
        self._show(common_fields(run, numbers), run, tuple(sorted(numbers)), chosen)
        self.again.hide()

    def _show(
        self, fields: Sequence[FieldValue], run: RunView, numbers: tuple[int, ...], chosen: Hashable = None
    ) -> None:
        about = (run.run_id, numbers if chosen is None else chosen)
        names = tuple(one.name for one in fields)
        if about == self._built[:2] and self._is_in_use():
            names = self._built[2]  # one that has come or gone waits until nobody types
        is_new = self.has_new(*about, names)
        self._numbers, self._run, self._built = numbers, run, (*about, names)  # not before: that was for others
        if is_new:
            self._build(fields)
        for one in fields:
            if one.name in self._values:
                self._values[one.name].show_value(one, run.revision)
        if is_new and not self._is_in_use():
            self._write_drafts()

    def _write_drafts(self) -> None:
        """Have what was typed and not sent, as only Enter sends it, stand in its fields again."""
        for name, words in self._drafts.get((self._run_id, self._numbers), {}).items():
            if name in self._values and not self._values[name].isReadOnly():
                self._values[name].write(words)

    def _is_in_use(self) -> bool:
        return any(value.hasFocus() or value.is_edited for value in self._values.values())

    def value(self, name: str) -> Value:
        """The place of a field's value."""
        return self._values[name]

    def reason(self, name: str) -> str:
        """What stands under a field: why what was typed there was not done; empty: nothing was refused."""
        return self._errors[name].text()

    def told(self, name: str) -> str:
        """What stands under a field about what its value has become; empty: nothing."""
        return self._besides[name].words.text()

    def _build(self, fields: Sequence[FieldValue]) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnMinimumWidth(0, _LABELS)
        grid.setColumnStretch(1, 1)
        self._values = {one.name: Value() for one in fields}
        self._errors = {one.name: text(role=Role.SMALL, look="wrong") for one in fields}
        self._besides = {one.name: ValueHint() for one in fields}
        self._noticed = {}
        widest = _LABELS
        for at, one in enumerate(fields):
            value, error = self._values[one.name], self._errors[one.name]
            label = text(one.label, look="muted", wraps=False)
            label.setBuddy(value)
            widest = max(widest, label.sizeHint().width())
            grid.addWidget(label, 4 * at, 0)
            grid.addWidget(value, 4 * at, 1)
            grid.addWidget(self._besides[one.name], 4 * at + 1, 1)
            grid.addWidget(error, 4 * at + 2, 1)
            if one.name == GROUPS:
                grid.addWidget(self._complete_groups(value), 4 * at + 3, 1)
            error.hide()
            value.news.connect(partial(self._tell, one.name))
            self._besides[one.name].taken.connect(value.take)
            value.wanted.connect(partial(self._send, one.name))
            value.again_wanted.connect(self._run_again)
            value.textEdited.connect(partial(self._clear, one.name))
        self.rows.addLayout(grid)
        self.scope.align(widest)

    def _complete_groups(self, value: Value) -> QLabel:
        """Have the groups there are complete what is typed; what says of another one that it would be new."""

        def known() -> list[str]:
            return known_groups(self._run) if self._run is not None else []

        note = self._new_group = text(role=Role.SMALL, look="muted")
        note.hide()
        value.offers = GroupCompleter(value, known)

        def say(words: str) -> None:
            said = new_group_words(words, known()) if value.is_edited else ""
            note.setText(said)
            note.setVisible(bool(said))
            value.setAccessibleDescription(said)

        value.textChanged.connect(say)
        return note

    @property
    def new_group(self) -> str:
        """What stands under the limit group while one is typed that there is not; empty: nothing."""
        return self._new_group.text() if self._new_group is not None else ""

    def _send(self, name: str, words: str) -> None:
        value, other = self._values[name], self._values[name].other
        _, _, who = self._noticed.get(name, ("", 0.0, ""))
        reason = self._change(self._numbers, name, words, value.seen)
        self._say_wrong(name, reason)
        if not reason:
            value.accept()
        if not reason and other is not None:
            words = self.tr("%1 of %2 was overwritten.") if who else self.tr("%1 was overwritten.")
            self._besides[name].report(fill(words, other or self.tr("Nothing"), who))

    def _edited(self) -> dict[str, str]:
        """What was typed and not sent, by field."""
        return {name: value.text() for name, value in self._values.items() if value.is_edited}

    def _judge(self) -> None:
        """Say what the button that runs an ended task again would do."""
        edited = self._edited()
        self.again.setText(self.tr("Change and retry"))
        self.again.setEnabled(bool(edited))
        why = self.tr(
            "Enter: the task gets these values and runs again, as one act. Its attempts stay listed; the retry "
            "cannot be undone."
        )
        said = why if edited else self.tr("Type another value first. To try again with the same ones, use Retry.")
        self.again.setToolTip(tip(said))
        self.again.setAccessibleDescription(said)
        is_kept = not self.again.isHidden()
        self._keep_drafts({name: words for name, words in edited.items() if is_kept or self._values[name].waits})

    def _keep_drafts(self, edited: dict[str, str]) -> None:
        """Keep what was typed and is sent by Enter only: it is there again when the task is looked at again."""
        about = (self._run_id, self._numbers)
        if edited:
            self._drafts[about] = edited
        else:
            self._drafts.pop(about, None)

    @property
    def _run_id(self) -> str:
        return self._run.run_id if self._run is not None else ""

    def _run_again(self) -> None:
        """Ask for what was typed and another attempt."""
        edited = self._edited()
        if not edited or len(self._numbers) != 1:
            return
        wrong, reason = self._retry(self._numbers[0], edited)
        for name in edited:
            self._say_wrong(name, reason if name == wrong else "")
            if not reason:
                self._values[name].accept()
        if not reason:
            self._drafts.pop((self._run_id, self._numbers), None)

    def _say_wrong(self, name: str, reason: str) -> None:
        """Say under a field why what was typed there was not done; empty: it was."""
        value, error = self._values[name], self._errors[name]
        error.setText(fill(self.tr("%1 Nothing was changed."), reason) if reason else "")
        error.setVisible(bool(reason))
        mark(value, "wrong" if reason else "")
        value.setAccessibleDescription(error.text())

    def _tell(self, name: str) -> None:
        """Say under a field what its value has become while somebody is at it."""
        value, beside, now = self._values[name], self._besides[name], self._clock()
        if value.lock:
            words = fill(self.tr("%1. What you typed was not set."), value.lock)
            beside.say(words, value.text())
        elif value.other is None:
            self._noticed.pop(name, None)
            beside.say("")
        else:
            if self._noticed.get(name, ("", 0.0, ""))[0] != value.other or name not in self._noticed:
                who = (
                    self._author(self._run.task(self._numbers[0]), name)
                    if self._run and len(self._numbers) == 1
                    else ""
                )
                self._noticed[name] = (value.other, now, who)
            _, since, who = self._noticed[name]
            shown = value.other or placeholder(name) or self.tr("nothing")
            said = fill(self.tr("%1 set %2"), who, shown) if who else fill(self.tr("Set to %1"), shown)
            when = fill(self.tr("%1 ago"), ago(now - since)) if now - since >= 1 else self.tr("just now")
            beside.say(fill(self.tr("%1, %2"), said, when))

    def _clear(self, name: str, _words: str) -> None:
        self._errors[name].hide()
        self._errors[name].clear()
        mark(self._values[name], "")
        self._judge()
