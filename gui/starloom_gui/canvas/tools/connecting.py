"""A dependency that is being connected or reconnected, by mouse or by keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF

from starloom_gui.canvas.gesture_preview import NO_PREVIEW, Caption, GesturePreview, PreviewEdge
from starloom_gui.canvas.ports import port_place
from starloom_gui.editing import steps
from starloom_gui.editing.legality import Targets
from starloom_gui.text.words import translate

if TYPE_CHECKING:
    from starloom.layout.values import BoolArray
    from starloom_gui.canvas.surface import Surface
    from starloom_gui.editing.base import Editor, Step
    from starloom_gui.editing.trial import Trial


@dataclass(frozen=True, slots=True)
class Loose:
    """A dependency with one loose end, which is being moved; tasks as numbers.

    Attributes:
        fixed: the end that stays.
        forward: whether the other end is the child.
        moving: what that end was at; None: the dependency is new.
    """

    fixed: int
    forward: bool
    moving: int | None = None

    @property
    def edge(self) -> tuple[int, int] | None:
        """The parent and child of the existing dependency; None: it is new."""
        if self.moving is None:
            return None
        return (self.fixed, self.moving) if self.forward else (self.moving, self.fixed)


class Connecting:
    """Shows the allowed targets of a dependency, and adds it.

    Which tasks may be the other end is found once, here; what has become illegal since is refused by the editor.

    Args:
        surface: the parts of the canvas.
        editor: of its graph.
        loose: the dependency.
        trial: says what it would change once it rests on a task; None: nothing is foreseen.

    Attributes:
        loose: the dependency.
        aimed: the task it is led to now, legal or not; None: none.
        chosen: by row, which nodes may be chosen.
    """

    def __init__(self, surface: Surface, editor: Editor, loose: Loose, trial: Trial | None = None) -> None:
        facts = editor.facts()
        assert facts is not None, "something was taken hold of, so there is a graph"
        self._surface, self._editor, self.loose, self._trial = surface, editor, loose, trial
        if trial is not None:
            trial.changed.connect(self._show)
        self.targets = Targets(facts, loose.fixed, forward=loose.forward, moving=loose.moving)
        self.aimed: int | None = None
        self._at, self._is_over = QPointF(), False
        self.chosen: BoolArray = np.zeros(0, dtype=np.bool_)
        self.renew()

    # ---- while it goes on

    def aim(self, number: int | None, at: QPointF) -> None:
        """Aim at a task, or at a point of the scene where there is none."""
        self.aimed, self._at = number, at
        self._show()

    def renew(self) -> None:
        """Show the same on another render model."""
        picture = self._surface.graph.picture
        if picture is None or self._is_over:
            return
        legal, numbers = self.targets.legal, picture.numbers
        self.chosen = picture.plain & picture.present & (numbers < len(legal))
        self.chosen &= legal[np.minimum(numbers, len(legal) - 1)]
        apart = ~self.chosen
        for number in (self.loose.fixed, self.loose.moving):
            row = picture.row(number)
            if row is not None:
                apart[row] = False
        self._surface.overlay.set_apart(apart)
        if self.aimed is not None:
            self._show()

    def _show(self) -> None:
        loose, legal = self.loose, self.aimed is not None and self._allows(self.aimed)
        end = self._port(self.aimed, outgoing=not loose.forward) if legal else self._at
        begin = self._port(loose.fixed, outgoing=loose.forward)
        self._surface.overlay.show_preview(
            GesturePreview(
                line=self._line(begin, end, sure=legal),
                target=self.aimed if legal else None,
                open=self.targets.legal,
                outgoing=not loose.forward,
                loose=loose.edge,
                note=self._note(legal=legal),
            )
        )

    def _line(self, begin: QPointF | None, end: QPointF | None, *, sure: bool) -> PreviewEdge | None:
        """The line between the fixed and the loose end, in the direction of the dependency."""
        if begin is None or end is None:
            return None
        return PreviewEdge(begin, end, sure) if self.loose.forward else PreviewEdge(end, begin, sure)

    def _allows(self, number: int) -> bool:
        picture = self._surface.graph.picture
        return self.targets.allows(number) and picture is not None and not picture.is_hidden(number)

    def _note(self, *, legal: bool) -> Caption | None:
        step = self._step() if legal else None
        if self._trial is not None:
            self._trial.ask(step)
        if step is not None:
            more = self._trial.words if self._trial is not None else ""
            return Caption("\n".join(filter(None, (step.label, more))), self._at)
        if self.aimed is None or self.aimed == self.loose.fixed:
            blocked = self.targets.blocked
            return Caption(blocked, self._at, wrong=True) if blocked else None
        picture = self._surface.graph.picture
        if picture is not None and picture.is_hidden(self.aimed):
            return Caption(translate("Canvas", "Unfold the group to choose one of its tasks."), self._at, wrong=True)
        return Caption(self.targets.why(self.aimed), self._at, wrong=True)

    def _port(self, number: int | None, *, outgoing: bool) -> QPointF | None:
        picture = self._surface.graph.picture
        row = picture.row(number) if picture is not None else None
        return (
            QPointF(*port_place(picture, row, outgoing=outgoing)) if picture is not None and row is not None else None
        )

    # ---- its end

    def _step(self) -> Step | None:
        """The edit that a release would make now; None: none."""
        facts, loose, aimed = self._editor.facts(), self.loose, self.aimed
        if facts is None or aimed is None or not self._allows(aimed):
            return None
        if loose.edge is not None:
            if not facts.graph.has_edge(*loose.edge):
                return None  # somebody else took it away meanwhile
            return steps.reconnect(facts, *loose.edge, aimed, forward=loose.forward)
        return steps.connect(facts, *((loose.fixed, aimed) if loose.forward else (aimed, loose.fixed)))

    def finish(self) -> bool:
        """Release the dependency; returns whether an edit was made."""
        step, aimed, fixed = self._step(), self.aimed, self.loose.fixed
        reason = self._note(legal=False) if step is None else None
        self.end()
        if reason is not None:
            self._surface.overlay.say_of(aimed, reason.words)
        if step is None or aimed is None:
            return False
        is_likely = self._editor.verdict(step.edits).ok
        self._editor.do(step)
        if is_likely:
            self._surface.overlay.await_edge(
                *((fixed, aimed) if self.loose.forward else (aimed, fixed)), self.loose.edge
            )
        return True

    def end(self) -> None:
        """Hide the preview; nothing has changed."""
        if self._is_over:
            return
        self._is_over = True
        if self._trial is not None:
            self._trial.changed.disconnect(self._show)
            self._trial.ask(None)
        self._surface.overlay.set_apart(None)
        self._surface.overlay.show_preview(NO_PREVIEW)
