"""The card of a selected dependency, to change its kind and condition, or to remove it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from starloom.constellation.conditions import VARIABLES
from starloom.model.dependency import MAX_CONDITION_LENGTH
from starloom.model.status import DependencyKind
from starloom.scheduling.state.codes import FAILED
from starloom_gui.canvas.edge_kinds import EdgeKinds, kind_title
from starloom_gui.editing import steps
from starloom_gui.editing.legality import why_fixed
from starloom_gui.text.words import fill
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.icons import Icon, icon
from starloom_gui.theme.metrics import CONTROL, GAPS, RADIUS
from starloom_gui.widgets.controls import Elided, text
from starloom_gui.widgets.value_editor import ValueHint

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from starloom_gui.editing.base import Editor
    from starloom_gui.theme.palette import Palette

WIDTH: Final = 328
_AWAY: Final = 14


class EdgeCard(QFrame):
    """Edits one dependency. A clicked kind is set at once; one chosen by arrow keys, or a condition, by Enter.

    Signals:
        closed(): Escape: the keyboard belongs to the canvas again.
        remove_asked(): the dependency is to be taken away.
    """

    closed = Signal()
    remove_asked = Signal()

    def __init__(self, palette: Palette, parent: QWidget) -> None:
        super().__init__(parent)
        self._room = parent
        self._editor: Editor | None = None
        self._ends = (0, 0)
        self._drafts: dict[tuple[int, int], str] = {}
        """Conditions that are typed and not set, by the ends of their dependencies."""
        self.setAccessibleName(self.tr("Dependency"))
        self.setFixedWidth(WIDTH)
        self._name = Elided("", Role.SECTION)
        self._remove = self._remove_button()
        self._kinds = EdgeKinds()
        self._kinds.given.connect(self._choose)
        self._kinds.considered.connect(self._consider)
        self.condition = self._condition_line()
        self._hint, self._problem = text("", Role.SMALL, "muted"), text("", Role.SMALL, "wrong")
        self._hint.hide()
        self._written = ""
        self.beside = ValueHint()
        self.beside.taken.connect(self.take)
        self._arrange()
        self.set_palette(palette)
        self.hide()

    # ---- making

    def _remove_button(self) -> QToolButton:
        made = QToolButton()
        made.setAutoRaise(True)
        made.setFixedSize(CONTROL, CONTROL)
        made.setIconSize(QSize(16, 16))
        made.setToolTip(self.tr("Remove this dependency (Delete)"))
        made.setAccessibleName(self.tr("Remove this dependency"))
        made.clicked.connect(self.remove_asked)
        return made

    def _condition_line(self) -> QLineEdit:
        made = QLineEdit()
        made.setFont(font(Role.MONOSPACE))
        made.setFixedHeight(CONTROL)
        made.setMaxLength(MAX_CONDITION_LENGTH)
        made.setPlaceholderText("value.score > 0.8")
        made.setAccessibleName(self.tr("Condition"))
        made.setToolTip(self._help())
        made.returnPressed.connect(self._apply)
        made.textEdited.connect(self._judge)
        return made

    def _help(self) -> str:
        wording = self.tr(
            "What must hold of the parent once it has ended, also if it failed or was rejected.\nIt knows %1.\n"
            'For example:\nexit_code == 0\nstatus == "completed" && duration < 900\noutput.contains("done") || '
            'output.startsWith("ok")\nvalue.score > 0.8 && attempts < 3\nsize(value.items) > 0'
        )
        return fill(wording, ", ".join(VARIABLES))

    def _arrange(self) -> None:
        head, column = QHBoxLayout(), QVBoxLayout(self)
        head.addWidget(self._name, 1)
        head.addWidget(self._remove)
        column.setContentsMargins(GAPS[2], GAPS[0], GAPS[0], GAPS[2])
        column.setSpacing(GAPS[1])
        column.addLayout(head)
        inner = QVBoxLayout()
        inner.setContentsMargins(0, 0, GAPS[1], 0)
        inner.setSpacing(GAPS[1])
        inner.addWidget(self._kinds)
        inner.addWidget(self._hint)
        inner.addWidget(self.condition)
        inner.addWidget(self.beside)
        inner.addWidget(self._problem)
        column.addLayout(inner)

    def set_palette(self, palette: Palette) -> None:
        """Change the palette."""
        self._remove.setIcon(icon(Icon.REMOVE, palette))
        self.setStyleSheet(
            f"EdgeCard {{ background: {palette.panel}; border: 1px solid {palette.border};"
            f" border-radius: {RADIUS}px; }}"
            f"QLabel {{ color: {palette.text}; background: transparent; }}"
            f"QLabel[look='wrong'] {{ color: {palette.status[FAILED].text}; }}"
            f"QLabel[look='muted'] {{ color: {palette.muted}; }}"
            f"QPushButton {{ border: 1px solid {palette.outline}; border-radius: {RADIUS}px; padding: 0 5px;"
            f" color: {palette.text}; background: {palette.panel}; }}"
            f"QToolButton {{ border: 1px solid {palette.border}; color: {palette.text}; background: {palette.panel}; }}"
            f"QToolButton:hover {{ background: {palette.raised}; }}"
            f"QToolButton:checked {{ background: {palette.text}; color: {palette.panel}; }}"
            f"QToolButton:checked {{ border-color: {palette.text}; }}"
            f"QToolButton:disabled {{ color: {palette.muted}; }}"
            f"QToolButton:checked:disabled {{ background: {palette.selected}; color: {palette.muted}; }}"
            f"QToolButton:focus {{ border: 2px dashed {palette.text}; }}"
            f"QToolButton[autoRaise='true'] {{ border: none; border-radius: {RADIUS}px; }}"
            f"QToolButton[autoRaise='true']:focus {{ border: 1px dashed {palette.text}; }}"
            f"QLineEdit {{ border: 1px solid {palette.outline}; border-radius: {RADIUS}px; padding: 0 7px;"
            f" color: {palette.text}; background: {palette.panel}; placeholder-text-color: {palette.muted};"
            f" selection-background-color: {palette.text}; selection-color: {palette.panel}; }}"
            f"QLineEdit:focus {{ border-color: {palette.text}; }}"
        )

    # ---- showing

    def show_edge(self, editor: Editor, parent: int, child: int, at: QPoint) -> None:
        """Show a dependency beside a viewport position, without taking the focus.

        Args:
            editor: changes the dependency.
            parent: number of the task that is waited for.
            child: number of the task that waits.
            at: a place of the viewport.
        """
        self._editor, self._ends = editor, (parent, child)
        if self.refresh():
            self.adjustSize()
            room = self._room.rect()
            x = min(max(at.x() + _AWAY, GAPS[1]), room.width() - self.width() - GAPS[1])
            below = at.y() + _AWAY
            fits = below + self.height() <= room.height() - GAPS[1]
            self.move(x, below if fits else max(GAPS[1], at.y() - _AWAY - self.height()))
            self.show()
            self.raise_()

    def refresh(self) -> bool:
        """Show the present dependency; returns whether it still exists."""
        facts = self._editor.facts() if self._editor is not None else None
        if facts is None or not facts.graph.has_edge(*self._ends):
            self.hide()
            return False
        there = facts.graph.dependency(*self._ends)
        why = why_fixed(facts, *self._ends)
        self._name.setText(steps.arrow(facts, *self._ends))
        self._kinds.show_kind(there.kind, can_change=not why, is_being_written=self.condition.hasFocus())
        self._consider()
        self._remove.setEnabled(not why)
        self.condition.setReadOnly(bool(why))  # what was typed can still be copied
        if self.condition.hasFocus():
            self._compare(there.condition or "", why)
            return True
        draft = self._drafts.get(self._ends)
        if draft is None:
            self._written = there.condition or ""
            self.condition.setText(self._written)
            self.beside.say("")
        else:
            self._show_draft(draft)
        self.condition.setVisible(there.condition is not None or draft is not None)
        self._say(why)
        return True

    def _show_draft(self, draft: str) -> None:
        """Show what was typed before, with its kind; it is set by Enter and dropped by Escape."""
        self._kinds.buttons[DependencyKind.CONDITION].setChecked(True)
        if self.condition.text() != draft:
            self.condition.setText(draft)
        self._hint.setText(self.tr("Typed, not set: Enter sets it, Esc drops it."))
        self._hint.show()

    @property
    def unset(self) -> dict[tuple[int, int], tuple[str, str]]:
        """The dependencies with a condition that is typed and not set, in words, and that, by their ends."""
        facts = self._editor.facts() if self._editor is not None else None
        if facts is None:
            return {}
        known = {ends: text for ends, text in self._drafts.items() if facts.graph.has_edge(*ends)}
        return {ends: (steps.arrow(facts, *ends), text) for ends, text in known.items()}

    def _compare(self, now: str, why: str) -> None:
        """Show below a condition that is being typed that others have changed it, and who."""
        is_other = now not in (self._written, self.condition.text())
        facts = self._editor.facts() if self._editor is not None else None
        _, who = facts.touched.get(("edge", *self._ends), (0, "")) if facts is not None else (0, "")
        shown = now or self.tr("no condition")
        words = fill(self.tr("%1 set %2"), who, shown) if who else fill(self.tr("Set to %1"), shown)
        self.beside.say(words if is_other else "")
        self._say(why)

    @property
    def is_overtaken(self) -> bool:
        """Whether others have changed the condition while it was being typed."""
        return not self.beside.isHidden()

    def take(self) -> None:
        """Replace what was typed with the present condition."""
        facts = self._editor.facts() if self._editor is not None else None
        if facts is not None and facts.graph.has_edge(*self._ends):
            self._written = facts.graph.dependency(*self._ends).condition or ""
            self.condition.setText(self._written)
        self._drafts.pop(self._ends, None)
        self.beside.say("")
        self.adjustSize()

    @property
    def problem(self) -> str:
        """The error message; empty: none."""
        return self._problem.text()

    def take_keys(self) -> None:
        """Take the focus on the chosen kind; a dependency that does not exist has none."""
        if self.isHidden():
            return
        wanted = self.condition if self.condition.isVisible() else self._kinds.buttons[self._kinds.kind]
        wanted.setFocus(Qt.FocusReason.OtherFocusReason)

    def ask_condition(self) -> None:
        """Focus the condition, whatever the present kind; of a locked dependency it is only shown."""
        wanted = self._kinds.buttons[DependencyKind.CONDITION]
        if self.isHidden() or not wanted.isEnabled():
            self.take_keys()
            return
        wanted.setChecked(True)
        self._choose()
        self._say(self._why_not() if self._ends in self._drafts else "")
        self.condition.selectAll()

    def _consider(self) -> None:
        """Show the keys that set the highlighted kind or keep the present one."""
        words = self.tr("Enter gives it “%1”; Esc leaves “%2”.")
        kinds = self._kinds
        self._hint.setText(fill(words, kind_title(kinds.kind), kind_title(kinds.what_is)) if kinds.considers else "")
        self._hint.setVisible(kinds.considers)
        self.adjustSize()

    def _say(self, problem: str) -> None:
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))
        self.adjustSize()

    # ---- changing

    def _choose(self) -> None:
        kind = self._kinds.kind
        self._hint.hide()
        self.condition.setVisible(kind is DependencyKind.CONDITION)
        self._say("")
        if kind is DependencyKind.CONDITION:
            self.condition.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self._apply()

    def _judge(self) -> None:
        """Show the error of a condition while it is typed, and keep it until it is set or dropped."""
        text = self.condition.text()
        self._drafts[self._ends] = text
        if text.strip() == self._written.strip():
            del self._drafts[self._ends]
        self._say(self._why_not())

    def _why_not(self) -> str:
        facts = self._editor.facts() if self._editor is not None else None
        if self._editor is None or facts is None or not facts.graph.has_edge(*self._ends):
            return self.tr("This dependency is gone.")
        if self._kinds.kind is DependencyKind.CONDITION and not self.condition.text().strip():
            return self.tr("Write a condition, e.g. value.score > 0.8.")
        step = steps.change(facts, *self._ends, self._kinds.kind, self.condition.text())
        verdict = self._editor.verdict(step.edits)
        return "" if verdict.ok else f"{verdict.reason} {verdict.hint}".strip()

    def _apply(self) -> None:
        problem = self._why_not()
        self._say(problem)
        facts = self._editor.facts() if self._editor is not None else None
        if problem or self._editor is None or facts is None:
            return
        self._drafts.pop(self._ends, None)
        step = steps.change(facts, *self._ends, self._kinds.kind, self.condition.text())
        there = facts.graph.dependency(*self._ends)
        if (there.kind, there.condition or "") != (self._kinds.kind, self.condition.text().strip()):
            overwritten = self._written if not self.is_overtaken else there.condition or self.tr("no condition")
            was_overtaken, self._written = self.is_overtaken, self.condition.text().strip()
            self._editor.do(step)
            if was_overtaken:
                self.beside.report(fill(self.tr("%1 was overwritten."), overwritten))
                self.adjustSize()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)  # as a sentence comes: its end would not be seen
        lowest = self._room.height() - GAPS[1] - self.height()
        if self.isVisible() and self.y() > lowest:
            self.move(self.x(), max(GAPS[1], lowest))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.is_overtaken:
            self.take()
        elif event.key() == Qt.Key.Key_Escape:
            self._drafts.pop(self._ends, None)
            self.closed.emit()
        elif event.key() == Qt.Key.Key_Delete and not self.condition.hasFocus():
            self.remove_asked.emit()
        event.accept()
