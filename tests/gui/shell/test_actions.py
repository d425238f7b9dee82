"""Actions: one a verb, wherever it appears; possible or not by the engine's own rules, and with the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QTranslator
from PySide6.QtGui import QAction, QStatusTipEvent
from PySide6.QtWidgets import QApplication, QWidget
from tests.driver import plan, task
from tests.virtual_time import engine, run
from typing_extensions import override

from starloom.devices.simulated import SimulatedDevice
from starloom.model.status import RunState, TaskStatus
from starloom.scheduling import commands as c
from starloom_gui.gateway.commands import Commands
from starloom_gui.gateway.local_engine import LocalEngine
from starloom_gui.shell.menus import TASKS, context_menu
from starloom_gui.specs.action_spec import Target, Verdict
from starloom_gui.widgets.actions import MOST_ASKED, Actions

if TYPE_CHECKING:
    from tests.gui.shell.conftest import MadeUp

    from starloom_gui.shell.main_window import MainWindow
    from starloom_gui.theme.appearance import Appearance


def test_the_engine_says_what_is_possible_and_why_not(appearance: Appearance):
    async def main() -> None:
        async with engine(SimulatedDevice("d")) as orchestrator:
            held = await orchestrator.start(plan([task("a", simulate={"duration": 1.0})]), run_id="r")
            commands = Commands(LocalEngine(orchestrator))
            actions = Actions(appearance, lambda: Target("r", ("a",), "d"), lambda: commands)
            assert actions["pause"].isEnabled()
            assert not actions["start"].isEnabled()
            await held.finished()
            actions.refresh()
            assert not actions["hold"].isEnabled()
            assert "it is done" in actions["hold"].toolTip()
            assert actions["hold"].statusTip() in actions["hold"].toolTip()
            assert not actions["retry_failed"].isEnabled()
            assert actions["retry_failed"].statusTip() == "No task has failed."
            actions["drain"].trigger()
            await commands.answered()
            actions.refresh()
            assert actions["undrain"].isEnabled()

    run(main())


def test_an_action_asks_the_engine_for_its_verb_about_what_is_selected(actions: Actions, gateway: MadeUp):
    actions["priority_high"].trigger()
    actions["retry_failed"].trigger()
    actions["mark_done"].trigger()
    assert gateway.asked == [
        c.SetPriority(run_id="r", task_ids=("a",), priority="high"),
        c.RetryTasks(run_id="r", task_ids=("f1", "f2")),
        c.MarkTasks(run_id="r", task_ids=("a",), status=TaskStatus.COMPLETED),
    ]


def test_a_step_takes_the_selected_task_if_that_can_start_else_the_next(actions: Actions, gateway: MadeUp):
    actions["step"].trigger()
    gateway.refused[c.StepRun] = Verdict(False, "It waits for another one.")
    actions["step"].setEnabled(True)
    actions["step"].trigger()
    assert gateway.asked == [c.StepRun(run_id="r", task_id="a"), c.StepRun(run_id="r")]


def test_what_has_to_be_selected_is_said_before_the_engine_is_asked(appearance: Appearance, gateway: MadeUp):
    selected = [Target("r")]
    actions = Actions(appearance, lambda: selected[0], lambda: gateway)
    assert actions["pause"].isEnabled()
    assert actions["hold"].statusTip() == "No task is selected."
    assert actions["drain"].statusTip() == "No device is selected."
    selected[0] = Target("r", ("a", "b"))
    actions.refresh()
    assert actions["hold"].isEnabled()
    assert actions["rerun"].statusTip() == "Only one task at a time can be rerun."


def test_without_an_engine_its_verbs_say_that_there_is_no_run(appearance: Appearance):
    actions = Actions(appearance, Target)
    assert not actions["pause"].isEnabled()
    assert actions["pause"].statusTip() == "There is no run."
    assert actions["open"].isEnabled()


def test_the_windows_own_actions_are_told_to_the_window(actions: Actions):
    wanted: list[str] = []
    actions.wanted.connect(wanted.append)
    actions["open"].trigger()
    actions.allow("undo", Verdict(False, "Nothing to undo."))
    actions["undo"].trigger()
    actions.refresh()
    assert wanted == ["open"]
    assert actions["undo"].toolTip().endswith("Nothing to undo.")


def test_many_changes_are_looked_at_once_and_then_no_timer_runs(actions: Actions):
    seen: list[bool] = []
    actions.refreshed.connect(lambda: seen.append(True))
    for _ in range(100):
        actions.ask_refresh()
    assert not seen
    while not seen:
        QApplication.processEvents()
    assert seen == [True]
    assert not actions._timer.isActive()


def test_of_very_many_tasks_the_engine_is_asked_only_when_a_menu_opens(appearance: Appearance, gateway: MadeUp):
    gateway.refused[c.HoldTasks] = Verdict(False, "Already held.")
    many = tuple(str(number) for number in range(MOST_ASKED + 1))
    actions = Actions(appearance, lambda: Target("r", many), lambda: gateway)
    assert actions["hold"].isEnabled()
    parent = QWidget()
    menu = context_menu(actions, TASKS, parent)
    assert not actions["hold"].isEnabled()
    assert actions["hold"].statusTip() == "Already held."
    assert actions["hold"] in menu.actions()


def test_the_status_bar_does_not_go_on_saying_what_is_no_longer_so(
    window: MainWindow, actions: Actions, gateway: MadeUp, app: QApplication
):
    gateway.refused[c.StartRun] = Verdict(False, "The run is done already.")
    actions.refresh()
    app.sendEvent(window.tool_bar.main, QStatusTipEvent(actions["start"].statusTip()))  # as the pointer comes
    assert window.status.currentMessage() == "The run is done already."
    actions.refresh()
    assert window.status.currentMessage() == "The run is done already."
    gateway.refused[c.StartRun] = Verdict(False, "The run has started.")
    actions.refresh()
    assert not window.status.currentMessage()
    window.status.showMessage("Of no action")
    del gateway.refused[c.StartRun]
    actions.refresh()
    assert window.status.currentMessage() == "Of no action"


def test_toolbar_and_menus_share_their_actions(window: MainWindow, actions: Actions):
    in_menus = {
        action.objectName(): action
        for top in window.menuBar().actions()
        for action in top.menu().actions()  # type: ignore[attr-defined]
        if action.objectName()
    }
    for key in ("start", "cancel_run", "retry_failed", "undo", "critical_path", "filter", "hold", "drain"):
        assert in_menus[key] is actions[key]
    menu = context_menu(actions, TASKS, window)
    assert actions["hold"] in menu.actions()
    assert menu.toolTipsVisible()
    assert window.tool_bar.retry.actions() == [actions["retry_failed"]]


def test_no_two_actions_have_the_same_keys(window: MainWindow, actions: Actions):
    found = {id(one): one for one in (*window.findChildren(QAction), *(actions[key] for key in actions.keys))}
    keys = [one.shortcut().toString() for one in found.values() if not one.shortcut().isEmpty()]
    assert sorted(keys) == sorted(set(keys))


def test_another_language_takes_effect_at_once(app: QApplication, window: MainWindow, actions: Actions):
    class Loud(QTranslator):
        @override
        def translate(self, context: str, sourceText: str, disambiguation: str | None = None, n: int = -1) -> str:
            return sourceText.upper()

        @override
        def isEmpty(self) -> bool:
            return False

    loud = Loud()
    app.installTranslator(loud)
    app.processEvents()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert actions["pause"].text() == "PAUSE"
    assert [one.text() for one in window.menuBar().actions()][:2] == ["&FILE", "&EDIT"]
    assert window.workbench.dock_of("queue").windowTitle().endswith("QUEUE & LIMITS, PLOTS, GRID, WAITS FOR YOU")
    test_no_two_actions_have_the_same_keys(window, actions)
    app.removeTranslator(loud)
    app.processEvents()
    assert actions["pause"].text() == "Pause"


def test_the_first_button_does_what_makes_sense(window: MainWindow, actions: Actions):
    for state, key in (
        (None, "start"),
        (RunState.EXECUTING, "pause"),
        (RunState.PAUSED, "resume"),
        (RunState.COMPLETED, "start"),
    ):
        window.tool_bar.show_run(state, (2, 0), 5, 8)
        assert window.tool_bar.main.actions() == [actions[key]]
        assert window.tool_bar.main.accessibleName() == actions[key].text()
    assert window.tool_bar.retry.badge == "2"
    assert window.tool_bar.limit.accessibleName() == "Running, All runs 5 of 8"


def test_the_box_of_what_runs_says_whose_tasks_it_counts(window: MainWindow):
    limit = window.tool_bar.limit
    for is_own, whose in ((False, "All runs"), (True, "This run"), (False, "All runs")):
        window.tool_bar.show_run(RunState.EXECUTING, (0, 0), 2, 4, is_own=is_own)
        assert limit.accessibleName() == f"Running, {whose} 2 of 4"
