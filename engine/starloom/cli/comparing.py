"""`starloom diff`: the differences of two runs, as lines for people or as JSON."""

from __future__ import annotations

import json
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final

import msgspec

from starloom.cli.bundles import folder_of
from starloom.cli.screen import plain
from starloom.errors import StarloomError
from starloom.journal.lock import holder_of
from starloom.journal.names import JOURNAL
from starloom.journal.stream_file import StreamFile
from starloom.reporting.comparing import Comparison, compare, divergence
from starloom.reporting.export import folded
from starloom.reporting.text import count, one_line, took

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from starloom.cli.screen import Screen

DIFFERENT: Final = 1
_SHOWN: Final = 12
_LONGEST: Final = 60
"""Characters of a value that are told; `--json` has all of it."""
_LEAST: Final = 0.01
"""Seconds by which a task has to differ to be told."""


def compare_runs(named: tuple[str, str], journal: Path | None, screen: Screen, *, as_json: bool) -> int:
    """Print the differences of the second run from the first.

    Args:
        named: each run: its id, the beginning of one, its folder, or the file of one that was exported.
        journal: the directory of the journals; None: the usual one.
        screen: where to.
        as_json: as one JSON object.

    Returns:
        0 if graph, state and the ends of all tasks are the same, else 1; when and in what order things happened
        does not count.

    Raises:
        StarloomError: there is no such run, or its journal cannot be read.
    """
    with ExitStack() as stack:
        first, second = (_opened(stack, journal, one) for one in named)
        reports = [folded(file.stream, file.committed(), now=_now(file)) for file in (first, second)]
        parted = divergence(first.committed(), second.committed())
        graphs = first.view().view.run.graph, second.view().view.run.graph
        found = compare(reports[0], reports[1], parted, graphs)
    if as_json:
        screen.result(msgspec.json.encode(found).decode())
    else:
        for line in _lines(found):
            screen.result(plain(line))
    return 0 if found.is_same else DIFFERENT


def _opened(stack: ExitStack, journal: Path | None, named: str) -> StreamFile:
    folder = stack.enter_context(folder_of(journal, named))
    file = stack.enter_context(StreamFile(folder / JOURNAL, read_only=True))
    if not file.last:
        raise StarloomError(f"The run {named} has not begun. There is nothing to compare.")
    return file


def _now(file: StreamFile) -> float | None:
    """Up to when its run is told, if a program has it."""
    return None if holder_of(file.path) is None else time.time()


def _lines(found: Comparison) -> Iterator[str]:
    for letter, run, state, seconds in zip("AB", found.runs, found.states, found.seconds, strict=True):
        yield f"{letter}: {run}, {state.replace('_', ' ')}, {took(seconds)}"
    yield "The graphs are the same." if found.is_same_graph else "The graphs differ:"
    yield from _shown("only in A", found.removed)
    yield from _shown("only in B", found.added)
    yield from _shown(
        "changed", (f"{one.task}: {one.field} {_said(one.before)} → {_said(one.after)}" for one in found.changed)
    )
    yield from _shown("only in A", (_link(*one) for one in found.disconnected))
    yield from _shown("only in B", (_link(*one) for one in found.connected))
    if found.ended:
        yield f"{count(len(found.ended), 'task')} ended otherwise:"
        yield from _shown("", (f"{one.task}: {_word(one.before)} → {_word(one.after)}" for one in found.ended))
    else:
        yield "Every task that both have stands the same."
    slower = [one for one in found.took if abs(one.more) >= _LEAST and took(one.before) != took(one.after)]
    if slower:
        yield "What took longer or less, the largest difference first:"
        yield from _shown("", (f"{one.task}: {took(one.before)} → {took(one.after)}" for one in slower))
    if found.parted is None:
        yield "Both went the same way from the first step to the last."
    else:
        yield f"They went different ways after {count(found.parted.number, 'step')}:"
        yield f"  A: {_step(found.parted.before, found.parted.before_s)}"
        yield f"  B: {_step(found.parted.after, found.parted.after_s)}"


def _shown(head: str, lines: Iterable[str]) -> Iterator[str]:
    told = list(lines)
    for line in told[:_SHOWN]:
        yield f"  {head}: {line}" if head else f"  {line}"
    if len(told) > _SHOWN:
        yield f"  and {len(told) - _SHOWN:,} more; --json has all of them"


def _link(parent: str, child: str, kind: str) -> str:
    return f"{child} after {parent}, {kind}"


def _word(status: str) -> str:
    return status.replace("_dependency", "")


def _said(value: object) -> str:
    if value in (None, "", [], {}):
        return "none"
    return one_line(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), _LONGEST)


def _step(step: str, seconds: float) -> str:
    return f"{step}, at {took(max(0.0, seconds))}" if step else "it was over"
