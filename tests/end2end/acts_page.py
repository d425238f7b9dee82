"""`docs/usability.md` as values: each act with the steps by which a user does it, as sentences of a small language."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PAGE: Final = Path(__file__).parents[2] / "docs" / "usability.md"
_ACT: Final = re.compile(r"^### (.+)$", re.MULTILINE)
_COUNT: Final = re.compile(r"^\*\*(\d+) acts?\*\*(?: \(([^)]+)\))?(?:: (.+))?$")
_STEP: Final = re.compile(r"^\d+\. (.+)$")
_QUOTED: Final = re.compile(r"`([^`]+)`")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the page: what it says, with `_` for each thing it names in back quotes, and those things."""

    pattern: str
    names: tuple[str, ...]

    @classmethod
    def read(cls, text: str) -> Sentence:
        """A sentence, with or without its full stop."""
        return cls(_QUOTED.sub("_", text).rstrip("."), tuple(_QUOTED.findall(text)))


@dataclass(frozen=True, slots=True)
class Way:
    """One way to do an act.

    Attributes:
        act: its heading.
        said: so many steps the page says it takes.
        how: what distinguishes this way from the others of the act, e.g. "keys".
        before: what is so before, and does not count.
        steps: what a user does.
        after: what is so afterwards.
    """

    act: str
    said: int
    how: str
    before: Sentence
    steps: tuple[Sentence, ...]
    after: Sentence


def ways(text: str | None = None) -> list[Way]:
    """All ways that the page describes, in its order.

    Raises:
        ValueError: something there is not as it has to be, with what.
    """
    text = PAGE.read_text(encoding="utf-8") if text is None else text
    parts = _ACT.split(text)[1:]
    found: list[Way] = []
    for act, body in zip(parts[::2], parts[1::2], strict=True):
        found += _ways_of(act, body.split("\n## ")[0])
    if not found:
        raise ValueError("the page describes no act")
    return found


def _ways_of(act: str, body: str) -> list[Way]:
    lines = [line.strip() for line in body.splitlines() if line.strip()]
    befores = [line.removeprefix("Before: ") for line in lines if line.startswith("Before: ")]
    afters = [line.removeprefix("Afterwards: ") for line in lines if line.startswith("Afterwards: ")]
    if len(befores) != 1 or len(afters) != 1:
        raise ValueError(f"{act}: it needs one line that begins with “Before: ” and one with “Afterwards: ”")
    before, after = Sentence.read(befores[0]), Sentence.read(afters[0])
    found: list[Way] = []
    for line in lines:
        if match := _COUNT.match(line):
            found.append(Way(act, int(match[1]), match[2] or "", before, (), after))
        elif match := _STEP.match(line):
            if not found:
                raise ValueError(f"{act}: a step stands before the number of acts")
            last = found[-1]
            found[-1] = Way(last.act, last.said, last.how, before, (*last.steps, Sentence.read(match[1])), after)
    return found
