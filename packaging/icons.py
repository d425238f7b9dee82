"""Draws the program's icon from the logo of the welcome page: SVG, PNG in the usual sizes, and ICO for Windows."""

from __future__ import annotations

import os
import struct
import sys
from pathlib import Path
from typing import Final

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter, QPainterPath

from starloom_gui.shell.welcome import LOGO
from starloom_gui.theme.drawings import path
from starloom_gui.theme.palette import DARK, colour

SIZES: Final = (16, 24, 32, 48, 64, 128, 256, 512)
IN_ICO: Final = (16, 24, 32, 48, 64, 256)
GRID: Final = 64
_RADIUS: Final = 14
_LOGO: Final = QRectF(9, 13, 46, 46)
"""The logo is 46 wide and 34 high, at the top of its square."""


def paint(painter: QPainter, size: int) -> None:
    """Draw the icon: the logo on the dark window's colour, so that it can be seen on any ground."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(size / GRID, size / GRID)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(DARK.window))
    painter.drawRoundedRect(QRectF(0, 0, GRID, GRID), _RADIUS, _RADIUS)
    LOGO.paint(painter, _LOGO, colour(DARK.text))


def png(size: int) -> bytes:
    """The icon as a PNG."""
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    paint(painter, size)
    painter.end()
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]  # the stubs want bytes, which Qt does not take
    return bytes(data.data())


def ico(pictures: dict[int, bytes]) -> bytes:
    """Pictures of these sizes as one ICO, each as the PNG it is."""
    head = struct.pack("<HHH", 0, 1, len(pictures))
    at, entries = len(head) + 16 * len(pictures), b""
    for size, data in pictures.items():
        entries += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(data), at)
        at += len(data)
    return head + entries + b"".join(pictures.values())


def svg() -> str:
    """The icon as an SVG."""
    ink, shift = DARK.text, f"translate({_LOGO.x():g} {_LOGO.y():g})"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {GRID} {GRID}">\n'
        f'  <rect width="{GRID}" height="{GRID}" rx="{_RADIUS}" fill="{DARK.window}"/>\n'
        f'  <g transform="{shift}">\n'
        f'    <path d="{_data(path(LOGO.fill))}" fill="{ink}" fill-rule="evenodd"/>\n'
        f'    <path d="{_data(path(LOGO.lines))}" fill="none" stroke="{ink}" stroke-width="{LOGO.stroke:g}"'
        ' stroke-linecap="round" stroke-linejoin="round"/>\n'
        "  </g>\n</svg>\n"
    )


def _data(drawn: QPainterPath) -> str:
    """A painter's path in the words of SVG."""
    words: list[str] = []
    for index in range(drawn.elementCount()):
        element = drawn.elementAt(index)
        kind = element.type
        letter = {
            QPainterPath.ElementType.MoveToElement: "M",
            QPainterPath.ElementType.LineToElement: "L",
            QPainterPath.ElementType.CurveToElement: "C",
        }.get(kind, "")
        words.append(f"{letter}{element.x:.2f} {element.y:.2f}")
    return " ".join(words)


def write(folder: Path) -> None:
    """Write all of them into a folder, which is made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures = {size: png(size) for size in SIZES}
    for size, data in pictures.items():
        (folder / f"starloom-{size}.png").write_bytes(data)
    (folder / "starloom.ico").write_bytes(ico({size: pictures[size] for size in IN_ICO}))
    (folder / "starloom.svg").write_text(svg(), encoding="utf-8")


def main() -> int:
    """Write them into the folder that is named."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QGuiApplication(sys.argv[:1])
    write(Path(sys.argv[1] if len(sys.argv) > 1 else "build/icons"))
    del application
    return 0


if __name__ == "__main__":
    sys.exit(main())
