"""Whether the system composites windows; where it does not, transparent parts of a window are black."""

from __future__ import annotations

import ctypes
import ctypes.util
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication, QPainterPath, QRegion

if TYPE_CHECKING:
    from PySide6.QtCore import QRect


def blends() -> bool:
    """Whether transparent parts of a window show what is behind it. Asks the display server; takes a millisecond."""
    if QGuiApplication.platformName() != "xcb":
        return True
    name = ctypes.util.find_library("X11")
    if name is None:
        return True  # nobody can be asked, and nearly every desktop does
    try:
        return _has_owner(ctypes.CDLL(name))
    except (OSError, AttributeError):
        return True


def _has_owner(xlib: ctypes.CDLL) -> bool:
    """Whether a compositing manager runs on the default screen: it owns a selection named after the screen."""
    xlib.XOpenDisplay.restype = ctypes.c_void_p
    xlib.XOpenDisplay.argtypes = [ctypes.c_char_p]
    xlib.XDefaultScreen.argtypes = xlib.XCloseDisplay.argtypes = [ctypes.c_void_p]
    xlib.XInternAtom.restype = xlib.XGetSelectionOwner.restype = ctypes.c_ulong
    xlib.XInternAtom.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
    xlib.XGetSelectionOwner.argtypes = [ctypes.c_void_p, ctypes.c_ulong]
    display = xlib.XOpenDisplay(None)
    if not display:
        return True
    try:
        atom = xlib.XInternAtom(display, f"_NET_WM_CM_S{xlib.XDefaultScreen(display)}".encode(), 0)
        return bool(xlib.XGetSelectionOwner(display, atom))
    finally:
        xlib.XCloseDisplay(display)


def rounded(box: QRect, radius: int) -> QRegion:
    """The mask of a window with rounded corners, for systems without compositing.

    Args:
        box: logical pixels.
        radius: of its corners, in logical pixels.
    """
    path = QPainterPath()
    path.addRoundedRect(box, radius, radius)
    return QRegion(path.toFillPolygon().toPolygon())
