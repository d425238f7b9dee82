"""A verb of the window as data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from starloom_gui.gateway.verbs import Verb
    from starloom_gui.theme.icons import Verb as Icon


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One verb; its keys are in `keys.KEYS`, under its own key.

    Attributes:
        key: its name in the program.
        text: what it is called.
        tip: what it does, as a sentence.
        icon: its shape.
        verb: what the engine is asked for; None: the window does it, or something has to be chosen first.
        given: the fields of the command.
        checkable: whether it is on or off.
        also: other words that are typed to find it, with spaces between them.
    """

    key: str
    text: str
    tip: str
    icon: Icon | None = None
    verb: Verb | None = None
    given: dict[str, Any] = field(default_factory=dict)
    checkable: bool = False
    also: str = ""
