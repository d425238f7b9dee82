"""SVG elements of a report's drawings with escaped text, and the colours and shapes of each status."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from starloom.reporting.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterable

TEXT: Final = "#1F2328"
MUTED: Final = "#59636E"
LETTER: Final = 6.3
"""Pixels of an average letter at the usual size; names are cut by it, as no font can be asked here."""

STYLE: Final = f"""
svg {{ font: 11px system-ui, "DejaVu Sans", sans-serif; }}
svg text {{ fill: {TEXT}; }}
svg .muted {{ fill: {MUTED}; }}
svg .bad {{ fill: #B3150D; }}
svg .end {{ text-anchor: end; }}
svg .mid {{ text-anchor: middle; }}
svg .rule {{ stroke: #D5D9DF; fill: none; }}
svg .completed {{ fill: #D6E9E5; stroke: #3D9885; }}
svg .solid.completed {{ fill: #3D9885; stroke: none; }}
svg .failed {{ fill: #C4180F; stroke: #C4180F; }}
svg .running {{ fill: #0B63CE; stroke: #0B63CE; }}
svg .pending {{ fill: #B97700; stroke: #B97700; }}
svg .waiting_dependency {{ fill: #FFFFFF; stroke: #848D97; }}
svg .cancelled, svg .interrupted {{ fill: url(#hatch-cancelled); stroke: #A8328F; }}
svg .skipped {{ fill: url(#hatch-skipped); stroke: #848D97; stroke-dasharray: 3 2; }}
svg .many {{ fill: #3D9885; stroke: none; }}
svg .crit {{ stroke: {TEXT}; stroke-width: 2; }}
svg .glyph {{ fill: none; stroke: #FFFFFF; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }}
svg .glyph.dark {{ stroke: #006B55; }}
svg .glyph.grey {{ stroke: #5B6470; stroke-width: 1.5; }}
svg .light, svg .running + text {{ fill: #FFFFFF; }}
svg .wait {{ stroke: #B97700; stroke-width: 3; }}
svg .flag {{ fill: {TEXT}; stroke: {TEXT}; }}
svg .edge {{ stroke: {MUTED}; fill: none; }}
svg .edge.always {{ stroke-dasharray: 6 4; }}
svg .edge.failure {{ stroke-dasharray: 2 3; }}
svg .edge.condition {{ stroke-dasharray: 9 3 2 3; }}
svg .edge.crit {{ stroke: {TEXT}; stroke-width: 2.5; }}
svg .edge.slot {{ stroke-dasharray: 9 4; }}
svg .edge.halo {{ stroke: #FFFFFF; stroke-width: 5; }}
svg .plot {{ fill: #C9CED6; stroke: #59636E; }}
svg .share {{ fill: #59636E; }}
svg .track {{ fill: #ECEEF1; }}
svg .level {{ stroke: #59636E; stroke-dasharray: 4 3; fill: none; }}
"""
DARK: Final = """
svg text { fill: #E6EAF0; }
svg .muted { fill: #9AA4B2; }
svg .bad { fill: #FF8A7E; }
svg .rule { stroke: #323A46; }
svg .completed { fill: #1F413E; stroke: #277B67; }
svg .solid.completed, svg .many { fill: #277B67; }
svg .failed { fill: #FF6F61; stroke: #FF6F61; }
svg .running { fill: #58A6FF; stroke: #58A6FF; }
svg .pending { fill: #F0C04A; stroke: #F0C04A; }
svg .waiting_dependency { fill: #14171C; stroke: #7D8896; }
svg .cancelled, svg .interrupted { stroke: #DB9BD4; }
svg .skipped { stroke: #7D8896; }
svg .hatched { fill: #DB9BD4; }
svg .hatching { fill: #8F5A89; }
svg .blank { fill: #14171C; }
svg .lines { fill: #7D8896; }
svg .arrow { fill: #9AA4B2; }
svg .node { fill: #1B1F26; stroke: #7D8896; }
svg .crit, svg .edge.crit { stroke: #E6EAF0; }
svg .glyph { stroke: #14171C; }
svg .glyph.dark { stroke: #4CCBA8; }
svg .glyph.grey { stroke: #9AA4B2; }
svg .light, svg .running + text { fill: #14171C; }
svg .wait { stroke: #F0C04A; }
svg .flag { fill: #E6EAF0; stroke: #E6EAF0; }
svg .edge { stroke: #9AA4B2; }
svg .edge.halo { stroke: #14171C; }
svg .plot { fill: #323A46; stroke: #9AA4B2; }
svg .share { fill: #9AA4B2; }
svg .track { fill: #232933; }
svg .level { stroke: #9AA4B2; }
"""
"""The colours of drawings on a page that is dark; a file of its own is always light."""
DEFS: Final = (
    '<defs><pattern id="hatch-cancelled" width="6" height="6" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><rect width="6" height="6" fill="#A8328F" class="hatched"/>'
    '<rect width="2" height="6" fill="#D9A3CD" class="hatching"/></pattern>'
    '<pattern id="hatch-skipped" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect width="6" height="6" fill="#FFFFFF" class="blank"/>'
    '<rect width="1" height="6" fill="#B4BBC4" class="lines"/></pattern>'
    '<marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
    'markerUnits="userSpaceOnUse" orient="auto">'
    '<path d="M0,0.5 L7.5,4 L0,7.5 Z" fill="#59636E" class="arrow"/></marker></defs>'
)
_MARGIN: Final = 12.0
_GLYPHS: Final = {
    "completed": ("dark", "M4,8.5 L7,11.5 L12,5"),
    "failed": ("", "M5,5 L11,11 M11,5 L5,11"),
    "cancelled": ("", "M6,6 H10 V10 H6 Z"),
    "interrupted": ("", "M6,6 H10 V10 H6 Z"),
    "skipped": ("grey", "M4,5 L7,8 L4,11 M9,5 L12,8 L9,11"),
    "running": ("", "M6,4.5 L11.5,8 L6,11.5 Z"),
    "pending": ("", "M8,4.5 V8 L10.5,10"),
    "waiting_dependency": ("grey", "M8,5 A3,3 0 1 0 8.01,5"),
}
WORDS: Final = {
    "completed": "done",
    "failed": "failed",
    "cancelled": "cancelled",
    "interrupted": "interrupted",
    "skipped": "skipped",
    "running": "running",
    "pending": "ready",
    "waiting_dependency": "waiting",
}


class SvgDrawing(NamedTuple):
    """The content of an SVG element, and its size in pixels."""

    body: str
    width: float
    height: float


def number(value: float) -> str:
    """A coordinate as short text."""
    return f"{value:.1f}".removesuffix(".0")


def el(name: str, inside: str | None = None, **attributes: Any) -> str:
    """An element; attribute values are escaped, `inside` is markup already, None attributes are left out."""
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{told}/>" if inside is None else f"<{name}{told}>{inside}</{name}>"


def _value(value: Any) -> str:
    return number(value) if isinstance(value, int | float) else said(str(value))


def said(text: str) -> str:
    """Text clean and escaped, for any place in the markup."""
    return escape(clean(text), quote=True)


def words(x: float, y: float, text: str, kind: str | None = None, **attributes: Any) -> str:
    """A line of text."""
    return el("text", said(text), x=x, y=y, class_=kind, **attributes)


def glyph(status: str, x: float, y: float, size: float = 16) -> str:
    """The glyph of a status at an upper left corner; nothing for a status without one."""
    if status not in _GLYPHS:
        return ""
    tone, path = _GLYPHS[status]
    move = f"translate({number(x)} {number(y)}) scale({size / 16:.3f})"
    return el("path", d=path, class_=f"glyph {tone}".strip(), transform=move)


def badge(status: str) -> str:
    """The badge of a status as an SVG element."""
    return inline(badge_drawing(status))


def badge_drawing(status: str) -> SvgDrawing:
    """The shape and the glyph of a status, 16 pixels each way."""
    return SvgDrawing(el("rect", x=1, y=1, width=14, height=14, rx=3, class_=status) + glyph(status, 0, 0), 16, 16)


def inline(drawing: SvgDrawing, label: str = "") -> str:
    """The drawing for a page that has `STYLE` and one drawing with `DEFS` in it."""
    role = {"role": "img", "aria_label": label} if label else {"aria_hidden": "true"}
    box = f"0 0 {number(drawing.width)} {number(drawing.height)}"
    return el("svg", drawing.body, width=drawing.width, height=drawing.height, viewBox=box, **role)


def document(drawing: SvgDrawing, title: str, about: str = "", *, is_clear: bool = False) -> str:
    """The drawing as an SVG file, on white with a margin, unless transparent; `about` is its description."""
    edge = 0.0 if is_clear else _MARGIN
    wide, high = drawing.width + 2 * edge, drawing.height + 2 * edge
    back = "" if is_clear else el("rect", x=-edge, y=-edge, width=wide, height=high, fill="#FFFFFF")
    told = f"<desc>{said(about)}</desc>" if about else ""
    inside = f"<title>{said(title)}</title>{told}<style>{STYLE}</style>{DEFS}{back}{drawing.body}"
    box = " ".join(map(number, (-edge, -edge, wide, high)))
    size = {"width": wide, "height": high, "viewBox": box}
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + el("svg", inside, xmlns="http://www.w3.org/2000/svg", **size)


def joined(parts: Iterable[str]) -> str:
    """Parts on lines of their own, so that the file can be read by lines."""
    return "\n".join(part for part in parts if part)
