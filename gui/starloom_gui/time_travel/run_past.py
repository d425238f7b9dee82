"""What the past of a run is read from: its journal or, where that is on another machine, a copy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from starloom.journal.base import JournalError
from starloom_gui.text.words import translate

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class RunPast:
    """The past of a run.

    Attributes:
        path: gives its journal, or the copy; None: there is none.
        missing: why there is none, as a sentence; empty: none is kept.
        fetch: has what is new in the copy, or raises a `StarloomError`; None: it is the journal itself.
    """

    path: Callable[[], Path | None] = lambda: None
    missing: str = ""
    fetch: Callable[[], Awaitable[object]] | None = None

    @property
    def is_here(self) -> bool:
        """Whether there is a journal on this machine."""
        return self.fetch is None and self.path() is not None

    async def refresh(self) -> None:
        """Have what is new in the journal in the copy, if there is one.

        Raises:
            StarloomError: it cannot be copied.
        """
        if self.fetch is not None:
            await self.fetch()

    async def up_to_date(self) -> Path:
        """The journal, or the copy with all that is in the journal by now.

        Raises:
            StarloomError: there is none, or it cannot be copied.
        """
        await self.refresh()
        path = self.path()
        if path is None:
            none_kept = translate("Travel", "This run keeps no journal, so that nothing of its past can be shown.")
            raise JournalError(self.missing or none_kept)
        return path
