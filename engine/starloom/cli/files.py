"""Files that the command line writes: all of one or nothing of it, and what was there before stays until then."""

from __future__ import annotations

import os
import secrets
from contextlib import contextmanager
from typing import TYPE_CHECKING

from starloom.errors import StarloomError
from starloom.private_files import FILE_MODE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """An empty file beside the target, which it replaces if all goes well, and else is gone.

    Raises:
        StarloomError: it cannot be written, as an `OSError` within says too.
    """
    path = target.resolve()  # replacing a link would cut it off from what it points to
    part = path.with_name(f".{path.name[:100]}.{secrets.token_hex(6)}.part")
    try:
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE))
        try:
            yield part
            if path.exists():
                part.chmod(path.stat().st_mode & 0o777)  # whoever may read it is decided
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise StarloomError(f"{target} cannot be written: {error.strerror or error}. Name another file.") from None


def write_file(target: Path, data: bytes) -> None:
    """Write a file, all of it or nothing.

    Raises:
        StarloomError: it cannot be written.
    """
    with replacing(target) as part:
        part.write_bytes(data)
