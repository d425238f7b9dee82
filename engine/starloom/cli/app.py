"""The commands of the command line. The work of each stands in its own module, imported on use."""

# No `from __future__ import annotations`: typer reads the annotations when the program runs.
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from starloom.cli import fleet as fleet_commands
from starloom.cli import served, told
from starloom.cli.command_group import CommandGroup
from starloom.cli.options import (
    GOOD,
    AgainOption,
    AgentOption,
    ApproveOption,
    ChangesOption,
    ConcurrencyOption,
    DetachOption,
    DurabilityOption,
    FenceOption,
    FleetOption,
    GatesOption,
    JournalOption,
    JsonOption,
    MetricsOption,
    OutputOption,
    OverdueOption,
    PatienceOption,
    PlacementOption,
    PlanArgument,
    QuietOption,
    RerunFromOption,
    RetryOption,
    ScriptOption,
    StalledOption,
    leave,
)
from starloom.cli.screen import Screen

app = typer.Typer(
    cls=CommandGroup,
    name="starloom",
    help="Run task graphs on many devices at once.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 all went well, 1 something failed, 2 bad input, 130 interrupted.",
)


def main() -> NoReturn:
    """Run the command line and leave the program with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal that cannot show a character ends nothing
    app(prog_name="starloom")
    raise SystemExit(GOOD)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        try:
            number = version("starloom")
        except PackageNotFoundError:  # a source tree on the path, not installed
            number = "(not installed)"
        text = f"starloom {number}"
        leave(lambda screen: screen.result(text))


@app.callback(invoke_without_command=True)
def _alone(
    context: typer.Context,
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    """Run task graphs on many devices at once. Without a command, open the console."""
    if context.invoked_subcommand is None:
        from starloom.cli.console import open_console

        leave(lambda screen: open_console(screen, context.get_help()))


@app.command()
def run(
    plan: PlanArgument,
    fleet: FleetOption = None,
    max_concurrency: ConcurrencyOption = None,
    placement: PlacementOption = None,
    changes: ChangesOption = None,
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Run nothing: simulate in virtual time, as fast as possible.")
    ] = False,
    speeds: Annotated[
        str | None, typer.Option(metavar="1,1,2,4", help="With --simulate: a device of one slot for each speed.")
    ] = None,
    output: OutputOption = None,
    metrics: MetricsOption = None,
    journal: JournalOption = None,
    durability: DurabilityOption = "default",
    agents: AgentOption = None,
    approve: ApproveOption = "ask",
    gates: GatesOption = "ask",
    fence: FenceOption = None,
    modification_timeout: PatienceOption = None,
    overdue_factor: OverdueOption = None,
    script: ScriptOption = None,
    fail_when_stalled: StalledOption = False,
    detach: DetachOption = False,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Run a plan to its end.

    Ctrl-C cancels the run and stops what runs; a second Ctrl-C kills it.
    """
    from starloom.cli.job import RunOptions
    from starloom.cli.running import run_file

    wanted = RunOptions(
        fleet=fleet,
        max_concurrency=max_concurrency,
        placement=placement,
        changes=tuple(changes or ()),
        simulate=simulate,
        speeds=speeds,
        output=output,
        metrics=metrics,
        journal=journal,
        durability=durability,
        agents=tuple(agents or ()),
        approve=approve,
        gates=gates,
        fence=fence,
        modification_timeout=modification_timeout,
        overdue_factor=overdue_factor,
        fail_when_stalled=fail_when_stalled,
        script=script,
        detach=detach,
        as_json=as_json,
    )
    leave(lambda screen: run_file(plan, wanted, screen), Screen(quiet=quiet))


