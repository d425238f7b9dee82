"""Resuming a run whose journal is lost in part: people say which tasks run again."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from starloom.cli.screen import plain
from starloom.errors import SettingsError, nearest
from starloom.journal.names import JOURNAL, SALVAGED
from starloom.journal.stream_file import StreamFile
from starloom.scheduling.state.codes import COMPLETED

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from starloom.cli.screen import Screen

ALL: Final = "all"
NONE: Final = "none"
_SHOWN: Final = 5


def taken_as_done(folder: Path, again: str | None, screen: Screen) -> tuple[str, ...] | None:
    """The tasks of a salvaged run that do not run again though their ends are unknown.

    Args:
        folder: of the run.
        again: `all`, `none`, or the ids of tasks that are done again, with commas between them; None: whoever sits at
            the terminal is asked.
        screen: where to ask.

    Returns:
        Their ids; None: the run was not salvaged, and everything is known of it.

    Raises:
        StarloomError: nobody has said what is to be done again, or something that is no such task.
    """
    if not (folder / SALVAGED).exists():
        if again is not None:
            raise SettingsError("--again: nothing is lost of this run; what has not ended is done. Leave it out.")
        return None
    unknown = _not_ended(folder)
    if again is None:
        return _asked(unknown, screen)
    if again in {ALL, NONE}:
        return () if again == ALL else tuple(unknown)
    wanted = {name.strip() for name in again.split(",")}
    for name in wanted.difference(unknown):
        near = nearest(name, unknown)
        hint = f"did you mean {near!r}?" if near else f"use {ALL}, {NONE} or ids of: {_some(unknown)}."
        raise SettingsError(f"--again: {name!r} is no task whose end is not known; {hint}")
    return tuple(name for name in unknown if name not in wanted)


def _not_ended(folder: Path) -> list[str]:
    """The tasks that had not ended when what is left of the journal ends."""
    with StreamFile(folder / JOURNAL, read_only=True) as file:
        run = file.view()[0].run
    return [run.graph.ids[number] for number, task in run.graph.present() if run.status[number] < COMPLETED]


def _some(names: Sequence[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(map(plain, names[:_SHOWN])) + (f" and {more:,} more" if more > 0 else "")


def _asked(unknown: Sequence[str], screen: Screen) -> tuple[str, ...]:
    said = (
        f"A part of the journal of this run is lost: of {len(unknown):,} of its tasks nobody knows whether they have "
        f"ended since ({_some(unknown)})."
    )
    if not sys.stdin.isatty():
        raise SettingsError(f"{said} Say with --again which are done again: {ALL}, {NONE}, or their ids.")
    screen.note(said, "yellow")
    done: list[str] = []
    for place, name in enumerate(unknown):
        answer = _answer(name, screen)
        if answer in {ALL, NONE}:
            return (*done, *(unknown[place:] if answer == NONE else ()))
        if answer == "n":
            done.append(name)
    return tuple(done)


def _answer(name: str, screen: Screen) -> str:
    """`y`, `n`, or `all` or `none` of it and those that follow."""
    while True:
        screen.ask(f"Do {plain(name)} again? [y]es, [n]o, {ALL} or {NONE} of the rest: ")
        line = sys.stdin.readline()
        if not line:
            raise SettingsError("Nobody has said what is to be done again; the run was left as it is.")
        answer = line.strip().lower()
        if answer in {ALL, NONE}:
            return answer
        if answer in {"y", "yes", "n", "no"}:
            return answer[0]
