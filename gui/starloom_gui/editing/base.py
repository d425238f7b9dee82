"""The editor to which gestures, palette and inspector give their edits. One user action is one step of undo."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtCore import SignalInstance

    from starloom.constellation.edits import Edit, EditBatch
    from starloom.scheduling.commands import Command
    from starloom.scheduling.read.run_view import RunView
    from starloom.scheduling.state.run_facts import RunFacts
    from starloom_gui.editing.steering import Steering
    from starloom_gui.specs.action_spec import Verdict


class Mode(StrEnum):
    """When edits take effect."""

    LIVE = "live"
    """Each step at once, as a batch of its own."""
    STAGED = "staged"
    """Together, when they are committed; until then they are ghosts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One user action.

    Attributes:
        label: what it is called, e.g. "Add dependency compile → test".
        edits: what it comes to, in order; applied together or not at all.
        merges: steps that follow each other with the same non-empty text are one step of undo, as those of one drag.
        is_foreign: whether it brings in work that nobody has typed here, as a paste may.
        is_new: whether its tasks are written anew, so that a plan's defaults are theirs where they say nothing.
    """

    label: str
    edits: tuple[Edit, ...]
    merges: str = ""
    is_foreign: bool = False
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class Rearranged:
    """A change of how a view shows a graph, such as moved nodes: no edit, and undone by the view itself.

    Attributes:
        carry_out: does it, and returns what takes it back.
    """

    carry_out: Callable[[], Rearranged]


@dataclass(frozen=True, slots=True)
class Lasting:
    """A command that cannot be undone, as an entry of the history.

    Attributes:
        reason: why, in words.
        refused: what was to undo it and was refused for this reason, which may go by; None: nothing ever will.
        forth: what does it again once it is undone; None: only undoing it tells.
    """

    reason: str
    refused: EditBatch | Steering | None = None
    forth: Steering | None = None


class Editor(Protocol):
    """The edits of one run, or of one plan.

    Attributes:
        changed: a signal without arguments: the mode, what is staged, or what can be undone is other than it was.
    """

    @property
    def changed(self) -> SignalInstance:
        """Emitted whenever mode, staged steps or history have changed."""

    @property
    def mode(self) -> Mode:
        """When edits take effect."""

    def facts(self) -> RunFacts | None:
        """The facts that the user sees, with the staged edits applied; the run's own while nothing is staged."""

    def view(self) -> RunView | None:
        """The run of these facts."""

    def verdict(self, edits: Sequence[Edit]) -> Verdict:
        """Whether these edits would be accepted on top of what is staged, by the engine's own rules."""

    def do(self, step: Step) -> None:
        """Apply a step, or stage it; the message bar says why one is refused, and its overlay goes."""

    def steer(self, command: Command, label: str) -> None:
        """Send a command in either mode, as a step of undo or as one that shows why it cannot be undone."""

    def note(self, label: str, back: Rearranged, merges: str = "") -> None:
        """Add an action that a view has carried out as a step of undo, in either mode.

        Args:
            label: what it is called.
            back: takes it back.
            merges: see `Step`.
        """