@app.command()
def resume(
    run: Annotated[
        str | None, typer.Argument(metavar="RUN", help="Its id, the beginning of it, or its folder; else the newest.")
    ] = None,
    fleet: FleetOption = None,
    max_concurrency: ConcurrencyOption = None,
    placement: PlacementOption = None,
    output: OutputOption = None,
    metrics: MetricsOption = None,
    journal: JournalOption = None,
    durability: DurabilityOption = "default",
    agents: AgentOption = None,
    approve: ApproveOption = "ask",
    gates: GatesOption = "ask",
    fence: FenceOption = None,
    again: AgainOption = None,
    retry: RetryOption = False,
    rerun_from: RerunFromOption = None,
    modification_timeout: PatienceOption = None,
    fail_when_stalled: StalledOption = False,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Go on with a run whose program died; the newest one if none is named.

    What has ended meanwhile is not run again, and what still runs goes on. A run of whose journal a part was lost has
    to be named; you are asked, task by task, what of it is to be done again, or say so with --again. A run that has
    ended goes on, too, if you name it and say what of it runs again: --retry or --rerun-from.
    """
    from starloom.cli.job import RunOptions
    from starloom.cli.running import resume_run

    wanted = RunOptions(
        fleet=fleet,
        max_concurrency=max_concurrency,
        placement=placement,
        output=output,
        metrics=metrics,
        journal=journal,
        durability=durability,
        agents=tuple(agents or ()),
        approve=approve,
        gates=gates,
        fence=fence,
        again=again,
        retry=retry,
        rerun_from=rerun_from,
        fail_when_stalled=fail_when_stalled,
        modification_timeout=modification_timeout,
        as_json=as_json,
    )
    leave(lambda screen: resume_run(run, wanted, screen), Screen(quiet=quiet))


@app.command()
def runs(
    journal: JournalOption = None,
    bundle: Annotated[
        Path | None,
        typer.Option("--import", metavar="FILE", help="Put the run that `starloom export` made FILE of among them."),
    ] = None,
    orphans: Annotated[
        bool, typer.Option("--orphans", help="List the commands that may still run though no program sees to them.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON array and nothing else.")] = False,
) -> None:
    """List the runs there are journals of, the newest first."""
    if orphans:
        from starloom.cli.orphans import list_orphans

        leave(lambda screen: list_orphans(journal, screen, as_json=as_json))
    if bundle is not None:
        from starloom.cli.bundles import import_run

        leave(lambda screen: import_run(bundle, journal, screen, as_json=as_json))
    from starloom.cli.runs import list_runs

    leave(lambda screen: list_runs(journal, screen, as_json=as_json))


@app.command()
def salvage(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Its id, the beginning of it, or its folder.")],
    journal: JournalOption = None,
) -> None:
    """Save what can be read of a run's damaged journal, up to the damage; the damaged file is kept beside it."""
    from starloom.cli.runs import salvage_run

    leave(lambda screen: salvage_run(run, journal, screen))


app.add_typer(fleet_commands.devices, name="devices")
app.command()(fleet_commands.trust)
app.command()(told.report)
app.command()(told.export)
app.command()(told.diff)
app.command()(served.serve)
app.command()(served.ps)
app.command()(served.who)
app.command()(served.submit)
app.command()(served.stop)
app.command()(served.watch)
app.command()(served.logs)
app.command()(served.do)
app.command()(served.attach)


@app.command("plan")
def forecast(
    plan: PlanArgument,
    fleet: FleetOption = None,
    max_concurrency: ConcurrencyOption = None,
    placement: PlacementOption = None,
    changes: ChangesOption = None,
    without: Annotated[
        list[str] | None,
        typer.Option("--without", metavar="TASK", help="Say what removing a task would cut off; can be given often."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the forecast as one JSON object.")] = False,
) -> None:
    """Foresee how a run of a plan would go: its end, its critical path, its graph, its devices. Nothing is run.

    The exit code is 1 if some tasks could never run on that fleet.
    """
    from starloom.cli.forecast import forecast_file
    from starloom.cli.job import RunOptions

    wanted = RunOptions(
        fleet=fleet,
        max_concurrency=max_concurrency,
        placement=placement,
        changes=tuple(changes or ()),
        simulate=True,
        as_json=as_json,
    )
    leave(lambda screen: forecast_file(plan, wanted, screen, without or ()))


@app.command()
def validate(
    plans: Annotated[list[Path], typer.Argument(metavar="PLAN...", help="The plans to check; nothing is run.")],
) -> None:
    """Check plans and say everything that is wrong with them."""
    from starloom.cli.checking import validate_plans

    leave(lambda screen: validate_plans(plans, screen))


@app.command()
def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help="The plan to read: YAML, JSON, WfFormat, UFO or DOT.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write, replaced if there; - for stdout.")],
    read_as: Annotated[
        str | None, typer.Option("--from", metavar="F", help="The format of IN, if the file does not tell it.")
    ] = None,
    write_as: Annotated[
        str | None,
        typer.Option("--to", metavar="F", help="yaml, json, wfformat, ufo, dot, graphml or mermaid; else by ending."),
    ] = None,
    quiet: QuietOption = False,
) -> None:
    """Write a plan in another format and say what that format cannot hold.

    Nodes of a DOT graph have no commands: they become tasks that are simulated and take one second each.
    """
    from starloom.cli.convert import convert_file

    leave(lambda screen: convert_file(source, target, read_as, write_as, screen), Screen(quiet=quiet))


