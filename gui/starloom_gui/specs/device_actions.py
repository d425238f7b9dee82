"""The actions of devices and limits."""

from __future__ import annotations

from typing import Final

from starloom.scheduling import commands as c
from starloom_gui.specs.action_spec import About, ActionSpec, Menu, Verb
from starloom_gui.text.words import translate
from starloom_gui.theme.icons import Icon

DEVICE_ACTIONS: Final = (
    ActionSpec(
        "add_device",
        lambda: translate("Actions", "Add device…"),
        lambda: translate("Actions", "Put another device into the fleet"),
        Icon.ADD,
        word=lambda: translate("Words", "Add device"),
        command=c.AddDevice,
        menus={Menu.DEVICES: 1},
    ),
    ActionSpec(
        Verb.DRAIN,
        lambda: translate("Words", "Drain"),
        lambda: translate("Actions", "Give it no new tasks; what runs there goes on"),
        Icon.DRAIN,
        about=About.DEVICE,
        command=c.DrainDevice,
        menus={Menu.DEVICES: 2},
    ),
    ActionSpec(
        Verb.UNDRAIN,
        lambda: translate("Words", "Stop draining"),
        lambda: translate("Actions", "Give it tasks again"),
        Icon.RESUME,
        about=About.DEVICE,
        command=c.ResumeDevice,
        menus={Menu.DEVICES: 2},
    ),
    ActionSpec(
        Verb.ENABLE,
        lambda: translate("Words", "Enable"),
        lambda: translate("Actions", "Let it be used again"),
        Icon.ENABLE,
        about=About.DEVICE,
        command=c.EnableDevice,
        menus={Menu.DEVICES: 2},
    ),
    ActionSpec(
        Verb.DISABLE,
        lambda: translate("Words", "Disable"),
        lambda: translate("Actions", "Switch it off for new tasks"),
        Icon.DISABLE,
        about=About.DEVICE,
        command=c.DisableDevice,
        menus={Menu.DEVICES: 2},
    ),
    ActionSpec(
        Verb.TRY_AGAIN,
        lambda: translate("Words", "Try again now"),
        lambda: translate("Actions", "Suspend it no longer, and reach for it now if it is not connected"),
        Icon.RETRY,
        about=About.DEVICE,
        command=c.TryDeviceAgain,
        menus={Menu.DEVICES: 3},
    ),
    ActionSpec(
        Verb.SET_SLOTS,
        lambda: translate("Actions", "Set slots…"),
        lambda: translate("Actions", "How many tasks it runs at once"),
        Icon.SETTINGS,
        word=lambda: translate("Words", "Set slots"),
        about=About.DEVICE,
        command=c.SetSlots,
        given={"slots": 1},
        is_chosen_first=True,
        menus={Menu.DEVICES: 3},
    ),
    ActionSpec(
        "change_device",
        lambda: translate("Actions", "Change device…"),
        lambda: translate("Actions", "Its address, capabilities and other options; nothing may run on it meanwhile"),
        Icon.EDIT,
        menus={Menu.DEVICES: 3},
    ),
    ActionSpec(
        Verb.REMOVE_DEVICE,
        lambda: translate("Words", "Remove device"),
        lambda: translate("Actions", "Take it out of the fleet"),
        Icon.REMOVE,
        about=About.DEVICE,
        command=c.RemoveDevice,
        menus={Menu.DEVICES: 4},
    ),
    ActionSpec(
        "limit",
        lambda: translate("Actions", "Limit running tasks…"),
        lambda: translate("Actions", "How many tasks of this run, and of all runs, may run at once"),
        Icon.SETTINGS,
        keys=("Ctrl+Shift+L",),
        menus={Menu.RUN: 4},
    ),
    ActionSpec(
        Verb.LIMIT_RUN,
        lambda: translate("Words", "Limit run"),
        about=About.RUN,
        command=c.SetRunLimit,
        given={"max_concurrency": None},
    ),
    ActionSpec(
        Verb.SET_LIMITS,
        lambda: translate("Words", "Change limits"),
        about=About.FLEET,
        command=c.SetLimits,
    ),
    ActionSpec(
        "with_reason",
        lambda: translate("Actions", "Do with a reason…"),
        lambda: translate("Actions", "Hold, cancel, drain or the like, and say why: Events and reports keep it"),
        menus={Menu.RUN: 3, Menu.TASKS: 3, Menu.DEVICES: 2},
    ),
)
