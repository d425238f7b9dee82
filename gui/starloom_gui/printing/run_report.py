"""The report of a run on pages: the first one is enough for a manager, the others are for whoever wants to know why."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPen

from starloom.reporting import headings
from starloom.reporting.marks import MUTED, TEXT, Drawing
from starloom.reporting.telling import Card, Telling
from starloom_gui.printing.cards import Failed, Lowered, Numbers
from starloom_gui.printing.drawn import Picture, badge
from starloom_gui.printing.paper import Edges, Paper
from starloom_gui.printing.tables import (
    RULE,
    Bad,
    Beside,
    Column,
    Pair,
    Row,
    Share,
    Stack,
    fitting,
    put_table,
    rows_of,
)
from starloom_gui.printing.words import BAD, Face, Words, note, wide

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import tzinfo

    from PySide6.QtGui import QPainter

    from starloom.reporting.blocks import Arrangement
    from starloom.reporting.report import Report
    from starloom.reporting.telling import AttemptRow, DeviceRow, Line
    from starloom_gui.printing.paper import Block
    from starloom_gui.printing.tables import Cell

_SECTION: Final = 22.0
"""Above a section's title."""
_BETWEEN: Final = 32.0
"""Between two columns."""
_LEAST: Final = 60.0
"""Room that what stands below a title has to have on the same page."""


def pages(report: Report, arrangement: Arrangement | None, zone: tzinfo) -> bytes:
    """The report as a PDF of A4 pages.

    Args:
        report: what is told.
        arrangement: where the tasks of the graph stand; None: without the graph.
        zone: whose clock it shows.

    Raises:
        StarloomError: Qt cannot write it.
    """
    made = _Maker(report, zone)
    made.first_page()
    made.details()
    lying = made.graph(arrangement)
    made.tables()
    if lying is not None:
        made.lying_graph(lying)
    return made.paper.to_pdf(f"{made.told.title}: {made.told.state}", Edges(made.header, made.footer))


