"""Parses bytes to plain values with their lines. Their meaning is determined by each format."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from starloom.errors import PlanError, Problem
from starloom.formats import json_text, yaml_text
from starloom.formats.limits import MAX_BYTES, Path, SourceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class ParsedDocument:
    """A value read from text, which knows the line of each of its parts.

    Attributes:
        value: what the text says: mappings, lists, texts, numbers, truth values and None.
        source: the name of the file, for messages; may be empty.
        syntax: `json` or `yaml`.
    """

    __slots__ = ("_found", "_read_lines", "source", "syntax", "value")

    def __init__(self, value: Any, source: str, syntax: str, read_lines: Callable[[], Mapping[Path, int]]) -> None:
        self.value = value
        self.source = source
        self.syntax = syntax
        self._read_lines = read_lines
        self._found: Mapping[Path, int] | None = None

    def line(self, path: Path) -> int | None:
        """The line of the part at `path`, else of the nearest part around it, counted from 1."""
        if self._found is None:  # lines cost as much as parsing does, and a good file never needs them
            self._found = self._read_lines()
        while path and path not in self._found:
            path = path[:-1]
        return self._found.get(path)


def read_document(data: str | bytes, source: str = "", syntax: str | None = None) -> ParsedDocument:
    """The value that JSON or YAML text stands for.

    Args:
        data: the text; bytes must be UTF-8.
        source: the name of the file, for messages.
        syntax: `json` or `yaml`; None: told from the text and the end of `source`.

    Raises:
        PlanError: it is not such text, or it is larger, deeper or cleverer than a plan may be.
    """
    try:
        text = _decode(data)
        document = _parse(text, source, syntax)
        if _SURROGATE.search(text):
            _refuse_half_characters(document.value)
    except SourceError as error:
        raise PlanError(error.problems, source) from None
    return document


def decoded(data: str | bytes, source: str = "") -> str:
    """The text in a file, without a byte order mark.

    Raises:
        PlanError: it is not UTF-8, empty, or larger than may be read.
    """
    try:
        return _decode(data)
    except SourceError as error:
        raise PlanError(error.problems, source) from None


def _decode(data: str | bytes) -> str:
    if len(data) > MAX_BYTES:
        raise SourceError(too_large(len(data)))
    if isinstance(data, str):
        text = data.removeprefix("\ufeff")
        _refuse_half_characters(text)
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise SourceError(
                Problem(
                    code="encoding",
                    line=line,
                    message="the file is not UTF-8 text.",
                    hint="Save it as UTF-8.",
                )
            ) from None
    if not text or text.isspace():
        raise SourceError(Problem(code="empty", message="the file is empty.", hint=STARTS_WITH))
    return text


STARTS_WITH: Final = "A plan starts with 'starloom: 1' and lists its tasks under 'tasks'."


def too_large(size: int) -> Problem:
    """The problem of a file that has more bytes than allowed."""
    return Problem(
        code="too_large",
        message=f"the file has {size / 1e6:.0f} MB; at most {MAX_BYTES / 1e6:.0f} MB are read.",
        hint="Split the plan.",
    )


def _parse(text: str, source: str, syntax: str | None) -> ParsedDocument:
    start = text.lstrip()
    looks_like_json = start.startswith(("{", "["))
    if syntax == "yaml" or (syntax is None and not looks_like_json and not source.lower().endswith(".json")):
        return _from_yaml(text, source)
    try:
        return ParsedDocument(json_text.parse(text), source, "json", lambda: json_text.scan(text).lines)
    except json_text.JsonSyntaxError as error:
        # `{a: 1}` is YAML as well, but whoever writes `{"a"` means JSON and wants to hear of its errors
        if syntax == "json" or source.lower().endswith(".json") or re.match(r'[{\[]\s*["{\[\]}]', start):
            raise
        return _yaml_or(error, text, source)


def _from_yaml(text: str, source: str) -> ParsedDocument:
    return ParsedDocument(yaml_text.parse(text), source, "yaml", lambda: yaml_text.line_map(text))


def _yaml_or(json_error: SourceError, text: str, source: str) -> ParsedDocument:
    try:
        return _from_yaml(text, source)
    except yaml_text.YamlSyntaxError:
        raise json_error from None


def _refuse_half_characters(value: Any) -> None:
    """Half a surrogate pair is no character: it could be neither saved nor sent."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise SourceError(
            Problem(
                code="encoding",
                message="a text holds half a character (a lone surrogate such as \\ud800).",
                hint="Write the whole pair or the character itself.",
            )
        ) from None


def show_path(path: Iterable[str | int]) -> str:
    """A path as `tasks[3].env.PATH`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text
