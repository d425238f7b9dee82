"""One window with the engines of several servers beside its own: each has a page with all that a console has."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QTabBar
from tests.driver import plan, task
from tests.gui.composition.conftest import Desktop, at_rest, served
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.model.device import DeviceSpec
from starloom.scheduling import commands as c
from starloom_gui import app as program
from starloom_gui.attachment import Attachment
from starloom_gui.dialogs.closing import DISCARD, ClosingDialog, UnsavedDialog
from starloom_gui.settings import Settings
from starloom_gui.shell.frame import new_appearance
from starloom_gui.shell.program_window import ProgramWindow
from starloom_gui.text.wall_clock import show_utc
from starloom_gui.theme.appearance import Theme

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from starloom.orchestration.orchestrator import Orchestrator
    from starloom_gui.composition.console import Console
    from starloom_gui.shell.frame import WindowFrame

pytestmark = pytest.mark.usefixtures("app")
LONG = 3600.0


class Window:
    """The program's window, as `live` makes it.

    Attributes:
        window: of the program.
        others: the consoles of servers in it.
        own: the console of its own engine.
    """

    def __init__(self, desktop: Desktop) -> None:
        settings = Settings(desktop.store)
        settings.theme, settings.reduced_motion = Theme.DARK, True
        self.window = ProgramWindow(new_appearance(desktop.application, settings))
        self.others = program.ServerConsoles(
            self.window, lambda address: desktop.frame(address, self.window.appearance)
        )
        self.own: Console

    async def attached(self, folder: Path, *, in_front: bool = True) -> Console:
        """The console of the server of a folder, which is connected to."""
        wanted = Attachment(str(folder))
        self.others.show(wanted, self.own.strip, in_front=in_front)
        await until(lambda: wanted in self.others.consoles)
        await at_rest(self.others.consoles[wanted])
        return self.others.consoles[wanted]


@asynccontextmanager
async def shown(desktop: Desktop) -> AsyncIterator[Window]:
    """A program's window with its own engine; all of it is closed afterwards."""
    made = Window(desktop)
    frame: WindowFrame = desktop.frame(appearance=made.window.appearance)
    made.window.add(frame.window, is_own=True)
    async with program.opened(frame) as made.own:
        made.others.wire_own(frame, made.own)
        await frame.shown()
        made.window.activateWindow()
        await until(made.window.isActiveWindow)
        yield made
        for console in (made.own, *made.others.consoles.values()):
            console.window.asks_before_closing = False
        made.window.close()
        await made.own.closed()
    await made.others.background_tasks.settled()
    assert not made.window.isVisible()
    made.window.deleteLater()


@asynccontextmanager
async def both(desktop: Desktop, folder: Path) -> AsyncIterator[tuple[Window, Console, Orchestrator]]:
    """A window with its own engine and a server's, which is in front; each has a run."""
    tasks = plan([task("a", simulate=LONG), task("b", simulate=LONG)], ["a>b"])
    tasks = replace(tasks, devices=(DeviceSpec(id="lab", kind="simulated", slots=1),))
    async with served("there", tasks, folder) as engine, shown(desktop) as window:
        await orchestrator_of(window.own).start(tasks, run_id="here")
        window.own.documents.put_run("here")
        yield window, await window.attached(folder), engine


def tabs(window: Window) -> list[str]:
    """The tabs of engines that are in sight."""
    bar = window.window.tabs
    return [bar.tabText(index) for index in range(bar.count())] if bar.isVisible() else []


