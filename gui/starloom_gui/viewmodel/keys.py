"""Every key of the console, in one table: menus, the sheet of all keys, views and tests read it. Actions bring theirs.

No command has a key that types a character. What is typed over a view finds (`typed_find`); `TYPED` names the few
characters that act nevertheless: they change how a view is looked at, and nothing else.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QT_TRANSLATE_NOOP, QKeyCombination, Qt
from PySide6.QtGui import QKeySequence

from starloom_gui.specs.action_list import ACTIONS

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent


class Scope(Enum):
    """The part of the console in which keys hold. Those of the window hold everywhere in it."""

    WINDOW = "window"
    GRAPH = "graph"
    TIMELINE = "timeline"
    QUEUE = "queue"
    TASKS = "tasks"
    PLOTS = "plots"
    GRID = "grid"
    HISTORY = "history"


KEYS: Final[dict[Scope, dict[str, tuple[str, ...]]]] = {
    Scope.WINDOW: {
        **{spec.key: spec.keys for spec in ACTIONS.values() if spec.keys},
        "perspective_operate": ("Ctrl+Alt+1",),
        "perspective_edit": ("Ctrl+Alt+2",),
        "perspective_timeline": ("Ctrl+Alt+3",),
        "perspective_failures": ("Ctrl+Alt+4",),
        "pane_graph": ("Alt+C",),  # no digit is left, and G is a menu's in German
        "pane_outline": ("Alt+1",),
        "pane_palette": ("Alt+2",),
        "pane_devices": ("Alt+3",),
        "pane_inspector": ("Alt+4",),
        "pane_changes": ("Alt+5",),
        "pane_yaml": ("Alt+Y",),
        "pane_timeline": ("Alt+6",),
        "pane_output": ("Alt+7",),
        "pane_events": ("Alt+8",),
        "pane_tasks": ("Alt+9",),
        "pane_queue": ("Alt+0",),
        "pane_plots": ("Alt+P",),
        "pane_agents": ("Alt+A",),
        "pane_grid": ("Alt+M",),
    },
    Scope.GRAPH: {
        "connect": ("Ctrl+K",),
        "connect_back": ("Ctrl+Shift+K",),
        "next_edge": ("F4",),
        "previous_edge": ("Shift+F4",),
        "insert": ("Ins",),
        "insert_kind": ("Shift+Ins",),
        "rename": ("F2",),
        "remove": ("Del",),
        "remove_and_reconnect": ("Ctrl+Del",),
        "copy": ("Ctrl+C",),
        "cut": ("Ctrl+X",),
        "paste": ("Ctrl+V",),
        "paste_with_outside": ("Ctrl+Shift+V",),
        "duplicate": ("Ctrl+D",),
        "select_all": ("Ctrl+A",),
        "toggle": ("Ctrl+Space",),
        "next_note": ("Ctrl+M",),
        "previous_note": ("Ctrl+Shift+M",),
        "focus": ("Alt+Shift+F",),
        "turn": ("Alt+Shift+T",),
        "fold": ("-",),
        "unfold": ("+", "="),
        "fold_groups": ("Alt+Shift+G",),
        "fold_levels": ("Alt+Shift+E",),
        "unfold_all": ("Alt+Shift+U",),
        "fit_all": ("0",),
    },
    Scope.TIMELINE: {
        "whole": ("Alt+Shift+F", "0"),
        "follow": ("Alt+Shift+L",),
        "longer": ("-",),
        "shorter": ("+", "="),
    },
    Scope.QUEUE: {"earlier": ("Alt+Up",), "later": ("Alt+Down",)},
    Scope.TASKS: {"copy_rows": ("Ctrl+C",), "copy_errors": ("Ctrl+Shift+E",)},
    Scope.PLOTS: {
        "whole": ("Alt+Shift+F", "0"),
        "follow": ("Alt+Shift+L",),
        "link": ("Alt+Shift+K",),
        "longer": ("-",),
        "shorter": ("+", "="),
    },
    Scope.GRID: {"copy": ("Ctrl+C",), "read_again": ("Alt+Shift+R",)},
    Scope.HISTORY: {"restore": ("Ctrl+Z",), "export": ("Ctrl+E",), "import": ("Ctrl+I",), "grid": ("Ctrl+G",)},
}
"""Keys by scope and by name, as portable texts of Qt; in the window's, names are those of its actions."""
TYPED: Final = frozenset("+-=0?")
"""The characters that act on a view as long as nothing has been typed to find."""
_OF_QT: Final = (QT_TRANSLATE_NOOP("QShortcut", "Return"),)
"""Names of keys that Qt translates otherwise than our texts call them."""
_NOT_OF_KEYS: Final = Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.GroupSwitchModifier


def texts(scope: Scope, name: str) -> tuple[str, ...]:
    """The keys of a command as portable texts, the one to show first; empty: it has none."""
    return KEYS[scope].get(name, ())


def sequences(scope: Scope, name: str) -> list[QKeySequence]:
    """The keys of a command as shortcuts."""
    return [QKeySequence(text) for text in texts(scope, name)]


def shown(scope: Scope, name: str) -> str:
    """The first key of a command as this system writes it; empty: it has none."""
    found = sequences(scope, name)
    return found[0].toString(QKeySequence.SequenceFormat.NativeText) if found else ""


def _combination(text: str) -> QKeyCombination:
    sequence: Any = QKeySequence(text)  # the stubs do not know that it can be indexed
    found: QKeyCombination = sequence[0]
    return found


def _numbers(scope: Scope) -> dict[int, str]:
    return {_combination(text).toCombined(): name for name, keys in KEYS[scope].items() for text in keys}


_BY_NUMBER: Final = {scope: _numbers(scope) for scope in Scope}


def pressed(scope: Scope, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> str:
    """The command of a view that a key asks for; empty: none.

    Args:
        scope: of the view.
        key: that was pressed.
        modifiers: that were held with it; for a character, Shift is what it may be typed with.
    """
    held = modifiers & ~_NOT_OF_KEYS
    if held == Qt.KeyboardModifier.ShiftModifier and key < Qt.Key.Key_Escape:
        held = Qt.KeyboardModifier.NoModifier
    return _BY_NUMBER[scope].get(QKeyCombination(held, key).toCombined(), "")


def typed_text(event: QKeyEvent) -> str:
    """The character that a key types; empty: it is a command's key, or types nothing."""
    foreign = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
    held = event.modifiers() & foreign
    if held and held != Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier:  # AltGr types, too
        return ""
    text = event.text()
    return text if text.isprintable() else ""
