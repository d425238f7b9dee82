"""The actions that reserve a run, a device or the fleet, give it back, and break a reservation of somebody else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom.scheduling.reservation_commands import BreakReservation, ReleaseReservation, Reserve
from starloom_gui.specs.action_spec import About, ActionSpec, Menu, Verb
from starloom_gui.text.words import translate
from starloom_gui.theme.icons import Icon

if TYPE_CHECKING:
    from collections.abc import Callable

USUAL_TIME: Final = 2 * 3600.0
"""Seconds for which something is reserved unless somebody says otherwise."""
_PLACEHOLDER: Final = "?"
"""Stands for the reason that is asked for before the command is sent."""


def _actions(
    about: About, menu: Menu, verbs: tuple[Verb, Verb, Verb], tips: tuple[Callable[[], str], ...]
) -> tuple[ActionSpec, ...]:
    reserve, end, break_it = verbs
    return (
        ActionSpec(
            reserve,
            lambda: translate("Actions", "Reserve…"),
            tips[0],
            Icon.KEY,
            word=lambda: translate("Words", "Reserve"),
            about=about,
            command=Reserve,
            given={"reason": _PLACEHOLDER, "seconds": USUAL_TIME},
            is_chosen_first=True,
            also=lambda: translate("Actions", "key claim book"),
            menus={menu: 1},
        ),
        ActionSpec(
            end,
            lambda: translate("Actions", "End my reservation"),
            tips[1],
            Icon.KEY_BACK,
            word=lambda: translate("Words", "End reservation"),
            about=about,
            command=ReleaseReservation,
            also=lambda: translate("Actions", "release give back"),
            menus={menu: 1},
        ),
        ActionSpec(
            break_it,
            lambda: translate("Actions", "Break reservation…"),
            lambda: translate("Actions", "End a reservation of somebody else, and say why: events and reports tell it"),
            Icon.KEY_BROKEN,
            word=lambda: translate("Words", "Break reservation"),
            about=about,
            command=BreakReservation,
            given={"reason": _PLACEHOLDER},
            is_chosen_first=True,
            menus={menu: 1},
        ),
    )


RESERVATION_ACTIONS: Final = (
    *_actions(
        About.RUN,
        Menu.RUN_RESERVATION,
        (Verb.RESERVE_RUN, Verb.END_RUN_RESERVATION, Verb.BREAK_RUN_RESERVATION),
        (
            lambda: translate("Actions", "Keep others and agents from changing the run for a time; its tasks go on"),
            lambda: translate("Actions", "Let others and agents change the run again"),
        ),
    ),
    *_actions(
        About.DEVICE,
        Menu.DEVICE_RESERVATION,
        (Verb.RESERVE_DEVICE, Verb.END_DEVICE_RESERVATION, Verb.BREAK_DEVICE_RESERVATION),
        (
            lambda: translate(
                "Actions",
                "Keep others from changing the device for a time; it starts no task, and what runs there goes on",
            ),
            lambda: translate("Actions", "Let the device start tasks, and others change it, again"),
        ),
    ),
    *_actions(
        About.FLEET,
        Menu.FLEET_RESERVATION,
        (Verb.RESERVE_FLEET, Verb.END_FLEET_RESERVATION, Verb.BREAK_FLEET_RESERVATION),
        (
            lambda: translate("Actions", "Keep others from changing limits and devices for a time; tasks go on"),
            lambda: translate("Actions", "Let others change limits and devices again"),
        ),
    ),
)
