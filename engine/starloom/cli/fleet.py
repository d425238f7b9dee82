"""The commands about devices: their state, trying one again, trusting a machine. Modules are imported on use."""

# No `from __future__ import annotations`: typer reads the annotations when the program runs.
from pathlib import Path
from typing import Annotated

import typer

from starloom.cli.options import JournalOption, leave

devices = typer.Typer(context_settings={"help_option_names": ["-h", "--help"]})


@devices.callback(invoke_without_command=True)
def show(
    context: typer.Context,
    journal: JournalOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON array and nothing else.")] = False,
) -> None:
    """Tell how the devices of the program that runs stand: state, since when, last error, next try."""
    if context.invoked_subcommand is None:
        from starloom.cli.devices import list_devices

        leave(lambda screen: list_devices(journal, screen, as_json=as_json))
    context.obj = journal


@devices.command("try-again")
def try_again(
    context: typer.Context,
    device: Annotated[str, typer.Argument(metavar="ID", help="The device.")],
    journal: JournalOption = None,
) -> None:
    """Have the program that runs, or a server, reach for a device now, or suspend it no longer."""
    from starloom.cli.devices import try_again as ask

    leave(lambda screen: ask(device, journal if journal is not None else context.obj, screen))


def trust(
    host: Annotated[str, typer.Argument(metavar="HOST", help="The machine, as host, user@host or host:port.")],
    port: Annotated[int | None, typer.Option(min=1, max=65_535, help="Of its SSH server.")] = None,
    fingerprint: Annotated[
        str | None, typer.Option(metavar="SHA256:…", help="What its key must have; else you are asked.")
    ] = None,
    known_hosts: Annotated[Path, typer.Option(metavar="FILE", help="Where that is written down.")] = Path(
        "~/.ssh/known_hosts"
    ),
    replace: Annotated[bool, typer.Option("--replace", help="Forget other keys by which it is known.")] = False,
) -> None:
    """Trust the host key that a machine shows over SSH, once you have compared its fingerprint."""
    from starloom.cli.trust import trust_host

    leave(lambda screen: trust_host(host, port, fingerprint, known_hosts, screen, replace=replace))
