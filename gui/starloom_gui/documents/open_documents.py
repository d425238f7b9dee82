"""The open plans and runs, their order, and the one in front."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from starloom.formats.files import stem_of
from starloom.formats.losses import NATIVE
from starloom.model.plan import Plan
from starloom_gui.documents.document import Document, Item, RunTab, new_draft
from starloom_gui.documents.run_names import RunNames
from starloom_gui.documents.run_plans import RunPlans
from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from starloom_gui.documents.document import Loaded, Stamp
    from starloom_gui.documents.unsaved import Unsaved


class OpenDocuments(QObject):
    """The model of the tabs: the plans and runs that are open. Closing a run's tab does not touch the run.

    Args:
        parent: of the object.
        names: what runs are called; None: they are named for this session alone.

    Attributes:
        names: what runs are called.
        plans: what they were started from.

    Signals:
        changed(): another tab is there, one is gone, or one has another title, mark or plan.
        turned(Document | RunTab | None): what is in front now, or is a newer state of it.
    """

    changed = Signal()
    turned = Signal(object)

    def __init__(self, parent: QObject | None = None, names: RunNames | None = None) -> None:
        super().__init__(parent)
        self.names = names if names is not None else RunNames()
        self.plans = RunPlans(self, self.names.settings)
        self._items: dict[str, Item] = {}
        self._front = ""
        self._numbers = itertools.count(1)

    # ---- reading

    def __iter__(self) -> Iterator[Item]:
        """The open documents, from left to right."""
        return iter(tuple(self._items.values()))

    def __len__(self) -> int:
        return len(self._items)

    @property
    def front(self) -> Item | None:
        """The document in front; None: none is open."""
        return self._items.get(self._front)

    @property
    def documents(self) -> tuple[Document, ...]:
        """The plans that are open, from left to right."""
        return tuple(item for item in self if isinstance(item, Document))

    @property
    def runs(self) -> tuple[RunTab, ...]:
        """The runs that are open, from left to right."""
        return tuple(item for item in self if isinstance(item, RunTab))

    def item(self, key: str) -> Item | None:
        """The document of a key; None: it is closed."""
        return self._items.get(key)

    def document(self, key: str) -> Document | None:
        """The plan of a key; None: it is closed, or it is a run."""
        found = self._items.get(key)
        return found if isinstance(found, Document) else None

    def at(self, path: Path) -> Document | None:
        """The plan whose file this is, if it is open; the path must be without links, as `Loaded.path` is."""
        return next((document for document in self.documents if document.path == path), None)

    def document_of(self, run: RunTab) -> Document | None:
        """The plan a run was started from, if it is open, again or still."""
        return self.plans.document_of(run)

    # ---- putting down

    def put_loaded(self, loaded: Loaded, *, is_seen: bool = False, is_behind: bool = False) -> Document:
        """Open a loaded file and raise it, in place of an open document of the same file.

        Args:
            loaded: the file.
            is_seen: whether all that it would run was typed here or agreed to before.
            is_behind: whether what is in front stays there; with nothing in front it comes there all the same.
        """
        known = self.at(loaded.path)
        document = Document(
            key=known.key if known is not None else self._new_key(),
            title=self._title_of(loaded.path),
            plan=loaded.plan,
            path=loaded.path,
            format=loaded.format,
            keyed=loaded.keyed,
            stamp=loaded.stamp,
            remarks=loaded.remarks,
            digest=loaded.digest,
            saved=loaded.plan,
            reason=self.tr("Reload"),
            is_seen=is_seen and (known is None or known.is_seen),
        )
        return self._put(document, is_behind=is_behind)

    def put_new(self, plan: Plan | None = None) -> Document:
        """Open an empty plan, or one that comes with the program, and raise it; not dirty until it is changed."""
        title = plan.name if plan is not None else _free_title({document.title for document in self.documents})
        digest, stand_in = ("", title) if plan is None else (None, "")
        plan = plan if plan is not None else Plan(name=title)
        made = Document(key=self._new_key(), title=title, plan=plan, digest=digest, saved=plan, is_seen=True)
        return self._put(replace(made, stand_in=stand_in))

    def put_plan(self, plan: Plan, digest: str | None = None) -> Document:
        """Open a plan that has no file and raise it; it is dirty.

        Args:
            plan: what is put down.
            digest: of everything it would run; None: nobody has worked it out yet.
        """
        return self._put(Document(key=self._new_key(), title=plan.name, plan=plan, is_dirty=True, digest=digest))

    def put_back(self, lost: Unsaved) -> Document:
        """Open a plan that was not saved when its console ended, and raise it; it is dirty.

        Where its file is open and nothing was changed in it, it becomes the plan of that document.
        """
        known = self.at(lost.path) if lost.path is not None else None
        if known is not None and not known.is_dirty:
            self.change(known.key, lost.plan, reason=self.tr("Restore"), is_typed=lost.is_seen)
            self.note_stamp(known.key, lost.stamp)
            self.turn_to(known.key)
            return self.document(known.key) or known
        document = Document(
            key=self._new_key(),
            title=lost.title,
            plan=lost.plan,
            path=lost.path if known is None else None,
            format=lost.format,
            keyed=lost.keyed,
            stamp=lost.stamp if known is None else None,
            is_dirty=True,
            digest=None,
            stand_in=lost.title if lost.path is None else "",
            is_seen=lost.is_seen,
            draft=lost.draft,
        )
        return self._put(document)

    def put_run(self, run_id: str, document: Document | None = None, title: str = "") -> RunTab:
        """Open a run and raise it.

        Args:
            run_id: of the engine; one that is open already is turned to.
            document: what it was started from, as it was then.
            title: what it is called, if it is the first of that name; empty: as its plan.
        """
        known = next((run for run in self.runs if run.run_id == run_id and run.folder is None), None)
        if known is not None:
            self.turn_to(known.key)
            return known
        name = title or (document.plan.name if document is not None else "") or self.tr("Run")
        run = RunTab(
            key=f"run {run_id}",
            title=self.names.given(run_id, name),
            run_id=run_id,
            snapshot=document.plan if document is not None else None,
            document=document.key if document is not None else "",
        )
        return self._put_run(run)

    def put_recorded(self, run_id: str, folder: Path, title: str) -> RunTab:
        """Open a run from the journal in a folder and raise it; one that is open is raised.

        Args:
            run_id: of the run.
            folder: of its journal.
            title: see `put_run`.
        """
        key = f"journal {folder}"
        known = self._items.get(key)
        if isinstance(known, RunTab):
            self.turn_to(key)
            return known
        return self._put_run(RunTab(key=key, title=self.names.given(run_id, title), run_id=run_id, folder=folder))

    def put_again(self, run: RunTab) -> None:
        """Open a run that was closed, as it was, and raise it; one that is open is raised."""
        known = next((one for one in self.runs if one.run_id == run.run_id and one.folder == run.folder), run)
        self._put_run(known)

    def _put_run(self, run: RunTab) -> RunTab:
        self._items[run.key] = run
        self._front = run.key
        self._tell()
        return run

    def _title_of(self, path: Path) -> str:
        """The name of a file without its ending; that of its folder behind it where another plan is called the same."""
        name = stem_of(path)
        others = {document.title for document in self.documents if document.path != path}
        return fill(self.tr("%1 (%2)"), name, path.parent.name) if name in others else name

    def _new_key(self) -> str:
        return f"plan {next(self._numbers)}"

    def _put(self, document: Document, *, is_behind: bool = False) -> Document:
        self._items[document.key] = document
        if not is_behind or self.front is None:
            self._front = document.key
        self._tell()
        return document

    # ---- changing

    def turn_to(self, key: str) -> None:
        """Raise a tab; one that is closed is not opened."""
        if key in self._items and key != self._front:
            self._front = key
            self._tell()

    def arrange(self, keys: Sequence[str]) -> None:
        """Move these tabs to the left, in this order; the others follow in theirs."""
        wanted = [key for key in keys if key in self._items]
        order = [*wanted, *(key for key in self._items if key not in wanted)]
        if order != list(self._items):
            self._items = {key: self._items[key] for key in order}
            self._tell()

    def close(self, *keys: str) -> None:
        """Close tabs, saved or not; the next one to the right that stays comes to the front, else that to the left."""
        order, gone = list(self._items), {key for key in keys if self._items.pop(key, None)}
        if not gone:
            return
        if self._front in gone:
            place = order.index(self._front)
            stay = [key for key in (*order[place:], *reversed(order[:place])) if key not in gone]
            self._front = stay[0] if stay else ""
        self._tell()

    def change(
        self, key: str, plan: Plan, digest: str | None = None, reason: str = "", *, is_typed: bool = False
    ) -> None:
        """Replace the plan of a document, which is dirty unless the plan equals that of its file.

        One that is closed stays so.

        Args:
            key: of the document.
            plan: what it is from now on.
            digest: as for `put_plan`.
            reason: what this change is called, e.g. where it can be undone.
            is_typed: whether the user made it here, or was shown it; else the document is not `is_seen` any more.
        """
        document = self.document(key)
        if document is not None and plan != document.plan:
            dirty = plan != document.saved
            seen = document.is_seen and is_typed
            self._replace(replace(document, plan=plan, is_dirty=dirty, digest=digest, reason=reason, is_seen=seen))

    def note_saved(
        self,
        key: str,
        saved: Plan,
        path: Path,
        format: str,  # noqa: A002 - the word people use
        stamp: Stamp | None,
        before: Plan | None = None,
    ) -> None:
        """Note that a plan was saved in a file; it stays dirty if it was changed while it was written.

        Args:
            key: of the document; one that is closed stays so.
            saved: what was written.
            path: the file, without links; a document that was open of it stays open without one, not saved.
            format: of the file.
            stamp: of the file as it was written.
            before: what was open when writing began, if that had no name and was written under the name of its file,
                which is its own from now on; None: it was written as it was.
        """
        document = self.document(key)
        if document is None:
            return
        other = self.at(path)
        if other is not None and other.key != key:
            self._replace(replace(other, path=None, stamp=None, saved=None, is_dirty=True, draft=new_draft()))
        title = document.title if document.path == path else self._title_of(path)
        plan = document.plan if before is None else _renamed(document.plan, before, saved)
        now = replace(document, plan=plan, path=path, title=title, format=format, stamp=stamp, saved=saved, stand_in="")
        remarks = document.remarks if path == document.path and format not in NATIVE else ()  # the new file says it
        self._replace(replace(now, is_dirty=plan is not saved, remarks=remarks))

    def note_unseen(self, key: str) -> None:
        """Note that a document holds something that the user has neither typed nor reviewed."""
        document = self.document(key)
        if document is not None and document.is_seen:
            self._replace(replace(document, is_seen=False))

    def note_stamp(self, key: str, stamp: Stamp | None) -> None:
        """Note that the user knows of this state of the file and keeps the open document."""
        document = self.document(key)
        if document is not None:
            self._replace(replace(document, stamp=stamp, is_dirty=True, saved=None))

    def _replace(self, document: Document) -> None:
        self._items[document.key] = document
        self._tell()

    def _tell(self) -> None:
        self.changed.emit()
        self.turned.emit(self.front)


def _free_title(taken: Collection[str]) -> str:
    """The title of a new plan that no other one has."""
    names = (fill(translate("OpenDocuments", "New plan %1"), number) for number in itertools.count(2))
    first = translate("OpenDocuments", "New plan")
    return next(name for name in itertools.chain((first,), names) if name not in taken)


def _renamed(plan: Plan, before: Plan, after: Plan) -> Plan:
    """The plan after one of its states was renamed: that state itself, or a later one."""
    if plan is before:
        return after
    return plan.named(after.name) if plan.name == before.name else plan
