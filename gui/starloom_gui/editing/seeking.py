"""Searches texts and patterns in the work of tasks, and replaces them. Pure.

Patterns are somebody's typing and may be of a kind that takes for ever. Each attempt to match one is given up after a
fixed amount of work, so that none can hold up the window, and nothing has to be killed for that.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRegularExpression

from starloom_gui.text.words import fill, translate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtCore import QRegularExpressionMatch

LONGEST: Final = 1_000
"""Characters of what is sought, and of what it is replaced by."""
MOST_TEXT: Final = 1_000_000
"""Characters a text of a task may have."""
_GUARD: Final = "(*LIMIT_MATCH=50000)(?:)"
"""Steps from one place of a text on; the empty group keeps a pattern from saying otherwise after it."""
_AT_ONCE: Final = 500
"""So many places are replaced between two pauses."""
_REFERENCE: Final = re.compile(r"\\(?:(\d{1,2})|g<(\w+)>|([nt\\]))|(\\)")
_MEANS: Final = {"n": "\n", "t": "\t", "\\": "\\"}
_UNIT: Final = "utf-16-le"
"""How Qt counts characters: two bytes each, and some are two of them."""

Mark = tuple[int, int]
"""The first character of a place, and the one after the last."""


class UnusableError(ValueError):
    """The search text or its replacement cannot be used; a sentence for people says why."""


@dataclass(frozen=True, slots=True)
class ReplaceQuery:
    r"""The search text and its replacement.

    Attributes:
        sought: a text, or a pattern; empty: nothing is sought.
        by: what stands there afterwards; in that of a pattern, `\1` is its first group.
        is_pattern: which of them.
        exact: whether capital letters count.
        names: whether the names of tasks are looked at, too.
    """

    sought: str = ""
    by: str = ""
    is_pattern: bool = False
    exact: bool = True
    names: bool = False


@dataclass(frozen=True, slots=True)
class Replaced:
    """The result of a replacement in one text.

    Attributes:
        text: what it says then.
        old: the places before, as far as they were not empty.
        new: the same afterwards.
    """

    text: str
    old: tuple[Mark, ...]
    new: tuple[Mark, ...]


class Replacer:
    """Replaces the matches in one text after the other.

    Args:
        wanted: what is sought; not nothing.

    Raises:
        UnusableError: it is no pattern, or the replacement names a group that there is not.
    """

    def __init__(self, wanted: ReplaceQuery) -> None:
        if len(wanted.sought) > LONGEST or len(wanted.by) > LONGEST:
            raise UnusableError(fill(translate("Replace", "Write at most %1 characters."), LONGEST))
        own = wanted.sought if wanted.is_pattern else QRegularExpression.escape(wanted.sought)
        self._expression = _compiled(own, exact=wanted.exact)
        self._parts = _parts(wanted.by, self._expression) if wanted.is_pattern else [wanted.by]

    def replaced(self, text: str) -> Iterator[Replaced | None]:
        """Yield the text with every match replaced as the last item; before it None, so that the caller can pause.

        Nothing else than None is given where nothing was found.

        Raises:
            UnusableError: looking for it in this text takes too long, or what would come of it is too long.
        """
        units = text.encode(_UNIT, "surrogatepass")
        pieces: list[str] = []
        old: list[Mark] = []
        new: list[Mark] = []
        done = was = now = 0  # in Qt's units; in characters of the text, and of what it becomes
        matches = self._expression.globalMatch(text)
        while matches.hasNext():
            match = matches.next()
            kept = _decoded(units[2 * done : 2 * match.capturedStart()])
            found, by = match.captured(), self._by(match)
            was, now = was + len(kept), now + len(kept)
            old.append((was, was + len(found)))
            new.append((now, now + len(by)))
            pieces += (kept, by)
            was, now, done = was + len(found), now + len(by), match.capturedEnd()
            if now > MOST_TEXT:
                raise UnusableError(translate("Replace", "What would come of it is too long for a task."))
            if len(old) % _AT_ONCE == 0:
                yield None
        if not matches.isValid():
            raise UnusableError(translate("Replace", "Looking for this pattern takes too long. Write a simpler one."))
        if old:
            pieces.append(_decoded(units[2 * done :]))
            yield Replaced("".join(pieces), tuple(old), tuple(new))

    def _by(self, match: QRegularExpressionMatch) -> str:
        return "".join(one if isinstance(one, str) else match.captured(one) for one in self._parts)


def _decoded(units: bytes) -> str:
    return units.decode(_UNIT, "surrogatepass")


def _compiled(pattern: str, *, exact: bool) -> QRegularExpression:
    option = QRegularExpression.PatternOption
    options = option.UseUnicodePropertiesOption | option.MultilineOption
    made = QRegularExpression(_GUARD + pattern, options if exact else options | option.CaseInsensitiveOption)
    if not made.isValid():
        place = max(1, made.patternErrorOffset() - len(_GUARD))
        text = translate("Replace", "This is no pattern: %1, at character %2.")
        raise UnusableError(fill(text, made.errorString(), min(place, len(pattern))))
    return made


def _parts(by: str, expression: QRegularExpression) -> list[str | int]:
    """A replacement as texts and numbers of groups.

    Raises:
        UnusableError: it names a group that the pattern does not have, or a backslash means nothing.
    """
    names, count = expression.namedCaptureGroups(), expression.captureCount()
    parts: list[str | int] = []
    end = 0
    for found in _REFERENCE.finditer(by):
        number, name, letter, stray = found.groups()
        parts.append(by[end : found.start()])
        end = found.end()
        if stray:
            what = by[found.start() : found.start() + 2]
            text = translate("Replace", "“%1” means nothing here. Write \\\\ for a backslash, \\1 for the first group.")
            raise UnusableError(fill(text, what))
        if letter:
            parts.append(_MEANS[letter])
            continue
        group = int(number) if number else names.index(name) if name in names else -1
        if not 0 <= group <= count:
            raise UnusableError(fill(translate("Replace", "The pattern has no group “%1”."), number or name))
        parts.append(group)
    return [*parts, by[end:]]
