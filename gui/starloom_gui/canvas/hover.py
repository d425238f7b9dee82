"""The tooltip card of the node or edge under the pointer. It takes no clicks, and is shown beside that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from starloom.model.status import TaskStatus
from starloom.scheduling.read.run_view import TaskView
from starloom_gui.canvas.render_model import CONDITION, KINDS
from starloom_gui.canvas.words import group_counts, line_of, lock_words, title
from starloom_gui.text.engine_words import error_sentence, said
from starloom_gui.text.words import fill, tasks
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.forms import ink_of
from starloom_gui.theme.metrics import RADIUS
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.result_words import result_line
from starloom_gui.viewmodel.status_forms import form_of, form_word
from starloom_gui.viewmodel.task_words import overdue_words, quiet_words, simulated_words

if TYPE_CHECKING:
    from starloom_gui.canvas.bundles import StatusTally
    from starloom_gui.canvas.render_model import GraphRenderModel
    from starloom_gui.theme.palette import Palette

WIDEST = 320
GAP = 8


class HoverCard(QFrame):
    """The tooltip card of a task, with its name, status and remarks, or of a dependency, with kind and condition."""

    def __init__(self, palette: Palette, parent: QWidget) -> None:
        super().__init__(parent)
        self._room = parent
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        self._name, self._state, self._rest = QLabel(), QLabel(), QLabel()
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(4)
        for label, role in ((self._name, Role.SECTION), (self._state, Role.BODY), (self._rest, Role.SMALL)):
            label.setFont(font(role))
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setMaximumWidth(WIDEST)
            column.addWidget(label)
        self._palette = palette

    def set_palette(self, palette: Palette) -> None:
        """Change the palette."""
        self._palette = palette

    def show_task(self, picture: GraphRenderModel, row: int, now: float, beside: QRect, hint: str = "") -> None:
        """Show the card of a task.

        Args:
            picture: what is painted.
            row: of the node.
            now: seconds on the run's clock.
            beside: where the node is; in the parent.
            hint: what a click on the badge under the pointer shows; empty: nothing.
        """
        facts, number = picture.facts, int(picture.numbers[row])
        task = TaskView(facts, number)
        more = line_of(picture, number, now)
        form = form_of(task)
        state = form_word(form)
        if more:
            state = fill(self.tr("%1 · %2"), state, more)
        lines = [
            hint,
            self.tr("What is typed for it is not set yet.") if number in picture.unset else "",
            simulated_words(task),
            overdue_words(task, now),
            quiet_words(task.run, picture.quiet.get(number), now),
            said(task.reason),
            lock_words(picture, row),
            result_line(task.result if task.has_ended else None),
            self._dependencies(picture, number),
        ]
        result = task.result
        if result is not None and result.error is not None and task.status is not TaskStatus.PENDING:
            lines.insert(0, error_sentence(result.error))
        if task.fields is not None and task.fields.description:
            lines.append(task.fields.description)
        self._tell(title(facts, number), state, lines, form, beside)

    def show_group(self, tally: StatusTally, beside: QRect) -> None:
        """Show the card of a folded group."""
        wrong = StatusForm.FAILED if tally.counts[StatusForm.FAILED] else None
        self._tell(tally.name, tasks(tally.total), group_counts(tally.counts), wrong, beside)

    def _dependencies(self, picture: GraphRenderModel, number: int) -> str:
        graph = picture.facts.graph
        above = self.tr("%Ln parent(s)", "", len(graph.parents[number]))
        children = self.tr("%Ln child(ren)", "", len(graph.children[number]))
        return fill(self.tr("%1, %2"), above, children)

    def show_edge(self, picture: GraphRenderModel, edge: int, beside: QRect) -> None:
        """Show the card of a dependency."""
        facts = picture.facts
        parent, child = (int(picture.numbers[row]) for row in picture.edges[edge])
        name = fill(self.tr("%1 → %2"), title(facts, parent), title(facts, child))
        kind = picture.kind[edge]
        dependency = facts.graph.dependency(parent, child)
        lines = [dependency.condition or ""] if kind == CONDITION else []
        state = self.tr("%1, satisfied") if picture.satisfied[edge] else self.tr("%1, not yet satisfied")
        self._tell(name, fill(state, KINDS[kind].value), lines, None, beside)

    def _tell(self, name: str, state: str, lines: list[str], form: StatusForm | None, beside: QRect) -> None:
        palette = self._palette
        hue = ink_of(form, palette).text if form is not None else palette.text
        self.setStyleSheet(
            f"HoverCard {{ background: {palette.panel}; border: 1px solid {palette.border};"
            f" border-radius: {RADIUS}px; }}"
        )
        self._name.setStyleSheet(f"color: {palette.text};")
        self._state.setStyleSheet(f"color: {hue};")
        self._rest.setStyleSheet(f"color: {palette.muted};")
        rest = "\n".join(line for line in lines if line)
        for label, text in ((self._name, name), (self._state, state), (self._rest, rest)):
            label.setText(text)
        self._rest.setVisible(bool(rest))
        self._put(beside)

    def _put(self, beside: QRect) -> None:
        self.adjustSize()
        room = self._room.rect()
        x = min(max(beside.left(), GAP), room.width() - self.width() - GAP)
        y = beside.bottom() + GAP
        if y + self.height() > room.height() - GAP:
            y = beside.top() - GAP - self.height()
        self.move(x, max(GAP, y))
        self.show()
        self.raise_()

    @property
    def texts(self) -> tuple[str, str, str]:
        """The shown texts: name, state, and all others."""
        return self._name.text(), self._state.text(), self._rest.text()
