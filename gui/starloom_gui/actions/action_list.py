"""Every verb of the window as data: its words, icon, and the command it comes to."""

from __future__ import annotations

from typing import Any

from starloom.model.status import TaskStatus
from starloom_gui.actions.action_spec import ActionSpec
from starloom_gui.actions.arrange_actions import arrange_entries
from starloom_gui.actions.compare_actions import compare_entries
from starloom_gui.actions.graph_actions import graph_entries
from starloom_gui.actions.stop_actions import stop_entries
from starloom_gui.actions.time_travel_actions import time_entries
from starloom_gui.gateway.verbs import Verb
from starloom_gui.text.words import priority_word, translate, verb_word
from starloom_gui.theme.icons import Verb as Icon


def entries() -> list[ActionSpec]:
    """All verbs, in the language that holds now."""
    return [
        *_files(),
        *_kept_runs(),
        *_editing(),
        *graph_entries(),
        *_runs(),
        *time_entries(),
        *compare_entries(),
        *_tasks(),
        *stop_entries(),
        *_priorities(),
        *_devices(),
        *_view(),
        *arrange_entries(),
        *_window(),
        *_help(),
    ]


def _files() -> list[ActionSpec]:
    return [
        ActionSpec("new", translate("Actions", "New plan"), translate("Actions", "Begin an empty plan")),
        ActionSpec("open", translate("Actions", "Open…"), translate("Actions", "Open a plan"), Icon.OPEN),
        ActionSpec("save", translate("Actions", "Save"), translate("Actions", "Save the plan"), Icon.SAVE),
        ActionSpec(
            "save_as",
            translate("Actions", "Save as…"),
            translate("Actions", "Save the plan in another file, in the format its ending names"),
        ),
        ActionSpec(
            "save_run_as_plan",
            translate("Actions", "Save run's graph as plan…"),
            translate("Actions", "Make a plan of the graph as the run has it now"),
        ),
        ActionSpec(
            "apply_to_plan",
            translate("Actions", "Apply to plan"),
            translate("Actions", "Carry the run's edits back to its plan"),
        ),
        ActionSpec(
            "export",
            translate("Actions", "Export…"),
            translate("Actions", "Write what the run has come to into a file: a report, tables, pictures"),
        ),
        ActionSpec(
            "open_fleet",
            translate("Actions", "Open fleet…"),
            translate("Actions", "Put the devices of a fleet file into the fleet, and begin with them next time"),
        ),
        ActionSpec(
            "save_fleet",
            translate("Actions", "Save fleet as…"),
            translate("Actions", "Write the devices you added into a fleet file, and begin with them next time"),
        ),
        ActionSpec(
            "close_tab",
            translate("Actions", "Close tab"),
            translate("Actions", "Close this plan or run; a run goes on"),
            Icon.CLOSE,
        ),
        ActionSpec(
            "demo", translate("Actions", "Run demo"), translate("Actions", "Run the demo, about a minute"), Icon.RUN
        ),
        ActionSpec("quit", translate("Actions", "Quit"), translate("Actions", "Close the console")),
    ]


def _kept_runs() -> list[ActionSpec]:
    return [
        ActionSpec(
            "resume_runs",
            translate("Actions", "Interrupted runs…"),
            translate("Actions", "Go on with runs that an earlier program left behind"),
        ),
        ActionSpec(
            "history",
            translate("Actions", "History…"),
            translate("Actions", "All runs of the journal: open, compare sizes, tidy up"),
            Icon.TIMES,
        ),
    ]


