"""Room for notes: none covers a node when a drawing is opened, and none goes farther aside than it must."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF

from starloom_gui.canvas.note_room import GAP, all_with_room, with_room

NODE = np.array([[0.0, 0.0, 200.0, 50.0]])


@pytest.mark.parametrize(
    ("box", "wanted"),
    [
        (QRectF(0, 60, 100, 40), QRectF(0, 60, 100, 40)),
        (QRectF(0, 40, 100, 40), QRectF(0, 50 + GAP, 100, 40)),
        (QRectF(20, -30, 100, 40), QRectF(20, -40 - GAP, 100, 40)),
        (QRectF(195, 5, 100, 40), QRectF(200 + GAP, 5, 100, 40)),
    ],
    ids=["free", "below", "above", "beside"],
)
def test_a_note_goes_aside_by_the_shortest_way(box: QRectF, wanted: QRectF) -> None:
    assert with_room(box, NODE) == wanted


@given(
    nodes=st.lists(st.tuples(st.integers(-600, 600), st.integers(-300, 300)), min_size=1, max_size=40),
    notes=st.lists(st.tuples(st.integers(-600, 600), st.integers(-300, 300)), max_size=5),
)
def test_no_note_covers_a_node_wherever_these_stand(nodes: list[tuple[int, int]], notes: list[tuple[int, int]]) -> None:
    others = np.array([[x, y, x + 208, y + 56] for x, y in nodes], dtype=np.float64)
    found = all_with_room([QRectF(x, y, 192, 60) for x, y in notes], others)
    for box in found:
        assert not any(box.intersects(QRectF(x, y, 208, 56)) for x, y in nodes)
