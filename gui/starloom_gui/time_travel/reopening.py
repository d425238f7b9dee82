"""What is offered of a run that is shown from its journal: to reopen it, if it has ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.specs.action_spec import Verdict


@dataclass(frozen=True, slots=True)
class Reopening:
    """How a run that is shown from its journal is reopened.

    Attributes:
        do: reopens it; returns at once.
        verdict: whether that can be done.
    """

    do: Callable[[], object]
    verdict: Verdict
