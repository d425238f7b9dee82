"""YAML text to values: one document of plain values, no tags, no anchors, no recursion.

Plain scalars follow the core schema of YAML 1.2: `no` and `2026-01-01` are texts. Keys are texts as they stand.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Any, Final

import yaml

from starloom.errors import Problem
from starloom.formats.limits import MAX_DEPTH, MAX_PROBLEMS, Path, SourceError, duplicate_key, too_deep, unusable_number

if TYPE_CHECKING:
    from collections.abc import Iterator

_LOADER: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_WORDS: Final = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
INT: Final = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
NOT_FINITE: Final = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_NUMBER_START: Final = frozenset("+-.0123456789")
_NO_KEY: Final = object()


class YamlSyntaxError(SourceError):
    """The text is not YAML."""


def parse(text: str) -> Any:
    """The value of a YAML document.

    Raises:
        YamlSyntaxError: it is not YAML.
        SourceError: it nests too deeply, repeats a key, or uses what plans may not: tags, anchors, several documents.
    """
    builder = _Builder(None)
    builder.run(text)
    if builder.problems:
        raise SourceError(*builder.problems)
    return builder.root


def line_map(text: str) -> dict[Path, int]:
    """The line of each part of text that `parse` accepts, by its path; of its key, inside a mapping."""
    lines: dict[Path, int] = {}
    _Builder(lines).run(text)
    return lines


def comment_lines(text: str) -> int:
    """The number of lines of a YAML text with a comment, which is no part of its value."""
    if "#" not in text:
        return 0
    spans = [
        (token.start_mark.index, token.end_mark.index)
        for token in yaml.scan(text, Loader=_LOADER)
        if isinstance(token, yaml.ScalarToken)
    ]
    ends = [end for _, end in spans]
    found = set()
    for match in re.finditer(r"(?<!\S)#", text):
        place = bisect_right(ends, match.start())
        if place == len(spans) or spans[place][0] > match.start():
            found.add(text.rfind("\n", 0, match.start()))
    return len(found)


class _Frame:
    """A list or mapping that is being filled."""

    __slots__ = ("container", "key", "lines", "path")

    def __init__(self, container: list[Any] | dict[str, Any], path: Path) -> None:
        self.container = container
        self.key: Any = _NO_KEY
        self.path = path
        self.lines: dict[str, int] = {}


class _Builder:
    """Builds the value from parser events on a stack of its own, as PyYAML's composer would recurse."""

    def __init__(self, lines: dict[Path, int] | None) -> None:
        self.lines = lines
        self.problems: list[Problem] = []
        self.root: Any = None
        self.stack: list[_Frame] = []

    def run(self, text: str) -> None:
        documents = 0
        for event in _events(text):
            kind = type(event)
            if kind is yaml.ScalarEvent:
                self._scalar(event)
            elif kind is yaml.MappingStartEvent:
                self._open({}, event)
            elif kind is yaml.SequenceStartEvent:
                self._open([], event)
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                self.stack.pop()
            elif kind is yaml.AliasEvent:
                self._refuse_alias(event)
                self._put(None, event)
            elif kind is yaml.DocumentStartEvent:
                documents += 1
                if documents > 1:
                    raise SourceError(*self.problems, _several_documents(_line(event)))
        if not documents:
            raise SourceError(Problem(code="empty", message="the file is empty but for comments."))

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        if event.tag is not None or event.anchor is not None:
            self._refuse_extras(event)
        frame = self.stack[-1] if self.stack else None
        if frame is not None and frame.key is _NO_KEY and type(frame.container) is dict:
            self._key(frame, event)
            return
        value = event.value
        if event.implicit[0] and (value in _WORDS or value[0] in _NUMBER_START):
            value = self._resolve(value, event)
        self._put(value, event)

    def _resolve(self, text: str, event: yaml.Event) -> Any:
        if text in _WORDS:
            return _WORDS[text]
        try:
            if INT.fullmatch(text):
                return int(text, 0) if text.startswith(("0o", "0x")) else int(text)
            if FLOAT.fullmatch(text) and math.isfinite(number := float(text)):
                return number
        except ValueError:  # Python refuses thousands of digits
            self._problem(unusable_number(text, _line(event)))
            return None
        if NOT_FINITE.fullmatch(text) or FLOAT.fullmatch(text):
            self._problem(unusable_number(text, _line(event)))
        return text

    def _key(self, frame: _Frame, event: yaml.ScalarEvent) -> None:
        key = event.value
        line = _line(event)
        if key in frame.container:
            self._problem(duplicate_key(key, line, frame.lines[key]))
        frame.lines.setdefault(key, line)
        frame.key = key

    def _put(self, value: Any, event: yaml.Event) -> None:
        if not self.stack:
            self.root = value
            self._note((), event)
            return
        frame = self.stack[-1]
        if isinstance(frame.container, list):
            self._note((*frame.path, len(frame.container)), event)
            frame.container.append(value)
        elif frame.key is _NO_KEY:
            self._problem(_key_is_no_text(_line(event)))
            frame.key = ""
        else:
            if self.lines is not None:
                self.lines.setdefault((*frame.path, frame.key), frame.lines[frame.key])
            frame.container[frame.key] = value
            frame.key = _NO_KEY

    def _note(self, path: Path, event: yaml.Event) -> None:
        if self.lines is not None:
            self.lines[path] = _line(event)

    def _open(self, container: list[Any] | dict[str, Any], event: Any) -> None:
        if event.tag is not None or event.anchor is not None:
            self._refuse_extras(event)
        if len(self.stack) >= MAX_DEPTH:
            raise SourceError(*self.problems, too_deep(_line(event)))
        path: Path = ()
        if self.lines is not None and self.stack:
            frame = self.stack[-1]
            step = len(frame.container) if isinstance(frame.container, list) else frame.key
            path = (*frame.path, step)
        self._put(container, event)
        self.stack.append(_Frame(container, path))

    def _refuse_extras(self, event: Any) -> None:
        if event.tag is not None:
            self._problem(
                Problem(
                    code="tag",
                    line=_line(event),
                    message=f"the tag {event.tag} is not allowed; plans hold plain values only.",
                    hint="Remove the tag.",
                )
            )
        if event.anchor is not None:
            self._problem(
                Problem(
                    code="alias",
                    line=_line(event),
                    message=f"the anchor &{event.anchor} is not allowed.",
                    hint="Remove it and write the value out; 'defaults' gives fields to all tasks.",
                )
            )

    def _refuse_alias(self, event: yaml.AliasEvent) -> None:
        self._problem(
            Problem(
                code="alias",
                line=_line(event),
                message=f"the alias *{event.anchor} is not allowed.",
                hint="Write the value out; text that starts with * needs quotes.",
            )
        )

    def _problem(self, problem: Problem) -> None:
        self.problems.append(problem)
        if len(self.problems) >= MAX_PROBLEMS:
            raise SourceError(*self.problems)


