"""Parts that page one and the pages after it have in common: titles of sections, two columns, rows of devices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt

from starloom.reporting import headings
from starloom.reporting.marks import MUTED
from starloom_gui.printing.cards import Lowered
from starloom_gui.printing.tables import Bad, PaperColumn, Share, SideBySide
from starloom_gui.printing.words import Face, Words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starloom.reporting.rows import DeviceUsageRow
    from starloom_gui.printing.paper import Block
    from starloom_gui.printing.tables import Cell

SECTION: Final = 20.0
"""Units above a section's title."""
BELOW_TITLE: Final = 6.0
BETWEEN: Final = 32.0
"""Units between two columns."""


def section_title(title: str, remark: str, width: float) -> Block:
    """The title of a section, and a remark at the right.

    Args:
        title: what the section is called.
        remark: how to read it; empty: nothing.
        width: of the whole, in units.
    """
    head = Words(title, width, Face.SECTION)
    parts: list[tuple[float, Block]] = [(0, head)]
    if remark:
        room = width - head.width - 24
        right = Words(remark, room, Face.SMALL, colour=MUTED, align=Qt.AlignmentFlag.AlignRight, most=2)
        parts.append((head.width + 24, Lowered(right, 3 if len(right.lines) == 1 else 0)))
    return SideBySide(parts)


def two_columns(width: float, left: Callable[[float], Block], right: Callable[[float], Block]) -> Block:
    """Two blocks beside each other.

    Args:
        width: of both, in units.
        left: makes the left one, by its width.
        right: likewise.
    """
    each = (width - BETWEEN) / 2
    return SideBySide([(0, left(each)), (each + BETWEEN, right(each))])


def columns_of(heads: Sequence[str], widths: Sequence[float]) -> list[PaperColumn]:
    """Columns of these widths; the last one holds the figure to compare."""
    *others, last = zip(heads, widths, strict=True)
    return [*(PaperColumn(head, width) for head, width in others), PaperColumn(*last, is_right=True)]


def device_columns(width: float) -> list[PaperColumn]:
    """The columns of a table of devices, `width` units wide."""
    widths = (70, 120, 60, 80, 70, 160)
    device, slots, busy, *others = headings.OF_DEVICES
    return columns_of((device, slots, busy, "", *others), (width - sum(widths), *widths))


def device_cells(row: DeviceUsageRow) -> list[Cell]:
    """The cells of a device."""
    failed: Cell = Bad(f"{row.failed:,}") if row.failed else "0"
    return [row.name, row.slots, Share(row.share), row.busy, row.attempts, failed, row.wait]
