"""The difference between two texts line by line."""

from __future__ import annotations

import difflib
from random import Random
from typing import TYPE_CHECKING

from starloom_gui.diff.line_diff import DiffRow, RowKind, changes, rows, unified

if TYPE_CHECKING:
    from collections.abc import Sequence


def rebuilt(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """The second text, from the first one and what differs."""
    made: list[str] = []
    at = 0
    for i1, i2, j1, j2 in changes(before, after):
        made += [*before[at:i1], *after[j1:j2]]
        at = i2
    return [*made, *before[at:]]


def test_what_differs_makes_one_text_of_the_other_and_all_lines_are_in_rows() -> None:
    for seed in range(200):
        dice = Random(seed)
        before = [dice.choice("abcdefgh") for _ in range(dice.randint(0, 30))]
        after = [line for line in before if dice.random() > 0.2]
        for _ in range(dice.randint(0, 5)):
            after.insert(dice.randint(0, len(after)), dice.choice("abcxyz"))
        assert rebuilt(before, after) == after
        spans = changes(before, after)
        assert all(before[i1:i2] != after[j1:j2] for i1, i2, j1, j2 in spans)
        shown = list(rows(spans, len(before), len(after)))
        assert sum(row.count for row in shown if row.before is not None) == len(before)
        assert sum(row.count for row in shown if row.after is not None) == len(after)
        text = unified(spans, before, after, ("one", "other"), (1, 1))
        assert bool(text) is (before != after)
        removed = [line for line in text.splitlines()[2:] if line.startswith("-")]
        assert len(removed) == sum(i2 - i1 for i1, i2, _, _ in spans)


def test_a_unified_diff_reads_as_one_of_difflib() -> None:
    before = [f"line {number}" for number in range(40)]
    after = [*before[:5], "new", *before[5:20], "changed", *before[21:]]
    spans = changes(before, after)
    expected = "\n".join(difflib.unified_diff(before, after, "a", "b", lineterm="")) + "\n"
    assert unified(spans, before, after, ("a", "b"), (1, 1)) == expected


def test_equal_stretches_are_folded_but_for_some_lines_around() -> None:
    before = [str(number) for number in range(20)]
    after = [*before[:10], "x", *before[11:]]
    shown = list(rows(changes(before, after), 20, 20))
    assert shown[0] == DiffRow(RowKind.FOLDED, 0, 0, 7)
    assert [row.before for row in shown[1:4]] == [7, 8, 9]
    assert shown[4] == DiffRow(RowKind.CHANGED, 10, 10)
    assert shown[-1] == DiffRow(RowKind.FOLDED, 14, 14, 6)
    assert list(rows([], 5, 5)) == [DiffRow(RowKind.FOLDED, 0, 0, 5)]


def test_the_time_is_bounded_for_texts_that_repeat_few_lines() -> None:
    dice = Random(1)
    before = [dice.choice("ab") for _ in range(20_000)]
    after = [dice.choice("ab") for _ in range(20_000)]
    assert len(changes(before, after)) == 1, "it is not worth the time to align them"


def test_nothing_more_is_compared_once_it_is_given_up() -> None:
    before = [str(number) for number in range(1000)]
    asked: list[bool] = []

    def is_given_up() -> bool:
        asked.append(True)
        return len(asked) > 3

    changes(before, [f"{line}{'x' * (int(line) % 2)}" for line in before], is_given_up)
    assert len(asked) == 4
