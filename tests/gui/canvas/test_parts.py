"""The parts of the canvas that know nothing of a window."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter, QPen, QPixmap
from tests.gui.canvas.runs import NOW, firmware, number_of, picture_of, pose, regression

from starloom.scheduling.state import codes
from starloom_gui.canvas.atlas import Atlas
from starloom_gui.canvas.badges import Badge
from starloom_gui.canvas.camera import Camera, Level
from starloom_gui.canvas.hit_test import edge_at, node_at, nodes_in
from starloom_gui.canvas.matching import Filter, matching
from starloom_gui.canvas.motion import ViewPosition, between
from starloom_gui.canvas.render_model import ALWAYS, CONDITION, FAILURE, GraphRenderModel, NodeMark
from starloom_gui.canvas.words import share_done
from starloom_gui.theme.palette import DARK, LIGHT, Palette, colour
from starloom_gui.theme.status_form import StatusForm
from starloom_gui.viewmodel.stage import Stage
from starloom_gui.widgets.batches import draw_fragments, draw_lines, fragments

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication


def camera(scale: float, ratio: float = 1.0) -> Camera:
    return Camera(scale, ratio, 0.0, 0.0, round(400 * ratio), round(300 * ratio))


def ids_of(picture: GraphRenderModel, rows: object) -> set[str]:
    return {picture.layout.graph.ids[row] for row in np.asarray(rows).tolist()}


# ---- batches: Qt still reads our arrays as its own structs


def test_lines_come_from_an_array(app: QApplication) -> None:
    image = QImage(20, 20, QImage.Format.Format_RGB32)
    image.fill(0xFFFFFF)
    painter = QPainter(image)
    painter.setPen(QPen(colour("#FF0000"), 1))
    draw_lines(painter, np.array([[2.0, 3.0, 2.0, 12.0], [5.0, 15.0, 14.0, 15.0]]))
    draw_lines(painter, np.zeros((0, 4)))
    painter.end()
    red = {(x, y) for x in range(20) for y in range(20) if image.pixelColor(x, y) == colour("#FF0000")}
    assert red == {(2, y) for y in range(3, 13)} | {(x, 15) for x in range(5, 15)}


def test_pieces_of_a_pixmap_come_from_an_array(app: QApplication) -> None:
    sheet = QPixmap(8, 4)
    sheet.fill(colour("#FF0000"))
    painter = QPainter(sheet)
    painter.fillRect(4, 0, 4, 4, colour("#0000FF"))
    painter.end()
    image = QImage(20, 20, QImage.Format.Format_RGB32)
    image.fill(0xFFFFFF)
    painter = QPainter(image)
    pieces = fragments(np.array([1.0, 10.0]), np.array([2.0, 12.0]), np.array([0.0, 4.0]), 4, 4, np.array([1.0, 0.5]))
    draw_fragments(painter, sheet, pieces)
    draw_fragments(painter, sheet, pieces[:0])
    painter.end()
    assert image.pixelColor(1, 2) == image.pixelColor(4, 5) == colour("#FF0000")
    assert image.pixelColor(0, 2) == image.pixelColor(5, 2) == colour("#FFFFFF")
    assert image.pixelColor(11, 13).blue() == 255
    assert image.pixelColor(11, 13).red() == pytest.approx(127, abs=2)


# ---- camera and atlas


@pytest.mark.parametrize(
    ("scale", "level", "names"),
    [(1.0, Level.FULL, True), (0.45, Level.FULL, True), (0.4, Level.NAME, True), (0.26, Level.NAME, False)],
)
def test_names_go_while_they_have_forty_pixels(scale: float, level: Level, names: bool) -> None:
    assert (camera(scale).level, camera(scale).has_names) == (level, names)


def test_a_far_node_is_a_block_of_at_least_three_by_two() -> None:
    assert camera(0.24).level is Level.FAR
    assert camera(0.001).node == (3, 2)
    assert camera(0.001, 2.0).node == (6, 4)
    assert camera(1.0).node == (192, 64)
    assert camera(1.0).block == 28
    assert camera(0.45).block == 14


def test_the_atlas_is_keyed_by_theme_scale_and_ratio(app: QApplication) -> None:
    atlas = Atlas()
    first = atlas.forms(camera(1.0), LIGHT)
    assert atlas.forms(camera(1.0), LIGHT) is first
    others = [atlas.forms(camera(1.0), DARK), atlas.forms(camera(0.5), LIGHT), atlas.forms(camera(1.0, 2.0), LIGHT)]
    assert all(other is not first for other in others)
    assert [sheet.width for sheet in others] == [192, 96, 384]


@pytest.mark.parametrize("scale", [1.0, 0.5, 0.3, 0.1])
@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=lambda palette: palette.name)
def test_every_status_has_a_form_of_its_own(app: QApplication, scale: float, palette: Palette) -> None:
    sheet = Atlas().forms(camera(scale), palette)
    pieces = [
        sheet.pixmap.copy(code * sheet.width, 0, sheet.width, sheet.height).toImage() for code in range(codes.REMOVED)
    ]
    alike = [(a, b) for a in range(len(pieces)) for b in range(a) if pieces[a] == pieces[b]]
    assert alike == []


# ---- picture


def test_a_picture_says_what_the_facts_say() -> None:
    facts = firmware()
    facts.breakpoints.update(dict.fromkeys((facts.graph.place["release"], facts.graph.place["power_lab-b"]), -1))
    picture = picture_of(facts)
    row = {id: picture.row(number) for id, number in facts.graph.place.items()}
    assert picture.status[row["compile_ble"]] == codes.FAILED
    assert picture.badge[row["release"]] == Badge.BREAKPOINT
    assert picture.badge[row["power_lab-b"]] == Badge.HELD
    assert picture.badge[row["flash_lab-c"]] == Badge.RETRY
    assert picture.priority[row["flash_lab-c"]] == NodeMark.CRITICAL
    assert picture.priority[row["size_diff"]] == NodeMark.BACKGROUND
    kinds = {
        (picture.layout.graph.ids[a], picture.layout.graph.ids[b]): kind
        for (a, b), kind in zip(picture.edges.tolist(), picture.kind.tolist(), strict=True)
    }
    assert kinds["compile_ble", "triage_ble"] == FAILURE
    assert kinds["gate", "release"] == CONDITION
    assert kinds["soak_lab-a", "collect_logs"] == ALWAYS
    said = {pair for pair, yes in zip(kinds, picture.satisfied.tolist(), strict=True) if yes}
    assert ("compile_ble", "triage_ble") in said
    assert ("hotfix", "collect_logs") in said
    assert ("compile_ble", "unit_ble") not in said


def test_an_update_gives_what_a_new_picture_gives_and_names_what_changed() -> None:
    facts = regression()
    picture = picture_of(facts)
    ids = facts.graph.ids
    pose(facts, ids[50], codes.COMPLETED if facts.status[50] != codes.COMPLETED else codes.FAILED)
    pose(facts, ids[60], facts.status[60], priority=80)
    pose(facts, ids[70], codes.WAITING)
    facts.held.add(70)
    assert picture.update([50, 60, 70, 80, 9_999]) == [picture.row(n) for n in (50, 60, 70)]
    assert picture.update([50, 60, 70, 80]) == []
    twin = GraphRenderModel(facts, picture.layout)
    assert all((a == b).all() for a, b in zip(picture.arrays(), twin.arrays(), strict=True))


def test_a_removed_task_is_not_painted_nor_are_its_edges_until_it_comes_back() -> None:
    facts = firmware()
    picture = picture_of(facts)
    number = number_of(facts, "lint")
    row = picture.row(number)
    before = picture.linked.sum()
    status = facts.status[number]
    facts.status[number] = codes.REMOVED
    picture.update([number])
    assert picture.row(number) is None
    assert picture.linked.sum() == before - 2
    assert node_at(picture, *picture.layout.positions[row].tolist()) is None
    facts.status[number] = status
    picture.update([number])
    assert picture.linked.sum() == before


def test_locks_and_stages_are_marks_on_top() -> None:
    facts = firmware()
    picture = picture_of(facts)
    number = number_of(facts, "gate")
    picture.set_locks({number: NodeMark.LOCK_HALF, 9_999: NodeMark.LOCK_FULL})
    picture.set_stages({number: Stage.CHANGED})
    assert (picture.lock.sum(), picture.stage.sum()) == (NodeMark.LOCK_HALF, Stage.CHANGED)
    picture.set_locks({})
    picture.set_stages({})
    assert picture.lock.sum() == picture.stage.sum() == 0


def test_progress_is_known_only_where_something_is_expected() -> None:
    facts = firmware()
    assert share_done(facts, number_of(facts, "fuzz_ui"), NOW) == pytest.approx(126 / 160)
    assert share_done(facts, number_of(facts, "fuzz_ui"), NOW + 1000) == 1.0
    assert share_done(facts, number_of(facts, "bisect_ble"), NOW) is None
    assert share_done(facts, number_of(facts, "gate"), NOW) is None


# ---- what is where


def test_a_node_is_found_in_its_box_and_near_it_where_that_is_asked_for() -> None:
    picture = picture_of(firmware())
    x, y = picture.layout.positions[5].tolist()
    assert node_at(picture, x + 95, y - 31) == 5
    assert node_at(picture, x - 100, y) is None
    assert node_at(picture, x - 100, y, slack=10) == 5
    assert 5 in nodes_in(picture, x, y, x + 1, y + 1).tolist()


def test_an_edge_is_found_along_its_way() -> None:
    picture = picture_of(firmware())
    found = []
    for edge in range(len(picture.edges)):
        points = picture.layout.routes.of(edge)
        x, y = ((points[0] + 3 * points[1] + 3 * points[2] + points[3]) / 8).tolist()
        found.append(edge_at(picture, x, y, 3.0))
    assert None not in found
    assert sum(edge == place for place, edge in enumerate(found)) > 0.8 * len(found)
    assert edge_at(picture, -500, -500, 5.0) is None


def test_filters_mean_what_they_say() -> None:
    facts = firmware()
    picture = picture_of(facts)

    def meant(**wanted: Any) -> set[str]:
        return ids_of(picture, np.flatnonzero(matching(picture, Filter(**wanted))))

    assert meant(text="LAB-C") == {"flash_lab-c", "soak_lab-c"}
    assert meant(statuses=frozenset({StatusForm.FAILED})) == {"compile_ble"}
    assert meant(groups=frozenset({"licences"})) == {"coverage", "fuzz_ui"}
    assert meant(devices=frozenset({"lab-a"})) == {"flash_lab-a", "soak_lab-a"}
    assert meant(devices=frozenset({"lab-a"}), statuses=frozenset({StatusForm.RUNNING})) == {"soak_lab-a"}
    assert len(meant()) == len(picture)
    assert not Filter()


def test_a_way_between_two_places_begins_and_ends_there() -> None:
    one, other = ViewPosition(0.5, 0.0, 0.0), ViewPosition(2.0, 100.0, 50.0)
    for share, expected in ((0.0, one), (1.0, other)):
        got = between(one, other, share)
        assert (got.scale, got.x, got.y) == pytest.approx((expected.scale, expected.x, expected.y))
    assert between(one, ViewPosition(0.5, 100.0, 0.0), 0.5) == ViewPosition(0.5, 50.0, 0.0)
