"""All colours of the console, light and dark, as frozen values. A colour that is not here is not used anywhere."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from PySide6.QtGui import QColor

from starloom_gui.theme.status_form import StatusForm

if TYPE_CHECKING:
    from starloom.model.status import TaskStatus


@dataclass(frozen=True, slots=True)
class Ink:
    """The two colours of a status.

    Attributes:
        shape: of fills and outlines; at least 3:1 on window, panel and canvas.
        text: of words; at least 4.5:1 on these, and on raised and selected rows.
    """

    shape: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """The colours of one theme; every colour is `#rrggbb`.

    Attributes:
        name: what caches are keyed by.
        dark: whether light text stands on dark surfaces.
        raised: what is raised or under the pointer.
        border: hairlines that only decorate.
        outline: the edge of something one can use.
        status: by `StatusForm`, of those that are statuses of tasks that are present.
        tint: what fills a task that is done.
        on_fill: glyphs on a filled status.
        held: the badge of a held task.
        kinds: muted, to tell apart things that have no order; none is the hue of a status.
    """

    name: str
    dark: bool
    window: str
    panel: str
    canvas: str
    raised: str
    selected: str
    border: str
    outline: str
    text: str
    muted: str
    status: tuple[Ink, ...]
    tint: str
    on_fill: str
    held: Ink
    kinds: tuple[str, ...]

    def ink(self, status: TaskStatus) -> Ink:
        """The colours of a status."""
        return self.status[StatusForm.of(status)]


LIGHT: Final = Palette(
    name="light",
    dark=False,
    window="#F4F5F7",
    panel="#FFFFFF",
    canvas="#FAFBFC",
    raised="#ECEEF1",
    selected="#E3E7EC",
    border="#D5D9DF",
    outline="#848D97",
    text="#1F2328",
    muted="#59636E",
    status=(
        Ink("#848D97", "#5B6470"),
        Ink("#B97700", "#875500"),
        Ink("#0B63CE", "#0B5CC0"),
        Ink("#3D9885", "#006B55"),
        Ink("#C4180F", "#B3150D"),
        Ink("#A8328F", "#8F2A7A"),
        Ink("#848D97", "#5B6470"),
    ),
    tint="#D6E9E5",
    on_fill="#FFFFFF",
    held=Ink("#6B4FC8", "#5B3FBF"),
    kinds=("#5B8A96", "#9A6B4F", "#7F8F4E", "#B98A99", "#5E5A45", "#C9B88A"),
)
DARK: Final = Palette(
    name="dark",
    dark=True,
    window="#14171C",
    panel="#1B1F26",
    canvas="#14171C",
    raised="#232933",
    selected="#303947",
    border="#323A46",
    outline="#7D8896",
    text="#E6EAF0",
    muted="#9AA4B2",
    status=(
        Ink("#7D8896", "#9AA4B2"),
        Ink("#F0C04A", "#F0C04A"),
        Ink("#58A6FF", "#7CB8FF"),
        Ink("#277B67", "#4CCBA8"),
        Ink("#FF6F61", "#FF8A7E"),
        Ink("#DB9BD4", "#E3ADDD"),
        Ink("#7D8896", "#9AA4B2"),
    ),
    tint="#1F413E",
    on_fill="#14171C",
    held=Ink("#B39DFF", "#C2B0FF"),
    kinds=("#7FB0BC", "#B88E72", "#A9B87A", "#CFA8A0", "#86815F", "#E3D9B8"),
)


def colour(code: str, opacity: float = 1.0) -> QColor:
    """The `QColor` of a code.

    Args:
        code: `#rrggbb`.
        opacity: 0 to 1.
    """
    made = QColor(code)
    made.setAlphaF(opacity)
    return made


@cache
def blended(front: str, back: str, share: float) -> str:
    """The opaque colour that a share of `front` over `back` gives; cheaper to paint than a transparent colour.

    Args:
        front: `#rrggbb`.
        back: `#rrggbb`.
        share: 0 is all back, 1 all front.
    """
    pairs = ((int(front[at : at + 2], 16), int(back[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(one * share + other * (1 - share)):02X}" for one, other in pairs)
