"""The commands of a served engine: serving it, and its remote control. Modules are imported on use."""

# No `from __future__ import annotations`: typer reads the annotations when the program runs.
from typing import Annotated

import typer

from starloom.cli import completing
from starloom.cli.options import (
    ConcurrencyOption,
    FleetOption,
    JournalOption,
    JsonOption,
    MetricsOption,
    PlacementOption,
    PlanArgument,
    leave,
)
from starloom.cli.screen import Screen

_RunArgument = Annotated[
    str, typer.Argument(metavar="RUN", help="Its id, or the beginning of it.", autocompletion=completing.runs)
]
_NameOption = Annotated[str | None, typer.Option("--as", metavar="NAME", help="In whose name, else your login.")]

_AtOption = Annotated[
    str | None, typer.Option("--at", metavar="HOST", help="The server on another machine, reached by `ssh HOST`.")
]
_ViaOption = Annotated[
    str | None, typer.Option("--via", metavar="COMMAND", help="The same by another command, e.g. 'ssh -J jump box'.")
]


def serve(
    journal: JournalOption = None,
    fleet: FleetOption = None,
    max_concurrency: ConcurrencyOption = None,
    placement: PlacementOption = None,
    metrics: MetricsOption = None,
    durability: Annotated[
        str, typer.Option(metavar="D", help="default: survives the program's death; full: also a power failure.")
    ] = "default",
    idle_exit: Annotated[
        str | None, typer.Option(metavar="TIME", help="End when there was no client and no run for so long, e.g. 30m.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with all runs whose program died.")] = False,
    give_way: Annotated[
        bool, typer.Option("--give-way", help="Hand the runs over to a console that is opened, and end then.")
    ] = False,
    take_over: Annotated[bool, typer.Option("--take-over", hidden=True)] = False,
    systemd: Annotated[
        bool,
        typer.Option("--systemd", help="Start nothing, but write a unit by which systemd serves with these options."),
    ] = False,
) -> None:
    """Run an engine without a window, for `submit`, `ps`, `watch`, `logs` and `do`: only yours, and only from here.

    SIGTERM or Ctrl-C lets its runs end and takes no new ones; a second one cancels them.
    """
    from starloom.cli.job import RunOptions
    from starloom.cli.serving import ServeOptions, write_service
    from starloom.cli.serving import serve as serve_engine

    run = RunOptions(
        journal=journal,
        fleet=fleet,
        max_concurrency=max_concurrency,
        placement=placement,
        metrics=metrics,
        durability=durability,
    )
    wanted = ServeOptions(run=run, idle_exit=idle_exit, resume=resume, gives_way=give_way, takes_over=take_over)
    leave(lambda screen: write_service(wanted, screen) if systemd else serve_engine(wanted, screen))


def ps(
    journal: JournalOption = None,
    at: _AtOption = None,
    via: _ViaOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON array and nothing else.")] = False,
) -> None:
    """List the runs of the engine that is served."""
    from starloom.cli.remote import list_served, server_at

    leave(lambda screen: list_served(server_at(journal, at, via), screen, as_json=as_json))


def who(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON array and nothing else.")] = False,
    name: _NameOption = None,
    journal: JournalOption = None,
    at: _AtOption = None,
    via: _ViaOption = None,
) -> None:
    """List who is connected to the served engine: since when, what they did last, and what they follow."""
    from starloom.cli.people import list_people
    from starloom.cli.remote import server_at

    leave(lambda screen: list_people(server_at(journal, at, via), name, screen, as_json=as_json))


def submit(
    plan: PlanArgument,
    name: _NameOption = None,
    journal: JournalOption = None,
    at: _AtOption = None,
    via: _ViaOption = None,
    paused: Annotated[
        bool, typer.Option("--paused", help="Start nothing of it before `starloom do RUN start`.")
    ] = False,
) -> None:
    """Have the served engine run a plan, where it runs and with its environment; prints the id of the run."""
    from starloom.cli.remote import server_at
    from starloom.cli.submitting import submit_plan

    leave(lambda screen: submit_plan(plan, server_at(journal, at, via), name, screen, paused=paused))


