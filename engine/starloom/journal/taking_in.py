"""Importing the run of a bundle into a directory of journals: whole, or not at all.

It is unpacked into a folder `.importing-…` that is renamed when it is whole. One program at a time does so: whoever
holds the lock knows that any such folder it finds was left by a program that died, and removes it.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from starloom.decodable import decodable
from starloom.journal.base import JournalInUse
from starloom.journal.bundle import BundleError, Manifest, described, unpack
from starloom.journal.library import run_folder
from starloom.journal.lock import JournalLock, holder_of
from starloom.journal.names import IMPORTED
from starloom.private_files import make_folder, write_private

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom.journal.bundle import Check

SCRATCH: Final = ".importing-"
LOCK: Final = "importing"


class AlreadyHere(BundleError):  # noqa: N818 - it says what is the matter
    """The run of a bundle is in the directory already.

    Attributes:
        folder: of the run that is there.
        is_same: whether that came in this very bundle.
    """

    def __init__(self, path: Path, run_id: str, folder: Path, *, is_same: bool) -> None:
        super().__init__(
            f"The run {run_id!r} of {path} is there already, in {folder}. Move that away to have this."
            if not is_same
            else f"The run {run_id!r} of {path} is there already, in {folder}."
        )
        self.folder, self.is_same = folder, is_same


def take_in(
    path: Path, directory: Path, tell: Callable[[float], object] = lambda _: None, *, check: Check | None = None
) -> Path:
    """Import the run of a bundle into a directory of journals; returns its folder.

    Args:
        path: the bundle.
        directory: of the journals; made if there is none.
        tell: is told now and then what share is unpacked, 0 to 1.
        check: see `bundle.unpack`.

    Raises:
        AlreadyHere: the run is there already; nothing has changed.
        BundleError: it is no bundle, a newer one, damaged, too large, or another program takes one in; likewise.
    """
    try:
        _look(path, directory)
        make_folder(directory / "runs")
    except OSError as error:
        raise BundleError(f"{path} cannot be taken in: {error.strerror or error}.") from None
    lock = _locked(directory)
    try:
        _clean(directory)
        return _put(path, directory, tell, check)
    finally:
        lock.release()


def _look(path: Path, directory: Path) -> None:
    """Check, before anything is unpacked, whether there is such a run."""
    manifest = described(path)
    folder = run_folder(directory, manifest.run_id)
    if folder.exists():
        raise AlreadyHere(path, manifest.run_id, folder, is_same=_came_in(folder) == manifest.parts)


def _came_in(folder: Path) -> object:
    """The parts of the bundle from which the run of a folder was imported; None: there was none, or it is unknown."""
    try:
        return msgspec.json.decode((folder / IMPORTED).read_bytes(), type=decodable(Manifest)).parts
    except (OSError, msgspec.MsgspecError):
        return None


def _locked(directory: Path) -> JournalLock:
    try:
        return JournalLock(directory / LOCK)
    except JournalInUse:
        holder = holder_of(directory / LOCK) or "another program"
        raise BundleError(
            f"Another run is being put into {directory} by {holder}. Wait until that is done, and try again."
        ) from None


def _clean(directory: Path) -> None:
    """Remove the remains of imports that were killed; to be called with the lock held."""
    for left in directory.glob(f"{SCRATCH}*"):
        shutil.rmtree(left, ignore_errors=True)


def _put(path: Path, directory: Path, tell: Callable[[float], object], check: Check | None) -> Path:
    try:
        scratch = Path(tempfile.mkdtemp(prefix=SCRATCH, dir=directory))
    except OSError as error:
        raise BundleError(f"Nothing can be kept in {directory} ({error.strerror}). Name another directory.") from None
    try:
        manifest = unpack(path, scratch, tell=tell, check=check)
        write_private(scratch / IMPORTED, msgspec.json.encode(manifest))
        folder = run_folder(directory, manifest.run_id)
        if folder.exists():
            raise AlreadyHere(path, manifest.run_id, folder, is_same=False)
        return scratch.rename(folder)
    except OSError as error:
        raise BundleError(f"{path} cannot be taken in: {error.strerror or error}.") from None
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
