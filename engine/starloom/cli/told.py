"""The commands for reports and bundles of runs. The work of each is imported on use."""

# No `from __future__ import annotations`: typer reads the annotations when the program runs.
from pathlib import Path
from typing import Annotated

import typer

from starloom.cli.options import JournalOption, ScaleOption, leave


def report(
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="Its id, the beginning of it, its folder, or an exported file.")
    ],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="Its ending says the format; replaced if it is there."),
    ],
    journal: JournalOption = None,
    scale: ScaleOption = 2.0,
) -> None:
    """Write what a run came to into a file, from its journal alone.

    Endings: .html, .pdf; .json; .xml for JUnit; .csv, .attempts.csv, .events.csv; .trace.json for Perfetto; .svg and
    .png (timeline), .graph.svg, .graph.png; .script.yaml or .json: what people did to it, for `run --script`.
    The console draws .pdf and .png.
    """
    from starloom.cli.bundles import report_run

    leave(lambda screen: report_run(run, output, journal, screen, scale=scale))


def export(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Its id, the beginning of it, or its folder.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Ends in .starloom; replaced if it is there.")
    ],
    journal: JournalOption = None,
) -> None:
    """Write a run as one file: its journal and what its tasks printed, to be looked at on another computer.

    It holds commands, inputs and output as they were. There: `starloom report FILE`, `starloom runs --import FILE`.
    """
    from starloom.cli.bundles import export_run

    leave(lambda screen: export_run(run, output, journal, screen))


def diff(
    first: Annotated[str, typer.Argument(metavar="A", help="A run: its id, the beginning of it, its folder or file.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Another one, likewise.")],
    journal: JournalOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Say in what run B differs from run A: graph, how tasks ended, how long they took, where they first parted.

    The exit code is 0 if both have the same graph and every task ended the same, else 1.
    """
    from starloom.cli.comparing import compare_runs

    leave(lambda screen: compare_runs((first, second), journal, screen, as_json=as_json))
