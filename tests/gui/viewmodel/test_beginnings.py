"""What names have in common at their beginnings."""

from __future__ import annotations

import pytest

from starloom_gui.viewmodel.beginnings import shared_beginning, shared_words


@pytest.mark.parametrize(
    ("names", "shared"),
    [
        (["NF:RNA:ALIGN.STAR", "NF:RNA:ALIGN.SORT", "NF:RNA:COUNT"], "NF:RNA:"),
        (["unit_hal", "unit_net"], "unit_"),
        (["mBgModel", "mBackground"], ""),
        (["one alone"], ""),
        (["a_b", "a_b"], "a_"),
        (["unit", "unit_net"], ""),
        ([], ""),
    ],
)
def test_a_beginning_that_all_share_ends_where_their_own_words_begin(names: list[str], shared: str) -> None:
    assert shared_beginning(names) == shared


@pytest.mark.parametrize(
    ("names", "shared"),
    [
        (["mProject_ID0000001", "mProject_ID0000012"], "mProject"),
        (["QUANTIFY_SALMON.QUANT", "QUANTIFY_STAR.QUANT"], "QUANTIFY"),
        (["map_1", "mapMerge_1"], ""),
        (["map_1", "map_merge_1"], "map"),
        (["l1-4", "l1-7"], "l1"),
    ],
)
def test_shared_words_are_whole_and_without_numbers_at_the_end(names: list[str], shared: str) -> None:
    assert shared_words(names) == shared
