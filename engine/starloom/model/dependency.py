"""A dependency: an edge of a plan, from a parent to the child that waits for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Annotated, Any, Final, Self

from pydantic import Field, model_validator
from pydantic.dataclasses import dataclass

from starloom.model.frozen import EMPTY
from starloom.model.json_values import JsonChecked
from starloom.model.status import DependencyKind
from starloom.model.task import CONFIG, Identifier

MAX_CONDITION_LENGTH = 500
SUCCESS: Final = DependencyKind.SUCCESS
"""For what is done for each dependency of a plan: in Python 3.11 a member takes as long to look up as a call does."""


@dataclass(frozen=True, slots=True, kw_only=True, config=CONFIG)
class Dependency:
    """The child waits for the parent; `kind` says which ends of the parent let it go on.

    Raises:
        pydantic.ValidationError: a condition without the kind `condition`, or the other way round.
    """

    parent: Identifier
    child: Identifier
    kind: DependencyKind = DependencyKind.SUCCESS
    condition: Annotated[str, Field(min_length=1, max_length=MAX_CONDITION_LENGTH)] | None = None
    """A CEL expression over status, value, exit_code, output, attempts, duration and severity of the parent."""
    metadata: Annotated[Mapping[str, Any], JsonChecked] = EMPTY

    @classmethod
    def plain(cls, parent: Identifier, child: Identifier) -> Self:
        """A `success` dependency of two ids of tasks, which are valid so; large plans are mostly made of them."""
        made: Any = _Blank()
        made.parent, made.child = parent, child
        made.kind, made.condition, made.metadata = SUCCESS, None, EMPTY
        made.__class__ = cls
        return made  # type: ignore[no-any-return]  # to cast it would be one more call for each

    @model_validator(mode="after")
    def _condition_fits(self) -> Self:
        if self.condition is not None and self.kind is not DependencyKind.CONDITION:
            raise ValueError(f"a dependency of kind {self.kind} takes no condition; use kind: condition")
        if self.condition is None and self.kind is DependencyKind.CONDITION:
            raise ValueError("a dependency of kind condition needs a condition, e.g. value.score > 0.8")
        return self


class _Blank:
    """A dependency in the making. What is frozen can be filled slot by slot only, which takes three times as long."""

    __slots__ = tuple(field.name for field in fields(Dependency))
