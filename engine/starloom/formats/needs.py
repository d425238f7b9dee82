"""Reading dependencies: `needs` of a task, and the list `dependencies` of a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pydantic import TypeAdapter, ValidationError

from starloom.constellation import conditions
from starloom.formats.fields import describe, unknown_field
from starloom.model.dependency import Dependency

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from starloom.formats.limits import Path
    from starloom.formats.report import ProblemReport

_DEPENDENCY: Final = TypeAdapter(Dependency)
NEED_FIELDS: Final = ("task", "kind", "condition", "metadata")
DEPENDENCY_FIELDS: Final = ("parent", "child", "kind", "condition", "metadata")


class NeedsReader:
    """Reads dependencies in the order in which the file gives them.

    Args:
        report: takes the problems.
        known: the ids of the tasks.

    Attributes:
        found: each good dependency with its place in the file.
    """

    def __init__(self, report: ProblemReport, known: Collection[str] = ()) -> None:
        self.report, self._known = report, known
        self.found: list[tuple[Dependency, Path]] = []

    def read_needs(self, child: str, given: Any, path: Path) -> None:
        """The `needs` of one task: an id, a mapping, or a list of ids and mappings."""
        if given is None:
            return
        is_list = isinstance(given, list)
        for number, item in enumerate(given if is_list else (given,)):
            place = (*path, number) if is_list else path
            if isinstance(item, str) and item in self._known:
                self.found.append((Dependency.plain(item, child), place))
            else:
                self._need(child, item, place, f"tasks.{child}.needs[{number}]" if is_list else f"tasks.{child}.needs")

    def _need(self, child: str, item: Any, path: Path, where: str) -> None:
        if isinstance(item, str):
            self._dependency({"parent": item, "child": child}, path, where, child)
        elif not isinstance(item, dict):
            hint = "Put it in quotes if it is the id of a task." if isinstance(item, int | float) else ""
            message = f"a need is the id of a task or a mapping with 'task', not {describe(item)}."
            self.report.add(path, message, hint, where=where, task_id=child)
        elif "task" not in item:
            self._unknown(item, NEED_FIELDS, path, where, child)
            message = "the field 'task' is missing; it names the task to wait for."
            self.report.add(path, message, "Add task: and an id.", where=where, task_id=child)
        elif not self._unknown(item, NEED_FIELDS, path, where, child):
            values = {"parent" if key == "task" else key: value for key, value in item.items()}
            self._dependency({**values, "child": child}, path, where, child)

    def read_list(self, given: Any, path: Path) -> None:
        """The `dependencies` of a plan: a list of mappings with parent and child."""
        if given is None:
            return
        if not isinstance(given, list):
            self.report.add(path, f"must be a list of mappings with parent and child, not {describe(given)}.")
            return
        for number, item in enumerate(given):
            place, where = (*path, number), f"dependencies[{number}]"
            if not isinstance(item, dict):
                self.report.add(place, f"must be a mapping with parent and child, not {describe(item)}.")
            elif not self._unknown(item, DEPENDENCY_FIELDS, place, where, ""):
                self._dependency(item, place, where, "")

    def _unknown(self, item: dict[str, Any], known: Sequence[str], path: Path, where: str, task_id: str) -> bool:
        names = [name for name in item if name not in known]
        for name in names:
            message, hint = unknown_field(name, known)
            self.report.add((*path, name), message, hint, code="unknown_field", where=where, task_id=task_id)
        return bool(names)

    def _dependency(self, values: dict[str, Any], path: Path, where: str, task_id: str) -> None:
        if values.get("condition") is not None and "kind" not in values:
            values = {**values, "kind": "condition"}
        try:
            dependency = _DEPENDENCY.validate_python(values)
        except ValidationError as error:
            self.report.add_invalid(error, values, path, where, DEPENDENCY_FIELDS, task_id=task_id)
            return
        fault = conditions.check(dependency.condition) if dependency.condition is not None else None
        if fault is not None:
            self.report.add((*path, "condition"), fault, code="condition", where=where, task_id=dependency.child)
        self.found.append((dependency, path))
