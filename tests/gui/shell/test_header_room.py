"""What of a run there is in its header where there is little room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QToolButton
from tests.gui.canvas.runs import NOW, firmware
from tests.gui.shell.test_header_and_status import WALL, drawn, foreseen, header

from starloom_gui.shell.run_header import RunHeader, Tab
from starloom_gui.theme.chips import ORDER
from starloom_gui.viewmodel.figures import figures_of
from starloom_gui.viewmodel.task_words import form_word

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from starloom_gui.theme.appearance import Appearance


def test_counts_are_there_before_times_and_bar_where_tabs_leave_little_room(appearance: Appearance):
    figures = figures_of(firmware(), NOW, WALL, foreseen())
    made = header(appearance, figures, width=1000)
    made.tabs.show_tabs([Tab(f"{n}", f"nightly build {n}", is_run=True) for n in range(12)], "3")
    layout = made.layout()
    assert layout is not None
    layout.activate()
    drawn(made)
    shown = [text.split(":")[0] for _, text in made.line._spots]
    assert [form_word(code) for code in ORDER if figures.counts[code]] == shown[1:]
    assert sum(figures.counts) == sum(int(text.split(": ")[1]) for _, text in made.line._spots[1:])


def test_tabs_for_which_there_is_room_do_not_scroll(appearance: Appearance, qtbot: QtBot):
    made = RunHeader(appearance)
    made.resize(1200, made.height())
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    for names in (["mine"], ["mine", "crit"], ["mine", "crit", "a", "il"]):
        made.tabs.show_tabs([Tab(name, name) for name in names], names[-1])
        qtbot.waitUntil(lambda: made.tabs.width() >= made.tabs.sizeHint().width())
        arrows = [button for button in made.tabs.findChildren(QToolButton) if "Scroll" in button.objectName()]
        assert arrows
        assert not any(button.isVisible() for button in arrows)
