"""Bundles: a run as one portable file, a zip of its journal and of its attempts' output.

`bundle.json` in it names the parts with their sizes and checksums; the plan and all its revisions are in the journal.
Nothing of a bundle is believed: names are those that bundles have, sizes are bounded, what is read is checked, and only
a whole one is taken in. Such a run is told and looked at; nobody is offered to go on with it, as it is of elsewhere.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

import msgspec

from starloom.decodable import decodable
from starloom.journal.base import JournalError
from starloom.journal.foreign import drop_checkpoints, trouble_with
from starloom.journal.names import JOURNAL, LAYOUT, NOTES
from starloom.journal.reader import connect_to_read
from starloom.journal.stream_file import StreamFile
from starloom.private_files import FOLDER_MODE, make_file, open_private

if TYPE_CHECKING:
    from collections.abc import Iterator

ENDING: Final = ".starloom"
FORMAT: Final = "starloom-run"
VERSION: Final = 1
MANIFEST: Final = "bundle.json"
OUTPUT: Final = "output"
MOST_PARTS: Final = 500_000
MOST_BYTES: Final = 64 * 1024**3
"""Of all parts together, unpacked."""
_MOST_MANIFEST: Final = 64 * 1024
_MOST_ENTRY: Final = 2 * 1024
"""Bytes of a manifest: so many, and so many more for each part that the file has."""
_SPARE: Final = 256 * 1024**2
"""Bytes of the disk that are left free."""
_UNREADABLE: Final = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, struct.error, NotImplementedError, RuntimeError),
    *(EOFError, ValueError, OverflowError),
)
"""What reading a damaged zip raises."""
_CHUNK: Final = 1 << 20
Check = Callable[[Path, str], str]
"""Says what is wrong with the journal in a file that should be that of a run; empty: nothing. See `foreign`."""
_METHODS: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_PART: Final = re.compile(r"output/[\w.-]{1,200}\Z")
_RESERVED: Final = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\.|\Z)")


class BundledFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One file of a bundle: its size in bytes unpacked, and its checksum in hexadecimal."""

    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The manifest of a bundle.

    Attributes:
        run_id: whose journal is in it.
        made: when, in ISO 8601.
        engine: the version of Starloom that made it.
        parts: its files by name.
    """

    format: str = FORMAT
    version: int = VERSION
    run_id: str
    made: str
    engine: str
    parts: dict[str, BundledFile]


class _Head(msgspec.Struct, frozen=True):
    """The part of a bundle that all versions share; nothing else of it is parsed."""

    format: str = ""
    version: int = 0
    engine: str = ""


class BundleError(JournalError):
    """A bundle cannot be made or imported; the sentence says why and what to do."""


class DamagedRun(BundleError):  # noqa: N818 - it says what is the matter
    """A part of a run is lost; no bundle is made of it."""


# ---- making one


class _Gauge:
    """Reports the share of bytes that are done."""

    def __init__(self, whole: int, tell: Callable[[float], object]) -> None:
        self._whole, self._tell, self._done = whole, tell, 0

    def add(self, count: int) -> None:
        """Add a number of bytes that are done."""
        self._done += count
        self._tell(min(1.0, self._done / self._whole) if self._whole else 1.0)


def _tell_nobody(_: float) -> None:
    """Nobody waits."""


def pack(folder: Path, target: BinaryIO, tell: Callable[[float], object] = _tell_nobody) -> Manifest:
    """Write the run in a folder as a bundle; a live run is bundled as it stands.

    Args:
        folder: of the run.
        target: a file that can be sought in.
        tell: is told now and then what share is packed, 0 to 1.

    Raises:
        JournalError: the journal cannot be read, or is damaged.
        OSError: something cannot be read or written.
    """
    with tempfile.TemporaryDirectory(prefix="starloom-") as scratch:
        copy = Path(scratch) / JOURNAL
        run_id = _copy_journal(folder / JOURNAL, copy)
        outputs = list(_outputs(folder))
        gauge = _Gauge(copy.stat().st_size + sum(_size(path) for _, path in outputs), tell)
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as bundle:
            parts = {JOURNAL: _add(bundle, JOURNAL, copy, gauge)}
            for name, path in (*outputs, *_beside(folder)):
                with suppress(FileNotFoundError):  # it has been tidied away meanwhile
                    parts[name] = _add(bundle, name, path, gauge)
            made = datetime.now(tz=UTC).isoformat(timespec="seconds")
            manifest = Manifest(run_id=run_id, made=made, engine=version("starloom"), parts=parts)
            bundle.writestr(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest), indent=1))
    return manifest


def _copy_journal(path: Path, copy: Path) -> str:
    """Copy a journal as of one moment, without the log beside it; returns whose it is."""
    with StreamFile(path, read_only=True) as file:
        if not file.last:
            raise BundleError(f"The run in {path.parent} has not begun. There is nothing to export.")
        run_id = file.stream
        _check_whole(file)
    try:
        make_file(copy)
        with closing(connect_to_read(path)) as source, closing(sqlite3.connect(copy)) as made:
            source.backup(made)
            made.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        raise BundleError(
            f"The journal {path} cannot be copied to {copy.parent} ({error}). See whether there is room, and try again."
        ) from None
    return run_id


def _check_whole(file: StreamFile) -> None:
    """Read the whole run, so that a loss is reported here and not exported."""
    try:
        for _ in file.turns():
            pass
    except JournalError as error:
        raise DamagedRun(f"{error} The run is not exported as long as a part of it is lost.") from None


def parts_beside(folder: Path, *, outputs: bool) -> Iterator[tuple[str, Path]]:
    """The parts of a run beside its journal, by the names that they have in bundles.

    Args:
        folder: of the run.
        outputs: whether what its attempts have printed is wanted, too.

    Raises:
        OSError: the folder cannot be looked into.
    """
    yield from _beside(folder)
    if outputs:
        yield from _outputs(folder)


def _outputs(folder: Path) -> Iterator[tuple[str, Path]]:
    """The output files of attempts that are the run's own: a link could lead anywhere."""
    try:
        entries = sorted(os.scandir(folder / OUTPUT), key=lambda entry: entry.name)
    except FileNotFoundError:
        return
    for entry in entries:
        name = f"{OUTPUT}/{entry.name}"
        if entry.is_file(follow_symlinks=False) and is_part(name):
            yield name, Path(entry.path)


