"""What names have in common at their beginnings, in whole words: graphs fold by it, and nodes leave it out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starloom_gui.viewmodel.grouping import without_number

if TYPE_CHECKING:
    from collections.abc import Collection

BETWEEN: Final = " _.-#:/|"
"""What stands between the words of a name."""


def shared_beginning(names: Collection[str]) -> str:
    """What all names begin with, up to where their own words begin; empty: they share no word, or are less than two."""
    if len(names) < 2:
        return ""
    shared = _shared(names)
    return shared[: max(map(shared.rfind, BETWEEN)) + 1]


def shared_words(names: Collection[str]) -> str:
    """What names begin with, without a word that only begins alike; of numbered names it is all but the number."""
    stems = {without_number(name) for name in names}
    shared = _shared(stems)
    is_whole = all(len(stem) == len(shared) or stem[len(shared)] in BETWEEN for stem in stems)
    return (shared if is_whole else shared_beginning(stems)).rstrip(BETWEEN)


def _shared(names: Collection[str]) -> str:
    """The letters that all names begin with: those that the first and the last in their order do."""
    first, last = min(names), max(names)
    same = 0
    while same < min(len(first), len(last)) and first[same] == last[same]:
        same += 1
    return first[:same]
