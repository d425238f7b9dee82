"""Adds to a PDF of Qt what Qt cannot write: a structure tree, the language, an outline; see `structure`."""

from __future__ import annotations

import re
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

from pypdf import PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    BooleanObject,
    DecodedStreamObject,
    DictionaryObject,
    Fit,
    NameObject,
    NumberObject,
    TextStringObject,
)

from starloom_gui.printing.structure import MARK, Content, Element

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pypdf import PageObject
    from pypdf.generic import IndirectObject

_LANGUAGE: Final = "en"
_MARK: Final = re.compile(
    rb"q\s+/CSp cs\s+[\d. ]+ scn\s+/GSa gs\s+-(\d+) %d %d %d re\s+f\s+Q\s" % (MARK.y(), MARK.width(), MARK.height())
)
"""What Qt writes for a mark."""
_FIRST: Final = -int(MARK.x())
_POINT: Final = 1 / 72


def tagged(data: bytes, document: Element, marks: int, resolution: int) -> bytes:
    """The same pages with a structure tree; unchanged, if the marks are not those of a known version of Qt.

    Args:
        data: a PDF of Qt, painted by a `StructurePainter`.
        document: the root of what was painted.
        marks: how many marks were painted.
        resolution: of the paper, in dots per inch.
    """
    writer = PdfWriter(clone_from=PdfReader(BytesIO(data)))
    contents = [_content_of(page) for page in writer.pages]
    if sum(len(_MARK.findall(content)) for content in contents) != marks:
        return data
    _spaces_as_spaces(writer)
    tree = _Tree(writer, document)
    for number, (page, content) in enumerate(zip(writer.pages, contents, strict=True)):
        stream = DecodedStreamObject()
        stream.set_data(_with_operators(content, tree.pages[number]))
        page[NameObject("/Contents")] = writer._add_object(stream.flate_encode(9))
        page[NameObject("/StructParents")] = NumberObject(number)
        page[NameObject("/Tabs")] = NameObject("/S")
    root = writer.root_object
    root[NameObject("/StructTreeRoot")] = tree.root
    root[NameObject("/MarkInfo")] = DictionaryObject({NameObject("/Marked"): BooleanObject(True)})
    root[NameObject("/Lang")] = TextStringObject(_LANGUAGE)
    shown = {NameObject("/DisplayDocTitle"): BooleanObject(True)}
    root[NameObject("/ViewerPreferences")] = DictionaryObject(shown)
    _add_outline(writer, document, resolution)
    writer.pdf_header = "%PDF-1.7"
    made = BytesIO()
    writer.write(made)
    return made.getvalue()


def _content_of(page: PageObject) -> bytes:
    found = page.get_contents()
    return b"" if found is None else found.get_data()


def _spaces_as_spaces(writer: PdfWriter) -> None:
    """Map spaces to spaces: Qt maps them to tabulators in a font where both have the same glyph."""
    streams = {}
    for page in writer.pages:
        resources: Any = page["/Resources"]
        for font in resources.get("/Font", {}).values():
            stream = font.get_object().get("/ToUnicode")
            streams[id(stream.get_object())] = stream.get_object()
    for stream in streams.values():
        stream.set_data(stream.get_data().replace(b"<0009>", b"<0020>"))


def _with_operators(content: bytes, found: Sequence[tuple[int, Element]]) -> bytes:
    """The content stream of a page with operators for its marks; what is between elements is an artifact.

    Args:
        content: the page's content as Qt wrote it.
        found: the elements of the page's tagged content by the numbers of the marks before them; the place of each is
            its number as marked content.
    """
    begins = {mark: (place, element) for place, (mark, element) in enumerate(found)}

    def operators(match: re.Match[bytes]) -> bytes:
        begun = begins.get(int(match[1]) - _FIRST)
        if begun is None:
            return b"EMC\n/Artifact BMC\n"
        place, element = begun
        return b"EMC\n/%s <</MCID %d>> BDC\n" % (element.role.encode(), place)

    return b"/Artifact BMC\n" + _MARK.sub(operators, content) + b"\nEMC\n"


class _Tree:
    """The structure tree as objects of a PDF.

    Attributes:
        root: of the tree.
        pages: for each page the elements of its tagged content, by the numbers of the marks before them.
    """

    def __init__(self, writer: PdfWriter, document: Element) -> None:
        self._writer = writer
        self._page_objects: list[PageObject] = list(writer.pages)
        self.pages: list[list[tuple[int, Element]]] = [[] for _ in self._page_objects]
        self._parents: list[ArrayObject] = [ArrayObject() for _ in self._page_objects]
        root = DictionaryObject({NameObject("/Type"): NameObject("/StructTreeRoot")})
        self.root: IndirectObject = writer._add_object(root)
        root[NameObject("/K")] = self._added(document, self.root)
        numbers = ArrayObject()
        for number, parents in enumerate(self._parents):
            numbers += [NumberObject(number), writer._add_object(parents)]
        root[NameObject("/ParentTree")] = writer._add_object(DictionaryObject({NameObject("/Nums"): numbers}))
        root[NameObject("/ParentTreeNextKey")] = NumberObject(len(self._parents))

    def _added(self, element: Element, parent: IndirectObject) -> IndirectObject:
        made = DictionaryObject(
            {
                NameObject("/Type"): NameObject("/StructElem"),
                NameObject("/S"): NameObject(f"/{element.role}"),
                NameObject("/P"): parent,
            }
        )
        if element.alt:
            made[NameObject("/Alt")] = TextStringObject(element.alt)
        if element.said:
            made[NameObject("/ActualText")] = TextStringObject(" ".join(element.said))
        if element.scope:
            scope = {NameObject("/O"): NameObject("/Table"), NameObject("/Scope"): NameObject(f"/{element.scope}")}
            made[NameObject("/A")] = DictionaryObject(scope)
        place: IndirectObject = self._writer._add_object(made)
        kids = ArrayObject()
        for kid in element.kids:
            kids.append(
                self._marked(kid, element, made, place) if isinstance(kid, Content) else self._added(kid, place)
            )
        made[NameObject("/K")] = kids
        return place

    def _marked(
        self, content: Content, element: Element, made: DictionaryObject, place: IndirectObject
    ) -> NumberObject:
        """Return the number of marked content within its page, after recording its element."""
        page = self._page_objects[content.page].indirect_reference
        if page is not None:
            made[NameObject("/Pg")] = page
        self.pages[content.page].append((content.begin, element))
        self._parents[content.page].append(place)
        return NumberObject(len(self._parents[content.page]) - 1)


def _add_outline(writer: PdfWriter, document: Element, resolution: int) -> None:
    """Add an outline: the first heading, and below it the headings of the sections."""
    above: IndirectObject | None = None
    for element in _headings(document):
        (content,) = (kid for kid in element.kids if isinstance(kid, Content))
        page = writer.pages[content.page]
        top = float(page.mediabox.height) - element.top / resolution / _POINT
        place = Fit.xyz(left=None, top=top, zoom=None)
        level = writer.add_outline_item(title=" ".join(element.said), page_number=content.page, parent=above, fit=place)
        above = level if element.role == "H1" else above


def _headings(element: Element) -> Iterator[Element]:
    for kid in element.kids:
        if isinstance(kid, Element):
            if kid.role in {"H1", "H2"}:
                yield kid
            yield from _headings(kid)
