"""Fleet files in the console: opened, begun with again, saved, and refused in sentences."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.gui.composition.conftest import at_rest
from tests.gui.composition.test_carried_over import said
from tests.gui.composition.test_console import meant
from tests.gui.engines import orchestrator_of
from tests.waiting import until

from starloom.devices.kinds import make_device
from starloom.formats import load_fleet, save_fleet
from starloom.model.device import DeviceSpec
from starloom.scheduling import commands as c
from starloom_gui import event_loop, first_sight
from starloom_gui.attachment import Attachment
from starloom_gui.dialogs.problems import ProblemsDialog
from starloom_gui.documents.fleet_files import kept_path
from starloom_gui.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gui.composition.conftest import Desktop

    from starloom_gui.composition.console import Console

FLEET = """
starloom: 1
limits: {max_concurrency: 3, groups: {licences: 1}}
devices:
  - {id: bench, kind: simulated, slots: 2, capabilities: [jtag], trip_after: 2}
  - {id: here, kind: local, slots: 1}
"""


FLEETING = DeviceSpec(id="dev2", kind="local", slots=3)


async def opened_file(console: Console, path: Path) -> None:
    console.window_actions.controllers.fleet.open(path)
    await console.window_actions.controllers.fleet.settled()
    await at_rest(console)


def problems(console: Console) -> list[ProblemsDialog]:
    return [one for one in console.window.findChildren(ProblemsDialog) if one.isVisible()]


def test_a_fleet_is_opened_with_its_limits_and_begun_with_the_next_time(desktop: Desktop, tmp_path: Path) -> None:
    path = tmp_path / "fleet.yaml"
    path.write_text(FLEET)

    async def first() -> None:
        async with desktop.console() as console:
            assert not console.window_actions.controllers.fleet.can_save().ok
            await opened_file(console, path)
            fleet = console.bridge.fleet
            assert list(fleet.devices) == ["bench", "here"]
            assert (fleet.max_concurrency, fleet.groups) == (3, {"licences": 1})
            assert fleet.devices["bench"].trip_after == 2
            cards = console.devices.cards
            table = cards.model().sourceModel()  # type: ignore[attr-defined]  # a proxy over the table
            table.rebuild()  # nothing is open yet, so the pane is not seen
            rows = [cards.row_at(cards.model().index(at, 0)) for at in range(2)]
            assert rows[0].capabilities == ("jtag",)
            assert set(rows[1].capabilities) == fleet.devices["here"].capabilities, "found out when it was connected"
            assert [spec.id for spec in console.window_actions.controllers.fleet.listed()] == ["bench", "here"]

    async def second() -> None:
        async with desktop.console() as console:
            console.window_actions.controllers.fleet.begin()
            await console.window_actions.controllers.fleet.settled()
            assert list(console.bridge.fleet.devices) == ["bench", "here"]

    desktop.run(first)
    assert Settings(desktop.store).fleet_file == str(path)
    desktop.run(second)


def test_what_was_added_is_saved_and_what_was_removed_is_not(desktop: Desktop, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"

    async def main() -> None:
        async with desktop.console() as console:
            fleet_file = console.window_actions.controllers.fleet
            for id in ("kept", "gone"):
                spec = DeviceSpec(id=id, kind="simulated", slots=2)
                console.commands.add_device(fleet_file.noted(make_device(spec)))
            await console.commands.answered()
            await orchestrator_of(console).fleet.add(make_device(DeviceSpec(id="of-a-plan", kind="simulated")))
            await orchestrator_of(console).fleet.remove("gone")
            assert fleet_file.can_save().ok
            fleet_file.save(path)
            await fleet_file.settled()
            said = console.strip.shown
            assert said is not None
            assert said.is_notice
            assert f"saved in {path.name}." in said.text

    desktop.run(main)
    assert [spec.id for spec in load_fleet(path)[0]] == ["kept"]
    assert Settings(desktop.store).fleet_file == str(path)


def test_what_was_added_without_a_fleet_file_is_there_the_next_time_until_it_is_removed(desktop: Desktop) -> None:
    async def add() -> None:
        async with desktop.console() as console:
            console.commands.add_device(console.window_actions.controllers.fleet.added(make_device(FLEETING)))
            await console.commands.answered()

    async def remove() -> None:
        async with desktop.console() as console:
            console.window_actions.controllers.fleet.begin()
            await console.window_actions.controllers.fleet.settled()
            assert orchestrator_of(console).fleet.device("dev2").slots == 3
            assert console.strip.shown is None
            await orchestrator_of(console).fleet.remove("dev2")

    async def find_none() -> None:
        async with desktop.console() as console:
            console.window_actions.controllers.fleet.begin()
            await console.window_actions.controllers.fleet.settled()
            assert not console.bridge.fleet.devices
            assert console.strip.shown is None

    for session in (add, remove, find_none):
        desktop.run(session)
    assert Settings(desktop.store).fleet_file == ""
    assert not kept_path().exists()


def test_what_another_console_keeps_meanwhile_stays_when_this_one_keeps_its_own(
    desktop: Desktop,
) -> None:
    other = DeviceSpec(id="zeta", slots=3)

    async def add_beside() -> None:
        async with desktop.console() as console:
            console.commands.add_device(console.window_actions.controllers.fleet.added(make_device(FLEETING)))
            await console.commands.answered()
            await console.window_actions.controllers.fleet.settled()
            save_fleet((*load_fleet(kept_path())[0], other), kept_path())

    async def remove() -> None:
        async with desktop.console() as console:
            console.window_actions.controllers.fleet.begin()
            await console.window_actions.controllers.fleet.settled()
            assert set(console.bridge.fleet.devices) == {"dev2", "zeta"}
            save_fleet((*load_fleet(kept_path())[0], replace(other, id="eta")), kept_path())
            await orchestrator_of(console).fleet.remove("dev2")

    desktop.run(add_beside)
    assert {spec.id for spec in load_fleet(kept_path())[0]} == {"dev2", "zeta"}
    desktop.run(remove)
    assert {spec.id for spec in load_fleet(kept_path())[0]} == {"zeta", "eta"}


def test_a_device_that_joined_by_itself_is_there_the_next_time_beside_one_that_was_added(desktop: Desktop) -> None:
    async def use_both() -> None:
        async with desktop.console() as console:
            await console.starter.start(meant(seconds=0), None, "")
            console.commands.do(c.SetSlots(device_id="local", slots=7))
            console.commands.add_device(console.window_actions.controllers.fleet.added(make_device(FLEETING)))
            await console.commands.answered()
            assert set(console.bridge.fleet.devices) == {"local", "dev2"}

    async def find_both() -> None:
        async with desktop.console() as console:
            console.carried_over.tell()
            assert not said(console), "no device is there yet"
            console.window_actions.controllers.fleet.begin()
            await console.window_actions.controllers.fleet.settled()
            assert set(console.bridge.fleet.devices) == {"local", "dev2"}
            assert console.bridge.fleet.devices["local"].offered == 7
            await until(lambda: "with other slots: local" in said(console))

    desktop.run(use_both)
    desktop.run(find_both)


def test_a_device_that_joined_by_itself_leaves_for_one_of_its_name_that_a_plan_lists(desktop: Desktop) -> None:
    async def main() -> None:
        async with desktop.console() as console:
            run = orchestrator_of(console).run(await console.starter.start(meant(seconds=0), None, ""))
            await run.finished()
            listed = replace(meant(seconds=0), devices=(DeviceSpec(id="local", slots=1),))
            await console.starter.start(listed, None, "")
            assert orchestrator_of(console).fleet.device("local").slots == 1

    desktop.run(main)
    assert not kept_path().exists(), "the other one is its plan's"


def test_what_is_added_to_a_fleet_of_a_file_is_said_to_go_and_the_file_stays(desktop: Desktop, tmp_path: Path) -> None:
    path = tmp_path / "fleet.yaml"
    path.write_text(FLEET)

    async def main() -> None:
        async with desktop.console() as console:
            await opened_file(console, path)
            console.commands.add_device(console.window_actions.controllers.fleet.added(make_device(FLEETING)))
            await console.commands.answered()
            assert console.strip.shown is not None
            assert console.strip.shown.what == "dev2 is not in fleet.yaml"

    desktop.run(main)
    assert path.read_text() == FLEET


def test_what_is_removed_and_stands_in_the_file_is_said_to_come_back(desktop: Desktop, tmp_path: Path) -> None:
    path = tmp_path / "fleet.yaml"
    path.write_text(FLEET)

    async def main() -> None:
        async with desktop.console() as console:
            await opened_file(console, path)
            fleet_file = console.window_actions.controllers.fleet
            console.commands.add_device(fleet_file.noted(make_device(DeviceSpec(id="extra", kind="simulated"))))
            await console.commands.answered()
            for id, comes_back in (("extra", False), ("bench", True)):
                console.commands.do(c.RemoveDevice(device_id=id))
                await console.commands.answered()
                said = console.strip.shown
                assert said is not None
                assert f"{id} was removed from the fleet." in said.text
                assert (f"It is still in {path.name}, and back the next time" in said.text) is comes_back

    desktop.run(main)


def test_a_bad_file_is_told_in_sentences_and_changes_nothing(desktop: Desktop, tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(
        "starloom: 1\ndevices:\n- {id: a, kind: ssh}\n- {id: b, kind: simulated, sped: 2}\n- {id: c, kind: simulated}\n"
    )

    async def main() -> None:
        async with desktop.console() as console:
            await opened_file(console, path)
            (dialog,) = problems(console)
            told = dialog.rows.said()
            assert "Device 'a' of kind ssh needs the option 'host'." in told
            assert "Device 'b' of kind simulated has no option 'sped'." in told
            assert not console.bridge.fleet.devices
            assert Settings(desktop.store).fleet_file == ""
            dialog.close()
            console.window_actions.controllers.fleet.open(tmp_path / "none.yaml")
            await console.window_actions.controllers.fleet.settled()
            assert problems(console)
            for one in problems(console):
                one.close()

    desktop.run(main)


def test_a_device_that_differs_from_one_of_its_name_is_said_in_the_strip(desktop: Desktop, tmp_path: Path) -> None:
    path = tmp_path / "fleet.yaml"
    path.write_text(FLEET)

    async def main() -> None:
        async with desktop.console() as console:
            await orchestrator_of(console).fleet.add(make_device(DeviceSpec(id="here", kind="simulated")))
            await opened_file(console, path)
            assert console.strip.shown is not None
            assert "two different devices 'here'" in console.strip.shown.reason
            assert list(console.bridge.fleet.devices) == ["here"]
            assert not console.window_actions.controllers.fleet.can_save().ok

    desktop.run(main)


def test_the_command_line_names_the_fleet_to_begin_with(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, object] = {}

    def live(*_: object, **given: object) -> None:
        asked.update(given)

    monkeypatch.setattr(first_sight, "live", live)
    monkeypatch.setattr(first_sight, "new_application", lambda *_: None)
    monkeypatch.setattr(event_loop, "run", lambda _: None)
    assert first_sight.main(["--fleet=lab.yaml", "--", "a.yaml"]) == 0
    assert asked == {"files": ["a.yaml"], "fleet": "lab.yaml", "demo": False, "attachments": []}
    assert first_sight.main(["--attach=ada@lab", "--as=eve", "--watch", "--attach=here", "--", "a.yaml"]) == 0
    assert asked["attachments"] == [Attachment("ada@lab", "eve", watches=True), Attachment("here", "eve", watches=True)]
    for other in ("--fleet=lab.yaml", "--demo"):
        with pytest.raises(SystemExit):
            first_sight.main(["--attach=ada@lab", other])