def _beside(folder: Path) -> Iterator[tuple[str, Path]]:
    """The files with the positions of nodes and with notes, as far as there are such that are the run's own."""
    for path in (folder / LAYOUT, folder / NOTES):
        if path.is_file() and not path.is_symlink():
            yield path.name, path


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:  # packing it will say so
        return 0


def _add(bundle: zipfile.ZipFile, name: str, path: Path, gauge: _Gauge) -> BundledFile:
    """Put a file in, as long as it is when it is opened: it may grow meanwhile."""
    digest, size = sha256(), 0
    entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    with _opened(path) as source, bundle.open(entry, "w", force_zip64=True) as into:
        left = os.fstat(source.fileno()).st_size
        while left and (data := source.read(min(_CHUNK, left))):
            into.write(data)
            digest.update(data)
            size, left = size + len(data), left - len(data)
            gauge.add(len(data))
    return BundledFile(size, digest.hexdigest())


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except FileNotFoundError:
        raise
    except OSError as error:
        raise BundleError(
            f"{path} cannot be read ({error.strerror}). A run is exported with all of its output."
        ) from None


# ---- taking one in


def is_bundle(path: Path) -> bool:
    """Whether a file is named like a bundle, or is a zip, as bundles are."""
    return path.is_file() and (path.suffix.lower() == ENDING or zipfile.is_zipfile(path))


def unpack(
    path: Path,
    folder: Path,
    *,
    only: str = "",
    tell: Callable[[float], object] = _tell_nobody,
    check: Check | None = None,
) -> Manifest:
    """Unpack the parts of a bundle into an empty folder; other files in it are left there.

    Its checkpoints are left out: they are a cache, and nobody knows who made them.

    Args:
        path: the bundle.
        folder: where to.
        only: the one part that is wanted; empty: all.
        tell: is told now and then what share is unpacked, 0 to 1.
        check: says what is wrong with the journal of a run; None: `foreign.trouble_with`, in this process.

    Raises:
        BundleError: it is no bundle, a newer one, damaged or too large; some parts may stand in the folder already.
        OSError: the folder cannot be written.
    """
    try:
        with zipfile.ZipFile(path) as bundle:
            entries = _entries(bundle, path)
            manifest = _manifest(bundle, entries, path)
            wanted = {name: part for name, part in manifest.parts.items() if not only or name == only}
            _check_room(wanted, path, folder)
            gauge = _Gauge(sum(part.size for part in wanted.values()), tell)
            for name, part in wanted.items():
                _extract(bundle, entries.get(name), name, part, path, folder / name, gauge)
    except _UNREADABLE as error:
        raise _broken(path, str(error) or type(error).__name__) from None
    if trouble := (check or trouble_with)(folder / JOURNAL, manifest.run_id):
        raise _broken(path, trouble)
    if trouble := drop_checkpoints(folder / JOURNAL):
        raise _broken(path, trouble)
    return manifest


