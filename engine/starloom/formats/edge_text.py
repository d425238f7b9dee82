"""The text beside the arrow of a dependency in a drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starloom.model.status import DependencyKind

if TYPE_CHECKING:
    from starloom.model.dependency import Dependency


def edge_text(dependency: Dependency) -> str:
    """A few words on when the child may go on; empty for the usual case that the parent has to succeed."""
    if dependency.kind is DependencyKind.SUCCESS:
        return ""
    if dependency.kind is DependencyKind.CONDITION:
        return f"if {dependency.condition}"
    return "on failure" if dependency.kind is DependencyKind.FAILURE else "always"
