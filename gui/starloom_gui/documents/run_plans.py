"""Which plan each run was started from, known in later sessions, too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance

    from starloom_gui.documents.document import Document, RunTab
    from starloom_gui.settings import Settings


class _Open(Protocol):
    """The protocol of what is open."""

    @property
    def changed(self) -> SignalInstance:
        """Told when something else is open."""

    @property
    def documents(self) -> tuple[Document, ...]:
        """The plans that are open."""

    @property
    def runs(self) -> tuple[RunTab, ...]:
        """The runs that are open."""

    def document(self, key: str) -> Document | None:
        """The plan of a key; None: it is closed."""


class RunPlans:
    """Knows the plan of each run by its `Document.persistent_id`, and stores it for later sessions.

    Args:
        documents: what is open; a plan of it that gets another file is followed there.
        settings: where it is kept; None: for this session only.
    """

    def __init__(self, documents: _Open, settings: Settings | None) -> None:
        self._documents, self._settings = documents, settings
        self._known = settings.run_plans if settings is not None else dict[str, str]()
        self._keys: dict[str, str] = {}
        documents.changed.connect(self._follow)

    def plan_id_of(self, run_id: str) -> str:
        """The persistent id of the plan that a run was started from; empty: not known."""
        return self._known.get(run_id, "")

    def document_of(self, run: RunTab) -> Document | None:
        """The plan a run was started from, if it is open, again or still."""
        plan_id, documents = self.plan_id_of(run.run_id), self._documents
        again = (one for one in documents.documents if plan_id and one.persistent_id == plan_id)
        return documents.document(run.document) or next(again, None)

    def _follow(self) -> None:
        """Note where the plans of the runs of this session are now."""
        for run in self._documents.runs:
            if (plan := self.document_of(run)) is not None:
                self._keys[run.run_id] = plan.key
        for run_id, key in self._keys.items():
            if (document := self._documents.document(key)) is not None:
                self._note(run_id, document.persistent_id)

    def _note(self, run_id: str, plan_id: str) -> None:
        if self.plan_id_of(run_id) != plan_id:
            if self._settings is not None:
                self._known |= self._settings.run_plans  # another console may have noted some meanwhile
            self._known[run_id] = plan_id
            if self._settings is not None:
                self._settings.run_plans = self._known
