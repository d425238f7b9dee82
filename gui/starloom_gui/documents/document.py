"""Open documents as values: a plan with its file, and a run with the plan it was started from."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from starloom.model.plan import Plan


@dataclass(frozen=True, slots=True)
class Stamp:
    """The fingerprint of a file's state, which can be compared without reading the file.

    Attributes:
        changed: when it was last written, in nanoseconds since 1970.
        size: in bytes.
    """

    changed: int
    size: int


def stamp_of(path: Path) -> Stamp | None:
    """The stamp of a file as it is now; None: it is missing or cannot be read. Asks the disk."""
    try:
        found = path.stat()
    except OSError:
        return None
    return Stamp(found.st_mtime_ns, found.st_size)


def new_draft() -> str:
    """A name that no plan has had, in any session."""
    return secrets.token_hex(8)


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A file that was read.

    Attributes:
        path: where it is, without links.
        format: one of `starloom.formats.READABLE`.
        remarks: what was assumed because the file does not say it, as sentences.
        stamp: of the file before it was read, so that a change during the reading is one.
        digest: of everything the plan would run; see `would_run`.
        keyed: see `Document`.
    """

    path: Path
    plan: Plan
    format: str
    remarks: tuple[str, ...]
    stamp: Stamp | None
    digest: str
    keyed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A plan that is open.

    Attributes:
        key: its name in the program.
        title: its name on the screen.
        path: its file; None: it was never saved.
        format: of its file.
        keyed: the sections that its author wrote as mappings from ids; they are written so again.
        stamp: of its file, as it was last read or written.
        is_dirty: whether the plan differs from its file.
        remarks: what was assumed when it was read.
        digest: of everything it would run; None: nobody has worked it out yet.
        saved: the plan as its file has it, or that of a new document; None: it differs, whatever it becomes.
        reason: what the last change of the plan is called; empty: nobody has said.
        is_seen: whether all it would run, and what undo leads back to, was typed here or agreed to once.
        stand_in: what it is called until its file gives it a name; empty: it has one.
        draft: its name in later sessions, too, as long as it has no file.
    """

    key: str
    title: str
    plan: Plan
    path: Path | None = None
    format: str = "yaml"
    keyed: frozenset[str] = frozenset()
    stamp: Stamp | None = None
    is_dirty: bool = False
    remarks: tuple[str, ...] = ()
    digest: str | None = ""
    saved: Plan | None = field(default=None, compare=False, repr=False)
    reason: str = ""
    is_seen: bool = False
    stand_in: str = ""
    draft: str = field(default_factory=new_draft, compare=False)

    @property
    def persistent_id(self) -> str:
        """What it is found by in later sessions: its file, or else its draft."""
        return str(self.path) if self.path is not None else self.draft


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTab:
    """A run that is open: an execution of a plan as it was when it was started. Never dirty.

    Attributes:
        key: its name in the program.
        title: its name on the screen.
        run_id: of the engine.
        snapshot: the plan it was started from; None: it came from elsewhere.
        document: the key of the document it was started from; it may be closed by now. Empty: see `RunPlans`.
        folder: where its journal is, if nothing but that tells of it; None: it is a run of the engine.
    """

    key: str
    title: str
    run_id: str
    snapshot: Plan | None = None
    document: str = ""
    folder: Path | None = None


Item = Document | RunTab
"""What a tab stands for."""
