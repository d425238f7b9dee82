"""The actions of files, of kept runs and of editing."""

from __future__ import annotations

from typing import Final

from starloom.scheduling import commands as c
from starloom_gui.specs.action_spec import ActionSpec, Menu
from starloom_gui.specs.plan_commands import SetPlanGroupLimit
from starloom_gui.text.words import translate
from starloom_gui.theme.icons import Icon

PLAN_ACTIONS: Final = (
    ActionSpec(
        "demo",
        lambda: translate("Actions", "Run demo"),
        lambda: translate("Actions", "Run the demo, about a minute"),
        Icon.RUN,
        menus={Menu.FILE: 1},
    ),
    ActionSpec(
        "new",
        lambda: translate("Actions", "New plan"),
        lambda: translate("Actions", "Begin an empty plan"),
        keys=("Ctrl+N",),
        menus={Menu.FILE: 2},
    ),
    ActionSpec(
        "open",
        lambda: translate("Actions", "Open…"),
        lambda: translate("Actions", "Open a plan"),
        Icon.OPEN,
        keys=("Ctrl+O",),
        menus={Menu.FILE: 2},
    ),
    ActionSpec(
        "save",
        lambda: translate("Actions", "Save"),
        lambda: translate("Actions", "Save the plan"),
        Icon.SAVE,
        keys=("Ctrl+S",),
        menus={Menu.FILE: 2},
    ),
    ActionSpec(
        "save_as",
        lambda: translate("Actions", "Save as…"),
        lambda: translate("Actions", "Save the plan in another file, in the format its ending names"),
        keys=("Ctrl+Shift+S",),
        menus={Menu.FILE: 2},
    ),
    ActionSpec(
        "reload",
        lambda: translate("Actions", "Reload"),
        lambda: translate("Actions", "Read the plan's file again, as another program may have changed it"),
        also=lambda: translate("Actions", "refresh disk changed"),
        menus={Menu.FILE: 2},
    ),
    ActionSpec(
        "plan_properties",
        lambda: translate("Actions", "Plan properties…"),
        lambda: translate("Actions", "Change what the plan says besides its tasks: limits, defaults, devices, rules"),
        keys=("Alt+Return", "Alt+Enter"),
        also=lambda: translate("Actions", "description metadata fence placement notes overdue"),
        menus={Menu.FILE: 2},
    ),
    ActionSpec(
        "save_run_as_plan",
        lambda: translate("Actions", "Save run's graph as plan"),
        lambda: translate("Actions", "Make a plan of the graph as the run has it now"),
        menus={Menu.FILE: 3},
    ),
    ActionSpec(
        "compare_plan",
        lambda: translate("Actions", "Compare with plan"),
        lambda: translate("Actions", "Show what the run's graph has and its plan has not, and the other way round"),
        checkable=True,
        keys=("Ctrl+Alt+P",),
        menus={Menu.FILE: 3},
    ),
    ActionSpec(
        "apply_to_plan",
        lambda: translate("Actions", "Apply to plan"),
        lambda: translate("Actions", "Carry the run's edits back to its plan"),
        menus={Menu.FILE: 3},
    ),
    ActionSpec(
        "export",
        lambda: translate("Actions", "Export…"),
        lambda: translate("Actions", "Write what the run has come to into a file: a report, tables, pictures"),
        keys=("Ctrl+Shift+R",),
        menus={Menu.FILE: 4},
    ),
    ActionSpec(
        "history",
        lambda: translate("Actions", "History…"),
        lambda: translate("Actions", "All runs of the journal: open, compare sizes, tidy up"),
        Icon.TIMES,
        keys=("Ctrl+Shift+H",),
        menus={Menu.FILE: 4},
    ),
    ActionSpec(
        "resume_runs",
        lambda: translate("Actions", "Interrupted runs…"),
        lambda: translate("Actions", "Go on with runs that an earlier program left behind"),
        menus={Menu.FILE: 4},
    ),
    ActionSpec(
        "connect_server",
        lambda: translate("Actions", "Connect…"),
        lambda: translate("Actions", "Show the engine of a server, here or on another machine, in a tab or a window"),
        menus={Menu.FILE: 5},
    ),
    ActionSpec(
        "disconnect",
        lambda: translate("Actions", "Disconnect"),
        lambda: translate("Actions", "Show the engine of this server no more; its runs go on"),
        menus={Menu.FILE: 5},
    ),
    ActionSpec(
        "open_fleet",
        lambda: translate("Actions", "Open fleet…"),
        lambda: translate("Actions", "Put the devices of a fleet file into the fleet, and begin with them next time"),
        menus={Menu.FILE: 5},
    ),
    ActionSpec(
        "save_fleet",
        lambda: translate("Actions", "Save fleet as…"),
        lambda: translate("Actions", "Write the devices you added into a fleet file, and begin with them next time"),
        menus={Menu.FILE: 5},
    ),
    ActionSpec(
        "next_tab",
        lambda: translate("Actions", "Next tab"),
        lambda: translate("Actions", "Show the plan or run in the next tab"),
        None,
        keys=("Ctrl+PgDown", "Ctrl+Tab"),
        menus={Menu.WINDOW: 2},
    ),
    ActionSpec(
        "previous_tab",
        lambda: translate("Actions", "Previous tab"),
        lambda: translate("Actions", "Show the plan or run in the tab before"),
        None,
        keys=("Ctrl+PgUp", "Ctrl+Shift+Tab"),
        menus={Menu.WINDOW: 2},
    ),
    ActionSpec(
        "next_engine",
        lambda: translate("Actions", "Next engine"),
        lambda: translate("Actions", "Show the next engine of those that this window is connected to"),
        None,
        keys=("Ctrl+Alt+PgDown",),
        menus={Menu.WINDOW: 2},
    ),
    ActionSpec(
        "previous_engine",
        lambda: translate("Actions", "Previous engine"),
        lambda: translate("Actions", "Show the engine before of those that this window is connected to"),
        None,
        keys=("Ctrl+Alt+PgUp",),
        menus={Menu.WINDOW: 2},
    ),
    ActionSpec(
        "close_tab",
        lambda: translate("Actions", "Close tab"),
        lambda: translate("Actions", "Close this plan or run; a run goes on"),
        Icon.CLOSE,
        keys=("Ctrl+W",),
        menus={Menu.FILE: 6},
    ),
    ActionSpec(
        "quit",
        lambda: translate("Actions", "Quit"),
        lambda: translate("Actions", "Close the console"),
        keys=("Ctrl+Q",),
        menus={Menu.FILE: 6},
    ),
    ActionSpec(
        "undo",
        lambda: translate("Actions", "Undo"),
        lambda: translate("Actions", "Take back the last edit"),
        Icon.UNDO,
        keys=("Ctrl+Z",),
        menus={Menu.EDIT: 1},
    ),
    ActionSpec(
        "redo",
        lambda: translate("Actions", "Redo"),
        lambda: translate("Actions", "Make the edit again"),
        Icon.REDO,
        keys=("Ctrl+Shift+Z", "Ctrl+Y"),
        menus={Menu.EDIT: 1},
    ),
    ActionSpec(
        "cut",
        lambda: translate("Actions", "Cut"),
        lambda: translate("Actions", "Copy what is selected and remove it"),
        menus={Menu.EDIT: 2},
    ),
    ActionSpec(
        "copy",
        lambda: translate("Actions", "Copy"),
        lambda: translate("Actions", "Copy the selected tasks with the dependencies between them; in a field its text"),
        menus={Menu.EDIT: 2},
    ),
    ActionSpec(
        "paste",
        lambda: translate("Actions", "Paste"),
        lambda: translate("Actions", "Put in what was copied; in a run, copies wait for what their originals wait for"),
        menus={Menu.EDIT: 2},
    ),
    ActionSpec(
        "paste_with_outside",
        lambda: translate("Actions", "Paste with outside dependencies"),
        lambda: translate("Actions", "Put in copied tasks, and connect them to the tasks that those were connected to"),
        menus={Menu.EDIT: 2},
    ),
    ActionSpec(
        "duplicate",
        lambda: translate("Actions", "Duplicate"),
        lambda: translate(
            "Actions", "Add the selected tasks once more; in a run, copies wait for what their originals wait for"
        ),
        menus={Menu.EDIT: 2},
    ),
    ActionSpec(
        "select_all",
        lambda: translate("Actions", "Select all"),
        lambda: translate("Actions", "Select every task; in a field all its text"),
        menus={Menu.EDIT: 2},
    ),
    ActionSpec(
        "add_task",
        lambda: translate("Actions", "Add task…"),
        lambda: translate("Actions", "Write a new task: behind the selected one, or into the selected dependency"),
        Icon.ADD,
        also=lambda: translate("Actions", "new create insert node step job"),
        menus={Menu.EDIT: 3},
    ),
    ActionSpec(
        "live",
        lambda: translate("Actions", "Live"),
        lambda: translate("Actions", "Edits take effect at once"),
        checkable=True,
        menus={Menu.EDIT: 4},
    ),
    ActionSpec(
        "staged",
        lambda: translate("Actions", "Staged"),
        lambda: translate("Actions", "Gather edits and commit them together"),
        checkable=True,
        menus={Menu.EDIT: 4},
    ),
    ActionSpec(
        "commit",
        lambda: translate("Actions", "Commit staged changes"),
        lambda: translate("Actions", "Apply all staged changes at once"),
        keys=(
            "Ctrl+Return",
            "Ctrl+Enter",
        ),
        menus={Menu.EDIT: 4},
    ),
    ActionSpec(
        "find",
        lambda: translate("Actions", "Find a task"),
        lambda: translate("Actions", "Look for a task by name"),
        Icon.SEARCH,
        keys=("Ctrl+F",),
        menus={Menu.EDIT: 5},
    ),
    ActionSpec(
        "replace",
        lambda: translate("Actions", "Find and replace…"),
        lambda: translate("Actions", "Find a text in commands, scripts and variables, and replace it in all of them"),
        Icon.EDIT,
        keys=("Ctrl+Alt+F",),
        menus={Menu.EDIT: 5},
    ),
    ActionSpec(
        "remove_redundant",
        lambda: translate("Actions", "Remove redundant dependencies"),
        lambda: translate(
            "Actions", "Remove dependencies that a path of others replaces; in a run they are staged first"
        ),
        Icon.REMOVE,
        menus={Menu.EDIT: 5},
    ),
    ActionSpec(
        "edit",
        lambda: translate("Words", "Edit"),
        command=c.EditConstellation,
    ),
    ActionSpec(
        "limit_group",
        lambda: translate("Words", "Limit group"),
        command=SetPlanGroupLimit,
    ),
)
