"""Chooses the gesture that a press on the canvas begins, and handles the keys that edit the graph.

Everything that is edited goes through `EditingVerbs`; without them nodes can be moved and marked, and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QPoint, Qt

from starloom_gui.canvas.alignment import Alignment
from starloom_gui.canvas.camera import Level
from starloom_gui.canvas.edge_grips import EdgeGrips
from starloom_gui.canvas.ports import ends_of
from starloom_gui.canvas.tools.band import Band
from starloom_gui.canvas.tools.connect import Connect
from starloom_gui.canvas.tools.connect_keys import WAYS, ConnectKeys
from starloom_gui.canvas.tools.connecting import Loose
from starloom_gui.canvas.tools.move_nodes import MoveNodes
from starloom_gui.editing.adding import GROUND, Site
from starloom_gui.text.words import translate
from starloom_gui.viewmodel.aligning import Align
from starloom_gui.viewmodel.keys import Scope, pressed

if TYPE_CHECKING:
    from collections.abc import Callable

    from starloom_gui.canvas.editing_verbs import EditingVerbs
    from starloom_gui.canvas.note_verbs import NoteVerbs
    from starloom_gui.canvas.surface import Surface
    from starloom_gui.canvas.tools.gesture import Gesture
    from starloom_gui.canvas.tools.move_nodes import PinDropTarget
    from starloom_gui.viewmodel.selection import Selection

NUDGE: Final = 16.0
"""How far Alt and an arrow key move a node, in the scene."""
_SIDES: Final = {(-1, 0): Align.LEFT, (1, 0): Align.RIGHT, (0, -1): Align.TOP, (0, 1): Align.BOTTOM}
_SHIFT: Final = Qt.KeyboardModifier.ShiftModifier
_CONTROL: Final = Qt.KeyboardModifier.ControlModifier
_ALT: Final = Qt.KeyboardModifier.AltModifier


class GestureController:
    """Begins gestures and handles editing keys.

    Args:
        surface: the parts of the canvas.
        selection: of its run.

    Attributes:
        verbs: what edits; None: nothing can be edited.
        notes: the editing of notes; None: there are none.
        grips: the ends of dependencies that can be dragged.
        alignment: aligns the selected nodes.
        pins: pins tasks that are dragged onto a device; None: there are none to be dragged onto.
    """

    def __init__(self, surface: Surface, selection: Selection) -> None:
        self._surface, self._selection = surface, selection
        self.verbs: EditingVerbs | None = None
        self.notes: NoteVerbs | None = None
        self.grips = EdgeGrips(surface)
        self.alignment = Alignment(surface, selection)
        self.pins: PinDropTarget | None = None
        self._keys: ConnectKeys | None = None

    @property
    def is_leading(self) -> bool:
        """Whether a dependency is being connected by keys, which then gets all key events."""
        return self._keys is not None

    @property
    def is_writing(self) -> bool:
        """Whether a card or a field is open, which nothing else may cover."""
        verbs = (self.verbs.field, self.verbs.drafting.field) if self.verbs is not None else ()
        return any((*verbs, self.notes.field if self.notes else None)) or (
            self.verbs is not None and self.verbs.card.isVisible()
        )

    # ---- pointer

    def press(self, at: QPoint, modifiers: Qt.KeyboardModifier, pick: Callable[[], None]) -> Gesture | None:
        """Return the gesture that a press of the left button begins; None: none of these.

        Args:
            at: where.
            modifiers: which keys are held.
            pick: selects the node there.
        """
        row, loose = (
            self._surface.hit_tester.row_at(at),
            self.grips.loose_at(at),
        )  # the end of a selected dependency while it is selected
        note = self._surface.notes.at(at)
        self.stop()
        self._surface.overlay.point_out(None)  # where the gesture ends, the pointer may be elsewhere
        if note is not None and self.notes is not None:
            return self.notes.press(note, at)
        plain = not modifiers & (_SHIFT | _CONTROL | _ALT)
        if loose is not None and plain and self.verbs is not None and self.verbs.facts() is not None:
            clicked = pick if row is not None else lambda: self._click(at)
            return Connect(self._surface, self.verbs.editor, loose, at, clicked, self.verbs.ask_kind, self.verbs.trial)
        frame = self._surface.frames.at(at)
        if frame is not None and plain:
            self._selection.select_all(frame.numbers, frame.numbers[0])
            return MoveNodes(self._surface, self.alignment.nodes(frame.numbers), at, lambda: None, self.pins)
        if row is not None and self._surface.pan_zoom.level is not Level.FAR and plain:
            return self._move(row, at, pick)
        if row is None and modifiers & _SHIFT:
            return Band(self._surface, at, lambda some: self._mark(some, more=bool(modifiers & _CONTROL)), lambda: None)
        return None

    def _move(self, row: int, at: QPoint, pick: Callable[[], None]) -> Gesture:
        """Begin to move a node, or all selected ones if it is one of them."""
        picture, chosen = self._surface.graph.picture, self._selection.now.numbers
        assert picture is not None, "a node of it was found"
        if not chosen.issuperset(picture.numbers_at(row)):
            pick()
            return MoveNodes(self._surface, (int(picture.numbers[row]),), at, lambda: None, self.pins)
        rows = {found for number in chosen if (found := picture.row(number)) is not None}
        return MoveNodes(self._surface, [int(picture.numbers[each]) for each in sorted(rows)], at, pick, self.pins)

    def _mark(self, numbers: list[int], *, more: bool) -> None:
        before = self._selection.now.numbers if more else frozenset()
        self._selection.select_all(before | set(numbers))

    def _click(self, at: QPoint) -> None:
        """Select the dependency at a viewport position; if there is none, clear the selection."""
        picture, edge = self._surface.graph.picture, self._surface.hit_tester.edge_at(at)
        ends = ends_of(picture, edge) if picture is not None and edge is not None else None
        if self.verbs is None or ends is None:
            self._selection.clear()
        else:
            self.verbs.choose_edge(ends, at)

    def click_ground(self, at: QPoint) -> None:
        """Handle a click on the background at a viewport position."""
        self._click(at)

    def hover(self, at: QPoint) -> None:
        """Follow the pointer while no button is pressed: highlight the port under it."""
        self._surface.overlay.be_silent()
        port = self.grips.port_at(at) if self.verbs is not None else None
        self._surface.overlay.point_out(port)
        can_draw = port is not None or self.grips.chosen_end_at(at) is not None
        shape = Qt.CursorShape.CrossCursor if can_draw else Qt.CursorShape.ArrowCursor
        shape = Qt.CursorShape.SizeAllCursor if self._surface.frames.at(at) is not None else shape
        shape = Qt.CursorShape.PointingHandCursor if self._surface.hit_tester.badge_act_at(at) is not None else shape
        self._surface.view.viewport().setCursor(
            Qt.CursorShape.SizeHorCursor if self._surface.notes.is_grip(at) else shape
        )

    def choose_note_at(self, at: QPoint) -> bool:
        """Select the note at a viewport position; returns whether there is one."""
        place = self._surface.notes.at(at)
        if place is not None:
            self._surface.notes.choose(place)
        return place is not None

    # ---- ends

    def stop(self) -> bool:
        """Cancel a connection by keys and deselect dependency and note; returns whether there was any."""
        keys, self._keys = self._keys, None
        if keys is not None:
            keys.cancel()
        had_edge, had_note = self._surface.overlay.chosen_edge is not None, bool(self._surface.overlay.note)
        self._surface.overlay.be_silent()
        if self.verbs is not None and had_edge:
            self.verbs.choose_edge(None)
        had_note_chosen = self._surface.notes.item.chosen is not None
        self._surface.notes.choose(None)
        return keys is not None or had_edge or had_note or had_note_chosen

    def renew(self) -> None:
        """Continue on another render model."""
        if self._keys is not None:
            self._keys.renew()
        if self.verbs is not None and self.verbs.card.isVisible():
            self.verbs.card.refresh()

    # ---- keys

    def escape(self) -> bool:
        """Cancel the present operation; returns whether there was one."""
        return self.stop() or (self.verbs is not None and self.verbs.drafting.give_up())

    def key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> bool:
        """Handle a key; returns whether it was handled."""
        if self._keys is not None:
            if self._keys.key(key):
                self._keys = None
            return True
        if key != Qt.Key.Key_Escape:
            self._surface.overlay.be_silent()
        if self.notes is not None and self.notes.key(key, modifiers):
            return True
        if key in WAYS and modifiers & _ALT and modifiers & _SHIFT:
            self._line_up(WAYS[key])
            return True
        if key in WAYS and modifiers & _ALT:
            self._nudge(WAYS[key])
            return True
        return self._commanded(pressed(Scope.GRAPH, key, modifiers), key)

    def _commanded(self, name: str, key: Qt.Key) -> bool:
        if name == "select_all":
            self.select_everything()
            return True
        verbs = self.verbs
        if verbs is None or verbs.facts() is None:
            return False
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._surface.overlay.chosen_edge is not None:
            self._open_card(verbs)
            return True
        act = self._edits(verbs).get(name)
        if act is not None:
            act()
        return act is not None

    def _edits(self, verbs: EditingVerbs) -> dict[str, Callable[[], object]]:
        """The functions of the editing keys, by their names among `keys.KEYS`."""
        return {
            "remove": verbs.remove,
            "remove_and_reconnect": verbs.remove_and_reconnect,
            "rename": verbs.rename,
            "insert": self.insert,
            "insert_kind": lambda: self._insert_kind(verbs),
            "connect": lambda: self.connect(forward=True),
            "connect_back": lambda: self.connect(forward=False),
            "next_edge": lambda: self._next_edge(verbs, 1),
            "previous_edge": lambda: self._next_edge(verbs, -1),
        }

    def connect(self, *, forward: bool) -> None:
        """Connect a dependency from the current task by keys, or to it; or move an end of the selected one."""
        if self.verbs is None or self._surface.graph.picture is None:
            return
        ends, current = self._surface.overlay.chosen_edge, self._selection.now.current
        if ends is not None:
            loose = Loose(ends[0], True, ends[1]) if forward else Loose(ends[1], False, ends[0])
            self.verbs.card.hide()
        elif current is not None and self._surface.graph.picture.row(current) is not None:
            loose = Loose(current, forward)
        else:
            self._surface.overlay.say_of(None, translate("Hand", "Select a task first."))
            return
        if self._surface.graph.picture.is_hidden(loose.fixed):
            self._surface.overlay.say_of(
                loose.fixed, translate("Hand", "Unfold the group to connect one of its tasks.")
            )
            return
        verbs = self.verbs
        self._keys = ConnectKeys(self._surface, verbs.editor, loose, self._surface.graph.reveal_task, verbs.trial)

    def select_everything(self) -> None:
        """Select all tasks, but for those that the filter dims."""
        picture = self._surface.graph.picture
        if picture is not None:
            rows = np.flatnonzero(picture.present & ~self._surface.graph.item.filtered).tolist()
            self._selection.select_all(number for row in rows for number in picture.numbers_at(row))

    def insert(self) -> None:
        """Ask for a new task of the usual kind, at the selected site."""
        if self.verbs is not None:
            self.verbs.ask_task(self._site()[0])

    def _insert_kind(self, verbs: EditingVerbs) -> None:
        """Ask for the kind of the new task."""
        verbs.ask_kind_at(*self._site(), stays=False)

    def _site(self) -> tuple[Site, QPoint]:
        """The site of a new task: in the selected dependency, behind the selected task, or beside all others."""
        ends, middle = self._surface.overlay.chosen_edge, self.grips.middle()
        if ends is not None and middle is not None:
            return Site(*ends), middle
        picture, now = self._surface.graph.picture, self._selection.now
        current = now.current if now.current in now.numbers else None
        row = picture.row(current) if picture is not None else None
        if picture is None or row is None or current is None or picture.is_hidden(current):
            return GROUND, self._surface.view.viewport().rect().center()
        return Site(current), self._surface.graph.node_rect(row).bottomRight().toPoint()

    def double_click(self, at: QPoint) -> bool:
        """Edit the note or the dependency's condition at a viewport position; on the background, add a task."""
        if self.choose_note_at(at) and self.notes is not None:
            self.notes.edit()
            return True
        picture, verbs, surface = self._surface.graph.picture, self.verbs, self._surface
        if picture is None or verbs is None or verbs.facts() is None or surface.hit_tester.row_at(at) is not None:
            return False
        edge = surface.hit_tester.edge_at(at)
        ends = ends_of(picture, edge) if edge is not None else None
        if ends is not None:
            verbs.edit_edge(ends, at)
        elif edge is None and surface.frames.at(at) is None and surface.pan_zoom.level is not Level.FAR:
            verbs.add_at(surface.pan_zoom.scene_at(at))
        else:
            return False
        return True

    def open_card(self) -> None:
        """Show kind and condition of the selected dependency, with the focus on them."""
        if self.verbs is not None:
            self._open_card(self.verbs)

    def _open_card(self, verbs: EditingVerbs) -> None:
        ends, at = self._surface.overlay.chosen_edge, self.grips.middle()
        if ends is not None and at is not None:
            verbs.choose_edge(ends, at)
            verbs.card.take_keys()

    def _next_edge(self, verbs: EditingVerbs, by: int) -> None:
        """Select the next dependency of the current task: those to its children, then those to its parents."""
        picture, now, current = (
            self._surface.graph.picture,
            self._surface.overlay.chosen_edge,
            self._selection.now.current,
        )
        row = picture.row(current) if picture is not None else None
        if picture is None or row is None or current is None or picture.is_hidden(current):
            return
        touching = [*picture.outgoing(row).tolist(), *np.flatnonzero(picture.edges[:, 1] == row).tolist()]
        found = [ends for edge in touching if picture.linked[edge] and (ends := ends_of(picture, edge)) is not None]
        if not found:
            self._surface.overlay.say_of(current, translate("Hand", "This task has no dependencies."))
            return
        place = found.index(now) + by if now in found else 0 if by > 0 else -1
        verbs.choose_edge(found[place % len(found)])

    def _nudge(self, way: tuple[int, int]) -> None:
        """Move the selected nodes, or the current one, by a step."""
        picture, now = self._surface.graph.picture, self._selection.now
        if picture is None:
            return
        chosen = now.numbers or frozenset((now.current,) if now.current is not None else ())
        nodes = self.alignment.nodes(chosen)
        offset = (way[0] * NUDGE, way[1] * NUDGE)
        self._surface.layout_controller.move_tasks(dict.fromkeys(nodes, offset), merges=f"nudge {nodes}")

    def _line_up(self, way: tuple[int, int]) -> None:
        """Align the selected nodes by a key whose action is disabled, so that a message says why."""
        self.alignment.do(_SIDES[way])
