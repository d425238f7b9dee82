"""The report of a run on pages: the first is a summary, the others give the reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPen

from starloom.reporting import headings, timeline
from starloom.reporting.graph import LEGIBLE, shape_words
from starloom.reporting.marks import MUTED
from starloom.reporting.report_presenter import ReportPresenter
from starloom.reporting.wrapping import bounds_of
from starloom_gui.printing.cards import FailureCard
from starloom_gui.printing.drawn import Picture
from starloom_gui.printing.first_page import FirstPage
from starloom_gui.printing.paper import HeaderFooter, Paper
from starloom_gui.printing.parts import (
    BELOW_TITLE,
    BETWEEN,
    SECTION,
    columns_of,
    device_cells,
    device_columns,
    section_title,
    two_columns,
)
from starloom_gui.printing.tables import RULE, PaperColumn, Stack, Table, Tabled, fitting, rows_of
from starloom_gui.printing.words import Face, Words, note, wide

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from PySide6.QtGui import QPainter

    from starloom.reporting.blocks import GraphGeometry
    from starloom.reporting.marks import SvgDrawing
    from starloom.reporting.report import Report
    from starloom.reporting.rows import AttemptRow, InterventionRow
    from starloom_gui.printing.paper import Block

_LEAST: Final = 60.0
"""Room that what stands below a title has to have on the same page."""
_TITLE: Final = 28.0
"""Units of a section's title, roughly."""
_ROW: Final = 25.0
"""Units of a row with one line, roughly."""
_ABOVE_GRAPH: Final = 56.0
"""Units for the title of a graph and a remark of two lines."""
_WIDE: Final = 1.2
"""How much wider than high a graph is that is seen better on a page on its side."""
_LONG: Final = 12.0
"""How much wider than high a graph is that is cut in any case."""
_LEAST_LONGEST: Final = 6
"""Rows of the slowest for which it is worth to stay on a page."""


def pages(report: Report, arrangement: GraphGeometry | None, zone: tzinfo) -> bytes:
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
    made.graph(arrangement)
    made.tables()
    made.last_graph()
    return made.paper.to_pdf(f"{made.told.title}: {made.told.state}", HeaderFooter(made.header, made.footer))