def described(path: Path) -> Manifest:
    """The unverified manifest of a bundle.

    Raises:
        BundleError: it is no bundle, or a newer one.
        OSError: it cannot be read.
    """
    try:
        with zipfile.ZipFile(path) as bundle:
            return _manifest(bundle, _entries(bundle, path), path)
    except _UNREADABLE as error:
        raise _broken(path, str(error) or type(error).__name__) from None


def _broken(path: Path, what: str) -> BundleError:
    return BundleError(f"{path} is no whole run: {what.rstrip('.')}. Export the run again where it is.")


def _entries(bundle: zipfile.ZipFile, path: Path) -> dict[str, zipfile.ZipInfo]:
    infos = bundle.infolist()
    if len(infos) > MOST_PARTS:
        raise _broken(path, f"it has {len(infos):,} parts, which is more than {MOST_PARTS:,}")
    found = {info.filename: info for info in infos}
    if len(found) < len(infos):
        raise _broken(path, "two of its parts have the same name")
    return found


def _manifest(bundle: zipfile.ZipFile, entries: dict[str, zipfile.ZipInfo], path: Path) -> Manifest:
    entry = entries.get(MANIFEST)
    if entry is None:
        raise _broken(path, f"there is no {MANIFEST} in it")
    most = _MOST_MANIFEST + _MOST_ENTRY * len(entries)
    if entry.file_size > most or entry.compress_type not in _METHODS:
        raise _broken(path, f"its {MANIFEST} cannot be read")
    with bundle.open(entry) as file:
        data = file.read(most + 1)
    try:
        head = msgspec.json.decode(data, type=decodable(_Head))
        if head.format == FORMAT and head.version > VERSION:
            raise BundleError(
                f"{path} was made by Starloom {str(head.engine)[:40]} in format {head.version}; "
                f"this version reads up to {VERSION}. Use that version or a newer one."
            )
        manifest = msgspec.json.decode(data, type=decodable(Manifest))
    except msgspec.MsgspecError as error:
        raise _broken(path, f"its {MANIFEST} makes no sense ({error})") from None
    if manifest.format != FORMAT or JOURNAL not in manifest.parts:
        raise _broken(path, "it is not made of a run")
    for name in manifest.parts:
        if not is_part(name):
            raise _broken(path, f"a run has no part {name[:80]!r}")
    return manifest


def is_part(name: str) -> bool:
    """Whether a part of a run may be called so: what comes from elsewhere is written under its name."""
    if name in (JOURNAL, LAYOUT, NOTES):
        return True
    return bool(_PART.match(name)) and not _RESERVED.match(name.removeprefix(f"{OUTPUT}/")) and not name.endswith(".")


def _check_room(parts: dict[str, BundledFile], path: Path, folder: Path) -> None:
    if any(part.size < 0 for part in parts.values()):
        raise _broken(path, "a part has less than no bytes")
    wanted = sum(part.size for part in parts.values())
    if wanted > MOST_BYTES:
        raise BundleError(
            f"{path} would take {wanted:,} bytes unpacked, and {MOST_BYTES:,} is the most. It was left alone."
        )
    free = shutil.disk_usage(folder).free - _SPARE
    if wanted > free:
        raise BundleError(
            f"{path} would take {wanted:,} bytes, and there is room for {max(0, free):,} in {folder}. Make room there."
        )


def _extract(
    bundle: zipfile.ZipFile,
    entry: zipfile.ZipInfo | None,
    name: str,
    part: BundledFile,
    path: Path,
    target: Path,
    gauge: _Gauge,
) -> None:
    """Unpack one part, no more than it says it has: what an archive says of itself is not believed either."""
    if entry is None:
        raise _broken(path, f"its part {name} is missing")
    if entry.compress_type not in _METHODS or entry.flag_bits & 1 or entry.file_size != part.size:
        raise _broken(path, f"its part {name} is packed as no part is")
    target.parent.mkdir(mode=FOLDER_MODE, exist_ok=True)
    digest, left = sha256(), part.size
    with bundle.open(entry) as source, open_private(target) as into:
        while data := source.read(_CHUNK):
            left -= len(data)
            if left < 0:
                raise _broken(path, f"its part {name} is larger than it says")
            digest.update(data)
            into.write(data)
            gauge.add(len(data))
    if left or digest.hexdigest() != part.sha256:
        raise _broken(path, f"its part {name} is not what was packed")