def stop(
    cancel: Annotated[bool, typer.Option("--cancel", help="Cancel its runs, rather than let them end.")] = False,
    name: _NameOption = None,
    journal: JournalOption = None,
    at: _AtOption = None,
    via: _ViaOption = None,
) -> None:
    """End the served engine once its runs have ended; no new ones are taken meanwhile. Returns when it has gone."""
    from starloom.cli.remote import server_at
    from starloom.cli.remote import stop as stop_server

    leave(lambda screen: stop_server(server_at(journal, at, via), name, screen, cancel=cancel))


def watch(
    run: _RunArgument,
    as_json: JsonOption = False,
    name: _NameOption = None,
    journal: JournalOption = None,
    at: _AtOption = None,
    via: _ViaOption = None,
) -> None:
    """Tell what happens in a run of the served engine, until it ends. Ctrl-C ends the telling, not the run."""
    from starloom.cli.remote import server_at
    from starloom.cli.watching import watch as watch_run

    leave(lambda screen: watch_run(run, server_at(journal, at, via), name, screen, as_json=as_json))


def logs(
    run: _RunArgument,
    task: Annotated[str, typer.Argument(metavar="TASK", help="The id of the task.", autocompletion=completing.tasks)],
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on until it prints no more.")] = False,
    attempt: Annotated[int, typer.Option(metavar="N", min=0, help="Which attempt; 0: the last one.")] = 0,
    name: _NameOption = None,
    journal: JournalOption = None,
    at: _AtOption = None,
    via: _ViaOption = None,
) -> None:
    """Print what a task of the served engine has printed."""
    from starloom.cli.logs import show_output
    from starloom.cli.remote import server_at

    leave(lambda screen: show_output(run, task, attempt, server_at(journal, at, via), name, screen, follow=follow))


def do(
    run: Annotated[
        str,
        typer.Argument(
            metavar="RUN",
            help="Its id, or the beginning of it; fleet: the command is about devices or the fleet.",
            autocompletion=completing.runs,
        ),
    ],
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="COMMAND...",
            help="pause, resume, cancel [TASK...], retry TASK..., hold, release, skip TASK..., set TASK.FIELD=VALUE, "
            "set-limit [GROUP] N, approve GATE, reject GATE, drain-device ID, reserve [DEVICE] …",
            autocompletion=completing.words,
        ),
    ] = None,
    note: Annotated[str, typer.Option(metavar="TEXT", help="What is said with approve or reject.")] = "",
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why it is reserved, or a reservation is broken.")] = "",
    duration: Annotated[str, typer.Option("--for", metavar="TIME", help="How long it is reserved, e.g. 2h.")] = "",
    form: Annotated[
        str | None, typer.Option("--json", metavar="FILE", help="The command as JSON, as in scripts; - for stdin.")
    ] = None,
    name: _NameOption = None,
    journal: JournalOption = None,
    at: _AtOption = None,
    via: _ViaOption = None,
) -> None:
    """Give a run of the served engine a command."""
    from starloom.cli.giving import form_given, give
    from starloom.cli.remote import server_at

    def carry_out(screen: Screen) -> int:
        wanted = form_given(words or [], form, note=note, reason=reason, duration=duration)
        return give(run, wanted, server_at(journal, at, via), name, screen)

    leave(carry_out)


def attach(
    stdio: Annotated[bool, typer.Option("--stdio", help="Over the standard streams, which is the only way.")] = False,
    journal: JournalOption = None,
) -> None:
    """Pass on what another program says to the served engine of this machine; run by `--at` and `--via` elsewhere."""
    from starloom.cli.attach import attach as attach_program

    leave(lambda _screen: attach_program(journal, stdio=stdio))