class _Maker:
    """Lays the report out on pages, part by part."""

    def __init__(self, report: Report, zone: tzinfo) -> None:
        self.report = report
        self.paper = Paper()
        self.width = self.paper.width
        self.told = ReportPresenter(report, zone, self.width)
        self._cards_told = self._devices_told = self._lanes = 0
        self._last: tuple[SvgDrawing, bool] | None = None

    # ---- every page

    def header(self, painter: QPainter, width: float, number: int) -> None:
        """Paint the header: the run and its time."""
        day = self.told.day
        right = wide(day, Face.SMALL)
        left = headings.DOCUMENT if number == 1 else f"{headings.DOCUMENT} · {self.told.title}"
        note(left, width - right - BETWEEN, most=1).paint(painter)
        painter.translate(width - right, 0)
        note(day, right + 2, most=1).paint(painter)

    def footer(self, painter: QPainter, width: float, number: int, pages: int) -> None:
        """Paint the footer: the source of the numbers, and the page number."""
        painter.setPen(QPen(RULE, 1))
        painter.drawLine(QPointF(0, -18), QPointF(width, -18))
        painter.translate(0, -12)
        note(self.told.footer, width - 100, most=1).paint(painter)
        painter.translate(width - 100, 0)
        Words(f"{number} of {pages}", 100, Face.SMALL, colour=MUTED, most=1, align=Qt.AlignmentFlag.AlignRight).paint(
            painter
        )

    def first_page(self) -> None:
        """Put page one: verdict, six numbers, timeline, failures, critical path, interventions, devices."""
        page = FirstPage(self.report, self.told.zone, self.width, self.paper.height)
        for gap, block in page.blocks:
            self.paper.put(block, gap)
        self._cards_told, self._devices_told, self._lanes = page.cards, page.devices, page.lanes

    # ---- the pages after it

    def details(self) -> None:
        """Put the timeline of each slot, the load, and the number of waiting tasks."""
        told, paper = self.told, self.paper
        if paper.count == 1 and paper.room < paper.height / 4:
            paper.turn()
        if self._lanes < sum(device.lanes for device in self.report.devices) <= timeline.MOST_LANES:
            self._figure(headings.WHEN, timeline.SLOTS, timeline.timeline(self.report, told.zone, self.width))
        self._figure(headings.BUSY, headings.busy_note(self.report.peak), told.at_once())
        if self.report.waits.longest:
            self._figure(headings.WAITED, headings.WAITED_NOTE, told.in_line())
        else:
            self.section(headings.WAITED, headings.WAITED_NOTE)
        paper.put(Words(told.wait_words, self.width), 4)

    def graph(self, arrangement: GraphGeometry | None) -> None:
        """Put the graph; if it is large or wide it comes last, on its own page, so that none before it is blank."""
        told, paper = self.told, self.paper
        if arrangement is None or not arrangement.boxes:
            return
        left, top, right, bottom = bounds_of(arrangement.boxes)
        is_small = right - left <= self.width / LEGIBLE
        is_lying = not is_small and _WIDE < (right - left) / (bottom - top) < _LONG
        width, height = paper.lying if is_lying else (self.width, paper.height)
        drawing = told.graph(arrangement, width, height - _ABOVE_GRAPH)
        if drawing is None:
            return
        is_large = drawing.height > paper.height / 2
        if is_lying or (is_large and paper.room < SECTION + _ABOVE_GRAPH + drawing.height):
            self._last = drawing, is_lying
        else:
            self._figure(headings.GRAPH, told.graph_note, drawing)

    def last_graph(self) -> None:
        """Put the graph that comes last, if there is one."""
        if self._last is None:
            return
        drawing, is_lying = self._last
        width = self.paper.lying[0] if is_lying else self.width
        self.paper.turn(is_lying=is_lying)
        self.paper.put(section_title(headings.GRAPH, self.told.graph_note, width))
        self.paper.put(Picture(drawing, width, f"{headings.GRAPH}. {shape_words(self.report)}"), BELOW_TITLE)

    def tables(self) -> None:
        """Put the tables: other failures, slowest and longest waiting tasks, interventions, devices, environment."""
        told = self.told
        self._failures()
        self._longest()
        self._warnings()
        self._lines(headings.INTERVENTIONS, "", told.interventions, told.interventions_left)
        if told.refusals:
            self._lines(headings.REFUSALS, headings.REFUSALS_NOTE, told.refusals, told.refusals_left)
        self._agents()
        if len(self.report.devices) > self._devices_told:
            left = headings.more_elsewhere(told.devices_left) if told.devices_left else ""
            rows = map(device_cells, told.devices)
            self._table(headings.ALL_DEVICES, "", Table(device_columns(self.width), rows, left))
        name = fitting((name for name, _ in told.environment), 260)
        columns = [PaperColumn("", name, is_quiet=True), PaperColumn("", self.width - name)]
        environment = Tabled(rows_of(columns, told.environment))
        self.section(headings.ENVIRONMENT, "", environment.height)
        self.paper.put(environment)

    def _longest(self) -> None:
        """Put the slowest and the longest waiting tasks beside each other: as many as fit on the page, unless few."""
        told, paper = self.told, self.paper
        room = int((paper.room - SECTION - _TITLE) / _ROW)
        most = room if room >= _LEAST_LONGEST else max(len(told.slowest), len(told.waits))

        def slowest(width: float) -> Block:
            return _attempts(headings.SLOWEST, told.slowest[:most], headings.NOTHING_RAN, width)

        def waits(width: float) -> Block:
            return _attempts(headings.WAITED_LONGEST, told.waits[:most], headings.NONE_WAITED, width)

        paper.put(two_columns(self.width, slowest, waits), SECTION)

    def _warnings(self) -> None:
        told = self.report.warnings
        if not told:
            return
        rows = [[self.told.clock(one.at), self.told.names[one.task], one.message] for one in told]
        widths = (90, 180)
        columns = list(map(PaperColumn, headings.OF_WARNINGS, (*widths, self.width - sum(widths))))
        left = self.report.warning_count - len(rows)
        self._table(
            headings.WARNINGS,
            headings.WARNINGS_NOTE,
            Table(columns, rows, headings.more_elsewhere(left) if left else ""),
        )

    def _lines(self, title: str, remark: str, lines: Sequence[InterventionRow], left: int) -> None:
        """Put interventions as a table, with the number of those left out."""
        if not lines:
            self.section(title, remark)
            self.paper.put(note(headings.NO_INTERVENTIONS, self.width))
            return
        when, by, what, reason = headings.OF_INTERVENTIONS
        at, who = fitting([when, *(one.at for one in lines)], 90), fitting([by, *(one.who for one in lines)], 130)
        why = (self.width - at - who) * 0.4
        columns = [
            PaperColumn(when, at, is_quiet=True),
            PaperColumn(by, who),
            PaperColumn(what, self.width - at - who - why),
            PaperColumn(reason, why, is_quiet=True),
        ]
        rows = [[one.at, one.who, one.what, one.remarks] for one in lines]
        self._table(title, remark, Table(columns, rows, headings.more_elsewhere(left) if left else ""))

    def _agents(self) -> None:
        rows, used = self.told.agents, self.report.usage.words
        if used:
            said = note(used, self.width)
            self.section(headings.AGENTS, least=said.height)
            self.paper.put(said)
        if not rows:
            return
        widths = (70, 130, 70, 70, 180, 110)
        columns = columns_of(headings.OF_AGENTS, (self.width - sum(widths), *widths))
        self._table(
            headings.AGENTS, headings.AGENTS_NOTE, Table(columns, [list(row) for row in rows], self.told.cycle_words)
        )

    # ---- parts

    def section(self, title: str, remark: str = "", least: float = _LEAST) -> None:
        """Begin a section: its title, and a remark at the right; not alone at the foot of a page.

        Args:
            title: of the section.
            remark: how to read it; empty: nothing.
            least: how much room its beginning needs below the title, in units.
        """
        head = section_title(title, remark, self.width)
        self.paper.need(SECTION + head.height + BELOW_TITLE + least)
        self.paper.put(head, SECTION)
        self.paper.skip(BELOW_TITLE)

    def _table(self, title: str, remark: str, table: Table) -> None:
        self.section(title, remark, table.least)
        table.put_on(self.paper)

    def _figure(self, title: str, remark: str, drawing: SvgDrawing) -> None:
        picture = Picture(drawing, self.width, f"{title}: {remark}.")
        self.section(title, remark, picture.height)
        self.paper.put(picture)

    def _failures(self) -> None:
        """Put the cards that page one has no room for, or shows shortened."""
        told = self.told
        cards = [*told.first_failures, *told.more_failures][self._cards_told :]
        if not cards:
            return
        made: list[Block] = [FailureCard(card, self.width) for card in cards]
        if told.failures_left > 0:
            left = note(headings.more_failed_elsewhere(told.failures_left), self.width)
            made.append(Stack([(0, made.pop()), (4, left)]))
        title = headings.FAILED_BESIDES if self._cards_told else headings.FAILED_IN_FULL
        self.section(title, "", min(made[0].height, self.paper.height - 60))
        for place, card in enumerate(made):
            self.paper.put(card, 10 if place else 0)


def _attempts(title: str, rows: Sequence[AttemptRow], nothing: str, width: float) -> Block:
    head = Words(title, width, Face.SECTION)
    if not rows:
        return Stack([(0, head), (BELOW_TITLE, note(nothing, width))])
    time, at = fitting((row.took for row in rows), 90), fitting((row.at for row in rows), 90)
    device = fitting((row.device for row in rows), 120)
    columns = [
        PaperColumn("", width - device - at - time, most=1),
        PaperColumn("", device, most=1),
        PaperColumn("", at, is_quiet=True),
        PaperColumn("", time, is_right=True),
    ]
    made = rows_of(columns, [[row.name, row.device, row.at, row.took] for row in rows])
    return Stack([(0, head), (BELOW_TITLE, Tabled(made))])
