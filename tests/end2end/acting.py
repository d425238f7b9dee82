"""Somebody who does what sentences of `docs/usability.md` say, with the pointer and the keys of a display.

Nothing is waited for by the clock: each act waits until the console has heard the one before, has answered it and
shows what came of it, however long that takes.
"""

from __future__ import annotations

import re
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.end2end.operators import at_work
from tests.end2end.shell import until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.end2end.acts_page import Sentence
    from tests.end2end.operators import Operator

HERE: Final = Path(__file__).parent
SIZE: Final = "1440x900x24"
STEPS: Final = 8
"""Places of the pointer on its way from where something is taken to where it is let go of."""
_BUTTONS: Final = {"Click": "1", "Double-click": "1", "Triple-click": "1", "Right-click": "3"}
_TIMES: Final = {"Double-click": 2, "Triple-click": 3}
_KEYS: Final = {"Ctrl": "ctrl", "Shift": "shift", "Alt": "alt", "Enter": "Return", "Esc": "Escape", "Del": "Delete"}
_THING: Final = re.compile(r"the (?:(empty canvas)|dependency (_ → _)|(\w+) port of (_)|([\w ]+?) (_))")
_AT: Final = re.compile(rf"({'|'.join(_BUTTONS)}) {_THING.pattern}")
_DRAG: Final = re.compile(rf"Drag {_THING.pattern} (?:onto|to) (?:(\d+) px left of )?{_THING.pattern}")


class Actor:
    """Carries out sentences.

    Args:
        operator: has keyboard, pointer and eyes; at a `pointing_console`.
        folder: the home of the program.
    """

    def __init__(self, operator: Operator, folder: Path) -> None:
        self.operator, self.folder = operator, folder
        operator.ask("heard")  # from now on it counts

    def do(self, *sentences: Sentence) -> None:
        """Do what they say, one after the other.

        Raises:
            ValueError: one of them is none that can be carried out.
        """
        for sentence in sentences:
            self._ready()
            self._do(sentence.pattern, list(sentence.names))
        self._ready()

    def _do(self, pattern: str, names: list[str]) -> None:
        if pattern == "Press _":
            self._press(names[0])
        elif pattern == "Type _":
            self._type(names[0])
        elif pattern == "Type _ and press _":
            self._type(names[0])
            self._press(names[1])
        elif pattern == "Choose _":
            self._click("Click", self.operator.ask("item", names[0]))
        elif pattern == "Choose _ ▸ _":
            self._move(self.operator.ask("item", names[0]))  # which opens what is behind it
            self._click("Click", self.operator.ask("item", names[1]))
        elif match := _AT.fullmatch(pattern):
            self._click(match[1], self._place(match.groups()[1:], names))
        elif match := _DRAG.fullmatch(pattern):
            parts = match.groups()
            half = len(parts) // 2
            begin = self._place(parts[:half], names)
            end = self._place(parts[half + 1 :], names)
            self._drag(begin, [end[0] - int(parts[half] or 0), end[1]])
        else:
            raise ValueError(f"nobody knows how to do this: {pattern}")

    def _place(self, thing: tuple[Any, ...], names: list[str]) -> list[int]:
        """Where something is on the screen; its names are used up."""
        canvas, dependency, side, _of, kind, _it = thing
        found: list[int]
        if canvas:
            found = self.operator.ask("ground")
        elif dependency:
            found = self.operator.ask("edge", names.pop(0), names.pop(0))
        elif side:
            found = self.operator.ask("port", names.pop(0), side)
        else:
            found = self.operator.ask(kind.replace(" ", "_"), names.pop(0))
        return found

    # ---- hands

    def _ready(self) -> None:
        """Wait until the console shows what there is, and have the window on top get the keyboard."""

        def look() -> bool:
            window = self.operator.asked("window")
            if window is None:
                return False
            if not window[1]:
                self.operator.hand("windowfocus", "--sync", str(window[0]))
            return bool(window[1])

        until(look, "the console is ready for the next act")

    def _heard(self, count: int, *hand: str) -> None:
        """Move the hand, and wait until so many keys or buttons have come up, or have closed what had the keyboard."""
        before = self.operator.ask("heard")
        self.operator.hand(*hand)

        def look() -> bool:
            now = self.operator.ask("heard")
            return bool(now["ends"] >= before["ends"] + count or now["keyboard"] != before["keyboard"])

        until(look, f"the console has heard {hand}")

    def _press(self, key: str) -> None:
        parts = [_KEYS.get(part, part.lower() if len(part) == 1 else part) for part in key.split("+")]
        self._heard(len(parts), "key", "+".join(parts))

    def _type(self, text: str) -> None:
        self._heard(len(text), "type", "--delay", "30", text)

    def _move(self, to: list[int]) -> None:
        self.operator.hand("mousemove", "--sync", *map(str, to))

    def _click(self, how: str, at: list[int]) -> None:
        self._move(at)
        times = _TIMES.get(how, 1)
        self._heard(times, "click", "--repeat", str(times), "--delay", "30", _BUTTONS[how])

    def _drag(self, begin: list[int], end: list[int]) -> None:
        self._move(begin)
        self.operator.hand("mousedown", "1")
        for step in range(1, STEPS):
            self._move([a + (b - a) * step // STEPS for a, b in zip(begin, end, strict=True)])
        self._carry([end[0] - 1, end[1]])  # what is carried from window to window is told of where it can be let go of
        self._carry(end)
        self._heard(1, "mouseup", "1")

    def _carry(self, at: list[int]) -> None:
        """Move the pointer with what it holds, and wait until the console knows."""
        self._move(at)
        until(lambda: self.operator.ask("heard")["at"] == at, f"the console has heard of the pointer at {at}")


@contextmanager
def actor_with(folder: Path, plan: str, size: str = SIZE) -> Iterator[Actor]:
    """Somebody before a console in which a plan is open; nothing there moves by itself.

    Args:
        folder: is the home of the program; the plan is `lab.yaml` in it.
        plan: as text.
        size: of the display.
    """
    (folder / "lab.yaml").write_text(plan, encoding="utf-8")
    settings = folder / "config" / "Starloom" / "console.ini"
    settings.parent.mkdir(parents=True)
    settings.write_text("[look]\nreduced_motion=true\n", encoding="utf-8")
    command = (sys.executable, str(HERE / "pointing_console.py"), str(folder / "lab.yaml"))
    with at_work(folder, command, size=size) as operator:
        yield Actor(operator, folder)
