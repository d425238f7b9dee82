"""The fence of a run and the timeouts of agents and people, which can be changed while the run is executing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QWidget
from typing_extensions import override

from starloom.model.status import Fence
from starloom.scheduling.commands import SetFence
from starloom.scheduling.state.cycle_facts import CycleFacts
from starloom_gui.gateway.command_gateway import reason_of
from starloom_gui.text.limit_words import fence_tip, fence_word
from starloom_gui.text.words import fill
from starloom_gui.theme.fonts import Role, font
from starloom_gui.theme.icons import Icon, icon
from starloom_gui.theme.metrics import GAPS
from starloom_gui.widgets.controls import button, mark, text
from starloom_gui.widgets.number_field import NumberField

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QLabel

    from starloom.scheduling.read.run_view import RunView
    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.theme.palette import Palette

HIGH: Final = 32
_FIELDS: Final = (92, 124)
"""Widths of the numbers; the second may say that there is no limit."""


class FenceBar(QWidget):
    """The settings of the fence: a button with a menu, and two timeouts in seconds; hidden in a run without agents.

    Signals:
        refused(str): why something was not changed; empty: what was asked for can be done.

    Attributes:
        choice: opens the menu of fences.
        patience: seconds that agents have.
        approval: seconds that people have; none: as long as they like.

    Args:
        gateway: who is asked for changes.
        parent: the widget it lies in.
    """

    refused = Signal(str)

    def __init__(self, gateway: CommandGateway, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._gateway = gateway
        self._run_id = ""
        self._fence = Fence.GLOBAL
        self._palette: Palette | None = None
        self._is_roomy = self._has_agents = False
        self._labels: list[QLabel] = [text(look="muted", wraps=False) for _ in range(3)]
        self.choice: QPushButton = button("", height=24)
        self.choice.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the arrow stands behind the words
        self.patience = NumberField(optional=False, least=1)
        self.approval = NumberField(optional=True, least=1)
        self._arrange()
        self.choice.clicked.connect(self.open_menu)
        self.patience.wanted.connect(lambda value: self._ask(modification_timeout=value))
        self.approval.wanted.connect(lambda value: self._ask(approval_timeout=value))
        for field in (self.patience, self.approval):
            field.mistyped.connect(self.refused)
            field.edited.connect(lambda: self.refused.emit(""))
        self._say()

    def _arrange(self) -> None:
        self.setFixedHeight(HIGH)
        row = QHBoxLayout(self)
        row.setContentsMargins(GAPS[2], 0, GAPS[2], 0)
        row.setSpacing(GAPS[1])
        for label, part in zip(self._labels, (self.choice, self.patience, self.approval), strict=True):
            row.addWidget(label)
            row.addWidget(part)
            row.addSpacing(GAPS[1])
        for field, width in zip((self.patience, self.approval), _FIELDS, strict=True):
            field.setFixedWidth(width)
        row.addStretch(1)

    # ---- showing

    def show_run(self, run: RunView) -> None:
        """Show the terms of a run; what is being typed stays."""
        terms = run.cycles or CycleFacts()
        self._has_agents = bool(terms.agents or terms.approvals)
        self.setVisible(self._is_roomy and self._has_agents)
        self._run_id, self._fence = run.run_id, terms.fence_in_force
        if self.choice.text() != fence_word(self._fence):
            self._say_fence()
        self.patience.show_value(round(terms.modification_timeout))
        approval = terms.approval_timeout
        self.approval.show_value(None if approval is None else round(approval))

    def allow(self, *, is_roomy: bool) -> None:
        """Hide the bar in a low pane, whatever the run."""
        self._is_roomy = is_roomy
        self.setVisible(is_roomy and self._has_agents)

    def open_menu(self) -> QMenu:
        """Show the menu of fences below the button."""
        menu = QMenu(self)
        menu.setAccessibleName(self._labels[0].text())
        menu.setFont(font(Role.BODY))
        menu.setToolTipsVisible(True)
        menu.aboutToHide.connect(menu.deleteLater)
        group = QActionGroup(menu)
        for fence in Fence:
            action = menu.addAction(fence_word(fence))
            action.setToolTip(fence_tip(fence))
            action.setCheckable(True)
            action.setChecked(fence is self._fence)
            group.addAction(action)
            action.triggered.connect(lambda _=False, wanted=fence: self._ask(fence=wanted.value))
        menu.popup(self.choice.mapToGlobal(QPoint(0, self.choice.height())))
        return menu

    def _ask(self, **terms: Any) -> None:
        command = SetFence(run_id=self._run_id, **terms)
        reason = reason_of(self._gateway.can(command))
        self.refused.emit(reason)
        if not reason:
            self._gateway.do(command)

    # ---- look

    def _say_fence(self) -> None:
        self.choice.setText(fence_word(self._fence))
        self._fit()
        self.choice.setToolTip(fence_tip(self._fence))
        self.choice.setAccessibleName(fill("%1 %2", self._labels[0].text(), fence_word(self._fence)))

    def _say(self) -> None:
        labels = self.tr("While agents are asked"), self.tr("Time to answer: agents"), self.tr("s, you")
        names = self.tr("Seconds for agents"), self.tr("Seconds for you")
        tips = (
            self.tr("What waits while agents are asked"),
            self.tr("An answer that comes later is judged like any edit; the run no longer waits for it."),
            self.tr("After so long a proposal that nobody has answered is dropped; empty: it waits."),
        )
        for label, words, tip in zip(self._labels, labels, tips, strict=True):
            label.setText(words)
            label.setToolTip(tip)
        for field, words, tip in zip((self.patience, self.approval), names, tips[1:], strict=True):
            field.name(words)
            field.line.setToolTip(tip)
            field.line.setAccessibleDescription(tip)
        self._say_fence()

    def apply_theme(self, palette: Palette) -> None:
        """Apply the colours of a theme."""
        self.choice.setIcon(icon(Icon.EXPANDED, palette))
        mark(self.choice, "verb")
        for field in (self.patience, self.approval):
            field.apply_theme(palette)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Hide the texts that do not fit, which the button's tooltip also has."""
        parts = (*self._labels, self.choice, self.patience, self.approval)
        whole = sum(part.sizeHint().width() for part in parts) + (2 * len(parts) + 2) * GAPS[1] + 2 * GAPS[2]
        self._labels[0].setVisible(whole <= self.width())

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._say()
        super().changeEvent(event)
