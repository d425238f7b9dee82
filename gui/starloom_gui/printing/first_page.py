"""Page one of a report: verdict, numbers, timeline, failures, what decided, who steered, devices; all on one page.

How much each part has depends on how much room there is: the most generous detail whose parts fit is taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from starloom.reporting import headings
from starloom.reporting.marks import TEXT
from starloom.reporting.report_presenter import ReportPresenter
from starloom_gui.printing.cards import FailureCard, Lowered, Numbers
from starloom_gui.printing.drawn import Picture, badge
from starloom_gui.printing.parts import BELOW_TITLE, device_cells, device_columns, section_title, two_columns
from starloom_gui.printing.tables import (
    DENSE,
    PaperColumn,
    RemarkedCell,
    Share,
    SideBySide,
    Stack,
    Tabled,
    fitting,
    rows_of,
)
from starloom_gui.printing.words import BAD, Face, Words, note

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import tzinfo

    from starloom.reporting.report import Report
    from starloom.reporting.rows import FailureRow, InterventionRow
    from starloom_gui.printing.paper import Block
    from starloom_gui.printing.tables import Cell

_LANES: Final = (28, 16, 0)
"""Slots that the timeline has a row for, the most that may fit first; with more slots it has a row a device."""
_SECTION: Final = 16.0
"""Units above a section's title."""


class Detail(NamedTuple):
    """The number of rows that page one has of each part.

    Attributes:
        cards: failed tasks.
        lines: of the output of each; None: all that is kept.
        steps: attempts of the critical path.
        steered: interventions.
        has_reasons: whether the reasons of these stand on lines of their own.
        devices: rows.
    """

    cards: int
    lines: int | None
    steps: int
    steered: int
    has_reasons: bool
    devices: int


_DETAILS: Final = (
    Detail(2, None, 10, 8, True, 8),
    Detail(2, 6, 10, 8, True, 8),
    Detail(2, 6, 10, 8, False, 8),
    Detail(2, 4, 9, 8, False, 8),
    Detail(2, 3, 8, 7, False, 8),
    Detail(2, 3, 7, 6, False, 6),
    Detail(2, 2, 6, 5, False, 5),
    Detail(1, 3, 6, 5, False, 5),
    Detail(1, 2, 5, 4, False, 4),
    Detail(1, 1, 4, 3, False, 3),
    Detail(1, 0, 3, 2, False, 3),
)


