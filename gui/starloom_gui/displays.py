"""Detects whether there is a display to show windows on."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

PLATFORM: Final = "QT_QPA_PLATFORM"
"""Whoever sets this has said what to draw on."""
_DISPLAYS: Final = ("DISPLAY", "WAYLAND_DISPLAY", PLATFORM)


def has_display(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """Whether a window can be expected to be seen; only where windows come from a display server can there be none."""
    return platform in ("win32", "darwin") or any(environment.get(name) for name in _DISPLAYS)
