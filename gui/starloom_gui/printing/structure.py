"""The structure of pages: headings, paragraphs, tables, figures; recorded while they are painted.

Qt writes PDF without a structure tree, and nothing of ours can be put into what it writes but marks that it paints. So
each part is painted between two marks: squares far outside of the page, each with a number of its own, which
`tagged_pdf` then replaces by the operators that begin and end tagged content.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

if TYPE_CHECKING:
    from collections.abc import Iterator

MARK: Final = QRectF(-10_000, -3_000, 7, 7)
"""In units of the paper's resolution; the mark number n stands n further left."""


class Content(NamedTuple):
    """Tagged content of a page.

    Attributes:
        page: the page's number from 0.
        begin: the number of the mark before it; that of the mark behind it is the next one.
    """

    page: int
    begin: int


@dataclass(slots=True, eq=False)
class Element:
    """An element of the structure tree.

    Attributes:
        role: its type as PDF names it: Document, H1, P, Table, TR, TH, TD, Figure…
        alt: what a figure shows, in words.
        scope: of a TH: Column or Row; empty: it is none.
        said: its text, part by part.
        top: how far down the page a heading stands, in units of the paper's resolution.
        kids: elements and content within it, in the order in which they are read.
    """

    role: str
    alt: str = ""
    scope: str = ""
    said: list[str] = field(default_factory=list)
    top: float = 0.0
    kids: list[Element | Content] = field(default_factory=list)


class StructurePainter(QPainter):
    """A painter of pages that records the structure of its content.

    Attributes:
        document: the root of the structure tree.
        page: the number of the page that is painted, from 0.
        marks: how many marks were painted.
    """

    def __init__(self) -> None:
        super().__init__()
        self.document = Element("Document")
        self.page = 0
        self.marks = 0
        self._open = [self.document]
        self._element: Element | None = None
        self._is_settled = False

    @property
    def is_settled(self) -> bool:
        """Whether the present painting already belongs to one element, or is decoration of the page."""
        return self._is_settled

    def begin_element(self, role: str) -> None:
        """Begin an element that contains elements; it stays open over pages until `end_element`."""
        element = Element(role)
        self._open[-1].kids.append(element)
        self._open.append(element)

    def end_element(self) -> None:
        """End the element that was begun last."""
        self._open.pop()

    def begin_content(self, element: Element) -> None:
        """Begin an element that holds what is painted until `end_content`."""
        element.top = self.combinedTransform().map(QPointF(0, 0)).y()
        element.kids.append(Content(self.page, self.marks))
        self._open[-1].kids.append(element)
        self._is_settled, self._element = True, element
        self._paint_mark()

    def end_content(self) -> None:
        """End that element."""
        self._paint_mark()
        self._is_settled, self._element = False, None

    def say(self, text: str) -> None:
        """Record a text that is painted now as part of the present element, unless it is decoration."""
        if self._element is not None:
            self._element.said.append(text)

    def begin_decoration(self) -> None:
        """Leave what is painted until `end_decoration` out of the document's structure."""
        self._is_settled = True

    def end_decoration(self) -> None:
        """Record what is painted again."""
        self._is_settled = False

    def _paint_mark(self) -> None:
        self.save()
        self.resetTransform()
        self.fillRect(MARK.translated(-self.marks, 0), QColor(1, 2, 3))
        self.restore()
        self.marks += 1


@contextmanager
def group(painter: QPainter, role: str) -> Iterator[None]:
    """Record what is painted within as one element that contains elements, if the painter records structure.

    Args:
        painter: any; one that is no `StructurePainter` notes nothing.
        role: the type of the element.
    """
    if not isinstance(painter, StructurePainter) or painter.is_settled:
        yield
        return
    painter.begin_element(role)
    yield
    painter.end_element()


@contextmanager
def content(painter: QPainter, role: str, *, alt: str = "", scope: str = "") -> Iterator[None]:
    """Record what is painted within as one element; elements within it are part of it.

    Args:
        painter: any; one that is no `StructurePainter` notes nothing.
        role: the type of the element.
        alt: what a figure shows, in words.
        scope: of a TH: Column or Row.
    """
    if not isinstance(painter, StructurePainter) or painter.is_settled:
        yield
        return
    painter.begin_content(Element(role, alt, scope))
    yield
    painter.end_content()


@contextmanager
def decoration(painter: QPainter) -> Iterator[None]:
    """Leave what is painted within out of the structure, such as a header that is repeated on every page."""
    if not isinstance(painter, StructurePainter) or painter.is_settled:
        yield
        return
    painter.begin_decoration()
    yield
    painter.end_decoration()
