"""Stores unsaved plans in their own files, so that a crash loses nothing. All functions block on the disk.

Each console writes under a name of its own and holds a lock of that name. The system takes the lock back when the
console dies, however it dies: whoever gets it knows that these files belong to nobody any more.
"""

from __future__ import annotations

import json
import math
import os
import secrets
import threading
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from starloom.errors import PlanError
from starloom.formats import READABLE, dump_plan, parse_plan
from starloom.formats.limits import MAX_BYTES
from starloom.formats.native import KEYED
from starloom.journal.base import JournalError, JournalInUse
from starloom.journal.lock import JournalLock
from starloom.settings import journal_path
from starloom_gui.documents.document import Stamp, new_draft
from starloom_gui.text.engine_words import problem_line
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from starloom.model.plan import Plan
    from starloom_gui.documents.document import Document

VERSION: Final = 1
_ENDING: Final = ".json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsaved:
    """A plan that was not saved when its console ended.

    Attributes:
        file: where it is kept.
        title: what it was called on the screen.
        path: its own file; None: it never had one.
        format: of its own file.
        keyed: see `Document`.
        stamp: of its own file, as it was last read or written.
        at: when it was kept, in seconds since 1970.
        is_seen: see `Document`.
        draft: see `Document`.
    """

    file: Path
    title: str
    plan: Plan
    path: Path | None
    format: str
    stamp: Stamp | None
    at: float
    keyed: frozenset[str] = frozenset()
    is_seen: bool = False
    draft: str = field(default_factory=new_draft)


@dataclass(frozen=True, slots=True)
class RecoveredPlans:
    """The unsaved plans that other consoles have left.

    Attributes:
        plans: newest first.
        troubles: about files that cannot be read, as sentences; the files stay.
    """

    plans: tuple[Unsaved, ...] = ()
    troubles: tuple[str, ...] = ()


def unsaved_path() -> Path:
    """The folder in which consoles keep unsaved plans, beside the journals."""
    return journal_path().with_name("unsaved")