def test_who_types_while_a_second_server_is_reached_goes_on_typing_there(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with served(folder=tmp_path / "lab"), shown(desktop) as window:
            field = window.own.window.tool_bar.findChild(QLineEdit)
            assert isinstance(field, QLineEdit)
            window.own.actions["new"].trigger()
            await at_rest(window.own)
            field.setFocus()
            QTest.keyClicks(field, "ab")
            there = await window.attached(tmp_path / "lab", in_front=False)
            assert window.window.front is window.own.window
            assert len(tabs(window)) == 2
            assert not there.window.isVisible()
            focused = QApplication.focusWidget()
            assert focused is field
            QTest.keyClicks(focused, "c")
            assert field.text() == "abc"
            window.own.actions["next_engine"].trigger()
            assert window.window.front is there.window
            assert there.window.isVisible()
            assert there.window.welcome.isVisible()

    desktop.run(main)


def test_a_server_is_a_page_beside_the_own_engine(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with both(desktop, tmp_path / "lab") as (window, there, _):
            assert tabs(window) == ["Own engine", str(tmp_path / "lab")]
            assert window.window.front is there.window
            assert there.window.isVisible()
            assert not window.own.window.isVisible()
            assert str(tmp_path / "lab") in window.window.windowTitle()
            QTest.keyClick(there.window, Qt.Key.Key_PageUp, Qt.KeyboardModifier(0x0C000000))  # Ctrl+Alt
            assert window.window.front is window.own.window
            assert str(tmp_path / "lab") not in window.window.windowTitle()
            window.others.show(Attachment(str(tmp_path / "lab")), window.own.strip)
            assert window.window.front is there.window, "it is not shown twice"
            assert window.window.tabs.currentIndex() == 1

    desktop.run(main)


def test_what_is_done_on_a_page_is_done_at_its_engine(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with both(desktop, tmp_path / "lab") as (window, there, engine):
            own = orchestrator_of(window.own).run("here")
            there.commands.do(c.PauseRun(run_id="there"))
            await until(lambda: engine.run("there").facts.state == "paused")
            window.window.show_page(window.own.window)
            window.own.commands.do(c.HoldTasks(run_id="here", task_ids=("b",)))
            await until(lambda: bool(own.facts.held))
            assert own.facts.state == "executing"
            assert not engine.run("there").facts.held

    desktop.run(main)


def test_keys_and_tab_stay_on_the_page_in_front(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with both(desktop, tmp_path / "lab") as (window, there, _):
            for console in (there, window.own, there):
                window.window.show_page(console.window)
                seen = set()
                for _ in range(12):
                    QTest.keyClick(window.window.focusWidget(), Qt.Key.Key_Tab)
                    seen.add(window.window.focusWidget())
                    assert console.window.isAncestorOf(window.window.focusWidget())
                assert len(seen) > 3
                QTest.keyClick(console.window, Qt.Key.Key_9, Qt.KeyboardModifier.AltModifier)
                assert console.window.workbench.dock_of("tasks").front == "tasks"
                QTest.keyClick(console.window, Qt.Key.Key_6, Qt.KeyboardModifier.AltModifier)

    desktop.run(main)


def test_what_holds_for_all_windows_holds_on_each_page(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with both(desktop, tmp_path / "lab") as (window, there, _):
            there.window.look.choose_theme(Theme.LIGHT)
            there.actions["utc"].trigger()
            there.actions["health"].trigger()
            window.window.show_page(window.own.window)
            assert window.own.window.menus.themes[Theme.LIGHT].isChecked()
            assert window.own.appearance.palette is there.appearance.palette
            assert window.own.actions["utc"].isChecked()
            assert window.own.actions["health"].isChecked()

    try:
        desktop.run(main)
    finally:
        show_utc(False)


def test_windows_of_panes_come_and_go_with_their_page(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with both(desktop, tmp_path / "lab") as (window, there, _):
            there.window.pane_windows.open("events")
            pane = there.window.workbench.windows["events"]
            assert pane.isVisible()
            assert str(tmp_path / "lab") in pane.windowTitle()
            window.window.show_page(window.own.window)
            assert not pane.isVisible()
            assert str(tmp_path / "lab") in pane.windowTitle(), "the title is that of its own page"
            window.window.show_page(there.window)
            assert pane.isVisible()

            there.window.show_welcome()
            window.window.show_page(window.own.window)
            there.window.show_workbench()  # as by a run that somebody submits there
            assert not pane.isVisible(), "its page is not in front"
            window.window.show_page(there.window)
            assert pane.isVisible()

    desktop.run(main)


def test_unread_notifications_are_counted_in_the_tab_and_chosen_ones_bring_their_page(
    desktop: Desktop, tmp_path: Path
) -> None:
    async def main() -> None:
        async with both(desktop, tmp_path / "lab") as (window, there, engine):
            window.window.show_page(window.own.window)
            await engine.run("there").cancel()
            await until(lambda: tabs(window)[1].endswith("(1)"))
            assert tabs(window)[0] == "Own engine"
            there.notifications.show(next(iter(there.notifications.notices)))
            assert window.window.front is there.window

    desktop.run(main)


@pytest.mark.parametrize("way", ["cross", "menu"])
def test_a_server_that_is_disconnected_goes_on_and_can_be_shown_again(
    desktop: Desktop, tmp_path: Path, way: str
) -> None:
    async def main() -> None:
        async with both(desktop, tmp_path / "lab") as (window, there, engine):
            assert not window.own.actions["disconnect"].isEnabled()
            if way == "menu":
                there.actions["disconnect"].trigger()
            else:
                window.window.show_page(window.own.window)
                cross = window.window.tabs.tabButton(1, QTabBar.ButtonPosition.RightSide)
                QTest.mouseClick(cross, Qt.MouseButton.LeftButton)
            await until(lambda: not window.others.background_tasks)
            assert window.window.front is window.own.window
            assert window.own.window.isVisible()
            assert not tabs(window), "with one engine there are no tabs"
            assert not window.own.actions["next_engine"].isEnabled()
            assert engine.run("there").facts.state == "executing"
            again = await window.attached(tmp_path / "lab")
            assert again is not there
            assert [tab.run_id for tab in again.documents.runs] == ["there"]

    desktop.run(main)


def test_whoever_stays_when_asked_about_own_runs_keeps_the_servers(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with both(desktop, tmp_path / "lab") as (window, there, _):
            there.actions["quit"].trigger()
            await until(lambda: isinstance(QApplication.activeModalWidget(), ClosingDialog))
            assert window.window.front is window.own.window
            dialog = QApplication.activeModalWidget()
            assert isinstance(dialog, ClosingDialog)
            dialog.reject()
            await window.own.files.leaving.settled()
            assert len(tabs(window)) == 2
            there.actions["disconnect"].trigger()
            await until(lambda: not window.others.background_tasks)
            await asyncio.sleep(0)
            assert window.own.window.isVisible(), "to disconnect one is not to close the window"
            assert not isinstance(QApplication.activeModalWidget(), ClosingDialog)

    desktop.run(main)


def test_whoever_stays_for_an_unsaved_plan_keeps_every_engine_and_is_asked_again(
    desktop: Desktop, tmp_path: Path
) -> None:
    async def main() -> None:
        async with both(desktop, tmp_path / "lab") as (window, there, _):
            own = window.own
            await orchestrator_of(own).run("here").cancel()
            await orchestrator_of(own).run("here").finished()
            there.documents.put_plan(plan(["a"]))
            own.documents.put_plan(plan(["b"]))
            for stays in (there, own):
                own.actions["quit"].trigger()
                await until(lambda: isinstance(QApplication.activeModalWidget(), UnsavedDialog))
                assert window.window.front is there.window
                dialog = QApplication.activeModalWidget()
                assert isinstance(dialog, UnsavedDialog)
                if stays is own:
                    dialog.choices.choose(DISCARD)
                    await until(lambda: window.window.front is own.window and own.files.leaving.background_tasks)
                    await until(lambda: isinstance(QApplication.activeModalWidget(), UnsavedDialog))
                    dialog = QApplication.activeModalWidget()
                    assert isinstance(dialog, UnsavedDialog)
                dialog.reject()
                await stays.files.leaving.settled()
                assert len(tabs(window)) == 2
                assert all(len(one.documents.documents) == 1 for one in (there, own)), "each has its plan"
            there.documents.close(there.documents.documents[0].key)
            own.documents.close(own.documents.documents[0].key)

    desktop.run(main)


def test_a_server_that_is_not_there_is_said_and_the_window_stays_as_it_is(desktop: Desktop, tmp_path: Path) -> None:
    async def main() -> None:
        async with shown(desktop) as window:
            nowhere = tmp_path / "nowhere"
            window.others.show(Attachment(str(nowhere)), window.own.strip)
            await until(lambda: not window.others.background_tasks)
            said = window.own.strip.shown
            assert said is not None
            assert str(nowhere) in said.what
            assert "server" in said.reason
            assert not tabs(window)

    desktop.run(main)


def test_a_window_that_is_closed_waits_for_no_server(
    desktop: Desktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached: list[str] = []

    @asynccontextmanager
    async def slow(attachment: Attachment) -> AsyncIterator[None]:
        reached.append(attachment.address)
        await asyncio.sleep(3600)
        yield None

    async def main() -> None:
        async with shown(desktop) as window:
            window.others.show(Attachment("far"), window.own.strip)
            window.others.show(Attachment("far"), window.own.strip)
            await until(lambda: bool(reached))
            said = window.own.strip.shown
            assert said is not None
            assert said.text == "Connecting to far…"
        assert reached == ["far"], "asked for twice it is reached for once"

    monkeypatch.setattr(program, "attached_engine", slow)
    desktop.run(main)
