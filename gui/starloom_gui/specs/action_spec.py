"""Actions as data: name, icon, keys, menus, and the verb or command."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starloom.scheduling.commands import Command
    from starloom.scheduling.state.reservations import ReservationTarget
    from starloom_gui.theme.icons import Icon


class Verb(StrEnum):
    """The verbs of the engine's actions; the values are the keys of the actions."""

    START = "start"
    PAUSE = "pause"
    RESUME = "resume"
    CANCEL_RUN = "cancel_run"
    HOLD_OPEN = "hold_open"
    LIMIT_RUN = "limit_run"
    SET_FENCE = "set_fence"
    STEP = "step"
    RUN_ALL = "run_all"
    PAUSE_AGENT = "pause_agent"
    TRUST_AGENT = "trust_agent"
    RESUME_AGENT = "resume_agent"
    DETACH_AGENT = "detach_agent"
    ANSWER_APPROVAL = "answer_approval"
    ANSWER_GATE = "answer_gate"
    ANSWER_QUESTION = "answer_question"
    CANCEL = "cancel"
    HOLD = "hold"
    RELEASE = "release"
    RETRY = "retry"
    SKIP = "skip"
    MARK = "mark"
    RERUN = "rerun"
    PRIORITISE = "prioritise"
    PIN = "pin"
    SET_BREAKPOINT = "set_breakpoint"
    CLEAR_BREAKPOINT = "clear_breakpoint"
    RUN_UNTIL = "run_until"
    DRAIN = "drain"
    UNDRAIN = "undrain"
    ENABLE = "enable"
    DISABLE = "disable"
    TRY_AGAIN = "try_again"
    SET_SLOTS = "set_slots"
    REMOVE_DEVICE = "remove_device"
    SET_LIMITS = "set_limits"
    RESERVE_RUN = "reserve_run"
    END_RUN_RESERVATION = "end_run_reservation"
    BREAK_RUN_RESERVATION = "break_run_reservation"
    RESERVE_DEVICE = "reserve_device"
    END_DEVICE_RESERVATION = "end_device_reservation"
    BREAK_DEVICE_RESERVATION = "break_device_reservation"
    RESERVE_FLEET = "reserve_fleet"
    END_FLEET_RESERVATION = "end_fleet_reservation"
    BREAK_FLEET_RESERVATION = "break_fleet_reservation"


class About(Enum):
    """The kind of target that a verb needs, and so what has to be selected."""

    RUN = "run"
    TASKS = "tasks"
    TASK = "task"
    """One alone."""
    GATE = "gate"
    """One task of a run; answered for good, so no step of undo."""
    QUESTION = "question"
    """Several that are alike, too."""
    AGENT = "agent"
    APPROVAL = "approval"
    DEVICE = "device"
    FLEET = "fleet"


@dataclass(frozen=True, slots=True)
class Target:
    """The target of a verb: a run, some of its tasks, an agent, an approval or questions of it; or a device."""

    run_id: str = ""
    task_ids: tuple[str, ...] = ()
    device_id: str = ""
    agent: str = ""
    approval: int = 0
    questions: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an action is possible; if not, the reason and the remedy, as sentences.

    Attributes:
        caution: what is to be known before it is done, as a sentence; mostly empty.
        part: of how many selected tasks it is possible, if not of all.
        reserved: what somebody else has reserved, if it is refused for that alone.
        is_for_now: whether it is refused for what goes by: a lost connection, a halted engine, a reservation.
    """

    ok: bool
    reason: str = ""
    hint: str = ""
    caution: str = ""
    part: int | None = None
    reserved: ReservationTarget | None = None
    is_for_now: bool = False


class Menu(Enum):
    """A menu, or a part of one, that is made of actions."""

    FILE = "file"
    EDIT = "edit"
    RUN = "run"
    TASKS = "tasks"
    DEVICES = "devices"
    CANVAS = "canvas"
    """What the canvas shows, first in the menu of the view."""
    GROUND = "ground"
    """Of the canvas, at the pointer where nothing lies."""
    WINDOW = "window"
    LOOKS = "looks"
    HELP = "help"
    PRIORITY = "priority"
    ALONG = "along"
    ARRANGE = "arrange"
    NOTES = "notes"
    RUN_RESERVATION = "run_reservation"
    DEVICE_RESERVATION = "device_reservation"
    FLEET_RESERVATION = "fleet_reservation"


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """The specification of one action. An action that is in no menu is a pane's own.

    Attributes:
        key: its name in the program; a `Verb` if the engine is asked for it.
        text: gives what it is called.
        tip: gives what it does, as a sentence.
        icon: its shape.
        word: gives what it is called where its menu does not say what it is about; None: the same.
        about: what it is about, and so what has to be selected.
        command: the engine's command that it comes to.
        given: fields of that which are chosen already, or asked about where nobody has chosen yet.
        variant_of: the verb it is with fields that are given.
        is_chosen_first: whether the window asks for fields of the command before it asks the engine.
        checkable: whether it is on or off.
        also: gives other words that are typed to find it, with spaces between them.
        keys: of the window, as portable texts of Qt, the one to show first.
        menus: the menus it is in, with the number of its section there.
    """

    key: str
    text: Callable[[], str]
    tip: Callable[[], str] = str
    icon: Icon | None = None
    word: Callable[[], str] | None = None
    about: About | None = None
    command: type[Command] | None = None
    given: Mapping[str, Any] = field(default_factory=dict)
    variant_of: Verb | None = None
    is_chosen_first: bool = False
    checkable: bool = False
    also: Callable[[], str] = str
    keys: tuple[str, ...] = ()
    menus: Mapping[Menu, int] = field(default_factory=dict)

    @property
    def verb(self) -> Verb | None:
        """The verb of the engine that it triggers; None: the window does it, or asks first."""
        if self.is_chosen_first:
            return None
        return self.variant_of or (self.key if isinstance(self.key, Verb) else None)
