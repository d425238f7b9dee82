"""Python's collector as the console has it while it is open."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

from starloom_gui.event_loop.garbage_collection import calm_collector

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def calmed() -> Iterator[None]:
    """The console's collector for as long as this goes on."""
    before = gc.get_threshold()
    calm_collector()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)
        gc.enable()
