"""The bar of staged edits over the canvas: their number, their effect on the finish, and Commit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget
from typing_extensions import override

from starloom_gui.editing.effect_words import finish_of
from starloom_gui.editing.words import EditPlurals
from starloom_gui.panels.changes_rows import ARROW
from starloom_gui.text.words import fill
from starloom_gui.theme.fonts import Role
from starloom_gui.theme.metrics import GAPS, STRIP
from starloom_gui.theme.palette import colour
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.keys import Scope, shown
from starloom_gui.widgets.buttons import VerbButton
from starloom_gui.widgets.click_guard import guard_appeared
from starloom_gui.widgets.controls import mark, text
from starloom_gui.widgets.lying_over import STAGED, lie_again
from starloom_gui.widgets.theme_changes import Restyling

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QHideEvent, QPaintEvent, QShowEvent

    from starloom_gui.editing.run_editor import RunEditor
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

_LINE: Final = 20


class _Arrow(QWidget):
    """An arrow between a present and a projected figure."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.setFixedSize(18, 18)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ARROW.paint(painter, QRectF(self.rect()), colour(self._appearance.palette.muted))
        painter.end()


class StagedStrip(QFrame):
    """The bar of the staged edits over the canvas; hidden while nothing is staged.

    Args:
        over: the widget over whose top it lies.
        editor: of the run.
        appearance: the colours.
        wall: gives seconds since 1970 of a moment on the engine's clock.
    """

    def __init__(
        self, over: QWidget, editor: RunEditor, appearance: Appearance, wall: Callable[[float], float]
    ) -> None:
        super().__init__(over)
        self._editor, self._wall = editor, wall
        self.setObjectName(STAGED)
        self.discard, self.commit = (
            VerbButton(appearance, outlined=True, parent=self),
            VerbButton(appearance, outlined=True, parent=self),
        )
        self.commit.is_default = True
        self._count = text(role=Role.SECTION, wraps=False)
        self._finish = text(look="muted", wraps=False)
        self._before, self._after = text(wraps=False), text(role=Role.SECTION, wraps=False)
        self._arrow = _Arrow(appearance, self)
        self._gain = text(role=Role.SMALL, look="muted", wraps=False)
        self._valid = text(role=Role.SMALL, look="muted", wraps=False)
        self._lines = [self._line(), self._line()]
        self._arrange()
        self.discard.clicked.connect(editor.staging.discard)
        self.commit.clicked.connect(editor.staging.commit)
        editor.changed.connect(self.refresh)
        editor.staging.weighed.connect(self.refresh)
        over.installEventFilter(self)
        Restyling(self, appearance, self._apply_theme)
        self.refresh()

    def _line(self) -> QFrame:
        made = QFrame(self)
        made.setFixedSize(1, _LINE)
        mark(made, "line")
        return made

    def _arrange(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(GAPS[3], 0, GAPS[2], 0)
        row.setSpacing(GAPS[1])
        parts: list[QWidget | int] = [self._count, 4, self._lines[0], 4, self._finish, self._before, self._arrow]
        parts += [self._after, self._gain, 4, self._lines[1], 4, self._valid]
        for part in parts:
            if isinstance(part, int):
                row.addSpacing(part)
            else:
                row.addWidget(part)
        row.addStretch(1)
        row.addWidget(self.discard)
        row.addWidget(self.commit)

    # ---- what it says

    def refresh(self) -> None:
        """Update the whole bar."""
        count = len(self._editor.steps)
        if not count:
            self.hide()
            return
        self._say(count)
        self._show_finish()
        self._place()
        self.show()
        self.raise_()

    def _say(self, count: int) -> None:
        words = EditPlurals()
        self._count.setText(words.staged(count))
        verdict, problems = self._editor.staging.can_commit(), len(self._editor.staging.problems)
        valid = fill(self.tr("Valid at revision %1"), self._editor.staging.revision)
        self._valid.setText(words.unfit(problems) if problems else valid)
        mark(self._valid, "wrong" if problems else "muted")
        self.commit.setText(words.commit(count))
        self.discard.setText(self.tr("Discard"))
        self.commit.setEnabled(verdict.ok)
        self.commit.is_default = verdict.ok
        reason = f"{verdict.reason} {verdict.hint}".strip()
        apply = fill(self.tr("Apply all of them at once (%1)"), shown(Scope.WINDOW, "commit"))
        self.commit.setToolTip(reason or apply)
        self.commit.setAccessibleDescription(reason)
        self.discard.setToolTip(self.tr("Do without all of them; undo brings them back"))
        for each in (self.commit, self.discard):
            each.setAccessibleName(each.text())
            each.updateGeometry()
        self.setAccessibleName(self.tr("Staged changes"))
        self.setAccessibleDescription(f"{self._count.text()}. {self._valid.text()}")

    def _show_finish(self) -> None:
        effect = self._editor.staging.effect
        is_known = effect is not None and effect.what_if.after is not None
        if effect is not None and is_known:
            finish = finish_of(effect.what_if, self._wall)
            self._before.setText(finish.before)
            self._after.setText(finish.after)
            self._gain.setText(finish.gain)
        self._finish.setText(self.tr("Finish") if is_known else self.tr("Foreseeing…"))
        self._shown: list[QWidget] = [self._before, self._arrow, self._after, self._gain] if is_known else []
        self._fit()

    def _fit(self) -> None:
        """Hide the parts that do not fit, the least important first."""
        has_problems = bool(self._editor.staging.problems)
        about_valid: list[QWidget] = [self._lines[1], self._valid]
        finish: list[QWidget] = [self._finish, *self._shown]
        every: list[QWidget] = [self._count, *about_valid, *finish, self._lines[0]]
        _hide([self._before, self._arrow, self._after, self._gain])
        for part in every:
            part.show()
        if not self._editor.staging.can_foresee:
            _hide([*finish, self._lines[0]])
        least: list[list[QWidget]] = [[self._gain], [self._before, self._arrow], [*finish, self._lines[0]]]
        order = [*least, about_valid] if has_problems else [about_valid, *least]
        order.append([self._count])
        for parts in order:
            if self._wanted() <= self.width():
                return
            _hide(parts)

    def _wanted(self) -> int:
        layout = self.layout()
        assert layout is not None
        layout.invalidate()
        return layout.minimumSize().width()

    # ---- where it is

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        lie_again()
        guard_appeared(self)

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        lie_again()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self.parentWidget():
            self._place()
            if self._editor.steps:
                self._fit()
        return False

    def _place(self) -> None:
        over = self.parentWidget()
        if over is not None:
            self.setGeometry(0, 0, over.width(), STRIP)

    def _apply_theme(self, palette: Palette) -> None:
        self.setStyleSheet(
            f"QFrame#staged {{ background: {palette.raised}; border: none;"
            f" border-bottom: 1px solid {palette.border}; }}"
            f"QLabel {{ color: {palette.text}; background: transparent; }}"
            f"QLabel[look='muted'] {{ color: {palette.muted}; }}"
            f"QLabel[look='wrong'] {{ color: {palette.status[StatusForm.FAILED].text}; }}"
            f"QFrame[look='line'] {{ background: {palette.border}; border: none; }}"
        )

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.refresh()
        super().changeEvent(event)


def _hide(parts: list[QWidget]) -> None:
    for part in parts:
        part.hide()
