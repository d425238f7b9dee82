"""Finds the whole words that names begin with in common: graphs are folded by them, and nodes omit them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom_gui.viewmodel.grouping import without_number

if TYPE_CHECKING:
    from collections.abc import Collection

BETWEEN: Final = " _.-#:/|"
"""What stands between the words of a name."""


def shared_beginning(names: Collection[str]) -> str:
    """The common beginning of all names, in whole words; empty: they share no word, or there are fewer than two."""
    if len(names) < 2:
        return ""
    shared = _shared(names)
    return shared[: max(map(shared.rfind, BETWEEN)) + 1]


def shared_words(names: Collection[str]) -> str:
    """The common beginning of names, without a word that is only partly the same; of numbered names, their stem."""
    stems = {without_number(name) for name in names}
    shared = _shared(stems)
    is_whole = all(len(stem) == len(shared) or stem[len(shared)] in BETWEEN for stem in stems)
    return (shared if is_whole else shared_beginning(stems)).rstrip(BETWEEN)


def _shared(names: Collection[str]) -> str:
    """The common prefix of all names, which is that of the first and the last one in sorted order."""
    first, last = min(names), max(names)
    same = 0
    while same < min(len(first), len(last)) and first[same] == last[same]:
        same += 1
    return first[:same]