class _Maker:
    """Puts the report on paper, part by part."""

    def __init__(self, report: Report, zone: tzinfo) -> None:
        self.report = report
        self.paper = Paper()
        self.width = self.paper.width
        self.told = Telling(report, zone, self.width)

    # ---- every page

    def header(self, painter: QPainter, width: float, number: int) -> None:
        """What run it is, and of when."""
        day = self.told.day
        right = wide(day, Face.SMALL)
        left = headings.DOCUMENT if number == 1 else f"{headings.DOCUMENT} · {self.told.title}"
        note(left, width - right - _BETWEEN, most=1).paint(painter)
        painter.translate(width - right, 0)
        note(day, right + 2, most=1).paint(painter)

    def footer(self, painter: QPainter, width: float, number: int, pages: int) -> None:
        """Where the numbers come from, and which page of how many it is."""
        painter.setPen(QPen(RULE, 1))
        painter.drawLine(QPointF(0, -18), QPointF(width, -18))
        painter.translate(0, -12)
        note(self.told.footer, width - 100, most=1).paint(painter)
        painter.translate(width - 100, 0)
        Words(f"{number} of {pages}", 100, Face.SMALL, colour=MUTED, most=1, align=Qt.AlignmentFlag.AlignRight).paint(
            painter
        )

    # ---- page one

    def first_page(self) -> None:
        """Verdict, six numbers, timeline, what failed, what decided the finish, who steered, devices."""
        paper, told = self.paper, self.told
        paper.put(Words(told.title, self.width, Face.TITLE, most=3))
        colour = BAD if told.is_bad else TEXT
        paper.put(Beside([(0, Lowered(badge(told.badge, 20), 1)), (28, self._verdict(colour))]), 8)
        paper.put(Words(self.report.verdict, self.width, Face.LEAD, most=8), 4)
        paper.put(Numbers(told.numbers, self.width), 14)
        paper.put(Picture(told.ended_bar(), self.width), 14)
        paper.put(self._legend(), 6)
        self.section(headings.WHEN, told.timeline_note, least=120)
        self._picture(told.timeline()) if self.report.attempts else self._remark(headings.NOTHING_RAN)
        self._failures(headings.FAILED, told.first_failures, is_brief=self.report.counts.failed > 1)
        left = self.report.counts.failed - len(told.first_failures)
        if told.first_failures and left > 0:
            self._remark(headings.more_failed(left))
        self._two(self._decided, self._steered)
        self.section(headings.DEVICES)
        self._devices(told.busiest)
        if len(told.devices) > len(told.busiest):
            self._remark(headings.busiest(len(told.devices) - len(told.busiest)))

    def _verdict(self, colour: str) -> Words:
        return Words(self.told.state, self.width - 28, Face.VERDICT, colour=colour)

    def _legend(self) -> Block:
        parts: list[tuple[float, Block]] = []
        left = 0.0
        for status, words in self.told.legend:
            said = Words(words, 200, most=1)
            parts += [(left, Lowered(badge(status), 1)), (left + 24, said)]
            left += 24 + said.width + 24
        return Beside(parts)

    def _decided(self, width: float) -> Block:
        blocks: list[tuple[float, Block]] = [(0, Words(headings.DECIDED, width, Face.SECTION))]
        time = fitting((step.took for step in self.told.steps), 90)
        columns = [Column("", width - 80 - time), Column("", 80), Column("", time, is_right=True)]
        cells: list[list[Cell]] = [
            [f"{step.name} · {step.waited}" if step.waited else step.name, Share(step.share), step.took]
            for step in self.told.steps
        ]
        blocks += [(6 if not place else 0, row) for place, row in enumerate(rows_of(columns, cells, is_ruled=False))]
        said = self.told.steps_left if cells else headings.NOTHING_RAN
        return Stack([*blocks, (4, note(said, width))] if said else blocks)

    def _steered(self, width: float) -> Block:
        blocks: list[tuple[float, Block]] = [(0, Words(headings.STEERED, width, Face.SECTION))]
        rows = self._people(self.told.steered, width)
        below = accumulate(row.height for row in rows)  # long reasons must not push it off the page
        shown = [row for row, bottom in zip(rows, below, strict=True) if bottom <= self.paper.height / 2]
        blocks += [(6 if not place else 0, row) for place, row in enumerate(shown)]
        left = self.told.steered_left + len(rows) - len(shown)
        said = headings.more_below(left) if left else ""
        if not self.told.steered:
            said = headings.NOBODY_STEERED
        return Stack([*blocks, (4, note(said, width))] if said else blocks)

    def _people(self, lines: Sequence[Line], width: float) -> list[Row]:
        at, who = fitting((one.at for one in lines), 90), fitting((one.who for one in lines), 110)
        columns = [Column("", at, is_quiet=True), Column("", who), Column("", width - at - who)]
        return rows_of(columns, [[one.at, one.who, Pair(one.what, one.why)] for one in lines], is_ruled=False)

    # ---- the pages after it

    def details(self) -> None:
        """How busy it was, how many waited."""
        told, paper = self.told, self.paper
        if paper.count == 1:  # else the first part goes on over several, and there is no page to keep for it
            paper.turn()
        busy = headings.busy_note(self.report.peak)
        self.section(headings.BUSY, busy, least=130)
        self._picture(told.at_once())
        self.section(headings.WAITED, headings.WAITED_NOTE, least=130)
        if self.report.waits.longest:
            self._picture(told.in_line())
        paper.put(Words(told.wait_words, self.width), 4)

    def graph(self, arrangement: Arrangement | None) -> Drawing | None:
        """The graph; returned instead if it is seen better on a page on its side, which then comes last."""
        told, paper = self.told, self.paper
        above = 40.0
        lying, across = paper.lying
        upright = told.graph(arrangement, self.width, paper.height - above)
        turned = told.graph(arrangement, lying, across - above)
        if upright is None or turned is None:
            return None
        if _size(turned) > 1.3 * _size(upright) and upright.height < paper.height / 2:
            return turned
        self.section(headings.GRAPH, told.graph_note, least=upright.height + 10)
        self._picture(upright)
        return None

    def lying_graph(self, drawing: Drawing) -> None:
        """The graph on a page on its side."""
        wide, _ = self.paper.lying
        self.paper.turn(is_lying=True)
        self.section(headings.GRAPH, self.told.graph_note, width=wide, least=0)
        self.paper.put(Picture(drawing, wide), 6)

    def tables(self) -> None:
        """What failed besides, the slowest, who waited, all interventions, all devices, the environment."""
        told = self.told
        self._failures(headings.FAILED_BESIDES, told.more_failures, is_brief=False)
        if told.more_failures and told.failures_left > 0:
            self._remark(headings.more_failed_elsewhere(told.failures_left))
        self._two(
            lambda width: _attempts(headings.SLOWEST, told.slowest, headings.NOTHING_RAN, width),
            lambda width: _attempts(headings.WAITED_LONGEST, told.waits, headings.NONE_WAITED, width),
        )
        self._interventions()
        self._agents()
        if len(told.devices) > len(told.busiest):
            self.section(headings.ALL_DEVICES)
            self._devices(told.devices)
            if told.devices_left:
                self._remark(headings.more_elsewhere(told.devices_left))
        self.section(headings.ENVIRONMENT)
        name = fitting((name for name, _ in told.environment), 260)
        columns = [Column("", name, is_quiet=True), Column("", self.width - name)]
        for row in rows_of(columns, told.environment):
            self.paper.put(row)

    def _interventions(self) -> None:
        lines = self.told.interventions
        self.section(headings.INTERVENTIONS)
        if not lines:
            self._remark(headings.NO_INTERVENTIONS)
            return
        when, by, what, reason = headings.OF_INTERVENTIONS
        at, who = fitting([when, *(one.at for one in lines)], 90), fitting([by, *(one.who for one in lines)], 130)
        why = (self.width - at - who) * 0.4
        columns = [
            Column(when, at, is_quiet=True),
            Column(by, who),
            Column(what, self.width - at - who - why),
            Column(reason, why, is_quiet=True),
        ]
        put_table(self.paper, columns, [list(one) for one in lines])
        left = len(self.report.interventions) - len(lines)
        if left:
            self._remark(headings.more_elsewhere(left))

    def _agents(self) -> None:
        rows = self.told.agents
        if not rows:
            return
        self.section(headings.AGENTS, headings.AGENTS_NOTE)
        widths = (70, 130, 70, 70, 180, 110)
        columns = _columns(headings.OF_AGENTS, (self.width - sum(widths), *widths))
        put_table(self.paper, columns, [list(row) for row in rows])

    # ---- parts

    def section(self, title: str, remark: str = "", *, width: float | None = None, least: float = _LEAST) -> None:
        """Begin a section: its title, and a remark at the right; not alone at the foot of a page."""
        across = width or self.width
        head = Words(title, across, Face.SECTION)
        self.paper.need(_SECTION + head.height + least)
        right = Words(
            remark, across - head.width - 24, Face.SMALL, colour=MUTED, align=Qt.AlignmentFlag.AlignRight, most=2
        )
        parts: list[tuple[float, Block]] = [(0, head)]
        if remark:
            parts.append((head.width + 24, Lowered(right, 3 if len(right.lines) == 1 else 0)))
        self.paper.put(Beside(parts), _SECTION)
        self.paper.skip(6)

    def _picture(self, drawing: Drawing) -> None:
        self.paper.put(Picture(drawing, self.width))

    def _remark(self, text: str) -> None:
        self.paper.put(note(text, self.width), 4)

    def _failures(self, title: str, cards: Sequence[Card], *, is_brief: bool) -> None:
        if not cards:
            return
        first, *others = (Failed(card, self.width, is_brief=is_brief) for card in cards)
        self.section(title, least=min(first.height, self.paper.height - 60))
        self.paper.put(first)
        for card in others:
            self.paper.put(card, 10)

    def _two(self, left: Callable[[float], Block], right: Callable[[float], Block]) -> None:
        width = (self.width - _BETWEEN) / 2
        self.paper.put(Beside([(0, left(width)), (width + _BETWEEN, right(width))]), _SECTION)

    def _devices(self, rows: Sequence[DeviceRow]) -> None:
        widths = (70, 120, 60, 80, 70, 160)
        device, slots, busy, *others = headings.OF_DEVICES
        columns = _columns((device, slots, busy, "", *others), (self.width - sum(widths), *widths))
        put_table(self.paper, columns, [_device_cells(row) for row in rows])