@app.command()
def draft(
    request: Annotated[str, typer.Argument(metavar="REQUEST", help="What is to be done, in words.")],
    agent: Annotated[str, typer.Option("--agent", metavar="A", help="Who plans it: llm:model or llm:model@url.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The file to write, not there yet; - for stdout.")
    ] = Path("-"),
    fleet: FleetOption = None,
    quiet: QuietOption = False,
) -> None:
    """Have a language model make a plan of a request in words, to be looked at; nothing of it runs."""
    from starloom.cli.draft import draft_plan

    leave(lambda screen: draft_plan(request, agent, output, fleet, screen), Screen(quiet=quiet))


@app.command()
def schema() -> None:
    """Print the JSON schema of a plan, for editors that complete and check while one types."""
    from starloom.cli.checking import print_schema

    leave(print_schema)


class DemoName(StrEnum):
    """The name of a demo."""

    TASKS = "tasks"
    AGENTS = "agents"


@app.command()
def demo(
    what: Annotated[
        DemoName, typer.Argument(metavar="[WHAT]", help="tasks, or agents: three scripted ones, of which one asks you.")
    ] = DemoName.TASKS,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Run a small plan on this computer, to see how it looks."""
    from starloom.cli.running import run_agents_demo, run_demo

    run = run_agents_demo if what is DemoName.AGENTS else run_demo
    leave(lambda screen: run(screen, as_json=as_json), Screen(quiet=quiet))


@app.command()
def console(
    plans: Annotated[
        list[Path] | None, typer.Argument(metavar="[FILE...]", help="Plans, or exported runs, to open.")
    ] = None,
    demo: Annotated[bool, typer.Option("--demo", help="Run the demo.")] = False,
    fleet: Annotated[
        Path | None, typer.Option(help="A file of devices and limits to begin with; the console remembers it.")
    ] = None,
    attach: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SERVER",
            help="Show the engine of a server: here, a folder of journals, a machine as ssh takes it, or "
            "ssh://user@host:port/folder; given again, that of another one beside it.",
        ),
    ] = None,
    name: Annotated[str, typer.Option("--as", help="With --attach: in whose name.")] = "",
    watch: Annotated[bool, typer.Option("--watch", help="With --attach: change nothing.")] = False,
) -> None:
    """Open the console, as `starloom` alone does; with no display it runs the demo without a window.

    A file is only opened: nothing runs before it is started.
    """
    from starloom.cli.console import open_console_with

    given = [("--fleet", fleet), ("--as", name), *(("--attach", server) for server in attach or ())]
    named = [f"{option}={value}" for option, value in given if value]
    switches = [option for option, is_on in (("--demo", demo), ("--watch", watch)) if is_on]
    arguments = [*switches, *named, "--", *map(str, plans or ())]
    leave(lambda screen: open_console_with(arguments, screen))