def _editing() -> list[ActionSpec]:
    return [
        ActionSpec(
            "undo",
            translate("Actions", "Undo"),
            translate("Actions", "Take back the last edit"),
            Icon.UNDO,
        ),
        ActionSpec(
            "redo",
            translate("Actions", "Redo"),
            translate("Actions", "Make the edit again"),
            Icon.REDO,
        ),
        ActionSpec(
            "live",
            translate("Actions", "Live"),
            translate("Actions", "Edits take effect at once"),
            checkable=True,
        ),
        ActionSpec(
            "staged",
            translate("Actions", "Staged"),
            translate("Actions", "Gather edits and commit them together"),
            checkable=True,
        ),
        ActionSpec(
            "commit",
            translate("Actions", "Commit staged changes"),
            translate("Actions", "Apply all staged changes at once"),
        ),
        ActionSpec(
            "find",
            translate("Actions", "Find a task"),
            translate("Actions", "Look for a task by name"),
            Icon.SEARCH,
        ),
    ]


def _runs() -> list[ActionSpec]:
    def of(verb: Verb, text: str, tip: str, icon: Icon | None, **given: Any) -> ActionSpec:
        return ActionSpec(verb.value, text, tip, icon, verb, given)

    return [
        of(
            Verb.START,
            translate("Actions", "Start"),
            translate("Actions", "Start the run"),
            Icon.START,
        ),
        of(
            Verb.PAUSE,
            translate("Actions", "Pause"),
            translate("Actions", "Start nothing more; what runs goes on"),
            Icon.PAUSE,
        ),
        of(
            Verb.RESUME,
            translate("Actions", "Resume"),
            translate("Actions", "Start tasks again"),
            Icon.RESUME,
        ),
        of(
            Verb.CANCEL_RUN,
            translate("Actions", "Cancel run"),
            translate("Actions", "Cancel everything that has not ended"),
            Icon.CANCEL,
        ),
        ActionSpec(
            "retry_failed",
            translate("Actions", "Retry failed"),
            translate("Actions", "Run all failed tasks again"),
            Icon.RETRY,
            Verb.RETRY,
        ),
        ActionSpec(
            "attach_agent",
            translate("Actions", "Attach agent…"),
            translate("Actions", "Let an agent edit the run as its tasks end"),
            Icon.AGENT,
        ),
        ActionSpec(
            "limit",
            translate("Actions", "Limit running tasks…"),
            translate("Actions", "How many tasks of this run, and of all runs, may run at once"),
            Icon.SETTINGS,
        ),
    ]


def _tasks() -> list[ActionSpec]:
    def of(verb: Verb, tip: str, icon: Icon | None, **given: Any) -> ActionSpec:
        return ActionSpec(verb.value, verb_word(verb), tip, icon, verb, given)

    return [
        of(Verb.RETRY, translate("Actions", "Run them again"), Icon.RETRY),
        of(
            Verb.CANCEL,
            translate("Actions", "Cancel them; running ones are stopped"),
            Icon.CANCEL,
        ),
        of(Verb.HOLD, translate("Actions", "Do not start them until released"), Icon.HOLD),
        of(Verb.RELEASE, translate("Actions", "Let held tasks start"), Icon.RELEASE),
        of(
            Verb.SKIP,
            translate("Actions", "Run neither them nor what needs their success"),
            Icon.SKIP,
        ),
        ActionSpec(
            "mark_done",
            translate("Actions", "Mark as done"),
            translate("Actions", "Count them as done without running them"),
            Icon.MARK_DONE,
            verb=Verb.MARK,
            given={"status": TaskStatus.COMPLETED},
        ),
        of(Verb.RERUN, translate("Actions", "Run it and everything behind it again"), Icon.RERUN),
        ActionSpec(
            "pin",
            translate("Actions", "Pin to device…"),
            translate("Actions", "Run them on one device only"),
            Icon.PIN,
        ),
        ActionSpec(
            "unpin",
            translate("Actions", "Unpin"),
            translate("Actions", "Let them run wherever their fields allow"),
            Icon.UNPIN,
            verb=Verb.PIN,
            given={"device_id": None},
        ),
        ActionSpec(
            "with_reason",
            translate("Actions", "Do with a reason…"),
            translate("Actions", "Hold, cancel, drain or the like, and say why: Events and reports keep it"),
        ),
    ]


