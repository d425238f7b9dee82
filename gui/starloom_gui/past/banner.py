"""The banner over the canvas' top that says the past is shown, and which moment of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget
from typing_extensions import override

from starloom_gui import wall_clock
from starloom_gui.panels.dress import Elided, text
from starloom_gui.shell.buttons import OutlinedButton
from starloom_gui.theme.fonts import Role
from starloom_gui.theme.metrics import GAPS, STRIP
from starloom_gui.words import fill, run_word

if TYPE_CHECKING:
    from starloom_gui.past.travel import Travel
    from starloom_gui.theme.appearance import Appearance
    from starloom_gui.theme.palette import Palette


class PastBanner(QFrame):
    """Shown while nothing can be done about what is shown.

    Args:
        over: the widget over whose top it lies.
        travel: of the run.
        appearance: the colours.

    Attributes:
        back: goes back to the present.
    """

    def __init__(self, over: QWidget, travel: Travel, appearance: Appearance) -> None:
        super().__init__(over)
        self._travel = travel
        self.setObjectName("past")
        self._title = text(role=Role.SECTION, wraps=False)
        self._sentence = Elided()
        self.back = OutlinedButton(appearance, parent=self)
        self.back.is_default = True
        self.back.clicked.connect(travel.go_live)
        row = QHBoxLayout(self)
        row.setContentsMargins(GAPS[3], 0, GAPS[2], 0)
        row.setSpacing(GAPS[2])
        row.addWidget(self._title)
        row.addWidget(self._sentence, 1)
        row.addWidget(self.back)
        for signal in (travel.vantage.moved, travel.vantage.passed):
            signal.connect(self.refresh)
        over.installEventFilter(self)
        appearance.changed.connect(self._dress)
        self._dress(appearance.palette)
        self.refresh()

    def refresh(self, *_: object) -> None:
        """Read everything anew."""
        vantage = self._travel.vantage
        if not vantage.is_past:
            self.hide()
            return
        self._title.setText(self._moment())
        self._sentence.setText(self._reason())
        self.back.setText(self.tr("Back to live"))
        self.back.setToolTip(self.tr("Show the run as it is now (Alt+End)"))
        self.back.setAccessibleName(self.back.text())
        self.back.updateGeometry()
        self.back.setVisible(vantage.has_present)
        self.setAccessibleName(self._title.text())
        self.setAccessibleDescription(self._sentence.text())
        self._place()
        self.show()
        self.raise_()

    def _moment(self) -> str:
        vantage = self._travel.vantage
        at = wall_clock.shown(vantage.wall(vantage.now()))
        words = self.tr("The past: %1") if vantage.has_present else self.tr("From its journal: %1")
        return fill(words, wall_clock.marked(f"{at:%Y-%m-%d %H:%M:%S}"))

    def _reason(self) -> str:
        vantage = self._travel.vantage
        if vantage.has_present:
            return self.tr("Nothing can be changed from here. The run goes on meanwhile.")
        run = vantage.facts()
        if run is not None and run.state.has_ended:
            return fill(self.tr("Nothing can be changed any more. The run has ended: %1."), run_word(run.state).lower())
        return self.tr("Nothing can be changed from here.")

    # ---- where it is

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self.parentWidget():
            self._place()
        return False

    def _place(self) -> None:
        over = self.parentWidget()
        if over is not None:
            self.setGeometry(0, 0, over.width(), STRIP)

    def _dress(self, palette: Palette) -> None:
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setStyleSheet(
            f"QFrame#past {{ background: {palette.raised}; border: none;"
            f" border-bottom: 2px solid {palette.text}; }}"
            f"QLabel {{ color: {palette.text}; background: transparent; }}"
        )

    @override
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.refresh()
        super().changeEvent(event)
