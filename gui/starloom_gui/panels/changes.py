"""The Changes pane: the staged edits in words, their effect, and the undo history."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget
from typing_extensions import override

from starloom_gui.editing.base import Lasting, Mode
from starloom_gui.editing.change_words import change_of
from starloom_gui.editing.effect_words import checks_of, figures_of, path_names
from starloom_gui.gateway.command_gateway import reason_of
from starloom_gui.panels.changes_effect import ChecksSection, EffectSection, HistorySection, PathSection
from starloom_gui.panels.changes_rows import ChangeRows
from starloom_gui.text.words import fill
from starloom_gui.theme.fonts import Role
from starloom_gui.theme.metrics import GAPS, NARROW_INSPECTOR_WIDTH, RADIUS
from starloom_gui.widgets.controls import MARGIN, Elided, button, sheet, text
from starloom_gui.widgets.theme_changes import Restyling

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QShowEvent

    from starloom_gui.editing.change_words import StagedChange
    from starloom_gui.editing.run_editor import RunEditor
    from starloom_gui.gateway.changes import Changes
    from starloom_gui.specs.action_spec import Verdict
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette
    from starloom_gui.viewmodel.roles import Clock
    from starloom_gui.viewmodel.selection import Selection


class ChangesPane(QScrollArea):
    """The Changes pane: the staged edits and their effect. It reads the editor only while it can be seen.

    Args:
        editor: of the run.
        appearance: the colours.
        selection: of the run; a row selects what it is about.
        clock: gives seconds on the engine's clock.
        wall: gives seconds since 1970 of a moment on it.
        barred: gives the reason why nothing can be changed; None: it can.
        parent: the widget it lies in.
    """

    def __init__(
        self,
        editor: RunEditor,
        appearance: Appearance,
        selection: Selection,
        clock: Clock,
        wall: Callable[[float], float],
        barred: Callable[[], Verdict | None] = lambda: None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._editor, self._appearance, self._selection = editor, appearance, selection
        self._clock, self._wall, self._barred = clock, wall, barred
        self._changes: tuple[StagedChange, ...] = ()
        self._head = text(role=Role.SECTION, wraps=False)
        self._against = Elided("", Role.SMALL, "muted", ends=True)
        self._against.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.rows = ChangeRows(self._palette)
        self.drop_unfit = button("", height=24)
        self.effect = EffectSection(self._palette)
        self.path = PathSection(self._palette)
        self.checks = ChecksSection(self._palette)
        self.history = HistorySection(self._palette)
        self._empty = QWidget()
        self._nothing = text(look="muted")
        self.stage: QPushButton = button("")
        self._arrange()
        self._connect()
        Restyling(self, appearance, self._apply_theme)

    def _arrange(self) -> None:
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumWidth(NARROW_INSPECTOR_WIDTH - GAPS[4])
        pane = QWidget()
        pane.setObjectName("pane")
        column = QVBoxLayout(pane)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._list = QWidget()
        inner = QVBoxLayout(self._list)
        inner.setContentsMargins(0, 10, 0, 0)
        inner.setSpacing(0)
        top = QHBoxLayout()
        top.setContentsMargins(MARGIN, 0, MARGIN, 8)
        top.addWidget(self._head)
        top.addWidget(self._against, 1)
        inner.addLayout(top)
        inner.addWidget(self.rows)
        wrong = QHBoxLayout()
        wrong.setContentsMargins(MARGIN, 8, MARGIN, 4)
        wrong.addWidget(self.drop_unfit)
        wrong.addStretch(1)
        inner.addLayout(wrong)
        self.effect.hairline.hide()
        for part in (self._list, self.effect, self.path, self.checks, self._new_empty(), self.history):
            column.addWidget(part)
        column.addStretch(1)
        self.setWidget(pane)

    def _new_empty(self) -> QWidget:
        column = QVBoxLayout(self._empty)
        column.setContentsMargins(GAPS[4], GAPS[4], GAPS[4], GAPS[4])
        column.setSpacing(GAPS[2])
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self._nothing)
        column.addWidget(self.stage, 0, Qt.AlignmentFlag.AlignHCenter)
        return self._empty

    def _connect(self) -> None:
        editor = self._editor
        editor.changed.connect(self.refresh)
        editor.staging.weighed.connect(self.refresh)
        self._selection.changed.connect(self._show_selected)
        self.rows.chosen.connect(self._choose)
        self.rows.dropped.connect(editor.staging.drop)
        self.rows.kept.connect(editor.staging.keep)
        self.drop_unfit.clicked.connect(editor.staging.drop_unfit)
        self.stage.clicked.connect(lambda: editor.set_mode(Mode.STAGED))
        self.history.asked.connect(editor.go_to)

    def _palette(self) -> Palette:
        return self._appearance.palette

    # ---- showing

    def on_changes(self, changes: Changes) -> None:
        """Show what has changed; to be connected to a feed of the run and of the fleet."""
        if changes.second:
            self._show_effect()
        elif changes.devices or changes.run or changes.everything:
            self.refresh()

    def refresh(self) -> None:
        """Update the whole pane; unchanged parts keep their widgets."""
        if not self.isVisible():
            return
        editor = self._editor
        steps, problems = editor.steps, editor.staging.problems
        self._say(len(problems))
        self._read(anew=False)
        has_steps = bool(steps)
        for part in (self._list, self.effect, self.path, self.checks):
            part.setVisible(has_steps)
        self._empty.setVisible(not has_steps)
        self.drop_unfit.setVisible(len(problems) > 1)
        if has_steps:
            self._show_effect()
            self._show_checks()
        history = editor.history
        done = [(one.label, self._why_it_lasts(one.back)) for one in history.entries]
        self.history.show_history(done, history.index, history.clean)

    def _why_it_lasts(self, back: object) -> str:
        """Why a step cannot be undone; empty: it can."""
        if not isinstance(back, Lasting):
            return ""
        return fill(self.tr("when it was tried, %1"), back.reason) if back.refused is not None else back.reason

    def _read(self, *, anew: bool) -> None:
        run, after = self._editor.run_facts(), self._editor.facts()
        if run is None or after is None:
            return
        problems = self._editor.staging.problems
        self._changes = tuple(
            change_of(one, run.graph, after.graph, problems.get(one.key, ())) for one in self._editor.steps
        )
        self.rows.show_changes(self._changes, anew=anew)
        self._show_selected()

    def _show_effect(self) -> None:
        effect, after = self._editor.staging.effect, self._editor.facts()
        if after is None or not self.isVisible():
            return
        found = effect.what_if if effect is not None else None
        figures = figures_of(found, after.graph, self._wall) if found is not None and found.after is not None else []
        age = self._clock() - found.before.at if found is not None else None
        self.effect.show_figures(figures, age, is_known=self._editor.staging.can_foresee and found is None)
        before, then = (found.before, found.after) if found is not None else (None, None)
        ghosts = self._editor.ghosts  # a task that would go is on the path before, one that would come on that after
        graph = ghosts.facts.graph if ghosts is not None else after.graph
        paths = (path_names(each, self._editor.run_id, graph) for each in (before, then))
        self.path.show_paths(*paths)

    def _show_checks(self) -> None:
        run, after = self._editor.run_facts(), self._editor.facts()
        if run is not None and after is not None:
            problems = [problem for found in self._editor.staging.problems.values() for problem in found]
            self.checks.show_checks(checks_of(run, self._editor.staging.fitting, after, problems))

    def _say(self, unfit: int) -> None:
        self.setAccessibleName(self.tr("Changes"))
        self._head.setText(self.tr("Changes"))
        self._against.setText(fill(self.tr("Against revision %1"), self._editor.staging.revision))
        self.drop_unfit.setText(self.tr("Drop %n that no longer fit(s|)", "", unfit))
        barred = self._barred()
        if barred is not None:
            self._nothing.setText(reason_of(barred))
        elif self._editor.mode is Mode.LIVE:
            self._nothing.setText(self.tr("Edits take effect at once. Staged ones will be listed here first."))
        else:
            self._nothing.setText(
                self.tr("Nothing is staged. What you edit will be listed here until it is committed.")
            )
        self.stage.setText(self.tr("Stage edits"))
        self.stage.setVisible(barred is None and self._editor.mode is Mode.LIVE)

    # ---- selecting

    def _numbers(self, change: StagedChange) -> list[int]:
        ghosts, after = self._editor.ghosts, self._editor.facts()
        graph = ghosts.facts.graph if ghosts is not None else after.graph if after is not None else None
        return [graph.place[id] for id in change.task_ids if id in graph] if graph is not None else []

    def _choose(self, key: int) -> None:
        change = next((one for one in self._changes if one.key == key), None)
        if change is not None and (numbers := self._numbers(change)):
            self._selection.select_all(frozenset(numbers), numbers[0])

    def _show_selected(self, *_: object) -> None:
        chosen = self._selection.now.numbers
        if not chosen or not self.isVisible():
            self.rows.select(frozenset())
            return
        found = [one.key for one in self._changes if chosen == set(self._numbers(one))]
        if not found and len(chosen) == 1:
            found = [one.key for one in self._changes if (numbers := self._numbers(one)) and numbers[0] in chosen][:1]
        self.rows.select(frozenset(found))

    # ---- look

    def _apply_theme(self, palette: Palette) -> None:
        edge = f"border: none; border-radius: {RADIUS}px; text-align: left; padding: 0 6px"
        steps = (
            f"QPushButton[look='step'], QPushButton[look='here'], QPushButton[look='undone'] {{ {edge}; }}"
            f"QPushButton[look='here'] {{ background: {palette.selected}; }}"
            f"QPushButton[look='undone'] {{ color: {palette.muted}; }}"
            f"QPushButton[look='step']:hover, QPushButton[look='undone']:hover {{ background: {palette.raised}; }}"
            f"QPushButton[look='step']:focus, QPushButton[look='here']:focus, QPushButton[look='undone']:focus"
            f" {{ border: 1px dashed {palette.text}; padding: 0 5px; }}"
            "QToolButton { border: none; background: transparent; }"
            f"QToolButton:hover {{ background: {palette.selected}; border-radius: {RADIUS}px; }}"
            f"QToolButton:focus {{ border: 1px dashed {palette.text}; border-radius: {RADIUS}px; }}"
        )
        self.setStyleSheet(sheet(palette) + steps)
        self._read_all_anew()

    def _read_all_anew(self) -> None:
        for part in (self.effect, self.path, self.checks, self.history):
            part.forget()
        self._read(anew=True)
        self.refresh()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._read_all_anew()
        super().changeEvent(event)
