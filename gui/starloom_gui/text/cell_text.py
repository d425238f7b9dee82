"""The text of values in cells of a table: text as it is, JSON as JSON, quotes where a text needs them.

A text that stands in quotes, holds a line break or begins or ends with a space is written as a JSON string: every value
reads back equal. Tables and lists are handed on as lines, their cells parted by tabs.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from starloom.model.secret import Secret
from starloom_gui.text.words import fill, translate

Row = tuple[str, ...]
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]")
_JSON_BEGINS: Final = ("{", "[", '"')
_SECRET: Final = re.compile(r"\{\s*secret\s*:\s*(.*?)\s*\}", re.DOTALL)
_NAME: Final = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[^,]*?)\s*(?:,|$)')


def cell_of_text(words: str) -> str:
    """The cell of a text."""
    needs_quotes = words != words.strip() or _CONTROL.search(words) is not None or _is_quoted(words)
    return _dumped(words) if needs_quotes else words


def cell_of_name(name: str) -> str:
    """The cell of a name or of an entry of a list, which is never empty."""
    return cell_of_text(name) or '""'


def text_of_cell(cell: str) -> str:
    """The text of a cell, without quotes."""
    cell = cell.strip()
    return json.loads(cell, strict=False) if _is_quoted(cell) else cell


def cell_of_json(value: Any) -> str:
    """The cell of a JSON value: text without quotes, unless it would be read as something else."""
    if not isinstance(value, str):
        return _dumped(_plain(value))
    try:
        is_read_back = json_of_cell(value) == value and isinstance(json_of_cell(value), str)
    except ValueError:
        is_read_back = False
    return value if is_read_back and cell_of_text(value) == value else _dumped(value)


def json_of_cell(cell: str) -> Any:
    """The JSON value of a cell; what is no JSON is text.

    Raises:
        ValueError: it begins like a list, a mapping or a quoted text and is none, has a name twice, or is a number that
            JSON cannot hold.
    """
    cell = cell.strip()
    try:
        value = json.loads(cell, parse_constant=_no_constant, object_pairs_hook=_mapping)
    except _TwiceError as error:
        raise ValueError(fill(translate("Inspector", "%1 stands there twice"), error)) from None
    except RecursionError:
        raise ValueError(translate("Inspector", "it nests too deeply")) from None
    except ValueError:
        if cell.startswith(_JSON_BEGINS):
            said = fill(
                translate("Inspector", "%1 begins like JSON and is none; text that begins so stands in quotes"), cell
            )
            raise ValueError(said) from None
        return cell
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(fill(translate("Inspector", "%1 is a number that JSON cannot hold"), cell))
    return value


def cell_of_variable(value: str | Secret) -> str:
    """The cell of an environment variable's value; a secret as a plan file names its source."""
    if isinstance(value, Secret):
        return cell_of_secret(value.secret)
    return _dumped(value) if _SECRET.fullmatch(value.strip()) else cell_of_text(value)


def cell_of_secret(reference: str) -> str:
    """The cell of a reference to a secret, even of one that is none."""
    return f"{{secret: {cell_of_text(reference)}}}"


def variable_of_cell(cell: str) -> str | Mapping[str, str]:
    """The text of a cell, or the reference to a secret as an edit takes it."""
    found = _SECRET.fullmatch(cell.strip())
    return {"secret": text_of_cell(found[1])} if found is not None else text_of_cell(cell)


def lines_of(rows: Iterable[Sequence[str]]) -> str:
    """Rows of cells as lines of text; empty cells at the end of a row are left out."""
    return "\n".join("\t".join(row).rstrip("\t") for row in rows)


def rows_of(lines: str, columns: int) -> list[Row]:
    """The rows of cells of a text of lines; missing cells at the end of a row are empty."""
    rows = (tuple(line.split("\t", columns - 1)) for line in lines.split("\n") if line.strip())
    return [(*row, *("",) * (columns - len(row))) for row in rows]


def names_text(names: Iterable[str]) -> str:
    """Names in one line with commas between them; a name with a comma is quoted."""
    return ", ".join(_dumped(name) if "," in name else cell_of_text(name) for name in names)


def names_of(words: str) -> list[str]:
    """The names in a line with commas between them."""
    return [text_of_cell(found) for found in _NAME.findall(words) if found]


def pasted_rows(words: str, columns: int) -> list[Row]:
    """The rows of a text from the clipboard: `KEY=VALUE` lines, or cells separated by tabs; else none."""
    rows = []
    for line in words.splitlines():
        line = line.strip().removeprefix("export ")
        if not line or line.startswith("#"):
            continue
        cells = line.split("\t") if "\t" in line else line.split("=", 1) if columns > 1 else [line]
        if columns > 1 and len(cells) < 2:
            return []
        rows.append(tuple(cell.strip() for cell in cells[:columns]))
    return rows


def _is_quoted(words: str) -> bool:
    if len(words) < 2 or not words.startswith('"') or not words.endswith('"'):
        return False
    try:
        return isinstance(json.loads(words, strict=False), str)
    except ValueError:
        return False


def _dumped(value: Any) -> str:
    """A value as JSON in one line, without characters that end a line."""
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False, default=str))


def _plain(value: Any) -> Any:
    """A value as dicts and lists, for the JSON encoder: values of a task are read-only mappings and sequences."""
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value


class _TwiceError(Exception):
    """Raised for a name that a mapping has twice."""


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        raise _TwiceError(next(name for at, name in enumerate(names) if name in names[:at]))
    return made


def _no_constant(word: str) -> Any:
    raise ValueError(word)
