"""The dialog that finds and replaces text in what tasks run: it shows the result first, and applies it as one step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QButtonGroup, QFrame, QGridLayout, QHBoxLayout, QLineEdit, QStackedLayout, QWidget
from typing_extensions import override

from starloom.constellation.edits import EditBatch
from starloom.scheduling.commands import Command, EditConstellation
from starloom_gui.dialogs.hit_list import HitList, HitTable
from starloom_gui.dialogs.sliced_search import MOST_HITS, SlicedSearch
from starloom_gui.editing.replacing import Hit, ReplacementPlurals, edits_of, parted, seek
from starloom_gui.editing.seeking import LONGEST, ReplaceQuery
from starloom_gui.gateway.command_gateway import reason_of
from starloom_gui.text.words import amount, fill
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import CONTROL, GAPS
from starloom_gui.viewmodel.run_views import run_view
from starloom_gui.viewmodel.selection import there
from starloom_gui.widgets.choice_row import choice_row
from starloom_gui.widgets.controls import button, mark, text
from starloom_gui.widgets.dialog import Dialog
from starloom_gui.widgets.editor import FieldSpec, ValueType
from starloom_gui.widgets.editors import SwitchEditor
from starloom_gui.widgets.field_error import FieldErrorLabel
from starloom_gui.widgets.form import LABELS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from PySide6.QtGui import QKeyEvent

    from starloom.constellation.graph import Graph
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.viewmodel.roles import Facts

_WIDTH: Final = 800
_HEIGHT: Final = 326
_BOX: Final = 32
"""Pixels beside the words of a switch."""
_SETTLE_MS: Final = 100
"""What has started within so many milliseconds is looked at once."""
_CHOSEN, _ALL = 0, 1


class _Line(QLineEdit):
    """A line editor whose Return key goes to the next field, so that nothing is replaced before it was shown."""

    def __init__(self, following: QWidget | None = None) -> None:
        super().__init__()
        self._following = following
        self.setFont(font(Role.MONOSPACE))
        self.setFixedHeight(CONTROL)
        self.setMaxLength(LONGEST)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._following is not None:
            self._following.setFocus(Qt.FocusReason.TabFocusReason)
        else:
            super().keyPressEvent(event)


class FindReplaceDialog(Dialog):
    """Finds a text and replaces the ticked occurrences; to be shown with `open()`.

    Args:
        appearance: the colours.
        facts: gives what the user sees.
        chosen: the numbers of the selected tasks.
        gateway: what the edits are sent by.
        wanted: what stands in the fields at first.
        parent: the window it stands over.

    Attributes:
        table: what was found.
        list: its rows.
        sought, by: where texts are typed.
        trouble: says what is wrong with them.
    """

    def __init__(
        self,
        appearance: Appearance,
        facts: Facts,
        chosen: Collection[int],
        gateway: CommandGateway,
        wanted: ReplaceQuery,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(appearance, "", "", width=_WIDTH, parent=parent)
        self._facts, self._gateway = facts, gateway
        run = run_view(facts())
        self._chosen = tuple(sorted(there(run, chosen))) if run is not None else ()
        self._revision = 0
        self._search = SlicedSearch(self._show_found, self._refuse, self)
        self._settling = QTimer(self)
        self._settling.setSingleShot(True)
        self._settling.setInterval(_SETTLE_MS)
        self._settling.timeout.connect(self._settle)
        self.table = HitTable(facts, self)
        self.list = HitList(self.table, appearance)
        self.by = _Line()
        self.sought = _Line(self.by)
        self.trouble = FieldErrorLabel(lambda: appearance.palette)
        self.pattern = self._switch("pattern", self.tr("Regular expression"))
        self.exact = self._switch("exact", self.tr("Match case"))
        self.names = self._switch("names", self.tr("Names of tasks, too"))
        self.scope = QButtonGroup(self)
        self._empty = text(look="muted")
        self._counts = text(look="muted", wraps=False)
        self.all, self.none = button(self.tr("Tick all"), height=24), button(self.tr("Tick none"), height=24)
        self.retitle(self.tr("Find and replace"), self.tr("Replace"))
        self._arrange_fields()
        self._show_wanted(wanted)
        self._connect()
        self.apply_theme(appearance.palette)
        self.sought.setFocus()
        self.sought.selectAll()
        self.seek()

    # ---- making

    def _switch(self, name: str, words: str) -> SwitchEditor:
        made = SwitchEditor(FieldSpec(name=name, label=words, sort=ValueType.SWITCH, unit=words))
        made.box.setMinimumWidth(made.box.fontMetrics().horizontalAdvance(words) + _BOX)
        return made

    def _arrange_fields(self) -> None:
        grid = QGridLayout()
        grid.setColumnMinimumWidth(0, LABELS)
        grid.setColumnStretch(1, 1)
        grid.setHorizontalSpacing(GAPS[1])
        grid.setVerticalSpacing(GAPS[1])
        rows = ((self.tr("Find"), self.sought), (self.tr("Replace by"), self.by))
        for at, (words, field) in enumerate(rows):
            label = text(words, wraps=False)
            label.setBuddy(field)
            field.setAccessibleName(words)
            grid.addWidget(label, 2 * at, 0)
            grid.addWidget(field, 2 * at, 1)
        self.sought.setPlaceholderText(self.tr("A text in commands, scripts, inputs, variables"))
        self.sought.setToolTip(self.tr("What is sought in commands, scripts, functions, prompts, inputs and variables"))
        self.by.setPlaceholderText(self.tr("Nothing: it is taken out"))
        grid.addWidget(self.trouble, 1, 1)
        grid.addWidget(text(self.tr("In"), wraps=False), 3, 0)
        grid.addLayout(self._ways(), 3, 1)
        self.body.addLayout(grid)
        ground = QWidget()
        ground.setFixedHeight(_HEIGHT)
        self._stack = QStackedLayout(ground)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack.addWidget(self.list)
        self._stack.addWidget(self._empty)
        self.body.addWidget(ground)
        last = QHBoxLayout()
        last.addWidget(self._counts, 1)
        last.addWidget(self.all)
        last.addWidget(self.none)
        self.body.addLayout(last)

    def _ways(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(GAPS[2])
        row.addWidget(self._scopes())
        row.addStretch(1)
        tips = (
            self.tr("The text is a pattern; \\1 in what replaces it is its first group"),
            self.tr("Capital and small letters are different"),
            self.tr("Look at what tasks are called as well"),
        )
        for switch, tip in zip((self.pattern, self.exact, self.names), tips, strict=True):
            switch.setToolTip(tip)
            row.addWidget(switch)
        return row

    def _scopes(self) -> QFrame:
        run = self._facts()
        count = len(run.graph.place) if run is not None else 0
        chosen = fill(self.tr("Selection (%1)"), amount(len(self._chosen)))
        every = fill(self.tr("All tasks (%1)"), amount(count))
        tips = (self.tr("Look at the selected tasks only"), self.tr("Look at every task"))
        frame = choice_row(self.scope, self.tr("In"), [(chosen, tips[0]), (every, tips[1])])
        if not self._chosen:
            self.scope.button(_CHOSEN).setEnabled(False)
            self.scope.button(_CHOSEN).setToolTip(self.tr("No task is selected."))
            self.scope.button(_ALL).setChecked(True)
        return frame

    def _show_wanted(self, wanted: ReplaceQuery) -> None:
        self.sought.setText(wanted.sought)
        self.by.setText(wanted.by)
        for switch, value in (
            (self.pattern, wanted.is_pattern),
            (self.exact, wanted.exact),
            (self.names, wanted.names),
        ):
            switch.show_value(value)

    def _connect(self) -> None:
        for field in (self.sought, self.by):
            field.textChanged.connect(self.seek)
        for switch in (self.pattern, self.exact, self.names):
            switch.edited.connect(self.seek)
        self.scope.idClicked.connect(self.seek)
        self.table.ticked.connect(self._look)
        self.all.clicked.connect(lambda: self.list.tick(on=True))
        self.none.clicked.connect(lambda: self.list.tick(on=False))
        self.finished.connect(self._stop)

    # ---- looking

    @property
    def wanted(self) -> ReplaceQuery:
        """The query in the fields."""
        return ReplaceQuery(
            sought=self.sought.text(),
            by=self.by.text(),
            is_pattern=self.pattern.value(),
            exact=self.exact.value(),
            names=self.names.value(),
        )

    @property
    def is_looking(self) -> bool:
        """Whether a search is running."""
        return self._search.goes_on

    def seek(self, *_: object) -> None:
        """Search again with the values of the fields."""
        self.table.clear(forget=True)
        self._begin()

    def _begin(self) -> None:
        self._complain("")
        self._search.stop()
        run, wanted = self._facts(), self.wanted
        if wanted.sought and run is not None:
            self._revision = run.revision
            self._search.begin(seek(run, self._numbers(run.graph), wanted))
        else:
            self._look()

    def _numbers(self, graph: Graph) -> Sequence[int]:
        return self._chosen if self.scope.checkedId() == _CHOSEN else sorted(graph.place.values())

    def _show_found(self, found: list[Hit]) -> None:
        self.table.add(found)
        self._look()

    def _refuse(self, why: str) -> None:
        self.table.clear(forget=False)
        self._complain(why)

    def _stop(self) -> None:
        self._search.stop()
        self._settling.stop()

    def _complain(self, words: str) -> None:
        self.trouble.show_trouble(words)
        mark(self.sought, "wrong" if words else "")

    def on_changes(self, changes: Changes) -> None:
        """Follow the run: tasks that have started can no longer be changed, and edited ones are searched again."""
        if not self.isVisible():
            return
        if changes.everything or changes.edits:
            self.table.clear(forget=False)
            self._begin()
        elif any(hit.number in changes.tasks for hit in self.table.hits):
            self._settling.start()

    def _settle(self) -> None:
        self.table.look_again()
        self._look()

    # ---- saying

    def _look(self) -> None:
        """Update the summary of the hits, and whether they can be replaced."""
        has_any = bool(self.table.hits)
        self._stack.setCurrentWidget(self.list if has_any else self._empty)
        for each in (self.all, self.none):
            each.setVisible(has_any)
        if self.is_looking:  # to count is to look at all of them, and there will be more
            self._counts.setText(self.tr("Looking…"))
            self._empty.setText(self.tr("Looking…"))
            self.allow(self.tr("Still looking"))
            return
        chosen = {hit.number for hit in self.table.chosen()}
        self._counts.setText(self._counted() if has_any else "")
        self._empty.setText(self._why_empty())
        self.default.setText(ReplacementPlurals().replace(len(chosen)) if chosen else self.tr("Replace"))
        self.allow(self._why_not(has_any=has_any, is_ticked=bool(chosen)))

    def _counted(self) -> str:
        hits, words = self.table.hits, ReplacementPlurals()
        fixed = sum(hit.places for hit in hits if self.table.reason(hit))
        about = fill(
            "%1 %2", words.places(sum(hit.places for hit in hits)), words.in_tasks(len({hit.number for hit in hits}))
        )
        if len(hits) >= MOST_HITS:
            about = fill(self.tr("Only the first %1 places are shown"), amount(MOST_HITS))
        again = len({hit.number for hit in self.table.chosen() if self.table.is_again(hit)})
        more = [words.fixed(fixed)] * bool(fixed) + [words.tried_again(again)] * bool(again)
        return " · ".join((about, *more))

    def _why_empty(self) -> str:
        run = self._facts()
        if run is None or not run.graph.place:
            return self.tr("There are no tasks yet.")
        if not self.sought.text():
            return self.tr("What would be replaced is listed here, before and after.")
        if self.trouble.words.text():
            return self.tr("Nothing was replaced. What is wrong stands above.")
        if self.sought.text() == self.by.text():
            return self.tr("That would change nothing.")
        return ReplacementPlurals().looked_at(len(self._numbers(run.graph)))

    def _why_not(self, *, has_any: bool, is_ticked: bool) -> str:
        if self.trouble.words.text():
            return self.tr("This cannot be looked for")
        if not self.sought.text():
            return self.tr("Nothing is sought yet")
        if not has_any:
            return self.tr("Nothing was found")
        return "" if is_ticked else self.tr("Nothing is ticked that can be changed")

    # ---- doing

    @override
    def do(self) -> None:
        run = self._facts()
        edits = edits_of(run, self.table.chosen()) if run is not None else ()
        if run is None or not edits:
            self._settle()
            return
        now, retries = parted(run, edits)
        label = ReplacementPlurals().label(self.wanted, len(now))
        batch = EditBatch(edits=now, base_revision=self._revision, reason=label)
        edit = (EditConstellation(run_id=run.run_id, batch=batch),) if now else ()
        commands: tuple[Command, ...] = (*edit, *retries)
        if refused := next((one for one in map(self._gateway.can, commands) if not one.ok), None):
            self.allow(reason_of(refused))
            return
        for command in commands:
            self._gateway.do(command)
        self.accept()

    @override
    def apply_theme(self, palette: Palette) -> None:
        super().apply_theme(palette)
        for switch in (self.pattern, self.exact, self.names):
            switch.apply_theme(palette)
