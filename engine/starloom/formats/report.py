"""The list of everything that is wrong with one document, each with its line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starloom.errors import PlanError, Problem
from starloom.formats.fields import findings
from starloom.formats.source import ParsedDocument, show_path

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pydantic import ValidationError

    from starloom.formats.limits import Path


class ProblemReport:
    """Collects the problems of a document, so that all are reported at once."""

    def __init__(self, document: ParsedDocument) -> None:
        self.document = document
        self.problems: list[Problem] = []

    def add(
        self, path: Path, message: str, hint: str = "", *, code: str = "field", where: str = "", task_id: str = ""
    ) -> None:
        """Note what is wrong at `path`; `where` replaces the path as people read it."""
        self.problems.append(
            Problem(
                message=message,
                hint=hint,
                where=where or show_path(path),
                line=self.document.line(path),
                code=code,
                task_id=task_id or None,
            )
        )

    def add_invalid(
        self,
        error: ValidationError,
        value: Any,
        path: Path,
        where: str,
        known: Sequence[str],
        *,
        task_id: str = "",
        place: Callable[[Path], Path] | None = None,
    ) -> None:
        """Note everything pydantic found in the mapping at `path`; `place` says where a field really stands."""
        for inner, message, hint in findings(error, value, known):
            full = (*path, *inner) if place is None else place(inner)
            shown = show_path((where, *inner)) if where else show_path(inner)
            code = "unknown_field" if message.startswith("unknown field") else "field"
            self.add(full, message, hint, code=code, where=shown, task_id=task_id)

    def finish(self) -> None:
        """Do nothing if nothing is wrong.

        Raises:
            PlanError: something is; the problems stand in the order of their lines.
        """
        if self.problems:
            self.problems.sort(key=lambda problem: problem.line or 0)
            raise PlanError(self.problems, self.document.source)
