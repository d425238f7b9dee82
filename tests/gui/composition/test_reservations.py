"""A run, a device and the fleet are reserved in the console, given back, and broken; it says who has reserved what."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QWidget
from tests.gui.composition.conftest import Desktop, at_rest
from tests.gui.composition.test_console import LONG, front, small, started
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom import events as ev
from starloom.constellation.edits import UpdateTask
from starloom.scheduling import commands as c
from starloom.scheduling.reservation_commands import Reserve
from starloom.scheduling.state.reservations import FLEET_TARGET, ReservationTarget
from starloom_gui.dialogs.reserve import BreakReservationDialog, ReserveDialog
from starloom_gui.editing.base import Step
from starloom_gui.specs.action_spec import Verb
from starloom_gui.widgets.dialog import Dialog

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from starloom.scheduling.state.reservations import Reservation
    from starloom_gui.composition.console import Console
    from starloom_gui.widgets.message_bar import ErrorMessage

pytestmark = pytest.mark.usefixtures("app")
_D = TypeVar("_D", bound=Dialog)
ADA = Reserve(reason="the board is measured", seconds=LONG, origin="ada")


def dialog_of(console: Console, kind: type[_D]) -> _D:
    (found,) = [one for one in console.window.findChildren(kind) if one.isVisible()]
    return found


def typed(dialog: ReserveDialog | BreakReservationDialog, **values: str) -> None:
    """Type these values, and Enter in the field of the reason."""
    dialog.form.fill(values)
    field = dialog.form.editor("reason").focusProxy()
    assert isinstance(field, QWidget)
    QTest.keyClick(field, Qt.Key.Key_Return)


def made(console: Console, target: ReservationTarget) -> Reservation | None:
    return orchestrator_of(console).pump.scheduler.fleet.reservations.get(target)


async def by_ada(console: Console, **about: str) -> None:
    """Something is reserved by somebody else."""
    await orchestrator_of(console).fleet.command(replace(ADA, **about))
    await at_rest(console)
    console.actions.refresh()


def shown(console: Console) -> ErrorMessage:
    assert console.strip.shown is not None
    return console.strip.shown


def test_a_run_is_reserved_changed_given_back_and_reserved_again_by_undo(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run_id = (await started(console, small(seconds=LONG))).run_id
            run, actions, line = ReservationTarget(run_id=run_id), console.actions, console.window.header.line
            await at_rest(console)
            actions.refresh()
            assert not actions[Verb.END_RUN_RESERVATION].isEnabled()
            actions[Verb.RESERVE_RUN].trigger()
            dialog = dialog_of(console, ReserveDialog)
            assert dialog.reason == "Reason is missing"
            assert dialog.ends.text().startswith("Ends at ")
            typed(dialog, reason="we look at it", time="1h30m")
            await until(lambda: made(console, run))
            first = made(console, run)
            assert first is not None
            assert (first.reason, first.until - first.since) == ("we look at it", 5400.0)
            assert first.holder == console.engine.origin
            await at_rest(console)
            assert line.figures is not None
            assert line.figures.reserved.startswith("Reserved by you until ")
            assert line.figures.reserved.endswith(": we look at it")

            actions.refresh()
            assert actions[Verb.RESERVE_RUN].text() == "Change my reservation…"
            assert not actions[Verb.BREAK_RUN_RESERVATION].isEnabled()
            actions[Verb.END_RUN_RESERVATION].trigger()
            await until(lambda: made(console, run) is None)
            await at_rest(console)
            assert line.figures.reserved == ""
            await until(actions["undo"].isEnabled)
            actions["undo"].trigger()
            await until(lambda: made(console, run) is not None)
            again = made(console, run)
            assert again is not None
            assert again.reason == "we look at it"
            assert again.until - again.since < 5400.0
            late = again.until - first.until
            assert 0 <= late < again.since - first.since, "with the same end, but for what its command took"
            await at_rest(console)

    desktop.run(main)


def test_what_somebody_else_has_reserved_is_refused_with_a_way_out_that_asks_and_is_logged(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run_id = (await started(console, small(seconds=LONG))).run_id
            run = ReservationTarget(run_id=run_id)
            await at_rest(console)
            await by_ada(console, run_id=run_id)
            actions = console.actions
            assert "reserved by ada" in actions[Verb.PAUSE].statusTip()
            assert "reserved by ada" in actions[Verb.RESERVE_RUN].statusTip()
            assert actions[Verb.BREAK_RUN_RESERVATION].text() == "Break ada's reservation…"

            QTest.keyClick(console.window, Qt.Key.Key_F6)
            assert "reserved by ada" in shown(console).reason
            assert shown(console).remedy == "Break ada's reservation…"
            front(console).source.editor.do(Step(label="Rename", edits=(UpdateTask("a", name="mine"),)))
            await until(lambda: shown(console).what == "Rename")
            assert "the board is measured" in shown(console).reason
            act = shown(console).act
            assert shown(console).remedy == "Break ada's reservation…"
            assert act is not None
            act()
            dialog = dialog_of(console, BreakReservationDialog)
            assert not dialog.default.isEnabled()
            typed(dialog, reason="ada has left")
            await until(lambda: made(console, run) is None)
            await at_rest(console)
            ended = [event for _, event in console.bridge.log.since(0) if isinstance(event, ev.ReservationEnded)]
            assert [(one.how, one.holder, one.reason) for one in ended] == [("broken", "ada", "ada has left")]
            assert console.commands.can(c.PauseRun(run_id=run_id)).ok

    desktop.run(main)


def test_a_device_is_reserved_from_its_card_whose_menu_says_what_can_be_done(desktop: Desktop) -> None:
    def entries(console: Console) -> dict[str, QAction]:
        index = console.devices.cards.model().index(0, 0)
        menu = console.devices.cards.open_menu(index, console.window.mapToGlobal(console.window.rect().center()))
        assert isinstance(menu, QMenu)
        found = {action.text(): action for action in menu.actions() if "eserv" in action.text()}
        menu.hide()
        return found

    async def main() -> None:
        async with desktop.console() as console:
            await started(console, small(seconds=LONG))
            await at_rest(console)
            found = entries(console)
            assert list(found) == ["Reserve…"]
            found["Reserve…"].trigger()
            typed(dialog_of(console, ReserveDialog), reason="I solder", time="20m")
            await until(lambda: made(console, ReservationTarget(device_id="d")))
            await at_rest(console)
            found = entries(console)
            assert list(found) == ["Change my reservation…", "End my reservation"]
            index = console.devices.cards.model().index(0, 0)
            told = index.data(Qt.ItemDataRole.AccessibleTextRole)
            assert "reserved by you until " in told
            assert told.endswith(": I solder")
            found["End my reservation"].trigger()
            await until(lambda: made(console, ReservationTarget(device_id="d")) is None)
            await by_ada(console, device_id="d")
            assert list(entries(console)) == ["Break ada's reservation…"]
            entries(console)["Break ada's reservation…"].trigger()
            typed(dialog_of(console, BreakReservationDialog), reason="it is mine")
            await until(lambda: made(console, ReservationTarget(device_id="d")) is None)
            await at_rest(console)

    desktop.run(main)


def test_a_reserved_fleet_has_a_key_in_the_status_bar_also_where_nothing_is_open(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await at_rest(console)
            key = console.window.status.reserved
            assert not key.isVisible()
            console.actions.refresh()
            console.actions[Verb.RESERVE_FLEET].trigger()
            typed(dialog_of(console, ReserveDialog), reason="we move", time="2h")
            await until(lambda: made(console, FLEET_TARGET))
            await until(key.isVisible)
            assert "Reserved by you until" in key.toolTip()
            await until(lambda: console.actions[Verb.END_FLEET_RESERVATION].isEnabled())
            console.actions[Verb.END_FLEET_RESERVATION].trigger()
            await until(lambda: not key.isVisible())

    desktop.run(main)


def test_a_time_that_cannot_be_used_is_told_under_its_field(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            await at_rest(console)
            console.actions[Verb.RESERVE_FLEET].trigger()
            dialog = dialog_of(console, ReserveDialog)
            for words in ("soon", "0", "9000h"):
                dialog.form.fill({"reason": "x", "time": words})
                assert dialog.form.reason("time"), words
                assert not dialog.default.isEnabled()
                assert dialog.ends.text() == ""
            QTest.keyClick(dialog, Qt.Key.Key_Escape)
            await at_rest(console)
            assert made(console, FLEET_TARGET) is None

    desktop.run(main)


def test_a_broken_reservation_is_no_step_that_can_be_taken_back(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run_id = (await started(console, small(seconds=LONG))).run_id
            await at_rest(console)
            await by_ada(console, run_id=run_id)
            console.actions[Verb.BREAK_RUN_RESERVATION].trigger()
            typed(dialog_of(console, BreakReservationDialog), reason="now")
            await until(lambda: made(console, ReservationTarget(run_id=run_id)) is None)
            await at_rest(console)
            offer = front(console).source.editor.undo_offer()
            assert offer.verdict.reason == (
                f"“{offer.label}” cannot be taken back: only whoever had reserved it can reserve it again."
            )

    desktop.run(main)


def test_a_window_that_only_watches_offers_nothing(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.attached("r", small(seconds=LONG)) as console:
            console.engine.watches = True  # type: ignore[misc]
            await at_rest(console)
            await by_ada(console, run_id="r")
            for verb in Verb:
                if "reserv" in verb:
                    assert not console.actions[verb].isEnabled()
            reservations = console.window_actions.controllers.reservations
            assert not reservations.remedy_for(ReservationTarget(run_id="r")).label

    desktop.run(main)