def _priorities() -> list[ActionSpec]:
    tip = translate("Actions", "Change the priority of the selected tasks")
    names = {"critical": 100, "high": 80, "normal": 50, "low": 20, "background": 0}
    return [
        ActionSpec(f"priority_{name}", priority_word(value), tip, verb=Verb.PRIORITISE, given={"priority": name})
        for name, value in names.items()
    ]


def _devices() -> list[ActionSpec]:
    def of(verb: Verb, tip: str, icon: Icon) -> ActionSpec:
        return ActionSpec(verb.value, verb_word(verb), tip, icon, verb=verb)

    return [
        ActionSpec(
            "add_device",
            translate("Actions", "Add device…"),
            translate("Actions", "Put another device into the fleet"),
            Icon.ADD,
        ),
        of(
            Verb.DRAIN,
            translate("Actions", "Give it no new tasks; what runs there goes on"),
            Icon.DRAIN,
        ),
        of(Verb.UNDRAIN, translate("Actions", "Give it tasks again"), Icon.RESUME),
        of(Verb.ENABLE, translate("Actions", "Let it be used again"), Icon.ENABLE),
        of(Verb.DISABLE, translate("Actions", "Switch it off for new tasks"), Icon.DISABLE),
        of(
            Verb.TRY_AGAIN,
            translate("Actions", "Suspend it no longer, and reach for it now if it is not connected"),
            Icon.RETRY,
        ),
        ActionSpec(
            "set_slots",
            translate("Actions", "Set slots…"),
            translate("Actions", "How many tasks it runs at once"),
            Icon.SETTINGS,
        ),
        of(Verb.REMOVE_DEVICE, translate("Actions", "Take it out of the fleet"), Icon.REMOVE),
    ]


def _view() -> list[ActionSpec]:
    return [
        ActionSpec(
            "critical_path",
            translate("Actions", "Critical path"),
            translate("Actions", "Show what decides the end"),
            Icon.CRITICAL_PATH,
            checkable=True,
        ),
        ActionSpec(
            "filter",
            translate("Actions", "Filter"),
            translate("Actions", "Show some tasks only, by status, device or limit group"),
            Icon.FILTER,
            checkable=True,
        ),
        ActionSpec(
            "fit",
            translate("Actions", "Fit"),
            translate("Actions", "Show the whole graph"),
            Icon.FIT,
        ),
        ActionSpec(
            "zoom_in",
            translate("Actions", "Larger"),
            translate("Actions", "Enlarge the graph"),
            Icon.ZOOM_IN,
        ),
        ActionSpec(
            "zoom_out",
            translate("Actions", "Smaller"),
            translate("Actions", "Show more of the graph"),
            Icon.ZOOM_OUT,
        ),
    ]


def _window() -> list[ActionSpec]:
    return [
        ActionSpec(
            "reset_layout",
            translate("Actions", "Reset layout"),
            translate("Actions", "Put every pane back in its first place"),
        ),
        ActionSpec(
            "reduced_motion",
            translate("Actions", "Reduced motion"),
            translate("Actions", "Let nothing move or fade"),
            checkable=True,
        ),
        ActionSpec(
            "notifications",
            translate("Actions", "Notifications"),
            translate("Actions", "List what failed, ended or got stuck"),
        ),
        ActionSpec(
            "health",
            translate("Actions", "Performance figures"),
            translate("Actions", "Show in the status bar how the console keeps up with what happens"),
            checkable=True,
        ),
        ActionSpec(
            "utc",
            translate("Actions", "Times in UTC"),
            translate("Actions", "Show times as a clock in Greenwich without summer time would"),
            checkable=True,
        ),
    ]


def _help() -> list[ActionSpec]:
    return [
        ActionSpec(
            "commands",
            translate("Actions", "Commands…"),
            translate("Actions", "Find any command by its name"),
            Icon.SEARCH,
        ),
        ActionSpec(
            "shortcuts",
            translate("Actions", "Keyboard…"),
            translate("Actions", "Show all keys"),
        ),
        ActionSpec(
            "about",
            translate("Actions", "About Starloom"),
            translate("Actions", "Which version this is"),
            Icon.HELP,
        ),
    ]
