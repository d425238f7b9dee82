"""Pages: blocks stacked from the top down, each whole on one page; painted once their number is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF
from PySide6.QtGui import QPageLayout, QPageSize, QPdfWriter

from starloom.errors import StarloomError
from starloom_gui.printing.structure import StructurePainter, decoration
from starloom_gui.printing.tagged_pdf import tagged

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QPainter

WIDTH: Final = 900.0
"""Of a page on its feet, in units; its fonts are sized in them too."""
MARGIN: Final = 60.0
_HEAD: Final = 26.0
"""Units from the upper margin to the first block; the header stands in them."""
_FOOT: Final = 26.0
_DPI: Final = 1200


class Block(Protocol):
    """The protocol of a block, which is printed from its upper left corner."""

    @property
    def height(self) -> float:
        """The height of the block, in units."""
        ...

    def paint(self, painter: QPainter) -> None:
        """Paint it with the painter's origin in its upper left corner."""
        ...


class HeaderFooter(NamedTuple):
    """The header and the footer of each page."""

    header: Callable[[QPainter, float, int], None]
    """Is given the width of the content and the page's number from 1."""
    footer: Callable[[QPainter, float, int, int], None]
    """Is given the width, the page's number and how many pages there are."""


class _Boundary:
    """The begin or end of an element of the document's structure; a block without height."""

    height = 0.0

    def __init__(self, role: str) -> None:
        self._role = role

    def paint(self, painter: QPainter) -> None:
        """Begin an element of this role, or without one end the element that was begun last."""
        if isinstance(painter, StructurePainter):
            painter.begin_element(self._role) if self._role else painter.end_element()


class _Page:
    """One page: its blocks and their positions."""

    def __init__(self, *, is_lying: bool) -> None:
        self.is_lying = is_lying
        self.placed: list[tuple[float, float, Block]] = []
        self.used = 0.0


class Paper:
    """A stack of A4 pages that grows at its end."""

    def __init__(self) -> None:
        long = WIDTH * 297 / 210
        self.width = WIDTH - 2 * MARGIN
        self.height = long - 2 * MARGIN - _HEAD - _FOOT
        self.lying = (long - 2 * MARGIN, WIDTH - 2 * MARGIN - _HEAD - _FOOT)
        """Width and height of what fits on a page on its side."""
        self._pages = [_Page(is_lying=False)]

    @property
    def count(self) -> int:
        """The number of pages so far."""
        return len(self._pages)

    @property
    def room(self) -> float:
        """The height that is left on the page, in units."""
        page = self._pages[-1]
        return (self.lying[1] if page.is_lying else self.height) - page.used

    def turn(self, *, is_lying: bool = False) -> None:
        """Begin a new page, unless this one is empty and has the wanted orientation."""
        if self._pages[-1].used:
            self._pages.append(_Page(is_lying=is_lying))
        else:
            self._pages[-1].is_lying = is_lying

    def need(self, height: float) -> bool:
        """Begin a new page unless so much height is left; returns whether one was begun."""
        if self.room >= height or not self._pages[-1].used:
            return False
        self.turn()
        return True

    def put(self, block: Block, gap: float = 0.0) -> None:
        """Put a block below the others, on the next page if this one has no room for all of it.

        Args:
            block: what it is.
            gap: to the block above it; none at the top of a page.
        """
        page = self._pages[-1]
        if self.room < gap + block.height and page.used:
            self.turn()
            page = self._pages[-1]
        top = page.used + gap if page.used else 0.0
        page.placed.append((0.0, top, block))
        page.used = top + block.height

    def begin(self, role: str) -> None:
        """Begin an element of the document's structure: it contains the blocks that are put until `end`."""
        self._bound(_Boundary(role))

    def end(self) -> None:
        """End the element that was begun last."""
        self._bound(_Boundary(""))

    def _bound(self, boundary: _Boundary) -> None:
        page = self._pages[-1]
        page.placed.append((0.0, page.used, boundary))

    def skip(self, gap: float) -> None:
        """Leave some room below the last block."""
        if self._pages[-1].used:
            self._pages[-1].used += gap

    def to_pdf(self, title: str, edges: HeaderFooter) -> bytes:
        """The pages as a tagged PDF.

        Args:
            title: of the document.
            edges: what stands above and below each page.

        Raises:
            StarloomError: Qt cannot write it.
        """
        pages = [page for page in self._pages if page.placed]
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        writer = QPdfWriter(buffer)
        writer.setTitle(title)
        writer.setCreator("Starloom")
        writer.setResolution(_DPI)
        writer.setPageLayout(_layout(is_lying=bool(pages) and pages[0].is_lying))
        painter = StructurePainter()
        if not painter.begin(writer):
            raise StarloomError("The pages could not be painted. This is a defect.")
        try:
            _paint(painter, writer, pages, edges)
        finally:
            painter.end()
        return tagged(bytes(buffer.data().data()), painter.document, painter.marks, _DPI)


def _paint(painter: StructurePainter, writer: QPdfWriter, pages: Sequence[_Page], edges: HeaderFooter) -> None:
    for number, page in enumerate(pages, 1):
        if number > 1:
            writer.setPageLayout(_layout(is_lying=page.is_lying))
            writer.newPage()
        painter.page = number - 1
        across = writer.width() / (WIDTH * 297 / 210 if page.is_lying else WIDTH)
        painter.resetTransform()
        painter.scale(across, across)
        painter.translate(MARGIN, MARGIN)
        wide, high = (writer.width() / across - 2 * MARGIN, writer.height() / across - 2 * MARGIN)
        with decoration(painter):
            painter.save()
            edges.header(painter, wide, number)
            painter.restore()
            painter.save()
            painter.translate(0, high)
            edges.footer(painter, wide, number, len(pages))
            painter.restore()
        for x, y, block in page.placed:
            painter.save()
            painter.translate(x, _HEAD + y)
            block.paint(painter)
            painter.restore()


def _layout(*, is_lying: bool) -> QPageLayout:
    way = QPageLayout.Orientation.Landscape if is_lying else QPageLayout.Orientation.Portrait
    return QPageLayout(QPageSize(QPageSize.PageSizeId.A4), way, QMarginsF(0, 0, 0, 0))