def _events(text: str) -> Iterator[Any]:
    try:
        yield from yaml.parse(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        raise YamlSyntaxError(_not_yaml(error)) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position if isinstance(error.position, int) else 0) + 1
        raise YamlSyntaxError(
            Problem(
                code="syntax",
                line=line,
                message="the file holds a character that YAML does not allow.",
                hint="Remove it, or write it as an escape such as \\u0007 inside double quotes.",
            )
        ) from None
    except yaml.YAMLError as error:
        raise YamlSyntaxError(Problem(code="syntax", message=f"this is not valid YAML: {error}.")) from None


def _not_yaml(error: yaml.MarkedYAMLError) -> Problem:
    mark = error.problem_mark or error.context_mark
    what = error.problem or error.context or "it cannot be read"
    place = f" (column {mark.column + 1})" if mark else ""
    tabs = "\\t" in what or "tab character" in what
    return Problem(
        code="syntax",
        line=mark.line + 1 if mark else None,
        message=f"this is not valid YAML: {what}{place}.",
        hint="Indent with spaces, not with tabs." if tabs else "Look at this line and the one before it.",
    )


def _several_documents(line: int) -> Problem:
    return Problem(
        code="documents",
        line=line,
        message="the file holds several YAML documents; a plan is one.",
        hint="Put each plan into a file of its own.",
    )


def _key_is_no_text(line: int) -> Problem:
    return Problem(code="key", line=line, message="a key must be text, not a list or a mapping.")


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1
