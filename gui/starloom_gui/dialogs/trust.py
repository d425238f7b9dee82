"""The choice of the edits of an agent that need approval, and the dialog that changes it for an attached agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from starloom.constellation.edits import ALL_KINDS
from starloom.scheduling.commands import TrustAgent
from starloom_gui.gateway.command_gateway import reason_of
from starloom_gui.text.trust_words import kind_word
from starloom_gui.text.words import fill
from starloom_gui.theme.metrics import GAPS
from starloom_gui.widgets.choice_row import choice_row
from starloom_gui.widgets.controls import text
from starloom_gui.widgets.dialog import Dialog
from starloom_gui.widgets.editor import FieldSpec, ValueType
from starloom_gui.widgets.editors import SwitchEditor
from starloom_gui.widgets.form import LABELS

if TYPE_CHECKING:
    from collections.abc import Collection

    from starloom_gui.gateway.command_gateway import CommandGateway
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette

WIDTH = 560


class TrustChoice(QWidget):
    """The choice of the kinds of an agent's edits that need approval: all, some, or none.

    Signals:
        changed(): something else was chosen.

    Attributes:
        kinds: a switch for each kind, shown where some are meant.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._group = QButtonGroup(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAPS[0])
        row = QHBoxLayout()
        row.setSpacing(GAPS[1])
        label = text(self.tr("Its edits"), wraps=False)
        label.setMinimumWidth(max(LABELS, label.sizeHint().width()))
        row.addWidget(label)
        row.addWidget(self._choices(), 1)
        column.addLayout(row)
        self._some = QWidget()
        grid = QGridLayout(self._some)
        grid.setContentsMargins(LABELS + GAPS[1], 0, 0, 0)
        grid.setVerticalSpacing(0)
        self.kinds: dict[str, SwitchEditor] = {}
        for at, kind in enumerate(ALL_KINDS):
            spec = FieldSpec(name=kind, label=kind_word(kind), sort=ValueType.SWITCH, unit=kind_word(kind))
            made = self.kinds[kind] = SwitchEditor(spec)
            made.show_value(True)
            made.edited.connect(self.changed)
            grid.addWidget(made, at % 3, at // 3)
        column.addWidget(self._some)
        self._some.hide()
        self._group.idToggled.connect(self._turn)

    def _turn(self, at: int, chosen: bool) -> None:
        if chosen:
            self._some.setVisible(at == 1)
            self.changed.emit()

    def _choices(self) -> QFrame:
        said = (
            (self.tr("Wait for approval"), self.tr("Every proposal is shown to you, and applied if you accept it")),
            (self.tr("Some wait"), self.tr("A proposal waits if it holds an edit of a kind that is ticked")),
            (self.tr("Are applied"), self.tr("Every proposal that fits is applied at once, in the agent's name")),
        )
        return choice_row(self._group, self.tr("Which of its edits wait for approval"), said)

    def choose(self, at: int) -> None:
        """Choose all (0), some (1) or none (2)."""
        self._group.button(at).setChecked(True)

    def show_asks(self, asks: Collection[str]) -> None:
        """Show which kinds wait."""
        for kind, made in self.kinds.items():
            made.show_value(kind in asks)
        self.choose(0 if set(asks) == set(ALL_KINDS) else 1 if asks else 2)

    @property
    def asks(self) -> tuple[str, ...]:
        """The kinds of edits that wait for approval."""
        at = self._group.checkedId()
        if at == 1:
            return tuple(kind for kind, made in self.kinds.items() if made.value())
        return () if at == 2 else ALL_KINDS

    def apply_theme(self, palette: Palette) -> None:
        """Apply the colours of a theme."""
        for made in self.kinds.values():
            made.apply_theme(palette)


class TrustDialog(Dialog):
    """Changes which of an attached agent's edits wait; to be shown with `open()`.

    Attributes:
        trust: the choice.

    Args:
        appearance: the colours.
        run_id: of the run.
        agent: its name.
        before: the kinds of its edits that wait now.
        asks: who is asked.
        parent: the window it stands over.
    """

    def __init__(
        self,
        appearance: Appearance,
        run_id: str,
        agent: str,
        before: Collection[str],
        asks: CommandGateway,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(appearance, "", "", width=WIDTH, parent=parent)
        self._run_id, self._agent, self._gateway = run_id, agent, asks
        self.retitle(fill(self.tr("What %1 may do"), agent), self.tr("Change"))
        self.trust = TrustChoice()
        self.body.addWidget(self.trust)
        self.body.addWidget(text(self.tr("What it has proposed already is not affected."), look="muted"))
        self.trust.show_asks(before)
        self.trust.changed.connect(self._look)
        self.apply_theme(appearance.palette)
        self._look()

    def _look(self) -> None:
        self.allow(reason_of(self._gateway.can(self._command())))

    @override
    def do(self) -> None:
        self._gateway.do(self._command())
        self.accept()

    def _command(self) -> TrustAgent:
        return TrustAgent(run_id=self._run_id, agent=self._agent, asks=self.trust.asks)

    @override
    def apply_theme(self, palette: Palette) -> None:
        super().apply_theme(palette)
        self.trust.apply_theme(palette)