def _columns(heads: Sequence[str], widths: Sequence[float]) -> list[Column]:
    """Columns of these widths; the last one is that of the figure to compare."""
    *others, last = zip(heads, widths, strict=True)
    return [*(Column(head, width) for head, width in others), Column(*last, is_right=True)]


def _size(drawing: Drawing) -> float:
    return drawing.width * drawing.height


def _device_cells(row: DeviceRow) -> list[Cell]:
    failed: Cell = Bad(f"{row.failed:,}") if row.failed else "0"
    return [row.name, row.slots, Share(row.share), row.busy, row.attempts, failed, row.wait]


def _attempts(title: str, rows: Sequence[AttemptRow], nothing: str, width: float) -> Block:
    head = Words(title, width, Face.SECTION)
    if not rows:
        return Stack([(0, head), (6, note(nothing, width))])
    time, at = fitting((row.took for row in rows), 90), fitting((row.at for row in rows), 90)
    device = fitting((row.device for row in rows), 120)
    columns = [
        Column("", width - device - at - time),
        Column("", device),
        Column("", at, is_quiet=True),
        Column("", time, is_right=True),
    ]
    made = rows_of(columns, [[row.name, row.device, row.at, row.took] for row in rows])
    return Stack([(0, head), *((6 if not place else 0, row) for place, row in enumerate(made))])
