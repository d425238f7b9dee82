"""Reads and writes the files of documents. All functions block on the disk: call them off the loop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from yaml import YAMLError

from starloom.formats import READABLE, save_plan
from starloom.formats.files import format_of, load_plan_file, named_after
from starloom.formats.losses import assumptions, losses
from starloom.formats.yaml_text import comment_lines
from starloom_gui.documents.document import Loaded, Stamp, stamp_of
from starloom_gui.documents.would_run import digest_of

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.model.plan import Plan

ENDINGS: Final = {
    "yaml": ("*.yaml", "*.yml"),
    "json": ("*.json",),
    "wfformat": ("*.wf.json",),
    "ufo": ("*.ufo.json",),
    "dot": ("*.dot", "*.gv"),
    "graphml": ("*.graphml",),
    "mermaid": ("*.mmd", "*.mermaid"),
}
"""By which names files of each format go."""


def read(path: Path) -> Loaded:
    """The plan in a file, named after the file where it has no name.

    Raises:
        PlanError: it cannot be read or is no good plan; lists everything that is wrong, with lines.
    """
    path = located(path)
    stamp = stamp_of(path)
    plan, found, keyed = load_plan_file(path)
    plan = named_after(plan, path)
    remarks = tuple(assumptions(plan, found))
    digest = digest_of(plan)
    return Loaded(path=path, plan=plan, format=found, remarks=remarks, stamp=stamp, digest=digest, keyed=keyed)


def located(path: Path) -> Path:
    """The path of a file without links, so that it is the same under all its names."""
    try:
        return path.expanduser().resolve()
    except (OSError, RuntimeError):  # a ring of links, or no home: reading it will say so
        return path.absolute()


def left_out(plan: Plan, path: Path, format: str | None = None) -> list[str]:  # noqa: A002 - the word people use
    """The parts of a plan that a file's format does not hold, as sentences.

    Args:
        plan: what is written.
        path: its ending decides where no format is given.
        format: of the file; None: the one of its ending.

    Raises:
        PlanError: the ending says no format, or the plan holds a value that no file can.
    """
    return losses(plan, format_of(path, format))


def comments_in(path: Path, format: str) -> int:  # noqa: A002
    """The number of comment lines in a plan's file, which writing it would lose; 0 where that is unknown."""
    if format != "yaml":
        return 0
    try:
        return comment_lines(path.read_text("utf-8"))
    except (OSError, ValueError, YAMLError):  # somebody has made something else of it, or taken it away
        return 0


def write(
    plan: Plan,
    path: Path,
    format: str | None = None,  # noqa: A002
    keyed: frozenset[str] = frozenset(),
) -> Stamp | None:
    """Write a plan into a file, wholly or not at all; the stamp is that of the written file.

    Args:
        plan: what to write.
        path: the file.
        format: of the file; None: its ending says it.
        keyed: see `Document`.

    Raises:
        PlanError: it was not written; the file is as it was.
    """
    save_plan(plan, path, format, keyed)
    return stamp_of(path)


def is_kept(lost: list[str], format: str) -> bool:  # noqa: A002
    """Whether a file that was written is the document's own from now on, or only a copy that says less."""
    return not lost and format in READABLE