class UnsavedPlans:
    """The folder in which consoles keep unsaved plans. To be closed. Any thread may use it.

    Args:
        folder: where; it need not exist yet.

    Raises:
        OSError: it cannot be made or written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._name, self._lock = self._own_lock()
        self._taken: dict[str, JournalLock] = {}
        self._guard, self._is_closed = threading.Lock(), False

    def _own_lock(self) -> tuple[str, JournalLock]:
        for _ in range(100):
            name = secrets.token_hex(6)
            lock = _locked(self._folder / name)
            if lock is not None and self._lock_file(name).exists():
                return name, lock
            if lock is not None:
                lock.release()  # another console took it for a dead one's and removed it, before it was held
        raise OSError(f"No lock could be had in {self._folder}.")

    def _lock_file(self, name: str) -> Path:
        return self._folder / f"{name}.lock"

    # ---- keeping

    def keep(self, document: Document, at: float) -> None:
        """Write a document atomically, in place of its earlier stored state.

        Raises:
            OSError: it was not written.
            PlanError: it holds a value that a file cannot.
        """
        _write(self._file_of(document.key), _text_of(document, at))

    def forget(self, key: str) -> None:
        """Remove the stored state of a document.

        Raises:
            OSError: it cannot be removed.
        """
        self._file_of(key).unlink(missing_ok=True)

    def _file_of(self, key: str) -> Path:
        return self._folder / f"{self._name}.{key.replace(' ', '-')}{_ENDING}"

    # ---- what others have left

    def found(self) -> RecoveredPlans:
        """The plans that consoles which are gone have left; from now on no other console finds them.

        Raises:
            OSError: the folder cannot be read.
        """
        plans: list[Unsaved] = []
        troubles: list[str] = []
        with self._guard:
            files = [file for file in sorted(self._folder.glob(f"*{_ENDING}")) if self._is_ours(file)]
        for file in files:
            try:
                plans.append(_read(file))
            except (OSError, ValueError, PlanError) as error:
                troubles.append(_trouble(file, error))
        return RecoveredPlans(tuple(sorted(plans, key=lambda one: -one.at)), tuple(troubles))

    def _is_ours(self, file: Path) -> bool:
        """Whether what was left is for us to look at: its console is dead, so that its lock can be had."""
        name = file.name.partition(".")[0]
        if self._is_closed:
            return False
        if name not in self._taken:
            lock = _locked(self._folder / name)
            if lock is None:
                return False
            self._taken[name] = lock
        return True

    def adopt(self, lost: Unsaved, key: str) -> None:
        """Assign a plan that another console has left to a document as its stored state.

        Raises:
            OSError: it is left where it was.
        """
        lost.file.replace(self._file_of(key))

    def drop(self, lost: Unsaved) -> None:
        """Remove the stored states of another console.

        Raises:
            OSError: it cannot be removed.
        """
        lost.file.unlink(missing_ok=True)

    def close(self) -> None:
        """Close the folder; stored states stay for the next console."""
        with self._guard:
            locks = {} if self._is_closed else {**self._taken, self._name: self._lock}
            self._is_closed = True
        for name, lock in locks.items():
            lock.release()
            if not any(self._folder.glob(f"{name}.*{_ENDING}")):
                _remove(self._lock_file(name))


def _locked(place: Path) -> JournalLock | None:
    """The lock of a name; None: it is held.

    Raises:
        OSError: there can be none.
    """
    try:
        return JournalLock(place)
    except JournalInUse:
        return None
    except JournalError as error:
        raise OSError(str(error)) from None


def _remove(file: Path) -> None:
    try:
        file.unlink()
    except OSError:  # it is somebody else's again, or the folder is gone: it costs nothing
        return


# ---- one file


def _text_of(document: Document, at: float) -> str:
    head = {
        "starloom_unsaved": VERSION,
        "title": document.title,
        "path": str(document.path) if document.path is not None else None,
        "format": document.format,
        "keyed": sorted(document.keyed),
        "stamp": asdict(document.stamp) if document.stamp is not None else None,
        "at": at,
        "is_seen": document.is_seen,
        "draft": document.draft,
    }
    return f'{json.dumps(head)[:-1]}, "plan": {dump_plan(document.plan, "json")}}}\n'


def _write(file: Path, text: str) -> None:
    part = file.with_suffix(".part")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    part.replace(file)


def _read(file: Path) -> Unsaved:
    """The content of a stored file.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no such file.
        PlanError: its plan is no good one.
    """
    if file.stat().st_size > MAX_BYTES:
        raise ValueError("it is too large")
    try:
        said = json.loads(file.read_bytes())
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(said, dict) or said.get("starloom_unsaved") != VERSION:
        raise ValueError("this version of Starloom did not write it")
    plan = parse_plan(json.dumps(said.get("plan")), file.name, "json")
    path, title, format_, draft = (said.get(name) for name in ("path", "title", "format", "draft"))
    return Unsaved(
        file=file,
        title=title if isinstance(title, str) and title else plan.name,
        plan=plan,
        path=Path(path) if isinstance(path, str) and "\0" not in path and Path(path).is_absolute() else None,
        format=format_ if format_ in READABLE else "yaml",
        stamp=_stamp_of(said.get("stamp")),
        at=_number(said.get("at")),
        keyed=_sections(said.get("keyed")),
        is_seen=said.get("is_seen") is True,
        draft=draft if isinstance(draft, str) and draft else new_draft(),  # an earlier version kept none
    )


def _sections(said: Any) -> frozenset[str]:
    return frozenset(name for name in KEYED if isinstance(said, list) and name in said)


def _stamp_of(said: Any) -> Stamp | None:
    if isinstance(said, dict) and all(isinstance(said.get(name), int) for name in ("changed", "size")):
        return Stamp(said["changed"], said["size"])
    return None


def _number(said: Any) -> float:
    return said if isinstance(said, float) and math.isfinite(said) else 0.0


def _trouble(file: Path, error: Exception) -> str:
    sentence = translate("Unsaved", "%1 keeps a plan that was not saved, and cannot be read: %2. It stays where it is.")
    problems = error.problems[:1] if isinstance(error, PlanError) else ()
    reason = " ".join(map(problem_line, problems)) or getattr(error, "strerror", None) or str(error)
    return fill(sentence, file, reason.rstrip("."))
