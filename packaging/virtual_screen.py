"""A display that nobody sees: Xvfb, for pictures and tests of the real window."""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SERVER: Final = "Xvfb"
SIZE: Final = "1440x900x24"


def has_virtual_screen() -> bool:
    """Whether Xvfb is installed."""
    return shutil.which(SERVER) is not None


@contextmanager
def virtual_screen(size: str = SIZE, memory: Path | None = None) -> Iterator[dict[str, str]]:
    """The environment of programs that shall draw on a display of their own, which goes with the context.

    Args:
        size: width, height and depth.
        memory: a folder in which the server keeps what is on the screen, as a file in X's dump format; None: it is
            in no file.

    Raises:
        RuntimeError: Xvfb did not start.
    """
    reading, writing = os.pipe()
    command = [SERVER, "-displayfd", str(writing), "-screen", "0", size, "-nolisten", "tcp", "-noreset"]
    if memory is not None:
        command += ["-fbdir", str(memory)]
    with subprocess.Popen(command, pass_fds=(writing,), stderr=subprocess.PIPE, text=True) as server:
        os.close(writing)
        try:
            with os.fdopen(reading) as numbers:
                number = numbers.readline().strip()  # written once programs can connect; empty if the server has gone
            if not number:
                raise RuntimeError(f"{SERVER} did not start: {server.communicate()[1].strip()}")
            kept = {name: text for name, text in os.environ.items() if name not in ("WAYLAND_DISPLAY", "XAUTHORITY")}
            yield {**kept, "DISPLAY": f":{number}", "QT_QPA_PLATFORM": "xcb"}
        finally:
            server.terminate()
