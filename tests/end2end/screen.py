"""What an X server shows, read from the file in which Xvfb keeps it: no program is asked, so none paints for it."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

from PySide6.QtGui import QImage

if TYPE_CHECKING:
    from pathlib import Path

SCREEN: Final = "Xvfb_screen0"
"""The file of the first screen in the folder that was given as `-fbdir`."""
_HEAD: Final = ">25I"
_COLOUR: Final = 12
"""Bytes of each entry of the table of colours that follows the head."""


def read_screen(path: Path) -> QImage:
    """The picture in a dump of X (version 7, as XWDFile.h describes it) of 32 bits a pixel.

    Raises:
        ValueError: it is no such dump.
    """
    dump = path.read_bytes()
    head = struct.unpack_from(_HEAD, dump)
    size, version, width, height, bits, line, colours = head[0], head[1], head[4], head[5], head[11], head[12], head[19]
    if version != 7 or bits != 32:
        raise ValueError(f"{path} is a dump of version {version} with {bits} bits a pixel; 7 with 32 can be read.")
    begin = size + colours * _COLOUR
    pixels = dump[begin : begin + line * height]
    return QImage(pixels, width, height, line, QImage.Format.Format_RGB32).copy()
