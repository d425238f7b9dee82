"""The list of all actions: their texts, icons, keys and menus, and the commands that they send."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from starloom_gui.specs.action_spec import Menu
from starloom_gui.specs.canvas_actions import CANVAS_ACTIONS
from starloom_gui.specs.device_actions import DEVICE_ACTIONS
from starloom_gui.specs.plan_actions import PLAN_ACTIONS
from starloom_gui.specs.reservation_actions import RESERVATION_ACTIONS
from starloom_gui.specs.run_actions import RUN_ACTIONS
from starloom_gui.specs.task_actions import TASK_ACTIONS
from starloom_gui.specs.view_actions import VIEW_ACTIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starloom.scheduling.commands import Command
    from starloom_gui.specs.action_spec import ActionSpec
    from starloom_gui.theme.icons import Icon

LINE: Final = ""
SUBMENUS: Final[Mapping[str | Menu, Mapping[Menu, int]]] = {
    Menu.PRIORITY: {Menu.TASKS: 3},
    Menu.ALONG: {Menu.TASKS: 4},
    Menu.ARRANGE: {Menu.CANVAS: 3},
    Menu.NOTES: {Menu.CANVAS: 3},
    Menu.RUN_RESERVATION: {Menu.RUN: 4},
    Menu.DEVICE_RESERVATION: {Menu.DEVICES: 5},
    Menu.FLEET_RESERVATION: {Menu.DEVICES: 5},
}
"""The menus that are in others, with the numbers of their sections there; they come first in these."""
ACTIONS: Final[Mapping[str, ActionSpec]] = {
    spec.key: spec
    for spec in (
        *PLAN_ACTIONS,
        *RUN_ACTIONS,
        *TASK_ACTIONS,
        *DEVICE_ACTIONS,
        *RESERVATION_ACTIONS,
        *CANVAS_ACTIONS,
        *VIEW_ACTIONS,
    )
}
"""In the order in which each section of a menu has them. A new action is one entry in the list of its subject."""
BY_COMMAND: Final[Mapping[type[Command], ActionSpec]] = {
    spec.command: spec for spec in ACTIONS.values() if spec.command is not None
}
"""Of commands that several actions come to, the last one."""


def word_of(key: str) -> str:
    """The name of an action outside of its menu, e.g. `Start run` where its menu has `Start`."""
    spec = ACTIONS[key]
    return (spec.word or spec.text)()


def icon_of(key: str) -> Icon:
    """The icon of an action; None: it has none."""
    found = ACTIONS[key].icon
    assert found is not None, f"{key} has no icon"
    return found


def rows_of(menu: Menu) -> tuple[str | Menu, ...]:
    """The keys of a menu's actions and the menus in it, with `LINE` between its sections."""
    sections: dict[int, list[str | Menu]] = {}
    placed: dict[str | Menu, Mapping[Menu, int]] = {**SUBMENUS, **{spec.key: spec.menus for spec in ACTIONS.values()}}
    for key, places in placed.items():
        if menu in places:
            sections.setdefault(places[menu], [LINE]).append(key)
    return tuple(chain.from_iterable(sections[number] for number in sorted(sections)))[1:]