class FirstPage:
    """The blocks of page one.

    Args:
        report: what is told.
        zone: whose clock it shows.
        width: of the page's content, in units.
        height: likewise.

    Attributes:
        blocks: the parts from the top down, each with the gap to the one above it.
        cards: how many failed tasks have a card that leaves nothing out; the others' are for the pages after it.
        devices: how many devices have a row.
        lanes: up to how many slots the timeline would have a row for each.
    """

    def __init__(self, report: Report, zone: tzinfo, width: float, height: float) -> None:
        self._width = width
        for self.lanes in _LANES:
            self._told = ReportPresenter(report, zone, width, self.lanes)
            if self._fits(height):
                break

    def _fits(self, height: float) -> bool:
        """Make the blocks with as much detail as fits; returns whether any does."""
        above = list(self._verdict())
        for detail in _DETAILS:
            self.cards = self.devices = 0
            self.blocks = [*above, *self._below(detail)]
            if sum(gap + block.height for gap, block in self.blocks) <= height:
                return True
        return False

    # ---- what is always the same

    def _verdict(self) -> Iterator[tuple[float, Block]]:
        told, width = self._told, self._width
        yield 0, Words(told.title, width, Face.TITLE, most=2)
        state = Words(told.state, width - 28, Face.VERDICT, colour=BAD if told.is_bad else TEXT)
        yield 8, SideBySide([(0, Lowered(badge(told.badge, 20), 1)), (28, state)])
        yield 4, Words(told.report.verdict, width, Face.LEAD, most=6)
        yield 14, Numbers(told.numbers, width)
        yield 14, Picture(told.ended_bar(), width)
        yield 6, self._legend()
        yield _SECTION, section_title(headings.WHEN, told.timeline_note, width)
        if told.report.attempts:
            yield BELOW_TITLE, Picture(told.timeline(), width, f"{headings.WHEN}: {told.timeline_note}.")
        else:
            yield BELOW_TITLE, note(headings.NOTHING_RAN, width)

    def _legend(self) -> Block:
        parts: list[tuple[float, Block]] = []
        left = 0.0
        for status, words in self._told.legend:
            said = Words(words, 200, most=1)
            parts += [(left, Lowered(badge(status), 1)), (left + 24, said)]
            left += 24 + said.width + 24
        return SideBySide(parts)

    # ---- what there is as much of as fits

    def _below(self, detail: Detail) -> Iterator[tuple[float, Block]]:
        told, width = self._told, self._width
        yield from self._failures([*told.first_failures, *told.more_failures][: detail.cards], detail.lines)
        yield (
            _SECTION,
            two_columns(width, lambda wide: self._decided(wide, detail), lambda wide: self._steered(wide, detail)),
        )
        rows = told.busiest_of(detail.devices)
        self.devices = len(rows)
        if rows:
            columns = [column._replace(most=1) for column in device_columns(width)]
            table = Tabled(rows_of(columns, map(device_cells, rows), pad=DENSE))
            left = len(told.report.devices) - len(rows)
            more: list[tuple[float, Block]] = [(4, note(headings.busiest(left), width))] if left else []
            yield _SECTION, Stack([(0, section_title(headings.DEVICES, "", width)), (0, table), *more])

    def _failures(self, cards: Sequence[FailureRow], lines: int | None) -> Iterator[tuple[float, Block]]:
        if not cards:
            return
        told, width = self._told, self._width
        yield _SECTION, section_title(headings.FAILED, "", width)
        for place, card in enumerate(cards):
            made = FailureCard(card, width, lines)
            self.cards += not made.is_cut and self.cards == place
            yield BELOW_TITLE if not place else 10, made
        left = told.report.counts.failed - sum(card.alike for card in cards)
        if left > 0:
            yield 4, note(headings.more_failed(left), width)

    def _decided(self, width: float, detail: Detail) -> Block:
        steps = self._told.longest_steps(detail.steps)
        head = Words(headings.DECIDED, width, Face.SECTION)
        if not steps:
            return Stack([(0, head), (BELOW_TITLE, note(headings.NOTHING_RAN, width))])
        time = fitting((step.took for step in steps), 90)
        columns = [PaperColumn("", width - 80 - time), PaperColumn("", 80), PaperColumn("", time, is_right=True)]
        cells: list[list[Cell]] = [
            [f"{step.name} · {step.waited}" if step.waited else step.name, Share(step.share), step.took]
            for step in steps
        ]
        rows = Tabled(rows_of(columns, cells, is_ruled=False, pad=DENSE))
        left = self._told.left_of_steps(detail.steps)
        return Stack([(0, head), (BELOW_TITLE, rows), *([(4, note(left, width))] if left else [])])

    def _steered(self, width: float, detail: Detail) -> Block:
        head = Words(headings.STEERED, width, Face.SECTION)
        lines = self._told.steered[: detail.steered]
        if not lines:
            return Stack([(0, head), (BELOW_TITLE, note(headings.NOBODY_STEERED, width))])
        at, who = fitting((one.at for one in lines), 90), fitting((one.who for one in lines), 110)
        columns = [PaperColumn("", at, is_quiet=True), PaperColumn("", who, most=1), PaperColumn("", width - at - who)]
        columns[-1] = columns[-1]._replace(most=2 if detail.has_reasons else 1)
        if detail.has_reasons:
            cells: list[list[Cell]] = [[one.at, one.who, RemarkedCell(one.what, one.remarks)] for one in lines]
        else:
            cells = [[one.at, one.who, _in_brief(one)] for one in lines]
        blocks: list[tuple[float, Block]] = [(0, head)]
        blocks.append((BELOW_TITLE, Tabled(rows_of(columns, cells, is_ruled=False, pad=DENSE))))
        left = self._told.steered_left + len(self._told.steered) - len(lines)
        if left:
            blocks.append((4, note(headings.more_below(left), width)))
        return Stack(blocks)


def _in_brief(line: InterventionRow) -> str:
    """An intervention in one line: of several edits their number, and the reason if one was given."""
    many, colon, _ = line.what.partition(": ")
    return f"{many}: {line.why}" if colon and line.why and many.endswith(" edits") else line.what
