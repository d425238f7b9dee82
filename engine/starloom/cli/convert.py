"""`starloom convert`: a plan in one format to a file in another, with notes on what is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom.formats import dump_plan, load_plan_and_format, save_plan
from starloom.formats.files import format_of
from starloom.formats.losses import NATIVE, TITLES, assumptions, losses

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.cli.screen import Screen

STDOUT: Final = "-"


def convert_file(source: Path, target: Path, read_as: str | None, write_as: str | None, screen: Screen) -> int:
    """Convert the plan in one file to another; notes on stderr say what was assumed and what is left out.

    Args:
        source: the file to read.
        target: the file to write, which is replaced if it is there; `-` for stdout.
        read_as: the format of the source; None: told from the file.
        write_as: the format of the target; None: told from its name.
        screen: where to say what was done.

    Returns:
        0; what cannot be done is raised.

    Raises:
        PlanError: the source is no good plan, a format is unknown, or the target cannot be written.
    """
    written = format_of(target, write_as)
    plan, found = load_plan_and_format(source, read_as)
    assumed = assumptions(plan, found) if written != found or found in NATIVE else []
    for sentence in (*assumed, *losses(plan, written)):
        screen.note(sentence)
    if str(target) == STDOUT:
        return screen.result(dump_plan(plan, written).removesuffix("\n"))
    save_plan(plan, target, written)
    counts = f"tasks: {len(plan.tasks)}, dependencies: {len(plan.dependencies)}"
    return screen.result(f"{target}: from {TITLES[found]} to {TITLES[written]}; {counts}")
