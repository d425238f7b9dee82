"""A proposal that waits for approval: its agent, reason, changes, what it would run, and the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QVBoxLayout, QWidget
from typing_extensions import override

from starloom.scheduling.commands import AnswerApproval
from starloom_gui.editing.proposals import changes_of, parts_of, problems_of, runs_of
from starloom_gui.editing.words import problems_words
from starloom_gui.panels.answer_bar import AnswerBar
from starloom_gui.panels.changes_rows import ChangeRows
from starloom_gui.panels.waiting import approval_key
from starloom_gui.specs.action_spec import Verdict
from starloom_gui.text.words import fill
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.metrics import GAPS, SMALLEST_FONT
from starloom_gui.widgets.controls import Elided, line, text

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent

    from starloom.constellation.edits import Edit
    from starloom.scheduling.read.run_view import RunView
    from starloom.scheduling.state.cycle_facts import Approval
    from starloom_gui.editing.change_words import StagedChange
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.panels.open_requests import EndedRequest
    from starloom_gui.panels.waiting import Waiting
    from starloom_gui.theme.palette import Palette

_LOW: Final = 150
"""Pixels below which the line goes that the list beside the page has, too."""
_MOST_SHOWN: Final = 200
"""Rows of a proposal that are made; whoever proposes more is told so in the last line, and all is in the tooltip."""


class ApprovalPage(QWidget):
    """The page of one proposal; rebuilt only when it, or the run's graph, has changed.

    Signals:
        task_chosen(str): the user wants to see a task.
        changed(): other edits than before would be applied.

    Attributes:
        rows: the changes in words.
        runs: what would be run, unshortened.
        area: what both lie in, which scrolls.
        bar: where it is answered.

    Args:
        colours: gives the palette.
        asks: who is asked.
        parent: the widget it lies in.
    """

    task_chosen = Signal(str)
    changed = Signal()

    def __init__(self, colours: Callable[[], Palette], asks: CommandGateway, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._gateway = asks
        self._seen: object = None
        self._settled = QTimer(self)
        self._settled.setSingleShot(True)
        self._settled.setInterval(0)
        self._settled.timeout.connect(self._look)
        self._read_whole: set[tuple[str, int]] = set()
        """The proposals all of which has been in sight."""
        self._run_id, self._number = "", 0
        self._changes: tuple[StagedChange, ...] = ()
        self._parts: list[list[int]] = []
        self._left_out: set[int] = set()  # keys of changes, which are the places of their parts
        self._title = Elided(role=Role.SECTION)
        self._about = Elided(role=Role.SMALL, look="muted")
        self._why = text()
        self._trouble = text(role=Role.SMALL, look="wrong")
        self.rows = ChangeRows(colours, can_drop=False)
        self._more = text(role=Role.SMALL, look="muted")
        self._runs_head = text(role=Role.SMALL, look="muted")
        self.runs = text()
        self.bar = AnswerBar()
        self._arrange()
        self.rows.chosen.connect(self._choose)
        self.rows.ticked.connect(self._tick)
        self.bar.answered.connect(self._answer)
        self._say()

    def _arrange(self) -> None:
        self.runs.setFont(font(Role.MONOSPACE, base=SMALLEST_FONT))
        copyable = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        inner = QWidget()
        inner.setObjectName("pane")
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, GAPS[1], 0, GAPS[1])
        column.setSpacing(GAPS[0])
        for label in (self._why, self._trouble, self._more, self._runs_head, self.runs):
            label.setContentsMargins(GAPS[2], 0, GAPS[2], 0)
            label.setTextInteractionFlags(copyable)
        for part in (self._why, self._trouble, self.rows, self._more, self._runs_head, self.runs):
            column.addWidget(part)
        column.addStretch(1)
        self.area = QScrollArea()
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(inner)
        self.area.verticalScrollBar().valueChanged.connect(self._look)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, GAPS[1], 0, 0)
        whole.setSpacing(0)
        head = QVBoxLayout()
        head.setContentsMargins(GAPS[2], 0, GAPS[2], 0)
        head.setSpacing(0)
        for label in (self._title, self._about):
            label.setMinimumHeight(18)
            head.addWidget(label)
        whole.addLayout(head)
        whole.addWidget(self.area, 1)
        whole.addWidget(line())
        whole.addWidget(self.bar)

    # ---- showing

    def show_approval(self, run: RunView, approval: Approval, waiting: Waiting, now: float) -> None:
        """Show a proposal as the run is now."""
        if (run.run_id, approval.number) != (self._run_id, self._number):
            self.area.verticalScrollBar().setValue(0)
            self._run_id, self._number = run.run_id, approval.number
            self._parts = parts_of(approval.proposed.edits)
            self._left_out.clear()
            self.rows.forget()  # they may say the same, but what is ticked was about another one
            self.bar.clear()
        left = waiting.left(now)
        self._title.setText(waiting.title)
        self._about.setText(fill("%1 · %2", waiting.about, left) if left else waiting.about)
        self.setAccessibleName(waiting.title)
        accept = self._gateway.can(self._command(accept=True))
        seen = (run.run_id, approval.number, run.revision, accept.ok, self.without)
        if seen != self._seen:
            self._seen = seen
            self._read(run, approval)
        self._allow()
        self._settled.start()

    def show_ended(self, ended: EndedRequest) -> None:
        """Show that the proposal was answered elsewhere; what is typed stays."""
        self._title.setText(ended.request.title)
        self._about.setText(ended.request.about)
        self._trouble.setText(ended.words)
        self._trouble.show()
        if ended.request.key != approval_key(self._number):  # its edits are known no more
            self._seen, self._changes = None, ()
            self.rows.show_changes(())
            for label in (self._why, self._more, self._runs_head, self.runs):
                label.hide()
        self.bar.allow(Verdict(False, ended.words), Verdict(False, ended.words))

    @property
    def answers(self) -> tuple[QPushButton, ...]:
        """The buttons that answer, from left to right."""
        return self.bar.buttons

    def _look(self) -> None:
        """Check whether the whole proposal was visible, as nobody may accept unread parts."""
        inner, wide = self.area.widget(), self.area.viewport().width()
        layout = inner.layout() if inner is not None else None
        below = layout.totalHeightForWidth(wide) if layout is not None else 0
        if self.isVisible() and below <= self.area.verticalScrollBar().value() + self.area.viewport().height():
            self._read_whole.add((self._run_id, self._number))
            self._allow()

    def _allow(self) -> None:
        accept = self._gateway.can(self._command(accept=True))
        if accept.ok and (self._run_id, self._number) not in self._read_whole:
            accept = Verdict(False, self.tr("Scroll to its end first: it can be accepted once all of it was in sight."))
        self.bar.allow(accept, self._gateway.can(self._command(accept=False)))

    @property
    def without(self) -> tuple[int, ...]:
        """The positions of the edits that are left out, ascending."""
        return tuple(sorted(at for part in self._left_out for at in self._parts[part]))

    def kept(self, approval: Approval) -> tuple[Edit, ...]:
        """The edits of a proposal that would be applied."""
        without = self.without if self._number == approval.number else ()
        return tuple(edit for at, edit in enumerate(approval.proposed.edits) if at not in without)

    def _read(self, run: RunView, approval: Approval) -> None:
        proposed = approval.proposed
        problems = problems_of(run.facts, approval, self.without) if self.kept(approval) else ()
        self._why.setText(proposed.reason)
        self._why.setVisible(bool(proposed.reason))
        self._changes = changes_of(run.facts, proposed.edits, problems, self.without)
        is_one = len(self._changes) < 2 or not any(change.problem for change in self._changes)
        whole = fill(self.tr("It cannot be applied as the run is now. %1"), problems_words(problems))
        some = self.tr("It cannot be applied as the run is now. Leave out what does not fit, or reject it.")
        self._trouble.setText((whole if is_one else some) if problems else "")
        self._trouble.setVisible(bool(problems))
        without = self._left_out if len(self._changes) > 1 else None
        self.rows.show_changes(self._changes[:_MOST_SHOWN], without=without)
        self._name_bar()
        rest = len(self._changes) - _MOST_SHOWN
        self._more.setText(self.tr("and %n more", "", rest) if rest > 0 else "")
        self._more.setVisible(rest > 0)
        runs = runs_of(self.kept(approval))
        self._runs_head.setText(self.tr("What would be run"))
        self.runs.setText(
            "\n".join(f"{id}\n    {told.replace(chr(10), chr(10) + '    ')}" for id, told in runs.items())
        )
        for label in (self._runs_head, self.runs):
            label.setVisible(bool(runs))

    def _say(self) -> None:
        self._name_bar()

    def _name_bar(self) -> None:
        count, out = len(self._changes), len(self._left_out)
        accept = fill(self.tr("Accept %1 of %2"), count - out, count) if out else self.tr("Accept")
        some = self.tr("Apply what is ticked, in the agent's name, and drop the rest")
        whole = self.tr("Apply all of these edits, in the agent's name")
        self.bar.name(accept, self.tr("Reject"))
        self.bar.explain(some if out else whole, self.tr("Drop all of these edits"))

    def _tick(self, key: int, is_on: bool) -> None:
        (self._left_out.discard if is_on else self._left_out.add)(key)
        self.changed.emit()

    def forget(self) -> None:
        """Rebuild the page the next time, as colours or language have changed."""
        self._say()
        self._seen = None
        self.rows.forget()

    # ---- input

    def _choose(self, key: int) -> None:
        change = next((one for one in self._changes if one.key == key), None)
        if change is not None and change.task_ids:
            self.task_chosen.emit(change.task_ids[0])

    def _answer(self, accept: bool, note: str) -> None:
        self._gateway.do(self._command(accept=accept, note=note))

    def _command(self, *, accept: bool, note: str = "") -> AnswerApproval:
        without = self.without if accept else ()
        return AnswerApproval(run_id=self._run_id, approval=self._number, accept=accept, note=note, without=without)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._about.setVisible(self.height() >= _LOW)
        self._settled.start()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._settled.start()  # once layouts have told each other how large it is

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._settled.stop()

    def apply_theme(self, palette: Palette) -> None:
        """Apply the colours of a theme."""
        self.bar.apply_theme(palette)
        self.forget()
