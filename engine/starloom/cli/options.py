"""Common options of the commands, and their exit from the program."""

# No `from __future__ import annotations`: typer reads the annotations when the program runs.
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final, NoReturn

import typer

from starloom.cli.screen import Screen
from starloom.errors import StarloomError

GOOD: Final = 0
FAILED: Final = 1
BAD_INPUT: Final = 2
INTERRUPTED: Final = 130

FleetOption = Annotated[Path | None, typer.Option(help="A file of devices and limits, over those of the plan.")]
ChangesOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="TASK.FIELD=VALUE", help="Change a task of the plan; can be given often."),
]
ConcurrencyOption = Annotated[int | None, typer.Option(metavar="N", help="Tasks at once on all devices.")]
PlacementOption = Annotated[
    str | None, typer.Option(metavar="S", help="round_robin, capability_match, load_balance or critical_path.")
]
OutputOption = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Keep the whole output of every attempt in files there.")
]
MetricsOption = Annotated[
    int | None,
    typer.Option(
        metavar="PORT", min=0, max=65_535, help="Serve metrics at that port of this computer; 0: at any free one."
    ),
]
JournalOption = Annotated[
    Path | None, typer.Option(metavar="DIR", help="The directory of the journals, else that among your data.")
]
DurabilityOption = Annotated[
    str,
    typer.Option(
        metavar="D", help="default: survives the program's death; full: also a power failure; off: nothing is kept."
    ),
]
ScaleOption = Annotated[
    float, typer.Option("--scale", metavar="X", min=1, max=8, help="Pixels for each unit of a PNG, 1 to 8.")
]
PlanArgument = Annotated[Path, typer.Argument(metavar="PLAN", help="The plan: YAML, JSON, WfFormat, UFO or DOT.")]
AgainOption = Annotated[
    str | None,
    typer.Option(metavar="TASKS", help="Of a salvaged run: what is done again of what is not known: all, none, a,b."),
]
RetryOption = Annotated[
    bool, typer.Option("--retry", help="Of a run that has ended: run again what failed or was cancelled.")
]
RerunFromOption = Annotated[
    str | None,
    typer.Option(metavar="TASK", help="Of a run that has ended: run this task again, and all after it."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the summary as one JSON object and nothing else.")]
AgentOption = Annotated[
    list[str] | None,
    typer.Option(
        "--agent",
        metavar="A",
        help="rules, python:module:function or llm:model@url; changes the plan as tasks end. In quotes with "
        "task=build-* status=failed when='…' it is asked about these alone; with scope=descendants, group:… or "
        "tasks:… it changes these alone; on_conflict=drop, replace or next_attempt says what becomes of its edits of "
        "tasks that have started, behind the fence optimistic.",
    ),
]
ApproveOption = Annotated[
    str, typer.Option("--approve", metavar="H", help="ask: somebody approves of each change; auto: nobody has to.")
]
GatesOption = Annotated[
    str,
    typer.Option(
        "--gates",
        metavar="H",
        help="ask: gates are answered at the prompt; approve or reject: all are. reject: so is what running tasks ask.",
    ),
]
FenceOption = Annotated[
    str | None,
    typer.Option(
        "--fence", metavar="F", help="What waits while agents think: global, descendants, scope, optimistic or none."
    ),
]
PatienceOption = Annotated[
    str | None,
    typer.Option(
        "--modification-timeout", metavar="TIME", help="For how long agents are waited for, e.g. 90s or 20m; else 10m."
    ),
]
OverdueOption = Annotated[
    str | None,
    typer.Option(
        "--overdue-factor", metavar="X", help="How many times its estimate a task may run before that is said, or none."
    ),
]
StalledOption = Annotated[
    bool,
    typer.Option(
        "--fail-when-stalled", help="End with 2, instead of waiting, once nothing can start until a person acts."
    ),
]
ScriptOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Do to it what people did to another: see `starloom report`, .script.yaml."),
]
DetachOption = Annotated[
    bool, typer.Option("--detach", help="Run it in an engine that goes on without this terminal; see `serve`.")
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but the summary and what is wrong.")]


def leave(work: Callable[[Screen], int], screen: Screen | None = None) -> NoReturn:
    """Run a command and exit with its exit code; errors are printed as sentences."""
    screen = screen or Screen()
    try:
        code = work(screen)
    except StarloomError as error:
        screen.error(str(error))
        code = BAD_INPUT
    except KeyboardInterrupt:
        screen.error("Interrupted.")
        code = INTERRUPTED
    screen.close()
    if screen.trouble:
        screen.error(f"The result could not be written: {screen.trouble}.")
        code = code or FAILED
    raise typer.Exit(code)
